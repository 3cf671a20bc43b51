// SPDX-License-Identifier: Apache-2.0
// Private to the room: where terms are made.
#pragma once

#include "relation/term.h"

struct terms {
  struct arena *arena;
  const struct term **table; // open addressing; capacity is a power of two
  size_t capacity, count;
};

// The one node that equals `key` in all but its id.
const struct term *term_intern(struct terms *t, struct term key);
