// SPDX-License-Identifier: Apache-2.0
// Programs as models: what they compute, and what the models are made of. Whole random programs are
// in tests/random/c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "execute.h"

#define HEAD                                                                                       \
  "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n"        \
  "extern long __VERIFIER_nondet_long(void); extern unsigned long "                                \
  "__VERIFIER_nondet_ulong(void);\n"                                                               \
  "extern _Bool __VERIFIER_nondet_bool(void); extern char __VERIFIER_nondet_char(void);\n"         \
  "extern void reach_error(void); extern void __VERIFIER_assume(int); extern void abort(void);\n"  \
  "extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);\n"       \
  "extern void free(void *); long out;\n"

// `out` after the run of a program whose main is this.
static int64_t out_of(const char *main, int64_t input) {
  struct run r;
  struct text t = {0};
  text_printf(&t, HEAD "%s\n", main);
  run_load(&r, text_str(&t), 0);
  run_inputs(&r, &input, 1);
  assert_string_equal(r.how, "end");
  int64_t v = run_value(&r, "out");
  run_end(&r);
  text_clear(&t);
  return v;
}

static int64_t compute(const char *expression, int64_t input) {
  struct text t = {0};
  text_printf(&t, "int main(void) { long x = __VERIFIER_nondet_long(); out = %s; return 0; }",
              expression);
  int64_t v = out_of(text_str(&t), input);
  text_clear(&t);
  return v;
}

static void test_arithmetic(void **state) {
  (void)state;
  assert_int_equal(compute("(int)x + 1", 2147483647), -2147483648);
  assert_int_equal(compute("(unsigned)x + 1", 4294967295), 0);
  assert_int_equal(compute("(unsigned char)x * 2", 200), 400);
  assert_int_equal(compute("(char)((char)x + 1)", 127), -128);
  assert_int_equal(compute("(int)x >> 1", -5), -3);
  assert_int_equal(compute("(unsigned)x >> 1", -5), 2147483645);
  assert_int_equal(compute("x / 3", -7), -2);
  assert_int_equal(compute("x % 3", -7), -1);
  assert_int_equal(compute("(unsigned long)x / 3", -7), 6148914691236517203);
  assert_int_equal(compute("(unsigned long)x % 10", -1), 5);
  assert_int_equal(compute("(unsigned long)x / (unsigned long)(x - 1)", -1), 1);
  assert_int_equal(compute("(unsigned long)x % (unsigned long)(x - 1)", -1), 1);
  assert_int_equal(compute("(unsigned long)(x + 9) / (unsigned long)x", -1), 0);
  assert_int_equal(compute("(int)x < (unsigned)1", -1), 0);
  assert_int_equal(compute("(short)x", 98304), -32768);
  assert_int_equal(compute("(_Bool)x + (_Bool)(x - 2)", 2), 1);
  assert_int_equal(compute("x > 1 && x < 5 ? ~x : -x", 3), -4);
  assert_int_equal(compute("(x << 62) ^ (x | 5)", 3), (int64_t)((UINT64_C(3) << 62) ^ 7));
}

static void test_control(void **state) {
  (void)state;
  assert_int_equal(out_of("int main(void) { int n = __VERIFIER_nondet_int();\n"
                          "for (int i = 0; i < n; i++) { if (i == 3) continue; out += i; }\n"
                          "do out *= 2; while (out < 50); return 0; }",
                          6),
                   96);
  const char *jumps =
      "int main(void) { int n = __VERIFIER_nondet_int();\n"
      "switch (n) { case 1: case 2: out = 10; case 3: out++; break;\n"
      "default: if (n > 9) goto far; out = 7; }\nreturn 0;\nfar: out = 99; return 0; }";
  assert_int_equal(out_of(jumps, 2), 11);
  assert_int_equal(out_of(jumps, 3), 1);
  assert_int_equal(out_of(jumps, 4), 7);
  assert_int_equal(out_of(jumps, 10), 99);
  const char *calls = "static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                      "int main(void) { out = f(__VERIFIER_nondet_int()); return 0; }";
  assert_int_equal(out_of(calls, 5), 5);
}

static void test_memory(void **state) {
  (void)state;
  assert_int_equal(
      out_of("struct s { char a; int b[3]; struct s *next; } u, v[2] = {{1, {2, 3}}};\n"
             "int main(void) { int i = __VERIFIER_nondet_int(); u = v[0]; u.next = &v[1];\n"
             "u.next->b[i] = u.b[i] + 5; struct s *p = u.next, w = *p;\n"
             "out = w.b[i] * 10 + u.a + (p - v); return 0; }",
             1),
      82);
  assert_int_equal(out_of("int a[6] = {1, 2, 3, 4, 5, 6}; static long sum(int *p, int *e) {\n"
                          "long s = 0; while (p != e) s = s * 10 + *p++; return s; }\n"
                          "int main(void) { int n = __VERIFIER_nondet_int();\n"
                          "out = sum(a + n, a + 4) + sum(&a[4], &a[6]); return 0; }",
                          2),
                   34 + 56);
  assert_int_equal(
      out_of("struct n { int v; struct n *next; };\n"
             "int main(void) { struct n *list = 0; int k = __VERIFIER_nondet_int();\n"
             "for (int i = 0; i < k; i++) { struct n *p = malloc(sizeof *p);\n"
             "p->v = i + 1; p->next = list; list = p; }\n"
             "while (list) { struct n *p = list; out = out * 10 + p->v; list = p->next;\n"
             "free(p); } return 0; }",
             3),
      321);
  assert_int_equal(
      out_of("int main(void) { int k = __VERIFIER_nondet_int(), m[2][3] = {{1}, {4, 5, 6}};\n"
             "int (*row)[3] = &m[k]; int *c = calloc(4, sizeof *c); c[k] = (*row)[2];\n"
             "out = c[0] + c[1] + c[3]; return 0; }",
             1),
      6);
}

// Arrays of no elements, structures of no fields: GNU's, and the last of a structure.
static void test_empty(void **state) {
  (void)state;
  assert_int_equal(
      out_of("struct e {}; struct m { struct e e; int a[0], n; char d[]; } x, y;\n"
             "int main(void) { x.n = __VERIFIER_nondet_int(); y = x; struct e k = y.e;\n"
             "out = y.n; return 0; }",
             4),
      4);
}

static void test_inputs(void **state) {
  (void)state;
  struct run r;
  run_load(
      &r,
      HEAD
      "int main(void) { char c = __VERIFIER_nondet_char(); _Bool b = __VERIFIER_nondet_bool();\n"
      "unsigned long u = __VERIFIER_nondet_ulong(); out = u + b;\n"
      "if (c == 'x') reach_error(); return 0; }\n",
      0);
  const struct ir_rule *first = r.m->rules.data[0];
  assert_int_equal(first->choice_count, 3);
  assert_string_equal(first->frame.locals[0]->name, "c");
  assert_string_equal(first->frame.locals[0]->input, "__VERIFIER_nondet_char");
  assert_int_equal(first->frame.locals[0]->type->lo, -128);
  assert_int_equal(first->frame.locals[1]->type->kind, IR_TYPE_BOOL);
  assert_string_equal(first->frame.locals[2]->name, "u");
  assert_false(first->frame.locals[2]->type->is_signed);
  run_inputs(&r, (int64_t[]){'x', 1, 4}, 3);
  assert_string_equal(r.how, "9: error statement reached: reach_error() is called");
  assert_int_equal(run_value(&r, "out"), 5);
  run_inputs(&r, (int64_t[]){'y', 1, 4}, 3);
  assert_string_equal(r.how, "end");
  run_end(&r);
}

// Locations are named by lines, the lines of a block are told, the error has a block of its own.
static void test_shape(void **state) {
  (void)state;
  struct run r;
  run_load(
      &r,
      "extern void reach_error(void); extern int in(void);\nint main(void) {\n  int i = in();\n"
      "  while (i < 3)\n    i++;\n  i = 4;\n  reach_error();\n}\n",
      0);
  assert_string_equal(r.m->language, "c");
  assert_int_equal(r.m->deadlock, IR_DEADLOCK_OFF);
  const struct ir_var *pc = r.m->vars.data[0];
  assert_true(pc->is_location);
  assert_string_equal(pc->type->members[0], "3: entry");
  assert_string_equal(pc->type->members[pc->type->hi], "end");
  assert_string_equal(r.m->rules.data[0]->name, "main:3");
  assert_string_equal(r.m->rules.data[0]->lines[0].text, "int i = in();");
  const struct ir_rule *last = r.m->rules.data[r.m->rules.count - 1];
  assert_int_equal(last->body->kind, IR_ASSERT);
  assert_int_equal(last->span.line, 7);
  assert_int_equal(run_notes(&r, DIAG_WARNING), 1); // of in
  run_inputs(&r, NULL, 0);
  assert_int_equal(run_value(&r, "i"), 4);
  run_end(&r);
}

// Variables keep their names and types; those of functions that are inlined again are told apart.
static void test_names(void **state) {
  (void)state;
  struct run r;
  run_load(&r,
           HEAD
           "struct p { unsigned char x; int y; } g[2];\n"
           "static int f(int n) { int k = __VERIFIER_nondet_int(); while (k > n) k--; return k; }\n"
           "int main(void) { unsigned n = f(1) + f(2); g[n & 1].x = 3; out = n; return 0; }\n",
           0);
  assert_non_null(run_var(&r, "f.k"));
  assert_non_null(run_var(&r, "f.k#2"));
  assert_non_null(run_var(&r, "n"));
  struct text t = {0};
  ir_leaf_name(&t, r.m, run_var(&r, "g")->first_leaf + 3);
  assert_string_equal(text_str(&t), "g[1].y");
  text_clear(&t);
  run_end(&r);
}

static void test_end(void **state) {
  (void)state;
  struct run r;
  run_load(&r,
           HEAD "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2);\n"
                "if (x == 5) abort(); out = x; return 0; }\n",
           0);
  run_inputs(&r, (int64_t[]){1}, 1);
  assert_string_equal(r.how, "dropped in main:7");
  run_inputs(&r, (int64_t[]){5}, 1);
  assert_string_equal(r.how, "end");
  assert_int_equal(run_value(&r, "out"), 0);
  run_inputs(&r, (int64_t[]){6}, 1);
  assert_int_equal(run_value(&r, "out"), 6);
  run_end(&r);
}

// What is read before it is set is any value: a choice. What is always set before needs none.
static void test_unset(void **state) {
  (void)state;
  struct run r;
  run_load(&r,
           HEAD "int main(void) { int x, y, z[2]; if (__VERIFIER_nondet_int()) x = 1; y = 2;\n"
                "z[1] = 3; out = x + y + z[0]; return 0; }\n",
           0);
  uint32_t unset = 0, all = 0;
  for (size_t i = 0; i < r.m->rules.count; i++)
    for (uint32_t k = 0; k < r.m->rules.data[i]->choice_count; k++, all++)
      unset += !r.m->rules.data[i]->frame.locals[k]->input;
  assert_int_equal(unset, 3);
  assert_int_equal(all, 4);
  run_end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_control),
      cmocka_unit_test(test_memory),     cmocka_unit_test(test_inputs),
      cmocka_unit_test(test_empty),      cmocka_unit_test(test_shape),
      cmocka_unit_test(test_names),      cmocka_unit_test(test_end),
      cmocka_unit_test(test_unset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
