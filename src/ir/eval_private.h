// SPDX-License-Identifier: Apache-2.0
// Private to the room: the inside of the evaluator, shared by eval.c, explain.c and fold.c.
#pragma once

#include "ir/eval.h"

#include <setjmp.h>

struct ir_eval {
  const struct ir_model *m;
  const struct ir_leaf *leaf; // of the layout in use
  uint64_t *state;
  int64_t *cells; // the stack of locals; indices, since it may move
  size_t capacity, top;
  size_t base;     // of the current frame
  int64_t *result; // of the last RETURN
  size_t result_capacity;
  uint32_t depth;  // of calls
  uintptr_t stack; // where the C stack was at the public call
  jmp_buf boundary;
  uint32_t site;
  uint32_t prunes; // of the assumption that dropped a step
  struct text detail;
  uint64_t *covers;
  bool covered;
  bool collect;
  struct text prints;
  uint64_t *wide; // the state that a start rule works on
};

// Where an lvalue is: a cell (absolute index) or a leaf. A reference parameter's cell holds
// at << 1 | local.
struct place {
  bool local;
  uint64_t at;
};

// A walk through a domain.
struct iteration {
  const struct ir_type *type;
  uint64_t rank, left;
  int64_t value, step;
};

void ir_eval_begin(struct ir_eval *e, const struct ir_frame *f, const uint64_t *state);
struct place ir_eval_place(struct ir_eval *e, const struct ir_expr *x);
int64_t ir_eval_scalar(struct ir_eval *e, const struct ir_expr *x);
void ir_eval_domain(struct ir_eval *e, const struct ir_domain *d, uint32_t site,
                    struct iteration *it);
bool ir_eval_domain_next(struct iteration *it, int64_t *value);

// Arithmetic and comparison of an expression's node on operand values; faults through e.
int64_t ir_eval_arithmetic(struct ir_eval *e, const struct ir_expr *x, int64_t a, int64_t b);
int64_t ir_eval_wrap(const struct ir_type *t, uint64_t v); // to the bits of a machine integer
bool ir_eval_fits(const struct ir_type *t, __int128 v);
