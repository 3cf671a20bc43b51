// SPDX-License-Identifier: Apache-2.0
// State-disjuncts (paper 003, III.B): their beginning and end, images, and what is made of two.
#include "hybrid/states_own.h"

#define ASK_EVERY 16 // questions whether to go on, for one that is handed on

// --- beginning and end ---

struct states *states_new(const struct states_config *c, struct text *why) {
  struct dd_config diagrams = {
      .mem_bytes = c->mem_bytes, .goes_on = c->goes_on, .context = c->context};
  (void)why;
  dd_open(&diagrams);
  struct states *s = mem_zalloc(1, sizeof *s);
  s->config = *c;
  s->efsm = c->efsm;
  s->why = "operations";
  s->presburger = presburger_new();
  s->linear = linear_new(s->presburger, c->efsm->relation->terms);
  states_places_init(s);
  states_sizes_init(s);
  return s;
}

void states_stop(struct states *s) {
  (void)s;
  dd_close();
}

void states_free(struct states *s) {
  if (!s) return;
  dd_close();
  states_places_clear(s);
  linear_free(s->linear);
  presburger_free(s->presburger);
  mem_free(s);
}

bool states_fail(struct states *s, const char *why) {
  s->why = why ? why : presburger_why(s->presburger);
  return false;
}

const char *states_why(const struct states *s) { return s->why; }

const char *states_stopped(struct states *s) {
  const struct states_config *c = &s->config;
  if (c->goes_on && !c->goes_on(c->context)) return "stopped";
  if (c->mem_bytes && mem_resident() > c->mem_bytes) return "memory";
  return NULL;
}

static void begin(struct states *s) { presburger_begin(s->presburger, s->config.operations); }

struct disjunct *disjunct_keep(struct disjunct *d) {
  d->refs++;
  return d;
}

static void free_disjunct(struct disjunct *d) {
  for (size_t i = 0; i < d->piece_count; i++) {
    for (size_t k = 0; k < d->pieces[i].count; k++) {
      dd_drop(d->pieces[i].pairs[k].truth);
      zset_drop(d->pieces[i].pairs[k].set);
    }
    mem_free(d->pieces[i].pairs);
  }
  mem_free(d->parents);
  mem_free(d->control);
  mem_free(d->pieces);
  mem_free(d);
}

typedef VEC(struct disjunct *) disjuncts;

// Parents are left for later: their chains are as long as a search is deep.
static void drop_later(disjuncts *list, struct disjunct *d) {
  for (uint32_t i = 0; i < d->parent_count; i++) VEC_PUSH(list, d->parents[i]);
  d->parent_count = 0;
}

static void drop_all(disjuncts *list) {
  while (list->count) {
    struct disjunct *d = VEC_POP(list);
    if (--d->refs) continue;
    drop_later(list, d);
    free_disjunct(d);
  }
  VEC_CLEAR(list);
}

void disjunct_drop(struct states *s, struct disjunct *d) {
  disjuncts list = {0};
  (void)s;
  if (!d) return;
  VEC_PUSH(&list, d);
  drop_all(&list);
}

void disjunct_orphan(struct states *s, struct disjunct *d) {
  disjuncts list = {0};
  (void)s;
  drop_later(&list, d);
  drop_all(&list);
}

bool disjunct_empty(const struct disjunct *d) { return d->piece_count == 0; }

static bool has_parent(const struct disjunct *d, const struct disjunct *parent) {
  for (uint32_t i = 0; i < d->parent_count; i++)
    if (d->parents[i] == parent) return true;
  return false;
}

static void add_parent(struct disjunct *d, struct disjunct *parent) {
  if (has_parent(d, parent)) return;
  d->parents = mem_realloc(d->parents, (d->parent_count + 1) * sizeof *d->parents);
  d->parents[d->parent_count++] = disjunct_keep(parent);
}

void disjunct_inherit(struct disjunct *d, const struct disjunct *from) {
  for (uint32_t i = 0; i < from->parent_count; i++) add_parent(d, from->parents[i]);
}

// --- images ---

static struct disjunct *finish(struct gather *g, bool ok, uint64_t depth) {
  if (ok) return gather_done(g, depth);
  gather_clear(g);
  return NULL;
}

// Polyhedra one by one: the less a set holds, the more is a constant in it.
static bool pair_image(struct states *s, const struct efsm_state *at, const struct pair *p,
                       struct gather *out) {
  size_t count = zset_polyhedra(p->set);
  zset **each = mem_zalloc(count + 1, sizeof *each);
  bool ok = true;
  zset_split(p->set, each);
  for (size_t i = 0; i < count; i++) {
    struct pair one = {p->truth, each[i]};
    begin(s);
    bool none = count > 1 && zset_empty(each[i]) == 1;
    for (size_t e = 0; e < at->out.count && ok && !none; e++)
      ok = image_edge(s, at->out.data[e], &one, out);
    zset_drop(each[i]);
  }
  mem_free(each);
  return ok;
}

static bool piece_image(struct states *s, const struct piece *p, struct gather *out) {
  const struct efsm_state *at = &s->efsm->states.data[p->control];
  bool ok = true;
  for (size_t i = 0; i < p->count && ok; i++) ok = pair_image(s, at, &p->pairs[i], out);
  return ok;
}

struct disjunct *states_whole(struct states *s, const uint64_t *control) {
  struct gather g = {.states = s};
  begin(s);
  for (uint32_t i = 0; i < s->efsm->states.count; i++)
    if (csr_has(control, i)) gather_add(&g, i, dd_true(), states_box(s, i));
  return gather_done(&g, 0);
}

struct disjunct *states_image(struct states *s, struct disjunct *d) {
  struct gather g = {.states = s};
  bool ok = true;
  begin(s);
  for (size_t i = 0; i < d->piece_count && ok; i++) ok = piece_image(s, &d->pieces[i], &g);
  struct disjunct *r = finish(&g, ok, d->depth + 1);
  if (r) add_parent(r, d);
  return r;
}

struct disjunct *states_start(struct states *s) {
  struct pair all = {dd_true(), NULL};
  struct piece entry = {EFSM_ENTRY, 1, &all};
  struct gather g = {.states = s};
  begin(s);
  all.set = states_box(s, EFSM_ENTRY);
  bool ok = piece_image(s, &entry, &g);
  zset_drop(all.set);
  return finish(&g, ok, 0);
}

uint64_t states_image_size(struct states *s, const struct disjunct *d) {
  uint64_t sum = 0;
  for (size_t i = 0; i < d->piece_count; i++) {
    const struct piece *p = &d->pieces[i];
    const struct efsm_state *at = &s->efsm->states.data[p->control];
    uint64_t polyhedra = 0, nodes = 0;
    for (size_t k = 0; k < p->count; k++) {
      polyhedra += zset_polyhedra(p->pairs[k].set);
      nodes += dd_nodes(p->pairs[k].truth);
    }
    for (size_t e = 0; e < at->out.count; e++)
      sum += states_edge_size(s, at->out.data[e], polyhedra, nodes);
  }
  return sum;
}

// --- back ---

// At most so many polyhedra for a control state, with one diagram for all if there were more; all
// that there is where they take too long to find.
static void add_hull(struct gather *to, const struct piece *p, uint64_t polyhedra) {
  struct states *s = to->states;
  zset *all = zset_none(s->presburger, s->at[p->control].dims);
  dd truth = dd_false();
  size_t count = 0;
  for (size_t i = 0; i < p->count; i++) {
    zset_take(&all, zset_join(all, p->pairs[i].set));
    dd_set(&truth, dd_or(truth, p->pairs[i].truth));
    count += zset_polyhedra(p->pairs[i].set);
  }
  if (count <= polyhedra) {
    for (size_t i = 0; i < p->count; i++)
      gather_add(to, p->control, dd_copy(p->pairs[i].truth), zset_copy(p->pairs[i].set));
  } else {
    begin(s);
    zset *hull = zset_hull(all, polyhedra);
    if (!hull) begin(s);
    gather_add(to, p->control, dd_copy(truth), hull ? hull : states_box(s, p->control));
  }
  dd_drop(truth);
  zset_drop(all);
}

// Where it cannot be told what leads there, everything might.
static void add_before(struct states *s, const struct piece *p, struct gather *out) {
  const struct efsm_state *at = &s->efsm->states.data[p->control];
  for (size_t i = 0; i < at->in.count; i++) {
    uint32_t from = s->efsm->edges.data[at->in.data[i]].from;
    if (from == EFSM_ENTRY || image_before(s, at->in.data[i], p, out)) continue;
    begin(s);
    gather_add(out, from, dd_true(), states_box(s, from));
  }
}

struct disjunct *states_before(struct states *s, struct disjunct *d, uint64_t polyhedra) {
  struct gather g = {.states = s}, hull = {.states = s};
  begin(s);
  for (size_t i = 0; i < d->piece_count; i++) add_before(s, &d->pieces[i], &g);
  struct disjunct *exact = gather_done(&g, d->depth + 1);
  if (!exact) return NULL;
  for (size_t i = 0; i < exact->piece_count; i++) add_hull(&hull, &exact->pieces[i], polyhedra);
  disjunct_drop(s, exact);
  return gather_done(&hull, d->depth + 1);
}

// --- two of them ---

static bool pieces_meet(const struct piece *a, const struct piece *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++)
      if (dd_meets(a->pairs[i].truth, b->pairs[k].truth) &&
          zset_meets(a->pairs[i].set, b->pairs[k].set) != 0) // not known: perhaps
        return true;
  return false;
}

bool states_meet(struct states *s, const struct disjunct *a, const struct disjunct *b) {
  begin(s);
  for (size_t i = 0; i < a->piece_count; i++) {
    const struct piece *p = disjunct_piece(b, a->pieces[i].control);
    if (p && pieces_meet(&a->pieces[i], p)) return true;
  }
  return false;
}

static void add_all(struct gather *g, const struct piece *p) {
  for (size_t i = 0; i < p->count; i++)
    gather_add(g, p->control, dd_copy(p->pairs[i].truth), zset_copy(p->pairs[i].set));
}

struct disjunct *states_union(struct states *s, struct disjunct *a, struct disjunct *b) {
  struct gather g = {.states = s};
  begin(s);
  for (size_t i = 0; i < a->piece_count; i++) add_all(&g, &a->pieces[i]);
  for (size_t i = 0; i < b->piece_count; i++) add_all(&g, &b->pieces[i]);
  struct disjunct *d = gather_done(&g, a->depth > b->depth ? a->depth : b->depth);
  if (!d) return NULL;
  disjunct_inherit(d, a);
  disjunct_inherit(d, b);
  return d;
}

// What of (truth, set) is outside of the pairs from `k` on. Takes both.
static bool add_outside(struct gather *g, const struct piece *b, size_t k, uint32_t control,
                        dd truth, zset *set) {
  while (k < b->count && !dd_meets(truth, b->pairs[k].truth)) k++;
  if (k == b->count) {
    gather_add(g, control, truth, set);
    return true;
  }
  const struct pair *p = &b->pairs[k];
  bool ok = true;
  dd outside = dd_minus(truth, p->truth);
  if (!dd_is_false(outside))
    ok = add_outside(g, b, k + 1, control, dd_copy(outside), zset_copy(set));
  dd_drop(outside);
  zset *rest = zset_minus(set, p->set);
  int empty = zset_empty(rest);
  if (empty == 0)
    ok = ok && add_outside(g, b, k + 1, control, dd_and(truth, p->truth), zset_copy(rest));
  zset_drop(rest);
  zset_drop(set);
  dd_drop(truth);
  return ok && empty >= 0;
}

struct disjunct *states_minus(struct states *s, struct disjunct *a, const struct disjunct *b) {
  struct gather g = {.states = s};
  bool ok = true;
  begin(s);
  for (size_t i = 0; i < a->piece_count && ok; i++) {
    const struct piece *p = &a->pieces[i], *out = disjunct_piece(b, p->control);
    if (!out) add_all(&g, p);
    for (size_t k = 0; k < p->count && ok && out; k++)
      ok = add_outside(&g, out, 0, p->control, dd_copy(p->pairs[k].truth),
                       zset_copy(p->pairs[k].set));
  }
  if (!ok) states_fail(s, NULL);
  struct disjunct *d = finish(&g, ok, a->depth);
  if (d) disjunct_inherit(d, a);
  return d;
}
