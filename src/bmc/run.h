// SPDX-License-Identifier: Apache-2.0
// A run of the engine: what is looked for (tasks), each in a slice of the model (a unit), unrolled
// step by step. Private to the room.
#pragma once

#include "bmc/bmc.h"
#include "bmc/machine.h"
#include "bmc/prove.h"
#include "ir/ir.h"
#include "trace/judge.h"

struct ir_eval;
struct lasso;

enum task_kind {
  TASK_STATE,    // states in which a condition does not hold (of cover goals: does)
  TASK_COVER,    // steps that reach a COVER statement
  TASK_ERRORS,   // steps that fail
  TASK_DEADLOCK, // states that nothing leaves
  TASK_CYCLE,    // runs that an automaton accepts
  TASK_ALWAYS,   // fair runs without end through a state in which a condition does not hold
};

struct task {
  struct run *run;
  struct unit *unit;
  enum task_kind kind;
  const struct ir_property *property;  // NULL: errors, deadlock
  size_t goal;                         // as the judge numbers them
  struct relation_condition condition; // STATE, ALWAYS: of the property; DEADLOCK: of valid ends
  bool faulty;                         // evaluating it failed somewhere: only what is false counts
  bool reached;                        // a cover goal: now only where it fails counts
  bool closed;
  uint64_t clean; // so many times were looked at, and nothing was found
  struct prove *prove;
  bool unprovable; // nobody tries (any more)
  struct lasso *lasso;
};

struct unit {
  struct relation *slice; // the whole: run->relation
  struct sat *sat;
  struct machine *machine; // begins at a start
  uint64_t leaves;         // kept
  bool own;                // of one task, which says more of its runs than others may know
  bool total;              // no run ends
  uint64_t exclude_at;     // work of the solver at which it is asked what excludes each other
};

struct run {
  const struct bmc_config *config;
  const struct ir_model *model;
  struct judge judge;
  struct text why, note;
  struct relation *relation;
  VEC(struct task *) tasks;
  VEC(struct unit *) units;
  struct ir_eval *eval;
  uint64_t *state; // packed
  int64_t *params, *values, *leaves;
  struct bmc_progress shown;
  double progress_next, memory_next;
  bool tracing; // what was found is being written down: the run goes on meanwhile
  bool ended;   // the budget is used up, or somebody interrupts
};

bool run_goes_on(void *context);         // the budget; a struct run
bool run_has_ended(const struct run *x); // nothing more is to be looked for

// --- what is looked for (task.c) ---
// One for each property that this engine can check, and for errors and deadlock. Of others the
// judge is told. False, with why: not for this engine.
bool task_make_all(struct run *x);
void task_make_unit(struct run *x); // of the whole model, for none of them
void task_free(struct task *t);
// The state at this time is wrong: a literal that is false where it certainly is not.
lit task_bad(struct machine *m, size_t time, void *task);
// The same for proofs that there is none.
lit task_bad_to_prove(struct machine *m, size_t time, void *task);
int task_evaluate(struct task *t); // its condition in run->state: an enum ir_outcome
// The solver has found it at this time. Claims it and adds a trace.
void task_found(struct task *t, size_t time);
void task_close(struct task *t, bool holds); // holds: it was proved

// --- traces (reading.c) ---
// The way to the state at this time, as the solver has it; run->state is that state then.
void bmc_read(struct unit *u, struct run *x, size_t time, struct trace *t);
// One more step, with run->values; false: it fails (run->eval knows where).
bool bmc_read_step(struct unit *u, struct run *x, uint32_t instance, struct trace *t);
void bmc_tell(struct run *x, struct trace *t);

// --- runs without end (lasso.c) ---
struct lasso *bmc_lasso_new(struct task *t, struct text *why); // NULL: it cannot be said
void bmc_lasso_free(struct lasso *l);
lit bmc_lasso_bad(struct task *t, size_t time);
void bmc_lasso_found(struct task *t, size_t time);
