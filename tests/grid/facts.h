// SPDX-License-Identifier: Apache-2.0
// What the grid compares of a result of `fathom check --json`.
#pragma once

#include "base/base.h"

struct facts {
  int status;
  char *verdict, *reason; // reason: "" when there is none
  int64_t states, rules, revisits, depth, threads;
  int64_t steps;  // of the trace; -1: there is none
  bool cycle;     // the trace ends in one: its length says nothing about the order of a search
  char *end;      // how the trace ends: "property", "error", "deadlock"; "" without
  int64_t end_id; // which property or site
  bool shortest;  // a search by a heuristic of which it is known that the trace is
  bool symmetry;
  bool doubted; // something is said about symmetry: why it is off, or that it may be wrong
  bool reduced; // some state's steps were reduced
  char *cyclic; // verdicts of the properties of infinite runs, "NAME holds, ..."; "" without
  char *same;   // the whole result as text, without what differs from run to run
};

// False when the text is no result.
bool facts_read(struct facts *f, const struct text *json);
void facts_clear(struct facts *f);
// Every state was seen: the counts are those of the model, whatever the order was.
bool facts_complete(const struct facts *f);
