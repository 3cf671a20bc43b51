// SPDX-License-Identifier: Apache-2.0
// How a trace ends, asked of other states: would one that leads there end in the same way? Private
// to the room.
#pragma once

#include "search/shrink.h"
#include "trace/trace.h"

struct ir_eval;
struct sys_out;
struct sys_step;

struct ending {
  const struct shrink_config *config;
  const struct trace *trace; // whose end it is
  bool has_state_covers;
  struct ir_eval *eval;
  uint64_t *cover_bits; // scratch
};

void ending_init(struct ending *e, const struct shrink_config *c, const struct trace *t);
void ending_clear(struct ending *e);

// Does the last step fail? Else the last state tells.
static inline bool ending_in_step(const struct trace *t) {
  return t->end == TRACE_SITE && !t->in_property;
}

#define ENDING_BAD (UINT64_C(1) << 63) // something is wrong with the state: searches do not pass it
#define ENDING_IS  (UINT64_C(1) << 62) // (then as well) the trace may end there
uint64_t ending_marks(struct ending *e, const uint64_t *state);

// Of a state and its successors: is it the deadlock that the trace ends in?
bool ending_deadlock(struct ending *e, const uint64_t *state, const struct sys_out *out);
// The step among them that fails where the trace's last one does; NULL: none, or it does not fail.
const struct sys_step *ending_step(const struct ending *e, const struct sys_out *out);
