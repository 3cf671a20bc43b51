// SPDX-License-Identifier: Apache-2.0
// What stands above a single edge: unless (an escape that can be taken goes before what it
// guards), provided clauses, and priorities.
#include "front/promela/lower.h"

struct ir_expr *lower_takeable(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  struct ir_expr *x = lower_executable(w, s, e);
  bool sends = e->kind == PML_EDGE_STMT && e->stmt && e->stmt->kind == AST_SEND;
  if (sends && lower_may_meet(w, s, e->stmt))
    x = lower_or(w, x, lower_rendezvous_executable(w, s, e));
  return x;
}

// SPIN goes through the edges of a state in order, escapes first; once one of some unless could be
// taken, no edge of another is looked at.
struct ir_expr *lower_not_escaped(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  const struct pml_graph *g = &s->proc->graph;
  const struct pml_state *from = &g->states.data[e->from];
  struct ir_expr *x = lower_true(w);
  for (uint32_t i = 0; i < from->edge_count; i++) {
    const struct pml_edge *before = &g->edges.data[from->edges[i]];
    if (before == e) break;
    if (!before->escape || before->escape == e->escape) continue;
    x = lower_and(w, x, lower_not(w, lower_takeable(w, s, before)));
  }
  return x;
}

struct ir_expr *lower_state_takeable(struct lower *w, const struct seat *s, uint32_t state) {
  const struct pml_graph *g = &s->proc->graph;
  const struct pml_state *from = &g->states.data[state];
  struct ir_expr *x = lower_false(w);
  for (uint32_t i = 0; i < from->edge_count; i++) // an escaped edge adds nothing to its escape
    x = lower_or(w, x, lower_takeable(w, s, &g->edges.data[from->edges[i]]));
  return x;
}

struct ir_expr *lower_provided(struct lower *w, const struct seat *s) {
  if (!s->proc->provided) return lower_true(w);
  const struct seat *outer = w->seat;
  w->seat = s;
  struct ir_expr *x = lower_cond(w, s->proc->provided);
  w->seat = outer;
  return x;
}

// Nobody with a higher priority could take a step.
static struct ir_expr *highest(struct lower *w, const struct seat *s) {
  if (s->priority_field < 0) return lower_true(w);
  struct span span = s->proc->span;
  struct ir_expr *mine = lower_priority(w, s, span), *x = lower_false(w);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *o = w->seats.data[i];
    if (o->pid == s->pid) continue;
    struct ir_expr *above = lower_binary(w, IR_GT, lower_priority(w, o, span), mine, span);
    above = lower_and(w, above, lower_provided(w, o));
    x = lower_or(w, x, lower_and(w, above, lower_can(w, o)));
  }
  return lower_not(w, x);
}

struct ir_expr *lower_permitted(struct lower *w, const struct seat *s) {
  return lower_and(w, lower_provided(w, s), highest(w, s));
}
