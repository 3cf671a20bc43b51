// SPDX-License-Identifier: Apache-2.0
// Random small IR models, the same for the same seed, for comparing everything that runs them.
#pragma once

#include "ir/ir.h"

// What is left out of a model, so that a failing one can be shrunk. Rules and statements are
// numbered in the order in which they are generated; leaving one out does not change the others.
struct generate_cut {
  const bool *rules, *stmts; // NULL: nothing is left out
  uint32_t rule_count, stmt_count;
};

struct generate_size { // how many there were to leave out
  uint32_t rules, stmts;
};

// Models of even seeds are tame: built so that nothing in them faults, most hold, and they have
// hundreds of states. Those of odd seeds may do anything, and mostly go wrong soon.
bool generate_tame(uint64_t seed);

// A model that is not finished yet (ir_model_finish).
struct ir_model *generate_model(uint64_t seed, const struct generate_cut *cut,
                                struct generate_size *size);
