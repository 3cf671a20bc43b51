// SPDX-License-Identifier: Apache-2.0
// Paths that several workers share: the first is the start, the others are steps. A path is a chain
// of segments, each the continuation of the one above it; a segment never changes, and lives as
// long as somebody uses it or a continuation of it. NULL is the empty path. Private to the room.
#pragma once

#include "trace/trace.h"

#include <stdatomic.h>

struct path {
  struct path *above; // what comes before
  uint64_t first;     // how many steps do
  size_t count;
  _Atomic size_t uses;
  struct trace_step steps[];
};

static inline uint64_t path_length(const struct path *p) { return p ? p->first + p->count : 0; }

// A continuation with room for `count` steps, which the caller fills in before others see it. The
// caller's use of `above` becomes that of the new one. `held` counts the bytes of all of them.
struct path *path_new(struct path *above, size_t count, _Atomic size_t *held);
// One more use.
struct path *path_share(struct path *p);
void path_drop(struct path *p, _Atomic size_t *held);

// Step `i` of a path (0: the start) into a trace that has room for it.
static inline void path_put(struct trace *t, uint64_t i, struct trace_step step) {
  if (i > 0) {
    t->steps.data[i - 1] = step;
  } else {
    t->start_instance = step.instance;
    t->start_choice = step.choice;
  }
}
void path_copy(const struct path *p, struct trace *t);
