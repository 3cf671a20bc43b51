// SPDX-License-Identifier: Apache-2.0
// Tidying up: programs still do what they did, and what was to go is gone.
#include "interpret.h"
#include "load.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// --- odd/*.c: lines of comment at the beginning say what comes out ---

static void print_outputs(struct text *out, const struct c_program *p, int64_t input) {
  struct machine m;
  machine_run(&m, p, &input, 1);
  text_printf(out, "// %" PRId64 ":", input);
  for (size_t i = 0; i < m.output_count; i++) text_printf(out, " %" PRId64, m.outputs[i]);
  if (m.ending != RETURNED) text_printf(out, " (ending %d)", (int)m.ending);
  machine_clear(&m);
}

static void assert_file(const char *name) {
  struct text path = {0};
  const char *why;
  text_printf(&path, "%s/tests/unit/c/odd/%s", FATHOM_SOURCE_DIR, name);
  struct source *s = source_read(path.data, &why);
  assert_non_null(s);
  struct loaded l;
  load(&l, s->text, TIDY);
  assert_true(l.ok);
  int lines = 0;
  for (const char *p = strchr(s->text, '\n'); p && strncmp(p, "\n//", 3) == 0;
       p = strchr(p, '\n')) {
    char *end;
    int64_t input = strtoll(p + 3, &end, 10);
    size_t length = strcspn(++p, "\n");
    if (*end != ':') continue;
    struct text out = {0}, expected = {0};
    text_add_n(&expected, p, length);
    print_outputs(&out, &l.p, input);
    assert_string_equal(text_str(&out), text_str(&expected));
    text_clear(&out);
    text_clear(&expected);
    lines++;
  }
  assert_true(lines > 0);
  unload(&l);
  source_free(s);
  text_clear(&path);
}

static void test_control(void **state) { (void)state, assert_file("control.c"); }
static void test_struct(void **state) { (void)state, assert_file("struct.c"); }
static void test_mixed(void **state) { (void)state, assert_file("mixed.c"); }
static void test_bits(void **state) { (void)state, assert_file("bits.c"); }
static void test_view(void **state) { (void)state, assert_file("view.c"); }

// --- what comes out, as text ---

static void assert_text(const char *program, const char *expected) {
  struct loaded l;
  struct text out = {0};
  load(&l, program, TIDY);
  assert_true(l.ok);
  c_program_print(&out, &l.p);
  assert_string_equal(text_str(&out), expected);
  text_clear(&out);
  unload(&l);
}

static void test_parameters(void **state) {
  (void)state;
  assert_text("int __VERIFIER_nondet_int(void);\n"
              "void set(int *p, int v) { if (v > 3) *p = v; }\n"
              "int main(void) { int x = 0; set(&x, __VERIFIER_nondet_int()); return x; }\n",
              "object 0 x: i32 plain ; line 3\n"
              "object 1 set.v: i32 plain ; line 2\n"
              "function main: i32\n"
              "  block 0 entry\n"
              "    store 0, &x#0 ; 3:22\n"
              "    %0 = call i32 \"__VERIFIER_nondet_int\" ; 3:37\n"
              "    store %0, &set.v#1\n"
              "    %3 = sgt i1 %0, 3 ; 2:33\n"
              "    branch %3 -> 1, 2 ; 2:31\n"
              "  block 1 if.then\n"
              "    %4 = load i32 &set.v#1 ; 2:43\n"
              "    store %4, &x#0 ; 2:41\n"
              "    jump -> 2 ; 2:38\n"
              "  block 2 if.end\n"
              "    %1 = load i32 &x#0 ; 3:70\n"
              "    return %1 ; 3:63\n");
}

// A struct handed over and back in integers is its fields.
static void test_by_value(void **state) {
  (void)state;
  struct loaded l;
  load(
      &l,
      "struct p { int x, y, z; }; int __VERIFIER_nondet_int(void);\n"
      "struct p turn(struct p a) { struct p b = {a.y, a.z, a.x}; return b; }\n"
      "int main(void) { struct p q = {1, 2, __VERIFIER_nondet_int()}; q = turn(q); return q.y; }\n",
      TIDY);
  static const enum c_op gone[] = {C_BITCAST, C_TRUNC, C_ZEXT, C_SHL,    C_LSHR,
                                   C_AND,     C_OR,    C_PART, C_MEMCPY, C_UNABLE};
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
    assert_int_equal(count_of(&l.p, "main", gone[i]), 0);
  assert_int_equal(l.p.objects.count, 3);
  unload(&l);
}

// One used after its function has returned keeps the mark that it is gone.
static void test_dead(void **state) {
  (void)state;
  struct loaded l;
  load(&l,
       "int *f(int a) { int x = a; return &x; }\n"
       "int main(void) { int y = 3; int *p = &y, *q = f(2); return *q + *p; }\n",
       TIDY);
  assert_false(object_of(&l.p, "f.x")->plain);
  assert_true(object_of(&l.p, "y")->plain);
  assert_int_equal(count_of(&l.p, "main", C_LEAVE), 1);
  unload(&l);
}

// A variable in a loop begins anew each time round; one that goto leads past lives before, too.
static void test_lives(void **state) {
  (void)state;
  struct loaded l;
  load(&l,
       "int __VERIFIER_nondet_int(void);\n"
       "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int t; if (i) t = 1; s += t; }\n"
       "  if (__VERIFIER_nondet_int()) goto in; { int u; in: u = u + s; return u; } }\n",
       TIDY);
  assert_int_equal(count_of(&l.p, "main", C_ENTER), 3);
  unload(&l);
}

static void test_constants(void **state) {
  (void)state;
  assert_text("int main(void) { unsigned char c = 250; c += 10; int s = -7; s >>= 1;\n"
              "  if (c == 4 && s == -4 && (unsigned)s > 5) return 1 << 4; return 0; }\n",
              "object 0 c: i8 unsigned plain ; line 1\n"
              "object 1 s: i32 plain ; line 1\n"
              "function main: i32\n"
              "  block 0 entry\n"
              "    store -6, &c#0 ; 1:32\n"
              "    store 4, &c#0 ; 1:43\n"
              "    store -7, &s#1 ; 1:54\n"
              "    store -4, &s#1 ; 1:64\n"
              "    return 16 ; 2:70\n");
}

// Globals that nobody writes are constants, and so is what is loaded from them; not others.
static void test_unwritten(void **state) {
  (void)state;
  assert_text("static int twice(int x) { return 2 * x; } static int other = 4;\n"
              "struct op { int (*f)(int); const char *name; } op = {twice, \"ab\"};\n"
              "int n = 5, *p = &other;\n"
              "int main(int argc, char **argv) { *p = 1; return op.f(n) + op.name[1] + other; }\n",
              "object 0 other: i32 global plain = 4 ; line 1\n"
              "object 1 twice.x: i32 plain ; line 1\n"
              "function main: i32 of i32, i8**\n"
              "  block 0 entry\n"
              "    store 1, &other#0 ; 4:38\n"
              "    store 5, &twice.x#1\n"
              "    return 109 ; 4:43\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_control),    cmocka_unit_test(test_struct),
      cmocka_unit_test(test_mixed),      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_view),       cmocka_unit_test(test_unwritten),
      cmocka_unit_test(test_parameters), cmocka_unit_test(test_by_value),
      cmocka_unit_test(test_dead),       cmocka_unit_test(test_lives),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
