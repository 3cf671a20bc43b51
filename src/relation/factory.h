// SPDX-License-Identifier: Apache-2.0
// Private to the room: where terms are made, and what an operation means on numbers.
#pragma once

#include "relation/term.h"

struct terms {
  struct arena *arena;
  const struct term **table; // open addressing; capacity is a power of two
  size_t capacity, count;
};

// The one node that equals `key` in all but its id.
const struct term *term_intern(struct terms *t, struct term key);
// EQ to SHR on values.
int64_t term_apply(enum term_op op, int64_t a, int64_t b);
int64_t term_wrapped(int64_t v, uint8_t bits, bool is_signed);
// Bounds of the values of EQ to SHR, from those of its operands.
void term_interval(enum term_op op, const struct term *a, const struct term *b, int64_t *lo,
                   int64_t *hi);
// Printed with the names of the model's leaves; NULL: with their numbers. Nodes in `named` (by id;
// NULL: none) other than a itself are called by their id.
struct ir_model;
void term_print_as(struct text *out, const struct term *a, const struct ir_model *m,
                   const bool *named);
