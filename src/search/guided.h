// SPDX-License-Identifier: Apache-2.0
// What the searches that follow a designer's hints share. Private to the room.
#pragma once

#include "search/common.h"

#include "guide/guide.h"

// Is this step, enabled in this state, marked?
static inline bool guided_marked(struct search_worker *w, uint32_t instance,
                                 const uint64_t *state) {
  const struct guide_marks *marks = w->search->config->marks;
  return marks && guide_marked(marks, w->eval, instance, state);
}
