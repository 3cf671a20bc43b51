// SPDX-License-Identifier: Apache-2.0
// Numbers as integers without bounds. A sum is kept as it is, with its bounds, and brought into 64
// bits only where somebody looks at it; so what a WRAP around it takes off is told once. Wrapping
// subtracts k * 2^bits: k is one of a few values, told by comparisons, or a variable of its own.
// Operations that are linear for none but a few values of an operand are told case by case.
#include "hybrid/formula.h"
#include "hybrid/wide.h"

enum { CASES_MAX = 8, CONSTANT_CASES_MAX = 64, RUNS_MAX = 4 };

#define WIDEST ((wide)1 << 100) // bounds beyond this are not kept: brought into 64 bits first

static struct formula_number number(smt_term t, wide lo, wide hi) {
  return (struct formula_number){t, lo, hi};
}

static struct formula_number constant(struct formula *f, int64_t v) {
  return number(smt_number(f->smt, v), v, v);
}

static struct formula_number refuse(struct formula *f, const struct term *a) {
  if (!f->nonlinear) f->nonlinear = a;
  return constant(f, 0);
}

// --- wrapping ---

// n - k * 2^bits
static smt_term take_off(struct formula *f, smt_term n, wide k, unsigned bits) {
  smt_term power = smt_power(f->smt, bits);
  for (; k > 0; k--) n = smt_sub(f->smt, n, power);
  for (; k < 0; k++) n = smt_add(f->smt, n, power);
  return n;
}

static smt_term wrap_few(struct formula *f, struct formula_number n, unsigned bits, wide low,
                         wide first, wide last) {
  wide width = (wide)1 << bits;
  smt_term out = take_off(f, n.term, last, bits);
  for (wide k = last - 1; k >= first; k--) { // below low + (k + 1) * width it is k
    smt_term shifted = take_off(f, n.term, k, bits);
    smt_term below = smt_le(f->smt, shifted, smt_number(f->smt, (int64_t)(low + width - 1)));
    out = smt_ite(f->smt, below, shifted, out);
  }
  return out;
}

static smt_term wrap_many(struct formula *f, struct formula_number n, unsigned bits, wide low) {
  struct smt *s = f->smt;
  smt_term k = formula_fresh(f);
  smt_term out = smt_sub(s, n.term, smt_mul(s, smt_power(s, bits), k));
  smt_term inside[2] = {smt_le(s, smt_number(s, (int64_t)low), out),
                        smt_le(s, out, smt_number(s, (int64_t)(low + ((wide)1 << bits) - 1)))};
  smt_assert_fact(s, smt_and(s, inside, 2));
  return out;
}

static struct formula_number wrapped(struct formula *f, struct formula_number n, unsigned bits,
                                     bool is_signed) {
  wide width = (wide)1 << bits, low = is_signed ? -(width >> 1) : 0;
  wide first = floor_div(n.lo - low, width), last = floor_div(n.hi - low, width);
  if (first == last && first >= -2 && first <= 2)
    return number(take_off(f, n.term, first, bits), n.lo - first * width, n.hi - first * width);
  bool few = first >= -2 && last <= 2;
  smt_term t = few ? wrap_few(f, n, bits, low, first, last) : wrap_many(f, n, bits, low);
  return number(t, low, low + width - 1);
}

// Its value, with bounds: those of the term are narrower, perhaps.
static struct formula_number value_of(struct formula *f, const struct term *a) {
  struct formula_number n = f->numbers[a->id];
  if (!f->values[a->id]) {
    if (n.lo < INT64_MIN || n.hi > INT64_MAX) n = wrapped(f, n, 64, true);
    f->values[a->id] = n.term;
  }
  return number(f->values[a->id], a->lo, a->hi);
}

smt_term formula_linear_value(struct formula *f, const struct term *a) {
  return value_of(f, a).term;
}

// --- comparison ---

static smt_term as_unsigned(struct formula *f, const struct term *a) {
  struct smt *s = f->smt;
  smt_term v = formula_linear_value(f, a), up = smt_add(s, v, smt_power(s, 64));
  if (a->lo >= 0) return v;
  return a->hi < 0 ? up : smt_ite(s, smt_le(s, smt_number(s, 0), v), v, up);
}

smt_term formula_linear_compare(struct formula *f, const struct term *a) {
  const struct term *p = a->arg[0], *q = a->arg[1];
  struct smt *s = f->smt;
  if (a->op == TERM_EQ) return smt_equal(s, formula_linear_value(f, p), formula_linear_value(f, q));
  if (a->op == TERM_LT)
    return smt_not(s, smt_le(s, formula_linear_value(f, q), formula_linear_value(f, p)));
  return smt_not(s, smt_le(s, as_unsigned(f, q), as_unsigned(f, p)));
}

// --- sums and products ---

// What may be added to without leaving what is kept.
static struct formula_number addend(struct formula *f, const struct term *a) {
  struct formula_number n = f->numbers[a->id];
  if (n.lo >= a->lo && n.hi <= a->hi) return n;
  if (n.lo >= INT64_MIN && n.hi <= INT64_MAX) return number(n.term, a->lo, a->hi);
  return n.lo < -WIDEST || n.hi > WIDEST ? value_of(f, a) : n;
}

static struct formula_number sum(struct formula *f, const struct term *a) {
  struct formula_number x = addend(f, a->arg[0]), y = addend(f, a->arg[1]);
  if (a->op == TERM_ADD) return number(smt_add(f->smt, x.term, y.term), x.lo + y.lo, x.hi + y.hi);
  return number(smt_sub(f->smt, x.term, y.term), x.lo - y.hi, x.hi - y.lo);
}

static struct formula_number times(struct formula *f, struct formula_number n, int64_t k) {
  wide x = n.lo * k, y = n.hi * k;
  return number(smt_times(f->smt, k, n.term), x < y ? x : y, x < y ? y : x);
}

static bool is_const(const struct term *a) { return a->op == TERM_CONST; }

static uint64_t spread(const struct term *a) { return (uint64_t)a->hi - (uint64_t)a->lo; }

// Told for each value that b can have: `one` tells it for one of them.
typedef struct formula_number one_case(struct formula *f, const struct term *op,
                                       const struct term *a, int64_t b);
static struct formula_number by_cases(struct formula *f, const struct term *op,
                                      const struct term *a, const struct term *b, one_case *one) {
  struct formula_number out = one(f, op, a, b->hi);
  smt_term v = formula_linear_value(f, b);
  for (int64_t k = b->hi; k-- > b->lo;) {
    struct formula_number n = one(f, op, a, k);
    out.term = smt_ite(f->smt, smt_equal(f->smt, v, smt_number(f->smt, k)), n.term, out.term);
    if (n.lo < out.lo) out.lo = n.lo;
    if (n.hi > out.hi) out.hi = n.hi;
  }
  return out;
}

static struct formula_number product_case(struct formula *f, const struct term *op,
                                          const struct term *a, int64_t b) {
  (void)op;
  return times(f, value_of(f, a), b);
}

static struct formula_number product(struct formula *f, const struct term *a) {
  const struct term *p = a->arg[0], *q = a->arg[1];
  if (is_const(q)) return times(f, value_of(f, p), q->value);
  if (spread(q) < CASES_MAX) return by_cases(f, a, p, q, product_case);
  if (spread(p) < CASES_MAX) return by_cases(f, a, q, p, product_case);
  return refuse(f, a);
}

// --- division ---

// Toward zero, of what is not negative and of what is not positive.
static struct formula_number divided(struct formula *f, const struct term *a, uint64_t by,
                                     bool rest) {
  struct smt *s = f->smt;
  smt_term v = formula_linear_value(f, a), minus = smt_times(s, -1, v);
  smt_term k = smt_number(s, (int64_t)by), zero = smt_number(s, 0);
  smt_term up = rest ? smt_mod(s, v, k) : smt_div(s, v, k);
  smt_term down = smt_times(s, -1, rest ? smt_mod(s, minus, k) : smt_div(s, minus, k));
  wide lo = rest ? -(wide)(by - 1) : (wide)a->lo / (wide)by;
  wide hi = rest ? (wide)(by - 1) : (wide)a->hi / (wide)by;
  if (a->lo >= 0) return number(up, rest ? 0 : lo, hi);
  if (a->hi <= 0) return number(down, lo, rest ? 0 : hi);
  return number(smt_ite(s, smt_le(s, zero, v), up, down), lo, hi);
}

static struct formula_number division_case(struct formula *f, const struct term *op,
                                           const struct term *a, int64_t b) {
  if (b == 0) return constant(f, 0);
  if (b == INT64_MIN) return refuse(f, op);
  struct formula_number n = divided(f, a, (uint64_t)(b < 0 ? -b : b), op->op == TERM_MOD);
  return b < 0 && op->op == TERM_DIV ? times(f, n, -1) : n;
}

static struct formula_number division(struct formula *f, const struct term *a) {
  const struct term *q = a->arg[1];
  if (is_const(q)) return division_case(f, a, a->arg[0], q->value);
  if (spread(q) < CASES_MAX) return by_cases(f, a, a->arg[0], q, division_case);
  return refuse(f, a);
}

// --- bits ---

static unsigned zeros_below(const struct term *a) {
  if (is_const(a)) return a->value ? (unsigned)__builtin_ctzll((uint64_t)a->value) : 64;
  if (a->op == TERM_SHL && is_const(a->arg[1]) && a->arg[1]->value >= 0 && a->arg[1]->value < 64)
    return (unsigned)a->arg[1]->value;
  if ((a->op == TERM_MUL || a->op == TERM_BITAND) && is_const(a->arg[1]))
    return zeros_below(a->arg[1]);
  if (a->op == TERM_WRAP || a->op == TERM_ADD || a->op == TERM_BITOR) {
    unsigned x = zeros_below(a->arg[0]), y = a->args > 1 ? zeros_below(a->arg[1]) : 64;
    return x < y ? x : y;
  }
  return 0;
}

// No bit is set in both: one ends where the other begins.
static bool are_apart(const struct term *a, const struct term *b) {
  unsigned za = zeros_below(a), zb = zeros_below(b);
  return (b->lo >= 0 && za < 64 && (wide)b->hi < (wide)1 << za) ||
         (a->lo >= 0 && zb < 64 && (wide)a->hi < (wide)1 << zb);
}

// Bits low .. low + count - 1 of a value, where they are.
static struct formula_number field(struct formula *f, const struct term *a, unsigned low,
                                   unsigned count) {
  struct smt *s = f->smt;
  smt_term v = formula_linear_value(f, a);
  wide top = ((wide)1 << count) - 1;
  if (low) v = smt_div(s, v, smt_power(s, low));
  if (a->lo < 0 || (wide)a->hi >> low > top) v = smt_mod(s, v, smt_power(s, count));
  if (low) v = smt_mul(s, smt_power(s, low), v);
  return number(v, 0, top << low);
}

static bool mask(struct formula *f, const struct term *a, uint64_t ones,
                 struct formula_number *out) {
  *out = constant(f, 0);
  int runs = 0;
  for (unsigned low = 0; low < 64 && ones >> low;) {
    low += (unsigned)__builtin_ctzll(ones >> low);
    uint64_t rest = ~(ones >> low);
    unsigned count = rest ? (unsigned)__builtin_ctzll(rest) : 64;
    struct formula_number n = field(f, a, low, count);
    *out = runs ? number(smt_add(f->smt, out->term, n.term), 0, out->hi + n.hi) : n;
    low += count;
    if (++runs > RUNS_MAX) return false;
  }
  return true;
}

static bool is_bit(const struct term *a) { return a->lo >= 0 && a->hi <= 1; }

// a & b; false: it is not linear.
static bool both(struct formula *f, const struct term *a, const struct term *b,
                 struct formula_number *out) {
  if (is_const(b) && b->value >= 0) return mask(f, a, (uint64_t)b->value, out);
  if (is_const(b)) {
    struct formula_number low;
    if (!mask(f, a, ~(uint64_t)b->value, &low)) return false;
    struct formula_number v = value_of(f, a);
    *out = number(smt_sub(f->smt, v.term, low.term), INT64_MIN, INT64_MAX);
    return true;
  }
  *out = constant(f, 0);
  if (are_apart(a, b)) return true;
  if (!is_bit(a) && !is_bit(b)) return false;
  const struct term *bit = is_bit(a) ? a : b, *other = is_bit(a) ? b : a;
  struct formula_number last = field(f, other, 0, 1);
  smt_term set = smt_equal(f->smt, formula_linear_value(f, bit), smt_number(f->smt, 1));
  *out = number(smt_ite(f->smt, set, last.term, out->term), 0, 1);
  return true;
}

// a | b = a + b - (a & b), a ^ b = a + b - 2 (a & b).
static struct formula_number bitwise(struct formula *f, const struct term *a) {
  struct formula_number common;
  if (!both(f, a->arg[0], a->arg[1], &common)) return refuse(f, a);
  if (a->op == TERM_BITAND) return number(common.term, a->lo, a->hi);
  smt_term x = formula_linear_value(f, a->arg[0]), y = formula_linear_value(f, a->arg[1]);
  smt_term off = smt_times(f->smt, a->op == TERM_BITOR ? 1 : 2, common.term);
  return number(smt_sub(f->smt, smt_add(f->smt, x, y), off), a->lo, a->hi);
}

// --- shifts ---

static struct formula_number shift_case(struct formula *f, const struct term *op,
                                        const struct term *a, int64_t by) {
  bool left = (op->op == TERM_SHL) == (by >= 0);
  if (by <= -64 || by >= 64) return constant(f, 0);
  unsigned count = (unsigned)(by < 0 ? -by : by);
  struct formula_number v = value_of(f, a);
  smt_term power = smt_power(f->smt, count);
  wide p = (wide)1 << count;
  if (!left) return number(smt_div(f->smt, v.term, power), a->lo >> count, a->hi >> count);
  return number(smt_mul(f->smt, power, v.term), a->lo * p, a->hi * p);
}

static struct formula_number shift(struct formula *f, const struct term *a) {
  const struct term *p = a->arg[0], *q = a->arg[1];
  if (is_const(q)) return shift_case(f, a, p, q->value);
  if (spread(q) < (is_const(p) ? CONSTANT_CASES_MAX : CASES_MAX))
    return by_cases(f, a, p, q, shift_case);
  return refuse(f, a);
}

// --- all of them ---

static struct formula_number chosen(struct formula *f, const struct term *a) {
  struct formula_number x = value_of(f, a->arg[1]), y = value_of(f, a->arg[2]);
  return number(smt_ite(f->smt, f->truths[a->arg[0]->id], x.term, y.term), a->lo, a->hi);
}

struct formula_number formula_linear_number(struct formula *f, const struct term *a) {
  switch (a->op) {
  case TERM_CONST: return constant(f, a->value);
  case TERM_LEAF: return number(f->unknown(f->context, a), a->lo, a->hi);
  case TERM_ADD:
  case TERM_SUB: return sum(f, a);
  case TERM_MUL: return product(f, a);
  case TERM_DIV:
  case TERM_MOD: return division(f, a);
  case TERM_BITAND:
  case TERM_BITOR:
  case TERM_BITXOR: return bitwise(f, a);
  case TERM_SHL:
  case TERM_SHR: return shift(f, a);
  case TERM_WRAP: return wrapped(f, addend(f, a->arg[0]), a->bits, a->is_signed);
  default: assert(a->op == TERM_ITE); return chosen(f, a);
  }
}
