// SPDX-License-Identifier: Apache-2.0
// Terms as formulas of a solver, with just the values that term.h gives them: as bit vectors, each
// of the width that its interval needs, or as integers without bounds, with what wrapping round
// takes off told explicitly. Leaves are unknowns; there are no choices. Private to the room.
#pragma once

#include "hybrid/smt.h"
#include "relation/term.h"

struct formula_number {
  smt_term term; // of an integer: congruent to the value modulo 2^64 if bounds are wider than that
  __int128 lo, hi; // of integers
};

struct formula {
  struct smt *smt;
  bool bits; // bit vectors
  // The variable of a LEAF: a Boolean if that is one, else a number (of formula_width bits of the
  // bounds it was made with).
  smt_term (*unknown)(void *context, const struct term *leaf);
  void *context;
  // Integers only: the first term that is not linear; what was made is worth nothing then.
  const struct term *nonlinear;
  // By id of the term; NULL: not made yet.
  smt_term *truths;
  struct formula_number *numbers;
  smt_term *values; // integers: brought into 64 bits
  size_t capacity;
  uint32_t fresh; // variables of its own
  VEC(const struct term *) stack;
};
void formula_clear(struct formula *f);
smt_term formula_truth(struct formula *f, const struct term *a);
smt_term formula_value(struct formula *f, const struct term *a);
// lo <= a <= hi, of a variable that formula_width of these made.
smt_term formula_within(struct formula *f, smt_term a, int64_t lo, int64_t hi);
unsigned formula_width(int64_t lo, int64_t hi); // bits of a signed number that holds them

// --- between formula*.c ---

smt_term formula_fresh(struct formula *f); // an integer
// Arguments are made already. EQ, LT, ULT; and what is a number.
smt_term formula_linear_compare(struct formula *f, const struct term *a);
struct formula_number formula_linear_number(struct formula *f, const struct term *a);
smt_term formula_linear_value(struct formula *f, const struct term *a);
smt_term formula_bits_compare(struct formula *f, const struct term *a);
smt_term formula_bits_number(struct formula *f, const struct term *a);
