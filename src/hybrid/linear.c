// SPDX-License-Identifier: Apache-2.0
// Conditions in a case: as diagrams, once comparisons of numbers are decided.
#include "hybrid/linear.h"

// --- conditions ---

static dd place_truth(struct linear_place p) {
  if (p.kind == LINEAR_VAR) return dd_var(p.at, true);
  assert(p.kind == LINEAR_FIXED);
  return p.value ? dd_true() : dd_false();
}

// Of two numbers: their difference is negative, or zero.
static enum linear_outcome compare(struct linear_case *c, const struct term *t) {
  struct linear_number a, b;
  LINEAR_TRY(linear_number(c, t->arg[0], &a));
  LINEAR_TRY(linear_number(c, t->arg[1], &b));
  if (t->op == TERM_ULT && (a.lo < 0) != (a.hi < 0))
    return linear_split_at(c, t->arg[0], LINEAR_EXACT, -1);
  if (t->op == TERM_ULT && (b.lo < 0) != (b.hi < 0))
    return linear_split_at(c, t->arg[1], LINEAR_EXACT, -1);
  bool flips = t->op == TERM_ULT && (a.lo < 0) != (b.lo < 0);
  if (flips) {
    linear_keep_truth(c, t, a.lo < 0 ? dd_false() : dd_true());
    return LINEAR_DONE;
  }
  zaff *d = zaff_sub(a.aff, b.aff);
  zset *yes = t->op == TERM_EQ ? zset_is(d, 0) : zset_at_most(d, -1);
  zset *no = t->op == TERM_EQ ? zset_is_not(d, 0) : zset_at_least(d, 0);
  zaff_drop(d);
  return linear_split_sets(c, t, yes, no);
}

static enum linear_outcome connective(struct linear_case *c, const struct term *t, dd *out) {
  dd a, b;
  LINEAR_TRY(linear_truth(c, t->arg[0], &a));
  if (t->op == TERM_NOT) {
    *out = dd_not(a);
    return LINEAR_DONE;
  }
  bool decides = t->op == TERM_AND ? dd_is_false(a) : t->op == TERM_OR && dd_is_true(a);
  if (decides) {
    *out = dd_copy(a);
    return LINEAR_DONE;
  }
  LINEAR_TRY(linear_truth(c, t->arg[1], &b));
  *out = t->op == TERM_AND ? dd_and(a, b) : t->op == TERM_OR ? dd_or(a, b) : dd_equal(a, b);
  return LINEAR_DONE;
}

static enum linear_outcome choose_truth(struct linear_case *c, const struct term *t, dd *out) {
  dd when, a = dd_false(), b = dd_false();
  LINEAR_TRY(linear_truth(c, t->arg[0], &when));
  if (!dd_is_false(when)) LINEAR_TRY(linear_truth(c, t->arg[1], &a));
  if (!dd_is_true(when)) LINEAR_TRY(linear_truth(c, t->arg[2], &b));
  *out = dd_ite(when, a, b);
  return LINEAR_DONE;
}

static enum linear_outcome compute_truth(struct linear_case *c, const struct term *t, dd *out) {
  const struct linear_frame *f = c->frame;
  switch (t->op) {
  case TERM_LEAF: *out = place_truth(f->leaf(f->context, t)); return LINEAR_DONE;
  case TERM_DEFINED: *out = place_truth(f->defined(f->context, t)); return LINEAR_DONE;
  case TERM_CHOICE: *out = place_truth(f->choice(f->context, t)); return LINEAR_DONE;
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR: return connective(c, t, out);
  case TERM_ITE: return choose_truth(c, t, out);
  default: break;
  }
  if (t->op == TERM_EQ && t->arg[0]->is_bool && t->arg[1]->is_bool) return connective(c, t, out);
  while (!linear_find_truth(c, t)) LINEAR_TRY(compare(c, t));
  *out = dd_copy(linear_find_truth(c, t)->truth);
  return LINEAR_DONE;
}

enum linear_outcome linear_truth(struct linear_case *c, const struct term *t, dd *out) {
  assert(t->is_bool);
  struct linear_range r = linear_range(c, t);
  if (r.lo == r.hi) {
    *out = r.lo ? dd_true() : dd_false();
    return LINEAR_DONE;
  }
  const struct linear_known *k = linear_find_truth(c, t);
  if (!k) {
    dd made;
    LINEAR_TRY(compute_truth(c, t, &made));
    linear_keep_truth(c, t, made);
    k = linear_find_truth(c, t);
  }
  *out = k->truth;
  return LINEAR_DONE;
}

enum linear_outcome linear_assume(struct linear_case *c, const struct term *t) {
  if (t->op == TERM_AND) {
    LINEAR_TRY(linear_assume(c, t->arg[0]));
    return linear_dead(c) ? LINEAR_DONE : linear_assume(c, t->arg[1]);
  }
  dd truth;
  LINEAR_TRY(linear_truth(c, t, &truth));
  dd_set(&c->truth, dd_and(c->truth, truth));
  return LINEAR_DONE;
}
