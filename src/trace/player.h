// SPDX-License-Identifier: Apache-2.0
// A trace that is being replayed. Private to the room.
#pragma once

#include "ir/eval.h"
#include "trace/trace.h"

struct player {
  const struct trace *trace;
  const struct ir_model *model;
  enum ir_deadlock deadlock;
  struct ir_eval *eval;
  struct replay *out;
  size_t words;
  int64_t *params, *choices; // large enough for every rule
  uint64_t *scratch;
  bool faulted; // the last step failed, as the trace says
};

// Notes why the trace does not replay; false.
__attribute__((format(printf, 2, 3))) bool player_refuse(struct player *p, const char *format, ...);
// Takes the text as the words that explain the end.
void player_explain(struct player *p, struct text *t);
// "assertion failed: x < 3 (x is 4)"
void player_describe_fault(struct player *p, struct text *t);

static inline const uint64_t *player_last(const struct player *p) {
  return p->out->states[p->out->count - 1].words;
}

// Can nothing happen in this state, not even a failure?
bool player_stuck(struct player *p, const uint64_t *state);

// Does a step lead from this state to another, or fail?
bool player_leads_on(struct player *p, const uint64_t *state);

// Is this the trace of an automaton that goes on where the model is stuck?
bool player_stutters(const struct player *p);
// Of a cyclic property: the automaton's run is one that it has, and it accepts.
bool player_end_cyclic(struct player *p, const struct ir_property *q);
// Of a formula of computation tree logic: the run does not contradict that it is false.
bool player_end_ctl(struct player *p, const struct ir_property *q);
bool player_end_ctl_fault(struct player *p, const struct ir_property *q); // an atom of it
// Evaluating an atom on the last state fails where the trace says.
bool player_end_atom(struct player *p, const struct ir_property *q);
