// SPDX-License-Identifier: Apache-2.0
// Nested depth-first search with several threads: the verdicts of the naive check and of one
// thread, the same counts where nothing is found, lassos that replay whoever found them, limits.
#include "cycles.h"

#ifdef FATHOM_SMALL
enum { ROUNDS = 150, LARGE = 60 };
#else
enum { ROUNDS = 400, LARGE = 300 };
#endif

static void expect_like(const struct result *one, const struct result *r, unsigned threads,
                        uint64_t seed) {
  if (r->verdict != one->verdict)
    fail_msg("world %llu, %u threads: %s", (unsigned long long)seed, threads,
             verdict_name(r->verdict));
  assert_int_equal(r->traces.count, one->traces.count);
  if (one->verdict == VERDICT_VIOLATED) return;
  assert_int_equal(r->stats.states, one->stats.states);
  assert_int_equal(r->stats.transitions, one->stats.transitions);
  assert_int_equal(r->frontier, 0);
}

static void try_worlds(const struct world_wishes *wish, uint64_t first, int rounds) {
  for (int i = 0; i < rounds; i++) {
    uint64_t seed = first + (uint64_t)i;
    struct rng rng;
    struct world w;
    struct result one, r;
    rng_init(&rng, seed);
    world_random(&w, wish, &rng);
    struct ir_model *m = world_model(&w);
    struct cycles_setting how = {
        .chains = wish->transient, .fair = wish->agents, .mode = SYS_INTERPRETED};
    cycles_search(m, &how, &one);
    assert_int_equal(one.verdict == VERDICT_VIOLATED, world_violated(&w, wish->agents));
    for (how.threads = 2; how.threads <= 4; how.threads += 2) {
      cycles_search(m, &how, &r);
      expect_like(&one, &r, how.threads, seed);
      result_clear(&r);
    }
    result_clear(&one);
    ir_model_free(m);
  }
}

static void test_random(void **context) {
  (void)context;
  try_worlds(&(struct world_wishes){0}, 100, ROUNDS);
  try_worlds(&(struct world_wishes){.final = true, .accept_atom = true}, 1000, ROUNDS);
  try_worlds(&(struct world_wishes){.transient = true, .on_edges = true}, 2000, ROUNDS);
  try_worlds(&(struct world_wishes){.agents = true}, 3000, ROUNDS);
}

// --- larger: two counters that turn round, and where accepting states are is up to a hash ---

static const char text[] =
    "model \"m\"; var x : 0..%d; var y : 0..%d; start \"s\" { x := 0; y := 0; }\n"
    "rule \"x\" when x < %d { x := x + 1; }\n"
    "rule \"y\" when y < %d { y := y + 1; }\n"
    "rule \"round\" when x = %d & y %% 7 = %d { y := y %s; }\n"
    "atom \"sometimes\" : (x * 31 + y * 17) %% 5 = 0;\n"
    "ltl \"p\" : \"\";\n";

static struct ir_automaton_edge edges[2][2] = {{{.no = 1, .to = 0}, {.yes = 1, .to = 1}},
                                               {{.no = 1, .to = 0}, {.yes = 1, .to = 1}}};
static struct ir_automaton_state states[2] = {
    {.edges = edges[0], .edge_count = 2}, {.edges = edges[1], .edge_count = 2, .accepting = true}};
static const struct ir_automaton often = {
    .states = states, .count = 2, .accept_atom = -1, .stuck_ends = true};

static void expect_large(bool cycle) {
  struct text t = {0};
  int n = LARGE - 1;
  text_printf(&t, text, n, n, n, n, n / 2, cycle ? 0 : 9, cycle ? "- y % 6" : "- 1");
  struct ir_model *m = model_of_text(text_str(&t));
  m->properties.data[0]->automaton = &often;
  struct cycles_setting how = {.mode = SYS_INTERPRETED};
  struct result one, r;
  cycles_search(m, &how, &one);
  assert_int_equal(one.verdict, cycle ? VERDICT_VIOLATED : VERDICT_HOLDS);
  for (how.threads = 2; how.threads <= 8; how.threads += 3) {
    cycles_search(m, &how, &r);
    expect_like(&one, &r, how.threads, 0);
    assert_int_equal(r.stats.threads, how.threads);
    result_clear(&r);
  }
  result_clear(&one);
  ir_model_free(m);
  text_clear(&t);
}

static void test_large(void **context) {
  (void)context;
  expect_large(false);
  expect_large(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
