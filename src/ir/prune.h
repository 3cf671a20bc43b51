// SPDX-License-Identifier: Apache-2.0
// Private to the room: on which choices guards and assumptions depend.
#pragma once

#include "ir/ir.h"

// Fills in `prunes` of the assumptions in the bodies of rules that have choices, and whether guards
// depend on choices.
void ir_prune(struct ir_model *m);
