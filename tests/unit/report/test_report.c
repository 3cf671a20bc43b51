// SPDX-License-Identifier: Apache-2.0
// The report room: how numbers look, files that appear whole or not at all, results written as JSON
// and read back, files that are no results.
#include "ir/ir.h"
#include "report/format.h"
#include "report/report.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_format(void **unused) {
  char b[FORMAT_BYTES];
  assert_string_equal(format_count(b, 0), "0");
  assert_string_equal(format_count(b, 999), "999");
  assert_string_equal(format_count(b, 1000), "1,000");
  assert_string_equal(format_count(b, UINT64_MAX), "18,446,744,073,709,551,615");
  assert_string_equal(format_size(b, 1023), "1023 bytes");
  assert_string_equal(format_size(b, 1536), "1.5 KiB");
  assert_string_equal(format_seconds(b, 0.0041), "4.1 ms");
  assert_string_equal(format_seconds(b, 0.25), "0.25 s");
  assert_string_equal(format_seconds(b, 125), "2 m 05 s");
  assert_string_equal(format_seconds(b, 7300), "2 h 01 m");
  assert_string_equal(format_rate(b, 3.5e6), "3.50 M");
  assert_string_equal(format_basename("a/b/c.m"), "c.m");
  assert_string_equal(format_basename("c.m"), "c.m");
  (void)unused;
}

static void test_file(void **unused) {
  char folder[] = "/tmp/fathom-test-XXXXXX", path[64];
  const char *why;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/out", folder);
  struct report_file f;
  assert_true(report_file_open(&f, path, &why));
  fputs("half", f.out);
  assert_int_not_equal(access(path, F_OK), 0);
  report_file_discard(&f);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_true(report_file_open(&f, path, &why));
  fputs("whole", f.out);
  assert_true(report_file_commit(&f, &why));
  assert_int_equal(access(path, F_OK), 0);
  unlink(path);
  assert_int_equal(rmdir(folder), 0); // nothing temporary is left
  assert_false(report_file_open(&f, "/nonexistent/out", &why));
  assert_false(report_file_open(&f, "/tmp", &why));
  (void)unused;
}

// Links are followed, also to what is not there yet; two names of one file are known as such.
static void test_file_links(void **unused) {
  char folder[] = "/tmp/fathom-test-XXXXXX", link[64], target[64];
  const char *why;
  assert_non_null(mkdtemp(folder));
  snprintf(link, sizeof link, "%s/link", folder);
  snprintf(target, sizeof target, "%s/target", folder);
  assert_int_equal(symlink("target", link), 0);
  struct report_file f, g;
  assert_true(report_file_open(&f, link, &why));
  assert_true(report_file_open(&g, target, &why));
  assert_string_equal(f.path, g.path);
  assert_true(report_file_same(&f, &g));
  assert_false(report_file_replaces(&f, target, -1)); // nothing is there to be replaced
  report_file_discard(&g);
  assert_true(report_file_commit(&f, &why));
  assert_int_equal(access(target, F_OK), 0);
  assert_int_equal(unlink(link), 0);
  assert_int_equal(symlink("target", link), 0);
  assert_true(report_file_open(&f, link, &why));
  assert_true(report_file_replaces(&f, target, -1));
  assert_true(report_file_replaces(&f, link, -1));
  assert_false(report_file_replaces(&f, folder, -1));
  assert_false(report_file_replaces(&f, "-", -1)); // a closed standard input
  report_file_discard(&f);
  assert_true(report_file_open(&f, "/dev/null", &why));
  assert_true(report_file_open(&g, "/dev/null", &why));
  assert_false(report_file_same(&f, &g));
  report_file_discard(&f);
  report_file_discard(&g);
  unlink(link);
  unlink(target);
  assert_int_equal(rmdir(folder), 0);
  (void)unused;
}

// A variable x: 0..3, one rule that adds 1, an invariant x < 2.
static struct ir_model *small_model(void) {
  struct span at = {0};
  struct diag d = {0};
  struct ir_model *m = ir_model_new("small", "ir");
  const struct ir_var *x = ir_var_new(m, "x", ir_type_range(m, 0, 3), at);
  struct ir_rule *start = ir_rule_new(m, true, "start", at), *up = ir_rule_new(m, false, "up", at);
  start->body = ir_assign(m, ir_var_ref(m, x, at), ir_int(m, 0, at), at);
  struct ir_expr *next = ir_binary(m, IR_ADD, ir_var_ref(m, x, at), ir_int(m, 1, at), at);
  up->body = ir_assign(m, ir_var_ref(m, x, at), next, at);
  struct ir_property *p = ir_property_new(m, IR_PROP_INVARIANT, "below", at);
  p->expr = ir_binary(m, IR_LT, ir_var_ref(m, x, at), ir_int(m, 2, at), at);
  assert_true(ir_model_finish(m, &d));
  diag_clear(&d);
  return m;
}

// Writes a result with one trace of two steps and returns the JSON.
static char *write_result(const struct ir_model *m) {
  const char *const defines[] = {"N=3"};
  struct report_run run = {.version = "1",
                           .command = "check",
                           .path = "small.ir",
                           .language = "ir",
                           .model = m,
                           .model_hash = 0xfeed,
                           .defines = defines,
                           .define_count = 1,
                           .while_limit = 77,
                           .deadlock = IR_DEADLOCK_STUCK};
  struct result r = {
      .verdict = VERDICT_VIOLATED, .engine = "explicit", .search = "bfs", .store = "exact"};
  struct trace t = {.end = TRACE_PROPERTY};
  for (int i = 0; i < 2; i++) VEC_PUSH(&t.steps, ((struct trace_step){0}));
  VEC_PUSH(&r.traces, t);
  struct replay replay;
  assert_true(trace_replay(&r.traces.data[0], m, IR_DEADLOCK_OFF, &replay));
  char *json;
  size_t bytes;
  FILE *out = open_memstream(&json, &bytes);
  assert_true(report_json_result(out, &run, &r, &replay));
  fclose(out);
  replay_clear(&replay);
  result_clear(&r);
  return json;
}

static bool read_back(const char *json, struct report_saved *saved, char **why) {
  struct source *s = source_from_text("r.json", json, strlen(json));
  bool good = report_json_read(s, saved, why);
  source_free(s);
  return good;
}

static void test_round_trip(void **unused) {
  struct ir_model *m = small_model();
  char *json = write_result(m), *why;
  struct report_saved saved;
  assert_true(read_back(json, &saved, &why));
  assert_string_equal(saved.path, "small.ir");
  assert_string_equal(saved.language, "ir");
  assert_int_equal(saved.model_hash, 0xfeed);
  assert_int_equal(saved.while_limit, 77);
  assert_int_equal(saved.deadlock, IR_DEADLOCK_STUCK);
  assert_int_equal(saved.defines.count, 1);
  assert_int_equal(saved.traces.count, 1);
  assert_int_equal(saved.traces.data[0].steps.count, 2);
  assert_int_equal(saved.traces.data[0].end, TRACE_PROPERTY);
  report_saved_clear(&saved);
  // Every beginning of it is refused with a sentence.
  for (size_t length = strlen(json) - 2; length > 0; length -= length > 50 ? 50 : 1) {
    json[length] = '\0';
    assert_false(read_back(json, &saved, &why));
    assert_non_null(why);
    mem_free(why);
    report_saved_clear(&saved);
  }
  free(json);
  ir_model_free(m);
  (void)unused;
}

static void test_agrees(void **unused) {
  struct ir_model *m = small_model();
  char *json = write_result(m), *why;
  struct report_saved saved;
  struct replay replay;
  assert_true(read_back(json, &saved, &why));
  assert_true(trace_replay(&saved.traces.data[0], m, IR_DEADLOCK_OFF, &replay));
  assert_true(report_json_agrees(&saved, 0, m, &replay, &why));
  assert_null(why);
  report_saved_clear(&saved);
  char *rule = strstr(json, "\"up\"");
  assert_non_null(rule);
  rule[1] = 'U';
  assert_true(read_back(json, &saved, &why));
  assert_false(report_json_agrees(&saved, 0, m, &replay, &why));
  assert_non_null(strstr(why, "step 1"));
  mem_free(why);
  report_saved_clear(&saved);
  replay_clear(&replay);
  free(json);
  ir_model_free(m);
  (void)unused;
}

static void test_foreign_files(void **unused) {
  static const char *const files[] = {
      "",
      "[]",
      "{}",
      "3",
      "{\"schema\": 4}",
      "{\"schema\": \"fathom-result/1\", \"trace\": null}",
      "{\"schema\": \"fathom-result/1\", \"trace\": {\"steps\": 5}}"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct report_saved saved;
    char *why;
    assert_false(read_back(files[i], &saved, &why));
    assert_non_null(why);
    mem_free(why);
    report_saved_clear(&saved);
  }
  (void)unused;
}

// The text report of a bounded search that ended early, to be freed.
static char *bounded_text(struct result *r, const struct report_bounded *b) {
  struct ir_model *m = small_model();
  struct report_run run = {.path = "small.ir", .model = m, .bounded = b};
  char *said;
  size_t bytes;
  struct report_text t = {.out = open_memstream(&said, &bytes)};
  *r = (struct result){.verdict = VERDICT_UNKNOWN,
                       .reason = r->reason,
                       .engine = "explicit",
                       .search = "bounded",
                       .store = "exact",
                       .stats = {.iterations = 3, .reexplored = 1, .frontier_nodes = 9},
                       .depth_known = true,
                       .depth_complete = 1200,
                       .frontier = 7,
                       .saved = r->saved,
                       .save_problem = r->save_problem};
  report_text_plan(&t, &run, r);
  report_text_result(&t, &run, r, NULL);
  fclose(t.out);
  ir_model_free(m);
  return said;
}

static void expect_said(struct result r, struct report_bounded b, const char *first,
                        const char *second) {
  char *said = bounded_text(&r, &b);
  if (strstr(said, first) == NULL || strstr(said, second) == NULL) fail_msg("%s", said);
  free(said);
}

static void test_bounded(void **unused) {
  char time[] = "time", depth[] = "depth", full[] = "disk full";
  struct report_bounded b = {.increment = 400, .bounding = "depth", .frontier = "traces"};
  struct result r = {.reason = time};
  expect_said(r, b, "\nunknown (time): complete to depth 1,200, no violation",
              "\n  7 stored states not expanded\n");
  expect_said(r, b,
              "deepens by 400 until no state is left, depth bounding, frontier kept as traces",
              "3 iterations completed, 1 known state explored again");
  expect_said(r, b, "to go on: give it more time", "  --save-frontier FILE keeps");
  b.save_path = b.resume = "f", b.resume_depth = 400, b.depth_max = 5000;
  expect_said(r, b, "goes on from f, which is complete to depth 400", "f was not written");
  r.saved = true;
  expect_said(r, b, "  saved in f\n", "to go on: the same command with --resume f\n");
  r.reason = depth;
  expect_said(r, b, "400 to depth 5,000", "--resume f and a greater --depth, or none\n");
  r.saved = false, r.save_problem = full;
  expect_said(r, b, "not saved in f: disk full", "to go on: look deeper");
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_format),     cmocka_unit_test(test_file),
      cmocka_unit_test(test_file_links), cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_agrees),     cmocka_unit_test(test_foreign_files),
      cmocka_unit_test(test_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
