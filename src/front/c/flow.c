// SPDX-License-Identifier: Apache-2.0
// Tidies up main after inlining, until nothing changes any more.
#include "front/c/flow.h"

static bool simplify(struct flow *w) {
  flow_plain(w);
  bool changed = flow_values(w);
  changed |= flow_once(w);
  changed |= flow_forward(w);
  changed |= flow_idle_stores(w);
  changed |= flow_unused(w);
  changed |= flow_blocks(w);
  return changed;
}

// Accesses of memory become such of scalars, as they are declared.
static bool normalise(struct flow *w) {
  bool changed = flow_tuple(w, false);
  changed |= flow_move(w);
  changed |= flow_pun(w);
  changed |= flow_view(w);
  changed |= flow_slice(w);
  changed |= flow_split(w);
  changed |= flow_constant(w);
  return changed;
}

static void find_taken(struct flow *w) {
  size_t n = w->p->objects.count;
  bool *taken = mem_zalloc(n + 1, sizeof *taken);
  flow_plain(w);
  for (size_t i = 0; i < n; i++) taken[i] = !w->p->objects.data[i].plain;
  w->taken = taken;
  w->taken_count = n;
}

void c_program_tidy(struct c_program *p) {
  struct flow w = {.p = p, .f = &p->functions.data[p->main]};
  flow_blocks(&w);
  find_taken(&w);
  do {
    while (simplify(&w)) continue;
  } while (normalise(&w));
  if (flow_tuple(&w, true))
    while (simplify(&w)) continue;
  flow_plain(&w);
  flow_objects(&w);
  mem_free(w.taken);
}
