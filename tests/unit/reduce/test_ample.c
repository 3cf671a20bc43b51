// SPDX-License-Identifier: Apache-2.0
// Partial order reduction on small models, one for everything that keeps steps from being taken
// alone, and for what does not. Each is walked in full and reduced, and both find the same.
#include "ample_walk.h"

enum { STATES_MAX = 1500 };

// --- made by hand ---

struct fixture {
  struct ir_model *m;
  struct ample *a;
  struct text why;
  size_t states, kept; // breadth first
};

static void set_up(struct fixture *f, struct ir_model *m) {
  struct walk w;
  *f = (struct fixture){.m = m};
  f->a = ample_new(m, NULL, &f->why);
  for (enum walk_order order = WALK_LEVELS; order <= WALK_ANYHOW; order++) {
    struct walk full;
    walk_init(&full, m, NULL, WALK_LEVELS, STATES_MAX);
    walk_run(&full);
    walk_init(&w, m, f->a, order, STATES_MAX);
    walk_run(&w);
    assert_false(full.too_many);
    if (walk_differ(&full, &w)) fail_msg("%s", walk_differ(&full, &w));
    if (order == WALK_LEVELS) f->states = full.count;
    if (order == WALK_LEVELS) f->kept = w.count;
    walk_clear(&full);
    walk_clear(&w);
  }
}

static void tear_down(struct fixture *f) {
  text_clear(&f->why);
  ample_free(f->a);
  ir_model_free(f->m);
}

// May the agent go alone in the start state?
static bool alone_at_start(const struct fixture *f, const char *agent) {
  struct walk w;
  struct sys_out o;
  walk_init(&w, f->m, NULL, WALK_LEVELS, 1);
  sys_out_init(&o, w.words, f->m->properties.count);
  w.sys->starts(w.sys, &o);
  walk_add(&w, o.words, 0);
  sys_out_reset(&o);
  w.sys->expand(w.sys, walk_state(&w, 0), &o);
  uint64_t groups = f->a ? w.sys->ample(w.sys, walk_state(&w, 0)) : 0;
  if (f->a) groups = ample_groups(f->a, &o, 0, groups);
  bool may = false;
  for (size_t i = 0; i < f->m->ample.count; i++)
    may |= (groups >> i & 1) && strcmp(f->m->ample.data[i]->name, agent) == 0;
  sys_out_clear(&o);
  walk_clear(&w);
  return may;
}

static void expect_alone(const char *text, bool first, bool second) {
  struct fixture f;
  set_up(&f, load_promela(text));
  if (alone_at_start(&f, "0") != first || alone_at_start(&f, "1") != second)
    fail_msg("%d %d in\n%s", alone_at_start(&f, "0"), alone_at_start(&f, "1"), text);
  tear_down(&f);
}

// Two processes by themselves: one way through instead of all.
static void test_apart(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, load_promela("active [2] proctype p() { byte l; l = 1; l = 2; l = 3 }"));
  assert_int_equal(f.kept, 9);
  assert_true(f.states > f.kept);
  assert_true(alone_at_start(&f, "0") && alone_at_start(&f, "1"));
  tear_down(&f);
}

// A step that is impossible, but that others can make possible, is an alternative.
static void test_alternatives(void **context) {
  (void)context;
  expect_alone("byte x; active proctype p() { byte l; if :: l = 1 :: x == 1 -> l = 2 fi } "
               "active proctype q() { byte l; l = 1; x = 1 }",
               false, true);
  expect_alone(
      "byte x; active proctype p() { byte l; if :: l = 1 :: l == 1 && x == 1 -> l = 2 fi } "
      "active proctype q() { byte l; l = 1; x = 1 }",
      true, true); // its own variable keeps it from happening
}

// Who goes round for ever must not keep another from failing.
static void test_proviso(void **context) {
  (void)context;
  struct ir_model *m = load_promela("active proctype p() { byte l; do :: l = 1 - l od } "
                                    "active proctype q() { byte l; l = 1; assert(l == 0) }");
  struct ample *a = ample_new(m, NULL, NULL);
  assert_non_null(a);
  for (int careless = 0; careless < 2; careless++) {
    struct walk full, w;
    walk_init(&full, m, NULL, WALK_LEVELS, STATES_MAX);
    walk_run(&full);
    walk_init(&w, m, a, WALK_PATH, STATES_MAX);
    w.no_proviso = careless;
    walk_run(&w);
    if (!careless) assert_null(walk_differ(&full, &w));
    assert_non_null(memchr(full.failed, 1, m->sites.count));
    walk_clear(&full);
    walk_clear(&w);
  }
  ample_free(a);
  ir_model_free(m);
}

// The only process that goes alone goes round: without the proviso the other never moves.
static void test_proviso_needed(void **context) {
  (void)context;
  struct ir_model *m = load_promela("byte x; active proctype q() { x = 1; assert(x == 0) } "
                                    "active proctype p() { byte l; do :: l = 1 - l od }"
                                    "active proctype r() { x = x }");
  struct ample *a = ample_new(m, NULL, NULL);
  struct walk full, w;
  assert_non_null(a);
  walk_init(&full, m, NULL, WALK_LEVELS, STATES_MAX);
  walk_run(&full);
  walk_init(&w, m, a, WALK_PATH, STATES_MAX);
  w.no_proviso = true;
  walk_run(&w);
  assert_string_equal(walk_differ(&full, &w), "steps fail at other places");
  walk_clear(&full);
  walk_clear(&w);
  ample_free(a);
  ir_model_free(m);
}

#define AGENTS                                                                                     \
  "model \"m\"; deadlock stuck; var at : array [0..1] of 0..2; "                                   \
  "start \"s\" { clear at; } "                                                                     \
  "rule \"go\" (i : 0..1) agent i when at[i] < 2 { at[i] := at[i] + 1; } "

// What a property reads must be seen in every order.
static void test_visible(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, load_ir(AGENTS));
  assert_true(f.kept < f.states);
  tear_down(&f);
  set_up(&f, load_ir(AGENTS "invariant \"i\" : at[0] != 1 | at[1] != 2;"));
  assert_int_equal(f.kept, f.states);
  tear_down(&f);
  set_up(&f, load_ir(AGENTS "invariant \"i\" : at[0] != 1;"));
  assert_true(alone_at_start(&f, "1") && !alone_at_start(&f, "0"));
  tear_down(&f);
  set_up(&f, load_ir(AGENTS "cover \"c\" : at[0] = 1 & at[1] = 0;"));
  assert_int_equal(f.kept, f.states);
  tear_down(&f);
}

// A property that only asks where somebody is does not see what changes nothing about that.
static void test_questions(void **context) {
  (void)context;
#define PLACES                                                                                     \
  "model \"m\"; deadlock stuck; var at : array [0..1] of 0..3; start \"s\" { clear at; } "         \
  "rule \"a\" (i : 0..1) agent i when at[i] = 0 { at[i] := 1; } "                                  \
  "rule \"b\" (i : 0..1) agent i when at[i] = 1 { at[i] := 2; } "                                  \
  "rule \"c\" (i : 0..1) agent i when at[i] = 2 { at[i] := 3; } "
#define ONE_INSIDE "forall i : 0..1 { forall j : 0..1 { i = j | at[i] != 2 | at[j] != 2 } }"
  struct fixture f;
  set_up(&f, load_ir(PLACES "invariant \"one inside\" : " ONE_INSIDE ";"));
  assert_true(alone_at_start(&f, "0") && f.kept < f.states);
  tear_down(&f);
  set_up(&f, load_ir(PLACES "invariant \"order\" : at[0] <= at[1] | at[1] = 0;"));
  assert_int_equal(f.kept, f.states);
  tear_down(&f);
}

// States that are assumed away: a step may exist only because the other has not been taken.
static void test_assumption(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, load_ir(AGENTS "assume \"a\" : at[0] + at[1] < 3;"));
  assert_int_equal(f.kept, f.states); // alone only where the other is at its end
  assert_false(alone_at_start(&f, "0") || alone_at_start(&f, "1"));
  tear_down(&f);
}

static void test_refused(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, load_ir(AGENTS "liveness \"l\" : at[0] = 2;"));
  assert_null(f.a);
  assert_true(f.why.count > 0);
  tear_down(&f);
  set_up(&f, load_ir("model \"m\"; var h : bool; transient h; start \"s\" { h := false; } "
                     "rule \"r\" when !h { h := true; } rule \"t\" when h { h := false; }"));
  assert_null(f.a);
  tear_down(&f);
  set_up(&f, load_promela("byte x; active [2] proctype p() { do :: x = 1 - x od }"));
  assert_null(f.a);
  assert_string_equal(text_str(&f.why), "no agent could ever take a step alone");
  tear_down(&f);
}

// Rules without agents are everybody's own; several parameters; a choice; no step changes anything.
static void test_rules(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, load_ir("model \"m\"; deadlock stuttering; var a : 0..2; var b : 0..2; var c : 0..1; "
                     "start \"s\" { clear a; clear b; clear c; } "
                     "rule \"a\" when a < 2 { a := a + 1; } rule \"b\" when b < 2 { b := b + 1; } "
                     "rule \"c\" choose (k : 0..1) { c := c; }"));
  assert_true(f.kept < f.states);
  assert_true(alone_at_start(&f, "a") && alone_at_start(&f, "b"));
  tear_down(&f);
  set_up(&f, load_ir("model \"m\"; deadlock stuck; type P : scalarset(3); "
                     "var s : array [P] of array [P] of 0..1; start \"s\" { clear s; } "
                     "rule \"own\" (i : P, j : P) agent i when s[i][j] = 0 { s[i][j] := 1; }"));
  assert_int_equal(f.states, 512);
  assert_true(f.kept < 30);
  tear_down(&f);
}

// --- Promela's own ---

static void test_channels(void **context) {
  (void)context;
#define TWO(p, q)                                                                                  \
  "byte x; chan c = [2] of { byte }; chan d = [2] of { byte }; "                                   \
  "active proctype p() { byte l; " p " } active proctype q() { byte l, m; " q " } "
  expect_alone(TWO("c!1; c!2", "l = 1; c?l"), true, true);    // one sends, one receives
  expect_alone(TWO("c!1; c!2", "l = 1; c!3"), false, true);   // two send
  expect_alone(TWO("c!!1", "l = 1; c?l"), false, true);       // it may come first
  expect_alone(TWO("c!1", "l = 1; l = len(c)"), false, true); // it is seen
  expect_alone(TWO("c!1", "l = 1; if :: c?l :: else fi"), false, true);
  expect_alone(TWO("c!1", "l = 1; if :: c?l :: nfull(d) -> d!1 fi"), true, true);
  expect_alone(TWO("l = 1; c!1", "d!1; if :: d?l :: c?m fi"), true, true);
  expect_alone(TWO("atomic { c!1; c!2 }", "l = 1; c?l"), false, true); // room for two?
  expect_alone(TWO("c!len(c)", "l = 1; c?l"), false, true);
  expect_alone("byte x; chan c = [1] of { byte, byte }; "
               "active proctype p() { byte l; if :: l = 1 :: c?1,x fi } "
               "active proctype q() { byte l; l = 1; c!1,2; x = 3 }",
               false, true); // there is nothing in it yet
  struct fixture f;
  // a message waits in d, but c may come to have one, too
  set_up(&f, load_promela(TWO("l = 1; l = 2; c!1", "d!1; if :: d?l :: c?m fi")));
  assert_true(f.kept < f.states);
  tear_down(&f);
  // what waits in c is nothing for p, but somebody else may take it
  set_up(&f,
         load_promela("chan c = [2] of { byte }; active proctype s() { c!1; c!2 } "
                      "active proctype q() { byte l; full(c); c?l } "
                      "active proctype p() { byte l; if :: l = 1 :: c?2 -> assert(l == 1) fi }"));
  assert_non_null(f.a);
  tear_down(&f);
  // with one place the sender waits for the receiver
  set_up(&f, load_promela("chan c = [1] of { byte }; active proctype p() { c!1; c!2; c!3 } "
                          "active proctype q() { byte l; c?l; c?l; c?l; assert(l == 3) }"));
  tear_down(&f);
}

static void test_atomic(void **context) {
  (void)context;
  expect_alone(TWO("atomic { l = 1; x = 1 }", "l = 1; x = 2"), false, true);
  expect_alone(TWO("atomic { l = 1; x == 1; l = 2 }", "l = 1; x = 1"), false, true); // it may block
  expect_alone(TWO("atomic { l = 1; l = 2 }; x = 1", "l = 1; x = 2"), true, true);
  expect_alone(TWO("d_step { l = 1; x = 1 }", "l = 1; x = 2"), false, true);
  expect_alone(
      "byte x; inline put() { x = 1 } active proctype p() { byte l; atomic { put(); l = 1 } } "
      "active proctype q() { byte l; l = 1; x = 2 }",
      false, true);
  expect_alone(TWO("atomic { if :: l == 0 -> l = 1; atomic { x = 1 } fi }", "l = 1; x = 2"), false,
               true);
  struct fixture f; // a chain that comes to nothing stops everybody
  struct ir_model *m = load_promela("active proctype p() { byte l; atomic { do :: l = 1 od } } "
                                    "active proctype q() { byte l; l = 1; l = 2 }");
  m->deadlock = IR_DEADLOCK_STUTTERING;
  set_up(&f, m);
  tear_down(&f);
}

static void test_handshakes(void **context) {
  (void)context;
#define PAIR "chan r = [0] of { byte }; "
  expect_alone(PAIR "active proctype p() { byte l; if :: r!1 :: l = 1 fi } "
                    "active proctype q() { byte l; r?l }",
               true, false); // the first could do something else
  expect_alone(PAIR
               "active proctype p() { byte l; l = 1; r!1 } active proctype q() { byte l; r?l }",
               true, false);
  expect_alone(PAIR "active proctype p() { r!1 } active proctype q() { byte l; r?l } "
                    "active proctype s() { byte l; l = 1; r!2 }",
               false, false); // there is another sender
  expect_alone(PAIR "byte x; active proctype p() { byte l; atomic { l = 1; r!1 } } "
                    "active proctype q() { byte l; l = 2; r?l }",
               false, false); // does the chain block? that depends on the other
  struct fixture f;           // the chain hands over something that the other keeps looking at
  set_up(&f, load_promela(PAIR "byte y = 5; active proctype t() { y == 0; assert(false) } "
                               "active proctype q() { byte l; do :: y = l :: r?l od } "
                               "active proctype p() { byte k; atomic { k = 1; r!2 } }"));
  tear_down(&f);
}

static void test_conditions(void **context) {
  (void)context;
  expect_alone("active proctype p() { byte l; there: l = 1; l = 2 } "
               "active proctype q() { byte l; l = 1; (p@there); l = 2 }",
               false, true); // where it is, others see
  expect_alone("active proctype p() { byte l; l = 1; there: l = 2 } "
               "active proctype q() { byte l; l = 1; (p@there); l = 2 }",
               true, true); // nobody can have seen it there before
  expect_alone("byte x; active proctype p() { byte l; { l = 1; l = 2 } unless { x == 1 } } "
               "active proctype q() { byte l; l = 1; x = 1 }",
               false, true);
  expect_alone("byte x; active proctype p() provided (x == 0) { byte l; l = 1; l = 2 } "
               "active proctype q() { byte l; l = 1; x = 1 }",
               false, true);
  expect_alone("byte x; active proctype p() priority 2 { byte l; l = 1; l = 2 } "
               "active proctype q() priority 1 { byte l; l = 1; x = 1 }",
               false, false);
  expect_alone("byte x; active proctype p() { byte l; l = 1; l = 2 } "
               "active proctype q() { byte l; l = 1; (enabled(0)); l = 2 }",
               false, true);
  expect_alone("byte x; active proctype p() { byte l; if :: l = 1 :: timeout -> l = 2 fi } "
               "active proctype q() { byte l; l = 1; if :: x == 1 :: timeout -> x = 2 fi }",
               true, true); // nobody waits that could go
  expect_alone("byte x; active [2] proctype p() { byte l; l = _last; l = 1 }", false, false);
  expect_alone(
      "byte x; active proctype p() { byte l; if :: l = 1 :: (timeout || x == 1) -> l = 2 fi } "
      "active proctype q() { byte l; l = 1; x = 1 }",
      false, false); // that step sees where the others are
}

// Where nothing else happens, who goes on first?
static void test_timeouts(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, load_promela("byte x; active proctype p() { timeout; assert(x == 1) } "
                          "active proctype q() { timeout; x = 1 }"));
  tear_down(&f);
  set_up(&f, load_promela("byte x; active proctype p() { (timeout || x == 2); assert(x == 1) } "
                          "active proctype q() { timeout; x = 1 }"));
  tear_down(&f);
}

// A guard that comes to fail is an event, too, unless something before keeps it from being looked
// at.
static void test_failing_guards(void **context) {
  (void)context;
#define FAILING                                                                                    \
  "model \"m\"; deadlock stuck; var at : array [0..1] of 0..2; "                                   \
  "var own : array [0..1] of 0..2; var x : 0..2; var near : array [0..1] of 0..1; "                \
  "start \"s\" { clear at; clear own; clear x; clear near; } "                                     \
  "rule \"x\" agent 1 when at[1] = 0 { x := 2; at[1] := 1; } "
  struct fixture f;
  set_up(&f, load_ir(FAILING "rule \"a\" agent 0 when at[0] = 0 { at[0] := 1; } "
                             "rule \"b\" agent 0 when at[0] = 0 & near[x] = 1 & own[0] = 2 { } "));
  assert_false(alone_at_start(&f, "0"));
  tear_down(&f);
  set_up(&f, load_ir(FAILING "rule \"a\" agent 0 when at[0] = 0 & own[0] = 0 { at[0] := 1; } "
                             "rule \"c\" agent 0 when own[0] = 1 { own[0] := 2; } "
                             "rule \"b\" agent 0 when at[0] = 0 & near[x] = 1 & own[0] = 2 { } "));
  assert_false(alone_at_start(&f, "0"));
  tear_down(&f);
  set_up(&f, load_ir(FAILING "rule \"a\" agent 0 when at[0] = 0 { at[0] := 1; } "
                             "rule \"b\" agent 0 when own[0] = 2 & near[x] = 1 { } "));
  assert_true(alone_at_start(&f, "0"));
  tear_down(&f);
}

static void test_life_and_death(void **context) {
  (void)context;
  expect_alone("proctype c(byte n) { byte l; l = n; l = 2 } "
               "active proctype p() { byte l; l = 1; run c(1); run c(2); assert(_nr_pr < 4) } "
               "active proctype q() { byte l; l = 1; l = 2 }",
               true, true);
  expect_alone("proctype c(byte n) { byte l; l = n } active proctype p() { run c(1) } "
               "active proctype q() { byte l; l = 1; run c(2) }",
               false, true); // who gets which number?
  struct fixture f;          // they die in order, from the last to the first
  set_up(&f, load_promela("active [4] proctype p() { byte l; l = 1 }"));
  assert_int_equal(f.kept, 9);
  tear_down(&f);
}

// --- ample_select; native code ---

static void test_select(void **context) {
  (void)context;
  struct ir_model *m =
      load_ir(AGENTS "rule \"odd\" (i : 0..1) agent i when at[i] = 0 { at[i] := 2; }");
  struct ample *a = ample_new(m, NULL, NULL);
  struct walk w;
  struct sys_out o;
  assert_non_null(a);
  walk_init(&w, m, NULL, WALK_LEVELS, 1);
  sys_out_init(&o, w.words, 0);
  w.sys->starts(w.sys, &o);
  walk_add(&w, o.words, 0);
  sys_out_reset(&o);
  sys_out_reserve(&o, 1);
  o.count = 1; // a row that is none of the state's
  w.sys->expand(w.sys, walk_state(&w, 0), &o);
  assert_int_equal(o.count, 5);
  uint64_t groups = w.sys->ample(w.sys, walk_state(&w, 0));
  assert_int_equal(groups, 3);
  assert_int_equal(ample_select(a, &o, 1, &groups), 2);
  assert_true(o.steps[1].instance == 1 && o.steps[2].instance == 3);
  assert_true(o.steps[3].instance == 0 && o.steps[4].instance == 2);
  assert_int_equal(groups, 1);
  assert_int_equal(ample_select(a, &o, 1, &groups), 2);
  assert_true(o.steps[1].instance == 0 && o.steps[2].instance == 2);
  assert_int_equal(ir_leaf_get(&m->layout->leaf[0], o.words + 2 * w.words), 2);
  assert_int_equal(ample_select(a, &o, 1, &groups), 0);
  o.steps[1].site = 1; // it fails
  groups = 1;
  assert_int_equal(ample_select(a, &o, 1, &groups), 0);
  sys_out_clear(&o);
  walk_clear(&w);
  ample_free(a);
  ir_model_free(m);
}

static void test_native(void **context) {
  (void)context;
  struct ir_model *m =
      load_promela(TWO("c!1; l = 1; c!2; if :: d?l :: d?1 fi", "c?l; d!1; x = 1; c?m"));
  struct ample *a = ample_new(m, NULL, NULL);
  struct walk w;
  assert_non_null(a);
  walk_init(&w, m, NULL, WALK_LEVELS, STATES_MAX);
  walk_run(&w);
  struct sys *native = sys_new(m, &(struct sys_config){.mode = SYS_NATIVE, .wait_seconds = 100});
  for (size_t i = 0; i < w.count; i++)
    assert_int_equal(native->ample(native, walk_state(&w, i)),
                     w.inner->ample(w.inner, walk_state(&w, i)));
  sys_free(native);
  walk_clear(&w);
  ample_free(a);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_apart),          cmocka_unit_test(test_alternatives),
      cmocka_unit_test(test_proviso),        cmocka_unit_test(test_proviso_needed),
      cmocka_unit_test(test_visible),        cmocka_unit_test(test_questions),
      cmocka_unit_test(test_assumption),     cmocka_unit_test(test_refused),
      cmocka_unit_test(test_rules),          cmocka_unit_test(test_channels),
      cmocka_unit_test(test_atomic),         cmocka_unit_test(test_handshakes),
      cmocka_unit_test(test_conditions),     cmocka_unit_test(test_timeouts),
      cmocka_unit_test(test_failing_guards), cmocka_unit_test(test_life_and_death),
      cmocka_unit_test(test_select),         cmocka_unit_test(test_native),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
