// SPDX-License-Identifier: Apache-2.0
// The control graphs as text, in the form of `pan -d`, so that the two can be compared.
#include "front/promela/program.h"

static void print_edge(struct text *out, const struct pml_graph *g, const struct pml_edge *e) {
  const struct pml_state *from = &g->states.data[e->from];
  uint32_t to = e->to == UINT32_MAX ? 0 : g->states.data[e->to].number;
  char how = '-';
  if (e->kind == PML_EDGE_D_STEP)
    how = e->inside_atomic ? 'A' : 'D';
  else if (e->atomic)
    how = 'A';
  text_printf(out, "\tstate %3u -> state %3u  ", from->number, to);
  if (e->escape) text_printf(out, "[unless %u] ", e->escape);
  text_printf(out, "[%c%c%c%c] line %u => %s\n", how, from->is_accept ? 'a' : '-',
              from->is_end ? 'e' : '-', from->is_progress ? 'p' : '-', from->span.line, e->text);
}

static void print_inside(struct text *out, const struct pml_graph *g) {
  for (size_t i = 0; i < g->edges.count; i++) {
    const struct pml_edge *e = &g->edges.data[i];
    text_printf(out, "\t\tinside %3u -> %3u => %s\n", g->states.data[e->from].number,
                g->states.data[e->to].number, e->text);
  }
}

static void print_state(struct text *out, const struct pml_graph *g, const struct pml_state *s) {
  for (uint32_t i = 0; i < s->edge_count; i++) {
    const struct pml_edge *e = &g->edges.data[s->edges[i]];
    print_edge(out, g, e);
    if (e->inner) print_inside(out, e->inner);
  }
}

static const char *title(const struct pml_proc *p) {
  switch (p->kind) {
  case PML_INIT: return "init";
  case PML_NEVER: return "claim ";
  case PML_TRACE: return "trace assertion";
  case PML_NOTRACE: return "notrace assertion";
  default: return "proctype ";
  }
}

void pml_print_graph(struct text *out, const struct pml_program *p) {
  for (size_t i = 0; i < p->procs.count; i++) {
    const struct pml_proc *proc = p->procs.data[i];
    bool named = proc->kind == PML_PROCTYPE || proc->kind == PML_NEVER;
    text_printf(out, "%s%s\n", title(proc), named ? proc->name : "");
    for (size_t k = 0; k < proc->graph.states.count; k++)
      print_state(out, &proc->graph, &proc->graph.states.data[k]);
  }
}
