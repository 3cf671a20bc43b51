// SPDX-License-Identifier: Apache-2.0
// Claims, formulas and labels of Promela as automata: which states and edges come out, over which
// atoms, and what is not checked, and why. That the verdicts are SPIN's, tests/models show.
#include "front/promela/promela.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char process[] =
    "byte x, y; active proctype a() { do :: x = 1 - x :: y = 1 - y od }\n";

static struct ir_model *load(const char *claim, bool non_progress) {
  struct diag d = {0};
  struct text text = {0};
  struct promela_config c = {.non_progress = non_progress};
  text_printf(&text, "%s%s", process, claim);
  struct source *s = source_from_text("test.pml", text_str(&text), text.count);
  struct ir_model *m = promela_load(s, &c, NULL, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  struct text errors = {0};
  if (!ir_check(m, &errors)) fail_msg("%s", errors.data);
  diag_clear(&d);
  text_clear(&text);
  return m;
}

// The automaton of the first property: states by name, edges in order. "T0: x==1 -> e, !x==1 -> T0"
static void add_edge(struct text *out, const struct ir_model *m, const struct ir_automaton *a,
                     const struct ir_automaton_edge *e) {
  const char *before = " ";
  for (uint32_t i = 0; i < m->atoms.count; i++) {
    bool yes = e->yes >> i & 1, no = e->no >> i & 1;
    assert_false(yes && no);
    if (yes || no) {
      text_printf(out, "%s%s%s", before, no ? "!" : "", m->atoms.data[i]->name);
      before = " & ";
    }
  }
  text_printf(out, " -> %s", a->states[e->to].name);
}

static void print(struct text *out, const struct ir_model *m, const struct ir_automaton *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    const struct ir_automaton_state *s = &a->states[i];
    text_printf(out, "%s%s%s%s:", i > 0 ? "; " : "", s->name, s->accepting ? "*" : "",
                s->final ? "." : "");
    for (uint32_t k = 0; k < s->edge_count; k++) {
      if (k > 0) text_char(out, ',');
      add_edge(out, m, a, &s->edges[k]);
    }
  }
}

static void assert_automaton(const char *claim, const char *expected) {
  struct ir_model *m = load(claim, false);
  const struct ir_property *p = m->properties.data[0];
  struct text out = {0};
  assert_int_equal(m->properties.count, 1);
  if (!p->automaton) fail_msg("%s: not checked: %s", claim, p->unchecked);
  print(&out, m, p->automaton);
  assert_string_equal(text_str(&out), expected);
  text_clear(&out);
  ir_model_free(m);
}

static void assert_unchecked(const char *claim, const char *why) {
  struct ir_model *m = load(claim, false);
  const struct ir_property *p = m->properties.data[m->properties.count - 1];
  assert_null(p->automaton);
  assert_non_null(p->unchecked);
  if (!strstr(p->unchecked, why)) fail_msg("%s: %s", claim, p->unchecked);
  ir_model_free(m);
}

static void test_claims(void **state) {
  (void)state;
  assert_automaton("never { T0: do :: x == 1 -> break :: else od }",
                   "T0: x==1 -> S7, !x==1 -> T0; S7.:");
  assert_automaton("never { T0: do :: x == 1 -> goto accept :: true od; accept: do :: x == 1 od }",
                   "T0: x==1 -> accept, -> T0; accept*: x==1 -> accept");
  // equal conditions are one atom; constants are none
  assert_automaton("never { T0: if :: x == 1 :: (x == 1) && 1 -> skip :: 0 -> skip fi; end: 1 }",
                   "T0: x==1 -> end, (x==1)&&1 -> S3; end.:; S3: -> end");
  assert_automaton("never { T0: do :: x == 1 -> goto end :: y == 1 :: else od; end: skip }",
                   "T0: x==1 -> end, y==1 -> T0, !x==1 & !y==1 -> T0; end.:");
}

// One state of the model is asked for all conditions of an atomic sequence or a d_step.
static void test_sequences(void **state) {
  (void)state;
  assert_automaton("never { T0: do :: atomic { x == 1; y == 0 } -> break :: true od }",
                   "T0: x==1 & y==0 -> S9, -> T0; S9.:");
  assert_automaton("never { T0: do :: atomic { !(x == 1) -> assert(!(!(x == 1))) } :: (1) od }",
                   "T0: !x==1 -> failed_assertion, -> T0; failed_assertion.:");
  assert_automaton("never { T0: do :: d_step { x == 1; if :: y == 0 :: else fi } od }",
                   "T0: x==1 & y==0 -> T0, x==1 & !y==0 -> T0");
}

static void test_what_is_not_checked(void **state) {
  (void)state;
  assert_unchecked("never { do :: x == 1 -> x = 0 :: else od }", "[x = 0] does more than look");
  assert_unchecked("chan q = [1] of { byte }; never { do :: q?[1] :: q?1 od }",
                   "[q?1] does more than look");
  assert_unchecked("never { byte z; do :: z == 1 od }", "variables of its own");
  assert_unchecked("never { do :: run a() od }", "it runs processes");
  assert_unchecked("trace { do :: skip od }", "trace assertions");
}

// More conditions than an automaton can speak of; what comes before has its own.
static void test_many_conditions(void **state) {
  (void)state;
  struct text text = {0};
  text_add(&text, "ltl few { [] (x < 5) }\nltl many { [] (x < 9) ");
  for (int i = 0; i < 70; i++) text_printf(&text, "&& <> (x == %d) ", i + 10);
  text_add(&text, "}");
  struct ir_model *m = load(text_str(&text), false);
  assert_non_null(m->properties.data[0]->automaton);
  assert_null(m->properties.data[1]->automaton);
  assert_non_null(strstr(m->properties.data[1]->unchecked, "64 conditions"));
  assert_int_equal(m->atoms.count, 1);
  ir_model_free(m);
  text_clear(&text);
}

// The largest parts without a temporal operator are atoms; names can be found again in the text.
static void test_formulas(void **state) {
  (void)state;
  struct ir_model *m = load("#define p (x == 1)\n"
                            "ltl one { [] (p -> y) && <> (x == 1) }\n"
                            "ltl two { [] <> y }\n",
                            false);
  assert_int_equal(m->atoms.count, 3);
  assert_string_equal(m->atoms.data[0]->name, "(x==1) -> y");
  assert_string_equal(m->atoms.data[1]->name, "x==1");
  assert_string_equal(m->atoms.data[2]->name, "(y)");
  assert_string_equal(m->properties.data[0]->text, "[]\"(x==1) -> y\" && <>\"x==1\"");
  assert_string_equal(m->properties.data[1]->text, "[]<>\"(y)\"");
  assert_true(m->properties.data[0]->automaton->stutters);
  ir_model_free(m);
}

static void test_labels(void **state) {
  (void)state;
  struct ir_model *m =
      load("active proctype b() { do :: accept: x = 1; progress: y = 1 od }", false);
  assert_int_equal(m->properties.count, 2);
  assert_int_equal(m->properties.data[0]->kind, IR_PROP_ACCEPTANCE);
  assert_int_equal(m->properties.data[0]->automaton->accept_atom, 0);
  assert_int_equal(m->properties.data[1]->kind, IR_PROP_PROGRESS);
  assert_true(m->properties.data[1]->automaton->stuck_ends);
  ir_model_free(m);
  m = load("", false);
  assert_int_equal(m->properties.count, 0);
  ir_model_free(m);
  m = load("", true);
  assert_int_equal(m->properties.count, 1);
  assert_int_equal(m->properties.data[0]->kind, IR_PROP_PROGRESS);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_claims),   cmocka_unit_test(test_sequences),
      cmocka_unit_test(test_formulas), cmocka_unit_test(test_what_is_not_checked),
      cmocka_unit_test(test_labels),   cmocka_unit_test(test_many_conditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
