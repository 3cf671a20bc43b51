// SPDX-License-Identifier: Apache-2.0
// Lowering Promela: small programs whose numbers of states and errors SPIN's verifier gave (spin -a
// -o1 -o2 -o3, -DNOREDUCE -DSAFETY, -c0), and the shape of what comes out: guards that begin with
// the atomic test and the place, constants that take no room, statements merged inside atomic.
#include "front/promela/promela.h"
#include "ir/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ir_model *load_planned(const char *text, struct promela_plan *plan) {
  struct diag d = {0};
  struct promela_config c = {0};
  struct source *s = source_from_text("test.pml", text, strlen(text));
  struct ir_model *m = promela_load(s, &c, plan, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  struct text errors = {0};
  if (!ir_check(m, &errors)) fail_msg("%s", errors.data);
  diag_clear(&d);
  return m;
}

static struct ir_model *load(const char *text) { return load_planned(text, NULL); }

static size_t load_errors(const char *text, const char *message) {
  struct diag d = {0};
  struct promela_config c = {.no_c = true};
  struct source *s = source_from_text("test.pml", text, strlen(text));
  assert_null(promela_load(s, &c, NULL, &d));
  size_t found = 0;
  for (size_t i = 0; i < d.count; i++) found += strstr(d.entries[i].message, message) != NULL;
  diag_clear(&d);
  return found;
}

// --- a search: states that are passed through are not kept ---

struct walk {
  const struct ir_model *m;
  struct ir_eval *eval;
  size_t words, count, deadlocks, faults;
  VEC(uint64_t) states;
  uint32_t plan_site; // of a step that was not planned, and where it began
  uint64_t *unplanned;
};

static void keep(struct walk *k, const uint64_t *state) {
  for (size_t i = 0; i < k->count; i++)
    if (memcmp(k->states.data + i * k->words, state, k->words * 8) == 0) return;
  for (size_t i = 0; i < k->words; i++) VEC_PUSH(&k->states, state[i]);
  k->count++;
}

static bool passing(const struct walk *k, const uint64_t *state) {
  const struct ir_var *v = k->m->transient;
  return v && ir_leaf_get(&k->m->layout->leaf[v->first_leaf], state) != 0;
}

static bool expand(struct walk *k, const uint64_t *from, const uint64_t *root) {
  bool any = false;
  uint64_t *to = mem_alloc(k->words * 8);
  for (size_t i = 0; i < k->m->rules.count; i++) {
    const struct ir_rule *r = k->m->rules.data[i];
    enum ir_outcome o = ir_eval_guard(k->eval, r, NULL, NULL, from);
    if (o == IR_DISABLED) continue;
    any = true;
    memcpy(to, from, k->words * 8);
    if (o == IR_OK) o = ir_eval_body(k->eval, r, NULL, NULL, to);
    if (o == IR_OK) {
      if (!passing(k, to))
        keep(k, to);
      else
        assert_true(expand(k, to, root)); // who goes on alone can go on, or lets go
    } else if (k->m->sites.data[ir_eval_site(k->eval)].fault == IR_FAULT_PLAN) {
      k->plan_site = ir_eval_site(k->eval);
      memcpy(k->unplanned, root, k->words * 8);
    } else {
      k->faults++;
    }
  }
  mem_free(to);
  return any;
}

static void check_end(struct walk *k, const uint64_t *state) {
  bool valid = false;
  struct ir_frame none = {0};
  assert_int_equal(ir_eval_bool(k->eval, &none, k->m->valid_end, state, &valid), IR_OK);
  k->deadlocks += !valid;
}

static void walk_init(struct walk *k, const struct ir_model *m) {
  *k = (struct walk){.m = m, .eval = ir_eval_new(m), .words = m->layout->words};
  k->unplanned = mem_zalloc(k->words + 1, 8);
  uint64_t *state = mem_zalloc(k->words + 1, 8);
  assert_int_equal(m->starts.count, 1);
  assert_int_equal(ir_eval_body(k->eval, m->starts.data[0], NULL, NULL, state), IR_OK);
  keep(k, state);
  for (size_t i = 0; i < k->count && !k->plan_site; i++) {
    memcpy(state, k->states.data + i * k->words, k->words * 8);
    if (!expand(k, state, state)) check_end(k, state);
  }
  mem_free(state);
}

static void walk_clear(struct walk *k) {
  ir_eval_free(k->eval);
  VEC_CLEAR(&k->states);
  mem_free(k->unplanned);
}

// --- as many states as SPIN ---

struct sample {
  const char *name;
  size_t states, errors; // deadlocks and faults
  const char *text;
};

static const struct sample samples[] = {
    {"atomic that blocks", 8, 1,
     "byte x, y;\n"
     "active proctype A() { atomic { x = 1; y == 2; x = 3; y == 3; x = 4;\n"
     "  if :: x == 5 :: y == 4 -> x = 6 fi } }\n"
     "active proctype B() { y = 1; atomic { y = 2; y = 3 }; if :: x == 4 -> y = 4 :: y = 5 fi }\n"
     "active proctype C() { x == 3; atomic { x = 5; x = 7 } }\n"},
    {"atomic and handshakes", 52, 1,
     "chan r = [0] of {byte}; chan s = [0] of {byte}; byte x;\n"
     "active proctype A() { atomic { x = 1; r!1; x = 2; s!3; x = 4 } }\n"
     "active proctype B() { byte k; atomic { r?k; x = 5; k = 3; x = 6 }; k = 0; s?k }\n"
     "active proctype C() { byte k;\n"
     "  do :: x = 9; k = 1; break :: atomic { s?k; k = 8; x = 3 }; break od }\n"},
    {"choices in atomic", 54, 2,
     "byte x, y;\n"
     "active proctype A() { do :: atomic { if :: x < 3 -> x++; if :: y = 1 :: y = 2 fi; x = x\n"
     "  :: x == 3 -> break fi } :: y = 0 od; atomic { do :: x > 0 -> x-- :: x < 2 -> break od };\n"
     "  y = 7 }\n"
     "active proctype B() { do :: y == 1 -> y = 3 :: y == 7 -> break od }\n"},
    {"types", 37, 0,
     "bit b; byte y; short s; int i; unsigned u : 3; bool f;\n"
     "active proctype A() { do :: y = y + 100; b = y; u = y; s = s + 20000; i = i * 7 + 3;\n"
     "  f = y > 100; if :: i > 30 -> break :: else fi od; y = 300; b = 2; u = 9; s = 40000;\n"
     "  y = -1; y++; y--; i = 1 << 31; i = i >> 3; i = -7 / 2; i = -7 % 3; i = ~5; i = 5 ^ 3;\n"
     "  i = (y > 3 -> 4 : 5) }\n"},
    {"channels by index", 372, 0,
     "chan q[3] = [2] of {byte}; byte x;\n"
     "active [3] proctype A() { byte y; q[_pid]!_pid; q[(_pid + 1) % 3]?y; x = y; q[y % 3]!x }\n"},
    {"channels by number", 33, 0,
     "chan q[2] = [1] of {byte}; chan z = [0] of {byte}; chan k2;\n"
     "active proctype A() { byte i; do :: i < 2 -> q[i]!i; i++ :: else -> break od; k2 = z;\n"
     "  k2!7 }\n"
     "active proctype B() { byte y; chan c; c = q[1]; c?y; c = q[0]; c?y; z?y }\n"},
    {"channels through channels", 8, 2,
     "chan m = [1] of { chan };\n"
     "active proctype A() { chan l = [1] of { byte }; chan r = [0] of {byte}; byte x;\n"
     "  if :: m!l; l?x :: m!r; r?x fi }\n"
     "active proctype B() { chan k; m?k; k!5; m?k }\n"},
    {"d_step", 45, 3,
     "byte x, y, a[4]; chan q = [2] of {byte};\n"
     "active proctype A() { byte i;\n"
     "  d_step { i = 0; do :: i < 4 -> a[i] = i * 2; i++ :: else -> break od; i = 0 };\n"
     "  d_step { if :: x == 1 -> y = 1 :: x == 0 -> y = 2;\n"
     "    if :: a[1] == 2 -> y = 3 :: else -> y = 4 fi fi; x = 1 };\n"
     "  d_step { q?y; x = y; if :: x > 2 -> goto l1 :: else fi; x = 9; l1: y = 0 } }\n"
     "active proctype B() { do :: q!2 :: q!3; break od; x = 3 }\n"},
    {"a d_step that begins with a handshake", 33, 0,
     "chan r = [0] of {byte,byte}; byte x;\n"
     "active proctype A() { byte k; end: do :: d_step { r?k,1; x = k; k = 0 }\n"
     "  :: d_step { r?3,k; x = x + k } od }\n"
     "active [2] proctype B() { r!2,1; r!3,4; if :: r!5,1 :: r!6,6 fi }\n"},
    {"creation and death", 39, 0,
     "byte n;\n"
     "proctype P(byte k; bit b) { byte z = k + 1; if :: k > 0 -> run P(k - 1, b) :: k == 0 fi;\n"
     "  n = n + z }\n"
     "init { byte p; p = run P(2, 1); _nr_pr == 1; run P(1, 0); }\n"},
    {"two proctypes under one pid", 317, 0,
     "byte n; chan c = [1] of {byte};\n"
     "proctype P(byte k) { chan l = [2] of {byte}; l!k; if :: c!k :: skip fi; l?n }\n"
     "proctype Q(chan x) { byte y; if :: x?y :: skip fi; n = y }\n"
     "init { if :: run P(1); run Q(c) :: run Q(c); run P(2) fi; _nr_pr < 3; run Q(c); }\n"},
    {"timeout", 29, 0,
     "byte x; chan q = [1] of {byte};\n"
     "active proctype A() { byte k; do :: q?k :: timeout -> x++; if :: x > 2 -> break :: else fi\n"
     "  od; atomic { x = 9; timeout; x = 10 } }\n"
     "active proctype B() { byte i; do :: i < 2 -> q!i; i++ :: else -> break od; x == 9;\n"
     "  x == 10 }\n"},
    {"unless", 90, 0,
     "byte x; chan c = [0] of {byte}; chan d = [1] of {byte};\n"
     "active proctype A() { byte k; { { do :: k = 1 :: k = 2; d!1 :: d?k od }\n"
     "  unless { c?k; k = 7 } } unless { x == 3; k = 0 } }\n"
     "active proctype B() { if :: c!4 :: c!5 :: skip fi; x = 1; x = 2; x = 3 }\n"},
    {"provided", 18, 0,
     "byte x;\n"
     "active proctype A() provided (x != 2) { do :: x < 4 -> x++ :: x == 4 -> break od }\n"
     "active proctype B() provided (x >= 2) { byte k; atomic { k = 1; x = 3; k = 2; k = 3 };\n"
     "  k = 4 }\n"},
    {"priorities", 26, 0,
     "byte x;\n"
     "active proctype A() priority 2 { do :: x < 4 -> x++ :: x == 4 -> break od; x = 5;\n"
     "  set_priority(1, 5); x = 0 }\n"
     "active proctype B() priority 1 { byte k; k = get_priority(0);\n"
     "  atomic { k = 1; x = 3; k = 2; k = 3 }; k = 4; x == 7; k = 3 }\n"
     "active proctype C() priority 3 { byte k; x == 5; _priority = 1; k = 1; x = 7; k = 2 }\n"},
    {"enabled", 28, 2,
     "byte x;\n"
     "active proctype A() { x == 1; x = 2; x == 3; x = 4 }\n"
     "active proctype B() { byte k; if :: enabled(0) -> k = 1 :: x = 1 fi;\n"
     "  if :: enabled(0) -> k = 2 :: !enabled(0) -> k = 3 fi; x = 3 }\n"},
    {"remote references", 20, 2,
     "byte x;\n"
     "proctype P() { byte k; L: k = 1; M: k = 2; x == 1; k = 3 }\n"
     "proctype Q(byte i) { P[i]@M -> x = 1; x = 2 }\n"
     "init { byte i; atomic { i = run P(); run Q(i) } }\n"},
    {"the last process", 13, 1,
     "byte x;\n"
     "active proctype A() { x = 1; _last == 1; x = 2; atomic { x = 3; x = 4 } }\n"
     "active proctype B() { byte k; k = 1; x == 4; k = _last; k = 3 }\n"},
    {"structures", 109, 0,
     "typedef T { byte a; bit b[3]; short c }; typedef U { T t[2]; int z };\n"
     "U g; T h; chan q = [2] of { T };\n"
     "active proctype A() { T l; byte i; l.a = 3; l.b[1] = 1; l.c = -5; q!l; g.t[1].a = 7;\n"
     "  for (i : 0 .. 1) { g.t[i].c = i + 1; g.z = g.z - 1 } h.b[2] = 1 }\n"
     "active proctype B() { T l; q?l; g.t[0].b[l.b[1]] = l.a; q!l; g.z = l.c }\n"},
    {"assertions", 36, 1,
     "byte x;\n"
     "active [2] proctype A() { byte t; t = x; x = t + 1; x == 2; assert(x == 2) }\n"},
};

static void test_samples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    struct ir_model *m = load(samples[i].text);
    struct walk k;
    walk_init(&k, m);
    if (k.count != samples[i].states || k.deadlocks + k.faults != samples[i].errors)
      fail_msg("%s: %zu states, %zu deadlocks, %zu faults", samples[i].name, k.count, k.deadlocks,
               k.faults);
    walk_clear(&k);
    ir_model_free(m);
  }
}

// --- the shape ---

// Conjuncts from left to right.
static size_t conjuncts(const struct ir_expr *e, const struct ir_expr **out, size_t n) {
  if (e->op != IR_AND) {
    out[n] = e;
    return n + 1;
  }
  n = conjuncts(e->args[0], out, n);
  return conjuncts(e->args[1], out, n);
}

static bool about(const struct ir_expr *e, const struct ir_var *v) {
  if (e->op == IR_OR) return about(e->args[0], v) && about(e->args[1], v);
  return e->op == IR_EQ && e->args[0]->op == IR_VAR && e->args[0]->var == v &&
         e->args[1]->op == IR_CONST;
}

static void test_guards(void **state) {
  (void)state;
  struct ir_model *m = load(samples[0].text);
  assert_non_null(m->transient);
  const struct ir_var *seat = NULL;
  int64_t place = 0;
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_expr *c[64];
    size_t n = conjuncts(m->rules.data[i]->guard, c, 0);
    assert_true(n >= 2);
    assert_true(about(c[0], m->transient));
    assert_int_equal(c[1]->op, IR_EQ);
    assert_int_equal(c[1]->args[0]->op, IR_FIELD);
    assert_int_equal(c[1]->args[0]->field, 0);
    assert_int_equal(c[1]->args[1]->op, IR_CONST);
    const struct ir_var *v = c[1]->args[0]->args[0]->var;
    assert_true(v->is_location && v->agent == m->rules.data[i]->agent);
    assert_true(v != seat || c[1]->args[1]->value >= place); // seat after seat, by place
    assert_true(v == seat || !seat || v->id > seat->id);
    seat = v;
    place = c[1]->args[1]->value;
  }
  ir_model_free(m);
}

static void test_merging(void **state) {
  (void)state;
  struct ir_model *m = load("byte x, y; active proctype A() {\n"
                            "  do :: atomic { x == 0 -> x = 1; y = 2; printf(\"hi\\n\") } od }\n");
  assert_null(m->transient);
  assert_int_equal(m->rules.count, 1);
  assert_int_equal(m->rules.data[0]->line_count, 4);
  assert_string_equal(m->rules.data[0]->lines[1].text, "x = 1");
  assert_string_equal(m->rules.data[0]->lines[1].process, "A");
  ir_model_free(m);
}

static void test_constants(void **state) {
  (void)state;
  struct ir_model *m = load("chan a = [1] of {byte}; chan b = [1] of {byte};\n"
                            "proctype P(chan from, to; byte n) { byte x; from?x; to!x + n }\n"
                            "init { atomic { run P(a, b, 3); run P(b, a, 4) }; a!1 }\n");
  size_t seats = 0;
  for (size_t i = 0; i < m->vars.count; i++) {
    if (!m->vars.data[i]->is_location) continue;
    bool init = strcmp(m->vars.data[i]->name, "init(0)") == 0;
    assert_int_equal(m->vars.data[i]->type->field_count, init ? 1 : 2); // _p and x
    seats++;
  }
  assert_int_equal(seats, 3);
  ir_model_free(m);
}

static void test_handshake(void **state) {
  (void)state;
  struct ir_model *m = load("mtype = {ack, msg}; chan c = [0] of {mtype, byte};\n"
                            "active proctype S() { c!msg,3; c!ack,4 }\n"
                            "active proctype R() { byte x; c?msg,x; c?ack,x }\n");
  assert_int_equal(m->rules.count, 4); // two handshakes, and the ends
  const struct ir_rule *r = m->rules.data[0];
  assert_string_equal(r->name, "S:0 c!msg,3 -> R:1 c?msg,x");
  assert_int_equal(r->line_count, 2);
  assert_int_equal(r->lines[0].event, IR_EVENT_SEND);
  assert_int_equal(r->lines[0].value_count, 2);
  assert_int_equal(r->lines[1].event, IR_EVENT_RECEIVE);
  assert_int_equal(r->lines[1].agent, 1);
  ir_model_free(m);
}

// --- plans ---

static void test_plan_text(void **state) {
  (void)state;
  struct promela_plan *p = promela_plan_new();
  struct ir_model *m = load_planned("proctype P(byte k; byte l) { skip }\n"
                                    "init { run P(1, 7); _nr_pr == 1; run P(2, 7) }\n",
                                    p);
  struct text first = {0}, again = {0}, why = {0};
  promela_plan_print(&first, p);
  assert_string_equal(first.data, "0:1 1:0(*,7)");
  assert_true(promela_plan_read(p, first.data, &why));
  promela_plan_print(&again, p);
  assert_string_equal(first.data, again.data);
  static const char *const damaged[] = {"x",       "0:",    "0:1 ",    "0:1(3", "0:1(3,)",
                                        "1:0 0:1", "300:1", "0:1 0:1", " 0:1",  "0:1(1 2)"};
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    text_clear(&why);
    assert_false(promela_plan_read(p, damaged[i], &why));
    assert_true(why.count > 0);
  }
  text_clear(&first);
  text_clear(&again);
  text_clear(&why);
  ir_model_free(m);
  promela_plan_free(p);
}

// The process is created after more steps than the look ahead goes.
static void test_learning(void **state) {
  (void)state;
  static const char text[] = "byte done; proctype P(int k) { done = k }\n"
                             "init { int i; do :: i < 4500 -> i++ :: i == 4500 -> break od;\n"
                             "  if :: run P(3) :: run P(4) fi }\n";
  struct promela_plan *p = promela_plan_new();
  struct walk k;
  size_t rounds = 0;
  for (;; rounds++) {
    struct ir_model *m = load_planned(text, p);
    walk_init(&k, m);
    struct text why = {0};
    bool more = k.plan_site != 0;
    if (more) assert_true(promela_plan_learn(p, m, k.plan_site, k.unplanned, &why));
    walk_clear(&k);
    ir_model_free(m);
    if (!more) break;
  }
  assert_int_equal(rounds, 2); // a process, and that its argument varies
  struct text plan = {0};
  promela_plan_print(&plan, p);
  assert_string_equal(plan.data, "0:1 1:0(*)");
  text_clear(&plan);
  promela_plan_free(p);
}

// Each search finds that there must be more, until there are as many as there can be.
static void test_too_many(void **state) {
  (void)state;
  struct promela_plan *p = promela_plan_new();
  struct text why = {0};
  size_t rounds = 0;
  for (bool more = true; more; rounds++) {
    struct ir_model *m = load_planned("proctype P() { run P(); false }\ninit { run P() }\n", p);
    struct walk k;
    walk_init(&k, m);
    assert_true(k.plan_site != 0);
    more = promela_plan_learn(p, m, k.plan_site, k.unplanned, &why);
    walk_clear(&k);
    ir_model_free(m);
  }
  assert_non_null(strstr(text_str(&why), "255"));
  assert_true(rounds < 50); // it plans ahead
  text_clear(&why);
  promela_plan_free(p);
}

// --- what others ask ---

static void test_where(void **state) {
  (void)state;
  struct ir_model *m = load("byte x; active proctype A() { x == 1; x = 2 }\n"
                            "active proctype B() { end: do :: x == 3 :: x == 4 od }\n");
  struct walk k;
  walk_init(&k, m);
  struct promela_where out[256];
  assert_int_equal(promela_where(m, k.states.data, out), 2);
  assert_string_equal(out[0].process, "A");
  assert_int_equal(out[0].pid, 0);
  assert_false(out[0].valid_end);
  assert_int_equal(out[0].wait_count, 1);
  assert_string_equal(out[1].process, "B");
  assert_true(out[1].valid_end);
  assert_int_equal(out[1].wait_count, 2);
  walk_clear(&k);
  ir_model_free(m);
}

// The tree is gone by then: what is in a d_step is said all the same.
static void test_where_d_step(void **state) {
  (void)state;
  struct ir_model *m = load("byte x; active proctype A() { d_step { x == 1; x = 2 } }\n");
  struct walk k;
  walk_init(&k, m);
  struct promela_where out[256];
  assert_int_equal(promela_where(m, k.states.data, out), 1);
  assert_int_equal(out[0].wait_count, 1);
  assert_string_equal(out[0].waits[0], "d_step { ((x==1)); x = 2 }");
  walk_clear(&k);
  ir_model_free(m);
}

static bool given(struct ir_model *m, const char *text, bool *value) {
  struct diag d = {0};
  struct ir_frame frame = {0};
  struct source *s = source_from_text("given", text, strlen(text));
  struct ir_expr *e = promela_expr(m, s, IR_WANT_BOOL, NULL, &frame, &d);
  assert_true(e ? d.errors == 0 : d.errors > 0);
  diag_clear(&d);
  if (!e) return false;
  struct walk k;
  walk_init(&k, m);
  assert_int_equal(ir_eval_bool(k.eval, &frame, e, k.states.data, value), IR_OK);
  walk_clear(&k);
  return true;
}

static void test_given_names(void **state) {
  (void)state;
  struct ir_model *m =
      load("mtype = {red, green}; mtype:size = {large, small};\n"
           "typedef pair { byte a; short b[2] } pair p;\n"
           "mtype colour = green; mtype:size s = small; byte seven = 7;\n"
           "chan q[2] = [1] of {mtype, byte};\n"
           "active proctype A() { progress: p.b[1] = 3; q[p.a]!red(1); s = large }\n");
  bool v = false;
  assert_true(given(m, "colour == green && s == small && s != large", &v) && v);
  assert_true(given(m, "p.a == 0 && p.b[1] == 0 && seven == 7", &v) && v);
  assert_true(given(m, "empty(q[1]) && !(q[0]?[red, 1])", &v) && v);
  assert_true(given(m, "np_ || A[0]@progress", &v) && v);
  ir_model_free(m);
}

static void test_given(void **state) {
  (void)state;
  struct ir_model *m = load("byte x = 2; chan q = [2] of {byte};\n"
                            "active proctype A() { byte k; L: x = 3; k = 1 }\n");
  bool v = false;
  assert_true(given(m, "x == 2 && len(q) == 0", &v) && v);
  assert_true(given(m, "A[0]@L", &v) && v);
  assert_true(given(m, "A[0]:k == 0", &v) && v);
  assert_true(given(m, "_nr_pr > 1", &v) && !v);
  assert_false(given(m, "nobody == 2", &v));
  assert_false(given(m, "A[0]@nowhere", &v));
  assert_false(given(m, "timeout", &v));
  assert_false(given(m, "run A()", &v));
  assert_false(given(m, "x ==", &v));
  ir_model_free(m);
}

static void test_refused(void **state) {
  (void)state;
  assert_int_equal(load_errors("c_decl { int z; }\nactive proctype A() { skip }\n", "embedded C"),
                   1);
  assert_int_equal(load_errors("active proctype A() { c_code { now.x = 1; } }\n", "embedded C"), 1);
  assert_int_equal(load_errors("active proctype A() { c_expr { 1 } }\n", "embedded C"), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),     cmocka_unit_test(test_guards),
      cmocka_unit_test(test_merging),     cmocka_unit_test(test_constants),
      cmocka_unit_test(test_handshake),   cmocka_unit_test(test_plan_text),
      cmocka_unit_test(test_learning),    cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_where),       cmocka_unit_test(test_where_d_step),
      cmocka_unit_test(test_given_names), cmocka_unit_test(test_given),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
