// SPDX-License-Identifier: Apache-2.0
// The solver's wrapper, and terms as formulas: random terms have in the solver, in both encodings,
// the value that term_value gives them, and no other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hybrid/formula.h"
#include "hybrid/interval.h"
#include "ir/ir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAVES = 6, TERMS = 14, ROUNDS = 400 };

static struct smt *open_smt(void) {
  struct smt_config c = {0};
  struct text why = {0};
  struct smt *s = smt_new(&c, &why);
  if (!s) fail_msg("%s", text_str(&why));
  return s;
}

// --- the wrapper ---

static void test_integers(void **state) {
  (void)state;
  struct smt *s = open_smt();
  smt_term x = smt_int(s, "x"), y = smt_int(s, "y"), q = smt_truth(s, "q");
  smt_assert(s, smt_equal(s, smt_add(s, x, y), smt_number(s, 10)));
  smt_assert(s, smt_implies(s, q, smt_le(s, smt_number(s, 8), x)));
  smt_assert(s, smt_le(s, smt_number(s, 3), y));
  assert_int_equal(smt_check(s, NULL, 0, 0), SMT_YES);
  assert_int_equal(smt_value(s, x, true) + smt_value(s, y, true), 10);
  assert_int_equal(smt_check(s, &q, 1, 0), SMT_NO);
  smt_push(s);
  smt_assert(s, smt_equal(s, x, smt_number(s, -5)));
  assert_int_equal(smt_check(s, NULL, 0, 0), SMT_YES);
  assert_int_equal(smt_value(s, y, true), 15);
  smt_pop(s);
  assert_int_equal(smt_check(s, NULL, 0, 0), SMT_YES);
  smt_free(s);
}

// A question that takes long: the factors of a product of two primes.
static smt_term factors(struct smt *s) {
  smt_term x = smt_bits(s, "x", 64), y = smt_bits(s, "y", 64);
  smt_term limit = smt_bits_number(s, INT64_C(1) << 32, 64), one = smt_bits_number(s, 1, 64);
  smt_assert(s, smt_bits_binary(s, SMT_ULT, x, limit));
  smt_assert(s, smt_bits_binary(s, SMT_ULT, y, limit));
  smt_assert(s, smt_bits_binary(s, SMT_ULT, one, x));
  smt_assert(s, smt_bits_binary(s, SMT_ULT, one, y));
  return smt_equal(s, smt_bits_binary(s, SMT_MUL, x, y),
                   smt_bits_number(s, INT64_C(1500450271) * INT64_C(3267000013), 64));
}

static void test_time(void **state) {
  (void)state;
  struct smt *s = open_smt();
  smt_assert(s, factors(s));
  clock_t start = clock(); // of this process: the machine may have other work
  assert_int_equal(smt_check(s, NULL, 0, 0.2), SMT_UNKNOWN);
  assert_string_equal(smt_why(s), "time");
  assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
  smt_free(s);
}

static bool until_then(void *context) { return clock_seconds() < *(double *)context; }

static void test_interrupt(void **state) {
  (void)state;
  double until = clock_seconds() + 0.2;
  struct smt_config c = {.goes_on = until_then, .context = &until};
  struct text why = {0};
  struct smt *s = smt_new(&c, &why);
  assert_non_null(s);
  smt_assert(s, factors(s));
  assert_int_equal(smt_check(s, NULL, 0, 0), SMT_UNKNOWN);
  assert_string_equal(smt_why(s), "interrupted");
  smt_free(s);
}

// --- random terms ---

struct bench {
  struct rng rng;
  struct ir_model *m;
  struct terms *terms;
  const struct term *leaf[LEAVES], *pool[LEAVES + TERMS];
  size_t count;
  int64_t values[LEAVES];
  struct smt *smt;
  smt_term var[LEAVES];
};

static uint32_t pick(struct bench *b, uint32_t n) { return (uint32_t)rng_below(&b->rng, n); }

static int64_t some_number(struct bench *b) {
  static const int64_t some[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 5,
                                 7,
                                 8,
                                 10,
                                 100,
                                 255,
                                 256,
                                 -128,
                                 65535,
                                 0x7fffffff,
                                 -0x80000000LL,
                                 0xffffffffLL,
                                 INT64_MAX,
                                 INT64_MIN,
                                 12,
                                 0xf0,
                                 -16};
  if (pick(b, 4) == 0) return (int64_t)(rng_next(&b->rng) >> pick(b, 64));
  return some[pick(b, sizeof some / sizeof some[0])];
}

static void make_leaves(struct bench *b) {
  const struct ir_type *types[] = {
      ir_type_int(b->m, 32, true, false), ir_type_int(b->m, 8, false, false),
      ir_type_int(b->m, 64, true, false), ir_type_range(b->m, -3, 4),
      ir_type_range(b->m, 0, 1),          b->m->bool_type};
  for (int i = 0; i < LEAVES; i++) {
    const struct term *t = term_leaf(b->terms, (uint64_t)i, types[i]);
    int64_t lo = t->lo, hi = t->hi, v;
    if (pick(b, 3) == 0 && i < 3) { // as narrow as an interval makes it
      lo = -(int64_t)pick(b, 10);
      if (lo < t->lo) lo = t->lo;
      hi = (int64_t)pick(b, 200);
      if (hi > t->hi) hi = t->hi;
    }
    do v = pick(b, 2) ? some_number(b) : (int64_t)rng_next(&b->rng) % 300;
    while ((v < lo || v > hi) &&
           !(hi - lo < 8 && (v = lo + (int64_t)pick(b, (uint32_t)(hi - lo + 1)), 1)));
    b->values[i] = v;
    b->leaf[i] = b->pool[i] = term_leaf_within(b->terms, (uint64_t)i, types[i], lo, hi);
  }
  b->count = LEAVES;
}

static const struct term *some_term(struct bench *b) {
  return b->pool[pick(b, (uint32_t)b->count)];
}

static const struct term *operand(struct bench *b) {
  return pick(b, 4) ? some_term(b) : term_const(b->terms, some_number(b));
}

static const struct term *some_truth(struct bench *b) {
  const struct term *a = some_term(b);
  if (a->is_bool) return a;
  return term_binary(b->terms, TERM_EQ + pick(b, 3), a, operand(b));
}

static const struct term *some_operation(struct bench *b) {
  switch (pick(b, 9)) {
  case 0: return term_not(b->terms, some_truth(b));
  case 1: return term_and(b->terms, some_truth(b), some_truth(b));
  case 2: return term_or(b->terms, some_truth(b), some_truth(b));
  case 3: return term_ite(b->terms, some_truth(b), operand(b), operand(b));
  case 4:
  case 5: {
    static const uint8_t widths[] = {1, 8, 16, 32, 33, 63};
    const struct term *a = term_binary(b->terms, TERM_ADD + pick(b, 3), operand(b), operand(b));
    return term_wrap(b->terms, a, widths[pick(b, 6)], pick(b, 2));
  }
  default:
    return term_binary(b->terms, TERM_EQ + pick(b, TERM_SHR - TERM_EQ + 1), operand(b), operand(b));
  }
}

static smt_term unknown(void *context, const struct term *leaf) {
  struct bench *b = context;
  return b->var[leaf->leaf];
}

static void make_variables(struct bench *b, struct formula *f) {
  for (int i = 0; i < LEAVES; i++) {
    const struct term *t = b->leaf[i];
    char name[16];
    if (t->op != TERM_LEAF) continue;
    snprintf(name, sizeof name, "v%d", i);
    unsigned w = formula_width(t->lo, t->hi);
    b->var[i] = t->is_bool ? smt_truth(b->smt, name)
                : f->bits  ? smt_bits(b->smt, name, w)
                           : smt_int(b->smt, name);
    smt_term is = t->is_bool ? smt_bool(b->smt, b->values[i])
                  : f->bits  ? smt_bits_number(b->smt, b->values[i], w)
                             : smt_number(b->smt, b->values[i]);
    smt_assert(b->smt, smt_equal(b->smt, b->var[i], is));
  }
}

// In the solver it is what it is, and nothing else.
static bool check_term(struct bench *b, const struct term *a, bool bits) {
  struct formula f = {.smt = b->smt, .bits = bits, .unknown = unknown, .context = b};
  int64_t want = term_value(a, b->values, NULL);
  smt_push(b->smt);
  make_variables(b, &f);
  smt_term v = a->is_bool ? formula_truth(&f, a) : formula_value(&f, a);
  bool linear = !f.nonlinear;
  if (linear) {
    enum smt_answer yes = smt_check(b->smt, NULL, 0, 20);
    int64_t have = yes == SMT_YES ? smt_value(b->smt, v, true) : 0;
    smt_term same = a->is_bool ? smt_equal(b->smt, v, smt_bool(b->smt, want))
                    : bits
                        ? smt_equal(b->smt, v, smt_bits_number(b->smt, want, smt_width(b->smt, v)))
                        : smt_equal(b->smt, v, smt_number(b->smt, want));
    smt_assert(b->smt, smt_not(b->smt, same));
    enum smt_answer other = smt_check(b->smt, NULL, 0, 20);
    if (yes == SMT_NO || (yes == SMT_YES && have != want) || other == SMT_YES) {
      struct text out = {0};
      term_print(&out, a);
      for (int i = 0; i < LEAVES; i++) text_printf(&out, " leaf%d=%" PRId64, i, b->values[i]);
      fail_msg("%s: %s is %" PRId64 ", not %" PRId64 " (%d %d)", bits ? "bits" : "linear",
               text_str(&out), want, have, yes, other);
    }
  }
  formula_clear(&f);
  smt_pop(b->smt);
  return linear;
}

// Intervals contain every value.
static void check_interval(struct bench *b, const struct term *a, const struct term *given) {
  struct intervals v;
  int64_t lo[LEAVES], hi[LEAVES], value = term_value(a, b->values, NULL);
  uint8_t defined[LEAVES];
  for (int i = 0; i < LEAVES; i++) {
    lo[i] = b->leaf[i]->lo;
    hi[i] = b->leaf[i]->hi;
    defined[i] = EFSM_DEFINED;
  }
  assert_true(value >= a->lo && value <= a->hi);
  intervals_init(&v, LEAVES);
  intervals_begin(&v, lo, hi, defined);
  if (term_value(given, b->values, NULL) == 0) given = term_not(b->terms, given);
  assert_true(intervals_assume(&v, given));
  struct range r = intervals_of(&v, a);
  assert_true(value >= r.lo && value <= r.hi);
  for (int i = 0; i < LEAVES; i++) assert_true(b->values[i] >= v.lo[i] && b->values[i] <= v.hi[i]);
  intervals_clear(&v);
}

static void one_round(uint64_t seed, uint64_t *linear) {
  struct bench b = {.m = ir_model_new("terms", "ir"), .terms = terms_new(), .smt = open_smt()};
  rng_init(&b.rng, seed);
  make_leaves(&b);
  while (b.count < LEAVES + TERMS) {
    const struct term *a = some_operation(&b);
    const struct term *given = some_truth(&b);
    b.pool[b.count++] = a;
    check_interval(&b, a, given);
    if (a->op == TERM_CONST) continue;
    *linear += check_term(&b, a, false);
    if (b.count % 2) check_term(&b, a, true);
  }
  smt_free(b.smt);
  terms_free(b.terms);
  ir_model_free(b.m);
}

static void test_terms(void **state) {
  (void)state;
  const char *effort = getenv("FATHOM_TEST_EFFORT"), *first = getenv("FATHOM_TEST_SEED");
  uint64_t linear = 0, rounds = effort ? (uint64_t)atoi(effort) * ROUNDS : ROUNDS / 10;
  uint64_t from = first ? (uint64_t)atoi(first) : 1;
  for (uint64_t seed = from; seed < from + rounds; seed++) one_round(seed, &linear);
  assert_true(linear > rounds * TERMS / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_terms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
