// SPDX-License-Identifier: Apache-2.0
// BDD-A*: what is open is kept by (g, h), and the lowest b*g + a*h is expanded next. With weights
// of one, since h falls by one at most with each step, no state is ever expanded on a way that is
// not shortest; with others what is found may be farther, and no state is expanded again for that.
#include "symbolic/guided_own.h"

// Adds states, which are taken over, to the open ones.
static void add(struct guided *g, uint64_t depth, uint32_t h, dd states) {
  for (size_t i = 0; i < g->open.count; i++) {
    struct piece *p = &g->open.data[i];
    if (p->g != depth || p->h != h) continue;
    dd_or_to(&p->states, states);
    return;
  }
  VEC_PUSH(&g->open, ((struct piece){.g = depth, .h = h, .states = states}));
}

// By layers, from this one on: none of the states is nearer.
static void split(struct guided *g, uint64_t depth, uint32_t from, dd states) {
  dd rest = dd_copy(states);
  for (uint32_t h = from; h < guided_layers(g) && !dd_is_false(rest); h++) {
    dd here = guided_within(g, rest, h);
    if (dd_is_false(here)) continue;
    dd_set(&rest, dd_minus(rest, here));
    add(g, depth, h, here);
  }
  if (!dd_is_false(rest) && guided_outside(g) != DATABASE_NEVER)
    add(g, depth, guided_outside(g), rest);
  else
    dd_drop(rest);
}

// Of equal ones that with the lower h.
static struct piece take(struct guided *g, double weight_g, double weight_h) {
  size_t best = 0;
  double least = 0;
  for (size_t i = 0; i < g->open.count; i++) {
    const struct piece *p = &g->open.data[i];
    double f = weight_g * (double)p->g + weight_h * (double)p->h;
    if (i && (f > least || (f == least && p->h >= g->open.data[best].h))) continue;
    best = i;
    least = f;
  }
  struct piece out = g->open.data[best];
  g->open.data[best] = VEC_POP(&g->open);
  return out;
}

static void expand(struct guided *g, struct piece *p) {
  dd_set(&p->states, dd_and(p->states, g->unexpanded));
  if (dd_is_false(p->states) || guided_meets(g, p->g, p->states)) return;
  dd_or_to(&guided_at(g, p->g)->expanded, dd_copy(p->states));
  dd_set(&g->unexpanded, dd_minus(g->unexpanded, p->states));
  dd next = guided_expand(g, p->g, p->states);
  dd_set(&next, dd_and(next, g->unexpanded));
  split(g, p->g + 1, p->h ? p->h - 1 : 0, next);
  dd_drop(next);
  g->iterations++;
}

// h has changed.
static void split_again(struct guided *g) {
  size_t count = g->open.count;
  struct piece *old = mem_alloc((count + 1) * sizeof *old);
  for (size_t i = 0; i < count; i++) old[i] = g->open.data[i];
  g->open.count = 0;
  for (size_t i = 0; i < count; i++) {
    split(g, old[i].g, 0, old[i].states);
    dd_drop(old[i].states);
  }
  mem_free(old);
}

void guided_astar(struct guided *g, double weight_g, double weight_h) {
  split(g, 0, 0, g->starts);
  while (g->open.count && !g->found && !g->x->judge.stop) {
    if (guided_improve(g)) split_again(g);
    if (guided_proves(g) || !g->open.count) break;
    struct piece p = take(g, weight_g, weight_h);
    expand(g, &p);
    dd_drop(p.states);
  }
}
