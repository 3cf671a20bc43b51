// SPDX-License-Identifier: Apache-2.0
// From the elements of a process (flow.h) to its control graph, by way of the table of transitions
// that SPIN generates and its verifier then flattens.
#pragma once

#include "front/promela/flow.h"

struct step { // a transition of the table
  struct flow_node *node;
  uint32_t to;     // number; 0: nowhere
  unsigned status; // of the node: FLOW_IN_ATOMIC, FLOW_LAST, FLOW_IN_D_STEP (a d_step)
  // An element that is only a choice (if, do, block) has a head, behind which its options stand.
  bool is_head;
  uint32_t *escapes; // numbers of the first elements of the escapes, outermost first
  uint32_t escape_count;
  uint32_t origin; // the escape it was taken from; 0: none
  struct step *next;
};

struct table {
  struct flow *flow;
  struct arena *arena, *kept; // the flow's
  struct diag *diag;
  uint32_t count;      // of numbers, 0 included
  struct step **steps; // of each number
  struct flow_node **nodes;
  uint32_t *shown;            // number of the element whose line the state has
  struct flow_label **labels; // of each number, linked by same_node
  bool *is_end, *is_accept, *is_progress;
};

// Where control goes on from a node: through jumps, joins and loop ends, but not out of an atomic
// sequence if `status` is inside one. NULL after an error.
struct flow_node *graph_hunt(struct table *t, struct flow_node *n, unsigned status);
struct flow_node *graph_hunt_first(struct flow_node *n); // for the first of an option

void graph_fill(struct table *t);    // graph.c
void graph_flatten(struct table *t); // graph_flatten.c
// graph_convert.c: the states that can be reached. graph_d_step.c: the inside of a d_step.
void graph_convert(struct table *t, struct pml_graph *g);
struct pml_graph *graph_d_step(struct table *t, struct flow_node *d_step);
const char *graph_text(struct arena *a, const struct flow_node *n);
const struct ast_stmt *graph_stmt(const struct flow_node *n); // NULL: nothing happens

// All of it; f is built and tied.
void graph_build(struct flow *f, struct pml_graph *g);
