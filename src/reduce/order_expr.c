// SPDX-License-Identifier: Apache-2.0
// Expressions: what they read, what is known of their value, and whether their evaluation can fail.
// A quantifier stops at the first value that decides. If one value decides and another fails, it
// depends on the order what comes out; so where that makes a difference, nothing may fail.
#include "reduce/order.h"

// --- facts: places known to be defined ---

// From what holds (or does not); when it was evaluated, there were so many writes.
static void learn(struct order *w, const struct ir_expr *e, bool holds, uint64_t writes) {
  switch (e->op) {
  case IR_NOT: learn(w, e->args[0], !holds, writes); break;
  case IR_AND:
  case IR_OR:
    if (holds != (e->op == IR_AND)) break;
    learn(w, e->args[0], holds, writes);
    learn(w, e->args[1], holds, writes);
    break;
  case IR_ISUNDEF:
    if (holds) break;
    struct order_fact *f = ARENA_NEW(w->arena, struct order_fact);
    *f = (struct order_fact){.place = e->args[0], .writes = writes, .next = w->facts};
    w->facts = f;
    break;
  default: break;
  }
}

static bool known_defined(const struct order *w, const struct ir_expr *e) {
  for (const struct order_fact *f = w->facts; f; f = f->next)
    if (f->writes == w->writes && order_same_place(f->place, e)) return true;
  return false;
}

// --- places ---

static struct order_value eval_place(struct order *w, const struct ir_expr *e) {
  struct order_place p = order_place(w, e);
  if (ir_type_scalar(e->type) && !order_defined(w, &p, e->type) && !known_defined(w, e))
    order_fails(w);
  return order_read(w, &p, e);
}

// A part of what a call or a conditional gives.
static struct order_value eval_part(struct order *w, const struct ir_expr *e) {
  struct order_value base = order_eval(w, e->args[0], ORDER_BOTH);
  if (e->op == IR_INDEX) {
    struct order_value i = order_eval(w, e->args[1], ORDER_BOTH);
    if (!order_within(&i, e->args[1]->type, e->args[0]->type->index)) order_fails(w);
    base.varies |= i.varies;
  }
  if (ir_type_scalar(e->type)) order_fails(w);
  return order_any(e->type, base.varies);
}

static struct order_value eval_isundef(struct order *w, const struct ir_expr *e) {
  struct order_place p = order_place(w, e->args[0]);
  struct order_value v = order_read(w, &p, e->args[0]);
  return order_any(e->type, v.varies);
}

// --- operators ---

static enum order_context negated(enum order_context c) {
  return c == ORDER_BOTH ? c : c == ORDER_TRUE ? ORDER_FALSE : ORDER_TRUE;
}

// a & b is true when both are; false is a matter of which one says so first. -> is !a | b.
static struct order_value eval_logic(struct order *w, const struct ir_expr *e,
                                     enum order_context c) {
  bool conjunction = e->op == IR_AND;
  bool alike = c == (conjunction ? ORDER_TRUE : ORDER_FALSE);
  enum order_context left = alike ? c : ORDER_BOTH;
  uint64_t writes = w->writes;
  if (e->op == IR_IMPLIES) left = negated(left);
  struct order_value a = order_eval(w, e->args[0], left);
  const struct order_fact *before = w->facts;
  learn(w, e->args[0], e->op != IR_OR, writes);
  struct order_value b = order_eval(w, e->args[1], c);
  w->facts = before;
  return order_any(e->type, a.varies | b.varies);
}

static struct order_value eval_ite(struct order *w, const struct ir_expr *e, enum order_context c) {
  uint64_t writes = w->writes;
  struct order_value condition = order_eval(w, e->args[0], ORDER_BOTH);
  const struct order_fact *before = w->facts;
  learn(w, e->args[0], true, writes);
  struct order_value a = order_eval(w, e->args[1], c);
  w->facts = before;
  learn(w, e->args[0], false, writes);
  struct order_value b = order_eval(w, e->args[2], c);
  w->facts = before;
  struct order_value v = order_any(e->type, condition.varies | a.varies | b.varies);
  v.lo = a.lo < b.lo ? a.lo : b.lo;
  v.hi = a.hi > b.hi ? a.hi : b.hi;
  return v;
}

static __int128 least(const __int128 *x, int n) {
  __int128 r = x[0];
  for (int i = 1; i < n; i++) r = x[i] < r ? x[i] : r;
  return r;
}
static __int128 most(const __int128 *x, int n) {
  __int128 r = x[0];
  for (int i = 1; i < n; i++) r = x[i] > r ? x[i] : r;
  return r;
}

static void multiply(struct order_value *v, const struct order_value *a,
                     const struct order_value *b) {
  __int128 corner[4];
  bool huge = __builtin_mul_overflow(a->lo, b->lo, &corner[0]);
  huge |= __builtin_mul_overflow(a->lo, b->hi, &corner[1]);
  huge |= __builtin_mul_overflow(a->hi, b->lo, &corner[2]);
  huge |= __builtin_mul_overflow(a->hi, b->hi, &corner[3]);
  v->lo = huge ? (__int128)INT64_MIN * 4 : least(corner, 4);
  v->hi = huge ? (__int128)INT64_MAX * 4 : most(corner, 4);
}

// Leaves the bounds of the type if nothing better is known.
static void bound_result(struct order_value *v, const struct ir_expr *e,
                         const struct order_value *a, const struct order_value *b) {
  switch (e->op) {
  case IR_NEG: v->lo = -a->hi, v->hi = -a->lo; break;
  case IR_CAST: v->lo = a->lo, v->hi = a->hi; break;
  case IR_ADD: v->lo = a->lo + b->lo, v->hi = a->hi + b->hi; break;
  case IR_SUB: v->lo = a->lo - b->hi, v->hi = a->hi - b->lo; break;
  case IR_MUL: multiply(v, a, b); break;
  case IR_DIV:
    if (b->kind == ORDER_NUMBER && b->number > 0)
      v->lo = a->lo / b->number, v->hi = a->hi / b->number;
    break;
  case IR_MOD:
    if (a->lo < 0 || b->kind != ORDER_NUMBER || b->number <= 0) break;
    v->lo = 0, v->hi = b->number - 1;
    break;
  default: break;
  }
}

static struct order_value eval_arithmetic(struct order *w, const struct ir_expr *e) {
  struct order_value a = order_eval(w, e->args[0], ORDER_BOTH), b = a;
  if (e->arg_count > 1) b = order_eval(w, e->args[1], ORDER_BOTH);
  struct order_value v = order_any(e->type, a.varies | b.varies), type = v;
  bound_result(&v, e, &a, &b);
  bool divides = e->op == IR_DIV || e->op == IR_MOD;
  if (divides && (b.kind != ORDER_NUMBER || b.number == 0 || b.number == -1)) order_fails(w);
  if (order_within(&v, e->type, e->type)) return v;
  if (e->type->traps) order_fails(w);
  return type;
}

static struct order_value eval_comparison(struct order *w, const struct ir_expr *e) {
  struct order_value a = order_eval(w, e->args[0], ORDER_BOTH);
  struct order_value b = order_eval(w, e->args[1], ORDER_BOTH);
  if (order_has_slots(w, e->args[0]->type))
    order_doubt(w, e->args[0]->type, e->span, "multisets are compared slot by slot", NULL);
  return order_any(e->type, a.varies | b.varies);
}

// --- quantifiers ---

struct order_value order_bound(struct order *w, const struct ir_domain *d,
                               const struct ir_local *l) {
  if (d->type) return order_any(d->type, 0);
  struct order_value lo = order_eval(w, d->lo, ORDER_BOTH), hi = order_eval(w, d->hi, ORDER_BOTH);
  struct order_value v = order_any(l->type, lo.varies | hi.varies);
  v.lo = lo.lo < hi.lo ? lo.lo : hi.lo;
  v.hi = lo.hi > hi.hi ? lo.hi : hi.hi;
  if (!d->step) return v;
  order_fails(w); // it may lead the wrong way
  v.varies |= order_eval(w, d->step, ORDER_BOTH).varies;
  return v;
}

// A value of the domain after the other, in order. What comes out does not depend on which one it
// is at, but what is changed on the way may.
static struct order_value eval_ordered(struct order *w, const struct ir_expr *e,
                                       struct order_value v, enum order_context c) {
  uint32_t bounds = v.varies;
  struct order_cell *cell = &w->cells.data[w->call->base + e->local->cell];
  order_forget_expr(w, e->args[0]);
  v.varies |= ORDER_STEP;
  *cell = (struct order_cell){.value = v, .defined = true};
  w->ordered++;
  uint64_t writes = w->writes;
  uint32_t varies = bounds | order_eval(w, e->args[0], c).varies;
  if (w->writes > writes) order_fails(w); // the facts that it began with may be gone by now
  if (--w->ordered == 0) varies &= ~ORDER_STEP;
  return order_any(e->type, varies);
}

static struct order_value eval_quantifier(struct order *w, const struct ir_expr *e,
                                          enum order_context c) {
  bool stops = e->op != IR_COUNT, alike = c == (e->op == IR_FORALL ? ORDER_TRUE : ORDER_FALSE);
  enum order_context inner = stops && alike ? c : ORDER_BOTH;
  struct order_value v = order_bound(w, e->domain, e->local);
  if (!order_unordered(w, e->domain)) return eval_ordered(w, e, v, inner);
  if (!order_enter_round(w, e->domain->type, e->span)) return v;
  order_forget_expr(w, e->args[0]);
  order_make_round(w, &v);
  struct order_cell *cell = &w->cells.data[w->call->base + e->local->cell];
  *cell = (struct order_cell){.value = v, .defined = true};
  struct order_value body = order_eval(w, e->args[0], inner);
  order_judge_quantifier(w, order_leave_round(w), stops, alike);
  return order_any(e->type, body.varies & ~v.varies);
}

// --- calls ---

static void pass_value(struct order *w, struct order_call *call, const struct ir_local *l,
                       const struct ir_expr *arg) {
  struct order_place to = {
      .local = l, .cell = call->base + l->cell, .exact = true, .leaves = l->type->leaves};
  struct order_place from;
  bool lvalue = ir_expr_lvalue(arg), raw = l->may_undef && lvalue, defined = true;
  struct order_value v;
  if (lvalue && (raw || !ir_type_scalar(l->type))) {
    from = order_place(w, arg);
    v = order_read(w, &from, arg);
    defined = order_defined(w, &from, arg->type);
  } else {
    v = order_eval(w, arg, ORDER_BOTH);
  }
  if (ir_type_scalar(l->type) && !order_within(&v, arg->type, l->type)) order_fails(w);
  order_store(w, &to, &v, defined && ir_type_scalar(l->type));
  if (lvalue && !ir_type_scalar(l->type)) order_copy(w, &to, &from);
}

static void make_cells(struct order *w, struct order_call *call) {
  call->base = w->cells.count;
  call->refs = ARENA_ARRAY(w->arena, struct order_place, call->frame->count);
  struct order_cell fresh = {.value = order_any(w->m->int_type, 0)};
  for (uint32_t i = 0; i < call->frame->cells; i++) VEC_PUSH(&w->cells, fresh);
  w->work += call->frame->cells;
}

static bool returns_always(const struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == IR_RETURN) return true;
    if (s->kind == IR_IF && returns_always(s->body) && returns_always(s->other)) return true;
    bool all = s->kind == IR_SWITCH, otherwise = false;
    for (const struct ir_case *c = s->cases; c; c = c->next) {
      all = all && returns_always(c->body);
      otherwise |= c->value_count == 0;
    }
    if (all && otherwise) return true;
  }
  return false;
}

static struct order_value eval_call(struct order *w, const struct ir_expr *e) {
  const struct ir_function *f = e->func;
  struct order_call call = {.caller = w->call, .frame = &f->frame, .rounds = w->round_count};
  uint32_t depth = 0;
  for (const struct order_call *c = w->call; c; c = c->caller) depth++;
  if (depth >= ORDER_CALLS_MAX) w->too_large = true;
  if (w->too_large) return order_any(w->m->int_type, ORDER_ALL);
  make_cells(w, &call);
  for (uint32_t i = 0; i < f->param_count; i++) {
    const struct ir_local *l = f->frame.locals[i];
    if (l->kind == IR_LOCAL_REF)
      call.refs[i] = order_place(w, e->args[i]);
    else
      pass_value(w, &call, l, e->args[i]);
  }
  w->call = &call;
  order_stmts(w, f->body);
  w->call = (struct order_call *)call.caller;
  w->cells.count = call.base;
  if (f->result && !returns_always(f->body)) order_fails(w);
  return call.returned ? call.result : order_any(f->result ? f->result : w->m->int_type, ORDER_ALL);
}

// --- the whole ---

static struct order_value eval_const(const struct ir_expr *e) {
  struct order_value v = order_number(e->value);
  bool wide = e->type->kind == IR_TYPE_INT && !e->type->is_signed;
  if (wide) v.lo = v.hi = (uint64_t)e->value;
  return v;
}

struct order_value order_eval(struct order *w, const struct ir_expr *e, enum order_context c) {
  w->work++;
  switch (e->op) {
  case IR_CONST: return eval_const(e);
  case IR_VAR:
  case IR_LOCAL: return eval_place(w, e);
  case IR_INDEX:
  case IR_FIELD: return ir_expr_lvalue(e) ? eval_place(w, e) : eval_part(w, e);
  case IR_NOT: return order_any(e->type, order_eval(w, e->args[0], negated(c)).varies);
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES: return eval_logic(w, e, c);
  case IR_EQ ... IR_GE: return eval_comparison(w, e);
  case IR_ITE: return eval_ite(w, e, c);
  case IR_CALL: return eval_call(w, e);
  case IR_ISUNDEF: return eval_isundef(w, e);
  case IR_ISMEMBER: return order_any(e->type, order_eval(w, e->args[0], ORDER_BOTH).varies);
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return eval_quantifier(w, e, c);
  default: return eval_arithmetic(w, e);
  }
}

// --- assignments ---

// x + e, e + x, x - e, and the like for bits and logic: the operand that is not x; NULL: neither
// is, or the operator's uses do not commute.
static const struct ir_expr *other_operand(const struct ir_expr *x, const struct ir_expr *e) {
  switch (e->op) {
  case IR_SUB: return order_same_place(e->args[0], x) ? e->args[1] : NULL;
  case IR_ADD:
  case IR_AND:
  case IR_OR:
  case IR_BITAND:
  case IR_BITOR:
  case IR_BITXOR:
    if (order_same_place(e->args[0], x)) return e->args[1];
    return order_same_place(e->args[1], x) ? e->args[0] : NULL;
  default: return NULL;
  }
}

// Sums that only grow, or only shrink, leave the type in every order or in none.
static int sign_of(const struct order_value *v, bool subtracted) {
  if (v->lo >= 0) return subtracted ? -1 : 1;
  if (v->hi <= 0) return subtracted ? 1 : -1;
  return 0;
}

// May it be put together with x in every order? Not if only some orders leave x's type.
static bool commutes(const struct ir_stmt *s, const struct order_value *v, int *sign) {
  const struct ir_expr *e = s->expr;
  bool whole = ir_type_same(s->lhs->type, e->type); // nothing to leave, but by overflow
  switch (e->op) {
  case IR_AND:
  case IR_OR: return true;
  case IR_BITXOR: return whole;
  case IR_BITAND:
  case IR_BITOR: return whole || (v->lo >= 0 && s->lhs->type->lo >= 0);
  default:
    if (whole && !e->type->traps) return true;
    *sign = sign_of(v, e->op == IR_SUB);
    return *sign != 0 && e->type->traps;
  }
}

// Can evaluating it be seen, but for its value?
static bool has_effects(const struct order *w, const struct order_met *before, uint64_t writes) {
  return w->met.faults > before->faults || w->met.assumes > before->assumes ||
         w->met.covers > before->covers || w->writes > writes;
}

// The right operand of & and | is skipped where the left one decides: in some orders only, so
// skipping must make no difference.
static bool accumulate(struct order *w, const struct ir_stmt *s) {
  const struct ir_expr *e = s->expr, *operand = other_operand(s->lhs, e);
  if (!operand || w->round_count == 0) return false;
  struct order_access a = {.kind = ORDER_BITS, .op = e->op, .span = s->span};
  bool sum = e->op == IR_ADD || e->op == IR_SUB, logic = e->op == IR_AND || e->op == IR_OR;
  struct order_met before = w->met;
  uint64_t writes = w->writes;
  struct order_value v = order_eval(w, operand, ORDER_BOTH);
  bool changes = w->writes > writes, effects = has_effects(w, &before, writes);
  if (sum) a.kind = ORDER_ADD;
  a.at = order_place(w, s->lhs);
  bool defined = order_defined(w, &a.at, s->lhs->type);
  bool skips = logic && (operand == e->args[1] ? effects : !defined);
  if (!logic || !defined) order_fails(w); // x is undefined, or leaves its type
  if (!commutes(s, &v, &a.sign) || changes || skips) {
    order_read(w, &a.at, s->lhs);
    a.kind = ORDER_WRITE;
  }
  order_note(w, a);
  order_blur(w, &a.at);
  return true;
}

void order_assign(struct order *w, const struct ir_stmt *s) {
  if (accumulate(w, s)) return;
  struct order_access a = {.kind = ORDER_SET, .span = s->span};
  a.value = order_eval(w, s->expr, ORDER_BOTH);
  a.at = order_place(w, s->lhs);
  if (!order_within(&a.value, s->expr->type, s->lhs->type)) order_fails(w);
  order_note(w, a);
  order_store(w, &a.at, &a.value, true);
}
