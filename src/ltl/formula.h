// SPDX-License-Identifier: Apache-2.0
// The inside of a factory, and short ways to make formulas, for the files of this room.
#pragma once

#include "ltl/ltl.h"

struct ltl_factory {
  struct arena *arena;
  VEC(const struct ltl *) nodes; // by id
  uint32_t *table;               // ids + 1, open addressing, a power of two; 0: free
  size_t table_size;
};

static inline bool ltl_is_unary(enum ltl_op op) {
  return op == LTL_NOT || (op >= LTL_NEXT && op <= LTL_ALWAYS) ||
         (op >= LTL_PREVIOUS && op <= LTL_HISTORICALLY);
}
static inline bool ltl_is_past(enum ltl_op op) { return op >= LTL_PREVIOUS; }
static inline bool ltl_is_future(enum ltl_op op) { return op >= LTL_NEXT && op < LTL_PREVIOUS; }
static inline bool ltl_is_binary(enum ltl_op op) { return op > LTL_NOT && !ltl_is_unary(op); }
static inline const struct ltl *ltl_unary(struct ltl_factory *f, enum ltl_op op,
                                          const struct ltl *x) {
  return ltl_make(f, op, x, NULL);
}
