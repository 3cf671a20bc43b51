// SPDX-License-Identifier: Apache-2.0
// A bounded search in pieces: cut short again and again, by the number of states, by the depth or
// by an interrupt at some moment, saved and taken up again. What comes out in the end is what one
// search gives, whatever the threads do.
#include "bounds.h"

#include "search/saved.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FATHOM_SMALL
enum { MAZES = 100, LARGE_MAZES = 40, WEB = 211, WEBS = 20 };
#else
enum { MAZES = 400, LARGE_MAZES = 40, WEB = 1009, WEBS = 30 };
#endif

static char path[64];

// In memory, if there is such a place: every file is flushed, and there are thousands.
static int set_up(void **context) {
  (void)context;
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(path, sizeof path, "%s/fathom-test-resume-XXXXXX", folder);
  int file = mkstemp(path);
  if (file < 0) return -1;
  close(file);
  interrupt_install();
  return 0;
}

static int tear_down(void **context) {
  (void)context;
  return unlink(path);
}

// One piece, from `saved` on (NULL: from the start). The caller closes that, and clears the result.
static void run_piece(struct graph *g, struct search_config c, const struct saved *saved,
                      struct result *r) {
  c.model = g->model;
  c.resume = saved;
  c.save_path = path;
  graph_search(g, "bounded", c, r);
  if (r->save_problem) fail_msg("%s", r->save_problem);
}

static struct saved *reopen(struct graph *g, struct search_config c) {
  struct text why = {0};
  c.model = g->model;
  struct saved *saved = saved_open(path, &c, &why);
  if (!saved) fail_msg("%s", text_str(&why));
  text_clear(&why);
  return saved;
}

// --- by the number of states, and by the depth ---

// A little further than the last time.
static void next_limits(struct rng *rng, uint64_t *states, uint64_t *depth, uint64_t last_depth) {
  *states += 1 + rng_below(rng, *states / 3 + 5);
  if (*depth == 0 || *depth == last_depth) return;
  *depth += rng_below(rng, 3);
  if (*depth > last_depth) *depth = last_depth;
}

static bool cut_short(const struct result *r, const struct search_config *c, uint64_t last_depth) {
  if (!r->reason) return false;
  return is(r->reason, "states") || (is(r->reason, "depth") && c->budget.depth_max != last_depth);
}

// What a piece that was cut short says of itself is true.
static void expect_piece(const struct maze *m, const struct search_config *c,
                         const struct result *r) {
  EXPECT(r->saved);
  EXPECT(r->depth_known);
  EXPECT(r->stats.states >= maze_within(m, (int)r->depth_complete));
  EXPECT(!c->budget.depth_max || r->depth_complete <= c->budget.depth_max);
  EXPECT(!c->budget.states_max || r->stats.states <= c->budget.states_max);
}

// Pieces until it is done; says how many.
static int expect_pieces(const struct maze *m, struct graph *g, const struct search_config *config,
                         struct rng *rng) {
  struct search_config cut = *config, *c = &cut;
  uint64_t last_depth = config->budget.depth_max, states = MAZE_STARTS + rng_below(rng, 5);
  uint64_t depth = last_depth ? 1 + rng_below(rng, last_depth) : 0;
  struct saved *saved = NULL;
  struct result r;
  for (int pieces = 1;; pieces++) {
    EXPECT(pieces < 1000);
    c->budget.states_max = states;
    c->budget.depth_max = depth;
    c->threads = 1 + (unsigned)maze_random(rng, THREADS);
    run_piece(g, *c, saved, &r);
    if (saved) saved_close(saved);
    if (!cut_short(&r, c, last_depth)) {
      bounds_count(m, config, &r);
      if (r.properties.count > 1 && !bounds_ends(m, config)) bounds_set(m, config, &r);
      result_clear(&r);
      return pieces;
    }
    expect_piece(m, c, &r);
    result_clear(&r);
    saved = reopen(g, *c);
    next_limits(rng, &states, &depth, last_depth);
  }
}

static void test_pieces(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 61);
  int pieces = 0;
  for (int round = 0; round < MAZES; round++) {
    struct maze m = maze_new(&rng);
    struct graph g = bounds_graph(&m);
    struct search_config c = bounds_config(&rng);
    c.budget.depth_max = maze_random(&rng, 2) ? 1 + (uint64_t)maze_random(&rng, m.farthest + 2) : 0;
    pieces += expect_pieces(&m, &g, &c, &rng);
    graph_free(&g);
  }
  assert_true(pieces > MAZES * 2);
}

// As before, where threads have something to do.
static void test_large_pieces(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 63);
  for (int round = 0; round < LARGE_MAZES; round++) {
    struct maze m = maze_large(&rng);
    struct graph g = maze_graph(&m);
    graph_finish(&g);
    struct search_config c = bounds_config(&rng);
    c.budget.depth_max = maze_random(&rng, 2) ? 1 + (uint64_t)maze_random(&rng, m.farthest + 2) : 0;
    expect_pieces(&m, &g, &c, &rng);
    graph_free(&g);
  }
}

// --- at any moment ---

// A system that interrupts the search after so many expansions.
struct hasty {
  struct sys pub;
  struct sys *inner;
  _Atomic long *left;
};

static struct sys *hasty_new(struct sys *inner, _Atomic long *left);

static void hasty_poll(struct sys *s) { sys_poll(((struct hasty *)s)->inner); }

static void hasty_free(struct sys *s) {
  sys_free(((struct hasty *)s)->inner);
  mem_free(s);
}

static struct sys *hasty_clone(struct sys *s) {
  struct hasty *p = (struct hasty *)s;
  return hasty_new(sys_clone(p->inner), p->left);
}

static void hasty_starts(struct sys *s, struct sys_out *out) {
  struct sys *inner = ((struct hasty *)s)->inner;
  inner->starts(inner, out);
}

static void hasty_expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct hasty *p = (struct hasty *)s;
  if (atomic_fetch_sub(p->left, 1) == 1) raise(SIGINT);
  p->inner->expand(p->inner, state, out);
}

static struct sys_fault hasty_check(struct sys *s, const uint64_t *state) {
  struct sys *inner = ((struct hasty *)s)->inner;
  return inner->check(inner, state);
}

static struct sys *hasty_new(struct sys *inner, _Atomic long *left) {
  struct hasty *p = mem_zalloc(1, sizeof *p);
  p->pub = *inner;
  p->pub.poll = hasty_poll;
  p->pub.free = hasty_free;
  p->pub.clone = hasty_clone;
  p->pub.starts = hasty_starts;
  p->pub.expand = hasty_expand;
  p->pub.check = hasty_check;
  p->inner = inner;
  p->left = left;
  return &p->pub;
}

static void run_hasty(struct graph *g, struct search_config c, long expansions, struct result *r) {
  struct sys_config how = {.mode = SYS_INTERPRETED};
  _Atomic long left = expansions;
  c.model = g->model;
  c.sys = hasty_new(sys_new(g->model, &how), &left);
  c.save_path = path;
  *r = (struct result){0};
  search_run(search_strategy_find("bounded"), &c, r);
  sys_free(c.sys);
  interrupt_clear();
}

// Interrupted again and again until it is done; says how often.
static int expect_interrupted(struct graph *g, const struct search_config *config, struct rng *rng,
                              const struct result *whole) {
  struct search_config c = *config;
  struct saved *saved = NULL;
  struct result r;
  for (int pieces = 0;; pieces++) {
    c.resume = saved;
    c.threads = 1 + (unsigned)maze_random(rng, THREADS);
    c.increment = config->increment + rng_below(rng, 3);
    run_hasty(g, c, 1 + (long)rng_below(rng, WEB / 2), &r);
    if (saved) saved_close(saved);
    if (!is(r.reason, "interrupted")) {
      assert_int_equal(r.verdict, whole->verdict);
      assert_int_equal(r.stats.states, whole->stats.states);
      assert_int_equal(r.stats.transitions, whole->stats.transitions);
      assert_int_equal(r.frontier, whole->frontier);
      result_clear(&r);
      return pieces;
    }
    assert_true(r.saved);
    result_clear(&r);
    saved = reopen(g, c);
  }
}

static void test_interrupted(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 62);
  struct graph g = bounds_web(WEB);
  int pieces = 0;
  for (int round = 0; round < WEBS; round++) {
    struct search_config c = bounds_config(&rng);
    if (c.increment > 7) c.increment = 10;
    c.budget.depth_max = (uint64_t)maze_random(&rng, 2) * 7;
    struct search_config breadth = c;
    struct result whole;
    graph_search(&g, "bfs", breadth, &whole);
    pieces += expect_interrupted(&g, &c, &rng, &whole);
    result_clear(&whole);
  }
  assert_true(pieces > 0);
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_large_pieces),
      cmocka_unit_test(test_interrupted),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
