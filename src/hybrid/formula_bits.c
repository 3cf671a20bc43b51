// SPDX-License-Identifier: Apache-2.0
// Numbers as bit vectors, signed, as wide as their intervals need. Of sums, products and bitwise
// operations the low bits depend on none but the low bits of the operands, so that a WRAP around
// them makes them narrow.
#include "hybrid/formula.h"

enum { LOW_DEPTH = 6 };

static unsigned width_of(const struct term *a) { return formula_width(a->lo, a->hi); }

// The low bits, or more, of a signed number.
static smt_term sized(struct formula *f, smt_term a, unsigned have, unsigned want) {
  if (want > have) return smt_extend(f->smt, a, want - have, true);
  return want < have ? smt_extract(f->smt, a, want - 1, 0) : a;
}

// The number of a as a vector of this width.
static smt_term at(struct formula *f, const struct term *a, unsigned width) {
  if (a->op == TERM_CONST) return smt_bits_number(f->smt, a->value, width);
  smt_term n = f->numbers[a->id].term;
  return sized(f, n, smt_width(f->smt, n), width);
}

static bool is_modular(enum term_op op, enum smt_bits_op *as) {
  switch (op) {
  case TERM_ADD: *as = SMT_ADD; return true;
  case TERM_SUB: *as = SMT_SUB; return true;
  case TERM_MUL: *as = SMT_MUL; return true;
  case TERM_BITAND: *as = SMT_AND; return true;
  case TERM_BITOR: *as = SMT_OR; return true;
  case TERM_BITXOR: *as = SMT_XOR; return true;
  default: return false;
  }
}

// The low bits of it, made of low bits as far down as that helps.
static smt_term low(struct formula *f, const struct term *a, unsigned width, int depth) {
  enum smt_bits_op op;
  if (width_of(a) <= width || depth == 0 || a->is_bool) return at(f, a, width);
  if (a->op == TERM_WRAP && a->bits >= width) return low(f, a->arg[0], width, depth - 1);
  if (is_modular(a->op, &op))
    return smt_bits_binary(f->smt, op, low(f, a->arg[0], width, depth - 1),
                           low(f, a->arg[1], width, depth - 1));
  if (a->op == TERM_ITE)
    return smt_ite(f->smt, f->truths[a->arg[0]->id], low(f, a->arg[1], width, depth - 1),
                   low(f, a->arg[2], width, depth - 1));
  return at(f, a, width);
}

static unsigned wider_of(const struct term *a, const struct term *b) {
  unsigned x = width_of(a), y = width_of(b);
  return x > y ? x : y;
}

smt_term formula_bits_compare(struct formula *f, const struct term *a) {
  const struct term *p = a->arg[0], *q = a->arg[1];
  unsigned w = wider_of(p, q);
  smt_term x = at(f, p, w), y = at(f, q, w);
  if (a->op == TERM_EQ) return smt_equal(f->smt, x, y);
  return smt_bits_binary(f->smt, a->op == TERM_LT ? SMT_SLT : SMT_ULT, x, y);
}

// One bit more than the operands have, so that the smallest by -1 has a place; not past 64.
static smt_term divided(struct formula *f, const struct term *a) {
  struct smt *s = f->smt;
  unsigned w = wider_of(a->arg[0], a->arg[1]);
  if (w < 64) w++;
  smt_term x = at(f, a->arg[0], w), y = at(f, a->arg[1], w), zero = smt_bits_number(s, 0, w);
  smt_term q = smt_bits_binary(s, a->op == TERM_DIV ? SMT_SDIV : SMT_SREM, x, y);
  if (a->arg[1]->lo <= 0 && a->arg[1]->hi >= 0) q = smt_ite(s, smt_equal(s, y, zero), zero, q);
  return sized(f, q, w, width_of(a));
}

static smt_term is_within(struct formula *f, smt_term a, int64_t lo, int64_t hi, unsigned w) {
  struct smt *s = f->smt;
  smt_term x[2] = {smt_not(s, smt_bits_binary(s, SMT_SLT, a, smt_bits_number(s, lo, w))),
                   smt_not(s, smt_bits_binary(s, SMT_SLT, smt_bits_number(s, hi, w), a))};
  return smt_and(s, x, 2);
}

// Of 64 bits: either way, and 0 past the width.
static smt_term shifted_any(struct formula *f, const struct term *a) {
  struct smt *s = f->smt;
  smt_term x = at(f, a->arg[0], 64), n = at(f, a->arg[1], 64), zero = smt_bits_number(s, 0, 64);
  smt_term minus = smt_bits_binary(s, SMT_SUB, zero, n);
  bool left = a->op == TERM_SHL;
  smt_term there = smt_bits_binary(s, left ? SMT_SHL : SMT_ASHR, x, n);
  smt_term back = smt_bits_binary(s, left ? SMT_ASHR : SMT_SHL, x, minus);
  smt_term out = smt_ite(s, is_within(f, n, -63, -1, 64), back, zero);
  return sized(f, smt_ite(s, is_within(f, n, 0, 63, 64), there, out), 64, width_of(a));
}

static smt_term shifted(struct formula *f, const struct term *a) {
  const struct term *p = a->arg[0], *q = a->arg[1];
  if (q->lo < 0 || q->hi > 63) return shifted_any(f, a);
  // The count has a place beside the number; what is shifted out to the left is never wanted.
  unsigned w = a->op == TERM_SHL ? width_of(a) : width_of(p);
  if (w < 8) w = 8;
  smt_term x = at(f, p, w), n = at(f, q, w);
  return sized(f, smt_bits_binary(f->smt, a->op == TERM_SHL ? SMT_SHL : SMT_ASHR, x, n), w,
               width_of(a));
}

static smt_term wrapped(struct formula *f, const struct term *a) {
  smt_term n = low(f, a->arg[0], a->bits, LOW_DEPTH);
  unsigned w = width_of(a);
  return w > a->bits ? smt_extend(f->smt, n, w - a->bits, a->is_signed) : n;
}

smt_term formula_bits_number(struct formula *f, const struct term *a) {
  enum smt_bits_op op;
  unsigned w = width_of(a);
  switch (a->op) {
  case TERM_CONST: return smt_bits_number(f->smt, a->value, w);
  case TERM_LEAF: {
    smt_term u = f->unknown(f->context, a);
    return sized(f, u, smt_width(f->smt, u), w);
  }
  case TERM_DIV:
  case TERM_MOD: return divided(f, a);
  case TERM_SHL:
  case TERM_SHR: return shifted(f, a);
  case TERM_WRAP: return wrapped(f, a);
  case TERM_ITE:
    return smt_ite(f->smt, f->truths[a->arg[0]->id], at(f, a->arg[1], w), at(f, a->arg[2], w));
  default:
    if (is_modular(a->op, &op))
      return smt_bits_binary(f->smt, op, low(f, a->arg[0], w, LOW_DEPTH),
                             low(f, a->arg[1], w, LOW_DEPTH));
    assert(!"not a number");
    return NULL;
  }
}
