// SPDX-License-Identifier: Apache-2.0
// The machine's life, its links, and what intervals make of its edges.
#include "hybrid/efsm.h"

#include "hybrid/efsm_own.h"
#include "hybrid/interval.h"
#include "ir/ir.h"

#include <string.h>

// --- links ---

void efsm_link(struct efsm *e) {
  for (size_t i = 0; i < e->states.count; i++)
    e->states.data[i].out.count = e->states.data[i].in.count = 0;
  for (size_t i = 0; i < e->edges.count; i++) {
    const struct efsm_edge *d = &e->edges.data[i];
    VEC_PUSH(&e->states.data[d->from].out, (uint32_t)i);
    VEC_PUSH(&e->states.data[d->to].in, (uint32_t)i);
  }
  for (size_t i = 0; i < e->states.count; i++)
    e->states.data[i].sink = e->states.data[i].out.count == 0;
}

// Backwards, breadth first, from errors; of LIMIT, too, if asked for.
static void find_distances(struct efsm *e, bool limits) {
  VEC(uint32_t) queue = {0};
  for (size_t i = 0; i < e->states.count; i++) {
    struct efsm_state *s = &e->states.data[i];
    bool wanted = s->is_error && (limits || s->error != EFSM_LIMIT);
    s->error_distance = wanted ? 0 : EFSM_FAR;
    if (wanted) VEC_PUSH(&queue, (uint32_t)i);
  }
  for (size_t i = 0; i < queue.count; i++) {
    const struct efsm_state *s = &e->states.data[queue.data[i]];
    for (size_t k = 0; k < s->in.count; k++) {
      struct efsm_state *from = &e->states.data[e->edges.data[s->in.data[k]].from];
      if (from->error_distance != EFSM_FAR) continue;
      from->error_distance = s->error_distance + 1;
      VEC_PUSH(&queue, e->edges.data[s->in.data[k]].from);
    }
  }
  VEC_CLEAR(&queue);
}

// --- intervals ---

struct narrowing {
  struct rebuild rebuild;
  struct intervals at;
  const struct efsm_edge *edge;
};

static const struct term *by_interval(void *context, const struct term *a) {
  struct narrowing *w = context;
  if (a->op == TERM_CHOICE) {
    struct range r = intervals_of(&w->at, a);
    return term_choice_within(w->rebuild.to, a->choice, a->type, r.lo, r.hi);
  }
  if (a->op == TERM_DEFINED) {
    uint8_t d = w->at.defined[a->leaf];
    return d == (EFSM_UNDEFINED | EFSM_DEFINED) ? a : term_bool(w->rebuild.to, d == EFSM_DEFINED);
  }
  struct range r = intervals_of(&w->at, a);
  return term_leaf_within(w->rebuild.to, a->leaf, a->type, r.lo, r.hi);
}

static const struct term *narrowed(struct narrowing *w, const struct term *a) {
  struct range r = intervals_of(&w->at, a);
  if (r.lo == r.hi)
    return a->is_bool ? term_bool(w->rebuild.to, r.lo) : term_const(w->rebuild.to, r.lo);
  return rebuild(&w->rebuild, a);
}

// False: it cannot be taken. The guard is told with what holds before it, writes with what holds
// where it does.
static bool narrow_edge(struct narrowing *w, struct efsm *e, struct efsm_edge *d) {
  const struct efsm_state *s = &e->states.data[d->from];
  if (!s->reached) return false;
  const struct term *guard = d->guard;
  intervals_begin(&w->at, s->lo, s->hi, s->defined);
  rebuild_begin(&w->rebuild, by_interval, w);
  d->guard = narrowed(w, guard);
  if (term_is(d->guard, 0) || !intervals_assume(&w->at, guard)) return false;
  rebuild_begin(&w->rebuild, by_interval, w);
  rebuild_know(&w->rebuild, guard, true);
  for (size_t i = 0; i < d->writes.count; i++) {
    struct relation_write *p = &d->writes.data[i];
    p->defined = narrowed(w, p->defined);
    p->value = narrowed(w, p->value);
  }
  return true;
}

void efsm_narrow(struct efsm *e) {
  struct narrowing w = {.rebuild = {.to = e->relation->terms}};
  size_t kept = 0;
  intervals_fix(e);
  intervals_init(&w.at, e->leaves);
  for (size_t i = 0; i < e->edges.count; i++) {
    struct efsm_edge *d = &e->edges.data[i];
    if (narrow_edge(&w, e, d))
      e->edges.data[kept++] = *d;
    else
      VEC_CLEAR(&d->writes);
  }
  e->edges.count = kept;
  intervals_clear(&w.at);
  rebuild_clear(&w.rebuild);
}

// Keeps the edges that lead from states that are marked as reached.
static void drop_edges(struct efsm *e) {
  size_t kept = 0;
  for (size_t i = 0; i < e->edges.count; i++) {
    struct efsm_edge *d = &e->edges.data[i];
    if (e->states.data[d->from].reached)
      e->edges.data[kept++] = *d;
    else
      VEC_CLEAR(&d->writes);
  }
  e->edges.count = kept;
  efsm_link(e);
}

// What no error lies behind, and nothing unknown, is an end as good as any.
static void drop_harmless(struct efsm *e) {
  find_distances(e, true);
  for (size_t i = 0; i < e->states.count; i++)
    e->states.data[i].reached = e->states.data[i].error_distance != EFSM_FAR;
  drop_edges(e);
}

static void drop_unreached(struct efsm *e) {
  VEC(uint32_t) queue = {0};
  for (size_t i = 0; i < e->states.count; i++) e->states.data[i].reached = i == EFSM_ENTRY;
  VEC_PUSH(&queue, EFSM_ENTRY);
  for (size_t i = 0; i < queue.count; i++) {
    const struct efsm_state *s = &e->states.data[queue.data[i]];
    for (size_t k = 0; k < s->out.count; k++) {
      uint32_t to = e->edges.data[s->out.data[k]].to;
      if (e->states.data[to].reached) continue;
      e->states.data[to].reached = true;
      VEC_PUSH(&queue, to);
    }
  }
  VEC_CLEAR(&queue);
  drop_edges(e);
}

// --- life ---

struct efsm *efsm_new(struct relation *r, const uint8_t *property_on, struct text *why) {
  struct efsm *e = mem_zalloc(1, sizeof *e);
  e->relation = r;
  e->leaves = r->model->layout->count;
  e->leaf_words = e->leaves / 64 + 1;
  e->control = EFSM_NO_CONTROL;
  e->arena = arena_new();
  struct build b = {.e = e, .relation = r, .terms = r->terms, .m = r->model, .why = why};
  b.with.to = r->terms;
  bool made = efsm_build(&b, property_on);
  rebuild_clear(&b.with);
  mem_free(b.site_state);
  VEC_CLEAR(&b.assumed);
  if (!made) {
    efsm_free(e);
    return NULL;
  }
  efsm_link(e);
  efsm_narrow(e);
  efsm_link(e);
  drop_harmless(e);
  drop_unreached(e);
  efsm_live_leaves(e);
  find_distances(e, false);
  return e;
}

const struct relation_write *efsm_write(const struct efsm_edge *d, uint64_t leaf) {
  for (size_t lo = 0, hi = d->writes.count; lo < hi;) {
    size_t mid = lo + (hi - lo) / 2;
    if (d->writes.data[mid].leaf == leaf) return &d->writes.data[mid];
    if (d->writes.data[mid].leaf < leaf)
      lo = mid + 1;
    else
      hi = mid;
  }
  return NULL;
}

void efsm_choice_bounds(const struct ir_local *l, int64_t *lo, int64_t *hi) {
  const struct ir_domain *d = l->domain;
  const struct ir_type *t = d->type;
  bool whole = t && t->kind == IR_TYPE_INT && t->bits == 64;
  uint64_t n = t ? 1 : ir_domain_count(d);
  int64_t first = whole ? INT64_MIN : t ? t->lo : ir_domain_value(d, 0);
  int64_t last = whole ? INT64_MAX : t ? t->hi : ir_domain_value(d, n ? n - 1 : 0);
  *lo = first < last ? first : last;
  *hi = first < last ? last : first;
}

void efsm_free(struct efsm *e) {
  if (!e) return;
  for (size_t i = 0; i < e->states.count; i++) {
    struct efsm_state *s = &e->states.data[i];
    VEC_CLEAR(&s->out);
    VEC_CLEAR(&s->in);
    mem_free(s->live);
    mem_free(s->lo);
    mem_free(s->hi);
    mem_free(s->defined);
  }
  for (size_t i = 0; i < e->edges.count; i++) VEC_CLEAR(&e->edges.data[i].writes);
  VEC_CLEAR(&e->states);
  VEC_CLEAR(&e->edges);
  arena_free(e->arena);
  mem_free(e);
}
