// SPDX-License-Identifier: Apache-2.0
// The judgement on a loop: two rounds commute if neither reads what the other writes, and what both
// write comes out the same either way. Then no order of the rounds gives another outcome, since
// neighbours can be exchanged one after the other.
#include "reduce/order.h"

#include "reduce/plan.h"

// --- doubts ---

static bool concerns(const struct order *w, const struct ir_type *set, const struct ir_type *over) {
  bool *only = mem_zalloc(w->m->types.count + 1, sizeof *only);
  const struct ir_type *slots = w->slots[over->id];
  only[set->id] = true;
  bool found = symmetry_depends(only, slots ? slots->elem : over);
  mem_free(only);
  return found;
}

// The scalarsets that `over` has to do with are out.
void order_doubt(struct order *w, const struct ir_type *over, struct span span, const char *what,
                 const struct order_access *at) {
  const char *between = w->why->count ? "; scalarset " : "scalarset ";
  bool any = false;
  for (size_t i = 0; i < w->m->types.count; i++) {
    const struct ir_type *t = w->m->types.data[i];
    if (!w->sets[i] || !concerns(w, t, over)) continue;
    w->sets[i] = false;
    any = true;
    text_printf(w->why, "%s%s", between, t->name ? t->name : "without a name");
    between = ", ";
  }
  if (!any) return;
  text_add(w->why, ": ");
  if (span.source) text_printf(w->why, "%s:%u: ", span.source->path, span.line);
  text_add(w->why, what);
  if (!at) return;
  text_printf(w->why, " (%s", at->at.var ? at->at.var->name : at->at.local->name);
  if (at->span.source && at->span.line != span.line)
    text_printf(w->why, ", line %u", at->span.line);
  text_add(w->why, ")");
}

// --- is a local still needed? ---

enum first { FIRST_NONE, FIRST_READ, FIRST_SET };

static bool expr_names(const struct ir_expr *e, const struct ir_local *l);

static bool domain_names(const struct ir_domain *d, const struct ir_local *l) {
  return d && !d->type && (expr_names(d->lo, l) || expr_names(d->hi, l) || expr_names(d->step, l));
}

static bool expr_names(const struct ir_expr *e, const struct ir_local *l) {
  if (!e) return false;
  if (e->op == IR_LOCAL && e->local == l) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (expr_names(e->args[i], l)) return true;
  return domain_names(e->domain, l);
}

// What the statement's own expressions do.
static enum first first_here(const struct ir_stmt *s, const struct ir_local *l) {
  if (expr_names(s->expr, l) || domain_names(s->domain, l)) return FIRST_READ;
  for (uint32_t i = 0; i < s->part_count; i++)
    if (expr_names(s->parts[i].expr, l)) return FIRST_READ;
  for (const struct ir_case *c = s->cases; c; c = c->next)
    for (uint32_t i = 0; i < c->value_count; i++)
      if (expr_names(c->values[i], l)) return FIRST_READ;
  const struct ir_expr *e = s->lhs;
  if (e && e->op == IR_LOCAL && e->local == l && s->kind != IR_SORT && s->kind != IR_FOREIGN)
    return FIRST_SET;
  return expr_names(e, l) ? FIRST_READ : FIRST_NONE;
}

bool order_names(const struct ir_stmt *s, const struct ir_local *l) {
  for (; s; s = s->next) {
    if (first_here(s, l) != FIRST_NONE || order_names(s->body, l) || order_names(s->other, l))
      return true;
    for (const struct ir_case *c = s->cases; c; c = c->next)
      if (order_names(c->body, l)) return true;
  }
  return false;
}

static enum first either(enum first a, enum first b) {
  if (a == FIRST_READ || b == FIRST_READ) return FIRST_READ;
  return a == b ? a : FIRST_NONE;
}

// What happens to the local first, in every run of the statements: FIRST_SET; in some: FIRST_READ.
static enum first first_of(const struct ir_stmt *s, const struct ir_local *l) {
  for (; s; s = s->next) {
    enum first f = first_here(s, l);
    if (f != FIRST_NONE) return f;
    if (s->kind == IR_RETURN) return FIRST_SET;
    f = either(first_of(s->body, l), s->kind == IR_IF ? first_of(s->other, l) : FIRST_NONE);
    for (const struct ir_case *c = s->cases; c; c = c->next) f = either(f, first_of(c->body, l));
    if (f == FIRST_READ || (f == FIRST_SET && s->kind == IR_IF)) return f;
  }
  return FIRST_NONE;
}

// May the local's value be read after the loop that is being looked at?
static bool is_live(const struct order *w, const struct order_place *p) {
  if (p->var || p->cell < w->call->base) return true;
  for (const struct order_rest *r = w->call->rest; r; r = r->outer) {
    if (r->loop &&
        (expr_names(r->loop->expr, p->local) || first_of(r->loop->body, p->local) == FIRST_READ))
      return true;
    enum first f = first_of(r->next, p->local);
    if (f != FIRST_NONE) return f == FIRST_READ;
  }
  return false;
}

// --- two accesses in different rounds ---

static bool may_meet(const struct order_place *a, const struct order_place *b, uint32_t round) {
  if (a->var != b->var || (!a->var && a->cell != b->cell)) return false;
  for (uint32_t i = 0; i < a->length && i < b->length; i++) {
    const struct order_value *x = &a->way[i].index, *y = &b->way[i].index;
    if (!a->way[i].is_index && a->way[i].field != b->way[i].field) return false;
    if (!a->way[i].is_index || x->kind != y->kind) continue;
    if (x->kind == ORDER_ROUND && x->round == round && y->round == round) return false;
    if (x->kind == ORDER_NUMBER && x->number != y->number) return false;
  }
  return true;
}

// The loops, as bits, whose variables are among the indices: two accesses that meet have the same.
static uint32_t pinned(const struct order_place *p) {
  uint32_t loops = 0;
  for (uint32_t i = 0; i < p->length; i++)
    if (p->way[i].is_index && p->way[i].index.kind == ORDER_ROUND)
      loops |= UINT32_C(1) << p->way[i].index.round;
  return loops;
}

// Is the same value set in all rounds, whatever the loops inside it are at?
static bool same_in_rounds(const struct order_access *a, uint32_t round) {
  if (a->value.varies >> round & 1) return false;
  return (a->value.varies & ~pinned(&a->at)) >> round == 0;
}

static bool may_exchange(const struct order_access *a, const struct order_access *b,
                         uint32_t round) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case ORDER_READ:
  case ORDER_FILL: return true;
  case ORDER_SET:
    if (a == b) return same_in_rounds(a, round);
    return a->value.kind == ORDER_NUMBER && order_same_value(&a->value, &b->value);
  case ORDER_ADD: return a->sign == b->sign;
  case ORDER_BITS: return a->op == b->op;
  case ORDER_WRITE: return false;
  }
  return false;
}

// Whether an addition leaves the type, or there is room in a multiset, depends on what was there.
static bool looks(const struct order_access *a) {
  return a->kind != ORDER_SET && a->kind != ORDER_WRITE;
}

static bool clash(const struct order *w, const struct order_access *a, const struct order_access *b,
                  uint32_t round) {
  return !may_exchange(a, b, round) && may_meet(&a->at, &b->at, round) &&
         (looks(a) || looks(b) || is_live(w, &a->at));
}

static const struct order_access *find_clash(struct order *w, const struct order_round *r,
                                             uint32_t round) {
  for (size_t i = 0; i < r->accesses.count; i++)
    for (size_t k = 0; k <= i; k++) {
      const struct order_access *a = &r->accesses.data[i], *b = &r->accesses.data[k];
      if (clash(w, a, b, round)) return a->kind == ORDER_READ ? b : a;
    }
  w->work += r->accesses.count * r->accesses.count / 16;
  return NULL;
}

static const struct order_access *find_write(const struct order *w, const struct order_round *r) {
  for (size_t i = 0; i < r->accesses.count; i++) {
    const struct order_access *a = &r->accesses.data[i];
    if (a->kind != ORDER_READ && is_live(w, &a->at)) return a;
  }
  return NULL;
}

// --- loops and quantifiers ---

static const char outcome[] = "the outcome of this loop may depend on the order of its rounds";
static const char returned[] = "what this loop returns may depend on the order of its rounds";
static const char fails[] = "whether this fails may depend on the order of the elements";
static const char reached[] = "what this assumes or covers may depend on the order of the elements";

static bool may_fail(const struct order *w, const struct order_round *r) {
  return w->met.faults > r->before.faults;
}
static bool may_vanish(const struct order *w, const struct order_round *r) {
  return w->met.assumes > r->before.assumes;
}
static bool may_cover(const struct order *w, const struct order_round *r) {
  return w->met.covers > r->before.covers;
}

void order_judge(struct order *w, struct order_round *r, uint32_t round) {
  const struct order_access *a = find_clash(w, r, round);
  if (a)
    order_doubt(w, r->over, r->span, outcome, a);
  else if (r->returns && r->returns_differ)
    order_doubt(w, r->over, r->span, returned, NULL);
  else if (r->returns && (a = find_write(w, r)))
    order_doubt(w, r->over, r->span, outcome, a);
  else if ((r->returns || may_vanish(w, r)) && may_fail(w, r))
    order_doubt(w, r->over, r->span, fails, NULL);
  else if (r->returns && (may_vanish(w, r) || may_cover(w, r)))
    order_doubt(w, r->over, r->span, reached, NULL);
  VEC_CLEAR(&r->accesses);
}

void order_judge_quantifier(struct order *w, struct order_round *r, bool stops, bool alike) {
  const struct order_access *a = NULL;
  for (size_t i = 0; i < r->accesses.count && !a; i++)
    if (r->accesses.data[i].kind != ORDER_READ) a = &r->accesses.data[i];
  if (a)
    order_doubt(w, r->over, r->span, "what this changes may depend on the order of the elements",
                a);
  else if (((stops && !alike) || may_vanish(w, r)) && may_fail(w, r))
    order_doubt(w, r->over, r->span, fails, NULL);
  else if (stops && (may_vanish(w, r) || may_cover(w, r)))
    order_doubt(w, r->over, r->span, reached, NULL);
  VEC_CLEAR(&r->accesses);
}
