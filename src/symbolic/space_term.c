// SPDX-License-Identifier: Apache-2.0
// Terms as diagrams: decision diagrams are an algebra of bits (relation/bits.h), leaves and choices
// have the space's variables. Each term is made once for the rule that is bound.
#include "ir/ir.h"
#include "symbolic/space_own.h"

// --- diagrams as bits ---

static bit algebra_copy(void *context, bit a) {
  (void)context;
  return dd_copy(a);
}
static void algebra_drop(void *context, bit a) {
  (void)context;
  dd_drop(a);
}
static bit algebra_var(void *context, unsigned var, bool positive) {
  (void)context;
  return dd_var(var, positive);
}
static bit algebra_not(void *context, bit a) {
  (void)context;
  return dd_not(a);
}
static bit algebra_and(void *context, bit a, bit b) {
  (void)context;
  return dd_and(a, b);
}
static bit algebra_or(void *context, bit a, bit b) {
  (void)context;
  return dd_or(a, b);
}
static bit algebra_xor(void *context, bit a, bit b) {
  (void)context;
  return dd_xor(a, b);
}
static bit algebra_equal(void *context, bit a, bit b) {
  (void)context;
  return dd_equal(a, b);
}
static bit algebra_ite(void *context, bit c, bit a, bit b) {
  (void)context;
  return dd_ite(c, a, b);
}

// BuDDy's constants are these numbers (space_begin holds it to that).
const struct bits space_algebra = {.yes = 1,
                                   .no = 0,
                                   .copy = algebra_copy,
                                   .drop = algebra_drop,
                                   .var = algebra_var,
                                   .not = algebra_not,
                                   .and = algebra_and,
                                   .or = algebra_or,
                                   .xor = algebra_xor,
                                   .equal = algebra_equal,
                                   .ite = algebra_ite};

// The context is what is known of variables (space_given).
static bit given_var(void *context, unsigned var, bool positive) {
  uint8_t value = ((const uint8_t *)context)[var];
  return value == DD_FREE ? dd_var(var, positive) : (value != 0) == positive;
}

void space_given(struct space *s, uint8_t *values) {
  struct space_own *o = s->own;
  space_forget(s);
  o->given = space_algebra;
  o->given.var = given_var;
  o->given.context = values;
  o->encode.bits = values ? &o->given : &space_algebra;
}

// --- codes ---

struct code space_leaf_code(const struct space *s, uint64_t leaf, bool next) {
  const struct ir_leaf *l = &s->model->layout->leaf[leaf];
  const struct space_bits *b = &s->leaf[leaf];
  return (struct code){
      .var = next ? b->next : b->now, .count = b->count, .type = l->type, .undef = l->undef};
}

struct code space_choice_code(const struct space *s, uint32_t k) {
  const struct space_own *o = s->own;
  assert(o->bound && k < o->bound->rule->choice_count);
  if (o->choice_leaf[k] != SPACE_NONE) return space_leaf_code(s, o->choice_leaf[k], true);
  const struct ir_domain *d = encode_domain(o->bound, k);
  return (struct code){
      .var = s->choice[k].now, .count = s->choice[k].count, .type = d->type, .domain = d};
}

static struct code leaf_now(void *context, uint64_t leaf) {
  return space_leaf_code(context, leaf, false);
}

static struct code leaf_next(void *context, uint64_t leaf) {
  return space_leaf_code(context, leaf, true);
}

static struct code choice(void *context, uint32_t k) { return space_choice_code(context, k); }

void space_begin(struct space *s) {
  assert(dd_is_true(space_algebra.yes) && dd_is_false(space_algebra.no));
  s->own->encode = (struct encode){.bits = &space_algebra,
                                   .terms = s->relation->terms,
                                   .leaf = leaf_now,
                                   .next = leaf_next,
                                   .choice = choice,
                                   .context = s};
}

// --- the rule that is bound ---

void space_forget(struct space *s) { encode_forget(&s->own->encode); }

static const uint64_t *leaves_of(const struct space *s, const struct relation_rule *r) {
  return r->rule->is_start ? s->own->start_leaf[r->instance] : s->own->rule_leaf[r->instance];
}

uint64_t space_choice_leaf(const struct space *s, const struct relation_rule *r, uint32_t k) {
  return leaves_of(s, r)[k];
}

// Is every value of the term one of the leaf's?
static bool fits(const struct space *s, const struct relation_write *w) {
  const struct ir_type *t = s->model->layout->leaf[w->leaf].type;
  return t->kind != IR_TYPE_UNION && t->lo <= t->hi && w->value->lo >= t->lo &&
         w->value->hi <= t->hi;
}

void space_bind(struct space *s, const struct relation_rule *r, enum space_cut cut) {
  space_forget(s);
  s->own->bound = r;
  s->own->choice_leaf = r ? leaves_of(s, r) : NULL;
  for (size_t i = 0; r && cut && i < r->writes.count; i++) {
    const struct relation_write *w = &r->writes.data[i];
    bool plain = w->value->args > 0 && (!w->defined || term_is(w->defined, 1));
    if (plain && (cut != SPACE_CUT_SAFE || fits(s, w)))
      encode_cut(&s->own->encode, w->value, w->leaf);
  }
}

// --- terms ---

dd space_term(struct space *s, const struct term *t) { return encode_truth(&s->own->encode, t); }

dd space_written(struct space *s, const struct relation_write *w, bool next) {
  struct code to = space_leaf_code(s, w->leaf, next);
  return encode_written(&s->own->encode, &to, w);
}

dd space_unchanged(struct space *s, uint64_t leaf) {
  struct code now = space_leaf_code(s, leaf, false), next = space_leaf_code(s, leaf, true);
  return code_same(&space_algebra, &now, &next);
}

dd space_choice_valid(struct space *s, uint32_t k) {
  struct code c = space_choice_code(s, k);
  return code_within(&space_algebra, &c, encode_domain(s->own->bound, k));
}
