// SPDX-License-Identifier: Apache-2.0
// Products with automata and their fair copies: what an expansion gives and in which order, where
// the automaton's state lies, stutter steps, ends, atoms that fail, clones, compiled code. Whether
// the right cycles come out: tests/unit/search/test_nested.c.
#include "sys/sys.h"

#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
  struct ir_model *m;
  struct sys *inner, *product;
  struct sys_out out;
  uint64_t *state;
};

static void set_up(struct fixture *f, const char *text, const struct ir_automaton *a,
                   enum sys_native_mode mode) {
  struct diag d = {0};
  f->m = ir_parse_model(source_from_text("t.ir", text, strlen(text)), &d);
  if (!f->m) diag_print(&d, stderr, false);
  assert_non_null(f->m);
  diag_clear(&d);
  f->inner = sys_new(f->m, &(struct sys_config){.mode = mode});
  f->product = sys_product_new(f->inner, a, 0);
  f->state = mem_zalloc(f->product->words, sizeof *f->state);
  sys_out_init(&f->out, f->product->words, f->m->properties.count);
}

static void tear_down(struct fixture *f) {
  sys_out_clear(&f->out);
  mem_free(f->state);
  sys_free(f->product);
  sys_free(f->inner);
  ir_model_free(f->m);
}

static void start(struct fixture *f) {
  sys_out_reset(&f->out);
  f->product->starts(f->product, &f->out);
  assert_int_equal(f->out.count, 1);
  memcpy(f->state, f->out.words, f->product->words * sizeof *f->state);
}

static void expand(struct fixture *f) {
  sys_out_reset(&f->out);
  f->product->expand(f->product, f->state, &f->out);
}

static const uint64_t *successor(const struct fixture *f, size_t i) {
  return f->out.words + i * f->product->words;
}

// Goes to successor number i.
static void go(struct fixture *f, size_t i) {
  assert_true(i < f->out.count);
  memcpy(f->state, successor(f, i), f->product->words * sizeof *f->state);
}

// Instance, value of the first leaf, state of the automaton of each successor.
static void expect(const struct fixture *f, size_t count, const int (*steps)[3]) {
  assert_int_equal(f->out.count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(f->out.steps[i].instance, (uint32_t)steps[i][0]);
    assert_int_equal(f->out.steps[i].site, 0);
    assert_int_equal(ir_leaf_get(&f->m->layout->leaf[0], successor(f, i)), steps[i][1]);
    assert_int_equal(f->product->claim(f->product, successor(f, i)), steps[i][2]);
  }
}

// 0 to 1, to 2, where it is stuck.
#define LINE                                                                                       \
  "start \"s\" { x := 0; }\n"                                                                      \
  "rule \"one\" when x = 0 { x := 1; }\n"                                                          \
  "rule \"two\" (i : 1..2) when x = 1 { x := 2; }\n"                                               \
  "atom \"not two\" : x != 2; atom \"zero\" : x = 0;\n"                                            \
  "invariant \"below two\" : x < 2;\n"

static const char narrow[] = "model \"m\"; var x : 0..2;\n" LINE;
static const char two_words[] = "model \"m\"; var x : i64; var y : u8;\n" LINE;
// No bit of the only word is free.
static const char whole[] = "model \"m\"; var x : i64;\n" LINE;

// From 0 to 1 and 2 while "not two" holds, from 1 on while it does not; 2 is the end.
static struct ir_automaton_edge edges[3][3] = {
    {{.yes = 1, .to = 1}, {.yes = 1, .no = 2, .to = 2}, {.yes = 2, .to = 0}},
    {{.to = 0}, {.no = 1, .to = 1}},
    {{.to = 2}}};
static struct ir_automaton_state states[3] = {
    {.edges = edges[0], .edge_count = 3},
    {.edges = edges[1], .edge_count = 2, .accepting = true},
    {.edges = edges[2], .edge_count = 1, .final = true}};
static const struct ir_automaton sample = {.states = states, .count = 3, .accept_atom = -1};

static void walk(struct fixture *f) {
  start(f);
  assert_int_equal(f->product->claim(f->product, f->state), 0);
  assert_false(f->product->accepts(f->product, f->state));
  expand(f);
  expect(f, 2, (const int[][3]){{0, 1, 1}, {0, 1, 0}});
  assert_int_equal(f->out.fired, 2);
  assert_true(f->out.moved);
  go(f, 1);
  expand(f); // the model's steps in order, each edge by edge
  expect(f, 4, (const int[][3]){{1, 2, 1}, {1, 2, 2}, {2, 2, 1}, {2, 2, 2}});
  assert_int_equal(f->out.fired, 4);
  go(f, 1);
  assert_true(f->product->accepts(f->product, f->state));
  struct sys_fault fault = f->product->check(f->product, f->state);
  assert_int_equal(fault.kind, SYS_PROPERTY);
  assert_int_equal(fault.id, 0);
  expand(f); // to itself
  expect(f, 1, (const int[][3]){{(int)SYS_STUTTER, 2, 2}});
  assert_false(f->out.moved);
}

static void test_steps(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, narrow, &sample, SYS_INTERPRETED);
  assert_int_equal(f.product->words, 1);
  assert_int_equal(f.product->bytes, 2);
  assert_false(f.product->weak); // 0 and 1 are on a cycle
  walk(&f);
  tear_down(&f);
}

static void test_wide(void **context) {
  (void)context;
  const char *const texts[] = {two_words, whole};
  for (size_t i = 0; i < 2; i++) {
    struct fixture f;
    set_up(&f, texts[i], &sample, SYS_INTERPRETED);
    assert_int_equal(f.product->words, 2);
    assert_int_equal(f.product->words == f.inner->words, i == 0);
    walk(&f);
    tear_down(&f);
  }
}

static void test_native(void **context) {
  (void)context;
  const char *const texts[] = {narrow, whole};
  for (size_t i = 0; i < 2; i++) {
    struct fixture f;
    set_up(&f, texts[i], &sample, SYS_NATIVE);
    if (!f.product->native) skip(); // there is no compiler
    walk(&f);
    tear_down(&f);
  }
}

static void test_clone(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, narrow, &sample, SYS_INTERPRETED);
  struct sys *original = f.product;
  f.product = sys_clone(original);
  walk(&f);
  sys_free(f.product);
  f.product = sys_fair_new(original);
  struct sys *fair = f.product;
  f.product = sys_clone(fair);
  walk(&f); // nobody has rules
  sys_free(f.product);
  sys_free(fair);
  f.product = original;
  tear_down(&f);
}

static void test_stuck(void **context) {
  (void)context;
  struct ir_automaton ends = sample;
  ends.stuck_ends = true;
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    set_up(&f, narrow, i ? &ends : &sample, SYS_INTERPRETED);
    start(&f);
    expand(&f);
    go(&f, 1);
    expand(&f);
    go(&f, 0); // x = 2, automaton in 1
    assert_true(f.product->accepts(f.product, f.state));
    assert_int_equal(f.product->check(f.product, f.state).id, 0);
    expand(&f);
    if (i)
      assert_int_equal(f.out.count, 0);
    else
      expect(&f, 2, (const int[][3]){{(int)SYS_STUTTER, 2, 0}, {(int)SYS_STUTTER, 2, 1}});
    tear_down(&f);
  }
}

// --- acceptance ---

static void test_on_edges(void **context) {
  (void)context;
  struct ir_automaton_edge loop[2] = {{.yes = 2, .to = 0, .accepting = true}, {.no = 2, .to = 0}};
  struct ir_automaton_state state = {.edges = loop, .edge_count = 2};
  struct ir_automaton a = {.states = &state, .count = 1, .on_edges = true, .accept_atom = -1};
  struct fixture f;
  set_up(&f, narrow, &a, SYS_INTERPRETED);
  start(&f);
  assert_false(f.product->accepts(f.product, f.state));
  expand(&f);
  expect(&f, 1, (const int[][3]){{0, 1, 0}});
  go(&f, 0);
  assert_true(f.product->accepts(f.product, f.state));
  expand(&f);
  go(&f, 1);
  assert_false(f.product->accepts(f.product, f.state));
  tear_down(&f);
}

static void test_accept_atom(void **context) {
  (void)context;
  struct ir_automaton_edge loop = {.to = 0};
  struct ir_automaton_state state = {.edges = &loop, .edge_count = 1, .accepting = true};
  struct ir_automaton a = {.states = &state, .count = 1, .accept_atom = 1};
  struct fixture f;
  set_up(&f, narrow, &a, SYS_INTERPRETED);
  assert_false(f.product->weak);
  start(&f);
  assert_true(f.product->accepts(f.product, f.state));
  expand(&f);
  expect(&f, 1, (const int[][3]){{0, 1, 0}});
  go(&f, 0);
  assert_false(f.product->accepts(f.product, f.state));
  tear_down(&f);
}

// An accepting state that is not on a cycle of the automaton does not count.
static void test_weak(void **context) {
  (void)context;
  struct ir_automaton_edge e[3] = {{.to = 1}, {.to = 2}, {.to = 2}};
  struct ir_automaton_state s[3] = {{.edges = &e[0], .edge_count = 1},
                                    {.edges = &e[1], .edge_count = 1, .accepting = true},
                                    {.edges = &e[2], .edge_count = 1, .accepting = true}};
  struct ir_automaton a = {.states = s, .count = 3, .accept_atom = -1};
  struct fixture f;
  set_up(&f, narrow, &a, SYS_INTERPRETED);
  assert_true(f.product->weak);
  start(&f);
  expand(&f);
  go(&f, 0);
  assert_false(f.product->accepts(f.product, f.state));
  expand(&f);
  go(&f, 0);
  assert_true(f.product->accepts(f.product, f.state));
  tear_down(&f);
}

// --- failures ---

static void test_atom_fails(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f,
         "model \"m\"; var x : 0..2; start \"s\" { x := 0; } rule \"on\" { x := 1; }\n"
         "atom \"divides\" : 1 / x = 1; atom \"other\" : true; invariant \"i\" : true;\n",
         &sample, SYS_INTERPRETED);
  start(&f);
  expand(&f);
  assert_int_equal(f.out.count, 1);
  assert_int_equal(f.out.steps[0].instance, SYS_STUTTER);
  assert_int_not_equal(f.out.steps[0].site, 0);
  tear_down(&f);
}

// A failed step comes once, and where one is the model is not stuck.
static void test_step_fails(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f,
         "model \"m\"; var x : 0..2; start \"s\" { x := 0; } rule \"on\" { x := x + 2; }\n"
         "rule \"stay\" when x = 0 { x := 1; }\n"
         "atom \"a\" : true; atom \"b\" : false; invariant \"i\" : true;\n",
         &sample, SYS_INTERPRETED);
  start(&f);
  expand(&f);
  expect(&f, 4, (const int[][3]){{0, 2, 1}, {0, 2, 2}, {1, 1, 1}, {1, 1, 2}});
  go(&f, 2);
  expand(&f);
  assert_int_equal(f.out.count, 1);
  assert_int_not_equal(f.out.steps[0].site, 0);
  assert_int_equal(f.out.steps[0].instance, 0);
  tear_down(&f);
}

// --- fair copies ---

// Agent 4 turns round; agent 9 could step aside. In copy 0 an accepting state, then both.
static void test_fair(void **context) {
  (void)context;
  struct ir_automaton_edge loop = {.to = 0};
  struct ir_automaton_state state = {.edges = &loop, .edge_count = 1, .accepting = true};
  struct ir_automaton a = {.states = &state, .count = 1, .accept_atom = -1};
  struct fixture f;
  set_up(&f,
         "model \"m\"; var x : 0..3; start \"s\" { x := 0; }\n"
         "rule \"aside\" agent 9 when x < 2 { x := 3; }\n"
         "rule \"on\" agent 4 when x < 3 { x := (x + 1) % 3; }\n"
         "invariant \"i\" : true;\n",
         &a, SYS_INTERPRETED);
  struct sys *product = f.product;
  f.product = sys_fair_new(product);
  assert_false(f.product->weak);
  start(&f);
  const bool accepts[] = {true, false, false, true}; // at 2 agent 9 cannot move
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(f.product->accepts(f.product, f.state), accepts[i]);
    expand(&f);
    go(&f, f.out.count - 1);
  }
  start(&f);
  expand(&f);
  go(&f, 0); // at 3 nobody can move: stutter steps serve all
  expand(&f);
  assert_int_equal(f.out.count, 1);
  assert_int_equal(f.out.steps[0].instance, SYS_STUTTER);
  go(&f, 0);
  assert_true(f.product->accepts(f.product, f.state));
  sys_free(f.product);
  f.product = product;
  tear_down(&f);
}

// A rendezvous serves both who take part.
static void test_rendezvous(void **context) {
  (void)context;
  struct ir_automaton_edge loop = {.to = 0};
  struct ir_automaton_state state = {.edges = &loop, .edge_count = 1, .accepting = true};
  struct ir_automaton a = {.states = &state, .count = 1, .accept_atom = -1};
  struct fixture f;
  set_up(&f,
         "model \"m\"; var x : 0..3; start \"s\" { x := 0; }\n"
         "rule \"meet\" agent 1 line \"c!\" by \"p\" agent 1 line \"c?\" by \"q\" agent 2 { x := "
         "0; }\n"
         "rule \"alone\" agent 2 { x := 1; }\n"
         "invariant \"i\" : true;\n",
         &a, SYS_INTERPRETED);
  struct sys *product = f.product;
  f.product = sys_fair_new(product);
  start(&f);
  expand(&f);
  go(&f, 0);
  assert_true(f.product->accepts(f.product, f.state)); // both were served at once
  start(&f);
  expand(&f);
  go(&f, 1);
  assert_false(f.product->accepts(f.product, f.state));
  sys_free(f.product);
  f.product = product;
  tear_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),       cmocka_unit_test(test_wide),
      cmocka_unit_test(test_native),      cmocka_unit_test(test_clone),
      cmocka_unit_test(test_stuck),       cmocka_unit_test(test_on_edges),
      cmocka_unit_test(test_accept_atom), cmocka_unit_test(test_weak),
      cmocka_unit_test(test_atom_fails),  cmocka_unit_test(test_step_fails),
      cmocka_unit_test(test_fair),        cmocka_unit_test(test_rendezvous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
