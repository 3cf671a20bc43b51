// SPDX-License-Identifier: Apache-2.0
// Where the processes of a state are, for explaining invalid end states.
#include "front/promela/front.h"

static void fill(struct promela_where *out, const struct ir_model *m, const struct seat *s,
                 uint32_t state) {
  const struct pml_state *at = &s->proc->graph.states.data[state];
  const char **waits = ARENA_ARRAY(m->arena, const char *, at->edge_count);
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const struct pml_edge *e = &s->proc->graph.edges.data[at->edges[i]];
    waits[i] = e->kind == PML_EDGE_END ? "-end-" : e->shown;
  }
  *out = (struct promela_where){.process = s->proc->name,
                                .pid = (int32_t)s->pid,
                                .state = at->number,
                                .span = at->span,
                                .valid_end = at->is_end,
                                .waits = waits,
                                .wait_count = at->edge_count};
}

size_t promela_where(const struct ir_model *m, const uint64_t *state, struct promela_where *out) {
  const struct promela_front *f = m->front;
  size_t n = 0;
  for (size_t i = 0; i < f->lower.seats.count && n < 256; i++) {
    const struct seat *s = f->lower.seats.data[i];
    int64_t place = ir_leaf_get(&m->layout->leaf[s->var->first_leaf], state);
    for (uint32_t k = 0; place > 0 && k < s->proc->graph.states.count; k++)
      if (s->place[k] == place) fill(&out[n++], m, s, k);
  }
  return n;
}
