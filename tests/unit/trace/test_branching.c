// SPDX-License-Identifier: Apache-2.0
// Replay of traces that end in a formula of computation tree logic: what the run shows is said,
// what it contradicts is refused. And of steps whose choices are told by value.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ir.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <string.h>

static struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static void replays(const struct ir_model *m, const struct trace *t, bool good, const char *part) {
  struct replay r;
  bool ok = trace_replay(t, m, IR_DEADLOCK_STUCK, &r);
  const char *said = ok ? r.explanation : r.problem;
  if (ok != good || !said || !strstr(said, part)) fail_msg("%s", said ? said : "nothing said");
  replay_clear(&r);
}

// --- formulas: x counts 0, 1, 2, 3, 1, 2, 3, ... ---

// A run of so many steps against a formula.
static void run(const char *formula, size_t steps, bool loop, bool good, const char *part) {
  struct text text = {0};
  text_printf(&text,
              "model \"m\"; var x : 0..3;\nstart \"s\" { x := 0; }\n"
              "rule \"r\" { if x = 3 { x := 1; } else { x := x + 1; } }\n"
              "ctl \"f\" : \"f\" %s;\n",
              formula);
  struct ir_model *m = parse(text_str(&text));
  struct trace t = {.end = TRACE_PROPERTY, .has_loop = loop, .loop_start = 1};
  for (size_t i = 0; i < steps; i++) VEC_PUSH(&t.steps, ((struct trace_step){0, 0}));
  replays(m, &t, good, part);
  trace_clear(&t);
  ir_model_free(m);
  text_clear(&text);
}

#define SHOWS "this run shows that"
#define PART  "a part of why"
#define HOLDS "shows that \"f\" holds"

static void test_conditions(void **state) {
  (void)state;
  run("AG (x < 2)", 2, false, true, "x");
  run("AG (x < 2)", 1, false, false, "holds in the last state");
  run("AG (x < 9)", 0, false, false, "holds in the last state");
  run("(x = 1)", 0, false, true, SHOWS);
  run("(x = 0)", 0, false, false, HOLDS);
  run("(x = 0) & !(x = 1)", 0, false, false, HOLDS);
  run("(x = 0) <-> (x = 1)", 0, false, true, SHOWS);
}

static void test_universal(void **state) {
  (void)state;
  run("AG [(x = 1) -> AX (x = 3)]", 2, false, true, SHOWS);
  run("AG [(x = 1) -> AX (x = 2)]", 2, false, true, PART);
  run("AX AX (x = 1)", 2, false, true, SHOWS);
  run("AF (x = 0)", 0, false, false, HOLDS);
  run("AX AF (x = 0)", 4, true, true, SHOWS);
  run("AX AF (x = 2)", 4, true, true, PART);
  run("A [(x < 2) U (x = 3)]", 2, false, true, SHOWS);
  run("A [(x < 9) U (x = 9)]", 4, true, true, SHOWS);
  run("A [(x < 9) U (x = 9)]", 3, false, true, PART);
  run("A [(x < 3) U (x = 3)]", 4, true, true, PART);
  run("A [(x = 9) U (x = 0)]", 1, false, false, HOLDS);
  run("ABG 0..2 (x < 2)", 2, false, true, SHOWS);
  run("ABG 0..1 (x < 2)", 2, false, true, PART);
  run("ABF 1..2 (x = 3)", 2, false, true, SHOWS);
  run("ABF 1..3 (x = 9)", 2, false, true, PART);
  run("AG AF (x = 0)", 4, true, true, SHOWS);
  run("AG [AF (x = 9) | (x < 3)]", 4, true, true, SHOWS);
}

static void test_existential(void **state) {
  (void)state;
  run("!EF (x = 2)", 2, false, true, SHOWS);
  run("EF (x = 2)", 2, false, false, HOLDS);
  run("EF (x = 2)", 1, false, true, PART);
  run("EF (x = 0)", 0, false, true, PART); // it might end here
  run("!EX EG (x > 0)", 4, true, true, SHOWS);
  run("EX EG (x > 0)", 4, true, false, HOLDS);
  run("EG (x = 1)", 0, false, true, SHOWS);
  run("E [(x < 2) U (x = 2)]", 2, false, false, HOLDS);
  run("E [(x = 9) U (x = 8)]", 0, false, true, SHOWS);
  run("EBF 2..2 (x = 2)", 2, false, false, HOLDS);
  run("EBG 0..2 (x < 3)", 2, false, false, HOLDS);
  run("E [(x < 2) BU 0..2 (x = 2)]", 2, false, true, PART);
}

static void test_failing_atom(void **state) {
  (void)state;
  struct ir_model *m = parse("model \"m\"; var x : 0..3;\nstart \"s\" { x := 0; }\n"
                             "rule \"r\" { x := 1; }\nctl \"f\" : \"f\" AG EF (6 / x = 1);\n");
  uint32_t site = m->properties.data[0]->ctl->left->left->expr->args[0]->site;
  struct trace t = {.end = TRACE_SITE, .id = site, .in_property = true};
  replays(m, &t, true, "while \"f\" was evaluated: division by zero");
  VEC_PUSH(&t.steps, ((struct trace_step){0, 0}));
  replays(m, &t, false, "does not fail");
  trace_clear(&t);
  ir_model_free(m);
}

// --- choices by value ---

#define MANY "choose (a : int in 0 to 4294967295, b : 0..3, c : bool)"

static const char many[] = "model \"m\"; var x : 0..3; var y : bool;\n"
                           "start \"s\" " MANY " { x := b; y := c; }\n"
                           "rule \"r\" " MANY " when !y { assume a = 7; x := b; y := c; }\n"
                           "rule \"few\" choose (b : 0..3) when !y { x := b; }\n"
                           "invariant \"i\" : x < 3;\n";

static void add_step(struct trace *t, uint32_t instance, const int64_t *values) {
  VEC_PUSH(&t->steps, ((struct trace_step){instance, (uint32_t)t->values.count}));
  for (int i = 0; i < 3; i++) VEC_PUSH(&t->values, values[i]);
}

static struct trace begin(int64_t a, int64_t b, int64_t c) {
  struct trace t = {.end = TRACE_PROPERTY};
  VEC_PUSH(&t.values, a);
  VEC_PUSH(&t.values, b);
  VEC_PUSH(&t.values, c);
  return t;
}

static void test_values(void **state) {
  (void)state;
  struct ir_model *m = parse(many);
  struct trace t = begin(4000000000, 1, 0);
  VEC_PUSH(&t.steps, ((struct trace_step){1, 2})); // numbered, as ever
  add_step(&t, 0, (const int64_t[]){7, 3, 1});
  replays(m, &t, true, "x");
  struct replay r;
  assert_true(trace_replay(&t, m, IR_DEADLOCK_OFF, &r));
  assert_int_equal(ir_leaf_get(&m->layout->leaf[0], r.states[1].words), 2);
  assert_int_equal(ir_leaf_get(&m->layout->leaf[0], r.states[2].words), 3);
  replay_clear(&r);
  t.end = TRACE_DEADLOCK; // y holds: nothing can be done
  replays(m, &t, true, "no rule can fire");
  t.steps.data[1].choice++;
  replays(m, &t, false, "does not tell the values");
  t.steps.data[1].choice = UINT32_MAX;
  replays(m, &t, false, "does not tell the values");
  trace_clear(&t);
  t = begin(0, 4, 0);
  replays(m, &t, false, "b cannot be 4");
  trace_clear(&t);
  t = begin(0, 0, 0);
  add_step(&t, 0, (const int64_t[]){8, 3, 0});
  replays(m, &t, false, "assum");
  t.steps.count = 0;
  t.end = TRACE_DEADLOCK; // some choice can be taken, though not among the first ones
  replays(m, &t, false, "no deadlock");
  trace_clear(&t);
  ir_model_free(m);
}

static void test_firing(void **state) {
  (void)state;
  struct ir_model *m = parse(many);
  struct sys *s = sys_new(m, &(struct sys_config){.mode = SYS_NATIVE, .no_cache = true});
  assert_false(s->native);
  assert_non_null(strstr(s->note, "too many choices"));
  uint64_t *words = mem_zalloc(s->words, sizeof *words);
  assert_int_equal(sys_fire_values(s, true, 0, (const int64_t[]){9, 2, 0}, words), 0);
  assert_int_equal(ir_leaf_get(&m->layout->leaf[0], words), 2);
  assert_int_not_equal(sys_fire_values(s, false, 0, (const int64_t[]){8, 3, 0}, words), 0);
  assert_int_equal(sys_fire_values(s, false, 0, (const int64_t[]){7, 3, 0}, words), 0);
  assert_int_equal(ir_leaf_get(&m->layout->leaf[0], words), 3);
  assert_int_equal(sys_fire(s, false, 1, 1, words), 0);
  assert_int_equal(ir_leaf_get(&m->layout->leaf[0], words), 1);
  mem_free(words);
  sys_free(s);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conditions),  cmocka_unit_test(test_universal),
      cmocka_unit_test(test_existential), cmocka_unit_test(test_failing_atom),
      cmocka_unit_test(test_values),      cmocka_unit_test(test_firing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
