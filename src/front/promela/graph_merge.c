// SPDX-License-Identifier: Apache-2.0
// Statement merging: a step behind which only a private statement follows goes on with it at once,
// as in an atomic sequence. Nobody else can tell, and the state between need not be stored.
#include "front/promela/graph_uses.h"

static bool has_name(const struct pml_state *s) {
  return s->is_end || s->is_accept || s->is_progress;
}

static void find_passing(struct uses *u, const struct pml_graph *g, bool *passing) {
  for (size_t i = 0; i < g->states.count; i++) {
    const struct pml_state *s = &g->states.data[i];
    passing[i] =
        s->edge_count == 1 && !has_name(s) && uses_is_private(u, &g->edges.data[s->edges[0]]);
  }
}

static uint32_t next_of(const struct pml_graph *g, uint32_t state) {
  return g->edges.data[g->states.data[state].edges[0]].to;
}

// A loop of private statements must stop somewhere.
static void break_loops(struct arena *a, const struct pml_graph *g, bool *passing) {
  uint32_t *seen = ARENA_ARRAY(a, uint32_t, g->states.count);
  for (uint32_t i = 0; i < g->states.count; i++) {
    uint32_t s = i;
    while (passing[s] && seen[s] == 0) {
      seen[s] = i + 1;
      s = next_of(g, s);
    }
    if (passing[s] && seen[s] == i + 1) passing[s] = false;
  }
}

static bool is_rendezvous(const struct pml_symbol *s) {
  return s->channel && s->channel->capacity == 0;
}

// Has the program a channel on which processes meet?
static bool meets(const struct pml_program *p) {
  for (size_t i = 0; i < p->globals.count; i++)
    if (is_rendezvous(p->globals.data[i])) return true;
  for (size_t i = 0; i < p->structs.count; i++)
    for (uint32_t k = 0; k < p->structs.data[i]->field_count; k++)
      if (is_rendezvous(p->structs.data[i]->fields[k])) return true;
  for (size_t i = 0; i < p->procs.count; i++)
    for (size_t k = 0; k < p->procs.data[i]->locals.count; k++)
      if (is_rendezvous(p->procs.data[i]->locals.data[k])) return true;
  return false;
}

// A process that is about to receive offers itself to senders that would meet it: when it is not
// yet there, others may notice (a blocked atomic sequence, else, unless).
static bool receives(const struct pml_graph *g, uint32_t state) {
  if (state == UINT32_MAX) return false;
  const struct pml_state *s = &g->states.data[state];
  for (uint32_t i = 0; i < s->edge_count; i++) {
    const struct pml_edge *e = &g->edges.data[s->edges[i]];
    if (e->kind == PML_EDGE_D_STEP) return true;
    if (e->kind == PML_EDGE_STMT && e->stmt && e->stmt->kind == AST_RECEIVE) return true;
  }
  return false;
}

static void merge_proc(struct arena *a, struct pml_proc *p, bool may_meet) {
  struct pml_graph *g = &p->graph;
  struct uses u = {.proc = p,
                   .reads = ARENA_ARRAY(a, bool, p->locals.count),
                   .sets = ARENA_ARRAY(a, bool, p->locals.count)};
  bool *passing = ARENA_ARRAY(a, bool, g->states.count);
  find_passing(&u, g, passing);
  break_loops(a, g, passing);
  for (uint32_t i = 0; i < g->states.count; i++)
    if (may_meet && passing[i] && receives(g, next_of(g, i))) passing[i] = false;
  for (size_t i = 0; i < g->edges.count; i++) {
    struct pml_edge *e = &g->edges.data[i];
    if (e->to != UINT32_MAX && passing[e->to]) e->atomic = true;
  }
}

// What looks into other processes, or at who moves, would notice.
static bool is_watched(const struct pml_program *p) {
  return p->uses_last || p->uses_np || p->uses_priority || p->uses_enabled || p->uses_pc_value ||
         p->uses_remote || p->uses_c;
}

void pml_merge(struct pml_program *p) {
  if (is_watched(p)) return;
  bool may_meet = meets(p);
  for (size_t i = 0; i < p->procs.count; i++) {
    struct pml_proc *proc = p->procs.data[i];
    bool runs = proc->kind == PML_PROCTYPE || proc->kind == PML_INIT;
    if (runs && !proc->provided && !proc->unit->is_d_proctype)
      merge_proc(p->syntax, proc, may_meet);
  }
}
