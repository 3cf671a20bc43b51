// SPDX-License-Identifier: Apache-2.0
// Regions: which pages filling makes resident, what stays there when they grow.
#include "store/region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGES = 64 };

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static bool is_resident(const struct region *r, size_t page) {
  unsigned char there;
  assert_int_equal(mincore(r->base + page * page_bytes(), page_bytes(), &there), 0);
  return there & 1;
}

static void expect_resident(const struct region *r, size_t from, size_t to) {
  for (size_t i = 0; i < PAGES; i++) assert_int_equal(is_resident(r, i), i >= from && i < to);
}

static void open_small(struct region *r) {
  assert_true(region_open(r, PAGES * page_bytes(), PAGES * page_bytes()));
  expect_resident(r, 0, 0);
}

// Systems before Linux 5.14 ignore the wish.
static bool fills(void) {
  struct region r;
  open_small(&r);
  region_fill(&r, 0, page_bytes());
  bool there = is_resident(&r, 0);
  region_close(&r);
  return there;
}

static void test_fill(void **context) {
  (void)context;
  if (!fills()) skip();
  struct region r;
  open_small(&r);
  size_t page = page_bytes();
  region_fill(&r, 3 * page, 3 * page);
  expect_resident(&r, 0, 0);
  region_fill(&r, 4 * page - 1, 4 * page); // the page where a thread's part of a region begins, too
  expect_resident(&r, 3, 4);
  region_fill(&r, 4 * page, 4 * page + 1);
  expect_resident(&r, 3, 5);
  region_fill(&r, 5 * page, 9 * page);
  expect_resident(&r, 3, 9);
  region_fill(&r, 9 * page, 2 * page);
  expect_resident(&r, 3, 9);
  region_close(&r);
}

// No page is left out between two calls.
static void test_fill_piecewise(void **context) {
  (void)context;
  if (!fills()) skip();
  struct region r;
  open_small(&r);
  for (size_t at = 0; at + 1000 <= 20 * page_bytes(); at += 1000) region_fill(&r, at, at + 1000);
  expect_resident(&r, 0, 20);
  region_close(&r);
}

// What lies behind is somebody else's.
static void test_fill_ends(void **context) {
  (void)context;
  if (!fills()) skip();
  struct region r;
  open_small(&r);
  size_t page = page_bytes(), all = r.reserved;
  r.reserved = 8 * page;
  region_fill(&r, 6 * page, 1000 * page);
  expect_resident(&r, 6, 8);
  r.reserved = all;
  region_close(&r);
}

static void test_extend(void **context) {
  (void)context;
  struct region r;
  open_small(&r);
  memset(r.base, 0x5a, r.reserved);
  size_t before = r.reserved;
  assert_true(region_extend(&r, 2 * before));
  assert_true(r.reserved >= 2 * before);
  for (size_t i = 0; i < r.reserved; i++) assert_int_equal(r.base[i], i < before ? 0x5a : 0);
  region_release(&r, 0);
  assert_int_equal(r.base[0], 0);
  region_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fill),
      cmocka_unit_test(test_fill_piecewise),
      cmocka_unit_test(test_fill_ends),
      cmocka_unit_test(test_extend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
