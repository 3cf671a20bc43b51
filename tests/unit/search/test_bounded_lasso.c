// SPDX-License-Identifier: Apache-2.0
// The bounded search of a product: lassos whose states all lie within the bound are found, others
// are not; without a bound it says what the naive check says.
#include "cycles.h"

#if defined(FATHOM_SMALL) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 100 };
#else
enum { ROUNDS = 600 };
#endif

static void expect(struct ir_model *m, struct cycles_setting how, bool violated, bool whole,
                   uint64_t seed) {
  struct result r;
  cycles_search(m, &how, &r);
  bool good = violated ? r.verdict == VERDICT_VIOLATED : r.verdict != VERDICT_VIOLATED;
  if (!good || (whole && !violated && r.verdict != VERDICT_HOLDS))
    fail_msg("world %llu, bound %llu, %u threads: %s", (unsigned long long)seed,
             (unsigned long long)how.depth_max, how.threads, verdict_name(r.verdict));
  assert_int_equal(r.traces.count, violated);
  if (r.verdict == VERDICT_UNKNOWN) assert_string_equal(r.reason, "depth");
  result_clear(&r);
}

static void try_worlds(const struct world_wishes *wish, uint64_t first) {
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t seed = first + (uint64_t)i;
    struct rng rng;
    struct world w;
    rng_init(&rng, seed);
    world_random(&w, wish, &rng);
    struct ir_model *m = world_model(&w);
    struct cycles_setting how = {
        .search = "bounded", .chains = wish->transient, .mode = SYS_INTERPRETED, .shrinks = true};
    for (how.threads = 1; how.threads <= 2; how.threads++)
      expect(m, how, world_violated(&w, false), true, seed);
    for (how.depth_max = 1; !wish->transient && how.depth_max < 6; how.depth_max++)
      expect(m, how, world_violated_within(&w, false, (int)how.depth_max), false, seed);
    ir_model_free(m);
  }
}

static void test_random(void **context) {
  (void)context;
  try_worlds(&(struct world_wishes){0}, 100);
  try_worlds(&(struct world_wishes){.final = true}, 1000);
  try_worlds(&(struct world_wishes){.transient = true}, 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
