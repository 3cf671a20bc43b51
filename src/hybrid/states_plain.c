// SPDX-License-Identifier: Apache-2.0
// A disjunct without isl and diagrams, for solvers, and one state of it.
#include "hybrid/states_own.h"

#include "ir/ir.h"

#include <string.h>

#define CUBES_MAX 4096 // of one diagram

// --- diagrams as cubes ---

struct cubes {
  struct plain *out;
  const struct states *states;
  VEC(struct plain_cube) all;
  VEC(uint64_t) leaves; // the path so far
  VEC(bool) values;
};

// The leaf that a variable stands for.
static uint64_t leaf_of(const struct states *s, unsigned var) {
  for (uint64_t i = 0; i < s->efsm->leaves; i++) {
    if (s->value_var[i] == var) return i;
    if (s->defined_var[i] == var) return PLAIN_DEFINED + i;
  }
  assert(!"no leaf's");
  return 0;
}

static void add_cube(struct cubes *c) {
  size_t n = c->leaves.count;
  uint64_t *leaves = ARENA_ARRAY(c->out->arena, uint64_t, n + 1);
  bool *values = ARENA_ARRAY(c->out->arena, bool, n + 1);
  for (size_t i = 0; i < n; i++) {
    leaves[i] = c->leaves.data[i];
    values[i] = c->values.data[i];
  }
  struct plain_cube one = {(uint32_t)n, leaves, values};
  VEC_PUSH(&c->all, one);
}

static bool walk_cubes(struct cubes *c, dd a) {
  if (dd_is_false(a)) return true;
  if (c->all.count == CUBES_MAX) return false;
  if (dd_is_true(a)) {
    add_cube(c);
    return true;
  }
  bool ok = true;
  VEC_PUSH(&c->leaves, leaf_of(c->states, dd_top(a)));
  for (int value = 0; value < 2 && ok; value++) {
    VEC_PUSH(&c->values, value);
    ok = walk_cubes(c, value ? dd_high(a) : dd_low(a));
    c->values.count--;
  }
  c->leaves.count--;
  return ok;
}

// --- sets as constraints ---

struct rows {
  struct plain *out;
  const struct states_at *at;
  size_t polyhedron;
  VEC(struct plain_constraint) all;
  struct plain_set base; // control state and cubes
  uint32_t fixed;        // constraints that all begin with
  uint64_t unknown;      // the next one's number
  unsigned unknowns;     // of the polyhedron at hand
};

static void add_constraint(struct rows *r, bool equal, int64_t constant, uint32_t count,
                           const int64_t *factors, const uint64_t *variables) {
  struct plain_constraint one = {constant, equal, count, factors, variables};
  VEC_PUSH(&r->all, one);
}

// A polyhedron is complete.
static void finish_set(struct rows *r) {
  struct plain_set set = r->base;
  struct plain_constraint *all =
      ARENA_ARRAY(r->out->arena, struct plain_constraint, r->all.count + 1);
  for (size_t i = 0; i < r->all.count; i++) all[i] = r->all.data[i];
  set.constraints = all;
  set.constraint_count = (uint32_t)r->all.count;
  VEC_PUSH(&r->out->sets, set);
  r->all.count = r->fixed;
  r->unknown += r->unknowns;
  r->unknowns = 0;
}

static bool visit_row(void *context, size_t polyhedron, unsigned unknowns, const struct zrow *row) {
  struct rows *r = context;
  for (; r->polyhedron < polyhedron; r->polyhedron++) finish_set(r);
  r->unknowns = unknowns;
  uint32_t columns = r->at->dims + unknowns, n = 0;
  int64_t *factors = ARENA_ARRAY(r->out->arena, int64_t, columns + 1);
  uint64_t *variables = ARENA_ARRAY(r->out->arena, uint64_t, columns + 1);
  for (uint32_t i = 0; i < columns; i++) {
    if (!row->factors[i]) continue;
    factors[n] = row->factors[i];
    variables[n++] =
        i < r->at->dims ? r->at->leaves[i] : PLAIN_UNKNOWN + r->unknown + i - r->at->dims;
  }
  add_constraint(r, row->equal, row->constant, n, factors, variables);
  return true;
}

// Leaves that have one value in this control state are none of its coordinates.
static void add_fixed(const struct states *s, struct rows *r, struct cubes *c, uint32_t control) {
  for (uint64_t i = 0; i < s->efsm->leaves; i++) {
    const struct efsm_state *st = &s->efsm->states.data[control];
    struct linear_place p = states_value_at(s, control, i);
    if (i == s->efsm->control || !efsm_live(st, i) || p.kind != LINEAR_FIXED) continue;
    if (st->defined[i] == EFSM_UNDEFINED) continue;
    if (s->efsm->relation->model->layout->leaf[i].type->kind == IR_TYPE_BOOL) {
      VEC_PUSH(&c->leaves, i);
      VEC_PUSH(&c->values, p.value != 0);
      continue;
    }
    int64_t *factor = ARENA_ARRAY(r->out->arena, int64_t, 1);
    uint64_t *leaf = ARENA_ARRAY(r->out->arena, uint64_t, 1);
    bool least = p.value == INT64_MIN;
    *factor = least ? 1 : -1;
    *leaf = i;
    if (least) continue; // its negation does not fit, and it is the only value there is
    add_constraint(r, true, p.value, 1, factor, leaf);
  }
}

static bool add_pair(struct states *s, struct plain *out, uint32_t control, const struct pair *p,
                     uint64_t *unknown) {
  struct cubes c = {.out = out, .states = s};
  struct rows r = {.out = out, .at = &s->at[control], .unknown = *unknown};
  add_fixed(s, &r, &c, control);
  r.fixed = (uint32_t)r.all.count;
  bool ok = walk_cubes(&c, p->truth);
  struct plain_cube *cubes = ARENA_ARRAY(out->arena, struct plain_cube, c.all.count + 1);
  for (size_t i = 0; i < c.all.count; i++) cubes[i] = c.all.data[i];
  r.base =
      (struct plain_set){.control = control, .cube_count = (uint32_t)c.all.count, .cubes = cubes};
  ok = ok && zset_rows(p->set, visit_row, &r);
  for (; ok && r.polyhedron < zset_polyhedra(p->set); r.polyhedron++) finish_set(&r);
  *unknown = r.unknown;
  VEC_CLEAR(&c.all);
  VEC_CLEAR(&c.leaves);
  VEC_CLEAR(&c.values);
  VEC_CLEAR(&r.all);
  return ok;
}

bool states_plain(struct states *s, const struct disjunct *d, struct plain *out) {
  *out = (struct plain){.arena = arena_new()};
  uint64_t unknown = 0;
  presburger_begin(s->presburger, s->config.operations);
  for (size_t i = 0; i < d->piece_count; i++)
    for (size_t k = 0; k < d->pieces[i].count; k++)
      if (!add_pair(s, out, d->pieces[i].control, &d->pieces[i].pairs[k], &unknown)) {
        plain_clear(out);
        return false;
      }
  return true;
}

void plain_clear(struct plain *p) {
  arena_free(p->arena);
  VEC_CLEAR(&p->sets);
  p->arena = NULL;
}

// --- one state ---

static void sample_truths(const struct states *s, uint32_t control, dd truth, int64_t *leaves) {
  unsigned count = 2 * s->vars;
  unsigned *vars = mem_alloc((count + 1) * sizeof *vars);
  uint8_t *values = mem_zalloc(count + 1, sizeof *values);
  for (unsigned i = 0; i < count; i++) vars[i] = i;
  dd_pick(truth, vars, count, values);
  for (uint64_t i = 0; i < s->efsm->leaves; i++) {
    struct linear_place v = states_value_at(s, control, i), d = states_defined_at(s, control, i);
    if (v.kind == LINEAR_VAR) leaves[i] = values[v.at];
    bool defined = d.kind == LINEAR_VAR ? values[d.at] : d.value;
    if (!defined) leaves[i] = IR_UNDEF;
  }
  mem_free(vars);
  mem_free(values);
}

bool states_sample(struct states *s, const struct disjunct *d, uint32_t *control, int64_t *leaves) {
  presburger_begin(s->presburger, 0);
  if (disjunct_empty(d)) return false;
  const struct piece *p = &d->pieces[0];
  const struct states_at *at = &s->at[p->control];
  int64_t *values = mem_zalloc(at->dims + 1, sizeof *values);
  bool ok = zset_sample(p->pairs[0].set, values);
  *control = p->control;
  for (uint64_t i = 0; i < s->efsm->leaves && ok; i++) {
    struct linear_place v = states_value_at(s, p->control, i);
    leaves[i] = v.kind == LINEAR_DIM ? values[v.at] : v.value;
  }
  if (ok) sample_truths(s, p->control, p->pairs[0].truth, leaves);
  if (ok && s->efsm->control != EFSM_NO_CONTROL && p->control && p->control <= s->efsm->controls)
    leaves[s->efsm->control] = efsm_control_value(s->efsm, p->control);
  mem_free(values);
  return ok;
}
