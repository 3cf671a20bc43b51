// SPDX-License-Identifier: Apache-2.0
// Private to inline*.c: main while it grows.
#pragma once

#include "front/c/program.h"

struct inliner {
  struct c_program *p;
  struct c_function out;
  uint32_t recursion;
  uint32_t *active;    // of each function: how often it is being inlined now
  uint32_t *locals[2]; // of each function: its objects, from and up to; none: 0, 0
  bool *taken;         // of each function: somebody has its address
  uint32_t block;      // instructions go to this one of `out`
  uint64_t size;
};

// A function being inlined: where its parts are in `out`.
struct inline_frame {
  const struct c_function *f;
  uint32_t number;
  uint32_t block, reg, object; // its first
  const struct c_value *args;
  uint32_t arg_count;
  uint32_t *last;     // of each block: where its end went
  VEC(uint32_t) ends; // blocks that return
  VEC(struct c_value) results;
};

struct c_instruction *inline_emit(struct inliner *in, const struct c_instruction *like,
                                  enum c_op op, uint32_t arg_count);
uint32_t inline_block(struct inliner *in, const char *name);
void inline_jump(struct inliner *in, const struct c_instruction *like, uint32_t to);
struct c_value inline_register(struct inliner *in, const struct c_type *type);
// A call whose operands are main's already; what it gives is register call->index of main's.
void inline_call(struct inliner *in, const struct c_instruction *call);
// One through a pointer, the last argument: split by the functions that it may be.
void inline_indirect(struct inliner *in, const struct c_instruction *call);
