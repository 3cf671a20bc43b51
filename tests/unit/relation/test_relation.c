// SPDX-License-Identifier: Apache-2.0
// Relations against the interpreter: on models written here, on those of tests/models and the
// examples, and on random ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "against.h"
#include "front/murphi/murphi.h"
#include "front/promela/promela.h"
#include "front/smv/smv.h"
#include "random/generate.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHILE_LIMIT = 1000 };

struct tally {
  unsigned models, refused, absent;
  uint64_t states, steps, drops, faults, conditions;
};

static void tell(const struct tally *t, const char *what) {
  print_message("%s: %u models, %u refused, %u do not load; %" PRIu64 " states, %" PRIu64
                " steps, %" PRIu64 " dropped, %" PRIu64 " failed, %" PRIu64 " conditions\n",
                what, t->models, t->refused, t->absent, t->states, t->steps, t->drops, t->faults,
                t->conditions);
}

// Fails the test at a difference.
static void compare(const struct ir_model *m, const char *name, struct against_limit limit,
                    struct tally *t) {
  struct against a;
  struct text why = {0};
  enum against_outcome o = against(&a, m, limit, &why);
  t->models++;
  t->states += a.states;
  t->steps += a.steps;
  t->drops += a.drops;
  t->faults += a.faults;
  t->conditions += a.conditions;
  against_clear(&a);
  if (o == AGAINST_DIFFERENT) fail_msg("%s: %s", name, text_str(&why));
  if (o == AGAINST_REFUSED) {
    print_message("refused: %s: %s\n", name, text_str(&why));
    t->refused++;
  }
  text_clear(&why);
}

// --- models as files ---

static bool ends_in(const char *s, const char *end) {
  size_t n = strlen(s), k = strlen(end);
  return n > k && strcmp(s + n - k, end) == 0;
}

static struct ir_model *load(const char *path) {
  const char *why;
  struct source *s = source_read(path, &why);
  struct diag d = {0};
  struct ir_model *m = NULL;
  if (!s) return NULL;
  if (ends_in(path, ".ir"))
    m = ir_parse_model(s, &d);
  else if (ends_in(path, ".pml"))
    m = promela_load(s, &(struct promela_config){.merge = true, .no_c = true}, NULL, &d);
  else if (ends_in(path, ".smv"))
    m = smv_load(s, NULL, 0, &d);
  else
    m = murphi_load(s, NULL, 0, WHILE_LIMIT, &d);
  diag_clear(&d);
  return m;
}

static bool is_model(const char *name) {
  return ends_in(name, ".m") || ends_in(name, ".pml") || ends_in(name, ".ir") ||
         ends_in(name, ".smv");
}

static void compare_folder(const char *folder, struct against_limit limit, struct tally *t) {
  struct dirent **names;
  struct text path = {0};
  int n = scandir(folder, &names, NULL, alphasort);
  assert_true(n >= 0);
  for (int i = 0; i < n; i++) {
    const char *name = names[i]->d_name;
    text_clear(&path);
    text_printf(&path, "%s/%s", folder, name);
    struct ir_model *m = NULL;
    if (is_model(name)) {
      m = load(text_str(&path));
      t->absent += m == NULL;
    }
    if (m) compare(m, name, limit, t);
    if (m) ir_model_free(m);
    free(names[i]);
  }
  free(names);
  text_clear(&path);
}

static void test_models(void **state) {
  (void)state;
  struct tally t = {0};
  compare_folder(FATHOM_SOURCE_DIR "/tests/models", (struct against_limit){200, 0.3}, &t);
  tell(&t, "tests/models");
  assert_true(t.models > 100 && t.refused < t.models / 10);
}

static void test_examples(void **state) {
  (void)state;
  struct tally t = {0};
  compare_folder(FATHOM_SOURCE_DIR "/examples/murphi", (struct against_limit){100, 1}, &t);
  compare_folder(FATHOM_SOURCE_DIR "/examples/promela", (struct against_limit){100, 1}, &t);
  compare_folder(FATHOM_SOURCE_DIR "/examples/smv", (struct against_limit){100, 1}, &t);
  tell(&t, "examples");
  assert_true(t.models > 10 && t.refused <= 2);
}

// --- random models ---

static void test_random(void **state) {
  (void)state;
  struct tally t = {0};
  const char *effort = getenv("FATHOM_TEST_EFFORT");
  uint64_t count = effort ? 200 * strtoull(effort, NULL, 10) : 200;
  for (uint64_t seed = 1; seed <= count; seed++) {
    struct diag d = {0};
    char name[40];
    struct ir_model *m = generate_model(seed, NULL, NULL);
    snprintf(name, sizeof name, "seed %" PRIu64, seed);
    if (ir_model_finish(m, &d)) compare(m, name, (struct against_limit){60, 0.1}, &t);
    ir_model_free(m);
    diag_clear(&d);
  }
  tell(&t, "random");
  assert_true(t.models >= count / 2 && t.refused < t.models / 4);
}

// --- models written for this ---

static void compare_text(const char *text, struct tally *t) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  compare(m, "test.ir", (struct against_limit){400, 100}, t);
  assert_int_equal(t->refused, 0);
  ir_model_free(m);
  diag_clear(&d);
}

static void test_loops(void **state) {
  (void)state;
  struct tally t = {0};
  compare_text("model \"loops\";\n"
               "type small : 0..5;\n"
               "var x : small; var y : small; var a : array [0..5] of small;\n"
               "function find(v : small) : int {\n"
               "  for i : int in x to y { if a[i] = v { return i; } }\n"
               "  if v > 3 { return 9; }\n"
               "}\n"
               "function twice(ref v : small) { v := v * 2; }\n"
               "function down(n : int) : int { if n <= 0 { return 0; } return 1 + down(n - 1); }\n"
               "start \"s\" choose (c : small) { clear x; y := c; clear a; a[c] := c; }\n"
               "rule \"set\" (v : small) choose (c : int in 1 to 5 by 2) when v != x\n"
               "{ a[x] := v; x := v; y := c; }\n"
               "rule \"find\" { x := find(y); }\n"
               "rule \"while\" { local k : small; k := y;\n"
               "  while a[k] != x limit 4 { if k = 5 { return; } k := k + 1; } y := k; }\n"
               "rule \"twice\" { call twice(a[y]); assert a[x] < 5; }\n"
               "rule \"down\" when down(x) = x { for i : int in y to x by 0 - 2 { a[i] := 1; } }\n"
               "rule \"switch\" { switch a[x] { case y, 6 / x { x := 0; } case 1 { y := 1; }\n"
               "  otherwise { a[0] := 2; } } }\n"
               "rule \"steps\" { for i : int in y to x by x - 3 { a[i] := 3; } }\n"
               "invariant \"i\" : exists i : int in x to y { 12 / a[i] > 4 };\n"
               "invariant \"c\" : (countof i : int in y to x { a[i] = 1 }) < 4;\n",
               &t);
  tell(&t, "loops");
  assert_true(t.faults > 0 && t.states > 100);
}

static void test_values(void **state) {
  (void)state;
  struct tally t = {0};
  compare_text("model \"values\";\n"
               "type E : enum {A, B, C} from 10; type U : union {E, 0..2};\n"
               "type R : record { u : U; n : 0..3; };\n"
               "var u : U; var w : u64; var b : u8; var s : i8!; var set : array [0..2] of R;\n"
               "start \"s\" { u := A; b := 250:u8; s := -120:i8!; }\n"
               "rule \"put\" (k : 0..2, v : U) choose (n : 0..3)\n"
               "{ set[k].u := v; set[k].n := n; sort set; }\n"
               "rule \"drop\" (k : 0..2) { undefine set[k]; sort set; }\n"
               "rule \"read\" { u := set[1].u; assume u != B; assume u != 1 & set[0] != set[1];\n"
               "  assert ismember(u, E) | set[1].n < 2; cover \"small\" when u = 0; }\n"
               "rule \"wrap\" { b := b + 3:u8; w := w - cast(b, u64); s := s - 7:i8!; }\n"
               "rule \"shift\" (k : 0..9) { b := b << k; w := w >> k; }\n"
               "cover \"small\";\n"
               "invariant \"w\" : w > 5:u64 | w = 0:u64;\n"
               "invariant \"set\" : isundefined(set[0].u) | set[0].u < set[2].u;\n",
               &t);
  tell(&t, "values");
  assert_true(t.faults > 0 && t.drops > 0 && t.states > 100);
}

// What cannot be said is refused by a sentence.
static void test_refused(void **state) {
  (void)state;
  static const char *const bodies[] = {"x := x * x * x;", "while x >= 0 limit 1000000 { y := x; }",
                                       "x := f(x);"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct text text = {0}, why = {0};
    struct diag d = {0};
    text_printf(&text,
                "model \"m\"; var x : int; var y : int;\n"
                "function f(n : int) : int { return f(n); }\n"
                "start \"s\" { x := 0; }\nrule \"r\" { %s }\n",
                bodies[i]);
    struct ir_model *m = ir_parse_model(source_from_text("m.ir", text.data, text.count), &d);
    assert_non_null(m);
    assert_null(relation_new(m, NULL, &why));
    assert_non_null(strstr(text_str(&why), "(rule \"r\")"));
    ir_model_free(m);
    diag_clear(&d);
    text_clear(&text);
    text_clear(&why);
  }
}

static bool never(void *context) {
  ++*(int *)context;
  return false;
}

static void test_interrupted(void **state) {
  (void)state;
  const char *text = "model \"m\"; var x : 0..9; start \"s\" { x := 0; }\n"
                     "rule \"r\" { for i : int in 1 to 9999 { x := (x + i) % 10; } }\n";
  struct diag d = {0};
  struct text why = {0};
  int asked = 0;
  struct ir_model *m = ir_parse_model(source_from_text("m.ir", text, strlen(text)), &d);
  assert_non_null(m);
  struct relation_config c = {.goes_on = never, .context = &asked};
  assert_null(relation_new(m, &c, &why));
  assert_int_equal(asked, 1);
  assert_non_null(strstr(text_str(&why), "interrupted"));
  ir_model_free(m);
  diag_clear(&d);
  text_clear(&why);
}

// Straight code, and assumptions in pieces that know nothing of each other.
static void test_shape(void **state) {
  (void)state;
  const char *text = "model \"m\"; var x : bool; var y : 0..3;\n"
                     "start \"s\" { x := false; y := 0; }\n"
                     "rule \"r\" choose (p : bool, q : 0..3) { local z : 0..3; z := y;\n"
                     "  assume p = x & q > z; assume q != 2; if x { y := q; } else { y := q; } }\n";
  struct diag d = {0};
  struct text why = {0}, out = {0};
  struct ir_model *m = ir_parse_model(source_from_text("m.ir", text, strlen(text)), &d);
  assert_non_null(m);
  struct relation *r = relation_new(m, NULL, &why);
  assert_non_null(r);
  relation_print(&out, r);
  assert_string_equal(text_str(&out), "start s\n  x := 0\n  y := 0\n"
                                      "rule r(p=false, q=0)\n"
                                      "  assume (x = choice0)\n"
                                      "  assume (y < choice1)\n"
                                      "  assume !(choice1 = 2)\n"
                                      "  y := choice1\n");
  text_clear(&out);
  relation_free(r);
  ir_model_free(m);
  diag_clear(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loops),    cmocka_unit_test(test_values),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_interrupted),
      cmocka_unit_test(test_shape),    cmocka_unit_test(test_models),
      cmocka_unit_test(test_examples), cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
