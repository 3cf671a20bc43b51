// SPDX-License-Identifier: Apache-2.0
// The SAT engine: bounded model checking to a depth, with k-induction and IC3/PDR beside it so that
// `holds` is a possible answer. Invariants, AG of a condition, errors of steps, deadlock; LTL and
// other properties with an automaton by lassos.
#pragma once

#include "base/base.h"

struct ir_model;
struct relation;
struct result;

enum bmc_proof { BMC_PROOF_AUTO, BMC_PROOF_INDUCTION, BMC_PROOF_PDR, BMC_PROOF_NONE };

struct bmc_progress { // about ten times a second at most
  const char *phase;  // "bmc", "induction", "pdr", and of which property
  const char *property;
  uint64_t depth;
  uint64_t variables, clauses;
  double seconds;
  size_t mem_bytes;
};

struct bmc_exclusive {
  const struct relation *slice;
  size_t effort; // about: nodes of diagrams
  bool (*goes_on)(void *context);
  void *context; // of goes_on
};

struct bmc_config {
  const struct ir_model *model;
  struct budget budget; // depth_max: 0 = until an answer
  double started;
  int deadlock;               // enum ir_deadlock
  uint64_t max_errors;        // 0 = no limit
  bool settle;                // when the last property of the model is found violated it ends
  const uint8_t *property_on; // per property: checked? NULL = all
  bool cone;                  // of influence, per property
  enum bmc_proof proof;
  void (*progress)(void *context, const struct bmc_progress *p);
  void *progress_context;
  // Who knows it: pairs of values of bits that no reachable state has both, as
  // symbolic/exclusive.h tells them. Asked when questions have become hard; false: it may take
  // more. NULL: nobody.
  bool (*exclusive)(void *context, const struct bmc_exclusive *ask, uint64_t **pairs,
                    size_t *count);
  void *exclusive_context;
  bool exclusive_at_once; // tests: whether it pays or not
};

// Runs it. Fills in verdict, reason, properties, traces (not replayed yet) and stats, as
// symbolic_run does, and stats.cone_leaves, sat_variables, sat_clauses (of the largest formula).
// Reasons as there: "depth", "time", "memory", "interrupted", "cannot: WHY". result->note tells how
// what holds was proved ("SPEC 1: 2-inductive; SPEC 3: an inductive invariant of 17 clauses,
// checked again").
void bmc_run(const struct bmc_config *c, struct result *r);
