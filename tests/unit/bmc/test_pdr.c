// SPDX-License-Identifier: Apache-2.0
// Proofs on random circuits against trying every state: PDR, k-induction, and both in turn, in
// small pieces and at once. What is proved has been checked again by the proof itself.
#include "bmc/cube.h"
#include "bmc/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants those above
#include <cmocka.h>

#include "toy.h"

static enum prove_answer run(const struct toy *c, enum bmc_proof method, uint64_t effort,
                             uint64_t *min, uint64_t *max) {
  struct text text = {0};
  struct prove_config config = {
      .relation = (struct relation *)c, .goal = {toy_bad, NULL}, .method = method};
  struct prove *p = prove_new(&config, &text);
  assert_non_null(p);
  enum prove_answer answer = PROVE_OPEN;
  for (int i = 0; answer == PROVE_OPEN && i < 100000; i++) answer = prove_step(p, effort);
  *min = prove_depth_min(p);
  *max = prove_depth_max(p);
  if (answer == PROVE_HOLDS) {
    prove_describe(p, &text);
    assert_true(text.count > 0);
  }
  text_clear(&text);
  prove_free(p);
  return answer;
}

static void check(const struct toy *c, enum bmc_proof method, uint64_t effort, int distance) {
  uint64_t min, max;
  enum prove_answer answer = run(c, method, effort, &min, &max);
  assert_int_equal(answer, distance < 0 ? PROVE_HOLDS : PROVE_VIOLATED);
  if (distance < 0) return;
  assert_true(max >= (uint64_t)distance);
  assert_true(min <= (uint64_t)distance);
}

static void test_random(void **unused) {
  (void)unused;
  unsigned violated = 0, deep = 0, held = 0;
  unsigned count = getenv("FATHOM_TEST_EFFORT") ? 20000 : 600;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct rng g;
    struct toy c;
    rng_init(&g, seed);
    toy_init(&c, &g);
    int distance = toy_distance(&c);
    violated += distance >= 0;
    deep += distance > 3;
    held += distance < 0;
    check(&c, BMC_PROOF_PDR, seed % 2 ? 1 : 100000, distance);
    check(&c, BMC_PROOF_AUTO, 10, distance);
    if (c.bits <= 3) check(&c, BMC_PROOF_INDUCTION, 10, distance);
  }
  print_message("%u violated (%u deep), %u hold\n", violated, deep, held);
  assert_true(deep > 5 && held > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
