// SPDX-License-Identifier: Apache-2.0
// Words: sums, comparison, selection. Numbers that are not meant to be (codes of no value) may give
// anything; those that are obey base + bits = value modulo 2^64 throughout.
#include "relation/word.h"

#include <string.h>

static unsigned bit_length(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

struct word word_const(uint64_t value) {
  return (struct word){.base = value};
}

struct word word_of_bool(bit a) {
  struct word w = {.count = 1};
  w.bit[0] = a;
  return w;
}

struct word word_copy(const struct bits *o, const struct word *a) {
  struct word w = {.base = a->base, .count = a->count};
  for (unsigned i = 0; i < a->count; i++) w.bit[i] = bits_copy(o, a->bit[i]);
  return w;
}

static void shorten(const struct bits *o, struct word *a, unsigned count) {
  while (a->count > count) bits_drop(o, a->bit[--a->count]);
}

void word_clear(const struct bits *o, struct word *a) { shorten(o, a, 0); }

void word_set(const struct bits *o, struct word *to, struct word a) {
  word_clear(o, to);
  *to = a;
}

void word_negate_bits(const struct bits *o, struct word *a) {
  for (unsigned i = 0; i < a->count; i++) bits_set(o, &a->bit[i], bits_not(o, a->bit[i]));
}

static void drop_zeros(const struct bits *o, struct word *a) {
  while (a->count && a->bit[a->count - 1] == o->no) a->count--;
}

void word_trim(const struct bits *o, struct word *a, struct bounds b) {
  if ((int64_t)a->base <= b.lo) shorten(o, a, bit_length((uint64_t)b.hi - a->base));
  drop_zeros(o, a);
  unsigned needed = bit_length((uint64_t)b.hi - (uint64_t)b.lo);
  if (a->count > needed + 1) word_set(o, a, word_rebase(o, a, (uint64_t)b.lo, needed));
}

static bit bit_or_zero(const struct bits *o, const struct word *a, unsigned i) {
  return i < a->count ? a->bit[i] : o->no;
}

// sum = a + b + carry; carry becomes that of the next place.
static bit add_bits(const struct bits *o, bit a, bit b, bit *carry) {
  if (*carry == o->no && b == o->no) return bits_copy(o, a);
  bit half = bits_xor(o, a, b), both = bits_and(o, a, b);
  bit sum = bits_xor(o, half, *carry);
  bits_and_to(o, &half, bits_copy(o, *carry));
  bits_or_to(o, &both, half);
  bits_set(o, carry, both);
  return sum;
}

// Bits of a plus those of b, modulo 2^count; bases are left alone.
static struct word add_in(const struct bits *o, const struct word *a, const struct word *b,
                          unsigned count) {
  struct word sum = {.count = count};
  bit carry = o->no;
  for (unsigned i = 0; i < count; i++)
    sum.bit[i] = add_bits(o, bit_or_zero(o, a, i), bit_or_zero(o, b, i), &carry);
  bits_drop(o, carry);
  return sum;
}

// A constant's bits, as a word on base 0.
static struct word spelled(const struct bits *o, uint64_t value) {
  struct word w = {.count = bit_length(value)};
  for (unsigned i = 0; i < w.count; i++) w.bit[i] = value >> i & 1 ? o->yes : o->no;
  return w;
}

struct word word_rebase(const struct bits *o, const struct word *a, uint64_t base, unsigned count) {
  struct word by = spelled(o, a->base - base), out = add_in(o, a, &by, count);
  out.base = base;
  drop_zeros(o, &out);
  return out;
}

static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

static unsigned room(unsigned a, unsigned b) { // for a sum of such lengths
  unsigned n = larger(a, b) + 1;
  return n > WORD_BITS ? WORD_BITS : n;
}

struct word word_add(const struct bits *o, const struct word *a, const struct word *b) {
  struct word sum = add_in(o, a, b, room(a->count, b->count));
  sum.base = a->base + b->base;
  drop_zeros(o, &sum);
  return sum;
}

// -b is the opposite of its bits, on the base -b.base - 111..1.
struct word word_sub(const struct bits *o, const struct word *a, const struct word *b) {
  struct word minus = word_copy(o, b);
  word_negate_bits(o, &minus);
  uint64_t ones = b->count ? ~UINT64_C(0) >> (64 - b->count) : 0;
  minus.base = -b->base - ones;
  struct word out = word_add(o, a, &minus);
  word_clear(o, &minus);
  return out;
}

// Puts both on the lower of their bases.
static void align(const struct bits *o, const struct word *a, const struct word *b, struct word *x,
                  struct word *y) {
  uint64_t base = (int64_t)a->base < (int64_t)b->base ? a->base : b->base;
  const struct word *in[2] = {a, b};
  struct word *out[2] = {x, y};
  for (int i = 0; i < 2; i++) {
    uint64_t by = in[i]->base - base;
    *out[i] =
        by ? word_rebase(o, in[i], base, room(in[i]->count, bit_length(by))) : word_copy(o, in[i]);
  }
}

struct word word_select(const struct bits *o, bit condition, const struct word *a,
                        const struct word *b) {
  struct word x, y;
  align(o, a, b, &x, &y);
  struct word out = {.base = x.base, .count = larger(x.count, y.count)};
  for (unsigned i = 0; i < out.count; i++) {
    bit p = bit_or_zero(o, &x, i), q = bit_or_zero(o, &y, i);
    out.bit[i] = p == q ? bits_copy(o, p) : bits_ite(o, condition, p, q);
  }
  word_clear(o, &x);
  word_clear(o, &y);
  return out;
}

bit word_equal(const struct bits *o, const struct word *a, const struct word *b) {
  struct word x, y;
  align(o, a, b, &x, &y);
  bit out = o->yes;
  for (unsigned i = 0; i < larger(x.count, y.count); i++)
    bits_and_to(o, &out, bits_equal(o, bit_or_zero(o, &x, i), bit_or_zero(o, &y, i)));
  word_clear(o, &x);
  word_clear(o, &y);
  return out;
}

// Unsigned comparison of bits.
static bit less_bits(const struct bits *o, const struct word *a, const struct word *b) {
  bit less = o->no;
  for (unsigned i = 0; i < larger(a->count, b->count); i++) {
    bit p = bit_or_zero(o, a, i), q = bit_or_zero(o, b, i);
    bit differ = bits_xor(o, p, q);
    bits_set(o, &less, bits_ite(o, differ, q, less));
    bits_drop(o, differ);
  }
  return less;
}

bit word_less(const struct bits *o, const struct word *a, const struct word *b,
              struct bounds within) {
  if (a->base == b->base && (int64_t)a->base <= within.lo) return less_bits(o, a, b);
  unsigned count = bit_length((uint64_t)within.hi - (uint64_t)within.lo);
  struct word x = word_rebase(o, a, (uint64_t)within.lo, count);
  struct word y = word_rebase(o, b, (uint64_t)within.lo, count);
  bit less = less_bits(o, &x, &y);
  word_clear(o, &x);
  word_clear(o, &y);
  return less;
}

unsigned word_width(struct bounds b) {
  unsigned lo = bit_length(b.lo < 0 ? ~(uint64_t)b.lo : (uint64_t)b.lo);
  unsigned hi = bit_length(b.hi < 0 ? ~(uint64_t)b.hi : (uint64_t)b.hi);
  return larger(lo, hi) + 1;
}

// -2^(n-1) and the highest bit turned round.
static struct word sign_read(const struct bits *o, struct word a, unsigned width) {
  while (a.count < width) a.bit[a.count++] = o->no;
  bits_set(o, &a.bit[width - 1], bits_not(o, a.bit[width - 1]));
  a.base = -(UINT64_C(1) << (width - 1));
  return a;
}

struct word word_wrap(const struct bits *o, const struct word *a, unsigned bits, bool is_signed) {
  struct word low = word_rebase(o, a, 0, bits);
  return is_signed ? sign_read(o, low, bits) : low;
}

struct word word_bitwise(const struct bits *o, const struct word *a, const struct word *b,
                         struct bounds within, bit (*op)(const struct bits *, bit, bit)) {
  unsigned width = word_width(within);
  struct word x = word_rebase(o, a, 0, width), y = word_rebase(o, b, 0, width);
  struct word out = {.count = width};
  for (unsigned i = 0; i < width; i++)
    out.bit[i] = op(o, bit_or_zero(o, &x, i), bit_or_zero(o, &y, i));
  word_clear(o, &x);
  word_clear(o, &y);
  return sign_read(o, out, width);
}

// --- products, quotients, shifts ---

static struct word shifted_up(const struct bits *o, const struct word *a, unsigned by,
                              unsigned count) {
  struct word out = {.count = count};
  for (unsigned i = 0; i < count; i++)
    out.bit[i] = i < by ? o->no : bits_copy(o, bit_or_zero(o, a, i - by));
  return out;
}

struct word word_mul(const struct bits *o, const struct word *a, const struct word *b,
                     struct bounds result) {
  unsigned width = word_width(result);
  struct word x = word_rebase(o, a, 0, width), y = word_rebase(o, b, 0, width);
  struct word sum = {0};
  for (unsigned i = 0; i < y.count; i++) {
    if (y.bit[i] == o->no) continue;
    struct word part = shifted_up(o, &x, i, width);
    for (unsigned k = i; k < width; k++) bits_and_to(o, &part.bit[k], bits_copy(o, y.bit[i]));
    word_set(o, &sum, add_in(o, &sum, &part, width));
    word_clear(o, &part);
  }
  word_clear(o, &x);
  word_clear(o, &y);
  return sign_read(o, sum, width);
}

// The bits of a number of so many in two's complement turned into its opposite's, where `when`.
static void oppose(const struct bits *o, struct word *a, unsigned width, bit when) {
  bit carry = bits_copy(o, when);
  for (unsigned i = 0; i < width; i++) {
    bit turned = bits_xor(o, a->bit[i], when);
    bits_set(o, &a->bit[i], add_bits(o, turned, o->no, &carry));
    bits_drop(o, turned);
  }
  bits_drop(o, carry);
}

// In `width` bits, base 0, none left out.
static struct word complement(const struct bits *o, const struct word *a, unsigned width) {
  struct word out = word_rebase(o, a, 0, width);
  while (out.count < width) out.bit[out.count++] = o->no;
  return out;
}

// Restoring division of magnitudes. The rest takes one bit more than the divisor.
static void divide_bits(const struct bits *o, const struct word *a, const struct word *b,
                        unsigned width, struct word *quotient, struct word *rest) {
  *quotient = (struct word){.count = width};
  *rest = (struct word){0};
  struct word minus = word_copy(o, b); // 2^(width+1) - 1 - b
  word_negate_bits(o, &minus);
  for (unsigned i = width; i-- > 0;) {
    bool nothing = a->bit[i] == o->no && !rest->count;
    if (nothing) { // leading zeros give zeros; what is divided by 0 does not matter here
      quotient->bit[i] = o->no;
      continue;
    }
    struct word next = shifted_up(o, rest, 1, width);
    bits_set(o, &next.bit[0], bits_copy(o, a->bit[i]));
    bit small = less_bits(o, &next, b);
    struct word one = spelled(o, 1), less = add_in(o, &next, &minus, width);
    word_set(o, &less, add_in(o, &less, &one, width));
    word_set(o, rest, word_select(o, small, &next, &less));
    drop_zeros(o, rest);
    quotient->bit[i] = bits_not(o, small);
    bits_drop(o, small);
    word_clear(o, &next);
    word_clear(o, &less);
  }
  word_clear(o, &minus);
}

struct word word_divide(const struct bits *o, const struct word *a, const struct word *b,
                        struct bounds within, bool remainder) {
  unsigned width = word_width(within);
  if (width < WORD_BITS) width++; // room for the opposite of the smallest, and for a shifted rest
  struct word x = complement(o, a, width), y = complement(o, b, width), quotient, rest;
  bit negative = bits_copy(o, x.bit[width - 1]), differ = bits_xor(o, negative, y.bit[width - 1]);
  oppose(o, &x, width, negative);
  bit minus_b = bits_copy(o, y.bit[width - 1]);
  oppose(o, &y, width, minus_b);
  divide_bits(o, &x, &y, width, &quotient, &rest);
  while (rest.count < width) rest.bit[rest.count++] = o->no;
  struct word zero = word_const(0);
  bit by_zero = word_equal(o, &y, &zero);
  struct word *wanted = remainder ? &rest : &quotient;
  oppose(o, wanted, width, remainder ? negative : differ);
  struct word value = sign_read(o, word_copy(o, wanted), width);
  struct word out = word_select(o, by_zero, &zero, &value);
  struct word *all[] = {&x, &y, &quotient, &rest, &value};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) word_clear(o, all[i]);
  bits_drop(o, negative);
  bits_drop(o, differ);
  bits_drop(o, minus_b);
  bits_drop(o, by_zero);
  return out;
}

// By a constant; a count below 0 shifts the other way.
static struct word shift_by(const struct bits *o, const struct word *a, int64_t by,
                            struct bounds value, bool left) {
  if (by <= -64 || by >= 64) return word_const(0);
  if (by < 0) return shift_by(o, a, -by, value, !left);
  unsigned width = left ? WORD_BITS : word_width(value);
  struct word x = complement(o, a, width), out;
  if (left) {
    out = sign_read(o, shifted_up(o, &x, (unsigned)by, width), width);
  } else {
    out = (struct word){.count = width};
    for (unsigned i = 0; i < width; i++)
      out.bit[i] = bits_copy(o, x.bit[i + by < width ? i + by : width - 1]);
    out = sign_read(o, out, width);
  }
  word_clear(o, &x);
  return out;
}

struct word word_shift(const struct bits *o, const struct word *a, const struct word *count,
                       struct bounds value, struct bounds counts, bool left) {
  struct word out = word_const(0);
  for (int64_t by = -63; by <= 63; by++) {
    if (by < counts.lo || by > counts.hi) continue;
    struct word k = word_const((uint64_t)by), moved = shift_by(o, a, by, value, left);
    bit is = word_equal(o, count, &k);
    word_set(o, &out, word_select(o, is, &moved, &out));
    word_clear(o, &moved);
    bits_drop(o, is);
  }
  return out;
}
