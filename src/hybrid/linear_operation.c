// SPDX-License-Identifier: Apache-2.0
// Products, quotients, remainders, shifts and operations on bits, where one operand is a constant
// in the case at hand; if it has but few values there, the case is taken apart until it is.
#include "hybrid/linear.h"

#define VALUES_MAX 64 // as many values an operand may have, to be tried one by one

static zaff *constant(struct linear_case *c, zint v) {
  return zaff_const(c->linear->presburger, c->frame->dims, v);
}

static enum linear_outcome give_constant(struct linear_case *c, struct linear_made *out, zint v) {
  *out = (struct linear_made){constant(c, v), v, v};
  return LINEAR_DONE;
}

static bool is_fixed(const struct linear_number *n) { return n->lo == n->hi; }

static zint width(const struct linear_number *n) { return n->hi - n->lo; }

// As isl knows it.
static enum linear_outcome narrow(struct linear_case *c, const struct term *t,
                                  struct linear_number *n) {
  zint lo, hi;
  if (zset_range(c->set, n->aff, &lo, &hi))
    linear_keep_number(c, t, LINEAR_EXACT, zaff_copy(n->aff), lo, hi);
  else if (presburger_failed(c->linear->presburger))
    return linear_fail(c, NULL);
  return linear_number(c, t, n);
}

// One value of t is singled out after the other.
static enum linear_outcome fix(struct linear_case *c, const struct term *t,
                               struct linear_number *n) {
  if (width(n) >= VALUES_MAX) LINEAR_TRY(narrow(c, t, n));
  if (width(n) >= VALUES_MAX) return linear_fail(c, "nonlinear");
  while (!is_fixed(n)) {
    LINEAR_TRY(linear_split_at(c, t, LINEAR_EXACT, n->lo + width(n) / 2));
    LINEAR_TRY(linear_number(c, t, n));
  }
  return LINEAR_DONE;
}

// Of two the one with fewer values.
static enum linear_outcome fix_either(struct linear_case *c, const struct term *t,
                                      struct linear_number n[2], int *fixed) {
  LINEAR_TRY(linear_number(c, t->arg[0], &n[0]));
  LINEAR_TRY(linear_number(c, t->arg[1], &n[1]));
  if (width(&n[0]) >= VALUES_MAX && width(&n[1]) >= VALUES_MAX) {
    LINEAR_TRY(narrow(c, t->arg[0], &n[0]));
    LINEAR_TRY(narrow(c, t->arg[1], &n[1]));
  }
  *fixed = width(&n[1]) <= width(&n[0]);
  return fix(c, t->arg[*fixed], &n[*fixed]);
}

// --- products and shifts ---

static enum linear_outcome scale(const struct linear_number *n, zint by, struct linear_made *out) {
  zint p = n->lo * by, q = n->hi * by;
  *out = (struct linear_made){zaff_scale(n->aff, by), p < q ? p : q, p < q ? q : p};
  return LINEAR_DONE;
}

static enum linear_outcome product(struct linear_case *c, const struct term *t,
                                   struct linear_made *out) {
  struct linear_number n[2];
  int fixed;
  LINEAR_TRY(fix_either(c, t, n, &fixed));
  return scale(&n[!fixed], n[fixed].lo, out);
}

static enum linear_outcome shift(struct linear_case *c, const struct term *t,
                                 struct linear_made *out) {
  struct linear_number a, by;
  LINEAR_TRY(linear_number(c, t->arg[0], &a));
  LINEAR_TRY(linear_number(c, t->arg[1], &by));
  if (by.lo >= 64 || by.hi <= -64) return give_constant(c, out, 0);
  if (by.hi >= 64) {
    LINEAR_TRY(linear_split_at(c, t->arg[1], LINEAR_EXACT, 63));
    return shift(c, t, out);
  }
  if (by.lo <= -64) {
    LINEAR_TRY(linear_split_at(c, t->arg[1], LINEAR_EXACT, -64));
    return shift(c, t, out);
  }
  if (width(&by) >= VALUES_MAX) {
    LINEAR_TRY(linear_split_at(c, t->arg[1], LINEAR_EXACT, -1));
    return shift(c, t, out);
  }
  LINEAR_TRY(fix(c, t->arg[1], &by));
  zint count = t->op == TERM_SHL ? by.lo : -by.lo;
  if (count >= 0) return scale(&a, (zint)1 << count, out);
  *out = (struct linear_made){zaff_floor(a.aff, (zint)1 << -count), a.lo >> -count, a.hi >> -count};
  return LINEAR_DONE;
}

// --- quotients ---

// The dividend is taken apart into what is negative and what is not.
static enum linear_outcome dividend(struct linear_case *c, const struct term *t,
                                    struct linear_number *a) {
  LINEAR_TRY(linear_number(c, t, a));
  if (a->lo >= 0 || a->hi < 0) return LINEAR_DONE;
  LINEAR_TRY(linear_split_at(c, t, LINEAR_EXACT, -1));
  return linear_number(c, t, a);
}

// a / size toward zero, size > 0.
static zaff *toward_zero(const struct linear_number *a, zint size) {
  if (a->lo >= 0) return zaff_floor(a->aff, size);
  zaff *negated = zaff_scale(a->aff, -1), *q = zaff_floor(negated, size);
  zaff *r = zaff_scale(q, -1);
  zaff_drop(negated);
  zaff_drop(q);
  return r;
}

static enum linear_outcome divide(struct linear_case *c, const struct term *t,
                                  struct linear_made *out) {
  struct linear_number a, b;
  LINEAR_TRY(linear_number(c, t->arg[1], &b));
  LINEAR_TRY(fix(c, t->arg[1], &b));
  LINEAR_TRY(linear_number(c, t->arg[0], &a));
  if (b.lo == 0) return give_constant(c, out, 0);
  if (b.lo == 1 || b.lo == -1) return scale(&a, b.lo, out);
  LINEAR_TRY(dividend(c, t->arg[0], &a));
  zint size = b.lo < 0 ? -b.lo : b.lo;
  struct linear_number q = {toward_zero(&a, size), a.lo / size, a.hi / size};
  LINEAR_TRY(scale(&q, b.lo < 0 ? -1 : 1, out));
  zaff_drop((zaff *)q.aff);
  return LINEAR_DONE;
}

static enum linear_outcome modulo(struct linear_case *c, const struct term *t,
                                  struct linear_made *out) {
  struct linear_number a, b;
  LINEAR_TRY(linear_number(c, t->arg[1], &b));
  LINEAR_TRY(fix(c, t->arg[1], &b));
  zint size = b.lo < 0 ? -b.lo : b.lo;
  if (size <= 1) return give_constant(c, out, 0);
  LINEAR_TRY(dividend(c, t->arg[0], &a));
  zaff *q = toward_zero(&a, size), *whole = zaff_scale(q, size);
  bool small = a.lo > -size && a.hi < size;
  out->aff = zaff_sub(a.aff, whole);
  out->lo = small ? a.lo : a.lo >= 0 ? 0 : 1 - size;
  out->hi = small ? a.hi : a.lo >= 0 ? size - 1 : 0;
  zaff_drop(q);
  zaff_drop(whole);
  return LINEAR_DONE;
}

// --- bits ---

// size * floor(a / size): without its lower bits.
static zaff *upper(const zaff *a, unsigned from) {
  zaff *q = zaff_floor(a, (zint)1 << from), *r = zaff_scale(q, (zint)1 << from);
  zaff_drop(q);
  return r;
}

// a and mask: the sum of its runs of ones. A negative number has ones without end.
static zaff *masked(struct linear_case *c, const zaff *a, int64_t mask) {
  zaff *sum = constant(c, 0);
  for (unsigned i = 0; i < 64;) {
    unsigned end = i;
    while (end < 64 && (uint64_t)mask >> end & 1) end++;
    if (end > i) {
      zaff *run = upper(a, i), *rest = end < 64 ? upper(a, end) : constant(c, 0);
      zaff *part = zaff_sub(run, rest), *more = zaff_add(sum, part);
      zaff_drop(run);
      zaff_drop(rest);
      zaff_drop(part);
      zaff_drop(sum);
      sum = more;
    }
    i = end + 1;
  }
  return sum;
}

// Ones that no value of it has need not be looked at.
static int64_t visible(const struct linear_number *n, int64_t mask) {
  if (n->lo < 0) return mask;
  unsigned bits = n->hi == 0 ? 0 : 64 - (unsigned)__builtin_clzll((uint64_t)n->hi);
  return mask & (int64_t)(((uint64_t)1 << bits) - 1);
}

static enum linear_outcome bits(struct linear_case *c, const struct term *t,
                                struct linear_made *out) {
  struct linear_number n[2];
  int fixed;
  LINEAR_TRY(fix_either(c, t, n, &fixed));
  const struct linear_number *a = &n[!fixed];
  int64_t mask = (int64_t)n[fixed].lo;
  zaff *common = masked(c, a->aff, visible(a, mask));
  *out = (struct linear_made){common, t->lo, t->hi};
  if (t->op == TERM_BITAND) return LINEAR_DONE;
  zaff *sum = zaff_shift(a->aff, mask);
  zaff *twice = zaff_scale(common, t->op == TERM_BITXOR ? 2 : 1);
  out->aff = zaff_sub(sum, twice);
  zaff_drop(sum);
  zaff_drop(twice);
  zaff_drop(common);
  return LINEAR_DONE;
}

enum linear_outcome linear_operation(struct linear_case *c, const struct term *t,
                                     struct linear_made *out) {
  switch (t->op) {
  case TERM_MUL: return product(c, t, out);
  case TERM_DIV: return divide(c, t, out);
  case TERM_MOD: return modulo(c, t, out);
  case TERM_BITAND:
  case TERM_BITOR:
  case TERM_BITXOR: return bits(c, t, out);
  default: assert(t->op == TERM_SHL || t->op == TERM_SHR); return shift(c, t, out);
  }
}
