// SPDX-License-Identifier: Apache-2.0
// What there is to be checked of a program: cycles through accept labels, or past all progress
// labels; ltl formulas; never claims. Each is an automaton that accepts the bad runs.
#include "front/promela/lower.h"

static bool is_process(const struct pml_proc *p) {
  return p->kind == PML_PROCTYPE || p->kind == PML_INIT;
}

// The first label of the kind, if there is any.
static const struct pml_state *find_label(const struct lower *w, bool accept) {
  for (size_t i = 0; i < w->prog->procs.count; i++) {
    const struct pml_proc *p = w->prog->procs.data[i];
    for (size_t k = 0; is_process(p) && k < p->graph.states.count; k++) {
      const struct pml_state *s = &p->graph.states.data[k];
      if (accept ? s->is_accept : s->is_progress) return s;
    }
  }
  return NULL;
}

static struct ir_expr *at_accept_label(struct lower *w) {
  struct ir_expr *x = lower_false(w);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    for (uint32_t k = 0; k < s->proc->graph.states.count; k++)
      if (s->place[k] && s->proc->graph.states.data[k].is_accept)
        x = lower_or(w, x, lower_equal(w, lower_at(w, s), s->place[k]));
  }
  return x;
}

static struct ir_automaton *automaton_new(struct lower *w, uint32_t count) {
  struct ir_automaton *a = ARENA_NEW(w->m->arena, struct ir_automaton);
  *a = (struct ir_automaton){.count = count, .accept_atom = -1, .stutters = true};
  a->states = ARENA_ARRAY(w->m->arena, struct ir_automaton_state, count);
  return a;
}

static void set_edges(struct lower *w, struct ir_automaton_state *s,
                      const struct ir_automaton_edge *edges, uint32_t count) {
  s->edges = ARENA_ARRAY(w->m->arena, struct ir_automaton_edge, count);
  s->edge_count = count;
  for (uint32_t i = 0; i < count; i++) s->edges[i] = edges[i];
}

// One state: a run is bad if it is at accept labels again and again.
static void acceptance(struct lower *w) {
  const struct pml_state *label = find_label(w, true);
  if (!label) return;
  struct ir_property *p =
      ir_property_new(w->m, IR_PROP_ACCEPTANCE, "acceptance cycles", label->span);
  uint32_t atom = lower_new_atom(w, "a process is at an accept label", at_accept_label(w));
  struct ir_automaton *a = automaton_new(w, 1);
  a->accept_atom = (int32_t)atom;
  a->states[0] = (struct ir_automaton_state){.name = "accept", .accepting = true};
  set_edges(w, &a->states[0], &(struct ir_automaton_edge){.to = 0}, 1);
  p->automaton = a;
}

// Figure 6 of the paper on nested search: some time on there is no progress any more. A run that is
// stuck is no such cycle, as in SPIN.
static void progress(struct lower *w) {
  const struct pml_state *label = find_label(w, false);
  if (!label && !w->config->non_progress) return;
  struct span span = label ? label->span : (struct span){0};
  struct ir_property *p = ir_property_new(w->m, IR_PROP_PROGRESS, "non-progress cycles", span);
  uint32_t atom = lower_new_atom(w, "np_", lower_nonprogress(w));
  struct ir_automaton *a = automaton_new(w, 2);
  uint64_t np = UINT64_C(1) << atom;
  a->stuck_ends = true;
  a->states[0].name = "any";
  a->states[1] = (struct ir_automaton_state){.name = "accept_np", .accepting = true};
  const struct ir_automaton_edge edges[] = {{.yes = np, .to = 1}, {.to = 0}};
  set_edges(w, &a->states[0], edges, 2);
  set_edges(w, &a->states[1], edges, 1);
  p->automaton = a;
}

void lower_properties(struct lower *w) {
  acceptance(w);
  progress(w);
  for (size_t i = 0; i < w->prog->ltls.count; i++) lower_ltl(w, &w->prog->ltls.data[i]);
  for (size_t i = 0; i < w->prog->procs.count; i++) {
    const struct pml_proc *c = w->prog->procs.data[i];
    if (c->kind == PML_NEVER) lower_claim(w, c);
    if (c->kind != PML_TRACE && c->kind != PML_NOTRACE) continue;
    struct ir_property *p = ir_property_new(w->m, IR_PROP_NEVER, c->name, c->span);
    p->unchecked = "trace assertions are not checked yet";
  }
}
