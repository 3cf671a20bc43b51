// SPDX-License-Identifier: Apache-2.0
// The solver against truth tables: random clauses that come bit by bit, assumptions, clauses for
// one call, cores; and its limits: conflicts, an end that is asked for, memory.
#include "bmc/sat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
// cmocka wants those above
#include <cmocka.h>

#define VARS 9
#define ROWS (1u << VARS)

// Clauses as the rows they leave: bit i of a row's number is the value of variable first + i.
struct table {
  struct sat *sat;
  lit first;
  uint8_t left[ROWS];
};

static lit random_literal(const struct table *t, struct rng *g) {
  lit v = t->first + (lit)rng_below(g, VARS);
  return rng_below(g, 2) ? v : -v;
}

static bool holds_in(const struct table *t, lit a, unsigned row) {
  unsigned v = (unsigned)((a < 0 ? -a : a) - t->first);
  return (row >> v & 1) == (a > 0);
}

static void cut(const struct table *t, uint8_t *left, const lit *clause, size_t count) {
  for (unsigned row = 0; row < ROWS; row++) {
    bool some = false;
    for (size_t i = 0; i < count; i++) some |= holds_in(t, clause[i], row);
    left[row] &= some;
  }
}

static bool any(const uint8_t *left) { return memchr(left, 1, ROWS) != NULL; }

static void table_init(struct table *t, bool many) {
  t->sat = sat_new(&(struct sat_config){.many = many});
  memset(t->left, 1, sizeof t->left);
  t->first = sat_var(t->sat);
  for (int i = 1; i < VARS; i++) assert_int_equal(sat_var(t->sat), t->first + i);
}

static void add_clauses(struct table *t, struct rng *g, size_t count) {
  for (size_t i = 0; i < count; i++) {
    lit clause[5];
    size_t n = 2 + rng_below(g, 4);
    for (size_t j = 0; j < n; j++) clause[j] = random_literal(t, g);
    cut(t, t->left, clause, n);
    if (n == 2)
      sat_clause2(t->sat, clause[0], clause[1]);
    else if (n == 3)
      sat_clause3(t->sat, clause[0], clause[1], clause[2]);
    else
      sat_clause(t->sat, clause, n);
  }
}

static void check_model(const struct table *t, const uint8_t *left) {
  unsigned row = 0;
  for (int i = 0; i < VARS; i++) {
    row |= (unsigned)sat_value(t->sat, t->first + i) << i;
    assert_int_equal(sat_value(t->sat, -(t->first + i)), !sat_value(t->sat, t->first + i));
  }
  assert_true(left[row]);
}

// One question: some assumptions, perhaps a clause for this call.
static void ask(struct table *t, struct rng *g) {
  lit assumed[6], once[4];
  size_t count = rng_below(g, 6), extra = rng_below(g, 4);
  uint8_t rest[ROWS], core[ROWS];
  memcpy(rest, t->left, ROWS);
  for (size_t i = 0; i < extra; i++) once[i] = random_literal(t, g);
  if (extra) {
    sat_clause_once(t->sat, once, extra);
    cut(t, rest, once, extra);
  }
  memcpy(core, rest, ROWS);
  for (size_t i = 0; i < count; i++) {
    assumed[i] = random_literal(t, g);
    cut(t, rest, &assumed[i], 1);
  }
  enum sat_answer answer = sat_solve(t->sat, assumed, count);
  assert_int_equal(answer, any(rest) ? SAT_YES : SAT_NO);
  if (answer == SAT_YES) {
    check_model(t, rest);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (sat_failed(t->sat, assumed[i])) cut(t, core, &assumed[i], 1);
  assert_false(any(core));
}

static void test_against_tables(void **unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 120; seed++) {
    struct rng g;
    struct table t;
    rng_init(&g, seed);
    table_init(&t, seed % 2);
    for (int round = 0; round < 12; round++) {
      add_clauses(&t, &g, 1 + rng_below(&g, 6));
      for (int i = 0; i < 8; i++) ask(&t, &g);
    }
    sat_free(t.sat);
  }
}

static void test_small_things(void **unused) {
  (void)unused;
  struct sat *s = sat_new(NULL);
  lit yes = sat_true(s), a = sat_var(s), b = sat_var(s);
  assert_int_equal(sat_solve(s, NULL, 0), SAT_YES);
  assert_true(sat_value(s, yes));
  assert_false(sat_value(s, -yes));
  lit later = sat_var(s); // does not undo the answer
  assert_false(sat_value(s, later));
  sat_clause2(s, a, b);
  lit assumed[] = {-yes, -a};
  assert_int_equal(sat_solve(s, assumed, 1), SAT_NO);
  assert_true(sat_failed(s, -yes));
  assert_int_equal(sat_solve(s, assumed + 1, 1), SAT_YES);
  assert_true(sat_value(s, b));
  assert_int_equal(sat_vars(s), 4);
  assert_int_equal(sat_clauses(s), 2);
  assert_true(sat_work(s) >= 3 && sat_bytes(s) > 0);
  sat_clause(s, NULL, 0);
  assert_int_equal(sat_solve(s, NULL, 0), SAT_NO);
  sat_free(s);
}

// --- limits ---

// So many pigeons have no place in one hole fewer: easy to say, hard to see.
static void add_pigeons(struct sat *s, int pigeons) {
  int holes = pigeons - 1;
  lit at = (lit)sat_vars(s) + 1;
  for (int i = 0; i < pigeons * holes; i++) sat_var(s);
  for (int p = 0; p < pigeons; p++) {
    lit somewhere[64];
    for (int h = 0; h < holes; h++) somewhere[h] = at + p * holes + h;
    sat_clause(s, somewhere, (size_t)holes);
    for (int q = 0; q < p; q++)
      for (int h = 0; h < holes; h++) sat_clause2(s, -(at + p * holes + h), -(at + q * holes + h));
  }
}

static bool some_times(void *context) {
  int *left = context;
  return --*left > 0;
}

static void test_stopped(void **unused) {
  (void)unused;
  int left = 20;
  struct sat *s = sat_new(&(struct sat_config){.goes_on = some_times, .context = &left});
  add_pigeons(s, 14);
  assert_int_equal(sat_solve(s, NULL, 0), SAT_STOPPED);
  left = 1000000000;
  sat_limit(s, 100);
  assert_int_equal(sat_solve(s, NULL, 0), SAT_LIMIT);
  sat_free(s);
  s = sat_new(NULL);
  add_pigeons(s, 5);
  sat_limit(s, 1);
  sat_solve(s, NULL, 0);
  assert_int_equal(sat_solve(s, NULL, 0), SAT_NO); // the limit was for one call
  sat_free(s);
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

// In a child whose memory ends: clauses until it unwinds. Exit 0: it came back to the boundary.
static void run_out(void) {
  struct rlimit limit = {200u << 20, 200u << 20};
  struct mem_boundary boundary;
  setrlimit(RLIMIT_AS, &limit);
  struct sat *volatile s = NULL;
  if (mem_boundary_enter(&boundary)) {
    sat_free(s);
    _exit(0);
  }
  s = sat_new(NULL);
  for (int i = 0; i < 10000000; i++) {
    lit a = sat_var(s), b = sat_var(s), c = sat_var(s);
    sat_clause3(s, a, -b, c);
  }
  _exit(1);
}

static void test_memory(void **unused) {
  (void)unused;
  if (SANITIZED) skip();
  int status = 0;
  pid_t child = fork();
  if (child == 0) run_out();
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_tables),
      cmocka_unit_test(test_small_things),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
