// SPDX-License-Identifier: Apache-2.0
// What a proof claims, checked again: a fresh machine in a fresh solver, and nothing taken over
// from the proof but its claim. A claim that does not stand is a bug of ours, and ends the process
// as a failed check does. Private to the room.
#pragma once

#include "bmc/cube.h"
#include "bmc/induction.h"

enum recheck_answer {
  RECHECK_GOOD,
  RECHECK_VIOLATED, // of induction only: its base does not stand, a bad state is so deep
  RECHECK_STOPPED
};
// No start is in a cube or bad; no step leads from a state that is neither into one that is.
enum recheck_answer recheck_invariant(const struct prove_config *c, const struct cubes *cubes);
// The step for this k; and that no bad state is within fewer than k steps of a start, which the
// caller may not have looked at yet (clean: it has at lesser depths than this, and found none).
enum recheck_answer recheck_induction(const struct prove_config *c, const struct induction_proof *p,
                                      uint64_t clean, uint64_t *depth);
