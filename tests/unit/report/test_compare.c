// SPDX-License-Identifier: Apache-2.0
// Runs side by side, with results that are made up: what contradicts what, and what they say
// together.
#include "report/compare.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 4

struct made {
  struct report_compared runs[RUNS_MAX];
  size_t count;
};

static const char *const names[] = {"mutex", "assertions and errors"};
static const char *const kinds[] = {"invariant", "error"};

// A run with these verdicts of the two properties, as h, v and u.
static struct report_compared *add(struct made *m, const char *engine, const char *verdicts,
                                   const char *states, int64_t length) {
  struct report_compared *r = &m->runs[m->count++];
  *r = (struct report_compared){.engine = engine, .search = "bfs", .shortest = true};
  for (size_t i = 0; verdicts[i] != '\0'; i++) {
    enum verdict v = verdicts[i] == 'h'   ? VERDICT_HOLDS
                     : verdicts[i] == 'v' ? VERDICT_VIOLATED
                                          : VERDICT_UNKNOWN;
    struct report_compared_property p = {.name = mem_strdup(names[i]),
                                         .kind = mem_strdup(kinds[i])};
    p.verdict = v;
    if (v == VERDICT_UNKNOWN) p.reason = mem_strdup(verdicts[i] == '-' ? "not selected" : "time");
    VEC_PUSH(&r->properties, p);
  }
  r->states = mem_strdup(states);
  r->complete = strchr(verdicts, 'u') == NULL && strchr(verdicts, 'v') == NULL;
  r->length = length;
  return r;
}

static void clear(struct made *m) {
  for (size_t i = 0; i < m->count; i++) report_compared_clear(&m->runs[i]);
  *m = (struct made){0};
}

static void judged(struct made *m, const char *want) {
  struct report_comparison c = {m->runs, m->count};
  struct text lines = {0};
  report_compare_judge(&c, &lines);
  assert_string_equal(text_str(&lines), want);
  text_clear(&lines);
}

static void says(struct made *m, enum verdict want) {
  struct report_comparison c = {m->runs, m->count};
  assert_int_equal(report_compare_verdict(&c), want);
}

static void test_agreement(void **state) {
  (void)state;
  struct made m = {0};
  add(&m, "explicit", "hh", "12", -1);
  add(&m, "bdd", "hh", "12", -1);
  judged(&m, "");
  says(&m, VERDICT_HOLDS);
  clear(&m);
}

static void test_verdicts_differ(void **state) {
  (void)state;
  struct made m = {0};
  add(&m, "explicit", "hh", "12", -1);
  add(&m, "bdd", "vh", "12", 3);
  judged(&m, "invariant \"mutex\": holds by explicit bfs, violated by bdd bfs\n");
  clear(&m);
}

// What is left open contradicts nothing, and the others' answers count.
static void test_open(void **state) {
  (void)state;
  struct made m = {0};
  add(&m, "explicit", "uh", "5", -1);
  judged(&m, "");
  says(&m, VERDICT_UNKNOWN);
  add(&m, "bdd", "hu", "12", -1);
  judged(&m, "");
  says(&m, VERDICT_HOLDS);
  add(&m, "explicit", "vu", "7", 2);
  judged(&m, "invariant \"mutex\": holds by bdd bfs, violated by explicit bfs\n");
  clear(&m);
}

static void test_states_differ(void **state) {
  (void)state;
  struct made m = {0};
  add(&m, "explicit", "hh", "12", -1);
  add(&m, "bdd", "hh", "13", -1);
  judged(&m, "states: 12 by explicit bfs, 13 by bdd bfs\n");
  m.runs[1].reduced = true;
  judged(&m, "");
  m.runs[1].reduced = false;
  m.runs[1].complete = false;
  judged(&m, "");
  clear(&m);
}

static void test_lengths_differ(void **state) {
  (void)state;
  struct made m = {0};
  add(&m, "explicit", "vu", "12", 4);
  add(&m, "bdd", "vu", "30", 5);
  judged(&m, "shortest trace: 4 steps by explicit bfs, 5 steps by bdd bfs\n");
  m.runs[0].shortest = false;
  judged(&m, "");
  says(&m, VERDICT_VIOLATED);
  clear(&m);
}

// A run without result says nothing; a property that nobody was asked for is not open.
static void test_without_result(void **state) {
  (void)state;
  struct made m = {0};
  says(&m, VERDICT_UNKNOWN);
  add(&m, "explicit", "h-", "12", -1);
  add(&m, "bdd", "", "0", -1)->problem = mem_strdup("left out");
  judged(&m, "");
  says(&m, VERDICT_HOLDS);
  clear(&m);
}

static const char result_text[] =
    "{\"schema\": \"fathom-result/1\", \"verdict\": \"violated\", \"reason\": null,"
    " \"symmetry\": \"off\", \"por\": \"off\","
    " \"properties\": [{\"name\": \"p\", \"kind\": \"invariant\", \"verdict\": \"violated\"},"
    "  {\"name\": \"q\", \"kind\": \"ltl\", \"verdict\": \"violated\"},"
    "  {\"name\": \"assertions and errors\", \"kind\": \"error\", \"verdict\": \"holds\"}],"
    " \"stats\": {\"states\": 9223372036854775807, \"states_exact\": \"36893488147419103232\","
    "  \"depth\": 7, \"peak_bytes\": 1024, \"total_seconds\": 1.5},"
    " \"trace\": {\"length\": 2, \"loop_start\": 1, \"end\": {\"kind\": \"property\", \"id\": 1}},"
    " \"more_traces\": [{\"length\": 6, \"loop_start\": null,"
    "  \"end\": {\"kind\": \"property\", \"id\": 0}}]}";

static void test_read(void **state) {
  (void)state;
  struct report_compared r = {.engine = "bdd", .search = "bfs"};
  assert_false(report_compared_read(&r, "{}", 2));
  assert_true(report_compared_read(&r, result_text, strlen(result_text)));
  assert_int_equal(r.verdict, VERDICT_VIOLATED);
  assert_string_equal(r.states, "36893488147419103232");
  assert_int_equal(r.length, 6); // the cycle's length tells nothing
  assert_int_equal(r.depth, 7);
  assert_false(r.complete);
  assert_false(r.reduced);
  assert_int_equal(r.properties.count, 3);
  report_compared_clear(&r);
}

static struct report_compared read_small(const char *more) {
  struct report_compared r = {.engine = "any", .search = "any"};
  struct text t = {0};
  text_printf(
      &t,
      "{\"schema\": \"fathom-result/1\", \"verdict\": \"holds\", \"leaves\": 7, "
      "\"properties\": [{\"name\": \"e\", \"kind\": \"error\", \"verdict\": \"holds\"}], %s}",
      more);
  assert_true(report_compared_read(&r, text_str(&t), t.count));
  assert_true(r.complete);
  text_clear(&t);
  return r;
}

// Engines that leave something out, or do not go through all states.
static void test_read_reasoned(void **state) {
  (void)state;
  static const struct {
    const char *more;
    bool reduced, counted, shortest;
  } cases[] = {
      {"\"stats\": {\"states\": 9, \"cone_leaves\": 7}, \"bdd\": {\"guided\": null}", false, true,
       false},
      {"\"stats\": {\"states\": 9, \"cone_leaves\": 6}, \"bdd\": {\"guided\": null}", true, true,
       false},
      {"\"stats\": {\"cone_leaves\": 0}, \"bdd\": {\"guided\": {}}", false, false, false},
      {"\"stats\": {}, \"bmc\": {\"proof\": \"auto\"}, \"bdd\": null", false, false, false},
      {"\"stats\": {}, \"hints\": {\"pattern\": {\"shortest\": true, \"proves\": false}}", false,
       true, true},
      {"\"stats\": {}, \"hints\": {\"pattern\": {\"shortest\": true, \"proves\": true}}", false,
       false, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct report_compared r = read_small(cases[i].more);
    assert_int_equal(r.reduced, cases[i].reduced);
    assert_int_equal(r.states != NULL, cases[i].counted);
    assert_int_equal(r.shortest, cases[i].shortest);
    report_compared_clear(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agreement),      cmocka_unit_test(test_verdicts_differ),
      cmocka_unit_test(test_open),           cmocka_unit_test(test_states_differ),
      cmocka_unit_test(test_lengths_differ), cmocka_unit_test(test_without_result),
      cmocka_unit_test(test_read),           cmocka_unit_test(test_read_reasoned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
