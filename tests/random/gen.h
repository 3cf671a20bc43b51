// SPDX-License-Identifier: Apache-2.0
// Inside the generator: what is in scope, and the makers of expressions and statements.
#pragma once

#include "random/generate.h"

#define NOWHERE ((struct span){0})

struct gen {
  struct ir_model *m;
  struct rng rng;
  VEC(const struct ir_type *) types;   // those that variables may have
  VEC(const struct ir_type *) scalars; // the scalar ones among them
  struct ir_frame *frame;              // of the rule, function or property being made; NULL: none
  VEC(struct ir_local *) scope;        // locals visible here
  const struct ir_function *inside;    // the function being made, or NULL
  bool pure;                           // state must not be written (functions with a result)
  bool in_start;
  bool tame;                        // nothing may fault: see tame.c
  VEC(const struct ir_var *) holes; // tame: the variables with undefined leaves, read with care
  uint32_t names;                   // for fresh names
  uint32_t loops;                   // how deep we are inside loops
  uint32_t rule_number, stmt_number;
  const struct generate_cut *cut;
};

// --- chance ---
static inline uint32_t pick(struct gen *g, uint32_t n) { return (uint32_t)rng_below(&g->rng, n); }
static inline bool chance(struct gen *g, uint32_t percent) { return pick(g, 100) < percent; }
static inline int64_t between(struct gen *g, int64_t lo, int64_t hi) {
  return lo + (int64_t)rng_below(&g->rng, (uint64_t)(hi - lo) + 1);
}
const char *gen_name(struct gen *g, const char *prefix);

// --- expressions (expr.c) ---
// A value that fits, or may fit, into a leaf of scalar type t.
struct ir_expr *gen_expr(struct gen *g, const struct ir_type *t, int depth);
struct ir_expr *gen_bool(struct gen *g, int depth);
struct ir_expr *gen_number(struct gen *g, int depth); // of int_type or a range
struct ir_expr *gen_const(struct gen *g, const struct ir_type *t);
// An lvalue of exactly this type (or NULL), one that may be written to if so asked.
struct ir_expr *gen_lvalue(struct gen *g, const struct ir_type *t, bool writable, int depth);
// Down from base to some part of type t, which it contains.
struct ir_expr *gen_part(struct gen *g, struct ir_expr *base, const struct ir_type *t, int depth);
bool gen_may_contain(const struct ir_type *whole, const struct ir_type *part);
const struct ir_type *gen_some_scalar(struct gen *g, const struct ir_type *t);
// Some scalar leaf of some variable (or of a local that may be written to): what a step changes.
struct ir_expr *gen_target(struct gen *g, int depth);
// Arguments for a call, or false when there are none that fit.
bool gen_args(struct gen *g, const struct ir_function *f, struct ir_expr **args, int depth);
// A bound local over some domain, put into scope; *d is the domain. Constant bounds if asked for.
struct ir_local *gen_bound(struct gen *g, struct ir_domain **d, bool constant);
// A local of this kind with a fresh name.
struct ir_local *gen_local(struct gen *g, enum ir_local_kind kind, const struct ir_type *t);

// --- families (family.c) ---
// Gives the rule parameters over elements of arrays; the guard is NULL if there are no arrays.
struct ir_expr *gen_family_guard(struct gen *g, struct ir_rule *r);
struct ir_expr *gen_family_quantifier(struct gen *g, int depth); // or NULL

// --- what keeps a tame model from faulting (tame.c) ---
// A number brought into the range t, or (any t but a range) one as small as tame_number makes it.
struct ir_expr *tame_into(struct gen *g, const struct ir_type *t, struct ir_expr *number);
struct ir_expr *tame_binary(struct gen *g, enum ir_op op, struct ir_expr *a, struct ir_expr *b);
// A machine integer as a number, and a number as a machine integer.
struct ir_expr *tame_to_number(struct gen *g, struct ir_expr *machine);
struct ir_expr *tame_from_number(struct gen *g, const struct ir_type *t, struct ir_expr *number);
// True always, and its negation, but not so that folding or the C compiler could see it.
struct ir_expr *tame_truth(struct gen *g, bool value, int depth);
// Variables with holes: a scalar (read only when it is defined), a test, two whole ones.
struct ir_expr *tame_hole_value(struct gen *g, const struct ir_type *t);
struct ir_expr *tame_hole_test(struct gen *g);
struct ir_stmt *tame_hole_stmt(struct gen *g);
bool tame_is_hole(const struct gen *g, const struct ir_var *v);

// --- statements (stmt.c) ---
struct ir_stmt *gen_block(struct gen *g, int length, int depth);
