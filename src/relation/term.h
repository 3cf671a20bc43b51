// SPDX-License-Identifier: Apache-2.0
// Terms: what a leaf will hold, or whether something happens, as a function of the leaves of the
// state before and of the choices of a rule. Hash-consed: equal terms are one node, so that walking
// them with a memo costs what the graph costs. Constructors simplify; no term has a side effect and
// none can fail (what can is told by error conditions beside, relation.h): where an operation has
// no meaning, as a division by zero, it has some value or other. Arithmetic is that of 64-bit
// patterns: it wraps round, and what a smaller type makes of it is a WRAP around it.
#pragma once

#include "base/base.h"

struct ir_type;

enum term_op {
  TERM_CONST,
  TERM_LEAF,    // value of a leaf; any of its type's where it is undefined
  TERM_DEFINED, // Boolean: the leaf is not undefined
  TERM_CHOICE,  // value of a choice of the rule
  TERM_NOT,
  TERM_AND,
  TERM_OR,
  TERM_EQ,
  TERM_LT,  // signed
  TERM_ULT, // of 64-bit patterns, unsigned
  TERM_ADD,
  TERM_SUB,
  TERM_MUL,
  TERM_DIV, // toward zero, signed, as in IR
  TERM_MOD,
  TERM_BITAND,
  TERM_BITOR,
  TERM_BITXOR,
  TERM_SHL,  // of 64 bits, as in IR: a negative count shifts the other way, past the width gives 0
  TERM_SHR,  // arithmetic
  TERM_WRAP, // args[0] brought into `bits` bits, signed or not
  TERM_ITE,  // args[0] ? args[1] : args[2]
  TERM_OPS
};

struct term {
  enum term_op op;
  uint32_t id;     // order of creation: arguments come before what they are in
  int64_t lo, hi;  // all its values lie between; 0 and 1 of Booleans
  int64_t value;   // CONST
  uint64_t leaf;   // LEAF, DEFINED
  uint32_t choice; // CHOICE: which of its rule's
  uint8_t bits;    // WRAP
  bool is_signed;  // WRAP
  bool is_bool;    // comparison, connective, DEFINED, a Boolean leaf or choice, 0 and 1 as such
  uint8_t args;    // how many
  const struct ir_type *type; // LEAF, CHOICE: a scalar type; else NULL
  const struct term *arg[3];
};

struct terms; // where they are made; everything hangs in its arena
struct terms *terms_new(void);
void terms_free(struct terms *t);
size_t terms_count(const struct terms *t); // ids are below

const struct term *term_const(struct terms *t, int64_t value);
const struct term *term_bool(struct terms *t, bool value);
const struct term *term_leaf(struct terms *t, uint64_t leaf, const struct ir_type *type);
// The same of one whose values are known to lie between these, where the term is used.
const struct term *term_leaf_within(struct terms *t, uint64_t leaf, const struct ir_type *type,
                                    int64_t lo, int64_t hi);
const struct term *term_defined(struct terms *t, uint64_t leaf);
const struct term *term_choice(struct terms *t, uint32_t choice, const struct ir_type *type);
// The same of one whose values lie between these: a domain that is narrower than its type.
const struct term *term_choice_within(struct terms *t, uint32_t choice, const struct ir_type *type,
                                      int64_t lo, int64_t hi);
const struct term *term_not(struct terms *t, const struct term *a);
const struct term *term_and(struct terms *t, const struct term *a, const struct term *b);
const struct term *term_or(struct terms *t, const struct term *a, const struct term *b);
// EQ to SHR. Booleans are numbers here.
const struct term *term_binary(struct terms *t, enum term_op op, const struct term *a,
                               const struct term *b);
const struct term *term_wrap(struct terms *t, const struct term *a, uint8_t bits, bool is_signed);
const struct term *term_ite(struct terms *t, const struct term *c, const struct term *a,
                            const struct term *b);
bool term_is(const struct term *a, int64_t value); // is it this constant?

// What operations mean: EQ to SHR on values, WRAP, and bounds of what EQ to SHR give, from those of
// the operands (only lo and hi of a and b count).
int64_t term_apply(enum term_op op, int64_t a, int64_t b);
int64_t term_wrapped(int64_t v, uint8_t bits, bool is_signed);
void term_interval(enum term_op op, const struct term *a, const struct term *b, int64_t *lo,
                   int64_t *hi);

// The same with this in place of a choice.
const struct term *term_replace(struct terms *t, const struct term *a, uint32_t choice,
                                const struct term *by);

// Bit sets of the leaves and choices that it depends on are or-ed into these (NULL: don't care).
void term_support(const struct term *a, uint64_t *leaves, uint64_t *choices);
// Its value, given those of leaves (IR_UNDEF: undefined) and choices: the definition, for tests.
int64_t term_value(const struct term *a, const int64_t *leaves, const int64_t *choices);
void term_print(struct text *out, const struct term *a);
// Printed with the names of the model's leaves; NULL: with their numbers. Nodes in `named` (by id;
// NULL: none) other than a itself are called by their id.
struct ir_model;
void term_print_as(struct text *out, const struct term *a, const struct ir_model *m,
                   const bool *named);
