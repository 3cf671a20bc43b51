// SPDX-License-Identifier: Apache-2.0
// The ground floor: memory boundary, vectors, text, diagnostics, what parsers expected, children,
// random numbers, near names.
#include "base/base.h"
#include "base/child.h"
#include "base/expected.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void test_boundary(void **unused) {
  struct mem_boundary outer, inner;
  int reached = 0;
  if (mem_boundary_enter(&outer)) fail_msg("the outer boundary was reached");
  if (mem_boundary_enter(&inner)) {
    reached = 1;
  } else {
    mem_exhausted(1);
  }
  assert_int_equal(reached, 1);
  mem_boundary_leave(&outer);
  (void)unused;
}

static void test_vector_and_arena(void **unused) {
  VEC(int) v = {0};
  for (int i = 0; i < 1000; i++) VEC_PUSH(&v, i);
  for (int i = 0; i < 1000; i++) assert_int_equal(v.data[i], i);
  assert_int_equal(VEC_POP(&v), 999);
  VEC_CLEAR(&v);
  struct arena *a = arena_new();
  char *s = arena_printf(a, "%s-%d", "x", 7);
  char *big = arena_alloc(a, 1 << 20);
  assert_int_equal(big[(1 << 20) - 1], 0);
  assert_string_equal(s, "x-7");
  assert_int_equal((uintptr_t)big % 16, 0);
  arena_free(a);
  (void)unused;
}

static void test_words(void **unused) {
  uint64_t a[12], b[12];
  for (size_t words = 1; words <= 12; words++)
    for (size_t i = 0; i < words; i++) {
      for (size_t k = 0; k < 12; k++) a[k] = 7 * k;
      words_copy(b, a, words);
      assert_true(words_same(a, b, words));
      b[i] ^= UINT64_C(1) << 63;
      assert_false(words_same(a, b, words));
    }
  const uint64_t numbers[][2] = {{3, 0}, {5, 0}, {5, 0}, {9, 0}};
  assert_int_equal(words_last(numbers[0], 0, 2, 5), 0);
  assert_int_equal(words_last(numbers[0], 4, 2, 2), 0);
  assert_int_equal(words_last(numbers[0], 4, 2, 4), 0);
  assert_int_equal(words_last(numbers[0], 4, 2, 5), 2);
  assert_int_equal(words_last(numbers[0], 4, 2, 8), 2);
  assert_int_equal(words_last(numbers[0], 4, 2, 100), 3);
  (void)unused;
}

static char *printed(const struct diag *d) {
  char *data = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&data, &n);
  diag_print(d, f, false);
  fclose(f);
  return data;
}

static void test_diagnostics(void **unused) {
  struct source *s = source_from_text("m.m", "one\ntwo three\n", 14);
  struct diag d = {0};
  struct span late = {s, 2, 5, 2, 10}, early = {s, 1, 1, 1, 4};
  diag_error(&d, late, "bad %s", "three");
  diag_add(&d, DIAG_NOTE, early, "see here");
  diag_error(&d, early, "bad one");
  assert_int_equal(d.errors, 2);
  char *text = printed(&d);
  assert_string_equal(text, "m.m:1:1: error: bad one\n  one\n  ^~~\n"
                            "m.m:2:5: error: bad three\n  two three\n      ^~~~~\n"
                            "m.m:1:1: note: see here\n  one\n  ^~~\n");
  free(text);
  diag_clear(&d);
  source_free(s);
  (void)unused;
}

static void test_diagnostics_bounded(void **unused) {
  struct source *s = source_from_text("m.m", "\x01\xff", 2);
  struct diag d = {0};
  for (int i = 0; i < 1000; i++) diag_error(&d, ((struct span){s, 9, 9, 9, 9}), "no such line");
  assert_int_equal(d.errors, 1000);
  assert_true(d.count < 100);
  char *text = printed(&d);
  assert_non_null(strstr(text, "more errors not shown"));
  free(text);
  diag_clear(&d);
  source_free(s);
  (void)unused;
}

static void test_source_errors(void **unused) {
  const char *why = NULL;
  assert_null(source_read("/", &why));
  assert_string_equal(why, "it is a directory");
  assert_null(source_read("/no/such/file", &why));
  assert_non_null(why);
  (void)unused;
}

static void test_random_numbers(void **unused) {
  struct rng a, b;
  rng_init(&a, 7);
  rng_init(&b, 7);
  uint64_t seen = 0;
  for (int i = 0; i < 1000; i++) {
    uint64_t x = rng_below(&a, 10);
    assert_true(x < 10 && x == rng_below(&b, 10));
    seen |= UINT64_C(1) << x;
  }
  assert_int_equal(seen, 1023);
  (void)unused;
}

static void test_near_names(void **unused) {
  static const char *const names[] = {"depth", "deadlock", "seed"};
  assert_string_equal(name_nearest("dpeth", names, 3), "depth");
  assert_string_equal(name_nearest("Deadlok", names, 3), "deadlock");
  assert_null(name_nearest("zebra", names, 3));
  (void)unused;
}

static void test_readable(void **unused) {
  struct diag d = {0};
  struct source *good = source_from_text("a",
                                         "\xef\xbb\xbf"
                                         "a\r\nb\rc",
                                         9);
  assert_true(source_readable(good, "file", "a model", &d));
  assert_string_equal(good->text, "a\nb\nc");
  assert_int_equal(good->bytes, 5);
  struct source *blank = source_from_text("b", " \r\n", 3),
                *nul = source_from_text("c", "x\ny\0z", 5);
  assert_false(source_readable(blank, "file", "a model", &d));
  assert_string_equal(d.entries[0].message, "the file is empty; expected a model");
  assert_false(source_readable(nul, "text", "an expression", &d));
  assert_string_equal(d.entries[1].message, "the text holds a NUL byte; expected an expression");
  assert_int_equal(d.entries[1].span.line, 2);
  assert_int_equal(d.entries[1].span.column, 2);
  source_free(good);
  source_free(blank);
  source_free(nul);
  diag_clear(&d);
  (void)unused;
}

static const char *letter(const void *context, int kind) {
  static const char *const names[] = {"the end", "a name", "a number", "';'", "'+'", "'if'"};
  (void)context;
  return names[kind];
}

static void test_expected(void **unused) {
  static const struct expected_group groups[] = {{"an expression", {1, 2}, "", {1, 2}},
                                                 {NULL, {4, 4}, "+", {0}}};
  const struct expected e = {groups, 2, letter, NULL};
  int all[] = {0, 1, 2, 3, 4, 5}, some[] = {1, 3}, none[] = {4};
  struct text t = {0};
  expected_say(&e, &t, all, 6);
  text_add(&t, "|");
  expected_say(&e, &t, some, 2);
  text_add(&t, "|");
  expected_say(&e, &t, none, 1);
  assert_string_equal(text_str(&t),
                      "an expression, the end, ';' or 'if'|a name or ';'|something else");
  text_clear(&t);
  (void)unused;
}

static void test_child(void **unused) {
  char *pwd[] = {"pwd", NULL}, line[16] = {0};
  FILE *out = tmpfile();
  int status = -1;
  struct child c = {
      .program = "pwd", .argv = pwd, .in = -1, .out = fileno(out), .err = -1, .folder = "/"};
  pid_t pid = child_start(&c);
  assert_true(pid > 0);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  rewind(out);
  assert_non_null(fgets(line, sizeof line, out));
  assert_string_equal(line, "/\n");
  c.program = "/no/such/program";
  assert_int_equal(child_start(&c), -1);
  assert_int_equal(errno, ENOENT);
  fclose(out);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_boundary),      cmocka_unit_test(test_vector_and_arena),
      cmocka_unit_test(test_diagnostics),   cmocka_unit_test(test_diagnostics_bounded),
      cmocka_unit_test(test_source_errors), cmocka_unit_test(test_random_numbers),
      cmocka_unit_test(test_near_names),    cmocka_unit_test(test_readable),
      cmocka_unit_test(test_expected),      cmocka_unit_test(test_child),
      cmocka_unit_test(test_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
