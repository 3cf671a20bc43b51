// SPDX-License-Identifier: Apache-2.0
// Proofs that no reachable state is bad, made a little at a time, so that a search for a violation
// can go on beside: k-induction (induction.h) and IC3/PDR (pdr.h) in turn. What they claim is
// checked again from scratch (recheck.h) before it is said. Private to the room.
#pragma once

#include "bmc/bmc.h"
#include "bmc/machine.h"

// Bad states as a circuit. Inputs of its own (a choice with which a step fails) must be made for it
// alone: the state is bad where some value of them makes it true. What is to be overlooked in
// states that are passed through (machine_passed) is the caller's to leave out.
struct goal {
  lit (*bad)(struct machine *m, size_t time, void *context);
  void *context;
};

struct prove_config {
  struct relation *relation; // whole or a slice; stays the caller's
  struct goal goal;
  enum bmc_proof method;          // BMC_PROOF_NONE: every step gives up
  bool (*goes_on)(void *context); // of the run's time, memory and interrupts; NULL: always
  void *context;
};

enum prove_answer {
  PROVE_OPEN,
  PROVE_HOLDS,    // proved, and checked again
  PROVE_VIOLATED, // a bad state is at most prove_depth_max steps away
  PROVE_GAVE_UP,  // this method has nothing more to try
  PROVE_STOPPED   // goes_on said no
};

struct prove;
// NULL, with a sentence's end in why: no machine can be made of it.
struct prove *prove_new(const struct prove_config *c, struct text *why);
void prove_free(struct prove *p);
// Some work more: about `effort` questions to a solver (a thousand take some 10 ms to 1 s). After
// OPEN only.
enum prove_answer prove_step(struct prove *p, uint64_t effort);

// The caller knows that no bad state is within so many steps of a start (induction's base).
void prove_tell_clean(struct prove *p, uint64_t depth);
// No bad state is within fewer steps than this, by what was done here alone: a search may begin
// there. After VIOLATED: and one is within depth_max.
uint64_t prove_depth_min(const struct prove *p);
uint64_t prove_depth_max(const struct prove *p);

const char *prove_phase(const struct prove *p); // "induction" or "pdr": what the last step did
uint64_t prove_variables(const struct prove *p);
uint64_t prove_clauses(const struct prove *p);
// After HOLDS: "2-inductive, checked again", "inductive with 17 clauses more, checked again".
void prove_describe(const struct prove *p, struct text *out);
