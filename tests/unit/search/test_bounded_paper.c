// SPDX-License-Identifier: Apache-2.0
// The algorithms of "Efficient depth bounding in explicit-state model checking" as they stand there
// (Fig 2, 3, 5, 6), on small graphs: that of Fig 3 misses states, those of Fig 5 and 6 do not, and
// our search explores known states again just as often as they do.
#include "maze.h"

#ifdef FATHOM_SMALL
enum { MAZES = 300 };
#else
enum { MAZES = 3000 };
#endif

enum figure { FIG_3, FIG_5, FIG_6 };
enum { UNSEEN = INT32_MAX };

// The paper's DoneStates (Fig 3: in or not; Fig 5: depths) or Threshold (Fig 6), and outFrontier.
struct paper {
  const struct maze *m;
  enum figure figure;
  // Our search notes the depth of a state on the frontier as its threshold; so it does not explore
  // one that waits at a greater depth, and then again when its turn comes. The paper's does.
  bool notes_frontier;
  int bound;
  int done[MAZE_NODES]; // UNSEEN: not in the table
  bool out_frontier[MAZE_NODES];
  int order[MAZE_NODES], ordered; // in which they came to outFrontier
  int explored[MAZE_NODES];       // how often
};

static bool must_explore(const struct paper *p, int state, int depth) {
  if (p->figure == FIG_3) return p->done[state] == UNSEEN;
  return depth < p->done[state];
}

static int bounded_dfs(struct paper *p, int state, int depth);

static int explore(struct paper *p, int state, int depth) {
  int mine = -1;
  p->done[state] = depth;
  p->out_frontier[state] = false;
  p->explored[state]++;
  for (int i = 0; i < p->m->edges; i++) {
    if (p->m->from[i] != state) continue;
    int theirs = bounded_dfs(p, p->m->to[i], depth + 1);
    if (theirs - 1 > mine) mine = theirs - 1;
  }
  if (p->figure == FIG_6) p->done[state] = mine;
  return mine;
}

// What it returns is of use to Fig 6 only.
static int bounded_dfs(struct paper *p, int state, int depth) {
  if (!must_explore(p, state, depth)) return p->done[state];
  if (depth < p->bound) return explore(p, state, depth);
  if (!p->out_frontier[state]) p->order[p->ordered++] = state;
  p->out_frontier[state] = true;
  if (p->notes_frontier) p->done[state] = depth;
  return depth;
}

static void explore_frontier(struct paper *p, int state, int depth) {
  if (p->notes_frontier)
    explore(p, state, depth);
  else
    bounded_dfs(p, state, depth);
}

// Fig 2.
static void iterate(struct paper *p, int increment, int limit) {
  for (int i = 0; i < MAZE_NODES; i++) p->done[i] = UNSEEN;
  for (int i = 0; i < p->m->starts; i++) bounded_dfs(p, p->m->start[i], 0); // the bound is 0
  for (int from = 0; from < limit && p->ordered > 0; from = p->bound) {
    int frontier[MAZE_NODES], count = 0;
    for (int i = 0; i < p->ordered; i++)
      if (p->out_frontier[p->order[i]]) frontier[count++] = p->order[i];
    memset(p->out_frontier, 0, sizeof p->out_frontier);
    p->ordered = 0;
    p->bound = from + increment < limit ? from + increment : limit;
    for (int i = 0; i < count; i++) explore_frontier(p, frontier[i], from);
  }
}

// States that were explored, and those on the frontier.
static uint64_t found(const struct paper *p) {
  uint64_t n = 0;
  for (int i = 0; i < p->m->nodes; i++) n += p->explored[i] > 0 || p->out_frontier[i];
  return n;
}

static uint64_t again(const struct paper *p) {
  uint64_t n = 0;
  for (int i = 0; i < p->m->nodes; i++) n += p->explored[i] > 1 ? (uint64_t)p->explored[i] - 1 : 0;
  return n;
}

static struct paper run(const struct maze *m, enum figure figure, int increment, int limit) {
  struct paper p = {.m = m, .figure = figure};
  iterate(&p, increment, limit);
  return p;
}

static struct paper run_ours(const struct maze *m, enum figure figure, int increment, int limit) {
  struct paper p = {.m = m, .figure = figure, .notes_frontier = true};
  iterate(&p, increment, limit);
  return p;
}

// --- Fig 4 ---

// s1 .. s5 are 0 .. 4; e1 e2 e3 e4 e5 in that order.
static struct maze figure_4(void) {
  struct maze m = {.nodes = 5, .starts = 1};
  maze_edge(&m, 0, 1);
  maze_edge(&m, 1, 2);
  maze_edge(&m, 0, 2);
  maze_edge(&m, 2, 3);
  maze_edge(&m, 3, 4);
  maze_measure(&m);
  return m;
}

static void test_unsound(void **context) {
  (void)context;
  struct maze m = figure_4();
  assert_int_equal(m.distance[4], 3);
  struct paper p = run(&m, FIG_3, 3, 3);
  assert_int_equal(found(&p), 4);
  assert_false(p.explored[4] || p.out_frontier[4]); // s5
  for (enum figure figure = FIG_5; figure <= FIG_6; figure++) {
    p = run(&m, figure, 3, 3);
    assert_int_equal(found(&p), 5);
    assert_true(p.out_frontier[4]);
  }
}

// The edges in this order and in the other: a search may try them from either end.
static void test_figure_4(void **context) {
  (void)context;
  for (int k = 0; k < 2 * 2 * 3; k++) {
    struct maze m = figure_4();
    if (k % 2) maze_reverse(&m);
    struct graph g = maze_graph(&m);
    graph_property(&g, IR_PROP_INVARIANT, "s5", graph_is_not(&g, 4));
    graph_finish(&g);
    struct search_config c = graph_config();
    c.bounding = (enum search_bounding)(k / 2 % 2);
    c.frontier = (enum search_frontier)(k / 4);
    c.budget.depth_max = c.increment = 3;
    struct result r;
    graph_search(&g, "bounded", c, &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].steps.count, 3);
    result_clear(&r);
    graph_free(&g);
  }
}

// --- random graphs ---

// A test that would not notice what Fig 3 misses is none.
static void test_random_unsound(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 51);
  int missed = 0;
  for (int round = 0; round < MAZES; round++) {
    struct maze m = maze_new(&rng);
    for (int limit = 1; limit <= m.farthest; limit++) {
      struct paper p = run(&m, FIG_3, limit, limit);
      missed += found(&p) < maze_within(&m, limit);
    }
  }
  assert_true(missed > MAZES / 10);
}

static void expect_sound(const struct maze *m, const struct paper *p, int limit) {
  assert_int_equal(found(p), maze_within(m, limit));
  for (int i = 0; i < m->nodes; i++) {
    assert_int_equal(p->explored[i] > 0, maze_reached(m, i, limit - 1));
    if (limit <= m->farthest) assert_int_equal(p->out_frontier[i], m->distance[i] == limit);
  }
}

// One graph by both, as in the paper and as we do it.
static void expect_fewer(const struct maze *m, int increment, int limit, uint64_t sums[4]) {
  struct paper runs[] = {run(m, FIG_5, increment, limit), run(m, FIG_6, increment, limit),
                         run_ours(m, FIG_5, increment, limit),
                         run_ours(m, FIG_6, increment, limit)};
  uint64_t count[4];
  for (int i = 0; i < 4; i++) {
    expect_sound(m, &runs[i], limit);
    sums[i] += count[i] = again(&runs[i]);
  }
  if (count[1] > count[0] || count[3] > count[2]) maze_print(m);
  assert_true(count[1] <= count[0]);
  assert_true(count[3] <= count[2]);
}

static void test_random_sound(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 52);
  uint64_t sums[4] = {0};
  for (int round = 0; round < MAZES; round++) {
    struct maze m = maze_new(&rng);
    int limit = 1 + maze_random(&rng, m.farthest + 2);
    expect_fewer(&m, 1 + maze_random(&rng, limit + 1), limit, sums);
  }
  print_message("explored again: Fig 5 %d, Fig 6 %d; with the frontier noted %d, %d\n",
                (int)sums[0], (int)sums[1], (int)sums[2], (int)sums[3]);
  assert_true(sums[1] < sums[0] && sums[3] < sums[2]);
  assert_true(sums[2] < sums[0] && sums[3] < sums[1]);
}

// Our search, one thread: it explores as many known states again as the figure does. (It asks for
// the thresholds of all successors at once, not when their turn comes. That comes to the same: what
// need not be explored at this depth is not explored below it either, so its threshold stays.)
static void expect_as_often(const struct maze *m, struct graph *g, struct search_config c) {
  enum figure figure = c.bounding == BOUNDING_DEPTH ? FIG_5 : FIG_6;
  int increment = (int)c.increment, limit = (int)c.budget.depth_max;
  struct paper p = run_ours(m, figure, increment, limit);
  struct result r;
  graph_search(g, "bounded", c, &r);
  if (r.stats.reexplored != again(&p)) {
    print_error("Fig %s to %d by %d, frontier %d\n", figure == FIG_5 ? "5" : "6", limit, increment,
                (int)c.frontier);
    maze_print(m);
  }
  assert_int_equal(r.stats.reexplored, again(&p));
  result_clear(&r);
}

static void test_as_often(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 53);
  for (int round = 0; round < MAZES; round++) {
    struct maze m = maze_new(&rng);
    struct graph g = maze_graph(&m);
    graph_finish(&g);
    struct search_config c = graph_config();
    c.budget.depth_max = 1 + (uint64_t)maze_random(&rng, m.farthest + 2);
    c.increment = 1 + rng_below(&rng, c.budget.depth_max + 1);
    c.frontier = (enum search_frontier)maze_random(&rng, 3);
    for (int k = 0; k < 2; k++) {
      c.bounding = (enum search_bounding)k;
      expect_as_often(&m, &g, c);
    }
    graph_free(&g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unsound),        cmocka_unit_test(test_figure_4),
      cmocka_unit_test(test_random_unsound), cmocka_unit_test(test_random_sound),
      cmocka_unit_test(test_as_often),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
