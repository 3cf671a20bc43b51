// SPDX-License-Identifier: Apache-2.0
// Traces of models whose rules say which statements they are: as SPIN writes them, and as message
// sequence charts.
#include "ir/ir.h"
#include "report/report.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

// Process 1 sends x to process 2 through a buffer of two, twice, then meets it; 2 takes the second
// message first.
static const char model_text[] =
    "model \"m\" language \"ir\"; deadlock stuck; var x : 0..7;\n"
    "var got : 0..7;\n"
    "start \"go\" { x := 0; got := 0; }\n"
    "rule \"send\" agent 1 line \"q!x\" by \"alice\" agent 1 place 4 send 1 of x as 0..7\n"
    "  line \"x = (x+1)\" by \"alice\" agent 1 place 5\n"
    "  when x < 2 { x := x + 1; }\n"
    "rule \"second\" agent 2 line \"q??1\" by \"bob\" agent 2 place 7 receive 1 of 1 as 0..7\n"
    "  when got = 0 { got := 1; }\n"
    "rule \"first\" agent 2 line \"q?got\" by \"bob\" agent 2 receive 1 of 0 as 0..7\n"
    "  when got = 1 { got := 2; }\n"
    "rule \"meet\" agent 1 line \"c!got\" by \"alice\" agent 1 place 9 send 2 of got as 0..7\n"
    "  line \"c?_\" by \"bob\" agent 2 place 8 receive 2 of got as 0..7\n"
    "  when got = 2 { got := 3; }\n"
    "rule \"plain\" line \"done\" by \":init:\" agent 0 place 2 when got = 3 { got := 4; }\n";

struct told {
  struct ir_model *model;
  struct trace trace;
  struct replay replay;
};

static void tell(struct told *t) {
  static const uint32_t steps[] = {0, 0, 1, 2, 3, 4};
  struct diag d = {0};
  *t = (struct told){0};
  t->model = ir_parse_model(source_from_text("m.ir", model_text, strlen(model_text)), &d);
  diag_print(&d, stderr, false);
  assert_non_null(t->model);
  diag_clear(&d);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    VEC_PUSH(&t->trace.steps, ((struct trace_step){steps[i], 0}));
  t->trace.end = TRACE_DEADLOCK;
  assert_true(trace_replay(&t->trace, t->model, IR_DEADLOCK_STUCK, &t->replay));
}

static void forget(struct told *t) {
  replay_clear(&t->replay);
  trace_clear(&t->trace);
  ir_model_free(t->model);
}

static char *show(const struct told *t, enum report_trace how, size_t columns) {
  char *text = NULL;
  size_t bytes;
  struct report_run run = {.path = "m.ir", .language = "ir", .model = t->model};
  FILE *out = open_memstream(&text, &bytes);
  struct report_text r = {.out = out, .trace = how, .columns = columns};
  report_text_violation(&r, &run, &t->trace, &t->replay);
  fclose(out);
  return text;
}

static void has(const char *text, const char *what) {
  if (strstr(text, what) == NULL) fail_msg("\"%s\" is missing in:\n%s", what, text);
}

static void test_words(void **unused) {
  struct told t;
  tell(&t);
  assert_true(report_has_lines(t.model));
  char *text = show(&t, REPORT_TRACE_DIFF, 0);
  has(text, "violated: invalid end state (deadlock)\n  after 6 steps\n");
  has(text, "\n      1 proc  1 (alice:1) m.ir:4 (state 4) [q!x]\n"
            "        proc  1 (alice:1) m.ir:5 (state 5) [x = (x+1)]\n"
            "        x: 0 -> 1\n");
  has(text, "\n      4 proc  2 (bob:1) m.ir:9 [q?got]\n");
  has(text, "\n      6 proc  0 (:init::1) m.ir:14 (state 2) [done]\n");
  free(text);
  forget(&t);
  (void)unused;
}

static void test_chart(void **unused) {
  struct told t;
  tell(&t);
  char *text = show(&t, REPORT_TRACE_MSC, 80);
  const char *chart = "\n"
                      "        :init::0                alice:1                 bob:2\n"
                      "      1 |                       #1 q!0                  |\n"
                      "        |                       x = (x+1)               |\n"
                      "      2 |                       #2 q!1                  |\n"
                      "        |                       x = (x+1)               |\n"
                      "      3 |                       |........#2 q??1.......>|\n"
                      "      4 |                       |........#1 q?0........>|\n"
                      "      5 |                       |----------c!2--------->|\n"
                      "      6 done                    |                       |\n";
  has(text, chart);
  free(text);
  forget(&t);
  (void)unused;
}

// Too long for its arrow, a label stands above it; a chart that is too wide is not drawn.
static void test_narrow(void **unused) {
  struct told t;
  tell(&t);
  char *text = show(&t, REPORT_TRACE_MSC, 38);
  has(text, "        |         | #2 q??1 |\n"
            "      3 |         |........>|\n");
  has(text, "      5 |         |---c!2-->|\n");
  free(text);
  text = show(&t, REPORT_TRACE_MSC, 30);
  has(text, "a chart of 3 processes needs 35 columns, and there are 30");
  has(text, "[q!x]");
  free(text);
  forget(&t);
  (void)unused;
}

static void test_where(void **unused) {
  static const char *const waits[] = {"c?x", "d!1"};
  struct report_where w = {.process = "alice", .agent = 3, .place = 6, .waits = waits};
  struct text t = {0};
  w.wait_count = 2;
  report_where(&t, &w);
  assert_string_equal(text_str(&t), "proc  3 (alice:1) (state 6) waits for [c?x] or [d!1]");
  text_clear(&t);
  w.may_end = true;
  w.process = "alice:7";
  report_where(&t, &w);
  assert_string_equal(text_str(&t), "proc  3 (alice:7) (state 6) may end here");
  text_clear(&t);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_chart),
      cmocka_unit_test(test_narrow),
      cmocka_unit_test(test_where),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
