// SPDX-License-Identifier: Apache-2.0
// Walks two systems of the same model side by side and says where they first differ.
#pragma once

#include "base/base.h"

struct sys;

// How much two systems have in common.
enum compare_how {
  COMPARE_EXACT, // the same packed words and error sites: interpreter and native code
  COMPARE_SITES, // the same leaf values and error sites: a folded model
  COMPARE_KINDS, // the same leaf values and kinds of fault: a model that was printed and parsed
};

struct compare_count {
  uint64_t states, steps, faults, fired;
  bool cut; // states_max ended a walk
};

// All states up to states_max. False, and a sentence in `why`, at the first difference.
bool compare_systems(struct sys *a, struct sys *b, enum compare_how how, uint64_t states_max,
                     struct compare_count *count, struct text *why);
