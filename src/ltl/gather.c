// SPDX-License-Identifier: Apache-2.0
// Rewriting takes eventual and lasting parts out of the operators around them, so that they meet.
// Where they come to stand in an OR, an automaton must choose at once; put back inside, it may
// choose later, in a state that it has anyway: <>x || <>[]y as <>(x || []y), x U y || <>z as x U (y
// || <>z).
#include "ltl/rewrite.h"

static const struct ltl *join(struct ltl_rewriter *r, enum ltl_op op, const struct ltl *a,
                              const struct ltl *b) {
  return !a ? b : !b ? a : ltl_make(r->factory, op, a, b);
}

static void add_terms(struct ltl_list *t, enum ltl_op op, const struct ltl *x) {
  for (; x->op == op; x = x->left) add_terms(t, op, x->right);
  VEC_PUSH(t, x);
}

typedef bool choice(struct ltl_rewriter *r, const struct ltl *x);

static bool is_eventual(struct ltl_rewriter *r, const struct ltl *x) {
  return ltl_looks_of(r, x).eventual;
}

static bool is_lasting(struct ltl_rewriter *r, const struct ltl *x) {
  return ltl_looks_of(r, x).eventual && ltl_looks_of(r, x).universal;
}

static bool is_eventually(struct ltl_rewriter *r, const struct ltl *x) {
  (void)r;
  return x->op == LTL_EVENTUALLY;
}

static bool is_eventually_universal(struct ltl_rewriter *r, const struct ltl *x) {
  return x->op == LTL_EVENTUALLY && ltl_looks_of(r, x->left).universal;
}

// Takes the terms of a kind out of the list, joined; inside: their operands. NULL: there are none.
static const struct ltl *take(struct ltl_rewriter *r, struct ltl_list *t, enum ltl_op op,
                              choice *kind, bool inside) {
  const struct ltl *taken = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < t->count; i++) {
    const struct ltl *x = t->data[i];
    if (kind(r, x))
      taken = join(r, op, taken, inside ? x->left : x);
    else
      t->data[kept++] = x;
  }
  t->count = kept;
  return taken;
}

// []<>x || <>y, y universal: []<>(x || y).
static void gather_repeated(struct ltl_rewriter *r, struct ltl_list *t) {
  size_t i = 0;
  while (i < t->count && !(t->data[i]->op == LTL_ALWAYS && is_eventually(r, t->data[i]->left))) i++;
  if (i == t->count) return;
  const struct ltl *host = t->data[i];
  t->data[i] = t->data[--t->count];
  const struct ltl *more = take(r, t, LTL_OR, is_eventually_universal, true);
  const struct ltl *x = join(r, LTL_OR, host->left->left, more);
  x = ltl_unary(r->factory, LTL_ALWAYS, ltl_unary(r->factory, LTL_EVENTUALLY, x));
  VEC_PUSH(t, x);
}

// <>x || <>y || z, z eventual: <>(x || y || z).
static void gather_eventual(struct ltl_rewriter *r, struct ltl_list *t) {
  const struct ltl *under = take(r, t, LTL_OR, is_eventually, true);
  if (!under) return;
  under = join(r, LTL_OR, under, take(r, t, LTL_OR, is_eventual, false));
  VEC_PUSH(t, ltl_unary(r->factory, LTL_EVENTUALLY, under));
}

// Puts the terms of a kind into the right operand of the first term of this operator.
static void put_into(struct ltl_rewriter *r, struct ltl_list *t, enum ltl_op op, choice *kind) {
  size_t i = 0;
  while (i < t->count && (t->data[i]->op != op || kind(r, t->data[i]))) i++;
  if (i == t->count) return;
  const struct ltl *host = t->data[i];
  t->data[i] = t->data[--t->count];
  const struct ltl *more = take(r, t, LTL_OR, kind, false);
  const struct ltl *last = join(r, LTL_OR, host->right ? host->right : host->left, more);
  VEC_PUSH(t, host->right ? ltl_make(r->factory, op, host->left, last)
                          : ltl_unary(r->factory, op, last));
}

static void gather_or(struct ltl_rewriter *r, struct ltl_list *t) {
  gather_repeated(r, t);
  gather_eventual(r, t);
  put_into(r, t, LTL_UNTIL, is_eventual);
  put_into(r, t, LTL_ALWAYS, is_lasting);
  put_into(r, t, LTL_RELEASE, is_lasting);
}

// <>x && y, x universal, y lasting: <>(x && y).
static void gather_and(struct ltl_rewriter *r, struct ltl_list *t) {
  const struct ltl *under = take(r, t, LTL_AND, is_eventually_universal, true);
  if (!under) return;
  under = join(r, LTL_AND, under, take(r, t, LTL_AND, is_lasting, false));
  VEC_PUSH(t, ltl_unary(r->factory, LTL_EVENTUALLY, under));
}

static const struct ltl *gather(struct ltl_rewriter *r, const struct ltl *x);

static const struct ltl *gather_terms(struct ltl_rewriter *r, const struct ltl *x) {
  struct ltl_list t = {0};
  const struct ltl *whole = NULL;
  add_terms(&t, x->op, x);
  for (size_t i = 0; i < t.count; i++) t.data[i] = gather(r, t.data[i]);
  (x->op == LTL_OR ? gather_or : gather_and)(r, &t);
  for (size_t i = 0; i < t.count; i++) whole = join(r, x->op, whole, t.data[i]);
  VEC_CLEAR(&t);
  return whole;
}

static const struct ltl *gather(struct ltl_rewriter *r, const struct ltl *x) {
  if (x->op <= LTL_NOT) return x;
  while (r->direct.count <= x->id) VEC_PUSH(&r->direct, NULL);
  if (r->direct.data[x->id]) return r->direct.data[x->id];
  const struct ltl *y;
  if (x->op == LTL_OR || x->op == LTL_AND)
    y = gather_terms(r, x);
  else
    y = ltl_make(r->factory, x->op, gather(r, x->left), x->right ? gather(r, x->right) : NULL);
  r->direct.data[x->id] = y;
  return y;
}

const struct ltl *ltl_gather(struct ltl_factory *f, const struct ltl *x) {
  struct ltl_rewriter r = {.factory = f};
  const struct ltl *y = gather(&r, x);
  VEC_CLEAR(&r.looks);
  VEC_CLEAR(&r.direct);
  return y;
}
