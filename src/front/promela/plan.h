// SPDX-License-Identifier: Apache-2.0
// Private to the room: which proctype may run under which pid, and which of its parameters have
// the same value each time.
#pragma once

#include "front/promela/promela.h"

// How a run that was not planned announces itself in what its step prints.
#define PLAN_MARK "\nplan "

struct plan_param {
  int64_t value; // the only one seen so far
  bool varies;   // there were others
};

struct plan_seat {
  uint32_t pid, proc; // proc: number of the proctype
  struct plan_param *params;
  uint32_t param_count;
};

struct promela_plan {
  VEC(struct plan_seat *) seats; // by pid, then by proctype
  bool settled;                  // looking at states taught nothing more
  uint32_t late;                 // seats that only a search found to be missing
};

#define PLAN_PIDS 255 // as many processes as SPIN allows

// Notes that such a process was created with these arguments; true when the plan did not foresee
// it.
bool plan_add(struct promela_plan *p, uint32_t pid, uint32_t proc, const int64_t *args,
              uint32_t count);

// After a search found the seat of this pid missing: where that happens again and again, there are
// more to come, and some are added ahead, with parameters that may be anything.
void plan_ahead(struct promela_plan *p, uint32_t pid);

// --- look.c ---
// Goes through states of the model, from its starts or from one state (then only on through states
// that are passed through), until a step was not planned; then the plan learns from it. False when
// there is none, within bounds that depend on nothing but the model. A process too many: a sentence
// in why, and false.
bool plan_look(struct promela_plan *p, const struct ir_model *m, const uint64_t *from,
               struct text *why);
