// SPDX-License-Identifier: Apache-2.0
// What is an error and what is assumed, what cannot be carried, and what is to be checked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "execute.h"
#include "relation/relation.h"

#define HEAD                                                                                       \
  "#include <assert.h>\n#include <stdlib.h>\n"                                                     \
  "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"

// How a program ends that is given one input.
static void ends(const char *text, unsigned checks, int64_t input, const char *how) {
  struct run r;
  struct text t = {0};
  text_printf(&t, HEAD "%s\n", text);
  run_load(&r, text_str(&t), checks);
  run_inputs(&r, &input, 1);
  assert_string_equal(r.how, how);
  run_end(&r);
  text_clear(&t);
}

#define IN "int k = __VERIFIER_nondet_int();\n"

static void test_bounds(void **state) {
  (void)state;
  const char *array = "int a[4]; int main(void) { " IN "a[k] = 1;\nreturn a[3]; }";
  ends(array, C_CHECK_BOUNDS, 3, "end");
  ends(array, C_CHECK_BOUNDS, 4, "5: index out of range: a has 4 elements");
  ends(array, C_CHECK_BOUNDS, -1, "5: index out of range: a has 4 elements");
  ends(array, 0, 4, "dropped in main:4");
  const char *walk =
      "char s[3]; int main(void) { " IN "char *p = s; while (k--) *p++ = 1;\nreturn 0; }";
  ends(walk, C_CHECK_BOUNDS, 3, "end");
  ends(walk, C_CHECK_BOUNDS, 4, "5: index out of range: this is outside of \"s\"");
  const char *field = "struct { int a[2], b; } s; int main(void) { " IN "return s.a[k]; }";
  ends(field, C_CHECK_BOUNDS, 2, "5: index out of range: s.a has 2 elements");
}

static void test_numbers(void **state) {
  (void)state;
  const char *divide = "int main(void) { " IN "return 7 / k; }";
  ends(divide, C_CHECK_DIV, 0, "5: division by zero: the divisor is 0");
  ends(divide, 0, 0, "dropped in main:4");
  const char *add = "int main(void) { " IN "int n = 2;\nn += k; return n; }";
  ends(add, C_CHECK_OVERFLOW, 2147483647, "6: integer overflow: the sum does not fit into 32 bits");
  ends(add, C_CHECK_OVERFLOW, 2147483645, "end");
  ends(add, 0, 2147483647, "end");
  const char *shift = "int main(void) { " IN "return 1 << k; }";
  ends(shift, C_CHECK_OVERFLOW, 32,
       "5: integer overflow: this is shifted by all its bits, or more");
}

static void test_pointers(void **state) {
  (void)state;
  const char *list = "struct n { int v; struct n *next; } a, *p = &a; int main(void) { " IN
                     "while (k--) p = p->next;\nreturn 0; }";
  ends(list, C_CHECK_NULL, 1, "end");
  ends(list, C_CHECK_NULL, 2, "5: invalid pointer: a null pointer is followed");
  const char *heap = "int *p; int main(void) { " IN "p = malloc(8); p[1] = k; free(p);\n"
                     "if (k == 1) free(p);\nif (k == 2) k = p[1];\nif (k == 3) free(&k);\n"
                     "p = 0; free(p); return 0; }";
  ends(heap, C_CHECK_NULL, 0, "end");
  ends(heap, C_CHECK_NULL, 1, "6: invalid pointer: memory is freed twice");
  ends(heap, C_CHECK_NULL, 2, "7: invalid pointer: memory is used after it was freed");
  ends(heap, C_CHECK_NULL, 3, "8: invalid pointer: memory is freed that was not allocated");
  const char *local =
      "int *q; void f(void) { int x = 1; q = &x; }\nint main(void) { " IN "f();\nreturn *q; }";
  ends(local, C_CHECK_NULL, 0,
       "7: invalid pointer: \"f.x\" is used after its function has returned");
  const char *leak =
      "int main(void) { " IN "int *p = malloc(4);\n*p = 1; if (k) free(p); return 0; }";
  ends(leak, C_CHECK_LEAK, 1, "end");
  ends(leak, C_CHECK_LEAK, 0, "6: memory leak: memory allocated in line 5 is never freed");
}

static void test_unset(void **state) {
  (void)state;
  const char *scalar = "int main(void) { " IN "long x; if (k) x = 1;\nreturn x; }";
  ends(scalar, C_CHECK_UNINIT, 1, "end");
  ends(scalar, C_CHECK_UNINIT, 0, "6: read of undefined value: \"x\" is read before it is set");
  const char *copy = "struct s { int a, b; }; int main(void) { " IN
                     "struct s x, y; x.a = 1; y = x;\nreturn k ? y.a : y.b; }";
  ends(copy, C_CHECK_UNINIT, 1, "end");
  ends(copy, C_CHECK_UNINIT, 0, "6: read of undefined value: \"y\" is read before it is set");
}

static void test_assert(void **state) {
  (void)state;
  const char *text = "int main(void) { " IN "assert(k != 3 && \"odd\");\nreturn 0; }";
  ends(text, 0, 3, "5: assertion failed: k != 3 && \"odd\"");
  ends(text, 0, 2, "end");
}

// It is loaded with a warning, and a run that comes there says so.
static void unable(const char *text, int64_t input, uint32_t line, const char *what,
                   size_t warnings) {
  struct run r;
  struct text t = {0}, want = {0};
  text_printf(&t, HEAD "%s\n", text);
  run_load(&r, text_str(&t), 0);
  assert_int_equal(run_notes(&r, DIAG_WARNING), warnings);
  run_inputs(&r, &input, 1);
  text_printf(&want, "%u: not carried further: %s", line, what);
  assert_string_equal(r.how, text_str(&want));
  text_clear(&t);
  text_clear(&want);
  run_end(&r);
}

static void test_unable(void **state) {
  (void)state;
  unable("int main(void) { " IN "if (k) return 1;\nint *p = malloc(k); return *p; }", 0, 6,
         "memory of a size that is not fixed", 1);
  unable("int *p; int main(void) { for (;;) p = malloc(4);\n}", 0, 4,
         "more than 3 objects of one allocation", 0);
  unable("extern void f(int *); int main(void) { int x = 0;\nf(&x);\nreturn x; }", 0, 5,
         "a pointer handed to \"f\", which has no body", 1);
  unable("int main(void) { " IN "char *p = (char *)(long)k;\nreturn *p; }", 7, 5,
         "a number used as a pointer", 1);
}

// Every error of the symbolic model is one that we put there: what IR nodes themselves may say (of
// indices, divisors, ranges, undefined values) is excluded by what stands before them.
static void test_no_other_errors(void **state) {
  (void)state;
  struct run r;
  struct text why = {0};
  run_load(&r,
           HEAD "struct n { int v[2]; struct n *next; } a[3]; int m[2][3]; struct n *p = a;\n"
                "int main(void) { " IN "m[k][k - 1] = 7 / k; int *q = &m[1][k]; *q += q - m[1];\n"
                "for (int i = 0; i < k; i++) { p->next = &a[i]; p = p->next; p->v[1] <<= i; }\n"
                "unsigned long u = k; u = u / (u - 3) + u % 7; if (u == 5) reach_error();\n"
                "struct n *h = malloc(sizeof *h); *h = *p; free(h); return h == p; }\n",
           0);
  struct relation *x = relation_new(r.m, &(struct relation_config){0}, &why);
  assert_string_equal(text_str(&why), "");
  for (size_t i = 0; i < x->rules.count; i++)
    for (size_t k = 0; k < x->rules.data[i].errors.count; k++) {
      const struct ir_site *s = &r.m->sites.data[x->rules.data[i].errors.data[k].site];
      assert_string_equal(s->message ? s->message : "none", "reach_error() is called");
    }
  relation_free(x);
  run_end(&r);
}

static void test_lists(void **state) {
  (void)state;
  unsigned c = 0;
  struct text why = {0};
  assert_true(c_check_list("bounds, div", &c, &why));
  assert_int_equal(c, C_CHECK_BOUNDS | C_CHECK_DIV);
  assert_true(c_check_list("all", &c, &why));
  assert_int_equal(c, 63);
  assert_false(c_check_list("bonds", &c, &why));
  assert_string_equal(text_str(&why), "there is no check \"bonds\"; did you mean \"bounds\"?");
  text_clear(&why);
  c = 0;
  assert_true(c_property_file("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", &c, &why));
  assert_int_equal(c, 0);
  assert_true(c_property_file("CHECK( init(main()), LTL(G valid-free) )\n\n"
                              "CHECK( init(main()), LTL(G valid-deref) )\n"
                              "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
                              &c, &why));
  assert_int_equal(c, C_CHECK_NULL | C_CHECK_BOUNDS | C_CHECK_LEAK);
  assert_true(c_property_file("CHECK( init(main()), LTL(G ! overflow) )", &c, &why));
  assert_true(c & C_CHECK_OVERFLOW);
  assert_false(c_property_file("CHECK( init(main()), LTL(F end) )", &c, &why));
  assert_false(c_property_file("CHECK( init(main()), LTL(G ! data-race) )", &c, &why));
  // What is still pointed to at the end is tracked, and need not be freed: that is not told apart.
  assert_false(c_property_file("CHECK( init(main()), LTL(G valid-memtrack) )", &c, &why));
  assert_false(c_property_file("\n", &c, &why));
  text_clear(&why);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),   cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_pointers), cmocka_unit_test(test_unset),
      cmocka_unit_test(test_assert),   cmocka_unit_test(test_unable),
      cmocka_unit_test(test_lists),    cmocka_unit_test(test_no_other_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
