// SPDX-License-Identifier: Apache-2.0
// Terms: constructors simplify, and what they make has the value that the operation defines, inside
// its interval.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ir.h"
#include "relation/term.h"

#include <inttypes.h>
#include <string.h>

enum { LEAVES = 6, CHOICES = 2, POOL = 60, VALUATIONS = 40 };

// A term, and beside it the values that it must have under each valuation.
struct item {
  const struct term *term;
  int64_t value[VALUATIONS];
};

struct bench {
  struct ir_model *m;
  struct terms *terms;
  struct rng rng;
  const struct ir_type *type[LEAVES], *choice[CHOICES];
  int64_t leaves[VALUATIONS][LEAVES], choices[VALUATIONS][CHOICES];
  struct item pool[POOL];
  size_t count;
};

static int64_t some_value(struct bench *b, const struct ir_type *t) {
  uint64_t n = ir_type_count(t);
  return ir_type_value(t, rng_below(&b->rng, n));
}

static void make_types(struct bench *b) {
  const char *names[] = {"A", "B", "C"};
  const struct ir_type *parts[2];
  parts[0] = ir_type_enum(b->m, INT64_C(1) << 32, names, 3);
  parts[1] = ir_type_range(b->m, -2, 1);
  b->type[0] = b->m->bool_type;
  b->type[1] = ir_type_range(b->m, -3, 9);
  b->type[2] = ir_type_union(b->m, parts, 2);
  b->type[3] = ir_type_int(b->m, 8, false, false);
  b->type[4] = ir_type_int(b->m, 64, false, false);
  b->type[5] = ir_type_int(b->m, 16, true, false);
  b->choice[0] = b->m->bool_type;
  b->choice[1] = ir_type_range(b->m, 0, 5);
}

static void add(struct bench *b, struct item i) {
  bool room = b->count < POOL; // the first ones, leaves and choices, stay
  b->pool[room ? b->count++ : POOL / 2 + rng_below(&b->rng, POOL / 2)] = i;
}

static void begin(struct bench *b, uint64_t seed) {
  memset(b, 0, sizeof *b);
  rng_init(&b->rng, seed);
  b->m = ir_model_new("terms", "ir");
  b->terms = terms_new();
  make_types(b);
  for (int v = 0; v < VALUATIONS; v++) {
    for (int i = 0; i < LEAVES; i++) {
      bool undefined = ir_type_can_undef(b->type[i]) && rng_below(&b->rng, 8) == 0;
      b->leaves[v][i] = undefined ? IR_UNDEF : some_value(b, b->type[i]);
    }
    for (int i = 0; i < CHOICES; i++) b->choices[v][i] = some_value(b, b->choice[i]);
  }
  for (int i = 0; i < LEAVES; i++) {
    struct item leaf = {term_leaf(b->terms, i, b->type[i])}, defined = {term_defined(b->terms, i)};
    for (int v = 0; v < VALUATIONS; v++) {
      defined.value[v] = b->leaves[v][i] != IR_UNDEF || !ir_type_can_undef(b->type[i]);
      leaf.value[v] = defined.value[v] ? b->leaves[v][i] : b->type[i]->lo;
    }
    add(b, leaf);
    if (ir_type_can_undef(b->type[i])) add(b, defined);
  }
  for (int i = 0; i < CHOICES; i++) {
    struct item choice = {term_choice(b->terms, i, b->choice[i])};
    for (int v = 0; v < VALUATIONS; v++) choice.value[v] = b->choices[v][i];
    add(b, choice);
  }
}

static void end(struct bench *b) {
  terms_free(b->terms);
  ir_model_free(b->m);
}

static const struct item *pick(struct bench *b) { return &b->pool[rng_below(&b->rng, b->count)]; }

static const struct item *pick_bool(struct bench *b) {
  const struct item *i = pick(b);
  while (!i->term->is_bool) i = pick(b);
  return i;
}

static struct item some_constant(struct bench *b) {
  static const int64_t special[] = {0,   1,    -1,        2,         7,  8,  255,
                                    256, -128, INT64_MIN, INT64_MAX, 63, 64, INT64_C(1) << 32};
  struct item r = {0};
  int64_t v = special[rng_below(&b->rng, sizeof special / sizeof *special)];
  r.term = term_const(b->terms, v);
  for (int i = 0; i < VALUATIONS; i++) r.value[i] = v;
  return r;
}

// The definitions once more, by other means than those of the room.
static int64_t defined_value(enum term_op op, int64_t a, int64_t b) {
  __int128 p = a, q = b;
  switch (op) {
  case TERM_EQ: return p == q;
  case TERM_LT: return p < q;
  case TERM_ULT: return (uint64_t)a < (uint64_t)b;
  case TERM_ADD: return (int64_t)(uint64_t)(p + q);
  case TERM_SUB: return (int64_t)(uint64_t)(p - q);
  case TERM_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
  case TERM_DIV: return b == 0 ? 0 : (int64_t)(uint64_t)(p / q);
  case TERM_MOD: return b == 0 ? 0 : (int64_t)(p % q);
  case TERM_BITAND: return a & b;
  case TERM_BITOR: return a | b;
  case TERM_BITXOR: return a ^ b;
  default: break;
  }
  if (b <= -64 || b >= 64) return 0;
  bool left = (op == TERM_SHL) == (b >= 0);
  int64_t n = b < 0 ? -b : b;
  return left ? (int64_t)((uint64_t)a << n) : a >> n;
}

static struct item some_wrap(struct bench *b) {
  const struct item *a = pick(b);
  uint8_t bits = (uint8_t)(1 + rng_below(&b->rng, 64));
  bool is_signed = rng_below(&b->rng, 2);
  struct item r = {term_wrap(b->terms, a->term, bits, is_signed)};
  for (int v = 0; v < VALUATIONS; v++) {
    __int128 size = (__int128)1 << bits, x = (__int128)a->value[v] % size;
    if (x < 0) x += size;
    if (is_signed && x >= size / 2) x -= size;
    r.value[v] = (int64_t)(uint64_t)x;
  }
  return r;
}

static struct item some_connective(struct bench *b) {
  const struct item *p = pick_bool(b), *q = pick_bool(b);
  struct item r = {0};
  unsigned kind = (unsigned)rng_below(&b->rng, 3);
  r.term = kind == 0   ? term_and(b->terms, p->term, q->term)
           : kind == 1 ? term_or(b->terms, p->term, q->term)
                       : term_not(b->terms, p->term);
  for (int v = 0; v < VALUATIONS; v++)
    r.value[v] = kind == 0   ? p->value[v] && q->value[v]
                 : kind == 1 ? p->value[v] || q->value[v]
                             : !p->value[v];
  return r;
}

static struct item some_ite(struct bench *b) {
  const struct item *c = pick_bool(b), *p = pick(b), *q = pick(b);
  struct item r = {term_ite(b->terms, c->term, p->term, q->term)};
  for (int v = 0; v < VALUATIONS; v++) r.value[v] = c->value[v] ? p->value[v] : q->value[v];
  return r;
}

static struct item some_binary(struct bench *b) {
  enum term_op op = (enum term_op)(TERM_EQ + rng_below(&b->rng, TERM_SHR - TERM_EQ + 1));
  struct item p = *pick(b), q = *pick(b), r = {0};
  if (rng_below(&b->rng, 3) == 0) p = some_constant(b);
  if (rng_below(&b->rng, 2) == 0) q = some_constant(b);
  r.term = term_binary(b->terms, op, p.term, q.term);
  for (int v = 0; v < VALUATIONS; v++) r.value[v] = defined_value(op, p.value[v], q.value[v]);
  return r;
}

static struct item some_item(struct bench *b) {
  switch (rng_below(&b->rng, 8)) {
  case 0: return some_constant(b);
  case 1: return some_wrap(b);
  case 2:
  case 3: return some_connective(b);
  case 4:
  case 5: return some_ite(b);
  default: return some_binary(b);
  }
}

static void check(struct bench *b, const struct item *i) {
  for (int v = 0; v < VALUATIONS; v++) {
    int64_t x = term_value(i->term, b->leaves[v], b->choices[v]);
    if (x == i->value[v] && x >= i->term->lo && x <= i->term->hi) continue;
    struct text t = {0};
    term_print(&t, i->term);
    fail_msg("%s is %" PRId64 " in %" PRId64 "..%" PRId64 ", should be %" PRId64, text_str(&t), x,
             i->term->lo, i->term->hi, i->value[v]);
  }
  if (i->term->is_bool) assert_true(i->term->lo >= 0 && i->term->hi <= 1);
}

static void test_random(void **state) {
  (void)state;
  struct bench b;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    begin(&b, seed);
    for (int k = 0; k < 300; k++) {
      struct item i = some_item(&b);
      check(&b, &i);
      add(&b, i);
    }
    end(&b);
  }
}

// --- what must be seen at once ---

static void test_simplified(void **state) {
  (void)state;
  struct bench b;
  begin(&b, 1);
  struct terms *t = b.terms;
  const struct term *p = term_leaf(t, 0, b.type[0]), *x = term_leaf(t, 1, b.type[1]);
  const struct term *u = term_leaf(t, 2, b.type[2]), *q = term_choice(t, 0, b.choice[0]);
  const struct term *one = term_const(t, 1), *two = term_const(t, 2);
  const struct term *x1 = term_binary(t, TERM_EQ, x, one), *x2 = term_binary(t, TERM_EQ, x, two);
  assert_ptr_equal(term_and(t, p, q), term_and(t, q, p));
  assert_true(term_is(term_and(t, p, term_not(t, p)), 0));
  assert_true(term_is(term_and(t, term_and(t, p, q), term_not(t, p)), 0));
  assert_true(term_is(term_and(t, x1, x2), 0));
  assert_ptr_equal(term_and(t, x1, term_not(t, x2)), x1);
  assert_ptr_equal(term_ite(t, p, one, term_const(t, 0)), p);
  assert_ptr_equal(term_or(t, term_and(t, p, q), p), p);
  assert_ptr_equal(term_and(t, p, term_or(t, term_not(t, p), q)), term_and(t, p, q));
  assert_true(term_is(term_binary(t, TERM_LT, x, term_const(t, 10)), 1));
  assert_true(term_is(term_binary(t, TERM_EQ, u, term_const(t, 5)), 0)); // in a gap
  assert_ptr_equal(term_binary(t, TERM_EQ, term_ite(t, p, one, two), two), term_not(t, p));
  assert_ptr_equal(term_wrap(t, x, 8, true), x);
  assert_ptr_equal(term_binary(t, TERM_EQ, term_binary(t, TERM_ADD, x, one), two), x1);
  end(&b);
}

static void test_support(void **state) {
  (void)state;
  struct bench b;
  begin(&b, 1);
  struct terms *t = b.terms;
  const struct term *x = term_leaf(t, 1, b.type[1]), *y = term_leaf(t, 3, b.type[3]);
  const struct term *sum = term_binary(t, TERM_ADD, x, y);
  const struct term *c = term_binary(t, TERM_LT, sum, term_choice(t, 1, b.choice[1]));
  uint64_t leaves = 0, choices = 0;
  term_support(term_and(t, c, term_defined(t, 5)), &leaves, &choices);
  assert_true(leaves == (1 << 1 | 1 << 3 | 1 << 5) && choices == 1 << 1);
  struct text out = {0};
  term_print(&out, c);
  assert_string_equal(text_str(&out), "((leaf1 + leaf3) < choice1)");
  text_clear(&out);
  end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_simplified),
      cmocka_unit_test(test_support),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
