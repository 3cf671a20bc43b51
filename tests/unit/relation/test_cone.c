// SPDX-License-Identifier: Apache-2.0
// Cones of small models: what is in them and how far it is, to which choices assumptions belong,
// which errors cannot happen, what slices keep, and how steps of a slice are completed.
#include "relation/cone.h"

#include "ir/ir.h"
#include "relation/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
  struct ir_model *m;
  struct relation *r;
};

static void setup(struct fixture *f, const char *text) {
  struct diag d = {0};
  struct text why = {0};
  f->m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!f->m) diag_print(&d, stderr, false);
  assert_non_null(f->m);
  diag_clear(&d);
  f->r = relation_new(f->m, NULL, &why);
  assert_non_null(f->r);
  text_clear(&why);
}

static void teardown(struct fixture *f) {
  relation_free(f->r);
  ir_model_free(f->m);
}

static uint64_t leaf(const struct fixture *f, const char *name) {
  for (size_t i = 0; i < f->m->vars.count; i++)
    if (strcmp(f->m->vars.data[i]->name, name) == 0) return f->m->vars.data[i]->first_leaf;
  fail_msg("no variable %s", name);
  return 0;
}

static void cone_of(struct cone *c, const struct fixture *f, const char *name, unsigned what) {
  uint64_t support[4] = {0};
  uint64_t i = leaf(f, name);
  support[i / 64] |= UINT64_C(1) << (i % 64);
  cone_init(c, f->r, support, what);
}

static const char chain[] = "model \"chain\" language \"ir\";\n"
                            "var a : 0..3;\nvar b : 0..3;\nvar c : bool;\nvar d : bool;\n"
                            "start \"s\" { a := 0; b := 0; c := false; d := false; }\n"
                            "rule \"step\" choose (k : bool, n : 0..3) {\n"
                            "  assume (c -> n = 1 | n = 2) & (!c -> n = b);\n"
                            "  a := b; b := n; c := !c; d := k;\n"
                            "}\n";

static void test_strength(void **state) {
  (void)state;
  struct fixture f;
  struct cone c;
  setup(&f, chain);
  cone_of(&c, &f, "a", 0);
  assert_int_equal(c.count, 3);
  assert_int_equal(c.strength[leaf(&f, "a")], 0);
  assert_int_equal(c.strength[leaf(&f, "b")], 1);
  assert_int_equal(c.strength[leaf(&f, "c")], 2);
  assert_int_equal(c.from[leaf(&f, "c")], leaf(&f, "b"));
  assert_int_equal(c.strength[leaf(&f, "d")], CONE_OUTSIDE);
  assert_false(c.whole);
  cone_clear(&c);
  assert_true(relation_total(f.r));
  assert_false(relation_fails(f.r));
  teardown(&f);
}

static void test_owners(void **state) {
  (void)state;
  struct fixture f;
  setup(&f, chain);
  const struct relation_facts *facts = relation_facts(f.r);
  for (size_t i = 0; i < f.r->rules.data[0].assumes.count; i++)
    assert_int_equal(facts->rules[0].owner[i], 1);
  assert_false(facts->rules[0].hard);
  teardown(&f);
}

static void test_slice(void **state) {
  (void)state;
  struct fixture f;
  struct cone c;
  setup(&f, chain);
  cone_of(&c, &f, "d", 0);
  assert_int_equal(c.count, 1);
  struct relation *s = relation_slice(f.r, &c);
  assert_int_equal(s->rules.data[0].writes.count, 1);
  assert_int_equal(s->rules.data[0].assumes.count, 0);
  assert_int_equal(s->starts.data[0].writes.count, 1);
  assert_true(relation_has(s, leaf(&f, "d")));
  assert_false(relation_has(s, leaf(&f, "b")));
  for (int64_t b = 0; b < 4; b++)
    for (int64_t on = 0; on < 2; on++) {
      int64_t leaves[] = {0, b, on, 0}, choices[] = {1, -1};
      relation_complete(f.r, s, &s->rules.data[0], leaves, choices);
      assert_int_equal(choices[0], 1);
      assert_true(on ? choices[1] == 1 || choices[1] == 2 : choices[1] == b);
    }
  relation_free(s);
  cone_clear(&c);
  teardown(&f);
}

// What may leave no choice, and errors that may happen, decide whether there is a step.
static void test_hard(void **state) {
  (void)state;
  struct fixture f;
  struct cone c;
  setup(&f, "model \"hard\" language \"ir\";\n"
            "var a : bool;\nvar b : 0..3;\nvar c : 0..3;\nvar d : bool;\n"
            "start \"s\" { a := false; b := 0; c := 0; d := false; }\n"
            "rule \"step\" choose (n : 0..3) {\n"
            "  assume n < b;\n"
            "  assert c < 3;\n"
            "  assert d | !d;\n"
            "  a := !a; b := n;\n"
            "}\n");
  cone_of(&c, &f, "a", 0);
  assert_true(cone_has(&c, leaf(&f, "a")));
  assert_true(cone_has(&c, leaf(&f, "b")));
  assert_true(cone_has(&c, leaf(&f, "c")));
  assert_false(cone_has(&c, leaf(&f, "d")));
  assert_false(relation_total(f.r));
  assert_true(relation_fails(f.r));
  cone_clear(&c);
  teardown(&f);
}

// Rules that write nothing inside are steps of runs, and of nothing else.
static void test_rules(void **state) {
  (void)state;
  struct fixture f;
  struct cone c;
  setup(&f, "model \"rules\" language \"ir\";\n"
            "var a : bool;\nvar b : bool;\nvar c : bool;\n"
            "start \"s\" { a := false; b := false; c := false; }\n"
            "rule \"one\" { a := !a; }\n"
            "rule \"two\" when b { c := !c; }\n");
  cone_of(&c, &f, "a", 0);
  assert_int_equal(c.count, 1);
  assert_true(c.rules[0] && !c.rules[1]);
  struct relation *s = relation_slice(f.r, &c);
  assert_true(term_is(s->rules.data[1].guard, 0));
  relation_free(s);
  cone_clear(&c);
  cone_of(&c, &f, "a", CONE_RUNS);
  assert_int_equal(c.count, 2);
  assert_true(cone_has(&c, leaf(&f, "b")));
  assert_true(c.rules[1]);
  cone_clear(&c);
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strength), cmocka_unit_test(test_owners), cmocka_unit_test(test_slice),
      cmocka_unit_test(test_hard),     cmocka_unit_test(test_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
