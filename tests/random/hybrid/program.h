// SPDX-License-Identifier: Apache-2.0
// Random small programs as IR text: one rule per block of a control flow graph with loops, over
// machine integers that wrap, ranges, Booleans and an array, with inputs.
#pragma once

#include "base/base.h"

// The same for the same seed. Most do nothing wrong but what their assertions say.
void program_write(struct text *out, uint64_t seed);
