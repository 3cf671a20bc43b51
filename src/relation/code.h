// SPDX-License-Identifier: Apache-2.0
// Codes: the bits of a leaf or of a choice, and what they mean. Code 0 is "undefined" where that
// can be, a value's code is its rank in the type (or in the domain), and one more then.
#pragma once

#include "relation/word.h"

struct ir_domain;
struct ir_type;

struct code {
  const unsigned *var; // by which the algebra knows its bits, lowest first
  unsigned count;
  const struct ir_type *type;     // NULL: the range below
  const struct ir_domain *domain; // of a choice
  bool undef;                     // code 0 is undefined
};

uint64_t code_count(const struct code *c); // codes from 0 on that mean something; 0: all 2^64
bit code_is(const struct bits *o, const struct code *c, uint64_t code);
bit code_below(const struct bits *o, const struct code *c, uint64_t limit);      // 0: 2^64
bit code_same(const struct bits *o, const struct code *a, const struct code *b); // equally long
struct word code_plain(const struct bits *o, const struct code *c); // its bits, on base 0
struct word code_word(const struct bits *o, const struct code *c);
// It holds this value; of one with a type.
bit code_has(const struct bits *o, const struct code *c, int64_t value);
// Of a Boolean: it is true.
bit code_true(const struct bits *o, const struct code *c);
// It is a value of the domain.
bit code_within(const struct bits *o, const struct code *c, const struct ir_domain *d);
