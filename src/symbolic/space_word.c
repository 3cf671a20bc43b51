// SPDX-License-Identifier: Apache-2.0
// Words: sums, comparison, selection. Numbers that are not meant to be (codes of no value) may give
// anything; those that are obey base + bits = value modulo 2^64 throughout.
#include "symbolic/space_word.h"

#include <string.h>

static unsigned bit_length(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

struct word word_const(uint64_t value) {
  return (struct word){.base = value};
}

struct word word_of_bool(dd a) {
  struct word w = {.count = 1};
  w.bit[0] = a;
  return w;
}

struct word word_copy(const struct word *a) {
  struct word w = {.base = a->base, .count = a->count};
  for (unsigned i = 0; i < a->count; i++) w.bit[i] = dd_copy(a->bit[i]);
  return w;
}

static void shorten(struct word *a, unsigned count) {
  while (a->count > count) dd_drop(a->bit[--a->count]);
}

void word_clear(struct word *a) { shorten(a, 0); }

void word_set(struct word *to, struct word a) {
  word_clear(to);
  *to = a;
}

void word_negate_bits(struct word *a) {
  for (unsigned i = 0; i < a->count; i++) dd_set(&a->bit[i], dd_not(a->bit[i]));
}

static void drop_zeros(struct word *a) {
  while (a->count && dd_is_false(a->bit[a->count - 1])) a->count--;
}

void word_trim(struct word *a, struct bounds b) {
  if ((int64_t)a->base <= b.lo) shorten(a, bit_length((uint64_t)b.hi - a->base));
  drop_zeros(a);
  unsigned needed = bit_length((uint64_t)b.hi - (uint64_t)b.lo);
  if (a->count > needed + 1) word_set(a, word_rebase(a, (uint64_t)b.lo, needed));
}

static dd bit_or_zero(const struct word *a, unsigned i) {
  return i < a->count ? a->bit[i] : dd_false();
}

// sum = a + b + carry; carry becomes that of the next place.
static dd add_bits(dd a, dd b, dd *carry) {
  if (dd_is_false(*carry) && dd_is_false(b)) return dd_copy(a);
  dd half = dd_xor(a, b), both = dd_and(a, b);
  dd sum = dd_xor(half, *carry);
  dd_and_to(&half, dd_copy(*carry));
  dd_or_to(&both, half);
  dd_set(carry, both);
  return sum;
}

// Bits of a plus those of b, modulo 2^count; bases are left alone.
static struct word add_in(const struct word *a, const struct word *b, unsigned count) {
  struct word sum = {.count = count};
  dd carry = dd_false();
  for (unsigned i = 0; i < count; i++)
    sum.bit[i] = add_bits(bit_or_zero(a, i), bit_or_zero(b, i), &carry);
  dd_drop(carry);
  return sum;
}

// A constant's bits, as a word on base 0.
static struct word spelled(uint64_t value) {
  struct word w = {.count = bit_length(value)};
  for (unsigned i = 0; i < w.count; i++) w.bit[i] = value >> i & 1 ? dd_true() : dd_false();
  return w;
}

struct word word_rebase(const struct word *a, uint64_t base, unsigned count) {
  struct word by = spelled(a->base - base), out = add_in(a, &by, count);
  out.base = base;
  drop_zeros(&out);
  return out;
}

static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

static unsigned room(unsigned a, unsigned b) { // for a sum of such lengths
  unsigned n = larger(a, b) + 1;
  return n > WORD_BITS ? WORD_BITS : n;
}

struct word word_add(const struct word *a, const struct word *b) {
  struct word sum = add_in(a, b, room(a->count, b->count));
  sum.base = a->base + b->base;
  drop_zeros(&sum);
  return sum;
}

// -b is the opposite of its bits, on the base -b.base - 111..1.
struct word word_sub(const struct word *a, const struct word *b) {
  struct word minus = word_copy(b);
  word_negate_bits(&minus);
  uint64_t ones = b->count ? ~UINT64_C(0) >> (64 - b->count) : 0;
  minus.base = -b->base - ones;
  struct word out = word_add(a, &minus);
  word_clear(&minus);
  return out;
}

// Puts both on the lower of their bases.
static void align(const struct word *a, const struct word *b, struct word *x, struct word *y) {
  uint64_t base = (int64_t)a->base < (int64_t)b->base ? a->base : b->base;
  const struct word *in[2] = {a, b};
  struct word *out[2] = {x, y};
  for (int i = 0; i < 2; i++) {
    uint64_t by = in[i]->base - base;
    *out[i] = by ? word_rebase(in[i], base, room(in[i]->count, bit_length(by))) : word_copy(in[i]);
  }
}

struct word word_select(dd condition, const struct word *a, const struct word *b) {
  struct word x, y;
  align(a, b, &x, &y);
  struct word out = {.base = x.base, .count = larger(x.count, y.count)};
  for (unsigned i = 0; i < out.count; i++) {
    dd p = bit_or_zero(&x, i), q = bit_or_zero(&y, i);
    out.bit[i] = p == q ? dd_copy(p) : dd_ite(condition, p, q);
  }
  word_clear(&x);
  word_clear(&y);
  return out;
}

dd word_equal(const struct word *a, const struct word *b) {
  struct word x, y;
  align(a, b, &x, &y);
  dd out = dd_true();
  for (unsigned i = 0; i < larger(x.count, y.count); i++)
    dd_and_to(&out, dd_equal(bit_or_zero(&x, i), bit_or_zero(&y, i)));
  word_clear(&x);
  word_clear(&y);
  return out;
}

// Unsigned comparison of bits.
static dd less_bits(const struct word *a, const struct word *b) {
  dd less = dd_false();
  for (unsigned i = 0; i < larger(a->count, b->count); i++) {
    dd p = bit_or_zero(a, i), q = bit_or_zero(b, i);
    dd differ = dd_xor(p, q);
    dd_set(&less, dd_ite(differ, q, less));
    dd_drop(differ);
  }
  return less;
}

dd word_less(const struct word *a, const struct word *b, struct bounds within) {
  if (a->base == b->base && (int64_t)a->base <= within.lo) return less_bits(a, b);
  unsigned count = bit_length((uint64_t)within.hi - (uint64_t)within.lo);
  struct word x = word_rebase(a, (uint64_t)within.lo, count);
  struct word y = word_rebase(b, (uint64_t)within.lo, count);
  dd less = less_bits(&x, &y);
  word_clear(&x);
  word_clear(&y);
  return less;
}

unsigned word_width(struct bounds b) {
  unsigned lo = bit_length(b.lo < 0 ? ~(uint64_t)b.lo : (uint64_t)b.lo);
  unsigned hi = bit_length(b.hi < 0 ? ~(uint64_t)b.hi : (uint64_t)b.hi);
  return larger(lo, hi) + 1;
}

// -2^(n-1) and the highest bit turned round.
static struct word sign_read(struct word a, unsigned width) {
  while (a.count < width) a.bit[a.count++] = dd_false();
  dd_set(&a.bit[width - 1], dd_not(a.bit[width - 1]));
  a.base = -(UINT64_C(1) << (width - 1));
  return a;
}

struct word word_wrap(const struct word *a, unsigned bits, bool is_signed) {
  struct word low = word_rebase(a, 0, bits);
  return is_signed ? sign_read(low, bits) : low;
}

struct word word_bitwise(const struct word *a, const struct word *b, struct bounds within,
                         dd (*op)(dd, dd)) {
  unsigned width = word_width(within);
  struct word x = word_rebase(a, 0, width), y = word_rebase(b, 0, width);
  struct word out = {.count = width};
  for (unsigned i = 0; i < width; i++) out.bit[i] = op(bit_or_zero(&x, i), bit_or_zero(&y, i));
  word_clear(&x);
  word_clear(&y);
  return sign_read(out, width);
}

// --- products, quotients, shifts ---

static struct word shifted_up(const struct word *a, unsigned by, unsigned count) {
  struct word out = {.count = count};
  for (unsigned i = 0; i < count; i++)
    out.bit[i] = i < by ? dd_false() : dd_copy(bit_or_zero(a, i - by));
  return out;
}

struct word word_mul(const struct word *a, const struct word *b, struct bounds result) {
  unsigned width = word_width(result);
  struct word x = word_rebase(a, 0, width), y = word_rebase(b, 0, width);
  struct word sum = {0};
  for (unsigned i = 0; i < y.count; i++) {
    if (dd_is_false(y.bit[i])) continue;
    struct word part = shifted_up(&x, i, width);
    for (unsigned k = i; k < width; k++) dd_and_to(&part.bit[k], dd_copy(y.bit[i]));
    word_set(&sum, add_in(&sum, &part, width));
    word_clear(&part);
  }
  word_clear(&x);
  word_clear(&y);
  return sign_read(sum, width);
}

// The bits of a number of so many in two's complement turned into its opposite's, where `when`.
static void oppose(struct word *a, unsigned width, dd when) {
  dd carry = dd_copy(when);
  for (unsigned i = 0; i < width; i++) {
    dd turned = dd_xor(a->bit[i], when);
    dd_set(&a->bit[i], add_bits(turned, dd_false(), &carry));
    dd_drop(turned);
  }
  dd_drop(carry);
}

// In `width` bits, base 0, none left out.
static struct word complement(const struct word *a, unsigned width) {
  struct word out = word_rebase(a, 0, width);
  while (out.count < width) out.bit[out.count++] = dd_false();
  return out;
}

// Restoring division of magnitudes. The rest takes one bit more than the divisor.
static void divide_bits(const struct word *a, const struct word *b, unsigned width,
                        struct word *quotient, struct word *rest) {
  *quotient = (struct word){.count = width};
  *rest = (struct word){0};
  struct word minus = word_copy(b); // 2^(width+1) - 1 - b
  word_negate_bits(&minus);
  for (unsigned i = width; i-- > 0;) {
    bool nothing = dd_is_false(a->bit[i]) && !rest->count;
    if (nothing) { // leading zeros give zeros; what is divided by 0 does not matter here
      quotient->bit[i] = dd_false();
      continue;
    }
    struct word next = shifted_up(rest, 1, width);
    dd_set(&next.bit[0], dd_copy(a->bit[i]));
    dd small = less_bits(&next, b);
    struct word one = spelled(1), less = add_in(&next, &minus, width);
    word_set(&less, add_in(&less, &one, width));
    word_set(rest, word_select(small, &next, &less));
    drop_zeros(rest);
    quotient->bit[i] = dd_not(small);
    dd_drop(small);
    word_clear(&next);
    word_clear(&less);
  }
  word_clear(&minus);
}

struct word word_divide(const struct word *a, const struct word *b, struct bounds within,
                        bool remainder) {
  unsigned width = word_width(within);
  if (width < WORD_BITS) width++; // room for the opposite of the smallest, and for a shifted rest
  struct word x = complement(a, width), y = complement(b, width), quotient, rest;
  dd negative = dd_copy(x.bit[width - 1]), differ = dd_xor(negative, y.bit[width - 1]);
  oppose(&x, width, negative);
  dd minus_b = dd_copy(y.bit[width - 1]);
  oppose(&y, width, minus_b);
  divide_bits(&x, &y, width, &quotient, &rest);
  while (rest.count < width) rest.bit[rest.count++] = dd_false();
  struct word zero = word_const(0);
  dd by_zero = word_equal(&y, &zero);
  struct word *wanted = remainder ? &rest : &quotient;
  oppose(wanted, width, remainder ? negative : differ);
  struct word value = sign_read(word_copy(wanted), width);
  struct word out = word_select(by_zero, &zero, &value);
  struct word *all[] = {&x, &y, &quotient, &rest, &value};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) word_clear(all[i]);
  dd_drop(negative);
  dd_drop(differ);
  dd_drop(minus_b);
  dd_drop(by_zero);
  return out;
}

// By a constant; a count below 0 shifts the other way.
static struct word shift_by(const struct word *a, int64_t by, struct bounds value, bool left) {
  if (by <= -64 || by >= 64) return word_const(0);
  if (by < 0) return shift_by(a, -by, value, !left);
  unsigned width = left ? WORD_BITS : word_width(value);
  struct word x = complement(a, width), out;
  if (left) {
    out = sign_read(shifted_up(&x, (unsigned)by, width), width);
  } else {
    out = (struct word){.count = width};
    for (unsigned i = 0; i < width; i++)
      out.bit[i] = dd_copy(x.bit[i + by < width ? i + by : width - 1]);
    out = sign_read(out, width);
  }
  word_clear(&x);
  return out;
}

struct word word_shift(const struct word *a, const struct word *count, struct bounds value,
                       struct bounds counts, bool left) {
  struct word out = word_const(0);
  for (int64_t by = -63; by <= 63; by++) {
    if (by < counts.lo || by > counts.hi) continue;
    struct word k = word_const((uint64_t)by), moved = shift_by(a, by, value, left);
    dd is = word_equal(count, &k);
    word_set(&out, word_select(is, &moved, &out));
    word_clear(&moved);
    dd_drop(is);
  }
  return out;
}
