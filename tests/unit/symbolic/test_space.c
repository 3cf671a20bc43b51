// SPDX-License-Identifier: Apache-2.0
// Random terms as diagrams against term_value, on random states and choices; states in and out;
// orders of variables by name.
#include "ir/ir.h"
#include "symbolic/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants those above
#include <cmocka.h>

// Leaves of all kinds, some that can be undefined; choices from types and ranges.
static const char MODEL[] =
    "model \"kinds\" language \"ir\";\n"
    "type E : enum {red, green, blue} from 7;\n"
    "type S : scalarset(3);\n"
    "type U : union {E, 20..24, 100..100};\n"
    "var b : bool;\n"
    "var c : bool;\n"
    "var r : -3..5;\n"
    "var e : E;\n"
    "var u : U;\n"
    "var v : U;\n"
    "var w : i8;\n"
    "var x : u4;\n"
    "var d : 0..6;\n"
    "var g : bool;\n"
    "start \"s\" { b := false; c := false; r := 0; e := red; u := green;\n"
    "  w := 0; x := 0; g := false; }\n"
    "rule \"all\" choose (i : -2..3, j : U, k : int in 5 to -1 by -2, l : bool) {\n"
    "  c := l; v := j; w := i; r := k; undefine d; }\n";

struct bench {
  struct ir_model *m;
  struct relation *r;
  struct space *s;
  struct rng rng;
  VEC(const struct term *) numbers, truths;
  int64_t *leaves, choices[4];
  uint64_t *state;
};

static const struct relation_rule *rule_of(const struct bench *b) { return &b->r->rules.data[0]; }

static void bench_init(struct bench *b, uint64_t seed, unsigned reorder_every) {
  *b = (struct bench){0};
  struct diag d = {0};
  b->m = ir_parse_model(source_from_text("test.ir", MODEL, strlen(MODEL)), &d);
  if (!b->m) diag_print(&d, stderr, false);
  assert_non_null(b->m);
  diag_clear(&d);
  struct text why = {0};
  b->r = relation_new(b->m, &(struct relation_config){0}, &why);
  assert_non_null(b->r);
  dd_open(&(struct dd_config){.reorder_every = reorder_every});
  b->s = space_new(&(struct space_config){.relation = b->r}, &why);
  assert_non_null(b->s);
  rng_init(&b->rng, seed);
  b->leaves = mem_zalloc(b->m->layout->count, sizeof(*b->leaves));
  b->state = mem_zalloc(b->m->layout->words, sizeof(*b->state));
}

static void bench_clear(struct bench *b) {
  space_free(b->s);
  dd_close();
  relation_free(b->r);
  ir_model_free(b->m);
  VEC_CLEAR(&b->numbers);
  VEC_CLEAR(&b->truths);
  mem_free(b->leaves);
  mem_free(b->state);
}

// --- random terms ---

static const struct term *any(struct bench *b, bool truth) {
  if (truth) return b->truths.data[rng_below(&b->rng, b->truths.count)];
  return b->numbers.data[rng_below(&b->rng, b->numbers.count)];
}

static void atoms(struct bench *b) {
  struct terms *t = b->r->terms;
  for (uint64_t i = 0; i < b->m->layout->count; i++) {
    const struct ir_type *type = b->m->layout->leaf[i].type;
    const struct term *leaf = term_leaf(t, i, type);
    VEC_PUSH(&b->numbers, leaf);
    if (type->kind == IR_TYPE_BOOL) VEC_PUSH(&b->truths, leaf);
  }
  const struct ir_rule *r = rule_of(b)->rule;
  for (uint32_t k = 0; k < r->choice_count; k++) {
    const struct ir_type *type = r->frame.locals[r->param_count + k]->type;
    const struct term *choice = term_choice(t, k, type);
    VEC_PUSH(&b->numbers, choice);
    if (type->kind == IR_TYPE_BOOL) VEC_PUSH(&b->truths, choice);
  }
  const int64_t constants[] = {0, 1, -1, 2, 7, 9, 22, 100, -5};
  for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
    VEC_PUSH(&b->numbers, term_const(t, constants[i]));
}

// Large products and quotients have no small diagrams.
static bool large(const struct term *a) { return a->lo < -130 || a->hi > 130; }

static void grow(struct bench *b) {
  struct terms *t = b->r->terms;
  const struct term *x = any(b, false), *y = any(b, false), *p = any(b, true), *q = any(b, true);
  unsigned op = (unsigned)rng_below(&b->rng, 22);
  const struct term *out;
  switch (op) {
  case 0: VEC_PUSH(&b->truths, term_not(t, p)); return;
  case 1: VEC_PUSH(&b->truths, term_and(t, p, q)); return;
  case 2: VEC_PUSH(&b->truths, term_or(t, p, q)); return;
  case 3: VEC_PUSH(&b->truths, term_ite(t, any(b, true), p, q)); return;
  case 4:
  case 5: VEC_PUSH(&b->truths, term_binary(t, TERM_EQ, x, y)); return;
  case 6: VEC_PUSH(&b->truths, term_binary(t, TERM_LT, x, y)); return;
  case 7: VEC_PUSH(&b->truths, term_binary(t, TERM_ULT, x, y)); return;
  case 8: VEC_PUSH(&b->truths, term_defined(t, rng_below(&b->rng, b->m->layout->count))); return;
  case 9:
  case 10: out = term_ite(t, p, x, y); break;
  case 11:
    out = term_wrap(t, x, (uint8_t)(1 + rng_below(&b->rng, 9)), rng_below(&b->rng, 2));
    break;
  default:
    out = term_binary(t, (enum term_op)(TERM_ADD + rng_below(&b->rng, TERM_SHR - TERM_ADD + 1)), x,
                      y);
  }
  if (!large(out)) VEC_PUSH(&b->numbers, out);
}

// --- random states ---

static void random_state(struct bench *b) {
  const struct ir_layout *l = b->m->layout;
  memset(b->state, 0, l->words * sizeof(*b->state));
  for (uint64_t i = 0; i < l->count; i++) {
    uint64_t codes = ir_type_count(l->leaf[i].type) + l->leaf[i].undef;
    ir_leaf_set_code(&l->leaf[i], b->state, rng_below(&b->rng, codes));
    b->leaves[i] = ir_leaf_get(&l->leaf[i], b->state);
  }
  const struct ir_rule *r = rule_of(b)->rule;
  for (uint32_t k = 0; k < r->choice_count; k++) {
    const struct ir_domain *d = r->frame.locals[r->param_count + k]->domain;
    b->choices[k] = ir_domain_value(d, rng_below(&b->rng, ir_domain_count(d)));
  }
}

// The state together with the values of the choices.
static dd here(struct bench *b) {
  struct terms *t = b->r->terms;
  const struct ir_rule *r = rule_of(b)->rule;
  dd out = space_state(b->s, b->state);
  for (uint32_t k = 0; k < r->choice_count; k++) {
    const struct term *choice = term_choice(t, k, r->frame.locals[r->param_count + k]->type);
    const struct term *is = term_binary(t, TERM_EQ, choice, term_const(t, b->choices[k]));
    dd_and_to(&out, space_term(b->s, is));
    dd_and_to(&out, space_choice_valid(b->s, k));
  }
  assert_false(dd_is_false(out));
  return out;
}

// Terms say anything of leaves that are not defined.
static bool speaks_of_undefined(const struct bench *b, const struct term *a) {
  uint64_t leaves = 0;
  term_support(a, &leaves, NULL);
  for (uint64_t i = 0; i < b->m->layout->count; i++)
    if ((leaves >> i & 1) && b->m->layout->leaf[i].undef && b->leaves[i] == IR_UNDEF) return true;
  return false;
}

static void check_at(struct bench *b, const struct term *a, bool truth) {
  if (speaks_of_undefined(b, a)) return;
  int64_t value = term_value(a, b->leaves, b->choices);
  const struct term *is = a;
  if (!truth) is = term_binary(b->r->terms, TERM_EQ, a, term_const(b->r->terms, value));
  dd at = here(b), t = space_term(b->s, is);
  bool want = truth ? value != 0 : true;
  if (dd_implies(at, t) != want || dd_meets(at, t) != want) {
    struct text text = {0};
    term_print(&text, a);
    fail_msg("%s is not %lld", text_str(&text), (long long)value);
  }
  dd_drop(at);
  dd_drop(t);
}

static void check_terms(uint64_t seed, unsigned reorder_every) {
  struct bench b;
  bench_init(&b, seed, reorder_every);
  space_bind(b.s, rule_of(&b), SPACE_WHOLE);
  atoms(&b);
  for (unsigned i = 0; i < 40; i++) grow(&b);
  for (unsigned i = 0; i < 6; i++) {
    random_state(&b);
    for (size_t k = 0; k < b.numbers.count; k++) check_at(&b, b.numbers.data[k], false);
    for (size_t k = 0; k < b.truths.count; k++) check_at(&b, b.truths.data[k], true);
  }
  bench_clear(&b);
}

static void test_terms(void **unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 10; seed++) check_terms(seed, seed % 5 == 0 ? 500 : 0);
}

static void test_states(void **unused) {
  (void)unused;
  struct bench b;
  bench_init(&b, 3, 0);
  uint64_t *back = mem_zalloc(b.m->layout->words, sizeof(*back));
  for (unsigned i = 0; i < 200; i++) {
    random_state(&b);
    dd one = space_state(b.s, b.state);
    assert_true(dd_implies(one, b.s->valid_now));
    space_pick(b.s, one, back);
    assert_memory_equal(back, b.state, b.m->layout->words * sizeof(*back));
    dd_drop(one);
  }
  char *count = dd_count(b.s->valid_now, b.s->now, b.s->bits);
  uint64_t all = 1;
  for (uint64_t i = 0; i < b.m->layout->count; i++)
    all *= ir_type_count(b.m->layout->leaf[i].type) + b.m->layout->leaf[i].undef;
  assert_int_equal(strtoull(count, NULL, 10), all);
  mem_free(count);
  mem_free(back);
  bench_clear(&b);
}

static void test_order(void **unused) {
  (void)unused;
  struct bench b;
  bench_init(&b, 3, 0);
  struct text first = {0}, second = {0}, why = {0};
  space_print_order(&first, b.s);
  space_free(b.s);
  dd_close();
  const char *names[] = {"w.3", "nobody", "running", "u", "w.1", "b"};
  dd_open(&(struct dd_config){0});
  b.s = space_new(&(struct space_config){b.r, names, 6}, &why);
  space_print_order(&second, b.s);
  assert_memory_equal(text_str(&second), "w.7\nw.6\n", 8);
  assert_non_null(strstr(text_str(&second), "w.0\nu.3\n"));
  assert_non_null(strstr(text_str(&second), "u.0\nb\nc\n"));
  assert_int_equal(first.count, second.count);
  text_clear(&first);
  text_clear(&second);
  bench_clear(&b);
}

// a, b and c only hand their values on: equal bits stand side by side. d is looked at.
static const char WORDS[] = "model \"words\" language \"ir\";\n"
                            "var a : u4;\n"
                            "var d : u4;\n"
                            "var b : u4;\n"
                            "var e : u4;\n"
                            "var c : u4;\n"
                            "start \"s\" { a := 3; b := 0; c := 0; d := 0; e := 0; }\n"
                            "rule \"hand on\" choose (i : u4) { c := b; b := a; a := i; }\n"
                            "rule \"count\" when d < 9 & b != c { d := d + 1; e := d; }\n";

static void test_words(void **unused) {
  (void)unused;
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", WORDS, strlen(WORDS)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  struct text why = {0}, order = {0};
  struct relation *r = relation_new(m, &(struct relation_config){0}, &why);
  assert_non_null(r);
  dd_open(&(struct dd_config){0});
  struct space *s = space_new(&(struct space_config){.relation = r}, &why);
  space_print_order(&order, s);
  unsigned top = dd_level(s->leaf[0].now[3]); // leaves as declared: a, d, b, e, c
  for (unsigned bit = 0; bit < 4; bit++)
    for (unsigned word = 0; word < 3; word++) {
      unsigned level = dd_level(s->leaf[2 * word].now[bit]);
      assert_int_equal((level - top) / 6, 3 - bit);
      assert_int_equal(dd_level(s->leaf[2 * word].next[bit]), level + 1);
    }
  for (uint64_t leaf = 1; leaf < 5; leaf += 2)
    for (unsigned bit = 0; bit < 3; bit++)
      assert_int_equal(dd_level(s->leaf[leaf].now[bit]), dd_level(s->leaf[leaf].now[bit + 1]) + 2);
  space_free(s);
  dd_close();
  // In a given order only those that are neighbours there.
  const char *names[] = {"b", "a", "d", "c"};
  dd_open(&(struct dd_config){0});
  s = space_new(&(struct space_config){r, names, 4}, &why);
  text_clear(&order);
  space_print_order(&order, s);
  assert_memory_equal(text_str(&order), "b.3\na.3\nb.2\na.2\nb.1\na.1\nb.0\na.0\nd.3\nd.2\n", 40);
  assert_non_null(strstr(text_str(&order), "c.3\nc.2\nc.1\n"));
  space_free(s);
  dd_close();
  text_clear(&order);
  relation_free(r);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
