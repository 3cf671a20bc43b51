// SPDX-License-Identifier: Apache-2.0
// The inside of a d_step: SPIN compiles it to straight code in which the first executable option is
// taken, so its graph is not flattened. An option that begins with another selection or a block is
// taken before that is known to be executable.
#include "front/promela/graph.h"

#define NOT_YET UINT32_MAX

struct inside {
  struct table *t;
  struct pml_graph *g;
  uint32_t *place;               // of each number
  VEC(struct flow_node *) nodes; // of each state
  VEC(uint32_t) guards;
};

// The next element that is a statement or a selection; NULL: the d_step is over.
static struct flow_node *follow(struct inside *w, struct flow_node *n) {
  const struct flow_node *from = n;
  for (uint32_t i = 0; i < w->t->count; i++) { // more is a cycle
    if (!n || !(n->status & FLOW_IN_D_STEP)) return NULL;
    switch (n->kind) {
    case FLOW_DOT:
    case FLOW_BREAK: n = n->next; break;
    case FLOW_GOTO: n = flow_find(w->t->flow, n->where)->node; break;
    case FLOW_BLOCK: n = n->body->first; break;
    case FLOW_UNLESS: n = n->options->first; break;
    default: return n;
    }
  }
  diag_error(w->t->diag, from->span, "a cycle of gotos without any statement");
  return NULL;
}

static uint32_t place_of(struct inside *w, struct flow_node *n) {
  if (!n) return w->g->exit;
  if (w->place[n->number] == NOT_YET) {
    w->place[n->number] = (uint32_t)w->g->states.count;
    VEC_PUSH(&w->g->states, ((struct pml_state){.number = n->number, .span = n->span}));
    VEC_PUSH(&w->nodes, n);
  }
  return w->place[n->number];
}

static uint32_t add_edge(struct inside *w, uint32_t from, struct flow_node *n) {
  bool is_step = n->kind == FLOW_STMT || n->kind == FLOW_ELSE;
  struct pml_edge e = {.kind = n->kind == FLOW_ELSE ? PML_EDGE_ELSE : PML_EDGE_STMT,
                       .from = from,
                       .span = n->span,
                       .text = graph_text(w->t->arena, n)};
  e.stmt = graph_stmt(n);
  if (!is_step) e.text = "(1)";
  e.to = place_of(w, follow(w, is_step ? n->next : n));
  VEC_PUSH(&w->g->edges, e);
  return (uint32_t)w->g->edges.count - 1;
}

static uint32_t count_options(const struct flow_node *n) {
  uint32_t count = 0;
  for (const struct flow_seq *s = n->options; s; s = s->next) count++;
  return count;
}

static void add_selection(struct inside *w, uint32_t at, struct flow_node *n) {
  uint32_t *edges = ARENA_ARRAY(w->t->arena, uint32_t, count_options(n));
  uint32_t count = 0;
  for (struct flow_seq *s = n->options; s; s = s->next) {
    uint32_t e = add_edge(w, at, graph_hunt_first(s->first));
    if (w->g->edges.data[e].kind == PML_EDGE_ELSE) {
      w->g->edges.data[e].siblings = edges;
      w->g->edges.data[e].sibling_count = count;
    }
    edges[count++] = e;
  }
  w->g->states.data[at].edges = edges;
  w->g->states.data[at].edge_count = count;
}

static void add_state(struct inside *w, uint32_t at) {
  struct flow_node *n = w->nodes.data[at];
  if (n->kind == FLOW_IF || n->kind == FLOW_DO) {
    add_selection(w, at, n);
    return;
  }
  uint32_t *edges = ARENA_ARRAY(w->t->arena, uint32_t, 1);
  edges[0] = add_edge(w, at, n);
  w->g->states.data[at].edges = edges;
  w->g->states.data[at].edge_count = 1;
}

// ---------------------------------------------------------------------------------------------
// Guards: what SPIN looks at to see if the d_step is executable. Of a selection these are the
// conditions, receives and sends its options begin with; options that begin with something else
// are not looked at, unless all do.

static uint32_t edge_from(struct inside *w, uint32_t state, uint32_t option) {
  return w->g->states.data[state].edges[option];
}

static bool is_guard(const struct flow_node *n) {
  if (n->kind == FLOW_ELSE) return true;
  if (n->kind != FLOW_STMT) return false;
  if (!n->stmt) return true;
  return n->stmt->kind == AST_EXPR || n->stmt->kind == AST_SEND || n->stmt->kind == AST_RECEIVE;
}

static void collect_guards(struct inside *w, struct flow_node *selection) {
  uint32_t state = w->place[selection->number], option = 0;
  for (struct flow_seq *s = selection->options; s; s = s->next, option++) {
    struct flow_node *n = graph_hunt_first(s->first);
    if (n->kind == FLOW_BLOCK) n = n->body->first;
    if (n->kind == FLOW_IF || n->kind == FLOW_DO)
      collect_guards(w, n);
    else if (is_guard(n) && n == graph_hunt_first(s->first))
      VEC_PUSH(&w->guards, edge_from(w, state, option));
  }
}

static void find_guards(struct inside *w, struct flow_node *first) {
  if (!first) return;
  if (first->kind == FLOW_IF || first->kind == FLOW_DO)
    collect_guards(w, first);
  else if (is_guard(first))
    VEC_PUSH(&w->guards, edge_from(w, w->place[first->number], 0));
  w->g->guard_count = (uint32_t)w->guards.count;
  w->g->guards = ARENA_ARRAY(w->t->arena, uint32_t, w->guards.count);
  for (size_t i = 0; i < w->guards.count; i++) w->g->guards[i] = w->guards.data[i];
}

struct pml_graph *graph_d_step(struct table *t, struct flow_node *d_step) {
  struct pml_graph *g = ARENA_NEW(t->arena, struct pml_graph);
  struct inside w = {.t = t, .g = g, .place = ARENA_ARRAY(t->arena, uint32_t, t->count)};
  for (uint32_t i = 0; i < t->count; i++) w.place[i] = NOT_YET;
  VEC_PUSH(&g->states, ((struct pml_state){.span = d_step->span}));
  VEC_PUSH(&w.nodes, d_step);
  g->exit = 0;
  struct flow_node *first = follow(&w, d_step->body->first);
  g->start = place_of(&w, first);
  for (uint32_t i = 1; i < g->states.count; i++) add_state(&w, i);
  find_guards(&w, first);
  VEC_CLEAR(&w.nodes);
  VEC_CLEAR(&w.guards);
  return g;
}
