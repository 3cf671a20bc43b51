// SPDX-License-Identifier: Apache-2.0
// Private to the room: numbers as vectors of diagrams. A word's value is base plus its bits, read
// as an unsigned number, modulo 2^64: a leaf of a range is its code's bits as they are, on a base.
// Bits belong to the word; functions return new words and leave their arguments alone.
#pragma once

#include "symbolic/dd.h"

#define WORD_BITS 64

struct word {
  uint64_t base;
  unsigned count;
  dd bit[WORD_BITS];
};

struct bounds { // between which a term's values lie
  int64_t lo, hi;
};

struct word word_const(uint64_t value);
struct word word_of_bool(dd a); // takes it over
struct word word_copy(const struct word *a);
void word_clear(struct word *a);
void word_set(struct word *to, struct word a);
void word_negate_bits(struct word *a); // each bit becomes its opposite
// Drops bits that no value within the bounds needs, on another base if that saves several.
void word_trim(struct word *a, struct bounds b);
// The same value on another base, in `count` bits: right for values from there on that fit.
struct word word_rebase(const struct word *a, uint64_t base, unsigned count);

struct word word_add(const struct word *a, const struct word *b);
struct word word_sub(const struct word *a, const struct word *b);
struct word word_select(dd condition, const struct word *a, const struct word *b);
dd word_equal(const struct word *a, const struct word *b);
// `within` holds for the values of both.
dd word_less(const struct word *a, const struct word *b, struct bounds within);

unsigned word_width(struct bounds b); // bits in two's complement for all values between
struct word word_mul(const struct word *a, const struct word *b, struct bounds result);
// As terms have them: toward zero, 0 where b is 0.
struct word word_divide(const struct word *a, const struct word *b, struct bounds within,
                        bool remainder);
struct word word_bitwise(const struct word *a, const struct word *b, struct bounds within,
                         dd (*op)(dd, dd));
struct word word_shift(const struct word *a, const struct word *count, struct bounds value,
                       struct bounds counts, bool left);
struct word word_wrap(const struct word *a, unsigned bits, bool is_signed);
