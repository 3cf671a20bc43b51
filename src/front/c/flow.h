// SPDX-License-Identifier: Apache-2.0
// Private to flow*.c: what tidies up the one function that is left, and what it needs to know.
#pragma once

#include "front/c/program.h"

#define FLOW_NONE UINT32_MAX

struct flow {
  struct c_program *p;
  struct c_function *f;
  bool *taken;        // of each object that there was at first: somebody took its address
  size_t taken_count; // of those
};

// --- flow_rewrite.c ---
const struct c_type *flow_pointer_to(struct c_program *p, const struct c_type *to);
const struct c_type *flow_integer(struct c_program *p, uint32_t bits);
const struct c_type *flow_array(struct c_program *p, const struct c_type *of, uint64_t count);

struct flow_defs { // of each register the instruction that gives it; those made later have none
  struct c_instruction *of;
  size_t count;
};
void flow_defs_init(struct flow_defs *d, const struct c_function *f);
void flow_defs_clear(struct flow_defs *d);
const struct c_instruction *flow_def(const struct flow_defs *d, const struct c_value *v);

struct flow_out { // the new code of a block
  struct flow *w;
  VEC(struct c_instruction) code;
  const struct c_instruction *like; // the one that is rewritten
  uint32_t block, at;               // its place
};
void flow_push(struct flow_out *out, const struct c_instruction *i);
struct c_instruction *flow_put(struct flow_out *out, enum c_op op, const struct c_type *type,
                               uint32_t arg_count);
struct c_value flow_give(struct flow_out *out, struct c_instruction *i); // a new register
struct c_value flow_unary(struct flow_out *out, enum c_op op, const struct c_type *type,
                          struct c_value x);
struct c_value flow_binary(struct flow_out *out, enum c_op op, struct c_value x, int64_t y);
// In place of an instruction: its register is that value; it cannot be carried.
void flow_put_copy(struct flow_out *out, const struct c_instruction *of, struct c_value v);
void flow_put_unable(struct flow_out *out, const struct c_instruction *of, const char *what);
// Puts something in the place of the instruction, or returns false: it stays.
typedef bool flow_rewriter(void *context, struct flow_out *out, const struct c_instruction *i);
bool flow_rewrite(struct flow *w, flow_rewriter *f, void *context);

// --- flow_address.c ---
struct flow_address {
  uint32_t object;
  int64_t offset; // in bytes; may be outside of it
  bool casts;     // there is a cast on the way
  uint32_t steps; // on the way
};
// Where a pointer points to; false: it is not known.
bool flow_address(const struct flow_defs *d, struct c_value v, struct flow_address *out);
enum { FLOW_DEPTH = 16 };
struct flow_leaf { // a scalar in an object
  const struct c_type *type;
  uint64_t offset;
  uint32_t path[FLOW_DEPTH]; // fields and indices
  uint32_t depth;
};
uint64_t flow_bytes(const struct c_type *t);   // that hold its value
uint64_t flow_scalars(const struct c_type *t); // in it
bool flow_leaf_at(const struct c_type *t, uint64_t at, struct flow_leaf *out); // false: none there
// Which of the scalars of its type it is.
uint32_t flow_leaf_number(const struct c_type *t, const struct flow_leaf *leaf);
struct c_value flow_leaf_pointer(struct flow_out *out, uint32_t object,
                                 const struct flow_leaf *leaf);

// The address of a part of that type at that byte; false: there is none.
bool flow_part_pointer(struct flow_out *out, uint32_t object, int64_t at, const struct c_type *type,
                       struct c_value *pointer);

// --- flow_pun.c: memory that is read or written as another type than it has ---
bool flow_pun(struct flow *w);
// The value of the type at that byte of the object, put together of the scalars there; the same to
// write it. False: it cannot be.
bool flow_pun_load(struct flow_out *out, uint32_t object, uint64_t at, const struct c_type *type,
                   struct c_value *value);
bool flow_pun_store(struct flow_out *out, uint32_t object, uint64_t at, struct c_value value);

// --- flow_view.c: the same at places that are not known ---
bool flow_view(struct flow *w);

// --- flow_move.c: copies of structs that are no mere copies of one variable to another ---
bool flow_move(struct flow *w);
// --- flow_tuple.c: structs as values; at last what is left of them cannot be carried ---
bool flow_tuple(struct flow *w, bool last);
// --- flow_slice.c: bits put together and taken apart again ---
bool flow_slice(struct flow *w);
// --- flow_split.c: a struct of the compiler's is a variable for each of its scalars ---
bool flow_split(struct flow *w);

// --- flow_value.c ---
// Copies, phis with one value, comparisons of constants: each is replaced by what it is. True: some
// were.
bool flow_values(struct flow *w);
// Instructions whose result nobody uses go, if nothing can be wrong with them.
bool flow_unused(struct flow *w);
bool flow_is_main_argument(const struct c_instruction *i); // gives argc or argv

// --- flow_fold.c: what an operation on constants gives; false: not known ---
int64_t flow_sign_extend(uint64_t v, uint32_t bits); // as numbers of that many bits are kept
bool flow_fold(const struct c_instruction *i, struct c_value *out);

// --- flow_block.c ---
// Branches with one way become jumps, blocks nobody comes to go, a block whose only successor has
// no other predecessor becomes one with it. Those left are in the order of a walk from the first.
bool flow_blocks(struct flow *w);

// --- flow_dominate.c ---
// Of each block the last other one that every way to it leads through; FLOW_NONE of the first and
// of those nobody comes to. To be freed with mem_free.
uint32_t *flow_dominators(const struct c_function *f);
bool flow_dominates(const uint32_t *dominators, uint32_t x, uint32_t y); // x every way to y

// --- flow_once.c: pointers that are set once are what they are set to ---
bool flow_once(struct flow *w);

// --- flow_forward.c: what is stored and loaded in one block; stores that nobody loads ---
bool flow_forward(struct flow *w);
bool flow_idle_stores(struct flow *w);

// --- flow_constant.c: objects that nobody writes are constant, and loads from those known ---
bool flow_constant(struct flow *w);

// --- flow_object.c ---
bool *flow_used_objects(const struct flow *w); // of each: is it used? To be freed with mem_free
// Tells which objects are plain; one that is used after its life has ended is not.
void flow_plain(struct flow *w);
// --- flow_dead.c ---
// Objects that are used after their lives have ended, and not begun again, are not plain.
void flow_used_dead(struct flow *w);
// Marks of beginning and ending life that tell nothing go; objects nobody uses go.
void flow_objects(struct flow *w);
