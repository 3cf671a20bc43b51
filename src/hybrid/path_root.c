// SPDX-License-Identifier: Apache-2.0
// The first nodes of an unrolled machine: its entry, or the control states of a set of states. Each
// set is a conjunction; bounds that follow from it are found first, so that leaves with one value
// are constants. Linear sums have to stay inside of 64 bits, each side of a comparison by itself.
#include "hybrid/path_own.h"

#include "hybrid/interval.h"
#include "hybrid/states.h"
#include "hybrid/wide.h"
#include "ir/ir.h"

#include <string.h>

enum { ROUNDS = 12 }; // of finding bounds

#define ENDLESS ((wide)1 << 60) // products with factors, and sums of these, stay in 128 bits

struct bound {
  wide lo, hi;
};

struct roots {
  struct path *p;
  const struct efsm_state *state;
  const struct place *places;
  struct bound *leaves;   // by place, of the set in hand
  struct bound *unknowns; // its own
  size_t unknown_count, unknown_capacity;
  const struct term **own; // their terms
  // All sets of this control state together.
  struct bound *hull;
  uint8_t *defined; // EFSM_UNDEFINED, EFSM_DEFINED
  const struct term **values, **is_defined;
};

// --- bounds ---

static struct bound *bound_of(struct roots *r, uint64_t v) {
  if (v & PLAIN_UNKNOWN) return &r->unknowns[v & ~PLAIN_UNKNOWN];
  return &r->leaves[r->places->place[v]];
}

static size_t count_unknowns(const struct plain_set *s) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < s->constraint_count; i++)
    for (uint32_t k = 0; k < s->constraints[i].count; k++) {
      uint64_t v = s->constraints[i].variables[k];
      if ((v & PLAIN_UNKNOWN) && (v & ~PLAIN_UNKNOWN) >= n) n = (v & ~PLAIN_UNKNOWN) + 1;
    }
  return n;
}

static wide least(struct bound b, int64_t f) { return f > 0 ? b.lo * f : b.hi * f; }
static wide most(struct bound b, int64_t f) { return f > 0 ? b.hi * f : b.lo * f; }

static bool is_endless(wide x) { return x <= -ENDLESS || x >= ENDLESS; }

// factor * v + rest >= 0, rest being at most `top`.
static bool at_least(struct bound *b, int64_t factor, wide top) {
  if (factor > 0) {
    wide lo = -floor_div(top, factor);
    if (lo <= b->lo) return false;
    b->lo = lo;
  } else {
    wide hi = floor_div(top, -(wide)factor);
    if (hi >= b->hi) return false;
    b->hi = hi;
  }
  return true;
}

// What c says of its variable number k, the others being between their bounds.
static bool narrow_one(struct roots *r, const struct plain_constraint *c, uint32_t k) {
  wide top = c->constant, bottom = c->constant;
  bool high = true, low = c->equal, changed = false;
  for (uint32_t i = 0; i < c->count; i++) {
    if (i == k) continue;
    struct bound b = *bound_of(r, c->variables[i]);
    bool endless_top = is_endless(c->factors[i] > 0 ? b.hi : b.lo);
    bool endless_bottom = is_endless(c->factors[i] > 0 ? b.lo : b.hi);
    high &= !endless_top;
    low &= !endless_bottom;
    if (!endless_top) top += most(b, c->factors[i]);
    if (!endless_bottom) bottom += least(b, c->factors[i]);
  }
  struct bound *b = bound_of(r, c->variables[k]);
  if (high) changed |= at_least(b, c->factors[k], top);
  if (low) changed |= at_least(b, -c->factors[k], -bottom);
  return changed;
}

// False: nothing is in the set.
static bool find_bounds(struct roots *r, const struct plain_set *s) {
  bool changed = true, possible = true;
  for (int round = 0; changed && round < ROUNDS; round++) {
    changed = false;
    for (uint32_t i = 0; i < s->constraint_count; i++)
      for (uint32_t k = 0; k < s->constraints[i].count; k++)
        changed |= narrow_one(r, &s->constraints[i], k);
  }
  for (uint32_t i = 0; i < r->places->count; i++) possible &= r->leaves[i].lo <= r->leaves[i].hi;
  for (size_t i = 0; i < r->unknown_count; i++) possible &= r->unknowns[i].lo <= r->unknowns[i].hi;
  return possible;
}

static bool bound_set(struct roots *r, const struct plain_set *s) {
  r->unknown_count = count_unknowns(s);
  if (r->unknown_count > r->unknown_capacity) {
    r->unknown_capacity = r->unknown_count;
    r->unknowns = mem_realloc(r->unknowns, r->unknown_capacity * sizeof *r->unknowns);
    r->own = mem_realloc(r->own, r->unknown_capacity * sizeof *r->own);
  }
  for (size_t i = 0; i < r->unknown_count; i++) r->unknowns[i] = (struct bound){-ENDLESS, ENDLESS};
  for (uint32_t i = 0; i < r->places->count; i++) {
    uint32_t leaf = r->places->leaf[i];
    r->leaves[i] = (struct bound){r->state->lo[leaf], r->state->hi[leaf]};
  }
  return find_bounds(r, s);
}

// --- all sets of a control state ---

static void widen(struct roots *r, bool first) {
  for (uint32_t i = 0; i < r->places->count; i++) {
    struct bound b = r->leaves[i], *h = &r->hull[i];
    if (first || b.lo < h->lo) h->lo = b.lo;
    if (first || b.hi > h->hi) h->hi = b.hi;
  }
}

static bool cube_tells(const struct plain_cube *c, uint64_t what, bool *value) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->leaves[i] == what) {
      *value = c->values[i];
      return true;
    }
  return false;
}

// What all cubes of the set say of a Boolean: as a bound.
static struct bound told(const struct plain_set *s, uint64_t what) {
  struct bound b = {1, 0};
  for (uint32_t i = 0; i < s->cube_count; i++) {
    bool v;
    if (!cube_tells(&s->cubes[i], what, &v)) return (struct bound){0, 1};
    if (v < b.lo) b.lo = v;
    if (v > b.hi) b.hi = v;
  }
  return b.lo > b.hi ? (struct bound){0, 1} : b;
}

static void tell_cubes(struct roots *r, const struct plain_set *s, bool first) {
  for (uint32_t i = 0; i < r->places->count; i++) {
    uint32_t leaf = r->places->leaf[i];
    if (r->p->m->layout->leaf[leaf].type->kind == IR_TYPE_BOOL) {
      struct bound b = told(s, leaf);
      if (b.lo > r->leaves[i].lo) r->leaves[i].lo = b.lo;
      if (b.hi < r->leaves[i].hi) r->leaves[i].hi = b.hi;
    }
    struct bound d = told(s, leaf | PLAIN_DEFINED);
    uint8_t bits = (d.lo ? 0 : EFSM_UNDEFINED) | (d.hi ? EFSM_DEFINED : 0);
    r->defined[i] = (first ? 0 : r->defined[i]) | (bits & r->state->defined[leaf]);
  }
}

// Bounds of the leaves; false: no set has anything in it.
static bool find_hull(struct roots *r, const struct plain *from, uint32_t control) {
  bool first = true;
  for (size_t i = 0; i < from->sets.count; i++) {
    const struct plain_set *s = &from->sets.data[i];
    if (s->control != control || !bound_set(r, s)) continue;
    tell_cubes(r, s, first);
    widen(r, first);
    first = false;
  }
  return !first;
}

static void make_values(struct roots *r) {
  struct path *p = r->p;
  for (uint32_t i = 0; i < r->places->count; i++) {
    const struct ir_type *type = p->m->layout->leaf[r->places->leaf[i]].type;
    uint8_t d = r->defined[i];
    r->values[i] = path_unknown(p, type, (int64_t)r->hull[i].lo, (int64_t)r->hull[i].hi);
    r->is_defined[i] = d == (EFSM_UNDEFINED | EFSM_DEFINED)
                           ? path_truth(p)
                           : term_bool(p->terms, d != EFSM_UNDEFINED);
  }
}

// --- a set as a term ---

static const struct term *variable(struct roots *r, uint64_t v) {
  if (v & PLAIN_UNKNOWN) return r->own[v & ~PLAIN_UNKNOWN];
  return r->values[r->places->place[v]];
}

// The sum of this and of what has positive factors, or of the negative ones' opposite. False: it is
// too wide.
static bool side(struct roots *r, const struct plain_constraint *c, bool positive, wide start,
                 const struct term **out) {
  struct terms *t = r->p->terms;
  wide lo = start, hi = start;
  if (lo < INT64_MIN || hi > INT64_MAX) return false;
  *out = term_const(t, (int64_t)start);
  for (uint32_t i = 0; i < c->count; i++) {
    if ((c->factors[i] > 0) != positive) continue;
    wide f = positive ? c->factors[i] : -(wide)c->factors[i];
    const struct term *v = variable(r, c->variables[i]);
    if (v->is_bool) v = term_ite(t, v, term_const(t, 1), term_const(t, 0));
    lo += v->lo * f;
    hi += v->hi * f;
    if (lo < INT64_MIN || hi > INT64_MAX || f > INT64_MAX) return false;
    *out = term_binary(t, TERM_ADD, *out, term_binary(t, TERM_MUL, v, term_const(t, (int64_t)f)));
  }
  return true;
}

// The constant stands on the side where it has a place.
static bool constraint(struct roots *r, const struct plain_constraint *c, const struct term **all) {
  const struct term *p, *q;
  struct terms *t = r->p->terms;
  bool fits = side(r, c, true, c->constant, &p) && side(r, c, false, 0, &q);
  if (!fits) fits = side(r, c, true, 0, &p) && side(r, c, false, -(wide)c->constant, &q);
  if (!fits) return false;
  const struct term *holds =
      c->equal ? term_binary(t, TERM_EQ, p, q) : term_not(t, term_binary(t, TERM_LT, p, q));
  *all = term_and(t, *all, holds);
  return true;
}

static const struct term *cubes(struct roots *r, const struct plain_set *s) {
  struct terms *t = r->p->terms;
  const struct term *any = r->p->no;
  for (uint32_t i = 0; i < s->cube_count; i++) {
    const struct term *one = r->p->yes;
    for (uint32_t k = 0; k < s->cubes[i].count; k++) {
      uint64_t v = s->cubes[i].leaves[k];
      uint32_t place = r->places->place[v & ~PLAIN_DEFINED];
      const struct term *x = v & PLAIN_DEFINED ? r->is_defined[place] : r->values[place];
      one = term_and(t, one, s->cubes[i].values[k] ? x : term_not(t, x));
    }
    any = term_or(t, any, one);
  }
  return any;
}

// Its own unknowns need bounds that fit.
static bool make_own(struct roots *r) {
  for (size_t i = 0; i < r->unknown_count; i++) {
    struct bound b = r->unknowns[i];
    if (b.lo < INT64_MIN / 4 || b.hi > INT64_MAX / 4) return false;
    r->own[i] = path_unknown(r->p, r->p->m->int_type, (int64_t)b.lo, (int64_t)b.hi);
  }
  return true;
}

static bool set_term(struct roots *r, const struct plain_set *s, const struct term **out) {
  *out = cubes(r, s);
  if (!make_own(r)) return false;
  for (uint32_t i = 0; i < s->constraint_count; i++)
    if (!constraint(r, &s->constraints[i], out)) return false;
  return true;
}

// --- nodes ---

static bool add_root(struct roots *r, const struct plain *from, uint32_t control) {
  struct path *p = r->p;
  const struct term *any = p->no, *one;
  if (!find_hull(r, from, control)) return true;
  struct node n = {.state = control};
  n.values = r->values = ARENA_ARRAY(p->first, const struct term *, r->places->count + 1);
  n.defined = r->is_defined = ARENA_ARRAY(p->first, const struct term *, r->places->count + 1);
  make_values(r);
  for (size_t i = 0; i < from->sets.count; i++) {
    if (from->sets.data[i].control != control || !bound_set(r, &from->sets.data[i])) continue;
    if (!set_term(r, &from->sets.data[i], &one)) return false;
    any = term_or(p->terms, any, one);
  }
  if (term_is(any, 0)) return true;
  n.reach = path_truth(p);
  path_define(p, n.reach, n.reach, any);
  VEC_PUSH(&p->nodes, n);
  return true;
}

static bool add_control(struct path *p, uint32_t control) {
  struct roots r = {.p = p, .state = &p->e->states.data[control], .places = &p->places[control]};
  if (r.state->is_error || r.state->sink) return true;
  r.leaves = mem_zalloc(r.places->count + 1, sizeof *r.leaves);
  r.hull = mem_zalloc(r.places->count + 1, sizeof *r.hull);
  r.defined = mem_zalloc(r.places->count + 1, sizeof *r.defined);
  bool fits = add_root(&r, p->config.from, control);
  mem_free(r.leaves);
  mem_free(r.hull);
  mem_free(r.defined);
  mem_free(r.unknowns);
  mem_free(r.own);
  return fits;
}

bool path_begin(struct path *p) {
  if (p->config.from) {
    for (uint32_t i = 0; i < p->e->states.count; i++)
      if (!add_control(p, i)) return false;
    return true;
  }
  struct node n = {.state = EFSM_ENTRY, .reach = p->yes};
  size_t count = p->places[EFSM_ENTRY].count;
  n.values = ARENA_ARRAY(p->first, const struct term *, count + 1);
  n.defined = ARENA_ARRAY(p->first, const struct term *, count + 1);
  for (size_t i = 0; i < count; i++) {
    n.values[i] = term_const(p->terms, 0);
    n.defined[i] = p->no;
  }
  VEC_PUSH(&p->nodes, n);
  return true;
}
