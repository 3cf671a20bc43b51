// SPDX-License-Identifier: Apache-2.0
// Shared paths, counted by their uses. Chains may be millions of segments long: no recursion.
#include "search/path.h"

static size_t bytes(size_t count) {
  return sizeof(struct path) + count * sizeof(struct trace_step);
}

struct path *path_new(struct path *above, size_t count, _Atomic size_t *held) {
  struct path *p = mem_alloc(bytes(count));
  p->above = above;
  p->first = path_length(above);
  p->count = count;
  atomic_init(&p->uses, 1);
  atomic_fetch_add_explicit(held, bytes(count), memory_order_relaxed);
  return p;
}

struct path *path_share(struct path *p) {
  if (p) atomic_fetch_add_explicit(&p->uses, 1, memory_order_relaxed);
  return p;
}

void path_drop(struct path *p, _Atomic size_t *held) {
  while (p && atomic_fetch_sub_explicit(&p->uses, 1, memory_order_acq_rel) == 1) {
    struct path *above = p->above;
    atomic_fetch_sub_explicit(held, bytes(p->count), memory_order_relaxed);
    mem_free(p);
    p = above;
  }
}

void path_copy(const struct path *p, struct trace *t) {
  for (; p; p = p->above)
    for (size_t i = 0; i < p->count; i++) path_put(t, p->first + i, p->steps[i]);
}
