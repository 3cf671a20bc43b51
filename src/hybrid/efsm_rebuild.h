// SPDX-License-Identifier: Apache-2.0
// Terms made anew, by the same constructors, with something else in place of leaves and choices.
// Private to the room.
#pragma once

#include "relation/term.h"

// What comes in place of a LEAF, DEFINED or CHOICE; itself if nothing does.
typedef const struct term *rebuild_by(void *context, const struct term *a);

struct rebuild {
  struct terms *to; // where terms are made; those that are read may be of another factory
  rebuild_by *by;
  void *context;
  // What became of a term, by its id, where the stamp is of this round.
  const struct term **out;
  uint32_t *stamp;
  size_t capacity;
  uint32_t round;
};
void rebuild_clear(struct rebuild *r);
// What was known of terms is forgotten: something else comes in place of leaves now.
void rebuild_begin(struct rebuild *r, rebuild_by *by, void *context);
const struct term *rebuild(struct rebuild *r, const struct term *a);
// From now on this Boolean, and what follows from it alone, is known.
void rebuild_know(struct rebuild *r, const struct term *a, bool value);
