// SPDX-License-Identifier: Apache-2.0
// What a depth-bounded search of a maze must say, whichever way it is set.
#pragma once

#include "maze.h"

static const int bounds_increments[] = {1, 2, 3, 7, 1000};
static const char *const bounds_stores[] = {"exact", "tree", "fingerprint"};
enum { INCREMENTS = sizeof bounds_increments / sizeof *bounds_increments };
enum { STORES = sizeof bounds_stores / sizeof *bounds_stores };
enum { THREADS = 4, BOUNDINGS = 2, FRONTIERS = 3 };

static inline struct search_config bounds_config(struct rng *r) {
  struct search_config c = graph_config();
  c.increment = (uint64_t)bounds_increments[maze_random(r, INCREMENTS)];
  c.bounding = (enum search_bounding)maze_random(r, BOUNDINGS);
  c.frontier = (enum search_frontier)maze_random(r, FRONTIERS);
  c.threads = 1 + (unsigned)maze_random(r, THREADS);
  c.store = bounds_stores[maze_random(r, STORES)];
  return c;
}

// What stands below is about this run.
static inline void bounds_tell(const struct maze *m, const struct search_config *c) {
  print_error("to depth %d by %d, bounding %d, frontier %d, %u threads, %s store\n",
              (int)c->budget.depth_max, (int)c->increment, (int)c->bounding, (int)c->frontier,
              c->threads, c->store);
  maze_print(m);
}

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (condition) break;                                                                          \
    bounds_tell(m, c);                                                                             \
    fail_msg("%s", #condition);                                                                    \
  } while (0)
#define EXPECT_EQUAL(a, b)                                                                         \
  do {                                                                                             \
    if ((uint64_t)(a) == (uint64_t)(b)) break;                                                     \
    bounds_tell(m, c);                                                                             \
    fail_msg("%s is %llu, not %s: %llu", #a, (unsigned long long)(a), #b,                          \
             (unsigned long long)(b));                                                             \
  } while (0)

static inline bool is(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

// Node by node: reached, or not.
static inline void bounds_set(const struct maze *m, const struct search_config *c,
                              const struct result *r) {
  size_t at = 0;
  for (int i = 0; i < m->nodes; i++) {
    if (m->distance[i] < 0) continue;
    const struct property_result *p = &r->properties.data[at++];
    if (maze_reached(m, i, (int)c->budget.depth_max))
      EXPECT(p->verdict == VERDICT_HOLDS);
    else
      EXPECT(p->verdict == VERDICT_UNKNOWN && is(p->reason, "depth"));
  }
}

static inline void bounds_all(const struct maze *m, const struct search_config *c,
                              const struct result *r) {
  bool lossy = is(c->store, "fingerprint");
  EXPECT_EQUAL(r->verdict, lossy ? VERDICT_UNKNOWN : VERDICT_HOLDS);
  EXPECT(!lossy || strncmp(r->reason, "lossy", 5) == 0);
  EXPECT_EQUAL(r->stats.states, maze_within(m, m->farthest));
  EXPECT_EQUAL(r->stats.transitions, maze_fired(m, m->farthest));
  EXPECT_EQUAL(r->frontier, 0);
  EXPECT(r->depth_complete >= (uint64_t)m->farthest);
}

static inline void bounds_to_depth(const struct maze *m, const struct search_config *c,
                                   const struct result *r) {
  int limit = (int)c->budget.depth_max;
  EXPECT_EQUAL(r->verdict, VERDICT_UNKNOWN);
  EXPECT(is(r->reason, "depth"));
  EXPECT_EQUAL(r->stats.states, maze_within(m, limit));
  EXPECT_EQUAL(r->stats.transitions, maze_fired(m, limit - 1));
  EXPECT_EQUAL(r->frontier, maze_frontier(m, limit));
  EXPECT_EQUAL(r->depth_complete, limit);
}

// Of every node that can be reached at all; so a complete search holds.
static inline struct graph bounds_graph(const struct maze *m) {
  struct graph g = maze_graph(m);
  for (int i = 0; i < m->nodes; i++)
    if (m->distance[i] >= 0) graph_property(&g, IR_PROP_COVER, "node", graph_is(&g, i));
  graph_finish(&g);
  return g;
}

static inline bool bounds_ends(const struct maze *m, const struct search_config *c) {
  int limit = (int)c->budget.depth_max;
  return !limit || !maze_leads_on(m, limit, c->deadlock != IR_DEADLOCK_OFF);
}

// A search to the depth of the budget (0: to the end) that ended by itself: how many states.
static inline void bounds_count(const struct maze *m, const struct search_config *c,
                                const struct result *r) {
  if (bounds_ends(m, c))
    bounds_all(m, c, r);
  else
    bounds_to_depth(m, c, r);
}

// And which, with the goals of bounds_graph.
static inline void bounds_expect(const struct maze *m, const struct search_config *c,
                                 const struct result *r) {
  bounds_count(m, c, r);
  if (!bounds_ends(m, c)) bounds_set(m, c, r);
}

// --- something large enough for threads to meet ---

static inline void bounds_map(struct graph *g, int64_t factor, int64_t more, int64_t modulus) {
  struct ir_model *m = g->model;
  struct ir_rule *r = ir_rule_new(m, false, "map", nowhere);
  struct ir_expr *product = ir_binary(m, IR_MUL, graph_x(g), ir_int(m, factor, nowhere), nowhere);
  struct ir_expr *sum = ir_binary(m, IR_ADD, product, ir_int(m, more, nowhere), nowhere);
  struct ir_expr *next = ir_binary(m, IR_MOD, sum, ir_int(m, modulus, nowhere), nowhere);
  r->body = ir_assign(m, graph_x(g), next, nowhere);
}

// x -> x + 1, 7x + 3, 5x + 11 modulo a prime: a long way to every state, tried first, and short
// ones.
static inline struct graph bounds_web(int64_t nodes) {
  struct graph g = graph_new(nodes);
  graph_start(&g, 0);
  bounds_map(&g, 1, 1, nodes);
  bounds_map(&g, 7, 3, nodes);
  bounds_map(&g, 5, 11, nodes);
  graph_finish(&g);
  return g;
}
