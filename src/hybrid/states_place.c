// SPDX-License-Identifier: Apache-2.0
// Where leaves and choices are: Booleans are variables of diagrams, each with one beside it for the
// time after a step; other leaves are coordinates, counted for each control state by itself, so
// that sets have no more of them than matter there.
#include "hybrid/states_own.h"

#include "ir/ir.h"

static const struct ir_layout *layout(const struct states *s) {
  return s->efsm->relation->model->layout;
}

static bool is_boolean(const struct states *s, uint64_t leaf) {
  return layout(s)->leaf[leaf].type->kind == IR_TYPE_BOOL;
}

static bool matters(const struct states *s, uint32_t control, uint64_t leaf) {
  return leaf != s->efsm->control && efsm_live(&s->efsm->states.data[control], leaf);
}

static bool varies(const struct states *s, uint32_t control, uint64_t leaf) {
  const struct efsm_state *st = &s->efsm->states.data[control];
  return st->lo[leaf] < st->hi[leaf];
}

// --- leaves ---

// The coordinate of a leaf; dims: it is none.
static uint32_t coordinate(const struct states_at *at, uint64_t leaf) {
  uint32_t lo = 0, hi = at->dims;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (at->leaves[mid] < leaf)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < at->dims && at->leaves[lo] == leaf ? lo : at->dims;
}

struct linear_place states_value_at(const struct states *s, uint32_t control, uint64_t leaf) {
  const struct efsm_state *st = &s->efsm->states.data[control];
  if (matters(s, control, leaf) && varies(s, control, leaf)) {
    if (is_boolean(s, leaf)) return (struct linear_place){LINEAR_VAR, 0, s->value_var[leaf]};
    uint32_t dim = coordinate(&s->at[control], leaf);
    assert(dim < s->at[control].dims);
    return (struct linear_place){LINEAR_DIM, 0, dim};
  }
  int64_t only = st->lo[leaf] <= st->hi[leaf] ? st->lo[leaf] : layout(s)->leaf[leaf].type->lo;
  return (struct linear_place){LINEAR_FIXED, only, 0};
}

struct linear_place states_defined_at(const struct states *s, uint32_t control, uint64_t leaf) {
  uint8_t can = s->efsm->states.data[control].defined[leaf];
  if (matters(s, control, leaf) && can == (EFSM_UNDEFINED | EFSM_DEFINED))
    return (struct linear_place){LINEAR_VAR, 0, s->defined_var[leaf]};
  return (struct linear_place){LINEAR_FIXED, can != EFSM_UNDEFINED, 0};
}

static void place_state(struct states *s, uint32_t control) {
  struct states_at *at = &s->at[control];
  VEC(uint64_t) leaves = {0};
  for (uint64_t i = 0; i < s->efsm->leaves; i++)
    if (matters(s, control, i) && varies(s, control, i) && !is_boolean(s, i)) VEC_PUSH(&leaves, i);
  at->dims = (uint32_t)leaves.count;
  at->leaves = leaves.data;
}

// Variables for leaves that are to be found in diagrams somewhere.
static void place_vars(struct states *s) {
  for (uint64_t i = 0; i < s->efsm->leaves; i++) {
    bool value = false, defined = false;
    for (uint32_t c = 0; c < s->efsm->states.count; c++) {
      if (!matters(s, c, i)) continue;
      value |= is_boolean(s, i) && varies(s, c, i);
      defined |= s->efsm->states.data[c].defined[i] == (EFSM_UNDEFINED | EFSM_DEFINED);
    }
    s->value_var[i] = value ? 2 * s->vars++ : NO_VAR;
    s->defined_var[i] = defined ? 2 * s->vars++ : NO_VAR;
  }
}

void states_places_init(struct states *s) {
  size_t leaves = s->efsm->leaves, controls = s->efsm->states.count;
  s->at = mem_zalloc(controls, sizeof *s->at);
  s->edge = mem_zalloc(s->efsm->edges.count + 1, sizeof *s->edge);
  s->value_var = mem_zalloc(leaves + 1, sizeof *s->value_var);
  s->defined_var = mem_zalloc(leaves + 1, sizeof *s->defined_var);
  place_vars(s);
  for (uint32_t c = 0; c < controls; c++) place_state(s, c);
  uint32_t most = 0;
  for (size_t i = 0; i < s->efsm->edges.count; i++) {
    const struct relation_rule *r = s->efsm->edges.data[i].rule;
    if (r && r->rule->choice_count > most) most = r->rule->choice_count;
  }
  s->choice_var = 2 * s->vars;
  unsigned first = dd_vars(2 * s->vars + most);
  assert(first == 0);
  (void)first;
}

zset *states_box(struct states *s, uint32_t control) {
  const struct efsm_state *st = &s->efsm->states.data[control];
  const struct states_at *at = &s->at[control];
  zset *all = zset_all(s->presburger, at->dims);
  for (uint32_t i = 0; i < at->dims; i++)
    zset_take(&all, zset_within(all, i, st->lo[at->leaves[i]], st->hi[at->leaves[i]]));
  return all;
}

// --- edges ---

static void place_choices(struct states *s, const struct efsm_edge *e, struct states_edge *out) {
  const struct ir_rule *r = e->rule ? e->rule->rule : NULL;
  out->choices = r ? r->choice_count : 0;
  out->choice = mem_zalloc(out->choices + 1, sizeof *out->choice);
  out->bounds = mem_zalloc(out->choices + 1, sizeof *out->bounds);
  uint64_t *used = mem_zalloc(out->choices / 64 + 1, sizeof *used);
  term_support(e->guard, NULL, used);
  for (size_t i = 0; i < e->writes.count; i++) {
    term_support(e->writes.data[i].value, NULL, used);
    term_support(e->writes.data[i].defined, NULL, used);
  }
  for (uint32_t i = 0; i < out->choices; i++) {
    const struct ir_local *l = r->frame.locals[r->param_count + i];
    bool is_bool = (l->domain->type ? l->domain->type : l->type)->kind == IR_TYPE_BOOL;
    out->choice[i] = s->choice_var + i;
    if (is_bool || !(used[i / 64] >> i % 64 & 1)) continue;
    efsm_choice_bounds(l, &out->bounds[out->numbers].lo, &out->bounds[out->numbers].hi);
    out->choice[i] = s->at[e->from].dims + out->numbers++;
  }
  mem_free(used);
}

static bool written(const struct efsm_edge *e, uint64_t leaf) {
  for (size_t i = 0; i < e->writes.count; i++)
    if (e->writes.data[i].leaf == leaf) return true;
  return false;
}

struct place_lists {
  VEC(unsigned) forget, ahead, here;
};

static void place_var(struct place_lists *l, struct linear_place from, struct linear_place to,
                      unsigned var, bool is_written) {
  if (to.kind == LINEAR_VAR && (is_written || from.kind != LINEAR_VAR)) {
    VEC_PUSH(&l->here, var);
    VEC_PUSH(&l->ahead, var + 1);
  }
  if (from.kind == LINEAR_VAR && (is_written || to.kind != LINEAR_VAR)) VEC_PUSH(&l->forget, var);
}

static void place_edge(struct states *s, uint32_t edge) {
  const struct efsm_edge *e = &s->efsm->edges.data[edge];
  struct states_edge *out = &s->edge[edge];
  struct place_lists l = {0};
  place_choices(s, e, out);
  for (uint64_t i = 0; i < s->efsm->leaves && s->vars; i++) {
    bool w = written(e, i);
    if (s->value_var[i] != NO_VAR)
      place_var(&l, states_value_at(s, e->from, i), states_value_at(s, e->to, i), s->value_var[i],
                w);
    if (s->defined_var[i] != NO_VAR)
      place_var(&l, states_defined_at(s, e->from, i), states_defined_at(s, e->to, i),
                s->defined_var[i], w);
  }
  out->arrive = dd_renaming_new(l.ahead.data, l.here.data, l.here.count);
  out->leave = dd_renaming_new(l.here.data, l.ahead.data, l.here.count);
  for (uint32_t i = 0; i < out->choices; i++) {
    VEC_PUSH(&l.forget, s->choice_var + i);
    VEC_PUSH(&l.ahead, s->choice_var + i);
  }
  out->forget = dd_cube(l.forget.data, l.forget.count);
  out->ahead = dd_cube(l.ahead.data, l.ahead.count);
  out->boolean = l.here.count > 0;
  out->ready = true;
  VEC_CLEAR(&l.forget);
  VEC_CLEAR(&l.ahead);
  VEC_CLEAR(&l.here);
}

const struct states_edge *states_edge(struct states *s, uint32_t edge) {
  if (!s->edge[edge].ready) place_edge(s, edge);
  return &s->edge[edge];
}

void states_places_clear(struct states *s) {
  for (size_t i = 0; i < s->efsm->edges.count; i++) {
    struct states_edge *e = &s->edge[i];
    mem_free(e->choice);
    mem_free(e->bounds);
    if (!e->ready) continue;
    dd_drop(e->forget);
    dd_drop(e->ahead);
    dd_renaming_free(e->arrive);
    dd_renaming_free(e->leave);
  }
  for (size_t i = 0; i < s->efsm->states.count; i++) mem_free(s->at[i].leaves);
  mem_free(s->at);
  mem_free(s->edge);
  mem_free(s->value_var);
  mem_free(s->defined_var);
}
