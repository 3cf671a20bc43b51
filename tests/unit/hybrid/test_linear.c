// SPDX-License-Identifier: Apache-2.0
// Random terms in sets: the cases have nothing in common and leave nothing out, and in each of them
// the term is what term_value says, also where 8, 32 and 64 bits wrap round.
#include "hybrid/linear.h"

#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBERS = 3, TRUTHS = 2, POINTS = 12 };

struct world {
  struct terms *terms;
  struct presburger *presburger;
  struct linear *linear;
  struct rng rng;
  struct ir_type number, truth;
  unsigned first_var;
};

static struct linear_place leaf_place(void *context, const struct term *t) {
  const struct world *w = context;
  if (t->leaf < NUMBERS) return (struct linear_place){LINEAR_DIM, 0, (unsigned)t->leaf};
  return (struct linear_place){LINEAR_VAR, 0, w->first_var + (unsigned)t->leaf - NUMBERS};
}

static struct linear_place nowhere(void *context, const struct term *t) {
  (void)context;
  (void)t;
  return (struct linear_place){LINEAR_FIXED, 0, 0};
}

static void setup(struct world *w, uint64_t seed, uint8_t bits, bool is_signed) {
  struct dd_config c = {0};
  dd_open(&c);
  *w = (struct world){.terms = terms_new(), .presburger = presburger_new()};
  w->linear = linear_new(w->presburger, w->terms);
  rng_init(&w->rng, seed);
  w->number = (struct ir_type){.kind = IR_TYPE_INT, .bits = bits, .is_signed = is_signed};
  w->number.lo = is_signed ? (int64_t)(UINT64_MAX << (bits - 1)) : 0;
  w->number.hi = (int64_t)(UINT64_MAX >> (is_signed ? 65 - bits : 64 - bits));
  w->truth = (struct ir_type){.kind = IR_TYPE_BOOL, .hi = 1};
  w->first_var = dd_vars(TRUTHS);
  presburger_begin(w->presburger, 0);
}

static void teardown(struct world *w) {
  linear_free(w->linear);
  presburger_free(w->presburger);
  terms_free(w->terms);
  dd_close();
}

// --- random terms ---

static int64_t corner(struct world *w) {
  static const int64_t some[] = {0, 1, 2, 3, 5, 7, 10, 127, 128, 255, 256, 1000, 65535};
  int64_t v = some[rng_below(&w->rng, sizeof some / sizeof *some)];
  switch (rng_below(&w->rng, 4)) {
  case 0: return -v;
  case 1: return w->number.hi - (v & 15);
  default: return v;
  }
}

static const struct term *number(struct world *w, unsigned depth);

static const struct term *truth(struct world *w, unsigned depth) {
  struct terms *t = w->terms;
  if (depth == 0) return term_leaf(t, NUMBERS + rng_below(&w->rng, TRUTHS), &w->truth);
  switch (rng_below(&w->rng, 8)) {
  case 0: return term_not(t, truth(w, depth - 1));
  case 1: return term_and(t, truth(w, depth - 1), truth(w, depth - 1));
  case 2: return term_or(t, truth(w, depth - 1), truth(w, depth - 1));
  case 3: return term_binary(t, TERM_EQ, truth(w, depth - 1), truth(w, depth - 1));
  case 4: return term_ite(t, truth(w, depth - 1), truth(w, depth - 1), truth(w, depth - 1));
  default: {
    static const enum term_op ops[] = {TERM_EQ, TERM_LT, TERM_ULT};
    return term_binary(t, ops[rng_below(&w->rng, 3)], number(w, depth - 1), number(w, depth - 1));
  }
  }
}

static const struct term *with_constant(struct world *w, unsigned depth) {
  static const enum term_op ops[] = {TERM_MUL,    TERM_DIV,   TERM_MOD,    TERM_BITAND,
                                     TERM_BITAND, TERM_BITOR, TERM_BITXOR, TERM_DIV};
  const struct term *a = number(w, depth - 1), *b = term_const(w->terms, corner(w));
  return term_binary(w->terms, ops[rng_below(&w->rng, 8)], a, b);
}

static const struct term *number(struct world *w, unsigned depth) {
  struct terms *t = w->terms;
  if (depth == 0) {
    if (rng_below(&w->rng, 4) == 0) return term_const(t, corner(w));
    return term_leaf(t, rng_below(&w->rng, NUMBERS), &w->number);
  }
  switch (rng_below(&w->rng, 9)) {
  case 0: return with_constant(w, depth);
  case 1: return term_ite(t, truth(w, depth - 1), number(w, depth - 1), number(w, depth - 1));
  case 2:
    return term_binary(t, rng_below(&w->rng, 2) ? TERM_SHL : TERM_SHR, number(w, depth - 1),
                       term_const(t, (int64_t)rng_below(&w->rng, 12) - 2));
  case 3: return truth(w, depth - 1);
  case 4: return term_binary(t, TERM_ADD, number(w, depth - 1), number(w, depth - 1));
  case 5: return term_binary(t, TERM_SUB, number(w, depth - 1), number(w, depth - 1));
  default: {
    bool sign = rng_below(&w->rng, 2);
    static const uint8_t widths[] = {8, 32, 64};
    uint8_t bits = rng_below(&w->rng, 2) ? w->number.bits : widths[rng_below(&w->rng, 3)];
    return term_wrap(t, number(w, depth - 1), bits, sign);
  }
  }
}

// --- the check ---

struct check {
  struct world *world;
  const struct term *number, *truth;
  int64_t points[POINTS][NUMBERS + TRUTHS];
  unsigned seen[POINTS];
};

static zset *point_set(struct world *w, const int64_t *p) {
  zset *s = zset_all(w->presburger, NUMBERS);
  for (unsigned i = 0; i < NUMBERS; i++) zset_take(&s, zset_within(s, i, p[i], p[i]));
  return s;
}

static dd point_truth(struct world *w, const int64_t *p) {
  dd a = dd_true();
  for (unsigned i = 0; i < TRUTHS; i++) dd_and_to(&a, dd_var(w->first_var + i, p[NUMBERS + i]));
  return a;
}

static void check_point(struct check *k, struct linear_case *c, const zaff *aff, dd truth_is,
                        unsigned i) {
  struct world *w = k->world;
  zset *here = point_set(w, k->points[i]);
  dd at = point_truth(w, k->points[i]);
  if (dd_meets(c->truth, at) && zset_meets(c->set, here) == 1) {
    k->seen[i]++;
    int64_t value;
    zset *image = zset_image(here, (int[]){-1}, (zaff *const *)&aff, 1);
    assert_true(zset_sample(image, &value));
    assert_int_equal(value, term_value(k->number, k->points[i], NULL));
    assert_int_equal(dd_meets(truth_is, at), term_value(k->truth, k->points[i], NULL));
    zset_drop(image);
  }
  dd_drop(at);
  zset_drop(here);
}

static enum linear_outcome work(void *context, struct linear_case *c) {
  struct check *k = context;
  struct linear_number n;
  dd truth_is;
  LINEAR_TRY(linear_number(c, k->number, &n));
  LINEAR_TRY(linear_truth(c, k->truth, &truth_is));
  for (unsigned i = 0; i < POINTS; i++) check_point(k, c, n.aff, truth_is, i);
  return LINEAR_DONE;
}

static zset *everything(struct world *w, struct check *k) {
  zint lo = w->number.lo, hi = w->number.hi;
  zset *all = zset_all(w->presburger, NUMBERS);
  if (w->number.bits == 64) lo = INT64_MIN, hi = INT64_MAX;
  for (unsigned i = 0; i < NUMBERS; i++) {
    zint least = lo, most = hi;
    if (rng_below(&w->rng, 2)) least = hi > 3000 ? -100 : lo, most = hi > 3000 ? 100 : hi;
    if (least < lo) least = lo;
    zset_take(&all, zset_within(all, i, least, most));
    for (unsigned p = 0; p < POINTS; p++) {
      uint64_t turn = rng_next(&w->rng), some = rng_below(&w->rng, 4);
      zint v = turn & 1 ? least + some : turn & 2 ? most - some : least + (most - least) / 2;
      if (!(turn & 4)) v = least + (zint)turn % (most - least + 1);
      k->points[p][i] = (int64_t)v;
    }
  }
  return all;
}

static bool check_term(struct world *w) {
  struct check k = {.world = w, .number = number(w, 3), .truth = truth(w, 3)};
  struct linear_frame f = {NUMBERS, leaf_place, nowhere, nowhere, w};
  zset *all = everything(w, &k);
  for (unsigned p = 0; p < POINTS; p++)
    for (unsigned i = 0; i < TRUTHS; i++) k.points[p][NUMBERS + i] = (int64_t)rng_below(&w->rng, 2);
  presburger_begin(w->presburger, 3000000);
  bool ok = linear_cases(w->linear, &f, dd_true(), all, work, &k);
  if (!ok) {
    bool told = strcmp(linear_why(w->linear), "operations") == 0 ||
                strcmp(linear_why(w->linear), "nonlinear") == 0;
    assert_true(told);
  }
  for (unsigned p = 0; p < POINTS && ok; p++) assert_int_equal(k.seen[p], 1);
  zset_drop(all);
  return ok;
}

static void check_many(uint8_t bits, bool is_signed, unsigned count) {
  struct world w;
  unsigned done = 0;
  setup(&w, bits * 2 + is_signed, bits, is_signed);
  for (unsigned i = 0; i < count; i++) done += check_term(&w);
  if (getenv("FATHOM_TEST_VERBOSE")) print_message("%u bits: %u of %u\n", bits, done, count);
  assert_true(done > count / 2);
  teardown(&w);
}

static void test_8(void **state) {
  (void)state;
  check_many(8, true, 400);
  check_many(8, false, 400);
}

static void test_32(void **state) {
  (void)state;
  check_many(32, true, 300);
  check_many(32, false, 300);
}

static void test_64(void **state) {
  (void)state;
  check_many(64, true, 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_8),
      cmocka_unit_test(test_32),
      cmocka_unit_test(test_64),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
