// SPDX-License-Identifier: Apache-2.0
// biased-bfs ("Biased model checking using flows", Fig 1): breadth first, but between two levels
// the part that marked steps alone reach is explored as well, and comes first in the next level. So
// a marked step counts as no step at all.
//
// Repaired: front_red is emptied between levels, bfs_red's lists are exchanged, and what the outer
// loop has been through is visited. Every state that is stored is in a front, and every front is
// expanded with all steps: hence Theorem 1, all states are explored.
#include "search/guided.h"
#include "search/ways.h"
#include "search/workers.h"

#define VISITED     WAY_FLAG(0) // by the outer loop: all successors are stored
#define VISITED_RED WAY_FLAG(1)

struct biased_bfs {
  struct ways ways;
  VEC(uint64_t) curr_front, next_front, front_red, front_add;
  VEC(uint32_t) marked; // successors of one state
};

static void biased_bfs_clear(struct search *s) {
  struct biased_bfs *b = s->own;
  ways_clear(&b->ways);
  VEC_CLEAR(&b->curr_front);
  VEC_CLEAR(&b->next_front);
  VEC_CLEAR(&b->front_red);
  VEC_CLEAR(&b->front_add);
  VEC_CLEAR(&b->marked);
  mem_free(b);
}

static bool goes_on(struct search_worker *w, struct biased_bfs *b) {
  size_t ids = b->curr_front.capacity + b->next_front.capacity + b->front_add.capacity;
  return ways_goes_on(w, &b->ways, ids * sizeof(uint64_t),
                      b->curr_front.count + b->next_front.count);
}

// The marked steps among those of the state that was expanded.
static void find_marked(struct search_worker *w, struct biased_bfs *b) {
  const struct sys_out *o = &b->ways.out;
  b->marked.count = 0;
  for (size_t i = 0; i < o->count; i++)
    if (!o->steps[i].site && guided_marked(w, o->steps[i].instance, b->ways.state))
      VEC_PUSH(&b->marked, (uint32_t)i);
}

// --- bfs_red ---

// What marked steps lead to comes early, whether it is new or only waits.
static void expand_red(struct search_worker *w, struct biased_bfs *b, uint64_t id) {
  *ways_payload(w, id) |= VISITED_RED;
  ways_expand(w, &b->ways, id);
  find_marked(w, b);
  ways_insert(w, &b->ways, id, b->marked.data, b->marked.count);
  for (size_t k = 0; k < b->marked.count; k++) {
    uint64_t to = b->ways.ids[b->marked.data[k]];
    if (to != STORE_ABSENT && !ways_is(w, to, VISITED | VISITED_RED | WAY_BAD))
      VEC_PUSH(&b->front_add, to);
  }
}

// By marked steps only; front_add is both the queue and what comes back.
static void bfs_red(struct search_worker *w, struct biased_bfs *b) {
  b->front_add.count = 0;
  for (size_t i = 0; i < b->front_red.count && goes_on(w, b); i++)
    if (!ways_is(w, b->front_red.data[i], VISITED_RED)) expand_red(w, b, b->front_red.data[i]);
  for (size_t i = 0; i < b->front_add.count && goes_on(w, b); i++)
    if (!ways_is(w, b->front_add.data[i], VISITED_RED)) expand_red(w, b, b->front_add.data[i]);
}

// --- the outer loop ---

static void keep_fresh(struct biased_bfs *b) {
  for (size_t i = 0; i < b->ways.out.count; i++)
    if (b->ways.fresh[i]) VEC_PUSH(&b->next_front, b->ways.ids[i]);
}

static void visit(struct search_worker *w, struct biased_bfs *b, uint64_t id) {
  *ways_payload(w, id) |= VISITED;
  ways_expand(w, &b->ways, id);
  ways_insert(w, &b->ways, id, NULL, b->ways.out.count);
  keep_fresh(b);
  uint64_t limit = w->search->config->bias_limit;
  if (b->front_red.count >= (limit ? limit : SEARCH_BIAS_LIMIT)) return;
  if (ways_is(w, id, VISITED_RED)) return; // bfs_red has been here
  find_marked(w, b);
  if (b->marked.count > 0) VEC_PUSH(&b->front_red, id);
}

// front_add, then next_front, become curr_front.
static void next_level(struct biased_bfs *b) {
  b->curr_front.count = 0;
  for (size_t i = 0; i < b->front_add.count; i++) VEC_PUSH(&b->curr_front, b->front_add.data[i]);
  for (size_t i = 0; i < b->next_front.count; i++) VEC_PUSH(&b->curr_front, b->next_front.data[i]);
  b->next_front.count = b->front_red.count = 0;
}

static void run(struct search_worker *w) {
  struct biased_bfs *b = w->search->own;
  ways_starts(w, &b->ways);
  keep_fresh(b);
  next_level(b);
  while (b->curr_front.count > 0 && !search_stopped(w->search)) {
    for (size_t i = 0; i < b->curr_front.count && goes_on(w, b); i++)
      if (!ways_is(w, b->curr_front.data[i], VISITED)) visit(w, b, b->curr_front.data[i]);
    bfs_red(w, b);
    next_level(b);
    w->depth++;
  }
}

void search_biased_bfs(struct search *s) {
  struct biased_bfs *b = mem_zalloc(1, sizeof *b);
  s->own = b;
  s->own_clear = biased_bfs_clear;
  s->found = search_report;
  s->path = ways_path;
  ways_init(s->workers[0], &b->ways);
  workers_alone(s, run);
}
