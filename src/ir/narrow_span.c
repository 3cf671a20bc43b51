// SPDX-License-Identifier: Apache-2.0
// Values of expressions: an evaluation can come to no others. What cannot be evaluated at all has
// none. Unsigned integers of 64 bits are bit patterns: nothing is said of them.
#include "ir/narrow.h"

static bool is_pattern(const struct ir_type *t) {
  return t->kind == IR_TYPE_INT && !t->is_signed && t->bits == 64;
}

struct ir_span ir_narrow_type(const struct ir_type *t) {
  if (is_pattern(t)) return (struct ir_span){INT64_MIN, INT64_MAX};
  return (struct ir_span){t->lo, t->hi};
}

void ir_narrow_write(struct ir_narrowing *n, uint32_t class, struct ir_span s) {
  uint32_t c = ir_narrow_root(n, class);
  n->next[c] = ir_span_join(n->next[c], ir_span_meet(s, ir_narrow_type(n->type[c])));
}

// --- arithmetic ---

// Values that begin inside, and go on from the least one where they leave.
static struct ir_span cut(struct ir_span all, struct ir_span s) {
  __int128 size = all.hi - all.lo + 1;
  struct ir_span parts[2], cut = IR_SPAN_NONE;
  unsigned n = ir_span_parts(s, parts);
  for (unsigned i = 0; i < n; i++) {
    cut = ir_span_join(cut, ir_span_meet(parts[i], all));
    cut = ir_span_join(cut, ir_span_meet(ir_span_plus(parts[i], -size), all));
  }
  return cut;
}

// A result that wraps round where it does not fit into its type.
static struct ir_span wrapped(const struct ir_type *t, struct ir_span exact) {
  struct ir_span all = ir_narrow_type(t);
  if (exact.lo >= all.lo && exact.hi <= all.hi) return exact;
  __int128 size = all.hi - all.lo + 1, away = exact.lo - all.lo;
  if (t->kind != IR_TYPE_INT || exact.hi - exact.lo >= size) return all;
  __int128 times = away / size - (away % size < 0);
  return cut(all, ir_span_plus(exact, -times * size));
}

// The same, or a fault if the type traps.
static struct ir_span brought(const struct ir_type *t, struct ir_span exact) {
  return t->traps ? ir_span_meet(exact, ir_narrow_type(t)) : wrapped(t, exact);
}

static __int128 magnitude(struct ir_span a) {
  __int128 low = a.lo < 0 ? -a.lo : a.lo, high = a.hi < 0 ? -a.hi : a.hi;
  return low > high ? low : high;
}

static struct ir_span product(struct ir_span a, struct ir_span b) {
  __int128 p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  struct ir_span s = {p[0], p[0]};
  for (int i = 1; i < 4; i++) s = ir_span_hull(s, (struct ir_span){p[i], p[i]});
  return s;
}

// Toward zero: no larger than the dividend.
static struct ir_span quotient(struct ir_span a, struct ir_span b) {
  __int128 most = magnitude(a);
  if (b.lo >= 0) return ir_span_hull((struct ir_span){0, 0}, a);
  return (struct ir_span){-most, most};
}

// The sign of the dividend; smaller than the divisor, no larger than the dividend.
static struct ir_span remainder_of(struct ir_span a, struct ir_span b) {
  __int128 most = magnitude(b) - 1;
  struct ir_span s = {a.lo < 0 ? -most : 0, a.hi > 0 ? most : 0};
  return ir_span_meet(s, ir_span_hull((struct ir_span){0, 0}, a));
}

// All values with no more bits than the largest.
static struct ir_span below_power(__int128 most) {
  __int128 power = 1;
  while (power <= most) power *= 2;
  return (struct ir_span){0, power - 1};
}

// bor and bxor of values that are not negative.
static struct ir_span bits_either(enum ir_op op, struct ir_span a, struct ir_span b) {
  if (a.hi == 0) return b;
  if (b.hi == 0) return a;
  if (a.lo < a.hi || b.lo < b.hi) return below_power(a.hi > b.hi ? a.hi : b.hi);
  __int128 v = op == IR_BITOR ? a.lo | b.lo : a.lo ^ b.lo;
  return (struct ir_span){v, v};
}

static struct ir_span bits(enum ir_op op, const struct ir_type *t, struct ir_span a,
                           struct ir_span b) {
  bool first = a.lo >= 0, second = b.lo >= 0;
  if (op != IR_BITAND) return first && second ? bits_either(op, a, b) : ir_narrow_type(t);
  if (first && second) return (struct ir_span){0, a.hi < b.hi ? a.hi : b.hi};
  if (first || second) return (struct ir_span){0, first ? a.hi : b.hi};
  return ir_narrow_type(t);
}

// A count that is never negative shifts one way; past the width nothing is left.
static struct ir_span shifted(enum ir_op op, const struct ir_type *t, struct ir_span a,
                              struct ir_span b) {
  if (a.lo < 0 || b.lo < 0) return ir_narrow_type(t);
  if (op == IR_SHR) return (struct ir_span){0, a.hi};
  if (b.hi > 62) return ir_narrow_type(t);
  return wrapped(t, (struct ir_span){0, a.hi << (int)b.hi});
}

// Of operands without gaps.
static struct ir_span calculate(const struct ir_expr *e, struct ir_span a, struct ir_span b) {
  const struct ir_type *t = e->type;
  switch (e->op) {
  case IR_NEG: return brought(t, ir_span_from(0, a));
  case IR_BITNOT: return wrapped(t, ir_span_from(-1, a));
  case IR_CAST: return brought(t, a);
  case IR_ADD: return brought(t, (struct ir_span){a.lo + b.lo, a.hi + b.hi});
  case IR_SUB: return brought(t, (struct ir_span){a.lo - b.hi, a.hi - b.lo});
  case IR_MUL: return brought(t, product(a, b));
  case IR_DIV: return brought(t, quotient(a, b));
  case IR_MOD: return brought(t, remainder_of(a, b));
  case IR_SHL:
  case IR_SHR: return shifted(e->op, t, a, b);
  default: return wrapped(t, bits(e->op, t, a, b));
  }
}

static struct ir_span arithmetic(const struct ir_expr *e, struct ir_span a, struct ir_span b) {
  struct ir_span x[2], y[2], s = IR_SPAN_NONE;
  if (a.missing == 0 && b.missing == 0) return calculate(e, a, b);
  unsigned m = ir_span_parts(a, x), n = ir_span_parts(b, y);
  for (unsigned i = 0; i < m; i++)
    for (unsigned k = 0; k < n; k++) s = ir_span_join(s, calculate(e, x[i], y[k]));
  return s;
}

// --- all of them ---

static struct ir_span read_scalar(struct ir_narrowing *n, const struct ir_facts *f,
                                  const struct ir_expr *e) {
  uint32_t class = ir_narrow_class(n, e);
  uint64_t key;
  if (class == IR_NARROW_NOWHERE) return ir_narrow_type(e->type);
  struct ir_span s = n->now[ir_narrow_root(n, class)];
  if (!ir_narrow_key(e, &key)) return s;
  for (size_t i = 0; i < f->list.count; i++)
    if (f->list.data[i].key == key) return ir_span_meet(s, f->list.data[i].span);
  return s;
}

// What an lvalue reads on the way to where it is.
static void eval_indices(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e) {
  for (; e->op == IR_INDEX || e->op == IR_FIELD; e = e->args[0])
    if (e->op == IR_INDEX) ir_narrow_eval(n, f, e->args[1]);
  if (!ir_expr_lvalue(e)) ir_narrow_eval(n, f, e);
}

static struct ir_span call(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e) {
  const struct ir_function *to = e->func;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const struct ir_local *l = to->frame.locals[i];
    struct ir_span s = ir_narrow_eval(n, f, e->args[i]);
    if (l->kind == IR_LOCAL_VALUE && ir_type_scalar(l->type))
      ir_narrow_write(n, n->local_first[to->id][i], s);
  }
  if (n->impure[to->id]) f->list.count = 0;
  if (!to->result || !ir_type_scalar(to->result)) return IR_SPAN_NONE;
  return n->now[ir_narrow_root(n, n->result[to->id])];
}

static struct ir_span eval_domain(struct ir_narrowing *n, struct ir_facts *f,
                                  const struct ir_domain *d) {
  if (d->type) return ir_narrow_type(d->type);
  struct ir_span lo = ir_narrow_eval(n, f, d->lo), hi = ir_narrow_eval(n, f, d->hi);
  if (d->step) ir_narrow_eval(n, f, d->step);
  if (is_pattern(d->lo->type) || is_pattern(d->hi->type))
    return (struct ir_span){INT64_MIN, INT64_MAX};
  return ir_span_hull(lo, hi);
}

void ir_narrow_bind(struct ir_narrowing *n, struct ir_facts *f, const struct ir_local *l,
                    const struct ir_domain *d) {
  uint32_t c = ir_narrow_root(n, n->local_first[n->owner][l->id]);
  n->next[c] = ir_span_join(n->next[c], eval_domain(n, f, d)); // not checked against its type
}

static bool any_pattern(const struct ir_expr *e) {
  if (is_pattern(e->type)) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (is_pattern(e->args[i]->type)) return true;
  return false;
}

static struct ir_span truth(bool always, bool never) { return (struct ir_span){always, !never}; }

// What is known of a comparison.
static struct ir_span compared(enum ir_op op, struct ir_span a, struct ir_span b) {
  if (ir_span_none(a) || ir_span_none(b)) return truth(false, false);
  bool apart = ir_span_none(ir_span_meet(a, b)), one = a.lo == b.hi && a.hi == b.lo;
  switch (op) {
  case IR_EQ: return truth(one, apart);
  case IR_NE: return truth(apart, one);
  case IR_LT: return truth(a.hi < b.lo, a.lo >= b.hi);
  case IR_LE: return truth(a.hi <= b.lo, a.lo > b.hi);
  case IR_GT: return truth(a.lo > b.hi, a.hi <= b.lo);
  default: assert(op == IR_GE); return truth(a.lo >= b.hi, a.hi < b.lo);
  }
}

static struct ir_span condition(struct ir_narrowing *n, struct ir_facts *f,
                                const struct ir_expr *e) {
  struct ir_span s[3];
  for (uint32_t i = 0; i < e->arg_count; i++) s[i] = ir_narrow_eval(n, f, e->args[i]);
  if (e->op < IR_EQ || e->op > IR_GE || any_pattern(e)) return truth(false, false);
  return ir_type_scalar(e->args[0]->type) ? compared(e->op, s[0], s[1]) : truth(false, false);
}

static struct ir_span operation(struct ir_narrowing *n, struct ir_facts *f,
                                const struct ir_expr *e) {
  struct ir_span s[3];
  bool none = false;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    s[i] = ir_narrow_eval(n, f, e->args[i]);
    none = none || (i < 2 && ir_span_none(s[i]));
  }
  if (e->op == IR_ITE && s[0].lo == s[0].hi) return s[s[0].lo ? 1 : 2];
  if (e->op == IR_ITE) return ir_span_join(s[1], s[2]);
  if (none) return IR_SPAN_NONE;
  if (any_pattern(e)) return ir_narrow_type(e->type);
  return arithmetic(e, s[0], e->arg_count > 1 ? s[1] : (struct ir_span){0, 0});
}

struct ir_span ir_narrow_eval(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e) {
  switch (e->op) {
  case IR_CONST: return (struct ir_span){e->value, e->value};
  case IR_VAR:
  case IR_LOCAL:
  case IR_INDEX:
  case IR_FIELD:
    eval_indices(n, f, e);
    return ir_type_scalar(e->type) ? read_scalar(n, f, e) : IR_SPAN_NONE;
  case IR_CALL: return call(n, f, e);
  case IR_ISUNDEF: eval_indices(n, f, e->args[0]); return (struct ir_span){0, 1};
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT:
    ir_narrow_bind(n, f, e->local, e->domain);
    ir_narrow_eval(n, f, e->args[0]);
    return ir_narrow_type(e->type);
  case IR_ITE: return operation(n, f, e);
  default: break;
  }
  return e->type->kind == IR_TYPE_BOOL ? condition(n, f, e) : operation(n, f, e);
}
