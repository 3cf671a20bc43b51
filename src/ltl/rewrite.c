// SPDX-License-Identifier: Apache-2.0
// Rewriting into normal form (rewrite.h), bottom-up, by the rules of Somenzi and Bloem (CAV 2000)
// and Etessami and Holzmann (CONCUR 2000), and that of eventual and universal parts, which may
// leave the operators around them. Every rule has a dual: with `dual`, read AND for OR, RELEASE for
// UNTIL, ALWAYS for EVENTUALLY, universal for eventual, and implications the other way round.
#include "ltl/rewrite.h"

#include <stdlib.h>

enum { ROUNDS_MAX = 4, PAIRED_MAX = 100, FUEL = 1000 };

typedef const struct ltl *formula;

static enum ltl_op dual_op(bool dual, enum ltl_op op) {
  if (!dual) return op;
  switch (op) {
  case LTL_TRUE: return LTL_FALSE;
  case LTL_FALSE: return LTL_TRUE;
  case LTL_AND: return LTL_OR;
  case LTL_OR: return LTL_AND;
  case LTL_EVENTUALLY: return LTL_ALWAYS;
  case LTL_ALWAYS: return LTL_EVENTUALLY;
  case LTL_UNTIL: return LTL_RELEASE;
  case LTL_RELEASE: return LTL_UNTIL;
  case LTL_PREVIOUS: return LTL_WEAK_PREVIOUS;
  case LTL_WEAK_PREVIOUS: return LTL_PREVIOUS;
  case LTL_ONCE: return LTL_HISTORICALLY;
  case LTL_HISTORICALLY: return LTL_ONCE;
  case LTL_SINCE: return LTL_TRIGGERED;
  case LTL_TRIGGERED: return LTL_SINCE;
  default: return op;
  }
}

static bool is(bool dual, formula x, enum ltl_op op) { return x->op == dual_op(dual, op); }

static bool eventual(struct ltl_rewriter *r, bool dual, formula x) {
  struct ltl_looks l = ltl_looks_of(r, x);
  return dual ? l.universal : l.eventual;
}

static bool universal(struct ltl_rewriter *r, bool dual, formula x) {
  return eventual(r, !dual, x);
}

static bool lasting(struct ltl_rewriter *r, formula x) { // the same now and later
  struct ltl_looks l = ltl_looks_of(r, x);
  return l.eventual && l.universal;
}

static bool below(struct ltl_rewriter *r, bool dual, formula a, formula b) {
  return dual ? ltl_implies(r, b, a) : ltl_implies(r, a, b);
}

static formula constant(struct ltl_rewriter *r, bool dual, bool top) {
  return ltl_make(r->factory, dual_op(dual, top ? LTL_TRUE : LTL_FALSE), NULL, NULL);
}

static formula normal(struct ltl_rewriter *r, formula x, bool negated);
static formula negation(struct ltl_rewriter *r, formula x) { return normal(r, x, true); }
static formula next(struct ltl_rewriter *r, formula x);
static formula eventually(struct ltl_rewriter *r, bool dual, formula x);
static formula until(struct ltl_rewriter *r, bool dual, formula a, formula b);
static formula either(struct ltl_rewriter *r, bool dual, formula a, formula b);

// --- or, and ---

// The operands of a tree of ORs.
static void add_terms(struct ltl_list *t, bool dual, formula x) {
  for (; is(dual, x, LTL_OR); x = x->left) add_terms(t, dual, x->right);
  VEC_PUSH(t, x);
}

// (b U c) || (a V b)  =  (a || c) V (b || c), also where either has but one operand.
static formula meet(struct ltl_rewriter *r, bool dual, formula x, formula y) {
  formula b = is(dual, y, LTL_ALWAYS) ? y->left : y->right;
  formula a = is(dual, y, LTL_ALWAYS) ? constant(r, dual, false) : y->left;
  if (!is(dual, x, LTL_UNTIL) || x->left != b) return NULL;
  return until(r, !dual, either(r, dual, a, x->right), either(r, dual, b, x->right));
}

static formula pull_together(struct ltl_rewriter *r, bool dual, formula x, formula y) {
  if (is(dual, x, LTL_UNTIL) && (is(dual, y, LTL_RELEASE) || is(dual, y, LTL_ALWAYS)))
    return meet(r, dual, x, y);
  if (is(dual, y, LTL_UNTIL) && (is(dual, x, LTL_RELEASE) || is(dual, x, LTL_ALWAYS)))
    return meet(r, dual, y, x);
  if (x->op != y->op) return NULL;
  if (x->op == LTL_NEXT) return next(r, either(r, dual, x->left, y->left));
  if (is(dual, x, LTL_EVENTUALLY) && !universal(r, dual, x->left) && !universal(r, dual, y->left))
    return eventually(r, dual, either(r, dual, x->left, y->left));
  if (is(dual, x, LTL_ALWAYS) && eventual(r, dual, x->left) && eventual(r, dual, y->left))
    return eventually(r, !dual, either(r, dual, x->left, y->left));
  if (is(dual, x, LTL_UNTIL) && x->left == y->left)
    return until(r, dual, x->left, either(r, dual, x->right, y->right));
  if (is(dual, x, LTL_RELEASE) && x->right == y->right)
    return until(r, !dual, either(r, dual, x->left, y->left), x->right);
  return NULL;
}

// What two operands are together: one of them, a constant, something new, or NULL.
static formula combine(struct ltl_rewriter *r, bool dual, formula x, formula y) {
  if (below(r, dual, x, y)) return y;
  if (below(r, dual, y, x)) return x;
  if (below(r, dual, negation(r, x), y)) return constant(r, dual, true);
  return pull_together(r, dual, x, y);
}

// Combines operands until no two can be any more.
static void combine_terms(struct ltl_rewriter *r, bool dual, struct ltl_list *t) {
  int fuel = FUEL;
  for (size_t i = 1; i < t->count && t->count <= PAIRED_MAX; i++)
    for (size_t j = 0; j < i; j++) {
      formula z = combine(r, dual, t->data[j], t->data[i]);
      if (!z) continue;
      t->data[i] = t->data[t->count - 1];
      t->data[j] = t->data[t->count - 2 + (j == t->count - 2)];
      t->count -= 2;
      add_terms(t, dual, z);
      i = 0;
      if (--fuel == 0) return;
      break;
    }
}

static int by_id(const void *a, const void *b) {
  uint32_t x = (*(const formula *)a)->id, y = (*(const formula *)b)->id;
  return (x > y) - (x < y);
}

// Takes the terms.
static formula either_of(struct ltl_rewriter *r, bool dual, struct ltl_list *t) {
  combine_terms(r, dual, t);
  if (t->count) qsort(t->data, t->count, sizeof *t->data, by_id);
  formula x = constant(r, dual, false);
  for (size_t i = 0; i < t->count; i++) {
    formula y = t->data[i];
    if (is(dual, y, LTL_TRUE)) {
      x = y;
      break;
    }
    if (is(dual, y, LTL_FALSE) || (i > 0 && y == t->data[i - 1])) continue;
    x = is(dual, x, LTL_FALSE) ? y : ltl_make(r->factory, dual_op(dual, LTL_OR), x, y);
  }
  VEC_CLEAR(t);
  return x;
}

static formula either(struct ltl_rewriter *r, bool dual, formula a, formula b) {
  struct ltl_list t = {0};
  add_terms(&t, dual, a);
  add_terms(&t, dual, b);
  return either_of(r, dual, &t);
}

typedef bool choice(struct ltl_rewriter *r, bool dual, formula x);
static bool is_lasting(struct ltl_rewriter *r, bool dual, formula x) {
  (void)dual;
  return lasting(r, x);
}

// Splits the operands of an OR into those that are chosen, together, and the rest; false if all
// or none of them are.
static bool split(struct ltl_rewriter *r, bool dual, formula x, choice *chosen, bool chosen_dual,
                  formula *yes, formula *no) {
  if (!is(dual, x, LTL_OR)) return false;
  struct ltl_list all = {0}, in = {0}, out = {0};
  add_terms(&all, dual, x);
  for (size_t i = 0; i < all.count; i++)
    if (chosen(r, chosen_dual, all.data[i]))
      VEC_PUSH(&in, all.data[i]);
    else
      VEC_PUSH(&out, all.data[i]);
  VEC_CLEAR(&all);
  bool both = in.count && out.count;
  *yes = either_of(r, dual, &in);
  *no = either_of(r, dual, &out);
  return both;
}

// --- next, eventually, always ---

static formula next(struct ltl_rewriter *r, formula x) {
  return lasting(r, x) ? x : ltl_unary(r->factory, LTL_NEXT, x);
}

// <>(x || y || ...): of a U b only b matters, and what is eventual or universal goes apart.
static formula eventually_or(struct ltl_rewriter *r, bool dual, formula x) {
  if (!is(dual, x, LTL_OR)) return NULL;
  struct ltl_list all = {0}, under = {0}, apart = {0};
  bool changed = false;
  add_terms(&all, dual, x);
  for (size_t i = 0; i < all.count; i++) {
    formula y = all.data[i];
    bool bare = is(dual, y, LTL_UNTIL) || is(dual, y, LTL_EVENTUALLY);
    bool leaves = !bare && (eventual(r, dual, y) || universal(r, dual, y));
    changed = changed || bare || leaves;
    if (leaves)
      VEC_PUSH(&apart, eventually(r, dual, y));
    else
      VEC_PUSH(&under, !bare ? y : y->right ? y->right : y->left);
  }
  VEC_CLEAR(&all);
  formula rest = either_of(r, dual, &under);
  if (changed) VEC_PUSH(&apart, eventually(r, dual, rest));
  formula whole = either_of(r, dual, &apart);
  return changed ? whole : NULL;
}

// <>[](x || y), or dually []<>(x && y), with y eventual or universal: each alone.
static formula eventually_always(struct ltl_rewriter *r, bool dual, formula x) {
  formula in, out;
  if (!is(dual, x, LTL_ALWAYS)) return NULL;
  if (!split(r, dual, x->left, eventual, dual, &in, &out) &&
      !split(r, dual, x->left, universal, dual, &in, &out))
    return NULL;
  formula a = eventually(r, dual, eventually(r, !dual, in));
  return either(r, dual, a, eventually(r, dual, eventually(r, !dual, out)));
}

static formula eventually(struct ltl_rewriter *r, bool dual, formula x) {
  formula in, out, y;
  if (eventual(r, dual, x)) return x;
  if (is(dual, x, LTL_UNTIL)) return eventually(r, dual, x->right);
  if (x->op == LTL_NEXT) return next(r, eventually(r, dual, x->left));
  if (split(r, !dual, x, is_lasting, dual, &in, &out))
    return either(r, !dual, in, eventually(r, dual, out));
  if ((y = eventually_or(r, dual, x)) || (y = eventually_always(r, dual, x))) return y;
  return ltl_unary(r->factory, dual_op(dual, LTL_EVENTUALLY), x);
}

// --- until, release ---

// The operands of an OR that are not below b, or of an AND those not above the negation of b: the
// others make no difference in x U b.
static formula without_idle(struct ltl_rewriter *r, bool dual, formula x, formula b) {
  bool junction = x->op == LTL_OR || x->op == LTL_AND, or = is(dual, x, LTL_OR);
  struct ltl_list all = {0}, kept = {0};
  add_terms(&all, or ? dual : !dual, x);
  formula opposite = or ? NULL : negation(r, b);
  for (size_t i = 0; i < all.count && junction; i++) {
    formula y = all.data[i];
    if (or ? !below(r, dual, y, b) : !below(r, dual, opposite, y)) VEC_PUSH(&kept, y);
  }
  bool changed = junction && kept.count < all.count;
  VEC_CLEAR(&all);
  formula rest = either_of(r, or ? dual : !dual, &kept);
  return changed ? rest : x;
}

// Where the operands tell what to do: NULL, if they do not.
static formula until_simple(struct ltl_rewriter *r, bool dual, formula a, formula b) {
  if (is(dual, a, LTL_FALSE) || eventual(r, dual, b) || below(r, dual, a, b)) return b;
  if (is(dual, a, LTL_TRUE) || below(r, dual, negation(r, b), a)) return eventually(r, dual, b);
  if (a->op == LTL_NEXT && b->op == LTL_NEXT) return next(r, until(r, dual, a->left, b->left));
  if (universal(r, dual, a)) return either(r, dual, b, either(r, !dual, a, eventually(r, dual, b)));
  return NULL;
}

// Nested ones: a U (c U d) and (c U d) U b.
static formula until_nested(struct ltl_rewriter *r, bool dual, formula a, formula b) {
  if (is(dual, b, LTL_UNTIL)) {
    if (below(r, dual, a, b->left)) return b;
    if (below(r, dual, b->left, a)) return until(r, dual, a, b->right);
  }
  if (is(dual, a, LTL_UNTIL)) {
    if (a->right == b) return a;
    if (below(r, dual, a->left, b)) return until(r, dual, a->right, b);
  }
  return NULL;
}

static formula until(struct ltl_rewriter *r, bool dual, formula a, formula b) {
  formula in, out, x;
  if ((x = until_simple(r, dual, a, b)) || (x = until_nested(r, dual, a, b))) return x;
  x = without_idle(r, dual, a, b);
  if (x != a) return until(r, dual, x, b);
  if (split(r, dual, b, eventual, dual, &in, &out))
    return either(r, dual, in, until(r, dual, a, out));
  if (split(r, !dual, b, is_lasting, dual, &in, &out))
    return either(r, !dual, in, until(r, dual, a, out));
  return ltl_make(r->factory, dual_op(dual, LTL_UNTIL), a, b);
}

// --- the whole ---

static formula equivalence(struct ltl_rewriter *r, formula x, bool negated) {
  formula a = normal(r, x->left, false), b = normal(r, x->right, negated);
  formula not_a = normal(r, x->left, true), not_b = normal(r, x->right, !negated);
  return either(r, false, either(r, true, a, b), either(r, true, not_a, not_b));
}

static formula normal_new(struct ltl_rewriter *r, formula x, bool negated) {
  if (x->op == LTL_TRUE || x->op == LTL_FALSE) return constant(r, negated, x->op == LTL_TRUE);
  if (x->op == LTL_ATOM) return negated ? ltl_unary(r->factory, LTL_NOT, x) : x;
  if (x->op == LTL_NOT) return normal(r, x->left, !negated);
  if (x->op == LTL_EQUIV) return equivalence(r, x, negated);
  formula a = normal(r, x->left, negated != (x->op == LTL_IMPLIES));
  formula b = x->right ? normal(r, x->right, negated) : NULL;
  if (ltl_is_past(x->op)) return ltl_make(r->factory, dual_op(negated, x->op), a, b);
  switch (x->op) {
  case LTL_NEXT: return next(r, a);
  case LTL_EVENTUALLY: return eventually(r, negated, a);
  case LTL_ALWAYS: return eventually(r, !negated, a);
  case LTL_UNTIL: return until(r, negated, a, b);
  case LTL_RELEASE: return until(r, !negated, a, b);
  case LTL_WEAK: return until(r, !negated, b, either(r, negated, a, b));
  case LTL_AND: return either(r, !negated, a, b);
  default: return either(r, negated, a, b); // OR, IMPLIES
  }
}

// The formula, or its negation, rewritten.
static formula normal(struct ltl_rewriter *r, formula x, bool negated) {
  struct ltl_list *known = negated ? &r->negated : &r->direct;
  while (known->count <= x->id) VEC_PUSH(known, NULL);
  if (known->data[x->id]) return known->data[x->id];
  formula y = normal_new(r, x, negated);
  known->data[x->id] = y;
  return y;
}

const struct ltl *ltl_rewrite(struct ltl_factory *f, const struct ltl *x) {
  formula before = NULL;
  for (int round = 0; round < ROUNDS_MAX && x != before; round++) {
    struct ltl_rewriter r = {.factory = f};
    before = x;
    x = normal(&r, x, false);
    VEC_CLEAR(&r.looks);
    VEC_CLEAR(&r.direct);
    VEC_CLEAR(&r.negated);
    ltl_implies_clear(&r);
  }
  return x;
}
