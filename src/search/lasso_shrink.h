// SPDX-License-Identifier: Apache-2.0
// Lassos, and ways to the end of an automaton, made shorter. Private to the room.
#pragma once

#include "search/shrink.h"

// For traces with claims, found in the product c->sys. As shrink_trace; what comes out is short,
// but perhaps not the shortest.
void lasso_shrink(struct trace *t, const struct shrink_config *c);
