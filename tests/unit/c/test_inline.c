// SPDX-License-Identifier: Apache-2.0
// Inlining: calls in their places, recursion to a bound, calls through pointers.
#include "interpret.h"
#include "load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_run(const char *text, uint32_t recursion, int64_t input, enum ending ending,
                       int64_t result) {
  for (enum stage stage = INLINED; stage <= TIDY; stage++) {
    struct loaded l;
    struct machine m;
    load_with(&l, text, stage, &(struct c_config){.recursion = recursion});
    assert_true(l.ok);
    machine_run(&m, &l.p, &input, 1);
    assert_int_equal(m.ending, ending);
    if (ending == RETURNED) assert_int_equal(m.result, result);
    machine_clear(&m);
    unload(&l);
  }
}

#define INPUT "int __VERIFIER_nondet_int(void);\n"

static void test_recursion(void **state) {
  (void)state;
  static const char text[] = INPUT "int f(int n) { return n == 0 ? 1 : n * f(n - 1); }\n"
                                   "int main(void) { return f(__VERIFIER_nondet_int()); }\n";
  assert_run(text, 4, 0, RETURNED, 1);
  assert_run(text, 4, 4, RETURNED, 24);
  assert_run(text, 4, 5, BEYOND, 0);
  assert_run(text, 5, 5, RETURNED, 120);
}

static void test_mutual(void **state) {
  (void)state;
  static const char text[] = INPUT "int odd(int n);\n"
                                   "int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
                                   "int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
                                   "int main(void) { return even(__VERIFIER_nondet_int()); }\n";
  assert_run(text, 2, 5, RETURNED, 0);
  assert_run(text, 2, 6, BEYOND, 0);
}

// Locals are objects of their own each time.
static void test_locals(void **state) {
  (void)state;
  assert_run(INPUT "int f(int n) { int x = n; int *p = &x; if (n) f(n - 1); return *p; }\n"
                   "int main(void) { return f(__VERIFIER_nondet_int()) * 10 + f(2); }\n",
             8, 5, RETURNED, 52);
}

static void test_pointers(void **state) {
  (void)state;
  static const char text[] =
      INPUT "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }\n"
            "int other(int a) { return a; }\n"
            "int (*table[])(int, int) = {add, sub, 0};\n"
            "int main(void) { int k = __VERIFIER_nondet_int(); int (*g)(int) = other;\n"
            "  return table[k](7, 3) + g(1); }\n";
  assert_run(text, 1, 0, RETURNED, 11);
  assert_run(text, 1, 1, RETURNED, 5);
  assert_run(text, 1, 2, UNABLE, 0);
}

static void test_known(void **state) {
  (void)state;
  struct loaded l;
  load(&l,
       "void abort(void); void reach_error(void) { abort(); }\n"
       "int __VERIFIER_nondet_int(void) { return 4; }\n"
       "int main(void) { if (__VERIFIER_nondet_int()) reach_error(); return 0; }\n",
       INLINED);
  assert_true(l.ok);
  assert_int_equal(count_of(&l.p, "main", C_CALL), 2);
  for (size_t i = 0; i < l.p.functions.count; i++)
    assert_int_equal(l.p.functions.data[i].has_body, i == l.p.main);
  unload(&l);
}

// Arguments of functions without a prototype are not what these take.
static void test_prototypes(void **state) {
  (void)state;
  assert_run(
      "int f(); int main(void) { return f(3, 4); } int f(a, b) int a; char b; { return a * b; }", 1,
      0, RETURNED, 12);
  assert_run("int f(int a, ...) { return a; } int main(void) { return f(3, 4, 5); }", 1, 0,
             RETURNED, 3);
}

static void test_size(void **state) {
  (void)state;
  struct loaded l;
  struct text text = {0};
  text_add(&text, "int g; void f0(void) { g++; }\n");
  for (int i = 1; i < 8; i++)
    text_printf(&text, "void f%d(void) { f%d(); f%d(); f%d(); f%d(); f%d(); f%d(); }\n", i, i - 1,
                i - 1, i - 1, i - 1, i - 1, i - 1);
  text_add(&text, "int main(void) { f7(); return 0; }\n");
  load(&l, text_str(&text), INLINED);
  assert_false(l.ok);
  assert_int_equal(l.d.errors, 1);
  unload(&l);
  text_clear(&text);
}

// Of recursion that branches, less is followed.
static void test_branching(void **state) {
  (void)state;
  struct loaded l;
  load(&l,
       "int f(int n) { return n < 3 ? 1 : f(n - 1) + f(n - 2) + f(n - 3) + f(n - 4) + f(n - 5); }\n"
       "int main(void) { return f(9); }\n",
       INLINED);
  assert_true(l.ok);
  assert_int_equal(l.d.warnings, 1);
  unload(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recursion), cmocka_unit_test(test_mutual),
      cmocka_unit_test(test_locals),    cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_known),     cmocka_unit_test(test_prototypes),
      cmocka_unit_test(test_size),      cmocka_unit_test(test_branching),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
