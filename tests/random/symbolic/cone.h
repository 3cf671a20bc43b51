// SPDX-License-Identifier: Apache-2.0
// The cone of influence must change no verdict and no length.
#pragma once

#include "random/ltl/trial.h"

struct cone_counts {
  uint64_t runs, violated, smaller; // properties; runs on fewer leaves than there are
};

// Invariants of the model's atoms, each alone: the explicit search, BDDs with cone and without.
bool cone_invariants(struct trial *t, struct cone_counts *counts);
// A model that may do anything, its own properties together and one by one: BDDs with and without.
bool cone_wild(struct trial *t, struct cone_counts *counts);
