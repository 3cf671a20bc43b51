// SPDX-License-Identifier: Apache-2.0
// The Promela front end: the language of SPIN 6.5, lowered to IR. docs/promela.md says how.
//
// A state of the IR is laid out for certain processes: which proctype may run under which pid
// ("seats"), and which parameters have the same value whenever that happens. That is a plan. It is
// first found by looking at some states of the model; where a search meets a `run` that the plan
// does not foresee, the step fails with IR_FAULT_PLAN, the plan learns from it, and the model is
// lowered again.
#pragma once

#include "front/promela/parse.h"
#include "ir/ir.h"

struct promela_config {
  const struct pml_define *defines;
  size_t define_count;
  bool merge; // statement merging (SPIN's -o3 switches it off)
  bool no_c;  // refuse embedded C, which is compiled and run while the model is read
  bool dead;  // resets of dead variables (SPIN's -o2)
  // A property about non-progress cycles, even if there is no progress label.
  bool non_progress;
  bool graphs; // keep what promela_print_graphs prints
};

struct promela_plan;
struct promela_plan *promela_plan_new(void);
void promela_plan_free(struct promela_plan *p);

// Parses, resolves, lowers and finishes the model, which then owns the source. On errors they are
// in d, which keeps the source, and NULL comes back. The plan (NULL: a fresh one) is used and
// improved.
struct ir_model *promela_load(struct source *s, const struct promela_config *c,
                              struct promela_plan *plan, struct diag *d);
// What a step that failed with IR_FAULT_PLAN from this state teaches. False, with a sentence in
// why, when no plan can hold it: more than 255 processes.
bool promela_plan_learn(struct promela_plan *p, const struct ir_model *m, uint32_t site,
                        const uint64_t *before, struct text *why);

// One line of text that says the whole plan, and back. The text may be anybody's: false, with a
// sentence in why, when it is no plan. Loading with a plan that a load made gives the same model.
void promela_plan_print(struct text *out, const struct promela_plan *p);
bool promela_plan_read(struct promela_plan *p, const char *text, struct text *why);

// Where a process of a state is.
struct promela_where {
  const char *process; // "sender", ":init:"
  int32_t pid;
  uint32_t state; // SPIN's number
  struct span span;
  bool valid_end;
  const char *const *waits; // the statements that leave its state, as in traces; "-end-": dying
  uint32_t wait_count;
};
// Of all its processes, by pid; out has room for 256. Strings live as long as the model.
size_t promela_where(const struct ir_model *m, const uint64_t *state, struct promela_where *out);

// The control graphs of its processes, as SPIN's `pan -d` prints them; of a model loaded for that.
void promela_print_graphs(struct text *out, const struct ir_model *m);

// Reads one expression of the language over a model that promela_load made (marks, heuristics).
struct ir_expr *promela_expr(struct ir_model *m, struct source *s, enum ir_want want,
                             const struct ir_rule *scope, struct ir_frame *frame, struct diag *d);
