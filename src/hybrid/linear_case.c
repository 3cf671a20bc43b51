// SPDX-License-Identifier: Apache-2.0
// Cases: a set is given to the work at hand, and taken apart where that asks for it. One part is
// worked on first; the other then takes the place of the whole, and with it all that is known.
#include "hybrid/linear.h"

#define CASES_MAX (UINT64_C(1) << 16) // of one set

struct linear *linear_new(struct presburger *p, const struct terms *terms) {
  struct linear *l = mem_zalloc(1, sizeof *l);
  l->presburger = p;
  l->terms = terms;
  l->why = "nonlinear";
  return l;
}

void linear_free(struct linear *l) {
  if (!l) return;
  mem_free(l->range);
  mem_free(l);
}

const char *linear_why(const struct linear *l) { return l->why; }

enum linear_outcome linear_fail(struct linear_case *c, const char *why) {
  c->linear->why = why ? why : presburger_why(c->linear->presburger);
  return LINEAR_FAILED;
}

bool linear_dead(const struct linear_case *c) { return dd_is_false(c->truth); }

// --- one case ---

// Intervals that were worked out are no longer good.
static void forget_ranges(struct linear *l) { l->time++; }

static bool read_bounds(struct linear_case *c) {
  for (unsigned i = 0; i < c->frame->dims; i++) {
    c->lo[i] = INT64_MIN;
    c->hi[i] = INT64_MAX;
  }
  return zset_bounds(c->set, c->lo, c->hi);
}

static bool begin(struct linear_case *c) {
  unsigned dims = c->frame->dims;
  c->lo = mem_alloc((2 * (size_t)dims + 1) * sizeof *c->lo);
  c->hi = c->lo + dims;
  forget_ranges(c->linear);
  return read_bounds(c);
}

static void clear_split(struct linear_case *c) {
  dd_drop(c->split.truth);
  zset_drop(c->split.yes);
  zset_drop(c->split.no);
  c->split = (struct linear_split){0};
}

static void clear(struct linear_case *c) {
  linear_clear_known(c);
  clear_split(c);
  dd_drop(c->truth);
  zset_drop(c->set);
  mem_free(c->lo);
}

// --- taking apart ---

// Which side of the split this is, as something known.
static void keep_side(struct linear_case *c, const struct linear_case *whole, bool yes) {
  const struct linear_split *s = &whole->split;
  if (s->is_truth) return;
  if (s->slot < 0) {
    linear_keep_truth(c, s->term, yes ? dd_true() : dd_false());
    return;
  }
  struct linear_number n = linear_find_number(whole, s->term, s->slot)->number[s->slot];
  zaff *aff = zaff_copy(n.aff);
  linear_keep_number(c, s->term, s->slot, aff, yes ? n.lo : s->bound + 1, yes ? s->bound : n.hi);
}

static struct linear_case part(struct linear_case *c) {
  struct linear_case yes = {.linear = c->linear, .frame = c->frame, .outer = c};
  if (c->split.is_truth) {
    yes.truth = dd_and(c->truth, c->split.truth);
    yes.set = zset_copy(c->set);
  } else {
    yes.truth = dd_copy(c->truth);
    yes.set = zset_copy(c->split.yes);
  }
  keep_side(&yes, c, true);
  return yes;
}

static bool take_rest(struct linear_case *c) {
  if (c->split.is_truth)
    dd_set(&c->truth, dd_minus(c->truth, c->split.truth));
  else
    zset_take(&c->set, zset_copy(c->split.no));
  keep_side(c, c, false);
  clear_split(c);
  forget_ranges(c->linear);
  return read_bounds(c);
}

static bool run(struct linear_case *c, linear_work *work, void *context) {
  if (!begin(c)) return linear_fail(c, NULL) == LINEAR_DONE;
  for (;;) {
    enum linear_outcome o = work(context, c);
    if (o != LINEAR_SPLIT) return o == LINEAR_DONE;
    if (++c->linear->cases > CASES_MAX) return linear_fail(c, "operations") == LINEAR_DONE;
    struct linear_case yes = part(c);
    bool ok = run(&yes, work, context);
    clear(&yes);
    if (!ok) return false;
    if (!take_rest(c)) return linear_fail(c, NULL) == LINEAR_DONE;
  }
}

bool linear_cases(struct linear *l, const struct linear_frame *f, dd truth, const zset *set,
                  linear_work *work, void *context) {
  l->cases = 0;
  struct linear_case c = {.linear = l, .frame = f, .truth = dd_copy(truth), .set = zset_copy(set)};
  bool ok = run(&c, work, context);
  clear(&c);
  return ok;
}

// --- where to take apart ---

// Both parts, unless one is empty: then which.
enum side { NEITHER, ONLY_YES, ONLY_NO, BOTH };

static enum side sides(struct linear_case *c, zset *yes, zset *no) {
  zset_take(&c->split.yes, zset_meet(c->set, yes));
  zset_take(&c->split.no, zset_meet(c->set, no));
  zset_drop(yes);
  zset_drop(no);
  int y = zset_empty(c->split.yes), n = y == 1 ? 0 : zset_empty(c->split.no);
  if (y < 0 || n < 0) return NEITHER;
  return y ? ONLY_NO : n ? ONLY_YES : BOTH;
}

enum linear_outcome linear_split_at(struct linear_case *c, const struct term *t, int slot,
                                    zint bound) {
  struct linear_number n = linear_find_number(c, t, slot)->number[slot];
  enum side s = sides(c, zset_at_most(n.aff, bound), zset_at_least(n.aff, bound + 1));
  if (s == NEITHER) return linear_fail(c, NULL);
  c->split.term = t;
  c->split.slot = slot;
  c->split.bound = bound;
  if (s == BOTH) return LINEAR_SPLIT;
  keep_side(c, c, s == ONLY_YES);
  forget_ranges(c->linear);
  clear_split(c);
  return LINEAR_DONE;
}

static int beyond(struct linear_case *c, zset *outside) {
  zset *some = zset_meet(c->set, outside);
  int empty = zset_empty(some);
  zset_drop(some);
  zset_drop(outside);
  return empty < 0 ? -1 : !empty;
}

enum linear_outcome linear_narrow(struct linear_case *c, const struct term *t, int slot, zint lo,
                                  zint hi) {
  struct linear_number n = linear_find_number(c, t, slot)->number[slot];
  int below = n.lo < lo ? beyond(c, zset_at_most(n.aff, lo - 1)) : 0;
  int above = n.hi > hi ? beyond(c, zset_at_least(n.aff, hi + 1)) : 0;
  if (below < 0 || above < 0) return linear_fail(c, NULL);
  zint least = n.lo < lo && !below ? lo : n.lo, most = n.hi > hi && !above ? hi : n.hi;
  linear_keep_number(c, t, slot, zaff_copy(n.aff), least, most);
  return LINEAR_DONE;
}

enum linear_outcome linear_split_truth(struct linear_case *c, dd truth, bool *out) {
  *out = dd_implies(c->truth, truth);
  if (*out || !dd_meets(c->truth, truth)) return LINEAR_DONE;
  c->split.is_truth = true;
  c->split.truth = dd_copy(truth);
  return LINEAR_SPLIT;
}

enum linear_outcome linear_split_sets(struct linear_case *c, const struct term *t, zset *yes,
                                      zset *no) {
  enum side s = sides(c, yes, no);
  if (s == NEITHER) return linear_fail(c, NULL);
  c->split.term = t;
  c->split.slot = -1;
  if (s == BOTH) return LINEAR_SPLIT;
  keep_side(c, c, s == ONLY_YES);
  clear_split(c);
  return LINEAR_DONE;
}
