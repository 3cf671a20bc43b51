// SPDX-License-Identifier: Apache-2.0
// Automata of formulas: on random lassos they accept where the formula is true, and that of the
// negation where it is not; sizes of well-known ones; limits; time.
#include "ltl/ltl.h"

#include "accept.h"
#include "random_ltl.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void check_shape(const struct ir_automaton *a, bool on_edges) {
  assert_int_equal(a->on_edges, on_edges);
  assert_int_equal(a->accept_atom, -1);
  assert_true(a->count >= 1 && a->count <= LTL_STATES_MAX);
  for (uint32_t i = 0; i < a->count; i++) {
    const struct ir_automaton_state *s = &a->states[i];
    assert_false(on_edges && s->accepting);
    for (uint32_t k = 0; k < s->edge_count; k++) {
      assert_true(s->edges[k].to < a->count);
      assert_int_equal(s->edges[k].yes & s->edges[k].no, 0);
      assert_false(!on_edges && s->edges[k].accepting);
    }
  }
}

static void check_lasso(uint64_t seed, const struct ltl *x, const struct ir_automaton *a,
                        const struct random_lasso *l, bool truth) {
  for (int by_final = 0; by_final < 2; by_final++) {
    if (accepts(a, l->states, l->count, l->loop, by_final) == truth) continue;
    struct text t = {0};
    ltl_print(&t, x, atom_names);
    ltl_print_never(&t, a, atom_names);
    fail_msg("seed %lu: %s", (unsigned long)seed, text_str(&t));
  }
}

static void check_random(uint64_t seed, int size, int lassos, unsigned with) {
  struct rng r;
  rng_init(&r, seed);
  struct ltl_factory *f = ltl_factory_new();
  struct arena *arena = arena_new();
  uint32_t atoms = 1 + (uint32_t)rng_below(&r, 4);
  size = 2 + (int)rng_below(&r, (uint64_t)size);
  const struct ltl *x = random_formula(f, &r, size, atoms, with | rng_below(&r, 2));
  const struct ltl *not_x = ltl_make(f, LTL_NOT, x, NULL);
  for (int on_edges = 0; on_edges < 2; on_edges++) {
    struct ir_automaton *a = ltl_automaton(f, x, on_edges, arena);
    struct ir_automaton *b = ltl_automaton(f, not_x, on_edges, arena);
    if (!a || !b) continue;
    check_shape(a, on_edges);
    check_shape(b, on_edges);
    for (int i = 0; i < lassos; i++) {
      struct random_lasso l = random_lasso(&r, atoms);
      bool truth = ltl_on_lasso(x, l.states, l.count, l.loop);
      check_lasso(seed, x, a, &l, truth);
      check_lasso(seed, not_x, b, &l, !truth);
    }
  }
  arena_free(arena);
  ltl_factory_free(f);
}

static void test_random(void **unused) {
  for (int i = 0; i < effort(2000); i++) check_random((uint64_t)i, 10, 20, 0);
  (void)unused;
}

static void test_random_large(void **unused) {
  for (int i = 0; i < effort(60); i++) check_random(1000000 + (uint64_t)i, 18, 20, 0);
  (void)unused;
}

static void test_random_past(void **unused) {
  for (int i = 0; i < effort(1500); i++) check_random(2000000 + (uint64_t)i, 8, 20, WITH_PAST);
  for (int i = 0; i < effort(40); i++) check_random(3000000 + (uint64_t)i, 13, 20, WITH_PAST);
  (void)unused;
}

// --- formulas by hand ---

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

static bool read_letter(void *context, struct span span, uint32_t *atom) {
  (void)context;
  const char *letter = strchr(letters, span.source->text[span.column - 1]);
  assert_true(letter && span.end_column == span.column + 1);
  *atom = (uint32_t)(letter - letters);
  return true;
}

struct made {
  struct ltl_factory *factory;
  struct arena *arena;
  const struct ltl *formula;
  struct ir_automaton *automaton;
};

static struct made make(const char *text, bool on_edges) {
  struct made m = {.factory = ltl_factory_new(), .arena = arena_new()};
  struct source *s = source_from_text("formula", text, strlen(text));
  struct diag d = {0};
  struct ltl_reader r = {.atom = read_letter, .style = LTL_STYLE_NONE};
  m.formula = ltl_parse(m.factory, s, &r, &d);
  assert_non_null(m.formula);
  m.automaton = ltl_automaton(m.factory, m.formula, on_edges, m.arena);
  source_free(s);
  return m;
}

static void unmake(struct made *m) {
  arena_free(m->arena);
  ltl_factory_free(m->factory);
}

static void test_known(void **unused) {
  static const struct {
    const char *text;
    uint32_t states, states_on_edges;
    bool stutters, has_final;
  } rows[] = {
      {"true", 1, 1, true, true},
      {"false", 1, 1, true, false},
      {"p", 2, 2, true, true},
      {"[]p", 1, 1, true, false},
      {"<>p", 2, 2, true, true},
      {"[]<>p", 2, 1, true, false},
      {"<>[]p", 2, 2, true, false},
      {"X p", 3, 3, false, true},
      {"p U q", 2, 2, true, true},
      {"[](p -> <>q)", 2, 2, true, false},
      {"X[]<>p", 2, 1, true, false},
      {"[]<>p && []<>q", 3, 2, true, false},
      {"[]p && <>!p", 1, 1, true, false},
      {"[]<>p -> []<>q", 3, 2, true, false},
      {"once p", 2, 2, true, true},
      {"previous p", 1, 1, false, false},
      {"weakprevious p", 1, 1, false, true},
      {"[](p -> once p)", 1, 1, true, true},
      {"<>(p && previous q)", 3, 3, false, true},
      {"[](p -> once q)", 2, 2, true, true},
      {"[]<>(p since q)", 2, 2, true, false},
      {"[](p -> (!q since r))", 2, 2, true, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int on_edges = 0; on_edges < 2; on_edges++) {
      struct made m = make(rows[i].text, on_edges);
      uint32_t states = on_edges ? rows[i].states_on_edges : rows[i].states;
      bool has_final = false;
      for (uint32_t k = 0; k < m.automaton->count; k++)
        has_final = has_final || m.automaton->states[k].final;
      if (m.automaton->count != states || m.automaton->stutters != rows[i].stutters ||
          has_final != rows[i].has_final)
        fail_msg("%s: %u states", rows[i].text, m.automaton->count);
      unmake(&m);
    }
  (void)unused;
}

// All lassos of up to three states.
static void check_small(const char *text) {
  struct made m = make(text, false);
  for (size_t count = 1; count <= 3; count++)
    for (uint64_t k = 0; k < UINT64_C(1) << 2 * count; k++)
      for (size_t loop = 0; loop < count; loop++) {
        struct random_lasso l = {.count = count, .loop = loop};
        for (size_t i = 0; i < count; i++) l.states[i] = (k >> 2 * i & 3) << ('p' - 'a');
        bool truth = ltl_on_lasso(m.formula, l.states, l.count, l.loop);
        if (accepts(m.automaton, l.states, l.count, l.loop, false) != truth)
          fail_msg("%s: %zu states", text, count);
      }
  unmake(&m);
}

// An edge that is split on its way out of an accepting state had lost its mark, and the state, at
// times, with it.
static void test_split(void **unused) {
  check_small("q W ((!q U q) V <>p)");
  check_small("<>((!p U q) W !<>X <>q)");
  check_small("!(once q since (<>!<>p U q))");
  (void)unused;
}

// Many fairness constraints are no trouble; what would be too large is refused, soon.
static void test_limits(void **unused) {
  double start = clock_seconds();
  struct made m =
      make("[]<>a && []<>b && []<>c && []<>d && []<>e && []<>f && []<>g && []<>h", false);
  assert_int_equal(m.automaton->count, 9);
  unmake(&m);
  struct text t = {0};
  for (const char *c = letters; *c; c++)
    text_printf(&t, "%s(%c U X !%c)", t.count ? "&&" : "", *c, *c);
  m = make(text_str(&t), true);
  assert_null(m.automaton);
  unmake(&m);
  text_clear(&t);
  for (const char *c = letters; *c; c++)
    text_printf(&t, "%sonce (%c && previous once %c)", t.count ? "&&" : "<>(", *c, *c);
  text_add(&t, ")");
  m = make(text_str(&t), true);
  assert_null(m.automaton);
  unmake(&m);
  text_clear(&t);
  for (int i = 0; i < 300; i++) text_add(&t, "previous ");
  text_add(&t, "p");
  m = make(text_str(&t), true);
  assert_null(m.automaton);
  unmake(&m);
  text_clear(&t);
  assert_true(clock_seconds() - start < 120); // of a second; there are slow machines
  (void)unused;
}

static void test_print(void **unused) {
  static const char *const names[] = {['p' - 'a'] = "x == 1", ['q' - 'a'] = "name == \"y\""};
  struct made m = make("p U !q", false);
  struct text t = {0};
  ltl_print_never(&t, m.automaton, names);
  assert_string_equal(text_str(&t), "never {\n"
                                    "T0_init:\n"
                                    "\tdo\n"
                                    "\t:: (x == 1) -> goto T0_init\n"
                                    "\t:: !(name == \"y\") -> goto accept_all\n"
                                    "\tod;\n"
                                    "accept_all:\n"
                                    "\tskip\n"
                                    "}\n");
  text_clear(&t);
  ltl_print_dot(&t, m.automaton, names);
  assert_string_equal(text_str(&t), "digraph buchi {\n"
                                    "  rankdir=LR;\n"
                                    "  start [shape=point];\n"
                                    "  start -> s0;\n"
                                    "  s0 [shape=circle, label=\"T0_init\"];\n"
                                    "  s1 [shape=doublecircle, label=\"accept_all\"];\n"
                                    "  s0 -> s0 [label=\"(x == 1)\"];\n"
                                    "  s0 -> s1 [label=\"!(name == \\\"y\\\")\"];\n"
                                    "  s1 -> s1 [label=\"true\"];\n"
                                    "}\n");
  text_clear(&t);
  unmake(&m);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),      cmocka_unit_test(test_random_large),
      cmocka_unit_test(test_random_past), cmocka_unit_test(test_known),
      cmocka_unit_test(test_split),       cmocka_unit_test(test_limits),
      cmocka_unit_test(test_print)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
