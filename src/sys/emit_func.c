// SPDX-License-Identifier: Apache-2.0
// Functions as C: one C function for each way in which the reference parameters are bound, found
// as calls are emitted. A reference into the state is a leaf number, one to locals a pointer.
//
//   static uint32_t f3_0(uint64_t *s, depth, covers, parameters..., int64_t *result)
//
// returns an outcome; depth and covers are there only in models that need them.
#include "sys/emit.h"

#include <inttypes.h>

// --- what functions do ---

static const struct ir_expr *root_of(const struct ir_expr *x) {
  while (x->op == IR_INDEX || x->op == IR_FIELD) x = x->args[0];
  return x;
}

static bool writes_outside(const struct ir_stmt *s) {
  if (!s->lhs) return false;
  const struct ir_expr *root = root_of(s->lhs);
  return root->op == IR_VAR || (root->op == IR_LOCAL && root->local->kind == IR_LOCAL_REF);
}

struct impure_search {
  const struct emit *e;
  bool found;
};

static void visit_impure(void *context, const struct ir_expr *x) {
  struct impure_search *search = context;
  if (x->op == IR_CALL && search->e->impure[x->func->id]) search->found = true;
}

bool emit_writes(const struct emit *e, const struct ir_expr *x) {
  struct impure_search search = {.e = e};
  emit_walk_expr(x, visit_impure, &search);
  return search.found;
}

static bool function_writes(const struct emit *e, const struct ir_function *f) {
  struct impure_search search = {.e = e, .found = emit_has_stmt(f->body, writes_outside)};
  emit_walk_stmts(f->body, visit_impure, &search);
  return search.found;
}

// Functions may call each other in circles: until nothing changes.
static void find_impure(struct emit *e) {
  const struct ir_model *m = e->m;
  e->impure = ARENA_ARRAY(e->arena, bool, m->functions.count + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m->functions.count; i++) {
      if (e->impure[i] || !function_writes(e, m->functions.data[i])) continue;
      e->impure[i] = changed = true;
    }
  }
}

// --- how deep calls nest ---

struct depth_walk {
  uint32_t *depth; // longest chain from each function on; 0: not known yet
  bool *open;
  uint32_t deepest;
  bool recursive;
};

static uint32_t chain_from(struct depth_walk *w, const struct ir_function *f);

static void visit_depth(void *context, const struct ir_expr *x) {
  struct depth_walk *w = context;
  if (x->op != IR_CALL) return;
  uint32_t below = chain_from(w, x->func);
  if (below > w->deepest) w->deepest = below;
}

static uint32_t chain_from(struct depth_walk *w, const struct ir_function *f) {
  if (w->open[f->id]) {
    w->recursive = true;
    return 0;
  }
  if (w->depth[f->id]) return w->depth[f->id];
  struct depth_walk inner = *w;
  inner.deepest = 0;
  w->open[f->id] = true;
  emit_walk_stmts(f->body, visit_depth, &inner);
  w->open[f->id] = false;
  w->recursive |= inner.recursive;
  return w->depth[f->id] = inner.deepest + 1;
}

static bool calls_nest_deeply(const struct emit *e) {
  size_t n = e->m->functions.count;
  struct depth_walk w = {.depth = ARENA_ARRAY(e->arena, uint32_t, n + 1),
                         .open = ARENA_ARRAY(e->arena, bool, n + 1)};
  bool deep = false;
  for (size_t i = 0; i < n; i++) deep |= chain_from(&w, e->m->functions.data[i]) > IR_CALL_DEPTH;
  return deep || w.recursive;
}

static uint64_t frame_bytes(const struct ir_frame *f) { return (f->cells + 32) * sizeof(int64_t); }

uint64_t emit_stack_bytes(const struct emit *e) {
  uint64_t sum = 0, largest = 0, rules = 0;
  for (size_t i = 0; i < e->m->functions.count; i++) {
    uint64_t bytes = frame_bytes(&e->m->functions.data[i]->frame);
    sum += bytes;
    if (bytes > largest) largest = bytes;
  }
  for (size_t i = 0; i < e->m->rules.count; i++) {
    uint64_t bytes = frame_bytes(&e->m->rules.data[i]->frame);
    if (bytes > rules) rules = bytes;
  }
  // arguments and results by value have copies
  return 3 * (rules + (e->depth_used ? largest * IR_CALL_DEPTH : sum));
}

static bool is_cover(const struct ir_stmt *s) { return s->kind == IR_COVER; }

void emit_functions_init(struct emit *e) {
  const struct ir_model *m = e->m;
  find_impure(e);
  e->depth_used = calls_nest_deeply(e);
  for (size_t i = 0; i < m->functions.count; i++)
    e->covers_used |= emit_has_stmt(m->functions.data[i]->body, is_cover);
  for (size_t i = 0; i < m->rules.count; i++)
    e->covers_used |= emit_has_stmt(m->rules.data[i]->body, is_cover);
}

// --- instances ---

static bool same_leaves(const struct emit *e, uint64_t a, uint64_t b, uint64_t count) {
  const struct ir_leaf *leaf = e->m->layout->leaf;
  for (uint64_t i = 0; i < count; i++) {
    const struct ir_leaf *p = &leaf[a + i], *q = &leaf[b + i];
    if (p->width != q->width || p->undef != q->undef || !ir_type_same(p->type, q->type))
      return false;
  }
  return true;
}

static bool same_binding(const struct emit *e, const struct ir_local *l,
                         const struct emit_binding *a, const struct emit_binding *b) {
  if (l->kind != IR_LOCAL_REF) return true;
  if (a->in_state != b->in_state) return false;
  return !a->in_state || a->leaf == b->leaf || same_leaves(e, a->leaf, b->leaf, l->type->leaves);
}

static const struct emit_instance *instance_of(struct emit *e, const struct ir_function *f,
                                               struct emit_binding *bindings) {
  uint32_t number = 0;
  for (size_t i = 0; i < e->instances.count; i++) {
    struct emit_instance *old = e->instances.data[i];
    if (old->func != f) continue;
    bool same = true;
    for (uint32_t k = 0; k < f->param_count; k++)
      same &= same_binding(e, f->frame.locals[k], &old->bindings[k], &bindings[k]);
    if (same) return old;
    number++;
  }
  struct emit_instance *fresh = ARENA_NEW(e->arena, struct emit_instance);
  *fresh = (struct emit_instance){.func = f, .bindings = bindings, .number = number};
  VEC_PUSH(&e->instances, fresh);
  return fresh;
}

// --- calls ---

static const char *argument(struct emit *e, const struct ir_local *l, const struct ir_expr *x,
                            struct emit_binding *b) {
  bool value = l->kind != IR_LOCAL_REF && ir_type_scalar(l->type);
  bool as_is = l->may_undef && ir_expr_lvalue(x);
  if (value && !as_is) return emit_expr(e, x);
  struct emit_place p = emit_place(e, x);
  if (value) return e->ordered ? emit_keep(e, emit_peek(e, &p)) : emit_peek(e, &p);
  if (l->kind == IR_LOCAL_REF) {
    *b = (struct emit_binding){.in_state = p.kind == EMIT_STATE, .leaf = p.leaf};
    return emit_reference(e, &p);
  }
  struct emit_place copy = emit_cells(e, l->type);
  emit_copy(e, &copy, &p);
  return copy.root;
}

void emit_call(struct emit *e, const struct ir_expr *x, const struct emit_place *result) {
  const struct ir_function *f = x->func;
  struct emit_binding *bindings = ARENA_ARRAY(e->arena, struct emit_binding, f->param_count + 1);
  struct text args = {0};
  if (e->depth_used && e->instance)
    emit_fail_if(e, emit_format(e, "depth >= %d", IR_CALL_DEPTH), x->site);
  if (e->depth_used) text_add(&args, e->instance ? ", depth + 1" : ", 1");
  if (e->covers_used) text_add(&args, ", covers");
  for (uint32_t i = 0; i < f->param_count; i++)
    text_printf(&args, ", %s", argument(e, f->frame.locals[i], x->args[i], &bindings[i]));
  if (f->result) text_printf(&args, ", %s%s", result->kind == EMIT_SCALAR ? "&" : "", result->root);
  const struct emit_instance *callee = instance_of(e, f, bindings);
  const char *t = emit_temp(e);
  e->may_fail = true;
  emit_line(e, "const uint32_t %s = f%u_%u((uint64_t *)s%s); // \"%s\"", t, f->id, callee->number,
            text_str(&args), emit_escape(e, f->name));
  emit_line(e, "if (FATHOM_UNLIKELY(%s != 1)) return %s;", t, t);
  text_clear(&args);
}

// --- definitions ---

static void signature(struct emit *e, struct text *out, const struct emit_instance *n) {
  const struct ir_function *f = n->func;
  text_printf(out, "static uint32_t f%u_%u(uint64_t *s", f->id, n->number);
  if (e->depth_used) text_add(out, ", uint32_t depth");
  if (e->covers_used) text_add(out, ", uint64_t *covers");
  for (uint32_t i = 0; i < f->param_count; i++) {
    const struct ir_local *l = f->frame.locals[i];
    const char *type = "int64_t ";
    if (l->kind == IR_LOCAL_REF)
      type = n->bindings[i].in_state ? "uint32_t " : "int64_t *";
    else if (!ir_type_scalar(l->type))
      type = "const int64_t *";
    text_printf(out, ", %sl%u", type, i);
  }
  if (f->result) text_add(out, ", int64_t *result");
  text_char(out, ')');
}

static void definition(struct emit *e, const struct emit_instance *n) {
  const struct ir_function *f = n->func;
  emit_line(e, "// %s \"%s\"", f->result ? "function" : "procedure", emit_escape(e, f->name));
  signature(e, e->out, n);
  text_add(e->out, " {\n");
  e->instance = n;
  e->indent = 1;
  emit_frame(e, &f->frame, NULL, f->body);
  emit_stmts(e, f->body);
  if (f->result)
    emit_line(e, "return fathom_fault(%u);", f->site);
  else
    emit_line(e, "return 1;");
  e->indent = 0;
  e->instance = NULL;
  emit_line(e, "}\n");
}

void emit_functions(struct emit *e, struct text *prototypes, struct text *bodies) {
  struct text *out = e->out;
  e->out = bodies;
  for (size_t i = 0; i < e->instances.count; i++) { // grows as bodies call
    definition(e, e->instances.data[i]);
    signature(e, prototypes, e->instances.data[i]);
    text_add(prototypes, ";\n");
  }
  e->out = out;
}
