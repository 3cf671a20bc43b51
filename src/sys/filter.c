// SPDX-License-Identifier: Apache-2.0
// With its parameters given, a guard often begins with conditions on single leaves: Proc[2].State =
// Idle. These become a comparison of a masked word each; most instances are disabled by one of
// them, and the evaluator is asked about the rest only. Conditions are taken from the left up to
// the first that says something else, so nothing that the evaluator would not have met is skipped.
#include "sys/filter.h"

enum { INSTANCES_MAX = 1 << 14 }; // later ones go unfiltered

// The condition is (state[word] & mask) == code, or != where `unequal`. A leaf that can be
// undefined is so when nothing is set under its mask: the evaluator will say what that means.
struct test {
  uint64_t mask, code;
  uint32_t word;
  bool unequal, undef;
};

struct filter {
  uint32_t instances;
  VEC(struct test) tests;
  uint32_t *end; // per instance: where its tests end; they begin where its predecessor's end
};

// --- finding out ---

struct binding {
  const struct ir_model *m;
  const struct ir_rule *r;
  int64_t *params;
};

static bool known(const struct binding *b, const struct ir_expr *x, int64_t *value) {
  if (ir_expr_const(x, value)) return true;
  if (x->op != IR_LOCAL || x->local->id >= b->r->param_count) return false;
  *value = b->params[x->local->id];
  return true;
}

// The leaf (or first leaf) that an lvalue names whatever the state is.
static bool fixed_leaf(const struct binding *b, const struct ir_expr *x, uint64_t *leaf) {
  int64_t i;
  switch (x->op) {
  case IR_VAR: *leaf = x->var->first_leaf; return true;
  case IR_FIELD:
    if (!fixed_leaf(b, x->args[0], leaf)) return false;
    *leaf += x->args[0]->type->fields[x->field].leaf;
    return true;
  case IR_INDEX: {
    const struct ir_type *array = x->args[0]->type;
    if (!fixed_leaf(b, x->args[0], leaf)) return false;
    if (!known(b, x->args[1], &i) || !ir_type_has(array->index, i)) return false;
    *leaf += ir_type_rank(array->index, i) * array->elem->leaves;
    return true;
  }
  default: return false;
  }
}

// Kept as a bit pattern, which does not compare as a number.
static bool is_pattern(const struct ir_type *t) { return t->kind == IR_TYPE_INT && !t->is_signed; }

// leaf = value, or leaf != value. Machine integers are left to the evaluator.
static bool leaf_test(const struct binding *b, const struct ir_expr *x, int64_t value, bool unequal,
                      struct test *t) {
  uint64_t leaf;
  if (!ir_type_scalar(x->type) || !fixed_leaf(b, x, &leaf)) return false;
  const struct ir_leaf *l = &b->m->layout->leaf[leaf];
  if (l->type->kind == IR_TYPE_INT || l->width == 0 || l->width == 64) return false;
  if (!ir_type_has(l->type, value)) return false;
  uint64_t code = ir_type_rank(l->type, value) + l->undef;
  *t = (struct test){.word = l->word,
                     .mask = (~UINT64_C(0) >> (64 - l->width)) << l->shift,
                     .code = code << l->shift,
                     .unequal = unequal,
                     .undef = l->undef};
  return true;
}

// A condition on the parameters alone: nothing to look at in the state.
static struct test settled(bool holds) { return (struct test){.unequal = !holds}; }

static bool comparison(const struct binding *b, const struct ir_expr *x, bool unequal,
                       struct test *t) {
  const struct ir_expr *left = x->args[0], *right = x->args[1];
  int64_t v, w;
  if (is_pattern(left->type) || is_pattern(right->type)) return false;
  if (known(b, left, &v) && known(b, right, &w)) {
    *t = settled((v == w) != unequal);
    return true;
  }
  if (known(b, right, &w)) return leaf_test(b, left, w, unequal, t);
  return known(b, left, &v) && leaf_test(b, right, v, unequal, t);
}

static bool condition(const struct binding *b, const struct ir_expr *x, bool want, struct test *t) {
  switch (x->op) {
  case IR_NOT: return condition(b, x->args[0], !want, t);
  case IR_EQ:
  case IR_NE: return comparison(b, x, (x->op == IR_EQ) != want, t);
  default: return x->type->kind == IR_TYPE_BOOL && leaf_test(b, x, want, false, t);
  }
}

// Adds the tests of a guard; false: the rest of the guard is the evaluator's.
static bool add_tests(struct filter *f, const struct binding *b, const struct ir_expr *x) {
  struct test t;
  if (!x) return true;
  if (x->op == IR_AND) return add_tests(f, b, x->args[0]) && add_tests(f, b, x->args[1]);
  if (!condition(b, x, true, &t)) return false;
  VEC_PUSH(&f->tests, t);
  return true;
}

struct filter *filter_new(const struct ir_model *m) {
  struct filter *f = mem_zalloc(1, sizeof *f);
  f->instances = m->rule_instances < INSTANCES_MAX ? m->rule_instances : INSTANCES_MAX;
  f->end = mem_zalloc(f->instances + 1, sizeof *f->end);
  uint32_t params_max = 1;
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->param_count > params_max) params_max = m->rules.data[i]->param_count;
  struct binding b = {.m = m, .params = mem_zalloc(params_max, sizeof *b.params)};
  for (uint32_t i = 0; i < f->instances; i++) {
    b.r = ir_instance(m, false, i, b.params);
    add_tests(f, &b, b.r->guard);
    f->end[i] = (uint32_t)f->tests.count;
  }
  mem_free(b.params);
  return f;
}

void filter_free(struct filter *f) {
  if (!f) return;
  VEC_CLEAR(&f->tests);
  mem_free(f->end);
  mem_free(f);
}

// --- asking ---

bool filter_disables(const struct filter *f, uint32_t instance, const uint64_t *state) {
  if (instance >= f->instances) return false;
  for (uint32_t i = instance ? f->end[instance - 1] : 0; i < f->end[instance]; i++) {
    const struct test *t = &f->tests.data[i];
    uint64_t code = state[t->word] & t->mask;
    if (t->undef && code == 0) return false;
    if ((code == t->code) == t->unequal) return true;
  }
  return false;
}
