// SPDX-License-Identifier: Apache-2.0
// Private to the room: which leaves of a state can ever be undefined.
#pragma once

#include "ir/ir.h"

// Per leaf; the caller frees it. Needs m->start_layout and the numbering of start instances.
bool *ir_undefined_leaves(const struct ir_model *m);
