// SPDX-License-Identifier: Apache-2.0
// What the workers had counted at the end of a level. Which states of a level still fit within
// --states depends on the threads; so a deterministic search that ends there counts the levels
// before only. Private to the room.
#pragma once

#include "search/common.h"

struct retract {
  uint64_t states;
  struct search_tally tally;
  uint64_t *covers, *fired, *fresh; // NULL: none
};

void retract_note(struct retract *r, struct search *s);
// As it was when it was noted: the counts of all workers together become worker 0's.
void retract_to(const struct retract *r, struct search *s);
void retract_clear(struct retract *r);
