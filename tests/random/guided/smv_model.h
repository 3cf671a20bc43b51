// SPDX-License-Identifier: Apache-2.0
// Random small SMV models, the same for the same seed: what they depend on falls into parts, so
// that cones of influence leave something out.
#pragma once

#include "ir/ir.h"

// The text of a model. Lines are numbered in the order in which they are made; those of `cut`
// (NULL: none) are left out without changing the others, *lines says how many there were.
void smv_model_text(struct text *out, uint64_t seed, const bool *cut, uint32_t *lines);
// The same, read and finished; NULL: it is refused.
struct ir_model *smv_model(uint64_t seed, const bool *cut, uint32_t *lines);
