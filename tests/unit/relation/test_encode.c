// SPDX-License-Identifier: Apache-2.0
// Terms as bits in the simplest algebra there is, truth values: random terms have the value that
// term_value says, and the codes of what is written are those of a packed state.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ir.h"
#include "relation/encode.h"

enum { LEAVES = 6, BITS = 64, ROUNDS = 4000 };

struct bench {
  struct ir_model *m;
  struct terms *terms;
  struct rng rng;
  const struct ir_type *type[LEAVES];
  bool undef[LEAVES];
  int64_t leaves[LEAVES];
  unsigned vars[LEAVES][BITS]; // numbers of variables: leaf * BITS + bit
  struct bits bits;
  struct encode encode;
  VEC(const struct term *) numbers;
  VEC(const struct term *) truths;
};

// --- truth values; 3 is true and 2 is false, so that nobody takes them for numbers ---

enum { YES = 3, NO = 2 };
static bit truth_of(bool a) { return a ? YES : NO; }

static unsigned width_of(const struct bench *b, unsigned leaf) {
  uint64_t codes = ir_type_count(b->type[leaf]) + b->undef[leaf] - 1;
  return ir_type_count(b->type[leaf]) == UINT64_MAX ? 64 : 64 - (unsigned)__builtin_clzll(codes);
}

static uint64_t code_now(const struct bench *b, unsigned leaf) {
  if (b->undef[leaf] && b->leaves[leaf] == IR_UNDEF) return 0;
  return ir_type_rank(b->type[leaf], b->leaves[leaf]) + b->undef[leaf];
}

static bit truth_copy(void *context, bit a) {
  (void)context;
  return a;
}
static void truth_drop(void *context, bit a) { (void)context, (void)a; }
static bit truth_var(void *context, unsigned var, bool positive) {
  const struct bench *b = context;
  return truth_of((code_now(b, var / BITS) >> (var % BITS) & 1) == positive);
}
static bit truth_not(void *context, bit a) {
  (void)context;
  return truth_of(a != YES);
}
static bit truth_and(void *context, bit a, bit b) {
  (void)context;
  return truth_of(a == YES && b == YES);
}
static bit truth_or(void *context, bit a, bit b) {
  (void)context;
  return truth_of(a == YES || b == YES);
}
static bit truth_xor(void *context, bit a, bit b) {
  (void)context;
  return truth_of(a != b);
}
static bit truth_equal(void *context, bit a, bit b) {
  (void)context;
  return truth_of(a == b);
}
static bit truth_ite(void *context, bit c, bit a, bit b) {
  (void)context;
  return c == YES ? a : b;
}

static struct code code_of(void *context, uint64_t leaf) {
  struct bench *b = context;
  return (struct code){.var = b->vars[leaf],
                       .count = width_of(b, (unsigned)leaf),
                       .type = b->type[leaf],
                       .undef = b->undef[leaf]};
}

// --- random terms and states ---

static void make_types(struct bench *b) {
  const char *names[] = {"A", "B", "C"};
  const struct ir_type *parts[2];
  parts[0] = ir_type_enum(b->m, INT64_C(1) << 32, names, 3);
  parts[1] = ir_type_range(b->m, -2, 1);
  b->type[0] = b->m->bool_type;
  b->type[1] = ir_type_range(b->m, -3, 9);
  b->type[2] = ir_type_union(b->m, parts, 2);
  b->type[3] = ir_type_int(b->m, 8, false, false);
  b->type[4] = ir_type_int(b->m, 64, true, false);
  b->type[5] = b->type[2];
  b->undef[1] = b->undef[2] = true;
}

static void begin(struct bench *b, uint64_t seed) {
  *b = (struct bench){.m = ir_model_new("encode", "ir"), .terms = terms_new()};
  rng_init(&b->rng, seed);
  make_types(b);
  b->bits = (struct bits){.yes = YES,
                          .no = NO,
                          .copy = truth_copy,
                          .drop = truth_drop,
                          .var = truth_var,
                          .not = truth_not,
                          .and = truth_and,
                          .or = truth_or,
                          .xor = truth_xor,
                          .equal = truth_equal,
                          .ite = truth_ite,
                          .context = b};
  b->encode = (struct encode){.bits = &b->bits, .terms = b->terms, .leaf = code_of, .context = b};
  for (unsigned i = 0; i < LEAVES; i++) {
    for (unsigned k = 0; k < BITS; k++) b->vars[i][k] = i * BITS + k;
    VEC_PUSH(&b->numbers, term_leaf(b->terms, i, b->type[i]));
  }
  VEC_PUSH(&b->truths, b->numbers.data[0]);
  VEC_PUSH(&b->truths, term_defined(b->terms, 1));
  const int64_t constants[] = {0, 1, -1, 7, 63, 200, INT64_C(1) << 32, INT64_MAX};
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    VEC_PUSH(&b->numbers, term_const(b->terms, constants[i]));
}

static void end(struct bench *b) {
  encode_clear(&b->encode);
  VEC_CLEAR(&b->numbers);
  VEC_CLEAR(&b->truths);
  terms_free(b->terms);
  ir_model_free(b->m);
}

static void random_state(struct bench *b) {
  encode_forget(&b->encode);
  for (unsigned i = 0; i < LEAVES; i++) {
    uint64_t n = ir_type_count(b->type[i]);
    uint64_t rank = n == UINT64_MAX ? rng_next(&b->rng) : rng_below(&b->rng, n);
    b->leaves[i] = ir_type_value(b->type[i], rank);
    if (b->undef[i] && rng_below(&b->rng, 4) == 0) b->leaves[i] = IR_UNDEF;
  }
}

static const struct term *number(struct bench *b) {
  return b->numbers.data[rng_below(&b->rng, b->numbers.count)];
}
static const struct term *truth(struct bench *b) {
  return b->truths.data[rng_below(&b->rng, b->truths.count)];
}

static void grow(struct bench *b) {
  struct terms *t = b->terms;
  const struct term *x = number(b), *y = number(b), *p = truth(b), *q = truth(b);
  switch (rng_below(&b->rng, 10)) {
  case 0: VEC_PUSH(&b->truths, term_not(t, p)); break;
  case 1: VEC_PUSH(&b->truths, term_and(t, p, q)); break;
  case 2: VEC_PUSH(&b->truths, term_or(t, p, q)); break;
  case 3: VEC_PUSH(&b->truths, term_binary(t, TERM_EQ, x, y)); break;
  case 4: VEC_PUSH(&b->truths, term_binary(t, TERM_LT, x, y)); break;
  case 5: VEC_PUSH(&b->truths, term_binary(t, TERM_ULT, x, y)); break;
  case 6: VEC_PUSH(&b->numbers, term_ite(t, p, x, y)); break;
  case 7:
    VEC_PUSH(&b->numbers, term_wrap(t, x, (uint8_t)(1 + rng_below(&b->rng, 63)), p == q));
    break;
  default: {
    enum term_op op = (enum term_op)(TERM_ADD + rng_below(&b->rng, TERM_SHR - TERM_ADD + 1));
    VEC_PUSH(&b->numbers, term_binary(t, op, x, y));
  }
  }
}

// --- the tests ---

static int64_t word_value(const struct word *w) {
  uint64_t v = w->base;
  for (unsigned i = 0; i < w->count; i++) v += (uint64_t)(w->bit[i] == YES) << i;
  return (int64_t)v;
}

// The value of a leaf that is undefined is any of its type's.
static bool has_value(const struct bench *b, const struct term *t) {
  uint64_t support = 0;
  term_support(t, &support, NULL);
  for (unsigned i = 0; i < LEAVES; i++)
    if (support >> i & 1 && b->undef[i] && b->leaves[i] == IR_UNDEF) return false;
  return true;
}

static void test_values(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    struct bench b;
    begin(&b, seed);
    for (int i = 0; i < ROUNDS / 8; i++) {
      if (b.numbers.count < 150) grow(&b);
      random_state(&b);
      const struct term *x = number(&b), *p = truth(&b);
      struct word w = encode_number(&b.encode, x);
      if (has_value(&b, x)) assert_int_equal(word_value(&w), term_value(x, b.leaves, NULL));
      if (has_value(&b, p) || p->op == TERM_DEFINED)
        assert_int_equal(encode_truth(&b.encode, p) == YES, term_value(p, b.leaves, NULL) != 0);
    }
    end(&b);
  }
}

// A write into leaf `to`: its code, and whether a code is that.
static void check_write(struct bench *b, unsigned to, const struct term *value) {
  const struct term *defined = term_bool(b->terms, !b->undef[to] || rng_below(&b->rng, 3));
  struct relation_write w = {to, value, defined};
  int64_t v = term_value(value, b->leaves, NULL);
  struct code code = code_of(b, to);
  bit out[BITS];
  uint64_t wanted = 0, got = 0;
  if (!has_value(b, value) || !ir_type_has(b->type[to], v)) return;
  if (term_is(defined, 1)) wanted = ir_type_rank(b->type[to], v) + b->undef[to];
  encode_value(&b->encode, &code, &w, out);
  for (unsigned i = 0; i < code.count; i++) got |= (uint64_t)(out[i] == YES) << i;
  assert_int_equal(got, wanted);
  assert_int_equal(encode_written(&b->encode, &code, &w) == YES, wanted == code_now(b, to));
}

static void test_writes(void **unused) {
  (void)unused;
  for (uint64_t seed = 20; seed <= 27; seed++) {
    struct bench b;
    begin(&b, seed);
    for (int i = 0; i < ROUNDS; i++) {
      if (b.numbers.count < 100) grow(&b);
      random_state(&b);
      unsigned to = 1 + (unsigned)rng_below(&b.rng, LEAVES - 1);
      check_write(&b, to, number(&b));
    }
    end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_writes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
