// SPDX-License-Identifier: Apache-2.0
// Layout, leaf names, ranks, instance numbers, access sets, limits.
#include "ir/eval.h"
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct span nowhere;

static const struct ir_type *random_type(struct ir_model *m, struct rng *r, int depth) {
  switch (rng_below(r, depth > 0 ? 6 : 4)) {
  case 0: return m->bool_type;
  case 1: return ir_type_range(m, -(int64_t)rng_below(r, 50), (int64_t)rng_below(r, 1 << 20));
  case 2: return ir_type_int(m, (uint8_t)(1 + rng_below(r, 64)), rng_below(r, 2), rng_below(r, 2));
  case 3: return ir_type_range(m, 5, 5); // one value
  case 4: {
    const struct ir_type *index = ir_type_range(m, 3, 3 + (int64_t)rng_below(r, 5));
    return ir_type_array(m, index, random_type(m, r, depth - 1));
  }
  default: {
    struct ir_field f[3] = {{"a", random_type(m, r, depth - 1), 0},
                            {"b", random_type(m, r, depth - 1), 0},
                            {"c", random_type(m, r, depth - 1), 0}};
    return ir_type_record(m, f, (uint32_t)(1 + rng_below(r, 3)));
  }
  }
}

// No leaf straddles a word, none overlap, and what is written to one is read back, the others
// intact.
static void check_layout(const struct ir_layout *l, struct rng *r) {
  uint64_t *state = mem_zalloc(l->words, sizeof *state), *seen = mem_zalloc(l->words, sizeof *seen);
  int64_t *value = mem_zalloc(l->count, sizeof *value);
  uint64_t bits = 0;
  for (uint64_t i = 0; i < l->count; i++) {
    const struct ir_leaf *leaf = &l->leaf[i];
    if (leaf->width == 0) continue;
    assert_true(leaf->shift + leaf->width <= 64);
    assert_true(leaf->word < l->words);
    assert_true((leaf->word * 64u + leaf->shift + leaf->width + 7) / 8 <= l->bytes);
    uint64_t mask = (~UINT64_C(0) >> (64 - leaf->width)) << leaf->shift;
    assert_int_equal(seen[leaf->word] & mask, 0);
    seen[leaf->word] |= mask;
    bits += leaf->width;
  }
  assert_int_equal(bits, l->bits);
  for (int round = 0; round < 3; round++) {
    for (uint64_t i = 0; i < l->count; i++) {
      uint64_t n = ir_type_count(l->leaf[i].type);
      value[i] = ir_type_value(l->leaf[i].type, n == UINT64_MAX ? rng_next(r) : rng_below(r, n));
      if (l->leaf[i].undef && rng_below(r, 4) == 0) value[i] = IR_UNDEF;
      ir_leaf_set(&l->leaf[i], state, value[i]);
    }
    for (uint64_t i = 0; i < l->count; i++)
      assert_int_equal(ir_leaf_get(&l->leaf[i], state), value[i]);
  }
  mem_free(state);
  mem_free(seen);
  mem_free(value);
}

static void test_random_layouts(void **unused) {
  struct rng r;
  rng_init(&r, 1);
  for (int round = 0; round < 300; round++) {
    struct ir_model *m = ir_model_new("layout", "ir");
    int vars = 1 + (int)rng_below(&r, 6);
    for (int i = 0; i < vars; i++) {
      char name[] = {(char)('a' + i), 0};
      ir_var_new(m, name, random_type(m, &r, 3), nowhere);
    }
    struct diag d = {0};
    assert_true(ir_model_finish(m, &d)); // no start rule: nothing is ever undefined
    check_layout(m->layout, &r);
    check_layout(m->start_layout, &r);
    diag_clear(&d);
    ir_model_free(m);
  }
  (void)unused;
}

static void test_union(void **unused) {
  struct ir_model *m = ir_model_new("union", "ir");
  static const char *const names[] = {"Home", "Away"};
  struct ir_type *e = ir_type_enum(m, 10, names, 2), *s = ir_type_scalarset(m, 3, 4);
  s->name = "Proc";
  const struct ir_type *parts[] = {e, s};
  struct ir_type *u = ir_type_union(m, parts, 2);
  assert_int_equal(ir_type_count(u), 6);
  for (uint64_t k = 0; k < 6; k++) assert_int_equal(ir_type_rank(u, ir_type_value(u, k)), k);
  assert_true(ir_type_has(u, 10) && ir_type_has(u, 6));
  assert_false(ir_type_has(u, 7) || ir_type_has(u, 9) || ir_type_has(u, 12));
  struct text t = {0};
  ir_type_print_value(&t, u, 11);
  ir_type_print_value(&t, u, 4);
  assert_string_equal(text_str(&t), "AwayProc_2");
  text_clear(&t);
  ir_model_free(m);
  (void)unused;
}

static void test_names(void **unused) {
  struct ir_model *m = ir_model_new("names", "ir");
  struct ir_type *proc = ir_type_scalarset(m, 0, 2);
  proc->name = "Proc";
  struct ir_field f[] = {{"state", m->bool_type, 0}, {"who", ir_type_array(m, proc, proc), 0}};
  ir_var_new(m, "first", m->bool_type, nowhere);
  ir_var_new(m, "cache", ir_type_array(m, proc, ir_type_record(m, f, 2)), nowhere);
  static const char *const want[] = {"first",
                                     "cache[Proc_1].state",
                                     "cache[Proc_1].who[Proc_1]",
                                     "cache[Proc_1].who[Proc_2]",
                                     "cache[Proc_2].state",
                                     "cache[Proc_2].who[Proc_1]",
                                     "cache[Proc_2].who[Proc_2]"};
  assert_int_equal(m->leaves, 7);
  for (uint64_t i = 0; i < 7; i++) {
    struct text t = {0};
    ir_leaf_name(&t, m, i);
    assert_string_equal(text_str(&t), want[i]);
    text_clear(&t);
  }
  ir_model_free(m);
  (void)unused;
}

// rule r(i: 1..3, j: 6 to 2 by -2, choice c: bool)
static void test_instances(void **unused) {
  struct ir_model *m = ir_model_new("instances", "ir");
  ir_rule_new(m, false, "before", nowhere);
  struct ir_rule *r = ir_rule_new(m, false, "r", nowhere);
  struct ir_type *t = ir_type_range(m, 1, 3), *u = ir_type_range(m, 2, 6);
  struct ir_local *i = ir_local_new(m, &r->frame, IR_LOCAL_BOUND, "i", t, nowhere);
  struct ir_local *j = ir_local_new(m, &r->frame, IR_LOCAL_BOUND, "j", u, nowhere);
  struct ir_local *c = ir_local_new(m, &r->frame, IR_LOCAL_BOUND, "c", m->bool_type, nowhere);
  i->domain = ir_domain_type(m, t);
  j->domain =
      ir_domain_range(m, ir_int(m, 6, nowhere), ir_int(m, 2, nowhere), ir_int(m, -2, nowhere));
  c->domain = ir_domain_type(m, m->bool_type);
  r->param_count = 2;
  r->choice_count = 1;
  struct diag d = {0};
  assert_true(ir_model_finish(m, &d));
  assert_int_equal(m->rule_instances, 10);
  assert_int_equal(r->instances, 9);
  assert_int_equal(r->choices, 2);
  int64_t v[3];
  assert_ptr_equal(ir_instance(m, false, 5, v), r); // 1 + row 1, column 1
  assert_int_equal(v[0], 2);
  assert_int_equal(v[1], 4);
  struct text s = {0};
  ir_instance_print(&s, m, false, 9, 1);
  assert_string_equal(text_str(&s), "r(i=3, j=2, c=true)");
  text_clear(&s);
  diag_clear(&d);
  ir_model_free(m);
  (void)unused;
}

static void test_limits(void **unused) {
  struct ir_model *m = ir_model_new("limits", "ir");
  struct ir_type *big = ir_type_range(m, 1, 1000000000);
  struct ir_rule *r = ir_rule_new(m, false, "r", nowhere);
  struct ir_local *i = ir_local_new(m, &r->frame, IR_LOCAL_BOUND, "i", big, nowhere);
  i->domain = ir_domain_type(m, big);
  r->param_count = 1;
  struct diag d = {0};
  assert_false(ir_model_finish(m, &d));
  assert_int_equal(d.errors, 1);
  assert_non_null(strstr(d.entries[0].message, "too many instances"));
  diag_clear(&d);
  ir_model_free(m);

  m = ir_model_new("limits", "ir");
  struct ir_type *index = ir_type_range(m, 1, 1000000000);
  ir_var_new(m, "huge", ir_type_array(m, index, ir_type_array(m, index, m->bool_type)), nowhere);
  assert_false(ir_model_finish(m, &d));
  assert_non_null(strstr(d.entries[0].message, "does not fit"));
  diag_clear(&d);
  ir_model_free(m);
  (void)unused;
}

// A property may not call what writes: the search would change the state it checks.
static void test_impure_property(void **unused) {
  struct ir_model *m = ir_model_new("impure", "ir");
  struct ir_var *x = ir_var_new(m, "x", m->bool_type, nowhere);
  struct ir_function *g = ir_function_new(m, "g", m->bool_type, nowhere);
  struct ir_function *h = ir_function_new(m, "h", m->bool_type, nowhere);
  g->body = ir_return(m, ir_call(m, h, NULL, 0, nowhere), nowhere);
  h->body = ir_clear(m, ir_var_ref(m, x, nowhere), nowhere);
  struct ir_property *p = ir_property_new(m, IR_PROP_INVARIANT, "p", nowhere);
  p->expr = ir_call(m, g, NULL, 0, nowhere);
  struct diag d = {0};
  assert_false(ir_model_finish(m, &d));
  assert_non_null(strstr(d.entries[0].message, "calls a function that changes"));
  diag_clear(&d);
  h->body = ir_return(m, ir_var_ref(m, x, nowhere), nowhere);
  assert_true(ir_model_finish(m, &d));
  ir_model_free(m);
  (void)unused;
}

static bool has(const uint64_t *set, uint64_t i) { return set[i / 64] >> i % 64 & 1; }

// a[i] := a[k] under guard b, with i a parameter and k a state variable.
static void test_access(void **unused) {
  struct ir_model *m = ir_model_new("access", "ir");
  struct ir_type *t = ir_type_range(m, 0, 3);
  struct ir_var *a = ir_var_new(m, "a", ir_type_array(m, t, t), nowhere); // leaves 0..3
  struct ir_var *b = ir_var_new(m, "b", m->bool_type, nowhere);           // 4
  struct ir_var *k = ir_var_new(m, "k", t, nowhere);                      // 5
  struct ir_rule *r = ir_rule_new(m, false, "r", nowhere);
  struct ir_local *i = ir_local_new(m, &r->frame, IR_LOCAL_BOUND, "i", t, nowhere);
  i->domain = ir_domain_type(m, t);
  r->param_count = 1;
  r->guard = ir_var_ref(m, b, nowhere);
  struct ir_expr *to = ir_index(m, ir_var_ref(m, a, nowhere), ir_local_ref(m, i, nowhere), nowhere);
  struct ir_expr *from = ir_index(m, ir_var_ref(m, a, nowhere), ir_var_ref(m, k, nowhere), nowhere);
  r->body = ir_assign(m, to, from, nowhere);
  struct ir_access set;
  ir_access_init(&set, m);
  int64_t two = 2;
  ir_access_rule(&set, m, r, &two);
  for (uint64_t l = 0; l < 6; l++) {
    assert_int_equal(has(set.guard_reads, l), l == 4);
    assert_int_equal(has(set.reads, l), true);
    assert_int_equal(has(set.writes, l), l == 2);
  }
  ir_access_clear(&set);
  ir_model_free(m);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_layouts), cmocka_unit_test(test_union),
      cmocka_unit_test(test_names),          cmocka_unit_test(test_instances),
      cmocka_unit_test(test_limits),         cmocka_unit_test(test_impure_property),
      cmocka_unit_test(test_access),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
