// SPDX-License-Identifier: Apache-2.0
// Numbers in a case, as affine functions. Sums are left to grow past 64 bits as long as they can:
// what they are brought into afterwards takes away whole turns of 2^64 as well as its own.
#include "hybrid/linear.h"

#define WRAPS_SPLIT 3                // a number that wraps round more often is not taken apart
#define RAW_MAX     ((zint)1 << 100) // past this sums are brought into 64 bits

static zaff *constant(struct linear_case *c, zint v) {
  return zaff_const(c->linear->presburger, c->frame->dims, v);
}

// --- wrapping round ---

// a - turns * size, where turns = floor((a - least) / size).
static zaff *turned_back(const zaff *a, zint least, zint size) {
  zaff *shifted = zaff_shift(a, -least), *turns = zaff_floor(shifted, size);
  zaff *back = zaff_scale(turns, size), *r = zaff_sub(a, back);
  zaff_drop(shifted);
  zaff_drop(turns);
  zaff_drop(back);
  return r;
}

// The raw number of t brought into so many bits.
static enum linear_outcome wrap(struct linear_case *c, const struct term *t, unsigned bits,
                                bool is_signed, struct linear_made *out) {
  zint size = (zint)1 << bits, least = is_signed ? -(size / 2) : 0, most = least + size - 1;
  for (bool narrowed = false;; narrowed = true) {
    struct linear_number n;
    LINEAR_TRY(linear_raw(c, t, &n));
    zint first = floor_div(n.lo - least, size), last = floor_div(n.hi - least, size);
    if (first == last) {
      zint back = -first * size;
      *out = (struct linear_made){zaff_shift(n.aff, back), n.lo + back, n.hi + back};
      return LINEAR_DONE;
    }
    if (last - first < WRAPS_SPLIT) {
      LINEAR_TRY(linear_split_at(c, t, LINEAR_RAW, least + (first + 1) * size - 1));
    } else if (!narrowed) {
      LINEAR_TRY(linear_narrow(c, t, LINEAR_RAW, least, most));
    } else {
      *out = (struct linear_made){turned_back(n.aff, least, size), least, most};
      return LINEAR_DONE;
    }
  }
}

// --- by kind ---

static enum linear_outcome sum(struct linear_case *c, const struct term *t,
                               struct linear_made *out) {
  struct linear_number a, b;
  LINEAR_TRY(linear_raw(c, t->arg[0], &a));
  LINEAR_TRY(linear_raw(c, t->arg[1], &b));
  if (t->op == TERM_ADD)
    *out = (struct linear_made){zaff_add(a.aff, b.aff), a.lo + b.lo, a.hi + b.hi};
  else
    *out = (struct linear_made){zaff_sub(a.aff, b.aff), a.lo - b.hi, a.hi - b.lo};
  return LINEAR_DONE;
}

static enum linear_outcome of_truth(struct linear_case *c, const struct term *t, bool *out) {
  dd truth;
  LINEAR_TRY(linear_truth(c, t, &truth));
  if (dd_is_true(truth) || dd_is_false(truth)) {
    *out = dd_is_true(truth);
    return LINEAR_DONE;
  }
  return linear_split_truth(c, truth, out);
}

static enum linear_outcome choose(struct linear_case *c, const struct term *t,
                                  struct linear_made *out) {
  bool when;
  struct linear_number n;
  LINEAR_TRY(of_truth(c, t->arg[0], &when));
  LINEAR_TRY(linear_raw(c, t->arg[when ? 1 : 2], &n));
  *out = (struct linear_made){zaff_copy(n.aff), n.lo, n.hi};
  return LINEAR_DONE;
}

static enum linear_outcome placed(struct linear_case *c, const struct term *t,
                                  struct linear_place p, struct linear_made *out) {
  struct linear_range r = linear_range(c, t);
  assert(p.kind == LINEAR_DIM); // a fixed one has but one value
  *out = (struct linear_made){zaff_dim(c->linear->presburger, c->frame->dims, p.at), r.lo, r.hi};
  return LINEAR_DONE;
}

static enum linear_outcome make(struct linear_case *c, const struct term *t,
                                struct linear_made *out) {
  const struct linear_frame *f = c->frame;
  struct linear_range r = linear_range(c, t);
  bool truth;
  if (r.lo == r.hi) {
    *out = (struct linear_made){constant(c, r.lo), r.lo, r.hi};
    return LINEAR_DONE;
  }
  if (t->is_bool) {
    LINEAR_TRY(of_truth(c, t, &truth));
    *out = (struct linear_made){constant(c, truth), truth, truth};
    return LINEAR_DONE;
  }
  switch (t->op) {
  case TERM_LEAF: return placed(c, t, f->leaf(f->context, t), out);
  case TERM_CHOICE: return placed(c, t, f->choice(f->context, t), out);
  case TERM_ADD:
  case TERM_SUB: return sum(c, t, out);
  case TERM_WRAP: return wrap(c, t->arg[0], t->bits, t->is_signed, out);
  case TERM_ITE: return choose(c, t, out);
  default: return linear_operation(c, t, out);
  }
}

// --- both numbers of a term ---

static bool fits(zint lo, zint hi) { return lo >= INT64_MIN && hi <= INT64_MAX; }

// What fits is the term's value, of which more may be known.
static void narrow_value(struct linear_case *c, const struct term *t, struct linear_made *m) {
  struct linear_range r = linear_range(c, t);
  if (!fits(m->lo, m->hi)) return;
  if (r.lo > m->lo) m->lo = r.lo;
  if (r.hi < m->hi) m->hi = r.hi;
}

enum linear_outcome linear_raw(struct linear_case *c, const struct term *t,
                               struct linear_number *out) {
  const struct linear_known *k = linear_find_number(c, t, LINEAR_RAW);
  if (!k) {
    struct linear_made m;
    LINEAR_TRY(make(c, t, &m));
    if (!m.aff) return linear_fail(c, NULL);
    narrow_value(c, t, &m);
    bool large = m.lo < -RAW_MAX || m.hi > RAW_MAX;
    if (large) {
      zaff *back = turned_back(m.aff, INT64_MIN, (zint)1 << 64);
      zaff_drop(m.aff);
      m = (struct linear_made){back, INT64_MIN, INT64_MAX};
    }
    linear_keep_number(c, t, LINEAR_RAW, m.aff, m.lo, m.hi);
    k = linear_find_number(c, t, LINEAR_RAW);
  }
  *out = k->number[LINEAR_RAW];
  return LINEAR_DONE;
}

enum linear_outcome linear_number(struct linear_case *c, const struct term *t,
                                  struct linear_number *out) {
  const struct linear_known *k = linear_find_number(c, t, LINEAR_EXACT);
  if (!k) {
    struct linear_made m;
    LINEAR_TRY(wrap(c, t, 64, true, &m));
    if (!m.aff) return linear_fail(c, NULL);
    linear_keep_number(c, t, LINEAR_EXACT, m.aff, m.lo, m.hi);
    k = linear_find_number(c, t, LINEAR_EXACT);
  }
  *out = k->number[LINEAR_EXACT];
  return LINEAR_DONE;
}
