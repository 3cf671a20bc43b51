// SPDX-License-Identifier: Apache-2.0
// Traces, violations and the result of a run. A trace is a start and then (rule, choice) steps;
// replay runs it through the interpreter before anyone sees it.
#pragma once

#include "base/base.h"

struct ir_model;
struct ir_rule;
struct sys;

struct trace_step {
  uint32_t instance, choice;
};

// How a trace ends.
enum trace_end {
  TRACE_PROPERTY, // the last state violates property `id`; a cyclic one: the cycle does, or the
                  // automaton is at its end there
  TRACE_SITE,     // a fault at site `id`: in the last step's guard or body, in the start's body
                  // (no steps), or (in_property) when a property, or an atom for a cyclic one, was
                  // evaluated on the last state
  TRACE_DEADLOCK, // the last state is a deadlock
  TRACE_WITNESS,  // nothing is wrong: a walk, or a way to a cover goal
};

struct trace {
  uint32_t start_instance, start_choice;
  VEC(struct trace_step) steps;
  // Of rules whose choices are not numbered (ir_rule.choices is 0): `choice` of the step, or
  // start_choice, is where in here the values of the rule's choices begin.
  VEC(int64_t) values;
  bool has_loop;
  size_t loop_start; // LASSO: index of the state at which the cycle begins
  // Of a violation that an automaton told of: its state in each state of the trace, steps.count + 1
  // of them. Empty: there is none. A step with instance SYS_STUTTER is one in which nothing moved.
  VEC(uint32_t) claims;
  enum trace_end end;
  uint32_t id;      // property index or site
  bool in_property; // TRACE_SITE: the fault arose while property `property` was evaluated
  uint32_t property;
  size_t found_steps; // how many steps it had when it was found; 0: no more than now
};

void trace_clear(struct trace *t);
// The values of the rule's choices, in a step of this trace that has the number `choice`.
void trace_choices(const struct trace *t, const struct ir_rule *r, uint32_t choice,
                   int64_t *values);
// The number by which the trace knows these values of the rule's choices.
uint32_t trace_keep_choices(struct trace *t, const struct ir_rule *r, const int64_t *values);

// One state of a replayed trace.
struct trace_state {
  uint64_t *words;
  char *prints; // what PRINT statements wrote on the way here, or NULL
};

// The outcome of replaying: every state, and the words that explain the end.
struct replay {
  struct trace_state *states; // states[0] after the start rule, states[i] after steps[i-1]
  size_t count;               // a faulty last step's partial state is included
  char *explanation;          // why the property failed, in lines; or the fault in a sentence
  char *problem;              // NULL, or why the trace does not replay: an internal error
};
// Replays through the interpreter and checks that the trace ends as it says. False (and `problem`)
// when it does not: our bug, exit 6.
bool trace_replay(const struct trace *t, const struct ir_model *m, int deadlock, struct replay *r);
void replay_clear(struct replay *r);

// Is this step of a replayed trace inside a chain: does it leave a state that searches pass
// through?
bool trace_inner(const struct replay *r, const struct ir_model *m, size_t step);
// How long a replayed trace is: its steps as a search counts them, a chain being one.
size_t trace_length(const struct trace *t, const struct replay *r, const struct ir_model *m);

// How a symmetry reduction names the representative of a state (in place).
struct trace_symmetry {
  void (*canonical)(void *context, uint64_t *state);
  void *context;
};
// Turns a trace over representatives (each step's numbers hold in the representative of the state
// before it) into a real execution of `inner`, the system without the reduction. False when there
// is none: the model is not symmetric. The steps are then partly changed. It may end otherwise:
// where an invariant was violated evaluating it may fail, or the other way round, or elsewhere.
bool trace_concretise(struct trace *t, struct sys *inner, struct trace_symmetry symmetry);

// Turns a trace whose steps are chains of steps of the model (sys->unfold) into one of the model's
// own steps, the claims, if it has any, likewise. found_steps then counts those, too, but for what
// is no longer known: a chain that was left out counts as one. False when there is no such chain;
// the trace is as it was then.
bool trace_unfold(struct trace *t, struct sys *chains);

// ---------------------------------------------------------------------------------------------
// Verdicts

enum verdict { VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_UNKNOWN };
const char *verdict_name(enum verdict v);

struct property_result {
  const char *name; // properties of the model in order, then "assertions and errors", "deadlock"
  const char *kind; // "invariant", "assume", "cover", "liveness", "ltl", "ctl", "error", "deadlock"
  struct span span;
  enum verdict verdict;
  const char *reason; // for unknown: "not checked", "time", "memory", "depth", ...; else NULL
  const char *detail; // what people want to know of the reason besides; NULL: nothing
  // It had a search of its own: what that took, and how large its automaton is (0: none).
  bool searched;
  uint64_t states, transitions, automaton_states;
  double seconds;
};

// Counters that every engine keeps; one row in counters.def yields field, text line, JSON key.
struct stats {
#define COUNTER(name, unit, help)      uint64_t name;
#define COUNTER_REAL(name, unit, help) double name;
#include "trace/counters.def"
#undef COUNTER
#undef COUNTER_REAL
};

// What `--stats` shows beside the counters. Lists are empty where a search cannot tell.
struct survey {
  VEC(uint64_t) levels; // breadth first: states that were new in each level
  uint64_t *fired;      // per rule: how often it fired; NULL = not counted
  uint64_t *fresh;      // per rule: how often that led to a new state; NULL = not counted
  double *share;        // per rule: of the time of a step, on a sample of states; NULL = not timed
  uint64_t timed;       // states in that sample
  uint64_t *distinct;   // per leaf of the layout: values seen (IR_UNDEF is one), counted up to
                        // SURVEY_DISTINCT_MAX; NULL = not counted
  uint64_t sampled;     // states that `distinct` was counted on, of stats.states
};
#define SURVEY_DISTINCT_MAX 65536

struct result {
  enum verdict verdict;
  char
      *reason; // of unknown: "time", "memory", "depth", "states", "interrupted", "not checked", ...
  const char *engine, *search, *store; // what was picked
  VEC(struct property_result) properties;
  VEC(struct trace) traces; // violations, in the order found
  struct stats stats;
  struct survey survey;
  char *store_note; // what the store tells of itself, or NULL
  // Every state within this many steps of a start was found and its invariants were checked: no
  // invariant is violated by a trace as short as that, save those reported.
  uint64_t depth_complete;
  bool depth_known;   // (searches that can tell)
  uint64_t frontier;  // states stored but not expanded
  char *save_problem; // why the search could not be saved, or NULL
  bool saved;         // it was
  char *states_exact; // decimal, where stats.states (then UINT64_MAX) does not hold it; else NULL
  char *note;         // said to the user: "no C compiler found ...", or NULL
};
void result_clear(struct result *r);
// All properties of the model, in order, then "assertions and errors", and "deadlock" unless that
// is off; without verdicts.
void result_list_properties(struct result *r, const struct ir_model *m, bool deadlock);
// After traces were made real: leaves out those that end as one before, and says of invariants and
// errors what the traces say.
void result_follow_traces(struct result *r, const struct ir_model *m);
