// SPDX-License-Identifier: Apache-2.0
// Intervals of terms in a case, from bounds of its coordinates: what decides most conditions before
// isl is asked. The result is never narrower than the truth.
#include "hybrid/linear.h"

typedef struct linear_range range;

static range between(zint lo, zint hi) {
  if (lo < INT64_MIN || hi > INT64_MAX) return (range){0, INT64_MIN, INT64_MAX};
  return (range){0, (int64_t)lo, (int64_t)hi};
}

static range narrower(range a, zint lo, zint hi) {
  if (lo > a.lo && lo <= a.hi) a.lo = (int64_t)lo;
  if (hi < a.hi && hi >= a.lo) a.hi = (int64_t)hi;
  return a;
}

static range truth(bool can_fail, bool can_hold) { return (range){0, !can_fail, can_hold}; }

static range product(range a, range b) {
  zint corner[4] = {(zint)a.lo * b.lo, (zint)a.lo * b.hi, (zint)a.hi * b.lo, (zint)a.hi * b.hi};
  zint lo = corner[0], hi = corner[0];
  for (int i = 1; i < 4; i++) {
    if (corner[i] < lo) lo = corner[i];
    if (corner[i] > hi) hi = corner[i];
  }
  return between(lo, hi);
}

static range compare(const struct term *t, range a, range b) {
  bool unsign = t->op == TERM_ULT && (a.lo < 0 || b.lo < 0);
  if (unsign && !(a.hi < 0 && b.hi < 0)) {
    if (a.lo >= 0 && b.hi < 0) return truth(false, true);
    if (a.hi < 0 && b.lo >= 0) return truth(true, false);
    return truth(true, true);
  }
  if (t->op == TERM_EQ)
    return truth(a.lo != a.hi || b.lo != b.hi || a.lo != b.lo, a.lo <= b.hi && b.lo <= a.hi);
  return truth(a.hi >= b.lo, a.lo < b.hi);
}

static range wrapped(const struct term *t, range a) {
  zint size = (zint)1 << t->bits, lo = t->is_signed ? -(size / 2) : 0, hi = lo + size - 1;
  return a.lo >= lo && a.hi <= hi ? a : between(lo, hi);
}

static range quotient(const struct term *t, range a, range b) {
  if (a.lo < 0 || b.lo != b.hi || b.lo <= 0) return between(t->lo, t->hi);
  if (t->op == TERM_DIV) return between(a.lo / b.lo, a.hi / b.lo);
  return a.hi < b.lo ? a : between(0, b.lo - 1);
}

static range binary(const struct term *t, range a, range b) {
  switch (t->op) {
  case TERM_EQ:
  case TERM_LT:
  case TERM_ULT: return compare(t, a, b);
  case TERM_ADD: return between((zint)a.lo + b.lo, (zint)a.hi + b.hi);
  case TERM_SUB: return between((zint)a.lo - b.hi, (zint)a.hi - b.lo);
  case TERM_MUL: return product(a, b);
  case TERM_DIV:
  case TERM_MOD: return quotient(t, a, b);
  case TERM_BITAND:
    if (a.lo >= 0 || b.lo >= 0)
      return between(0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : a.hi < b.hi ? a.hi : b.hi);
    break;
  case TERM_SHL:
    if (b.lo == b.hi && b.lo >= 0 && b.lo < 62)
      return product(a, (range){0, INT64_C(1) << b.lo, INT64_C(1) << b.lo});
    break;
  case TERM_SHR:
    if (b.lo == b.hi && b.lo >= 0 && b.lo < 64) return between(a.lo >> b.lo, a.hi >> b.lo);
    break;
  default: break;
  }
  return between(t->lo, t->hi);
}

static range connective(struct linear_case *c, const struct term *t) {
  range a = linear_range(c, t->arg[0]);
  if (t->op == TERM_NOT) return (range){0, !a.hi, !a.lo};
  bool is_and = t->op == TERM_AND;
  if (is_and ? !a.hi : a.lo) return a;
  range b = linear_range(c, t->arg[1]);
  if (is_and) return (range){0, a.lo && b.lo, a.hi && b.hi};
  return (range){0, a.lo || b.lo, a.hi || b.hi};
}

static range choose(struct linear_case *c, const struct term *t) {
  range when = linear_range(c, t->arg[0]);
  if (when.lo) return linear_range(c, t->arg[1]);
  if (!when.hi) return linear_range(c, t->arg[2]);
  range a = linear_range(c, t->arg[1]), b = linear_range(c, t->arg[2]);
  return (range){0, a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static range placed(struct linear_case *c, const struct term *t, struct linear_place p) {
  if (p.kind == LINEAR_FIXED) return (range){0, p.value, p.value};
  range r = {0, t->lo, t->hi};
  return p.kind == LINEAR_DIM ? narrower(r, c->lo[p.at], c->hi[p.at]) : r;
}

static range compute(struct linear_case *c, const struct term *t) {
  const struct linear_frame *f = c->frame;
  switch (t->op) {
  case TERM_CONST: return (range){0, t->value, t->value};
  case TERM_LEAF: return placed(c, t, f->leaf(f->context, t));
  case TERM_DEFINED: return placed(c, t, f->defined(f->context, t));
  case TERM_CHOICE: return placed(c, t, f->choice(f->context, t));
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR: return connective(c, t);
  case TERM_ITE: return choose(c, t);
  case TERM_WRAP: return wrapped(t, linear_range(c, t->arg[0]));
  default: return binary(t, linear_range(c, t->arg[0]), linear_range(c, t->arg[1]));
  }
}

// What has been found out otherwise.
static range known(struct linear_case *c, const struct term *t, range r) {
  if (t->is_bool) {
    const struct linear_known *k = linear_find_truth(c, t);
    if (k && dd_is_true(k->truth)) return truth(false, true);
    if (k && dd_is_false(k->truth)) return truth(true, false);
    return r;
  }
  const struct linear_known *k = linear_find_number(c, t, LINEAR_EXACT);
  if (!k) return r;
  return narrower(r, k->number[LINEAR_EXACT].lo, k->number[LINEAR_EXACT].hi);
}

static struct linear_range *slot(struct linear *l, const struct term *t) {
  if (t->id >= l->range_capacity) {
    size_t old = l->range_capacity;
    l->range_capacity = terms_count(l->terms) > 2 * old ? terms_count(l->terms) : 2 * old;
    assert(t->id < l->range_capacity);
    l->range = mem_realloc(l->range, l->range_capacity * sizeof *l->range);
    for (size_t i = old; i < l->range_capacity; i++) l->range[i] = (range){0};
  }
  return &l->range[t->id];
}

struct linear_range linear_range(struct linear_case *c, const struct term *t) {
  struct linear *l = c->linear;
  if (t->op == TERM_CONST) return (range){0, t->value, t->value};
  if (slot(l, t)->time == l->time) return *slot(l, t);
  range r = narrower(compute(c, t), t->lo, t->hi);
  if (t->op != TERM_LEAF && t->op != TERM_CHOICE && r.lo != r.hi) r = known(c, t, r);
  r.time = l->time;
  *slot(l, t) = r;
  return r;
}
