// SPDX-License-Identifier: Apache-2.0
// The survey of a search: levels, rules fired, values of leaves, shares of time; for one thread and
// for several, breadth first and depth first.
#include "front/murphi/murphi.h"
#include "ir/ir.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct ir_model *load(const char *text) {
  struct diag d = {0};
  struct ir_model *m =
      murphi_load(source_from_text("test.m", text, strlen(text)), NULL, 0, 1000, &d);
  if (m == NULL) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static struct result survey(const struct ir_model *m, const char *search, const char *store,
                            unsigned threads) {
  struct sys_config interpreted = {.mode = SYS_INTERPRETED};
  struct sys *sys = sys_new(m, &interpreted);
  struct search_config c = {.sys = sys,
                            .model = m,
                            .store = store,
                            .budget = {.mem_bytes = 1 << 28},
                            .started = clock_seconds(),
                            .threads = threads,
                            .survey = true};
  struct result r = {0};
  search_run(search_strategy_find(search), &c, &r);
  sys_free(sys);
  return r;
}

static uint64_t values(const struct ir_model *m, const struct result *r, const char *name) {
  for (uint64_t i = 0; i < m->layout->count; i++) {
    struct text t = {0};
    ir_leaf_name(&t, m, i);
    bool found = strcmp(text_str(&t), name) == 0;
    text_clear(&t);
    if (found) return r->survey.distinct[i];
  }
  fail_msg("there is no leaf %s", name);
  return 0;
}

static void check_shares(const struct ir_model *m, const struct result *r) {
  double sum = 0;
  assert_non_null(r->survey.share);
  for (size_t i = 0; i < m->rules.count; i++) {
    assert_true(r->survey.share[i] >= 0);
    sum += r->survey.share[i];
  }
  assert_true(sum > 0.999 && sum < 1.001);
}

static const char grid[] =
    "var x : 0..29; y : 0..19; wide : 0..99999999; odd : boolean; fixed : 0..3; maybe : 0..1;"
    "startstate begin x := 0; y := 0; wide := 0; odd := false; fixed := 1; undefine maybe; end;"
    "rule \"right\" x < 29 ==> begin x := x + 1; wide := 1000000 * x; end;"
    "rule \"up\" y < 19 ==> begin y := y + 1; odd := !odd; if y = 3 then maybe := 1; end; end;"
    "rule \"stay\" x = 29 & y = 19 ==> begin x := 29; end;"
    "rule \"never\" fixed = 2 ==> begin x := 0; end;";

static void check_grid(const struct ir_model *m, const char *search, unsigned threads) {
  struct result r = survey(m, search, "exact", threads);
  assert_int_equal(r.stats.states, 600);
  assert_int_equal(r.survey.fired[0], 29 * 20);
  assert_int_equal(r.survey.fired[1], 19 * 30);
  assert_int_equal(r.survey.fired[2], 1);
  assert_int_equal(r.survey.fired[3], 0);
  assert_int_equal(r.survey.fresh[0] + r.survey.fresh[1], 599);
  assert_int_equal(r.survey.fresh[2], 0);
  assert_int_equal(r.survey.sampled, 600);
  assert_int_equal(values(m, &r, "x"), 30);
  assert_int_equal(values(m, &r, "y"), 20);
  assert_int_equal(values(m, &r, "wide"), 30);
  assert_int_equal(values(m, &r, "odd"), 2);
  assert_int_equal(values(m, &r, "fixed"), 1);
  assert_int_equal(values(m, &r, "maybe"), 2);
  assert_int_equal(r.survey.timed, 600);
  check_shares(m, &r);
  if (strcmp(search, "bfs") == 0) {
    uint64_t sum = 0;
    assert_int_equal(r.survey.levels.count, 49);
    for (size_t i = 0; i < r.survey.levels.count; i++) sum += r.survey.levels.data[i];
    assert_int_equal(sum, 600);
    assert_int_equal(r.survey.levels.data[0], 1);
    assert_int_equal(r.survey.levels.data[1], 2);
    assert_int_equal(r.survey.levels.data[48], 1);
  }
  result_clear(&r);
}

static void test_grid(void **unused) {
  struct ir_model *m = load(grid);
  for (unsigned threads = 1; threads <= 4; threads *= 2) {
    check_grid(m, "bfs", threads);
    check_grid(m, "dfs", threads);
  }
  ir_model_free(m);
  (void)unused;
}

// Small sizes sample; large ones count up to the limit.
static void test_many(void **unused) {
  struct ir_model *m =
      load("var x : 0..69999; a : array [0..9] of boolean;"
           "startstate begin x := 0; clear a; end;"
           "rule \"on\" begin x := (x + 1) % 70000; a[x % 10] := !a[x % 10]; end;");
  struct result r = survey(m, "bfs", "exact", 1);
  assert_in_range(r.survey.sampled, 1000, r.stats.states);
  uint64_t seen = values(m, &r, "x"), most = SURVEY_DISTINCT_MAX;
  assert_in_range(seen, 900, most);
  if (r.survey.sampled == r.stats.states) assert_int_equal(seen, most);
  assert_int_equal(values(m, &r, "a[0]"), 2);
  assert_int_equal(values(m, &r, "a[9]"), 2);
  result_clear(&r);
  ir_model_free(m);
  (void)unused;
}

// Of states that are not kept nothing is known but what was counted on the way.
static void test_no_states(void **unused) {
  struct ir_model *m = load(grid);
  struct result r = survey(m, "bfs", "fingerprint", 1);
  assert_int_equal(r.stats.states, 600);
  assert_int_equal(r.survey.fired[0], 29 * 20);
  assert_int_equal(r.survey.levels.count, 49);
  assert_null(r.survey.distinct);
  assert_null(r.survey.share);
  result_clear(&r);
  ir_model_free(m);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grid),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_no_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
