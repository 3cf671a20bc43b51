// SPDX-License-Identifier: Apache-2.0
// Rules, start states and properties, with the rulesets, aliases and chooses around them. Those are
// lowered anew for each rule inside, since every rule has a frame of its own.
#include "front/murphi/lower.h"

#include <inttypes.h>

// The variables that rulesets and chooses bring, in order, and what chooses demand.
struct binding {
  VEC(struct ir_local *) params;
  VEC(struct ir_expr *) sets; // of each variable; NULL when it is no slot
  VEC(struct ir_expr *) valid;
  bool ok;
};

static void binding_clear(struct binding *b) {
  VEC_CLEAR(&b->params);
  VEC_CLEAR(&b->sets);
  VEC_CLEAR(&b->valid);
}

static void bind_quants(struct lower *w, struct ast_rule *r, struct binding *b, bool literal) {
  for (struct ast_quant *q = r->quants; q; q = q->next) {
    struct ir_domain *d = NULL;
    struct ir_local *l = murphi_quant(w, q, literal, &d);
    b->ok &= l != NULL;
    VEC_PUSH(&b->params, l);
    VEC_PUSH(&b->sets, NULL);
  }
}

static void bind_choose(struct lower *w, struct ast_rule *r, struct binding *b) {
  struct ir_domain *d = NULL;
  struct ir_expr *set = murphi_multiset_expr(w, r->expr);
  struct ir_local *l = murphi_slot(w, r->choose, set, &d);
  b->ok &= l != NULL;
  VEC_PUSH(&b->params, l);
  VEC_PUSH(&b->sets, set);
  if (!l) return;
  VEC_PUSH(&b->valid, murphi_slot_valid(w, set, l, r->expr->span));
  VEC_PUSH(&w->known->slots, ((struct slot){l, set}));
}

// Makes everything around the rule known, each in a scope of its own, as guards and properties see
// it.
static void bind(struct lower *w, struct binding *b) {
  b->ok = true;
  for (size_t i = 0; i < w->around.count; i++) {
    struct ast_rule *r = w->around.data[i];
    murphi_scope_open(w);
    if (r->kind == AST_RULESET) bind_quants(w, r, b, true);
    if (r->kind == AST_RULE_ALIAS) murphi_aliases(w, r->decls, NULL);
    if (r->kind == AST_CHOOSE) bind_choose(w, r, b);
  }
}

// The IR wants parameters first in the frame; aliases between rulesets may have brought quantified
// variables of their own.
static uint32_t params_first(struct lower *w, struct ir_frame *f, const struct binding *b) {
  if (!b->ok || f->count == b->params.count) return f->count;
  struct ir_local **locals = ARENA_ARRAY(w->m->arena, struct ir_local *, f->capacity);
  uint32_t n = 0;
  for (size_t i = 0; i < b->params.count; i++) locals[n++] = b->params.data[i];
  for (uint32_t i = 0; i < f->count; i++) {
    bool param = false;
    for (size_t k = 0; k < b->params.count; k++) param |= f->locals[i] == b->params.data[k];
    if (!param) locals[n++] = f->locals[i];
  }
  assert(n == f->count);
  f->locals = locals;
  f->cells = 0;
  for (uint32_t i = 0; i < n; i++) {
    locals[i]->id = i;
    locals[i]->cell = f->cells;
    f->cells += locals[i]->kind == IR_LOCAL_REF ? 1 : (uint32_t)locals[i]->type->leaves;
  }
  return (uint32_t)b->params.count;
}

static void bind_again(struct lower *w, struct ast_name *name, const struct binding *b, size_t i) {
  struct symbol *s = murphi_declare(w, b->params.data[i] ? SYMBOL_LOCAL : SYMBOL_WRONG, name);
  s->local = b->params.data[i];
  s->set = b->sets.data[i];
}

// The same once more for the body, where aliases are evaluated on entry.
static void rebind(struct lower *w, const struct binding *b, struct ir_chain *out) {
  size_t next = 0;
  for (size_t i = 0; i < w->around.count; i++) {
    struct ast_rule *r = w->around.data[i];
    murphi_scope_open(w);
    for (struct ast_quant *q = r->quants; q; q = q->next) {
      if (q->type) murphi_type(w, q->type); // its enumeration's names
      bind_again(w, q->name, b, next++);
    }
    if (r->kind == AST_RULE_ALIAS) murphi_aliases(w, r->decls, out);
    if (r->kind == AST_CHOOSE) bind_again(w, r->choose, b, next++);
  }
}

static void unbind(struct lower *w) {
  for (size_t i = 0; i < w->around.count; i++) murphi_scope_close(w);
}

static bool few_instances(struct lower *w, const struct ast_rule *r, const struct binding *b) {
  uint64_t n = 1;
  for (size_t i = 0; i < b->params.count && b->ok; i++) {
    uint64_t k = ir_domain_count(b->params.data[i]->domain);
    if (__builtin_mul_overflow(n, k, &n) || n > (uint64_t)MURPHI_INSTANCES_MAX) {
      murphi_error(w, r->span,
                   "the rulesets round this rule make more than %" PRId64
                   " instances of it; expected fewer",
                   MURPHI_INSTANCES_MAX);
      return false;
    }
  }
  return true;
}

// --- rules and start states ---

static int32_t agent(const struct binding *b) {
  for (size_t i = 0; i < b->params.count; i++) {
    enum ir_type_kind k = b->params.data[i]->type->kind;
    if (k == IR_TYPE_SCALARSET || k == IR_TYPE_UNION) return (int32_t)i;
  }
  return b->params.count ? 0 : -1;
}

static struct ir_expr *guard(struct lower *w, struct ast_rule *r, const struct binding *b) {
  w->pure = "a guard";
  struct ir_expr *g = r->expr ? murphi_condition(w, r->expr, "a guard") : NULL;
  w->pure = NULL;
  for (size_t i = b->valid.count; i-- > 0;) {
    struct ir_expr *valid = b->valid.data[i];
    g = g ? ir_binary(w->m, IR_AND, valid, g, g->span) : valid;
  }
  return g;
}

static void each_multiset(struct lower *w,
                          void (*what)(struct lower *w, struct ir_expr *x, struct ir_chain *out),
                          struct ir_chain *out, struct span span) {
  for (size_t i = 0; i < w->m->vars.count; i++)
    what(w, ir_var_ref(w->m, w->m->vars.data[i], span), out);
}

static void put_in_order(struct lower *w, struct ir_chain *out, struct span span) {
  if (w->effects->slot) each_multiset(w, murphi_multiset_tidy, out, span);
  each_multiset(w, murphi_multiset_sort, out, span);
}

// The body is left at its end or by return: multisets are sorted at each.
static void sort_at_exits(struct lower *w, struct ir_chain *out, struct span span) {
  for (size_t i = 0; i < w->returns.count; i++) {
    struct ir_stmt *r = w->returns.data[i], *copy = ARENA_NEW(w->m->arena, struct ir_stmt);
    struct ir_chain sort = {0};
    put_in_order(w, &sort, r->span);
    *copy = *r;
    *r = *sort.first; // now the return itself, moved behind the sorting
    (sort.last == sort.first ? r : sort.last)->next = copy;
  }
  put_in_order(w, out, span);
}

static void rule_body(struct lower *w, struct ast_rule *r, struct ir_rule *to,
                      const struct binding *b) {
  struct ir_chain out = {0};
  struct effects effects = {0};
  w->effects = &effects;
  w->returns.count = 0;
  if (to->is_start) each_multiset(w, murphi_multiset_empty, &out, r->span);
  rebind(w, b, &out);
  murphi_scope_open(w);
  murphi_local_decls(w, r->decls, &out);
  murphi_stmts(w, r->body, &out);
  murphi_scope_close(w);
  unbind(w);
  bool sets = false;
  for (size_t i = 0; i < w->m->vars.count; i++)
    sets |= murphi_has_multiset(w, w->m->vars.data[i]->type);
  if (effects.multiset && sets) sort_at_exits(w, &out, r->span);
  to->body = out.first;
  w->effects = NULL;
}

static const char *numbered(struct lower *w, const char *name, const char *kind, uint32_t number) {
  return name ? name : arena_printf(w->m->arena, "%s %u", kind, number);
}

static void remember(struct lower *w, struct ast_rule *r, struct ir_rule *to) {
  struct lowered_rule done = {.ast = r, .ir = to, .around_count = w->around.count};
  done.around = ARENA_ARRAY(w->tree, struct ast_rule *, w->around.count + 1);
  for (size_t i = 0; i < w->around.count; i++) done.around[i] = w->around.data[i];
  VEC_PUSH(&w->lowered, done);
  w->priorities |= r->priority != 0;
}

struct ir_expr *murphi_rule_enabled(struct lower *w, struct ast_rule *r) {
  struct binding b = {0};
  bind(w, &b);
  struct ir_expr *x = guard(w, r, &b);
  unbind(w);
  if (!x) x = ir_bool(w->m, true, r->span);
  for (size_t i = b.params.count; i-- > 0 && b.ok;) {
    struct ir_local *l = b.params.data[i];
    x = ir_quant(w->m, IR_EXISTS, l, l->domain, x, r->span);
  }
  binding_clear(&b);
  return x;
}

static void simple_rule(struct lower *w, struct ast_rule *r) {
  bool start = r->kind == AST_START;
  uint32_t number = start ? ++w->starts : ++w->rules;
  const char *name = numbered(w, r->name, start ? "startstate" : "rule", number);
  struct ir_rule *to = ir_rule_new(w->m, start, name, r->span);
  struct binding b = {0};
  w->frame = &to->frame;
  bind(w, &b);
  to->param_count = params_first(w, &to->frame, &b);
  to->guard = guard(w, r, &b);
  unbind(w);
  if (start && b.valid.count)
    murphi_error(w, r->span,
                 "expected no choose round a startstate: there is nothing to choose "
                 "from yet");
  if (b.ok && few_instances(w, r, &b)) to->agent_param = agent(&b);
  rule_body(w, r, to, &b);
  if (!start) remember(w, r, to);
  w->frame = NULL;
  binding_clear(&b);
}

// --- properties ---

static struct ir_property *new_property(struct lower *w, struct ast_rule *r) {
  static const struct {
    enum ir_property_kind kind;
    const char *name;
  } kinds[] = {[AST_ASSERT] = {IR_PROP_INVARIANT, "invariant"},
               [AST_ASSUME] = {IR_PROP_ASSUME, "assumption"},
               [AST_COVER] = {IR_PROP_COVER, "cover"},
               [AST_LIVENESS] = {IR_PROP_LIVENESS, "liveness"}};
  uint32_t *counts[] = {[AST_ASSERT] = &w->invariants,
                        [AST_ASSUME] = &w->assumes,
                        [AST_COVER] = &w->covers,
                        [AST_LIVENESS] = &w->livenesses};
  const char *name = numbered(w, r->name, kinds[r->property].name, ++*counts[r->property]);
  return ir_property_new(w->m, kinds[r->property].kind, name, r->span);
}

// Invariants hold for all instances, covers for some; a liveness property is one per instance.
static struct ir_expr *over_instances(struct lower *w, struct ast_rule *r, struct ir_expr *x,
                                      const struct binding *b) {
  bool some = r->property == AST_COVER;
  for (size_t i = b->valid.count; i-- > 0;)
    x = ir_binary(w->m, some ? IR_AND : IR_IMPLIES, b->valid.data[i], x, x->span);
  if (r->property == AST_LIVENESS) return x;
  for (size_t i = b->params.count; i-- > 0;) {
    struct ir_local *l = b->params.data[i];
    x = ir_quant(w->m, some ? IR_EXISTS : IR_FORALL, l, l->domain, x, x->span);
  }
  return x;
}

static void property(struct lower *w, struct ast_rule *r) {
  struct ir_property *p = new_property(w, r);
  struct binding b = {0};
  w->frame = &p->frame;
  w->pure = "a property";
  bind(w, &b);
  uint32_t params = params_first(w, &p->frame, &b);
  if (r->property == AST_LIVENESS) p->param_count = params;
  struct ir_expr *x = murphi_condition(w, r->expr, "a property");
  unbind(w);
  w->pure = NULL;
  if (b.ok && x && few_instances(w, r, &b)) p->expr = over_instances(w, r, x, &b);
  w->frame = NULL;
  binding_clear(&b);
}

// --- what is around ---

// With nothing inside, what is around has still to be right.
static void check_around(struct lower *w) {
  struct ir_frame scratch = {0};
  struct binding b = {0};
  w->frame = &scratch;
  bind(w, &b);
  unbind(w);
  w->frame = NULL;
  binding_clear(&b);
}

static void around(struct lower *w, struct ast_rule *r) {
  VEC_PUSH(&w->around, r);
  for (struct ast_rule *inner = r->rules; inner; inner = inner->next) murphi_rule(w, inner);
  if (!r->rules) check_around(w);
  (void)VEC_POP(&w->around);
}

void murphi_rule(struct lower *w, struct ast_rule *r) {
  if (!murphi_enter(w, r->span)) return;
  switch (r->kind) {
  case AST_RULE:
  case AST_START: simple_rule(w, r); break;
  case AST_RULE_PROPERTY: property(w, r); break;
  case AST_RULESET:
  case AST_RULE_ALIAS:
  case AST_CHOOSE: around(w, r); break;
  }
  murphi_leave(w);
}
