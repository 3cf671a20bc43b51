// SPDX-License-Identifier: Apache-2.0
// What operations mean on numbers, and on intervals of them.
#include "relation/factory.h"

// --- numbers ---

static int64_t shift(int64_t a, int64_t count, bool left) {
  if (count <= -64 || count >= 64) return 0;
  if (count < 0) return shift(a, -count, !left);
  return left ? (int64_t)((uint64_t)a << count) : a >> count;
}

int64_t term_apply(enum term_op op, int64_t a, int64_t b) {
  uint64_t p = (uint64_t)a, q = (uint64_t)b;
  switch (op) {
  case TERM_EQ: return a == b;
  case TERM_LT: return a < b;
  case TERM_ULT: return p < q;
  case TERM_ADD: return (int64_t)(p + q);
  case TERM_SUB: return (int64_t)(p - q);
  case TERM_MUL: return (int64_t)(p * q);
  case TERM_DIV: return b == 0 ? 0 : b == -1 ? (int64_t)-p : a / b;
  case TERM_MOD: return b == 0 || b == -1 ? 0 : a % b;
  case TERM_BITAND: return (int64_t)(p & q);
  case TERM_BITOR: return (int64_t)(p | q);
  case TERM_BITXOR: return (int64_t)(p ^ q);
  case TERM_SHL: return shift(a, b, true);
  case TERM_SHR: return shift(a, b, false);
  default: assert(!"not an operation on numbers"); return 0;
  }
}

int64_t term_wrapped(int64_t v, uint8_t bits, bool is_signed) {
  if (bits == 64) return v;
  uint64_t ones = ~UINT64_C(0) >> (64 - bits), p = (uint64_t)v & ones;
  if (is_signed && p >> (bits - 1)) p |= ~ones;
  return (int64_t)p;
}

// --- intervals ---

struct interval {
  int64_t lo, hi;
};

static const struct interval everything = {INT64_MIN, INT64_MAX};

static struct interval interval_of(__int128 lo, __int128 hi) {
  if (lo < INT64_MIN || hi > INT64_MAX) return everything;
  return (struct interval){(int64_t)lo, (int64_t)hi};
}

static struct interval product(const struct term *a, const struct term *b) {
  __int128 corners[4] = {(__int128)a->lo * b->lo, (__int128)a->lo * b->hi, (__int128)a->hi * b->lo,
                         (__int128)a->hi * b->hi};
  __int128 lo = corners[0], hi = corners[0];
  for (int i = 1; i < 4; i++) {
    if (corners[i] < lo) lo = corners[i];
    if (corners[i] > hi) hi = corners[i];
  }
  return interval_of(lo, hi);
}

// The quotient is no larger than the dividend, and 0 where there is none.
static struct interval quotient(const struct term *a, const struct term *b) {
  if (a->lo >= 0 && b->lo >= 0)
    return (struct interval){b->lo > 0 ? a->lo / b->hi : 0, a->hi / (b->lo > 0 ? b->lo : 1)};
  if (a->lo == INT64_MIN) return everything;
  int64_t m = -a->lo > a->hi ? -a->lo : a->hi;
  return (struct interval){-m, m};
}

// The remainder has the dividend's sign, is no larger, and is smaller than the divisor.
static struct interval remainder_of(const struct term *a, const struct term *b) {
  if (b->lo == INT64_MIN) return everything;
  int64_t m = -b->lo > b->hi ? -b->lo : b->hi;
  if (m > 0) m--;
  int64_t lo = a->lo >= 0 ? 0 : a->lo < -m ? -m : a->lo;
  int64_t hi = a->hi <= 0 ? 0 : a->hi > m ? m : a->hi;
  return (struct interval){lo, hi};
}

// All ones up to the highest bit of v, which is not negative.
static int64_t ones_below(int64_t v) {
  return v == 0 ? 0 : (int64_t)(~UINT64_C(0) >> __builtin_clzll((uint64_t)v));
}

static struct interval bits_of(enum term_op op, const struct term *a, const struct term *b) {
  bool p = a->lo >= 0, q = b->lo >= 0;
  if (op == TERM_BITAND) {
    if (p && q) return (struct interval){0, a->hi < b->hi ? a->hi : b->hi};
    if (p || q) return (struct interval){0, p ? a->hi : b->hi};
    return everything;
  }
  if (!p || !q) return everything;
  return (struct interval){0, ones_below(a->hi | b->hi)};
}

static struct interval shifted(enum term_op op, const struct term *a, const struct term *b) {
  if (b->lo < 0 || b->hi > 63) {
    bool shrinks = op == TERM_SHR && b->lo >= 0;
    if (!shrinks) return everything;
    return (struct interval){a->lo < 0 ? a->lo : 0, a->hi > 0 ? a->hi : 0};
  }
  if (op == TERM_SHL) {
    __int128 lo = (__int128)a->lo * ((__int128)1 << (a->lo < 0 ? b->hi : b->lo));
    __int128 hi = (__int128)a->hi * ((__int128)1 << (a->hi < 0 ? b->lo : b->hi));
    return interval_of(lo, hi);
  }
  return (struct interval){a->lo >> (a->lo < 0 ? b->lo : b->hi),
                           a->hi >> (a->hi < 0 ? b->hi : b->lo)};
}

static struct interval interval(enum term_op op, const struct term *a, const struct term *b) {
  switch (op) {
  case TERM_EQ:
  case TERM_LT:
  case TERM_ULT: return (struct interval){0, 1};
  case TERM_ADD: return interval_of((__int128)a->lo + b->lo, (__int128)a->hi + b->hi);
  case TERM_SUB: return interval_of((__int128)a->lo - b->hi, (__int128)a->hi - b->lo);
  case TERM_MUL: return product(a, b);
  case TERM_DIV: return quotient(a, b);
  case TERM_MOD: return remainder_of(a, b);
  case TERM_BITAND:
  case TERM_BITOR:
  case TERM_BITXOR: return bits_of(op, a, b);
  default: return shifted(op, a, b);
  }
}

void term_interval(enum term_op op, const struct term *a, const struct term *b, int64_t *lo,
                   int64_t *hi) {
  struct interval i = interval(op, a, b);
  *lo = i.lo;
  *hi = i.hi;
}
