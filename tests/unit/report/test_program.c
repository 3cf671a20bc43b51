// SPDX-License-Identifier: Apache-2.0
// What comes of a violated C program: inputs, the path in its text, the witness, the test file. The
// model is one as the front end makes it, a rule for each block.
#include "ir/ir.h"
#include "report/place.h"
#include "report/report.h"
#include "report/sha256.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "/* int no(int) { */\n"                            // 1
                              "int __VERIFIER_nondet_int(void);\n"               // 2
                              "void reach_error(void);\n"                        // 3
                              "static int twice(int n) { return 2 * n; }\n"      // 4
                              "int main(void) {\n"                               // 5
                              "  int x = __VERIFIER_nondet_int( /* ) */ );\n"    // 6
                              "  unsigned long y = __VERIFIER_nondet_ulong();\n" // 7
                              "  x = twice(x);\n"                                // 8
                              "  if (x == 10 && y > 1)\n"                        // 9
                              "    reach_error();\n"                             // 10
                              "  return __VERIFIER_nondet_char();\n"             // 11
                              "}\n";

static const char model_text[] = "model \"m\" language \"c\"; deadlock off;\n"
                                 "var pc : 0..3 location; var x : i32; var y : u64;\n"
                                 "start \"go\" { pc := 0; x := 0; y := 0; }\n"
                                 "rule \"0: entry\" choose (a : i32, b : u64) when pc = 0 {\n"
                                 "  x := a;\n"
                                 "  y := b;\n"
                                 "  x := x * 2;\n"
                                 "  pc := 1;\n"
                                 "}\n"
                                 "rule \"1: if.then\" choose (c : i32) when pc = 1 {\n"
                                 "  assert x != 10 else \"reach_error()\";\n"
                                 "  x := c;\n"
                                 "  pc := 2;\n"
                                 "}\n";

struct told {
  struct ir_model *model;
  struct source *text;
  struct trace trace;
  struct replay replay;
};

static struct span at(const struct told *t, uint32_t line, uint32_t column) {
  return (struct span){t->text, line, column, line, column + 1};
}

// The rules point into the program, and their choices are inputs.
static void place(struct told *t) {
  static const char *const functions[] = {"__VERIFIER_nondet_int", "__VERIFIER_nondet_ulong"};
  static const char *const names[] = {"x", "y"};
  static const uint32_t lines[] = {6, 7, 8, 9};
  struct ir_rule *entry = t->model->rules.data[0], *error = t->model->rules.data[1];
  size_t i = 0;
  for (uint32_t k = 0; k < 2; k++) {
    struct ir_local *l = entry->frame.locals[k];
    l->input = functions[k];
    l->name = names[k];
    l->span = at(t, 6 + k, k == 0 ? 11 : 21);
  }
  error->frame.locals[0]->input = "__VERIFIER_nondet_char";
  entry->span = at(t, 6, 3);
  for (struct ir_stmt *s = entry->body; s != NULL; s = s->next) s->span = at(t, lines[i++], 3);
  error->span = at(t, 10, 5);
  for (struct ir_stmt *s = error->body; s != NULL; s = s->next) s->span = at(t, 10, 5);
  t->model->sites.data[error->body->site].span = at(t, 10, 5);
}

static void tell(struct told *t) {
  static const int64_t first[] = {5, -1}, second[] = {7};
  struct diag d = {0};
  *t = (struct told){0};
  t->model = ir_parse_model(source_from_text("twice.c", model_text, strlen(model_text)), &d);
  diag_print(&d, stderr, false);
  assert_non_null(t->model);
  diag_clear(&d);
  t->text = source_from_text("twice.c", program, strlen(program));
  VEC_PUSH(&t->model->sources, t->text);
  place(t);
  const struct ir_rule *entry = t->model->rules.data[0], *error = t->model->rules.data[1];
  struct trace_step one = {0, trace_keep_choices(&t->trace, entry, first)};
  VEC_PUSH(&t->trace.steps, one);
  struct trace_step two = {1, trace_keep_choices(&t->trace, error, second)};
  VEC_PUSH(&t->trace.steps, two);
  t->trace.end = TRACE_SITE;
  t->trace.id = error->body->site;
  bool good = trace_replay(&t->trace, t->model, IR_DEADLOCK_OFF, &t->replay);
  if (!good) fail_msg("%s", t->replay.problem);
}

static void forget(struct told *t) {
  replay_clear(&t->replay);
  trace_clear(&t->trace);
  ir_model_free(t->model);
}

static struct report_run run_of(const struct told *t) {
  static const char *const defines[] = {"LIMIT=10", "NAME=a b"};
  static const struct report_program asked = {.checks = ""};
  return (struct report_run){.version = "9",
                             .path = "twice.c",
                             .language = "c",
                             .model = t->model,
                             .defines = defines,
                             .define_count = 2,
                             .program = &asked};
}

static void has(const char *text, const char *what) {
  if (strstr(text, what) == NULL) fail_msg("\"%s\" is missing in:\n%s", what, text);
}

// Of the step that fails, what is called behind the failure is no input.
static void test_inputs(void **unused) {
  struct told t;
  struct report_inputs in;
  tell(&t);
  report_inputs_init(&in, t.model, &t.trace);
  assert_int_equal(in.list.count, 2);
  assert_string_equal(in.list.data[0].variable, "x");
  assert_int_equal(in.list.data[0].value, 5);
  assert_int_equal(in.list.data[1].step, 0);
  report_inputs_clear(&in);
  forget(&t);
  (void)unused;
}

static void test_path(void **unused) {
  struct told t;
  char *text = NULL;
  size_t bytes;
  tell(&t);
  struct report_run run = run_of(&t);
  FILE *out = open_memstream(&text, &bytes);
  struct report_text r = {.out = out, .trace = REPORT_TRACE_DIFF};
  report_text_violation(&r, &run, &t.trace, &t.replay);
  fclose(out);
  has(text, "violated: assertion failed: reach_error() (twice.c:10:5)\n");
  has(text, "\n  inputs\n"
            "      1 x = 5                     __VERIFIER_nondet_int()  twice.c:6\n"
            "      2 y = 18446744073709551615  __VERIFIER_nondet_ulong()  twice.c:7\n");
  has(text, "\n  path\n"
            "      1 twice.c:6  int x = __VERIFIER_nondet_int( /* ) */ );     x = 5\n"
            "        twice.c:7  unsigned long y = __VERIFIER_nondet_ulong();  y = "
            "18446744073709551615\n"
            "        twice.c:8  x = twice(x);                                 x = 10\n"
            "        twice.c:9  if (x == 10 && y > 1)\n"
            "      2 twice.c:10  reach_error();\n");
  free(text);
  forget(&t);
  (void)unused;
}

static void test_witness(void **unused) {
  struct told t;
  char *text = NULL;
  size_t bytes;
  tell(&t);
  struct report_run run = run_of(&t);
  FILE *out = open_memstream(&text, &bytes);
  assert_true(report_witness(out, &run, &t.trace));
  fclose(out);
  has(text, "- entry_type: \"violation_sequence\"\n  metadata:\n    format_version: \"2.0\"\n");
  has(text, "      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n"
            "      data_model: \"LP64\"\n      language: \"C\"\n  content:\n");
  has(text, "    - segment:\n      - waypoint:\n"
            "          type: \"function_return\"\n          action: \"follow\"\n"
            "          location:\n            file_name: \"twice.c\"\n"
            "            line: 6\n            column: 42\n            function: \"main\"\n"
            "          constraint:\n            value: \"\\\\result == 5\"\n"
            "            format: \"ext_c_expression\"\n");
  has(text, "value: \"\\\\result == 18446744073709551615U\"");
  has(text, "          type: \"target\"\n          action: \"follow\"\n          location:\n"
            "            file_name: \"twice.c\"\n            line: 10\n            column: 5\n");
  free(text);
  forget(&t);
  (void)unused;
}

static void test_test(void **unused) {
  struct told t;
  char *text = NULL;
  size_t bytes;
  tell(&t);
  struct report_run run = run_of(&t);
  FILE *out = open_memstream(&text, &bytes);
  assert_true(report_test(out, &run, &t.trace, "fail.c"));
  fclose(out);
  has(text, "//   cc -g -O0 -fwrapv -D LIMIT=10 -D 'NAME=a b' -Wl,-z,muldefs -o failing fail.c "
            "twice.c && "
            "./failing\n");
  has(text, "\nint __VERIFIER_nondet_int(void) {\n  static const int values[] = {5};\n");
  has(text, "\nunsigned long __VERIFIER_nondet_ulong(void) {\n"
            "  static const unsigned long values[] = {18446744073709551615u};\n");
  has(text, "\nchar __VERIFIER_nondet_char(void) {\n  fathom_more();\n");
  free(text);
  forget(&t);
  (void)unused;
}

static void test_places(void **unused) {
  struct told t;
  struct text name = {0};
  tell(&t);
  place_function(&name, at(&t, 4, 30));
  assert_string_equal(text_str(&name), "twice");
  text_clear(&name);
  place_function(&name, at(&t, 2, 5));
  assert_string_equal(text_str(&name), "");
  text_clear(&name);
  forget(&t);
  (void)unused;
}

// The standard's own examples.
static void test_sha256(void **unused) {
  static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  char text[SHA256_TEXT];
  sha256_text("abc", 3, text);
  assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  sha256_text(two, strlen(two), text);
  assert_string_equal(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  sha256_text("", 0, text);
  assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inputs), cmocka_unit_test(test_path),   cmocka_unit_test(test_witness),
      cmocka_unit_test(test_test),   cmocka_unit_test(test_places), cmocka_unit_test(test_sha256),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
