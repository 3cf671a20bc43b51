// SPDX-License-Identifier: Apache-2.0
// Replay of what automata tell of: lassos and ends are taken and explained, forged ones refused,
// each for its own reason.
#include "ir/ir.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// 0 -> 1 -> 2 -> 1, and 2 -> 3, where it is stuck.
static const char text[] = "model \"m\"; var x : 0..3; start \"s\" { x := 0; }\n"
                           "rule \"on\" when x < 2 { x := x + 1; }\n"
                           "rule \"back\" when x = 2 { x := 1; }\n"
                           "rule \"out\" when x = 2 { x := 3; }\n"
                           "atom \"one\" : x = 1; atom \"fails\" : 3 / (x - 3) = 3;\n"
                           "ltl \"p\" : \"\"; invariant \"i\" : true;\n";
enum { ON, BACK, OUT };

// 0 waits for "one" and then goes to 1, which accepts, and back; or to 2, the end.
static struct ir_automaton_edge edges[3][3] = {
    {{.no = 1, .to = 0}, {.yes = 1, .to = 1}, {.yes = 1, .to = 2}}, {{.to = 0}, {.to = 1}}, {{0}}};
static struct ir_automaton_state states[3] = {
    {.edges = edges[0], .edge_count = 3, .name = "wait"},
    {.edges = edges[1], .edge_count = 2, .name = "seen", .accepting = true},
    {.edges = edges[2], .edge_count = 0, .final = true}};
static const struct ir_automaton automaton = {.states = states, .count = 3, .accept_atom = -1};

static struct ir_model *model_new(void) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("t.ir", text, strlen(text)), &d);
  assert_non_null(m);
  diag_clear(&d);
  m->properties.data[0]->automaton = &automaton;
  return m;
}

#define LIST(...)                                                                                  \
  (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static struct trace trace_of(const uint32_t *steps, size_t count) {
  struct trace t = {.end = TRACE_PROPERTY};
  for (size_t i = 0; i < count; i++) VEC_PUSH(&t.steps, ((struct trace_step){steps[i], 0}));
  return t;
}

static struct trace claim(struct trace t, const uint32_t *claims, size_t count) {
  for (size_t i = 0; i < count; i++) VEC_PUSH(&t.claims, claims[i]);
  return t;
}

static struct trace loop(struct trace t, size_t at) {
  t.has_loop = true;
  t.loop_start = at;
  return t;
}

// Replays, frees the trace; what is said holds this part.
static void expect(struct ir_model *m, struct trace t, bool good, const char *part) {
  struct replay r;
  bool ok = trace_replay(&t, m, IR_DEADLOCK_OFF, &r);
  const char *said = ok ? r.explanation : r.problem;
  if (ok != good || !said || !strstr(said, part)) fail_msg("%d, \"%s\" for \"%s\"", ok, said, part);
  replay_clear(&r);
  trace_clear(&t);
}

static void test_good(void **context) {
  (void)context;
  struct ir_model *m = model_new();
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 0)), 1), true, "\"seen\"");
  expect(m, loop(claim(trace_of(LIST(ON, ON, OUT, SYS_STUTTER)), LIST(0, 0, 1, 1, 1)), 3), true,
         "last 1 step can");
  expect(m, claim(trace_of(LIST(ON, ON)), LIST(0, 0, 2)), true, "state 2");
  ir_model_free(m);
}

static void test_forged_claims(void **context) {
  (void)context;
  struct ir_model *m = model_new();
  const char *edge = "cannot go from its state 0 to 1";
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 1, 1, 0)), 1), false, edge);
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1)), 1), false, "3 states");
  expect(m, loop(trace_of(LIST(ON, ON, BACK)), 1), false, "0 states");
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 7, 0)), 1), false, "no state 7");
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(1, 1, 1, 1)), 1), false, "start");
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 1)), 1), false, "where it was");
  expect(m, loop(claim(trace_of(LIST(ON, ON, OUT, SYS_STUTTER)), LIST(0, 0, 1, 0, 0)), 3), false,
         "accepts nowhere");
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 0)), 2), false, "cycle begins");
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 0)), 3), false, "state 3 of 4");
  expect(m, claim(trace_of(LIST(ON, ON)), LIST(0, 0, 1)), false, "not at its end");
  m->properties.data[0]->automaton = NULL;
  expect(m, claim(trace_of(LIST(ON, ON)), LIST(0, 0, 2)), false, "no automaton");
  ir_model_free(m);
}

static void test_forged_stutter(void **context) {
  (void)context;
  struct ir_model *m = model_new();
  struct ir_automaton ends = automaton;
  ends.stuck_ends = true;
  expect(m, loop(claim(trace_of(LIST(ON, SYS_STUTTER)), LIST(0, 0, 1)), 1), false,
         "but something can");
  expect(m, loop(trace_of(LIST(ON, ON, OUT, SYS_STUTTER)), 3), false, "no automaton goes on");
  struct trace t = claim(trace_of(LIST(ON, ON, OUT, SYS_STUTTER)), LIST(0, 0, 1, 1, 1));
  t.id = 1;
  expect(m, loop(t, 3), false, "no automaton goes on");
  m->properties.data[0]->automaton = &ends;
  t = claim(trace_of(LIST(ON, ON, OUT, SYS_STUTTER)), LIST(0, 0, 1, 1, 1));
  expect(m, loop(t, 3), false, "no automaton goes on");
  ir_model_free(m);
}

static void test_acceptance(void **context) {
  (void)context;
  struct ir_model *m = model_new();
  struct ir_automaton a = automaton;
  m->properties.data[0]->automaton = &a;
  a.accept_atom = 0; // "one" does not hold where the automaton is in its accepting state
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 0)), 1), false, "nowhere");
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK, ON, BACK)), LIST(0, 0, 1, 1, 1, 0)), 1), true,
         "seen");
  a.accept_atom = -1;
  a.on_edges = true;
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 0)), 1), false, "nowhere");
  edges[0][1].accepting = true;
  expect(m, loop(claim(trace_of(LIST(ON, ON, BACK)), LIST(0, 0, 1, 0)), 1), true, "wait");
  edges[0][1].accepting = false;
  ir_model_free(m);
}

static void test_atom_fails(void **context) {
  (void)context;
  struct ir_model *m = model_new();
  struct trace t = trace_of(LIST(ON, ON, OUT));
  t.end = TRACE_SITE;
  t.in_property = true;
  t.id = m->atoms.data[1]->expr->args[0]->site;
  struct trace wrong = trace_of(LIST(ON, ON, OUT)), early = trace_of(LIST(ON));
  wrong.end = early.end = TRACE_SITE;
  wrong.in_property = early.in_property = true;
  wrong.id = t.id + 1;
  early.id = t.id;
  expect(m, t, true, "while \"fails\" was evaluated for \"p\"");
  expect(m, wrong, false, "elsewhere");
  expect(m, early, false, "no atom");
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),       cmocka_unit_test(test_forged_claims),
      cmocka_unit_test(test_acceptance), cmocka_unit_test(test_forged_stutter),
      cmocka_unit_test(test_atom_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
