// SPDX-License-Identifier: Apache-2.0
// Dead variables: which plain local variables are not read any more before they are set again. They
// become 0, so that states that differ only in them are one.
#include "front/promela/graph_uses.h"

#include <string.h>

struct dead {
  struct arena *arena;
  struct pml_proc *proc;
  struct uses uses;
  size_t count; // of locals
  bool *live;   // before each state: state * count + local
};

static bool *live_at(const struct dead *d, uint32_t state) { return d->live + state * d->count; }

// Makes live what is live before the edge; true: something is new.
static bool flow_back(struct dead *d, const struct pml_edge *e) {
  bool *before = live_at(d, e->from), *after = e->to == UINT32_MAX ? NULL : live_at(d, e->to);
  bool is_new = false;
  uses_of_edge(&d->uses, e);
  for (size_t i = 0; i < d->count; i++) {
    bool live = d->uses.reads[i] || (after && after[i] && !(d->uses.sets[i] && d->uses.is_sure));
    is_new = is_new || (live && !before[i]);
    before[i] = before[i] || live;
  }
  return is_new;
}

static void find_live(struct dead *d) {
  const struct pml_graph *g = &d->proc->graph;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = g->edges.count; i-- > 0;) again = flow_back(d, &g->edges.data[i]) || again;
  }
}

static bool is_plain(const struct pml_symbol *s) {
  return !s->is_array && s->type.base != AST_STRUCT && s->type.base != AST_CHAN;
}

static bool dies(const struct dead *d, const struct pml_edge *e, size_t local) {
  if (e->to == UINT32_MAX || !is_plain(d->proc->locals.data[local])) return false;
  bool was_there = live_at(d, e->from)[local] || d->uses.sets[local];
  return was_there && !live_at(d, e->to)[local];
}

static void set_dead(struct dead *d, struct pml_edge *e) {
  uses_of_edge(&d->uses, e);
  e->dead = ARENA_ARRAY(d->arena, const struct pml_symbol *, d->count);
  for (size_t i = 0; i < d->count; i++)
    if (dies(d, e, i)) e->dead[e->dead_count++] = d->proc->locals.data[i];
}

static void reset_proc(struct arena *a, struct pml_proc *p) {
  size_t count = p->locals.count;
  struct dead d = {.arena = a, .proc = p, .count = count};
  d.uses = (struct uses){
      .proc = p, .reads = ARENA_ARRAY(a, bool, count), .sets = ARENA_ARRAY(a, bool, count)};
  d.live = ARENA_ARRAY(a, bool, count * p->graph.states.count);
  find_live(&d);
  for (size_t i = 0; i < p->graph.edges.count; i++) set_dead(&d, &p->graph.edges.data[i]);
}

void pml_reset_dead(struct pml_program *p) {
  if (p->uses_c || p->uses_remote) return;
  for (size_t i = 0; i < p->procs.count; i++) {
    enum pml_proc_kind k = p->procs.data[i]->kind;
    if (k == PML_PROCTYPE || k == PML_INIT) reset_proc(p->syntax, p->procs.data[i]);
  }
}
