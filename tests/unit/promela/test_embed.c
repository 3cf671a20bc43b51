// SPDX-License-Identifier: Apache-2.0
// Embedded C: the memory that it brings into the state, its functions over cells, and what is
// refused.
#include "front/promela/promela.h"
#include "ir/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char counter[] =
    "c_state \"short wide\" \"Global\" \"-3\"\n"
    "c_state \"unsigned char few[3]\" \"Local p\"\n"
    "byte x; bit b; byte unseen = 7;\n"
    "active proctype p() { byte n = 5;\n"
    "  c_code { now.wide--; now.x = 300; now.b = 3;\n"
    "           Pp->few[1] = Pp->n + Pp->_pid; Pp->n = 9; };\n"
    "  assert(x == 44 && b == 1 && n == 9 && c_expr { Pp->few[1] == 5 &&\n"
    "         now.wide == -4 }) }\n";

static struct ir_model *load(const char *text, bool no_c, struct diag *d) {
  struct promela_config c = {.no_c = no_c};
  return promela_load(source_from_text("test.pml", text, strlen(text)), &c, NULL, d);
}

static int64_t value_of(const struct ir_model *m, const char *leaf, const uint64_t *state) {
  for (uint64_t i = 0; i < m->leaves; i++) {
    struct text name = {0};
    ir_leaf_name(&name, m, i);
    bool found = strcmp(text_str(&name), leaf) == 0;
    text_clear(&name);
    if (found) return ir_leaf_get(&m->layout->leaf[i], state);
  }
  fail_msg("there is no %s", leaf);
  return 0;
}

// Runs the first rule that can go.
static enum ir_outcome step(const struct ir_model *m, struct ir_eval *e, uint64_t *state) {
  for (size_t i = 0; i < m->rules.count; i++)
    if (ir_eval_guard(e, m->rules.data[i], NULL, NULL, state) != IR_DISABLED)
      return ir_eval_body(e, m->rules.data[i], NULL, NULL, state);
  return IR_DISABLED;
}

static void test_meaning(void **unused) {
  (void)unused;
  struct diag d = {0};
  struct text errors = {0};
  struct ir_model *m = load(counter, false, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  assert_true(ir_check(m, &errors));
  assert_int_equal(m->foreign->count, 2);
  struct ir_eval *e = ir_eval_new(m);
  uint64_t *state = mem_zalloc(m->layout->words + 1, sizeof *state);
  assert_int_equal(ir_eval_body(e, m->starts.data[0], NULL, NULL, state), IR_OK);
  assert_int_equal(value_of(m, "wide", state), -3);
  assert_int_equal(step(m, e, state), IR_OK);
  assert_int_equal(value_of(m, "wide", state), -4);
  assert_int_equal(value_of(m, "x", state), 44);
  assert_int_equal(value_of(m, "p(0).few[1]", state), 5);
  assert_int_equal(value_of(m, "p(0).n", state), 9);
  assert_int_equal(step(m, e, state), IR_OK); // the assertion
  mem_free(state);
  ir_eval_free(e);
  ir_model_free(m);
  diag_clear(&d);
}

static void test_text(void **unused) {
  (void)unused;
  struct diag d = {0};
  struct text text = {0};
  struct ir_model *m = load(counter, false, &d);
  assert_non_null(m);
  ir_print_model(&text, m);
  assert_non_null(strstr(text_str(&text), "foreign 1 "));
  struct source *s = source_from_text("test.ir", text.data, text.count);
  assert_null(ir_parse_model(s, &d));
  assert_int_equal(d.errors, 1);
  assert_non_null(strstr(d.entries[d.count - 1].message, "C code of its own"));
  text_clear(&text);
  ir_model_free(m);
  diag_clear(&d);
}

static void refuse(const char *text, bool no_c, const char *message) {
  struct diag d = {0};
  assert_null(load(text, no_c, &d));
  bool found = false;
  for (size_t i = 0; i < d.count; i++) found |= strstr(d.entries[i].message, message) != NULL;
  if (!found) diag_print(&d, stderr, false);
  assert_true(found);
  diag_clear(&d);
}

static void test_refused(void **unused) {
  (void)unused;
  refuse("c_decl { int z; }\nactive proctype A() { skip }\n", true, "not allowed");
  refuse("active proctype A() { c_code { int x; } }\n", true, "not allowed");
  refuse("active proctype A() { c_expr { 1 } }\n", true, "not allowed");
  refuse("c_state \"int x\" \"Somewhere\"\nactive proctype A() { skip }\n", false, "\"Global\"");
  refuse("c_track \"&x\" \"4\" \"Maybe\"\nactive proctype A() { skip }\n", false, "\"Matched\"");
  refuse("c_state \"char x[70000]\" \"Global\"\nactive proctype A() { skip }\n", false, "70000");
  refuse("active proctype A() { c_code { now.nothing = 1; } }\n", false, "nothing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meaning),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
