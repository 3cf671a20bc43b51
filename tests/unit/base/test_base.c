// SPDX-License-Identifier: Apache-2.0
// The ground floor: memory boundary, vectors, text, diagnostics, random numbers, near names.
#include "base/base.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_boundary),      cmocka_unit_test(test_vector_and_arena),
      cmocka_unit_test(test_diagnostics),   cmocka_unit_test(test_diagnostics_bounded),
      cmocka_unit_test(test_source_errors), cmocka_unit_test(test_random_numbers),
      cmocka_unit_test(test_near_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
