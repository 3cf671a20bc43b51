// SPDX-License-Identifier: Apache-2.0
// Expressions nested some hundred deep, which must be written in a moment and still mean the same;
// and arrays handed about until the stack of native code could run out.
#include "agree.h"

#include <string.h>
#include <time.h>

enum { DEEP = 80, DEEPEST = 300, TERMS = 500 };
#define SECONDS_MAX 10

// --- depth ---

// n times `open`, where # is the number of the time; middle; n times `close`.
static void nest(struct text *t, int n, const char *open, const char *middle, const char *close) {
  for (int i = 0; i < n; i++)
    for (const char *p = open; *p; p++) {
      if (*p == '#')
        text_printf(t, "%d", i);
      else
        text_char(t, *p);
    }
  text_add(t, middle);
  for (int i = 0; i < n; i++) text_add(t, close);
}

static const char *const HEAD =
    "model \"deep\"; var x : 0..1; var y : -9..1000; var z : i64; var w : i8; var a : array [0..3] "
    "of 0..1;\n"
    "function f(k : 0..1) : int { return k; }\n"
    "start \"s\" { clear x; clear y; clear z; clear w; clear a; }\n"
    "rule \"flip\" { x := 1 - x; a[y % 4] := x; }\n";

struct shape {
  const char *before, *open, *middle, *close, *after;
};
static const struct shape SHAPES[] = {
    {"rule \"r\" { y := ", "(", "x", " + x)", "; }"},
    {"rule \"r\" { y := ", "(x + ", "x", ")", "; }"},
    {"rule \"r\" { y := ", "(0 - ", "x", ")", "; }"},
    {"rule \"r\" { y := ", "-(", "x", ")", "; }"},
    {"rule \"r\" { z := ", "(", "z", " * z + cast(3, i64))", "; }"},
    {"rule \"r\" { w := ", "cast(", "y", " + 1, i8)", "; }"},
    {"rule \"r\" { y := ", "(", "y", " % (x + 7))", "; }"},
    {"rule \"r\" { y := ", "(7 / ", "(x + 1)", ")", "; }"},
    {"rule \"r\" { y := ", "(if x = 1 then ", "x", " else 0)", "; }"},
    {"rule \"r\" { y := ", "(if x = 1 then a[x] else ", "a[y]", ")", "; }"},
    {"rule \"r\" { y := ", "(if a[x] = 1 then 0 else ", "a[y]", " + 0)", "; }"},
    {"rule \"r\" { assert ", "(countof v# : 0..0 { ", "x = 1", " } = 1)", "; }"},
    {"rule \"r\" when ", "(x = 0 & ", "a[y] = 0", ")", " { y := 1; }"},
    {"rule \"r\" when ", "(x = 0 | ", "a[y] = 0", ")", " { y := 2; }"},
    {"rule \"r\" when ", "!(", "x = 0", ")", " { y := 3; }"},
    {"rule \"r\" when ", "(x = 0 -> ", "a[y] = 0", ")", " { y := 4; }"},
    {"invariant \"i\" : ", "forall v# : 0..0 { ", "a[y] = x", " }", ";"},
    {"invariant \"i\" : ", "exists v# : 0..0 { v# = 0 & ", "a[y] = x", " }", ";"},
    {"invariant \"i\" : ", "forall v# : 0..0 { exists w# : 0..0 { ", "a[y] = x", " } }", ";"},
    {"rule \"r\" { y := ", "a[", "x", "]", "; }"},
    {"rule \"r\" { y := ", "f(", "x", ")", "; }"},
};

// All shapes in one model, and two long sums.
static struct ir_model *deep_model(int n) {
  struct text t = {0};
  text_add(&t, HEAD);
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
    const struct shape *s = &SHAPES[i];
    text_add(&t, s->before);
    nest(&t, n, s->open, s->middle, s->close);
    text_printf(&t, "%s\n", s->after);
  }
  text_add(&t, "rule \"r\" { y := x");
  for (int i = 0; i < TERMS; i++) text_printf(&t, " + a[%d]", i % 4);
  text_add(&t, "; }\nrule \"r\" { y := a[x]");
  for (int i = 0; i < TERMS; i++) text_printf(&t, " + countof i : 0..0 { a[%d] = i }", i % 4);
  text_add(&t, "; }\n");
  struct ir_model *m = parse(text_str(&t));
  text_clear(&t);
  return m;
}

static void test_written_soon(void **state) {
  (void)state;
  struct ir_model *m = deep_model(DEEPEST);
  struct text code = {0};
  clock_t before = clock();
  sys_print_c(&code, m);
  assert_true((double)(clock() - before) / CLOCKS_PER_SEC < SECONDS_MAX);
  assert_true(code.count > 10000);
  text_clear(&code);
  ir_model_free(m);
}

static void test_deep(void **state) {
  (void)state;
  struct compare_count a = agree(deep_model(DEEP), 100);
  assert_true(a.states > 20 && a.faults > 20);
}

// --- stack ---

static const char *const LARGE =
    "model \"large\"; type t : array [0..7999] of bool; var a : t; var b : t; var x : 0..3;\n"
    "function f(q : t, k : bool) : t { local l : t; l := q; l[0] := k; l[7] := !k; return l; }\n"
    "function p(q : t, i : int) { a[i] := !q[i + 1]; }\n"
    "function is(q : t, r : t) : bool { return q[0] = r[1]; }\n"
    "start \"s\" { clear a; clear b; x := 0; }\n"
    "rule \"r\" when x < 3 { x := x + 1; ";

// Many statements need no more than the largest of them.
static void test_statements(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, LARGE);
  for (int i = 0; i < 20; i++)
    text_printf(&t,
                "a := f(a, %s); call p(if x > 1 then a else f(b, true), %d); assert is(a, b) | "
                "is(b, b);\n",
                i % 2 ? "true" : "false", i);
  text_add(&t, "}\nrule \"r\" when x = 3 & is(a, b) = is(b, f(a, false)) {");
  for (int i = 0; i < 20; i++) text_printf(&t, "if is(f(a, true), b) { b := f(a, a[%d]); } ", i);
  text_add(&t, " x := 0; }\ninvariant \"i\" : is(a, a)");
  for (int i = 0; i < 20; i++) text_add(&t, " & (is(f(a, true), b) | x < 4)");
  text_add(&t, ";\n");
  struct compare_count a = agree(parse(text_str(&t)), 10);
  assert_true(a.states > 3);
  text_clear(&t);
}

static bool is_refused(const char *text) {
  struct ir_model *m = parse(text);
  struct sys *s = sys_new(m, &(struct sys_config){.mode = SYS_NATIVE, .no_cache = true});
  bool refused = !s->native && s->note && strstr(s->note, "stack");
  sys_free(s);
  ir_model_free(m);
  return refused;
}

// One statement with more arrays than the stack holds is left to the interpreter.
static void test_too_large(void **state) {
  (void)state;
  struct text t = {0};
  text_printf(&t, "%sa := ", LARGE);
  nest(&t, 60, "f(", "a", ", true)");
  text_add(&t, "; }\n");
  assert_true(is_refused(text_str(&t)));
  text_clear(&t);
}

// Of a recursive function a thousand calls are open at once; of the others one.
static void test_recursion(void **state) {
  (void)state;
  static const char *const format =
      "model \"recursion\"; type t : array [0..%d] of bool; var a : t; var n : 0..9;\n"
      "function first(q : t) : bool { local l : array [0..19] of t; l[9] := q; return l[9][0]; }\n"
      "function count(k : int%s) : int { if k <= 0 { return 0; }\n"
      "  if first(a) { return count(k - 1%s); } return count(k - 1%s) + 1; }\n"
      "start \"s\" { clear a; n := 3; }\n"
      "rule \"r\" { a[n %% 10] := true; n := count(n%s); }\n"
      "rule \"r\" { n := count(998%s) %% 10; }\n"
      "rule \"r\" { n := count(1000%s); }\n"
      "rule \"r\" (k : 0..9) { n := k; a[k] := !a[k]; }\n";
  struct text t = {0};
  text_printf(&t, format, 99, "", "", "", "", "", "");
  struct compare_count a = agree(parse(text_str(&t)), 20);
  assert_true(a.faults > 5);
  text_clear(&t);
  text_printf(&t, format, 999, ", q : t", ", q", ", q", ", a", ", a", ", a");
  assert_true(is_refused(text_str(&t)));
  text_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_written_soon), cmocka_unit_test(test_deep),
      cmocka_unit_test(test_statements),   cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_recursion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
