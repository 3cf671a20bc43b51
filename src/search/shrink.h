// SPDX-License-Identifier: Apache-2.0
// Traces from searches that do not go breadth first, made shorter before they are shown.
#pragma once

#include "base/base.h"

struct ir_model;
struct sys;
struct trace;

struct shrink_config {
  struct sys *sys; // that was searched: under symmetry the reduced one
  const struct ir_model *model;
  int deadlock;               // enum ir_deadlock
  const uint8_t *property_on; // per property: checked? NULL = all
  double seconds;             // that it may take; 0 = no limit
  size_t mem_bytes;           // 0 = no limit
};

// Makes the trace shorter if it can, and then notes its old length in found_steps. It ends as it
// did: with the same property violated, at the same site, in a deadlock (perhaps another one), and
// passes no state that violates something else. A shortest one comes out unless time or memory is
// used up; the same one each time unless time is. An interrupt ends it. Under symmetry: before
// trace_concretise. Witnesses stay as they are; what an automaton told of becomes shorter, too, but
// a lasso perhaps not the shortest.
void shrink_trace(struct trace *t, const struct shrink_config *c);
