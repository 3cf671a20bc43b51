// SPDX-License-Identifier: Apache-2.0
// Numbers as vectors of bits. A word's value is base plus its bits, read as an unsigned number,
// modulo 2^64: a leaf of a range is its code's bits as they are, on a base. Bits belong to the
// word; functions return new words and leave their arguments alone.
#pragma once

#include "relation/bits.h"

#define WORD_BITS 64

struct word {
  uint64_t base;
  unsigned count;
  bit bit[WORD_BITS];
};

struct bounds { // between which a term's values lie
  int64_t lo, hi;
};

struct word word_const(uint64_t value);
struct word word_of_bool(bit a); // takes it over
struct word word_copy(const struct bits *o, const struct word *a);
void word_clear(const struct bits *o, struct word *a);
void word_set(const struct bits *o, struct word *to, struct word a);
void word_negate_bits(const struct bits *o, struct word *a); // each bit becomes its opposite
// Drops bits that no value within the bounds needs, on another base if that saves several.
void word_trim(const struct bits *o, struct word *a, struct bounds b);
// The same value on another base, in `count` bits: right for values from there on that fit.
struct word word_rebase(const struct bits *o, const struct word *a, uint64_t base, unsigned count);

struct word word_add(const struct bits *o, const struct word *a, const struct word *b);
struct word word_sub(const struct bits *o, const struct word *a, const struct word *b);
struct word word_select(const struct bits *o, bit condition, const struct word *a,
                        const struct word *b);
bit word_equal(const struct bits *o, const struct word *a, const struct word *b);
// `within` holds for the values of both.
bit word_less(const struct bits *o, const struct word *a, const struct word *b,
              struct bounds within);

unsigned word_width(struct bounds b); // bits in two's complement for all values between
struct word word_mul(const struct bits *o, const struct word *a, const struct word *b,
                     struct bounds result);
// As terms have them: toward zero, 0 where b is 0.
struct word word_divide(const struct bits *o, const struct word *a, const struct word *b,
                        struct bounds within, bool remainder);
struct word word_bitwise(const struct bits *o, const struct word *a, const struct word *b,
                         struct bounds within, bit (*op)(const struct bits *, bit, bit));
struct word word_shift(const struct bits *o, const struct word *a, const struct word *count,
                       struct bounds value, struct bounds counts, bool left);
struct word word_wrap(const struct bits *o, const struct word *a, unsigned bits, bool is_signed);
