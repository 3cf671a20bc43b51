// SPDX-License-Identifier: Apache-2.0
// SMT: the one wrapper around Z3, which is loaded when it is first asked for. A solver is one
// thread's; several may be in use at once, each in a thread of its own. Formulas are kept as long
// as their solver. goes_on may be called by another thread while the solver's own waits in a check.
#pragma once

#include "base/base.h"

struct smt;
typedef void *smt_term; // Z3_ast

struct smt_config {
  bool (*goes_on)(void *context); // asked now and then, also inside of checks
  void *context;
  size_t mem_bytes; // 0: no limit
};
// NULL, with a sentence's end in why, where the library is not there.
struct smt *smt_new(const struct smt_config *c, struct text *why);
void smt_free(struct smt *s);

// Integers without bounds.
smt_term smt_int(struct smt *s, const char *name);
smt_term smt_number(struct smt *s, int64_t value);
smt_term smt_power(struct smt *s, unsigned bits); // 2^bits, up to 64
smt_term smt_add(struct smt *s, smt_term a, smt_term b);
smt_term smt_sub(struct smt *s, smt_term a, smt_term b);
smt_term smt_times(struct smt *s, int64_t factor, smt_term a);
smt_term smt_mul(struct smt *s, smt_term a, smt_term b);
smt_term smt_div(struct smt *s, smt_term a, smt_term b); // rounds so that the rest is not negative
smt_term smt_mod(struct smt *s, smt_term a, smt_term b);
smt_term smt_le(struct smt *s, smt_term a, smt_term b);
// Bit vectors.
smt_term smt_bits(struct smt *s, const char *name, unsigned bits);
smt_term smt_bits_number(struct smt *s, int64_t value, unsigned bits);
enum smt_bits_op {
  SMT_ADD,
  SMT_SUB,
  SMT_MUL,
  SMT_SDIV,
  SMT_UDIV,
  SMT_SREM,
  SMT_UREM,
  SMT_AND,
  SMT_OR,
  SMT_XOR,
  SMT_SHL,
  SMT_LSHR,
  SMT_ASHR,
  SMT_SLT,
  SMT_ULT,
};
smt_term smt_bits_binary(struct smt *s, enum smt_bits_op op, smt_term a, smt_term b);
unsigned smt_width(struct smt *s, smt_term a);
smt_term smt_extract(struct smt *s, smt_term a, unsigned high, unsigned low);
smt_term smt_extend(struct smt *s, smt_term a, unsigned by, bool is_signed);
// Both.
smt_term smt_truth(struct smt *s, const char *name);
smt_term smt_bool(struct smt *s, bool value);
smt_term smt_not(struct smt *s, smt_term a);
smt_term smt_and(struct smt *s, const smt_term *args, unsigned count);
smt_term smt_or(struct smt *s, const smt_term *args, unsigned count);
smt_term smt_implies(struct smt *s, smt_term a, smt_term b);
smt_term smt_equal(struct smt *s, smt_term a, smt_term b);
smt_term smt_ite(struct smt *s, smt_term c, smt_term a, smt_term b);

void smt_push(struct smt *s);
void smt_pop(struct smt *s);
void smt_assert(struct smt *s, smt_term a);
// The same, of a comparison or a Boolean, of which there are many: Z3 looks through all it has for
// each of those that it is told plainly.
void smt_assert_fact(struct smt *s, smt_term a);
// Makes Z3 take in what it was told: to be called after every few thousand assertions, since what
// that costs grows with the square of their number (theory_lra's bounds).
void smt_digest(struct smt *s);
enum smt_answer { SMT_NO, SMT_YES, SMT_UNKNOWN };
// Under these assumptions, for at most so long (0: no limit). SMT_UNKNOWN: smt_why tells.
enum smt_answer smt_check(struct smt *s, const smt_term *assumptions, unsigned count,
                          double seconds);
const char *smt_why(struct smt *s); // "time", "memory", "interrupted", or what Z3 says
// A question was interrupted. Z3 does not keep its promises then: it may have forgotten assertions.
// What comes next has to be asked of a new solver.
bool smt_broken(const struct smt *s);
// After SMT_YES: what it has in the model that was found; some value where that does not matter.
int64_t smt_value(struct smt *s, smt_term a, bool is_signed);
