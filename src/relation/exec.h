// SPDX-License-Identifier: Apache-2.0
// Private to the room: symbolic execution. One walk through a rule follows all its ways at once.
//
// What leaves and locals hold are pairs of terms in cells. Where ways part both are gone, one after
// the other; what they wrote is logged, taken back, and joined by if-then-else. Three conditions
// are kept, each a term that is constantly true on straight ways:
//   base     where this way is gone at all: the conditions of the branches around
//   alive    in there, nothing has failed, and no assumption has dropped the step, since the branch
//            began; `above` is the same of all branches around
//   running  in there, the function has not returned since the branch began
#pragma once

#include "ir/ir.h"
#include "relation/relation.h"

#include <setjmp.h>

struct pair { // a value; where it is not defined it is none, and the term is any
  const struct term *value, *defined;
};

struct place;

struct cell {
  struct pair now;
  const struct place *ref; // of a parameter by reference
  uint32_t stamp;          // the branch in which it was last logged
  uint32_t other;          // while two ways are joined
};

// Where an lvalue is: in one of these cells. The conditions exclude each other, and where
// evaluation did not fail one of them holds.
struct alternative {
  const struct term *when;
  size_t at;
};
struct place {
  struct alternative one;   // if there is but one
  struct alternative *many; // else
  size_t count;
};

struct change {
  size_t cell;
  struct pair pair;
  uint32_t stamp;
};

// What an expression came to, seen from nowhere: base, alive and above true.
struct known {
  const struct ir_expr *expr;
  uint8_t uses; // what its value depends on
  uint64_t run, leaf_epoch, local_epoch;
  const struct term *value;
  struct relation_error *errors;
  size_t error_count;
};

struct exec {
  const struct ir_model *m;
  struct terms *terms;
  const struct relation_config *config;
  struct arena *scratch; // of one execution
  struct pair *initial;  // what leaves hold before a rule
  struct cell *cells;    // leaves first, then a stack of locals
  size_t capacity, top, frame;
  const struct ir_frame *outer; // the outermost frame, and how many of its locals never change
  uint32_t fixed;
  const struct term *yes, *no;
  const struct term *base, *above, *alive, *running;
  uint32_t branch, branches; // the one we are in, and how many there were
  VEC(struct change) log;    // what cells held before this branch
  VEC(struct change) ends;   // what they hold at the end of ways that wait to be joined
  VEC(struct relation_error) errors;
  size_t first_error; // those before are of what is around
  VEC(const struct term *) assumes;
  VEC(struct relation_cover) covers;
  uint32_t depth; // of calls
  size_t result;  // cells for what the function returns
  uint64_t work;
  // Expressions that are met again. The epochs tell which writes they may have missed.
  struct known *known;
  size_t known_capacity, known_count;
  uint64_t run, leaf_epoch, local_epoch;
  struct text *why;
  jmp_buf boundary;
};

// What cannot be said in terms ends everything: jumps to the boundary with the sentence in why.
_Noreturn void exec_refuse(struct exec *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Counts work, asks now and then whether to go on.
void exec_work(struct exec *e, uint64_t amount);

// --- cells, branches, faults (exec.c) ---
size_t exec_push(struct exec *e, size_t count); // cells of which nothing is known
void exec_fresh(struct exec *e, size_t at, struct pair p);
void exec_write(struct exec *e, size_t at, struct pair p);
// The first value of the type, undefined if it can be.
struct pair exec_undefined(struct exec *e, const struct ir_type *t);
void exec_undefine(struct exec *e, size_t at, const struct ir_type *t); // fresh cells
void exec_init_frame(struct exec *e, size_t base, const struct ir_frame *f);
void exec_bind(struct exec *e, const struct ir_local *l, const struct term *value);

// p where the condition holds, q where not.
struct pair exec_choose(struct exec *e, const struct term *when, struct pair p, struct pair q);

struct branch {
  const struct term *when, *base, *above, *alive, *running;
  const struct term *then_alive, *then_running;
  uint32_t branch;
  size_t mark, first, second; // in log and ends
};
// 1, 0: the condition is this, as far as one sees from here. -1: there are two ways.
int exec_decided(struct exec *e, const struct term *when);
void exec_open(struct exec *e, struct branch *b, const struct term *when);
void exec_turn(struct exec *e, struct branch *b); // now the way where it does not hold
void exec_close(struct exec *e, struct branch *b);
bool exec_dead(const struct exec *e); // nothing gets here
void exec_fail(struct exec *e, struct relation_error x);
void exec_fault(struct exec *e, const struct term *when, uint32_t site);
void exec_assume(struct exec *e, const struct term *that);
void exec_add_error(struct exec *e, struct relation_error x); // one per site

// --- expressions (exec_expr.c) ---
const struct term *exec_value(struct exec *e, const struct ir_expr *x);
const struct term *exec_condition(struct exec *e, const struct ir_expr *x); // is_bool
size_t exec_call(struct exec *e, const struct ir_expr *x); // the cells of its result

// --- expressions that are met again (exec_known.c) ---
struct known *exec_known(struct exec *e, const struct ir_expr *x);
bool exec_known_valid(const struct exec *e, const struct known *k);
bool exec_known_keeps(const struct known *k); // can it be met again?
void exec_known_store(struct exec *e, const struct ir_expr *x, const struct term *value);

// --- domains (exec_domain.c) ---
// What a loop goes through: values, and where they are among those it goes through.
struct turn {
  const struct term *value, *when;
};
struct turns {
  struct turn *data;
  size_t count, capacity;
};
void exec_domain(struct exec *e, const struct ir_domain *d, uint32_t site, struct turns *out);

// --- arithmetic (exec_arithmetic.c) ---
const struct term *exec_arithmetic(struct exec *e, const struct ir_expr *x, const struct term *a,
                                   const struct term *b);
const struct term *exec_unary(struct exec *e, const struct ir_expr *x, const struct term *a);
const struct term *exec_has(struct exec *e, const struct ir_type *t, const struct term *v);

// --- places (exec_place.c) ---
struct place exec_place(struct exec *e, const struct ir_expr *x);
struct pair exec_load(struct exec *e, const struct place *p, uint64_t offset);
void exec_store(struct exec *e, const struct place *p, uint64_t offset, struct pair v);
void exec_sort(struct exec *e, const struct place *p, const struct ir_type *t);
const struct term *exec_same(struct exec *e, struct pair a, struct pair b);

// --- statements (exec_stmt.c) ---
void exec_body(struct exec *e, const struct ir_stmt *s);

// --- whole runs (exec.c) ---
struct exec *exec_new(struct relation *r, const struct relation_config *c, struct text *why);
void exec_free(struct exec *e);
// Forgets everything; leaves are what they are before a rule, or before a start rule. The first so
// many locals of the frame are bound once and for all (exec_bind).
void exec_begin(struct exec *e, bool start, const struct ir_frame *f, uint32_t fixed);
