// SPDX-License-Identifier: Apache-2.0
// Partial order reduction: on random models the reduced walks, and the searches, find what the full
// ones do; and small models for everything that keeps steps from being taken alone.
#include "ample_random.h"
#include "ample_walk.h"
#include "front/promela/promela.h"
#include "search/search.h"
#include "trace/trace.h"

#include <stdio.h>

enum { STATES_MAX = 1500 };

static struct ir_model *load_promela(const char *text) {
  struct diag d = {0};
  struct source *s = source_from_text("test.pml", text, strlen(text));
  struct ir_model *m = promela_load(s, &(struct promela_config){0}, NULL, &d);
  if (!m) fail_msg("%s\n%s", d.count ? d.entries[0].message : "does not load", text);
  diag_clear(&d);
  return m;
}

static struct ir_model *load_ir(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) fail_msg("%s\n%s", d.count ? d.entries[0].message : "does not load", text);
  diag_clear(&d);
  return m;
}

// --- random models ---

struct total {
  size_t models, states, kept;
};

struct setting {
  const char *strategy, *store;
  unsigned threads;
  bool deterministic;
  int as; // as many states as the walk in this order has; -1: not known
};
static const struct setting settings[] = {
    {"bfs", "exact", 1, false, WALK_LEVELS}, {"dfs", "exact", 1, false, WALK_PATH},
    {"bfs", "tree", 2, true, WALK_LEVELS},   {"dfs", "tree", 2, true, WALK_PATH},
    {"bfs", "exact", 2, false, -1},          {"dfs", "exact", 2, false, -1},
    {"bfs", "fingerprint", 1, false, -1},
};

static void run_search(const struct walk *full, const struct ample *a, const struct setting *how,
                       struct result *r) {
  struct search_config c = {.sys = full->sys,
                            .model = full->m,
                            .store = how->store,
                            .threads = how->threads,
                            .deterministic = how->deterministic,
                            .started = clock_seconds(),
                            .deadlock = (int)full->m->deadlock,
                            .ample = a};
  *r = (struct result){0};
  search_run(search_strategy_find(how->strategy), &c, r);
}

static const char *replay_all(const struct walk *full, struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay p;
    struct trace *t = &r->traces.data[i];
    if (full->sys->chains && !trace_unfold(t, full->sys)) return "a trace does not unfold";
    bool right = trace_replay(t, full->m, (int)full->m->deadlock, &p);
    replay_clear(&p);
    if (!right) return "a trace does not replay";
  }
  return NULL;
}

// A search does not look behind a state that violates an invariant; then it need not find the rest.
static const char *search_differs(const struct walk *full, const struct result *r) {
  bool pruned = false;
  size_t n = full->m->properties.count;
  for (size_t i = 0; i < n; i++) {
    const struct ir_property *p = full->m->properties.data[i];
    bool broken = p->kind == IR_PROP_INVARIANT && full->violated[i];
    pruned |= broken;
    bool refuted = r->properties.data[i].verdict == VERDICT_VIOLATED;
    if (refuted && p->kind == IR_PROP_INVARIANT && !broken) return "the search refutes what holds";
  }
  if (pruned) return r->verdict == VERDICT_VIOLATED ? NULL : "the search overlooks a violation";
  bool fails = memchr(full->failed, 1, full->m->sites.count) != NULL;
  if (fails != (r->properties.data[n].verdict == VERDICT_VIOLATED)) return "the search: faults";
  bool stuck = r->properties.count > n + 1 && r->properties.data[n + 1].verdict == VERDICT_VIOLATED;
  if (stuck && full->deadlocks.count == 0) return "the search: no deadlock";
  return NULL;
}

static const char *try_searches(const struct walk *full, const struct ample *a,
                                const size_t *counts) {
  const char *wrong = NULL;
  bool clean = true;
  for (size_t i = 0; i < full->m->properties.count; i++)
    clean &= full->m->properties.data[i]->kind != IR_PROP_INVARIANT || !full->violated[i];
  for (size_t k = 0; k < sizeof settings / sizeof *settings && !wrong; k++) {
    struct result r;
    run_search(full, a, &settings[k], &r);
    wrong = search_differs(full, &r);
    if (!wrong) wrong = replay_all(full, &r);
    if (!wrong && clean && settings[k].as >= 0 && r.stats.states != counts[settings[k].as])
      wrong = "the search: other states";
    result_clear(&r);
  }
  return wrong;
}

static const char *try_model(struct ir_model *m, struct total *t, bool search) {
  struct ample *a = ample_new(m, NULL, NULL);
  struct walk full;
  const char *wrong = NULL;
  size_t counts[3] = {0};
  walk_init(&full, m, NULL, WALK_LEVELS, STATES_MAX);
  walk_run(&full);
  for (enum walk_order order = WALK_LEVELS; a && order <= WALK_ANYHOW && !wrong; order++) {
    struct walk w;
    if (full.too_many) break;
    walk_init(&w, m, a, order, STATES_MAX);
    walk_run(&w);
    wrong = walk_differ(&full, &w);
    counts[order] = w.count;
    t->states += full.count;
    t->kept += w.count;
    walk_clear(&w);
  }
  if (a && !full.too_many) t->models++;
  if (a && !full.too_many && !wrong && search) wrong = try_searches(&full, a, counts);
  walk_clear(&full);
  ample_free(a);
  return wrong;
}

static unsigned effort(void) {
  const char *e = getenv("FATHOM_TEST_EFFORT");
  return e ? (unsigned)atoi(e) : 1;
}

static void try_family(void (*make)(struct text *, uint64_t),
                       struct ir_model *(*load)(const char *), unsigned count, const char *name) {
  struct total t = {0};
  for (uint64_t seed = 1; seed <= count * effort(); seed++) {
    struct text text = {0};
    make(&text, seed);
    struct ir_model *m = load(text_str(&text));
    const char *wrong = try_model(m, &t, seed % 4 == 0);
    if (wrong) fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, wrong, text_str(&text));
    ir_model_free(m);
    text_clear(&text);
  }
  printf("%s: %zu models, %zu of %zu states\n", name, t.models, t.kept, t.states);
  assert_true(t.models > count / 4);
  assert_true(t.kept < t.states - t.states / 20);
}

static void test_random_processes(void **context) {
  (void)context;
  try_family(promela_program, load_promela, 1500, "processes");
}

static void test_random_agents(void **context) {
  (void)context;
  try_family(agents_program, load_ir, 3000, "agents");
}

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
      cmocka_unit_test(test_visible),        cmocka_unit_test(test_assumption),
      cmocka_unit_test(test_refused),        cmocka_unit_test(test_rules),
      cmocka_unit_test(test_channels),       cmocka_unit_test(test_atomic),
      cmocka_unit_test(test_handshakes),     cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_timeouts),       cmocka_unit_test(test_failing_guards),
      cmocka_unit_test(test_life_and_death), cmocka_unit_test(test_select),
      cmocka_unit_test(test_native),         cmocka_unit_test(test_random_processes),
      cmocka_unit_test(test_random_agents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
