// SPDX-License-Identifier: Apache-2.0
// Intervals of terms, and narrowing by conditions: a condition is pushed down to what it speaks of,
// term by term; each narrowed term keeps what is known of it, so that a term that is both tested
// and written has it. Pushing down may leave intervals above wider than need be, never narrower.
#include "hybrid/interval.h"
#include "hybrid/wide.h"

#include <string.h>

enum {
  ROUNDS = 2,    // of pushing a condition down: what is known later can help earlier
  PUSHES = 3000, // terms that are narrowed in one of them
};

void intervals_init(struct intervals *v, size_t leaves) {
  *v = (struct intervals){.leaves = leaves};
  v->lo = mem_zalloc(leaves + 1, sizeof *v->lo);
  v->hi = mem_zalloc(leaves + 1, sizeof *v->hi);
  v->defined = mem_zalloc(leaves + 1, sizeof *v->defined);
}

void intervals_clear(struct intervals *v) {
  mem_free(v->lo);
  mem_free(v->hi);
  mem_free(v->defined);
  mem_free(v->known);
  mem_free(v->narrowed);
  mem_free(v->known_at);
  mem_free(v->narrowed_at);
  mem_free(v->pushed_at);
  *v = (struct intervals){0};
}

void intervals_begin(struct intervals *v, const int64_t *lo, const int64_t *hi,
                     const uint8_t *defined) {
  memcpy(v->lo, lo, v->leaves * sizeof *lo);
  memcpy(v->hi, hi, v->leaves * sizeof *hi);
  memcpy(v->defined, defined, v->leaves * sizeof *defined);
  v->never = false;
  v->round++;
  v->since = v->round;
}

static void reserve(struct intervals *v, uint32_t id) {
  if (id < v->capacity) return;
  size_t old = v->capacity;
  v->capacity = (size_t)id + id / 2 + 64;
  v->known = mem_realloc(v->known, v->capacity * sizeof *v->known);
  v->narrowed = mem_realloc(v->narrowed, v->capacity * sizeof *v->narrowed);
  uint32_t **stamps[] = {&v->known_at, &v->narrowed_at, &v->pushed_at};
  for (int i = 0; i < 3; i++) {
    *stamps[i] = mem_realloc(*stamps[i], v->capacity * sizeof **stamps[i]);
    memset(*stamps[i] + old, 0, (v->capacity - old) * sizeof **stamps[i]);
  }
}

// --- of a term ---

static bool meet(struct range *a, struct range b) {
  if (b.lo > a->lo) a->lo = b.lo;
  if (b.hi < a->hi) a->hi = b.hi;
  return a->lo <= a->hi;
}

static struct range join(struct range a, struct range b) {
  return (struct range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static bool is_point(struct range a) { return a.lo == a.hi; }

static struct range truth(bool can_be_false, bool can_be_true) {
  return (struct range){!can_be_false, can_be_true};
}

static struct range wrap_limits(const struct term *a) {
  int64_t ones = (int64_t)(~UINT64_C(0) >> (64 - a->bits)), hi = a->is_signed ? ones >> 1 : ones;
  return (struct range){a->is_signed ? -hi - 1 : 0, hi};
}

// How often wrapping takes the width off, if that is the same for all: then it is a mere shift.
static bool wrap_shift(const struct term *a, struct range of, wide *shift) {
  struct range limits = wrap_limits(a);
  wide width = (wide)1 << a->bits;
  wide low = (wide)of.lo - limits.lo, high = (wide)of.hi - limits.lo;
  wide k = low >= 0 ? low / width : -((-low + width - 1) / width);
  wide l = high >= 0 ? high / width : -((-high + width - 1) / width);
  *shift = k * width;
  return k == l;
}

static struct range wrapped(const struct term *a, struct range of) {
  wide shift;
  if (!wrap_shift(a, of, &shift)) return wrap_limits(a);
  return (struct range){(int64_t)(of.lo - shift), (int64_t)(of.hi - shift)};
}

static struct range compared(enum term_op op, struct range a, struct range b) {
  if (op == TERM_EQ)
    return truth(!(is_point(a) && is_point(b) && a.lo == b.lo), a.lo <= b.hi && b.lo <= a.hi);
  if (op == TERM_LT) return truth(a.hi >= b.lo, a.lo < b.hi);
  if ((a.lo >= 0 && b.lo >= 0) || (a.hi < 0 && b.hi < 0)) return compared(TERM_LT, a, b);
  if (a.lo >= 0 && b.hi < 0) return truth(false, true);
  if (a.hi < 0 && b.lo >= 0) return truth(true, false);
  return truth(true, true);
}

static struct range operated(const struct term *a, struct range x, struct range y) {
  if (a->op <= TERM_ULT) return compared(a->op, x, y);
  struct term p = {.lo = x.lo, .hi = x.hi}, q = {.lo = y.lo, .hi = y.hi};
  struct range r;
  term_interval(a->op, &p, &q, &r.lo, &r.hi);
  return r;
}

static struct range computed(struct intervals *v, const struct term *a) {
  struct range x, y;
  switch (a->op) {
  case TERM_CONST: return (struct range){a->value, a->value};
  case TERM_LEAF: return (struct range){v->lo[a->leaf], v->hi[a->leaf]};
  case TERM_DEFINED:
    return truth(v->defined[a->leaf] & EFSM_UNDEFINED, v->defined[a->leaf] & EFSM_DEFINED);
  case TERM_CHOICE: return (struct range){a->lo, a->hi};
  case TERM_NOT: x = intervals_of(v, a->arg[0]); return (struct range){!x.hi, !x.lo};
  case TERM_WRAP: return wrapped(a, intervals_of(v, a->arg[0]));
  default: break;
  }
  x = intervals_of(v, a->arg[0]);
  if (a->op == TERM_ITE) {
    if (is_point(x)) return intervals_of(v, a->arg[x.lo ? 1 : 2]);
    return join(intervals_of(v, a->arg[1]), intervals_of(v, a->arg[2]));
  }
  y = intervals_of(v, a->arg[1]);
  if (a->op == TERM_AND) return (struct range){x.lo & y.lo, x.hi & y.hi};
  if (a->op == TERM_OR) return (struct range){x.lo | y.lo, x.hi | y.hi};
  return operated(a, x, y);
}

struct range intervals_of(struct intervals *v, const struct term *a) {
  if (a->op == TERM_CONST) return (struct range){a->value, a->value};
  if (a->op == TERM_LEAF) {
    struct range r = {v->lo[a->leaf], v->hi[a->leaf]};
    return meet(&r, (struct range){a->lo, a->hi}) ? r : (struct range){a->lo, a->hi};
  }
  if (a->id < v->capacity && v->known_at[a->id] == v->round) return v->known[a->id];
  struct range own = {a->lo, a->hi}, r = computed(v, a);
  reserve(v, a->id);
  bool possible = meet(&r, own);
  if (possible && v->narrowed_at[a->id] == v->since) possible = meet(&r, v->narrowed[a->id]);
  if (!possible) {
    v->never = true;
    r = own;
  }
  v->known_at[a->id] = v->round;
  v->known[a->id] = r;
  return r;
}

// --- narrowing ---

static void narrow(struct intervals *v, const struct term *a, struct range to);

static int64_t clamp(wide x) {
  return x < INT64_MIN ? INT64_MIN : x > INT64_MAX ? INT64_MAX : (int64_t)x;
}

static struct range clamped(wide lo, wide hi) {
  struct range r = {clamp(lo), clamp(hi)};
  return lo > INT64_MAX || hi < INT64_MIN ? (struct range){1, 0} : r;
}

static bool fits(wide lo, wide hi) { return lo >= INT64_MIN && hi <= INT64_MAX; }

static void narrow_sum(struct intervals *v, const struct term *a, struct range to) {
  struct range x = intervals_of(v, a->arg[0]), y = intervals_of(v, a->arg[1]);
  bool minus = a->op == TERM_SUB;
  wide lo = minus ? (wide)x.lo - y.hi : (wide)x.lo + y.lo;
  wide hi = minus ? (wide)x.hi - y.lo : (wide)x.hi + y.hi;
  if (!fits(lo, hi)) return; // it may wrap round
  if (minus) {
    narrow(v, a->arg[0], clamped((wide)to.lo + y.lo, (wide)to.hi + y.hi));
    narrow(v, a->arg[1], clamped((wide)x.lo - to.hi, (wide)x.hi - to.lo));
  } else {
    narrow(v, a->arg[0], clamped((wide)to.lo - y.hi, (wide)to.hi - y.lo));
    narrow(v, a->arg[1], clamped((wide)to.lo - x.hi, (wide)to.hi - x.lo));
  }
}

static int64_t floored(int64_t a, int64_t by) { return a / by - (a % by < 0); }

static void narrow_product(struct intervals *v, const struct term *a, struct range to) {
  const struct term *k = a->arg[1];
  struct range x = intervals_of(v, a->arg[0]);
  if (k->op != TERM_CONST || k->value <= 0) return;
  if (!fits((wide)x.lo * k->value, (wide)x.hi * k->value)) return;
  wide lo = -(wide)floored(clamp(-(wide)to.lo), k->value); // up
  narrow(v, a->arg[0], clamped(lo, floored(to.hi, k->value)));
}

static void narrow_wrap(struct intervals *v, const struct term *a, struct range to) {
  wide shift;
  if (!wrap_shift(a, intervals_of(v, a->arg[0]), &shift)) return;
  narrow(v, a->arg[0], clamped(to.lo + shift, to.hi + shift));
}

static void require(struct intervals *v, const struct term *a, bool value) {
  narrow(v, a, (struct range){value, value});
}

static void narrow_ite(struct intervals *v, const struct term *a, struct range to) {
  struct range c = intervals_of(v, a->arg[0]);
  for (int side = 0; side < 2 && !is_point(c); side++) {
    struct range r = intervals_of(v, a->arg[1 + side]);
    if (r.lo <= to.hi && to.lo <= r.hi) continue;
    require(v, a->arg[0], side);
    c = (struct range){side, side};
  }
  if (is_point(c)) narrow(v, a->arg[c.lo ? 1 : 2], to);
}

// Cuts a value off at the rim of what a can be.
static void exclude(struct intervals *v, const struct term *a, struct range b) {
  struct range r = intervals_of(v, a);
  if (!is_point(b)) return;
  if (r.lo == b.lo && r.lo < INT64_MAX) narrow(v, a, (struct range){r.lo + 1, r.hi});
  if (r.hi == b.lo && r.hi > INT64_MIN) narrow(v, a, (struct range){r.lo, r.hi - 1});
}

static void narrow_less(struct intervals *v, const struct term *p, const struct term *q, bool yes) {
  struct range x = intervals_of(v, p), y = intervals_of(v, q);
  if (yes) {
    narrow(v, p, clamped(x.lo, (wide)y.hi - 1));
    narrow(v, q, clamped((wide)x.lo + 1, y.hi));
  } else {
    narrow(v, p, (struct range){y.lo, x.hi});
    narrow(v, q, (struct range){y.lo, x.hi});
  }
}

static void narrow_comparison(struct intervals *v, const struct term *a, bool yes) {
  const struct term *p = a->arg[0], *q = a->arg[1];
  struct range x = intervals_of(v, p), y = intervals_of(v, q);
  if (a->op == TERM_EQ && yes) {
    narrow(v, p, y);
    narrow(v, q, x);
  } else if (a->op == TERM_EQ) {
    exclude(v, p, y);
    exclude(v, q, x);
  } else if (a->op == TERM_LT || (x.lo >= 0 && y.lo >= 0) || (x.hi < 0 && y.hi < 0)) {
    narrow_less(v, p, q, yes);
  } else if (yes && y.lo >= 0) { // unsigned: below what is not negative
    narrow(v, p, clamped(0, (wide)y.hi - 1));
  } else if (!yes && x.lo >= 0) {
    narrow(v, q, (struct range){0, x.hi});
  }
}

// What a conjunction excludes, or a disjunction demands, with one side already known.
static void narrow_either(struct intervals *v, const struct term *a, bool yes) {
  struct range x = intervals_of(v, a->arg[0]), y = intervals_of(v, a->arg[1]);
  if (is_point(x) && x.lo != yes) require(v, a->arg[1], yes);
  if (is_point(y) && y.lo != yes) require(v, a->arg[0], yes);
}

static void narrow_truth(struct intervals *v, const struct term *a, bool yes) {
  switch (a->op) {
  case TERM_NOT: require(v, a->arg[0], !yes); break;
  case TERM_AND:
  case TERM_OR:
    if (yes != (a->op == TERM_AND)) return narrow_either(v, a, yes);
    require(v, a->arg[0], yes);
    require(v, a->arg[1], yes);
    break;
  case TERM_EQ:
  case TERM_LT:
  case TERM_ULT: narrow_comparison(v, a, yes); break;
  case TERM_DEFINED:
    v->defined[a->leaf] &= yes ? EFSM_DEFINED : EFSM_UNDEFINED;
    v->never |= !v->defined[a->leaf];
    break;
  default: break;
  }
}

static void push_down(struct intervals *v, const struct term *a, struct range to) {
  switch (a->op) {
  case TERM_ADD:
  case TERM_SUB: narrow_sum(v, a, to); break;
  case TERM_MUL: narrow_product(v, a, to); break;
  case TERM_WRAP: narrow_wrap(v, a, to); break;
  case TERM_ITE: narrow_ite(v, a, to); break;
  default:
    if (is_point(to)) narrow_truth(v, a, to.lo);
  }
}

static void narrow(struct intervals *v, const struct term *a, struct range to) {
  struct range old = intervals_of(v, a), r = old;
  if (v->pushes == 0) return;
  v->pushes--;
  if (!meet(&r, to)) {
    v->never = true;
    return;
  }
  if (a->op == TERM_CONST) return;
  if (a->op == TERM_LEAF) {
    v->lo[a->leaf] = r.lo;
    v->hi[a->leaf] = r.hi;
    return;
  }
  reserve(v, a->id);
  if (v->pushed_at[a->id] == v->round && r.lo == old.lo && r.hi == old.hi) return;
  v->known[a->id] = v->narrowed[a->id] = r;
  v->known_at[a->id] = v->pushed_at[a->id] = v->round;
  v->narrowed_at[a->id] = v->since;
  push_down(v, a, r);
}

bool intervals_assume(struct intervals *v, const struct term *a) {
  for (int i = 0; i < ROUNDS && !v->never; i++) {
    v->pushes = PUSHES;
    require(v, a, true);
    v->round++;
  }
  intervals_of(v, a);
  return !v->never;
}
