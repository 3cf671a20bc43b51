// SPDX-License-Identifier: Apache-2.0
// Random models of a few processes: locations, variables of their own and shared ones, buffered
// channels, rendezvous, atomic sequences. Nothing in them faults. In them partial order reduction,
// fairness and chains have something to do; random rules without processes give them little.
#pragma once

#include "ir/ir.h"

// A model that is not finished yet. `cut`, if given, says of each rule (in order) whether it is
// left out; *rules is how many there are, those included.
struct ir_model *processes_model(uint64_t seed, const bool *cut, uint32_t *rules);
