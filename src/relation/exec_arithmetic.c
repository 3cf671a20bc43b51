// SPDX-License-Identifier: Apache-2.0
// Symbolic execution of arithmetic: what settles into a machine integer wraps or traps as its type
// says, a trap being a fault where intervals do not exclude it. Unsigned 64-bit integers are bit
// patterns; where that would make a difference that no term tells the model is refused.
#include "relation/exec.h"

static bool is_u64(const struct ir_type *t) {
  return t->kind == IR_TYPE_INT && t->bits == 64 && !t->is_signed;
}

// May its value, read as a signed number, be another one?
static bool is_huge(const struct ir_type *t, const struct term *a) {
  return is_u64(t) && a->lo < 0;
}

static const struct term *number(struct exec *e, int64_t v) { return term_const(e->terms, v); }

static const struct term *is(struct exec *e, const struct term *a, int64_t v) {
  return term_binary(e->terms, TERM_EQ, a, number(e, v));
}

static const struct term *wrap(struct exec *e, const struct ir_type *t, const struct term *a) {
  return term_wrap(e->terms, a, t->bits, t->is_signed);
}

static const struct term *between(struct exec *e, const struct term *v, int64_t lo, int64_t hi) {
  const struct term *low = term_binary(e->terms, TERM_LT, v, number(e, lo));
  const struct term *high = term_binary(e->terms, TERM_LT, number(e, hi), v);
  return term_and(e->terms, term_not(e->terms, low), term_not(e->terms, high));
}

// --- membership ---

// Does it surely belong to the union? Looks at a few ways it may come about.
static bool belongs(const struct ir_type *t, const struct term *v, int *left) {
  if (--*left < 0) return false;
  if (v->op == TERM_CONST) return ir_type_has(t, v->value);
  if (v->type == t || (v->type && ir_type_same(v->type, t))) return true;
  for (uint32_t i = 0; i < t->part_count; i++)
    if (v->lo >= t->parts[i]->lo && v->hi <= t->parts[i]->hi) return true;
  if (v->op == TERM_ITE) return belongs(t, v->arg[1], left) && belongs(t, v->arg[2], left);
  if (!v->type || v->type->kind != IR_TYPE_UNION) return false;
  for (uint32_t i = 0; i < v->type->part_count; i++)
    for (int64_t k = v->type->parts[i]->lo; k <= v->type->parts[i]->hi; k++)
      if (--*left < 0 || !ir_type_has(t, k)) return false;
  return true;
}

static const struct term *in_union(struct exec *e, const struct ir_type *t, const struct term *v) {
  int left = 1000;
  if (belongs(t, v, &left)) return e->yes;
  const struct term *r = e->no;
  for (uint32_t i = 0; i < t->part_count; i++)
    r = term_or(e->terms, r, exec_has(e, t->parts[i], v));
  return r;
}

const struct term *exec_has(struct exec *e, const struct ir_type *t, const struct term *v) {
  if (t->kind == IR_TYPE_UNION) return in_union(e, t, v);
  if (t->kind == IR_TYPE_INT && t->bits == 64) return e->yes;
  return between(e, v, t->lo, t->hi);
}

// --- settling ---

// Does v, a number or (huge) an unsigned pattern, fit into the machine integer t?
static const struct term *fits(struct exec *e, const struct ir_type *t, const struct term *v,
                               bool huge) {
  if (is_u64(t)) return huge ? e->yes : between(e, v, 0, INT64_MAX);
  return between(e, v, huge && t->lo < 0 ? 0 : t->lo, t->hi);
}

static const struct term *settle(struct exec *e, const struct ir_expr *x, const struct term *v,
                                 bool huge) {
  if (x->type->traps) exec_fault(e, term_not(e->terms, fits(e, x->type, v, huge)), x->site);
  return wrap(e, x->type, v);
}

static bool is_exact(enum term_op op, const struct term *a, const struct term *b) {
  __int128 lo, hi;
  if (op == TERM_ADD) {
    lo = (__int128)a->lo + b->lo;
    hi = (__int128)a->hi + b->hi;
  } else if (op == TERM_SUB) {
    lo = (__int128)a->lo - b->hi;
    hi = (__int128)a->hi - b->lo;
  } else {
    __int128 p = a->lo < 0 ? -(__int128)a->lo : a->lo, q = b->lo < 0 ? -(__int128)b->lo : b->lo;
    if (p < a->hi) p = a->hi;
    if (q < b->hi) q = b->hi;
    lo = -p * q;
    hi = p * q;
  }
  return lo >= INT64_MIN && hi <= INT64_MAX;
}

static _Noreturn void refuse(struct exec *e, const char *what) {
  exec_refuse(e, "%s that may leave 64 bits", what);
}

static bool differ_in_sign(const struct ir_expr *x, const struct term *a, const struct term *b) {
  bool p = is_huge(x->args[0]->type, a), q = is_huge(x->args[1]->type, b);
  return is_u64(x->type) ? !is_u64(x->args[0]->type) || !is_u64(x->args[1]->type) : p || q;
}

// Sum or difference of 64 bits that do not suffice for it, of a trapping type.
static void trap_sum(struct exec *e, const struct ir_expr *x, const struct term *a,
                     const struct term *b, const struct term *sum) {
  struct terms *t = e->terms;
  bool add = x->op == IR_ADD;
  const struct term *wrong;
  if (x->type->bits != 64 || differ_in_sign(x, a, b)) refuse(e, "a sum");
  if (is_u64(x->type)) {
    wrong = add ? term_binary(t, TERM_ULT, sum, a) : term_binary(t, TERM_ULT, a, b);
  } else {
    const struct term *zero = number(e, 0);
    const struct term *down =
        add ? term_binary(t, TERM_LT, b, zero) : term_binary(t, TERM_LT, zero, b);
    wrong = term_not(t, term_binary(t, TERM_EQ, down, term_binary(t, TERM_LT, sum, a)));
  }
  exec_fault(e, wrong, x->site);
}

static const struct term *sum_or_product(struct exec *e, const struct ir_expr *x, enum term_op op,
                                         const struct term *a, const struct term *b) {
  const struct term *r = term_binary(e->terms, op, a, b);
  if (!x->type->traps) return wrap(e, x->type, r);
  bool huge = is_huge(x->args[0]->type, a) || is_huge(x->args[1]->type, b);
  if (!huge && is_exact(op, a, b)) return settle(e, x, r, false);
  if (op == TERM_MUL) refuse(e, "a product");
  trap_sum(e, x, a, b, r);
  return r;
}

static const struct term *divide(struct exec *e, const struct ir_expr *x, const struct term *a,
                                 const struct term *b) {
  const struct ir_type *t = x->type;
  exec_fault(e, is(e, b, 0), x->site);
  if (is_huge(x->args[0]->type, a) || is_huge(x->args[1]->type, b))
    exec_refuse(e, "a division of unsigned 64-bit integers");
  if (t->traps && t->is_signed)
    exec_fault(e, term_and(e->terms, is(e, a, t->lo), is(e, b, -1)), x->site + 1);
  enum term_op op = x->op == IR_DIV ? TERM_DIV : TERM_MOD;
  return wrap(e, t, term_binary(e->terms, op, a, b));
}

// --- shifts ---

static const struct term *shift_by(struct exec *e, const struct ir_type *t, const struct term *a,
                                   int64_t count, bool left) {
  if (count <= -(int64_t)t->bits || count >= (int64_t)t->bits) return number(e, 0);
  if (count < 0) return shift_by(e, t, a, -count, !left);
  if (left) return wrap(e, t, term_binary(e->terms, TERM_SHL, a, number(e, count)));
  const struct term *r = term_binary(e->terms, TERM_SHR, a, number(e, count));
  if (!is_huge(t, a) || count == 0) return r;
  int64_t mask = (int64_t)(~UINT64_C(0) >> count);
  return term_binary(e->terms, TERM_BITAND, r, number(e, mask));
}

// Each count by itself.
static const struct term *shift(struct exec *e, const struct ir_type *t, const struct term *a,
                                const struct term *count, bool left) {
  if (count->op == TERM_CONST) return shift_by(e, t, a, count->value, left);
  const struct term *r = number(e, 0);
  for (int64_t k = -(int64_t)t->bits + 1; k < t->bits; k++)
    if (k >= count->lo && k <= count->hi)
      r = term_ite(e->terms, is(e, count, k), shift_by(e, t, a, k, left), r);
  return r;
}

// --- comparison ---

static const struct term *less(struct exec *e, const struct ir_type *s, const struct ir_type *t,
                               const struct term *a, const struct term *b) {
  const struct term *zero = number(e, 0);
  bool p = is_huge(s, a), q = is_huge(t, b);
  if (p && q) return term_binary(e->terms, TERM_ULT, a, b);
  const struct term *r = term_binary(e->terms, TERM_LT, a, b);
  if (p) return term_and(e->terms, term_not(e->terms, term_binary(e->terms, TERM_LT, a, zero)), r);
  if (q) return term_or(e->terms, term_binary(e->terms, TERM_LT, b, zero), r);
  return r;
}

static const struct term *equal(struct exec *e, const struct ir_expr *x, const struct term *a,
                                const struct term *b) {
  bool p = is_u64(x->args[0]->type), q = is_u64(x->args[1]->type);
  const struct term *r = term_binary(e->terms, TERM_EQ, a, b);
  if (p == q) return r;
  const struct term *negative = term_binary(e->terms, TERM_LT, p ? b : a, number(e, 0));
  return term_and(e->terms, r, term_not(e->terms, negative));
}

static const struct term *compare(struct exec *e, const struct ir_expr *x, const struct term *a,
                                  const struct term *b) {
  const struct ir_type *s = x->args[0]->type, *t = x->args[1]->type;
  switch (x->op) {
  case IR_EQ: return equal(e, x, a, b);
  case IR_NE: return term_not(e->terms, equal(e, x, a, b));
  case IR_LT: return less(e, s, t, a, b);
  case IR_GT: return less(e, t, s, b, a);
  case IR_LE: return term_not(e->terms, less(e, t, s, b, a));
  default: return term_not(e->terms, less(e, s, t, a, b));
  }
}

const struct term *exec_arithmetic(struct exec *e, const struct ir_expr *x, const struct term *a,
                                   const struct term *b) {
  switch (x->op) {
  case IR_ADD: return sum_or_product(e, x, TERM_ADD, a, b);
  case IR_SUB: return sum_or_product(e, x, TERM_SUB, a, b);
  case IR_MUL: return sum_or_product(e, x, TERM_MUL, a, b);
  case IR_DIV:
  case IR_MOD: return divide(e, x, a, b);
  case IR_BITAND: return wrap(e, x->type, term_binary(e->terms, TERM_BITAND, a, b));
  case IR_BITOR: return wrap(e, x->type, term_binary(e->terms, TERM_BITOR, a, b));
  case IR_BITXOR: return wrap(e, x->type, term_binary(e->terms, TERM_BITXOR, a, b));
  case IR_SHL: return shift(e, x->type, a, b, true);
  case IR_SHR: return shift(e, x->type, a, b, false);
  default: return compare(e, x, a, b);
  }
}

// --- of one operand ---

static const struct term *negate(struct exec *e, const struct ir_expr *x, const struct term *a) {
  const struct term *r = term_binary(e->terms, TERM_SUB, number(e, 0), a);
  if (!x->type->traps) return wrap(e, x->type, r);
  if (!is_huge(x->args[0]->type, a) && a->lo != INT64_MIN) return settle(e, x, r, false);
  if (x->type->bits != 64 || is_u64(x->type) != is_u64(x->args[0]->type)) refuse(e, "a negation");
  bool pattern = is_u64(x->type);
  exec_fault(e, pattern ? term_not(e->terms, is(e, a, 0)) : is(e, a, INT64_MIN), x->site);
  return r;
}

static const struct term *invert(struct exec *e, const struct ir_type *t, const struct term *a) {
  bool low = !t->is_signed && t->bits < 64 && a->lo >= 0 && a->hi <= t->hi;
  return wrap(e, t, term_binary(e->terms, TERM_BITXOR, a, number(e, low ? t->hi : -1)));
}

const struct term *exec_unary(struct exec *e, const struct ir_expr *x, const struct term *a) {
  switch (x->op) {
  case IR_NEG: return negate(e, x, a);
  case IR_BITNOT: return invert(e, x->type, a);
  default: return settle(e, x, a, is_huge(x->args[0]->type, a)); // CAST
  }
}
