// SPDX-License-Identifier: Apache-2.0
// One edge from a pair of a control state on, and the way back (paper 003, (8) and (9)). In each
// case of the guard and the updates these are diagrams and affine functions: the set's image by
// them is what is reached.
#include "hybrid/states_own.h"

#include "ir/ir.h"

#include <string.h>

struct behind { // what a leaf is behind the edge
  bool fixed;   // it has this value
  zint value;
  int keep;  // else it is this coordinate from before, or
  zaff *aff; // this function of them
};

struct step {
  struct states *states;
  const struct efsm_edge *edge;
  const struct states_edge *place;
  const struct piece *goal; // the way back: from here; NULL: the way there
  struct gather *out;
  struct behind *to; // by coordinate behind the edge
};

// --- where terms are ---

static struct linear_place leaf_place(void *context, const struct term *t) {
  const struct step *x = context;
  return states_value_at(x->states, x->edge->from, t->leaf);
}

static struct linear_place defined_place(void *context, const struct term *t) {
  const struct step *x = context;
  return states_defined_at(x->states, x->edge->from, t->leaf);
}

static struct linear_place choice_place(void *context, const struct term *t) {
  const struct step *x = context;
  return (struct linear_place){t->is_bool ? LINEAR_VAR : LINEAR_DIM, 0,
                               x->place->choice[t->choice]};
}

static unsigned dims_before(const struct step *x) {
  return x->states->at[x->edge->from].dims + x->place->numbers;
}

// --- what leaves are behind the edge ---

static struct behind kept(const struct step *x, const struct linear_case *c, uint64_t leaf) {
  struct linear_place p = states_value_at(x->states, x->edge->from, leaf);
  if (p.kind == LINEAR_FIXED) return (struct behind){.fixed = true, .value = p.value, .keep = -1};
  return (struct behind){
      .fixed = c->lo[p.at] == c->hi[p.at], .value = c->lo[p.at], .keep = (int)p.at};
}

// The branch that is taken in this case, if only one is.
static enum linear_outcome branch(struct linear_case *c, const struct term **t) {
  while ((*t)->op == TERM_ITE) {
    dd when;
    LINEAR_TRY(linear_truth(c, (*t)->arg[0], &when));
    if (!dd_is_true(when) && !dd_is_false(when)) break;
    *t = (*t)->arg[dd_is_true(when) ? 1 : 2];
  }
  return LINEAR_DONE;
}

// Of what is undefined the number does not matter, so it is always the same one.
static enum linear_outcome written(const struct step *x, struct linear_case *c,
                                   const struct relation_write *w, struct behind *out) {
  dd defined;
  struct linear_number n;
  *out = (struct behind){.fixed = true, .keep = -1};
  LINEAR_TRY(linear_truth(c, w->defined, &defined));
  const struct term *t = w->value;
  LINEAR_TRY(branch(c, &t));
  struct linear_range r = linear_range(c, t);
  out->value = r.lo;
  if (!dd_meets(c->truth, defined)) {
    out->value = x->states->efsm->states.data[x->edge->to].lo[w->leaf];
  } else if (t->op == TERM_LEAF && t->leaf == w->leaf) {
    *out = kept(x, c, w->leaf);
  } else if (r.lo != r.hi) {
    LINEAR_TRY(linear_number(c, t, &n));
    out->value = n.lo;
    out->fixed = n.lo == n.hi;
    if (!out->fixed) out->aff = zaff_copy(n.aff);
  }
  return LINEAR_DONE;
}

static void drop_numbers(struct step *x) {
  for (uint32_t i = 0; i < x->states->at[x->edge->to].dims; i++) zaff_drop(x->to[i].aff);
  memset(x->to, 0, x->states->at[x->edge->to].dims * sizeof *x->to);
}

static enum linear_outcome numbers_behind(struct step *x, struct linear_case *c) {
  const struct states_at *at = &x->states->at[x->edge->to];
  for (uint32_t i = 0; i < at->dims; i++) {
    const struct relation_write *w = efsm_write(x->edge, at->leaves[i]);
    if (w)
      LINEAR_TRY(written(x, c, w, &x->to[i]));
    else
      x->to[i] = kept(x, c, at->leaves[i]);
  }
  return LINEAR_DONE;
}

static zaff *function(const struct step *x, const struct behind *b) {
  struct presburger *p = x->states->presburger;
  if (b->aff) return zaff_copy(b->aff);
  return b->keep >= 0 ? zaff_dim(p, dims_before(x), (unsigned)b->keep)
                      : zaff_const(p, dims_before(x), b->value);
}

// Of all coordinates, or (only) those that are not kept; to be dropped.
static zaff **functions(const struct step *x, bool only) {
  uint32_t dims = x->states->at[x->edge->to].dims;
  zaff **f = mem_zalloc(dims + 1, sizeof *f);
  for (uint32_t i = 0; i < dims; i++)
    if (!only || x->to[i].keep < 0) f[i] = function(x, &x->to[i]);
  return f;
}

static void drop_functions(const struct step *x, zaff **f) {
  for (uint32_t i = 0; i < x->states->at[x->edge->to].dims; i++) zaff_drop(f[i]);
  mem_free(f);
}

// *all, which says what variables after the step are, also says that this one is `truth`.
static void tell(dd *all, unsigned var, dd truth) {
  dd after = dd_var(var + 1, true);
  dd_and_to(all, dd_equal(after, truth));
  dd_drop(after);
}

static enum linear_outcome tell_part(struct linear_case *c, dd *all, unsigned var,
                                     struct linear_place to, struct linear_place from,
                                     const struct term *written) {
  if (to.kind != LINEAR_VAR) return LINEAR_DONE;
  dd truth;
  if (written) {
    LINEAR_TRY(linear_truth(c, written, &truth));
    tell(all, var, truth);
  } else if (from.kind == LINEAR_FIXED) {
    tell(all, var, from.value ? dd_true() : dd_false());
  }
  return LINEAR_DONE;
}

// Variables after the step, where they are not those from before.
static enum linear_outcome truths_behind(struct step *x, struct linear_case *c, dd *all) {
  const struct states *s = x->states;
  uint32_t from = x->edge->from, to = x->edge->to;
  for (uint64_t i = 0; i < s->efsm->leaves && x->place->boolean; i++) {
    if (s->value_var[i] == NO_VAR && s->defined_var[i] == NO_VAR) continue;
    const struct relation_write *w = efsm_write(x->edge, i);
    if (s->value_var[i] != NO_VAR)
      LINEAR_TRY(tell_part(c, all, s->value_var[i], states_value_at(s, to, i),
                           states_value_at(s, from, i), w ? w->value : NULL));
    if (s->defined_var[i] != NO_VAR)
      LINEAR_TRY(tell_part(c, all, s->defined_var[i], states_defined_at(s, to, i),
                           states_defined_at(s, from, i), w ? w->defined : NULL));
  }
  return LINEAR_DONE;
}

// --- there ---

static zset *point_behind(const struct step *x, uint32_t dims) {
  zint *values = mem_alloc((dims + 1) * sizeof *values);
  for (uint32_t i = 0; i < dims; i++) values[i] = x->to[i].value;
  zset *r = zset_point(x->states->presburger, dims, values);
  mem_free(values);
  return r;
}

static zset *image_behind(const struct step *x, const struct linear_case *c, uint32_t dims) {
  int *keep = mem_alloc((dims + 1) * sizeof *keep);
  for (uint32_t i = 0; i < dims; i++) keep[i] = x->to[i].keep;
  zaff **f = functions(x, true);
  zset *r = zset_image(c->set, keep, f, dims);
  drop_functions(x, f);
  mem_free(keep);
  return r;
}

static zset *set_behind(const struct step *x, const struct linear_case *c) {
  uint32_t dims = x->states->at[x->edge->to].dims;
  bool point = true;
  for (uint32_t i = 0; i < dims; i++) point &= x->to[i].fixed;
  return point ? point_behind(x, dims) : image_behind(x, c, dims);
}

static void arrive(struct step *x, const struct linear_case *c, dd behind) {
  dd truth = dd_and_exists(c->truth, behind, x->place->forget);
  if (x->place->boolean) dd_set(&truth, dd_rename(truth, x->place->arrive));
  gather_add(x->out, x->edge->to, truth, set_behind(x, c));
}

// --- and back ---

static bool come_from(struct step *x, const struct linear_case *c, dd behind,
                      const struct pair *goal) {
  dd ahead = x->place->boolean ? dd_rename(goal->truth, x->place->leave) : dd_copy(goal->truth);
  dd_and_to(&ahead, dd_copy(behind));
  dd truth = dd_and_exists(c->truth, ahead, x->place->ahead);
  dd_drop(ahead);
  zaff **f = functions(x, false);
  zset *led = zset_before(goal->set, f, x->states->at[x->edge->to].dims, dims_before(x));
  drop_functions(x, f);
  zset *set = zset_meet(c->set, led);
  zset_drop(led);
  int empty = dd_is_false(truth) ? 1 : zset_empty(set);
  if (empty == 0) {
    zset_take(&set, zset_project(set, x->states->at[x->edge->from].dims, x->place->numbers));
    gather_add(x->out, x->edge->from, dd_copy(truth), zset_copy(set));
  }
  dd_drop(truth);
  zset_drop(set);
  return empty >= 0;
}

// --- both ---

static enum linear_outcome lead(struct step *x, struct linear_case *c, dd behind) {
  if (!x->goal) {
    arrive(x, c, behind);
    return LINEAR_DONE;
  }
  for (size_t i = 0; i < x->goal->count; i++)
    if (!come_from(x, c, behind, &x->goal->pairs[i])) return linear_fail(c, NULL);
  return LINEAR_DONE;
}

static enum linear_outcome take(void *context, struct linear_case *c) {
  struct step *x = context;
  const char *why = states_stopped(x->states);
  if (why) return linear_fail(c, why);
  drop_numbers(x);
  LINEAR_TRY(linear_assume(c, x->edge->guard));
  if (linear_dead(c)) return LINEAR_DONE;
  LINEAR_TRY(numbers_behind(x, c));
  dd behind = dd_true();
  enum linear_outcome o = truths_behind(x, c, &behind);
  if (o == LINEAR_DONE) o = lead(x, c, behind);
  dd_drop(behind);
  return o;
}

// Takes set, which has the coordinates of leaves only.
static bool run(struct step *x, dd truth, zset *set) {
  struct states *s = x->states;
  struct linear_frame f = {dims_before(x), leaf_place, defined_place, choice_place, x};
  unsigned first = s->at[x->edge->from].dims;
  zset_take(&set, zset_extend(set, x->place->numbers));
  for (unsigned i = 0; i < x->place->numbers; i++)
    zset_take(&set, zset_within(set, first + i, x->place->bounds[i].lo, x->place->bounds[i].hi));
  x->to = mem_zalloc(s->at[x->edge->to].dims + 1, sizeof *x->to);
  bool ok = linear_cases(s->linear, &f, truth, set, take, x);
  drop_numbers(x);
  mem_free(x->to);
  zset_drop(set);
  return ok || states_fail(s, linear_why(s->linear));
}

bool image_edge(struct states *s, uint32_t edge, const struct pair *from, struct gather *out) {
  struct step x = {
      .states = s, .edge = &s->efsm->edges.data[edge], .place = states_edge(s, edge), .out = out};
  return run(&x, from->truth, zset_copy(from->set));
}

bool image_before(struct states *s, uint32_t edge, const struct piece *to, struct gather *out) {
  struct step x = {.states = s,
                   .edge = &s->efsm->edges.data[edge],
                   .place = states_edge(s, edge),
                   .goal = to,
                   .out = out};
  return run(&x, dd_true(), states_box(s, x.edge->from));
}
