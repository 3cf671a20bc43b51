// SPDX-License-Identifier: Apache-2.0
// What the room knows of a product beside struct sys. Private to the room.
#pragma once

#include "sys/sys.h"

// Has the automaton come to its end in this state?
bool product_ended(struct sys *product, const uint64_t *state);
