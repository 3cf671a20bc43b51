// SPDX-License-Identifier: Apache-2.0
// The interpreter: what a model means. Everything else is tested against it.
#pragma once

#include "ir/ir.h"

enum ir_outcome {
  IR_OK,
  IR_DISABLED, // guard false
  IR_DROPPED,  // an assume failed: the step does not exist
  IR_FAILED,   // a fault; site says which
};

struct ir_eval; // an evaluator: stack, frames; one per thread

struct ir_eval *ir_eval_new(const struct ir_model *m);
void ir_eval_free(struct ir_eval *e);

// Evaluates the guard of an instance on a packed state.
enum ir_outcome ir_eval_guard(struct ir_eval *e, const struct ir_rule *r, const int64_t *params,
                              const int64_t *choices, const uint64_t *state);
// Runs the body in place. After IR_FAILED the state is as it was when it failed. A start rule
// begins with everything undefined, whatever is in `state`.
enum ir_outcome ir_eval_body(struct ir_eval *e, const struct ir_rule *r, const int64_t *params,
                             const int64_t *choices, uint64_t *state);
// Evaluates a Boolean (property, atom) over a packed state: IR_OK and *value, or IR_FAILED.
enum ir_outcome ir_eval_bool(struct ir_eval *e, const struct ir_frame *f, const struct ir_expr *x,
                             const uint64_t *state, bool *value);
// Evaluates an integer over a packed state: IR_OK and *value, or IR_FAILED, also where it is
// undefined.
enum ir_outcome ir_eval_int(struct ir_eval *e, const struct ir_frame *f, const struct ir_expr *x,
                            const uint64_t *state, int64_t *value);
// The site of the last IR_FAILED, and details as a sentence ("index 5 is outside 0..3").
uint32_t ir_eval_site(const struct ir_eval *e);
const char *ir_eval_detail(const struct ir_eval *e);
// After a body that came to IR_DROPPED: a step that agrees with this one in so many of the rule's
// choices, from the first on, is dropped, too.
uint32_t ir_eval_prunes(const struct ir_eval *e);
// COVER statements reached by the last body: bit set over properties, or NULL for none.
const uint64_t *ir_eval_covers(const struct ir_eval *e);
// What PRINT statements of the last body printed; "" when nothing. Collected only if asked for.
void ir_eval_collect_prints(struct ir_eval *e, bool on);
const char *ir_eval_prints(const struct ir_eval *e);

// Why is this Boolean false (or true, when `want` is true) in the state? Writes lines such as
//   "forall i = Node_1, j = Node_2: Cache[Node_1].State = E & Cache[Node_2].State = E"
// naming the failing conjunct, the quantifier values and the leaves' values.
void ir_explain(struct text *out, struct ir_eval *e, const struct ir_frame *f,
                const struct ir_expr *x, const uint64_t *state);
