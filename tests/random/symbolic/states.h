// SPDX-License-Identifier: Apache-2.0
// A small model's states and steps, by the interpreter, and sets of them: what the reference of
// computation tree logic goes by.
#pragma once

#include "ir/ir.h"

#define STATES_MAX 96

struct states {
  uint32_t count, starts;
  size_t words;
  uint64_t *packed;
  bool edge[STATES_MAX][STATES_MAX];
  uint64_t agents[STATES_MAX][STATES_MAX]; // that take such a step: a bit each
  VEC(int32_t) agent;                      // their numbers
};
typedef bool states_set[STATES_MAX];

// False: there are more states, or something fails.
bool states_init(struct states *s, const struct ir_model *m);
void states_clear(struct states *s);
void states_of(const struct states *s, const struct ir_model *m, const struct ir_expr *e,
               states_set out);
// The set as a condition of the model.
struct ir_expr *states_condition(const struct states *s, struct ir_model *m, const states_set set);
