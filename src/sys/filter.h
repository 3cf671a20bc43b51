// SPDX-License-Identifier: Apache-2.0
// Private to the room: which rule instances cannot be enabled in a state, seen without the
// evaluator.
#pragma once

#include "ir/ir.h"

struct filter;

struct filter *filter_new(const struct ir_model *m);
void filter_free(struct filter *f);
// True: the guard of the instance is false in the state, and its evaluation meets no fault.
bool filter_disables(const struct filter *f, uint32_t instance, const uint64_t *state);
