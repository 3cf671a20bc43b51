// SPDX-License-Identifier: Apache-2.0
// Intervals of leaves in each control state: the least that edges keep, come to by widening at the
// heads of loops (first to values that terms speak of, then to the type's bounds), then narrowed by
// a few rounds of what edges make of it. An edge that cannot be taken adds nothing, so constants
// are carried on as far as they decide branches.
#include "hybrid/interval.h"

#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

enum {
  JOINS = 3,    // at the head of a loop before widening
  STEPS = 24,   // of widening from one landmark to the next
  GIVE_UP = 60, // after so many nothing is known any more of leaves that are ever written
  NARROWS = 2,  // rounds
};

struct fix {
  struct efsm *e;
  struct intervals at; // of the edge in hand
  struct range *type;  // of leaves
  bool *written;       // by some rule
  VEC(int64_t) landmarks;
  uint32_t *order;      // place of a state in reverse postorder
  VEC(uint32_t) states; // in that order
  uint32_t *joins;
  bool *dirty;
};

// --- where widening stops ---

static void add_landmarks(struct fix *f, const struct term *a, uint8_t *seen) {
  if (a->op == TERM_CONST || seen[a->id]) return;
  seen[a->id] = 1;
  for (unsigned i = 0; i < a->args; i++) {
    const struct term *k = a->arg[i];
    if (k->op != TERM_CONST) add_landmarks(f, k, seen);
    if (k->op != TERM_CONST || a->op < TERM_EQ || a->op > TERM_ULT) continue;
    for (int64_t d = -1; d <= 1; d++)
      VEC_PUSH(&f->landmarks, (int64_t)((uint64_t)k->value + (uint64_t)d));
  }
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

static void find_landmarks(struct fix *f) {
  uint8_t *seen = mem_zalloc(terms_count(f->e->relation->terms) + 1, 1);
  for (size_t i = 0; i < f->e->edges.count; i++) {
    const struct efsm_edge *d = &f->e->edges.data[i];
    add_landmarks(f, d->guard, seen);
    for (size_t k = 0; k < d->writes.count; k++) add_landmarks(f, d->writes.data[k].value, seen);
  }
  mem_free(seen);
  if (f->landmarks.count) qsort(f->landmarks.data, f->landmarks.count, sizeof(int64_t), ascending);
}

// The last landmark that is not above, the first that is not below.
static int64_t widened(const struct fix *f, int64_t x, bool down, int64_t end) {
  size_t lo = 0, hi = f->landmarks.count;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    bool below = f->landmarks.data[mid] < x || (down && f->landmarks.data[mid] == x);
    if (below)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (down) return lo > 0 && f->landmarks.data[lo - 1] > end ? f->landmarks.data[lo - 1] : end;
  return lo < f->landmarks.count && f->landmarks.data[lo] < end ? f->landmarks.data[lo] : end;
}

// --- order ---

static void visit(struct fix *f, uint32_t state, uint8_t *seen) {
  VEC(struct {
    uint32_t state;
    size_t next;
  })
  stack = {0};
  VEC_PUSH(&stack, ((__typeof__(*stack.data)){state, 0}));
  seen[state] = 1;
  while (stack.count) {
    const struct efsm_state *s = &f->e->states.data[VEC_TOP(&stack).state];
    if (VEC_TOP(&stack).next == s->out.count) {
      VEC_PUSH(&f->states, VEC_TOP(&stack).state);
      stack.count--;
      continue;
    }
    uint32_t to = f->e->edges.data[s->out.data[VEC_TOP(&stack).next++]].to;
    if (seen[to]) continue;
    seen[to] = 1;
    VEC_PUSH(&stack, ((__typeof__(*stack.data)){to, 0}));
  }
  VEC_CLEAR(&stack);
}

static void find_order(struct fix *f) {
  size_t n = f->e->states.count;
  uint8_t *seen = mem_zalloc(n, 1);
  visit(f, EFSM_ENTRY, seen);
  mem_free(seen);
  for (size_t i = 0; i < f->states.count / 2; i++) {
    uint32_t *a = &f->states.data[i], *b = &f->states.data[f->states.count - 1 - i], c = *a;
    *a = *b;
    *b = c;
  }
  f->order = mem_zalloc(n, sizeof *f->order);
  for (size_t i = 0; i < f->states.count; i++) f->order[f->states.data[i]] = (uint32_t)i;
}

// --- edges ---

// Can it be taken? Then f->at tells what holds where it is.
static bool take(struct fix *f, const struct efsm_edge *d) {
  const struct efsm_state *s = &f->e->states.data[d->from];
  if (!s->reached) return false;
  intervals_begin(&f->at, s->lo, s->hi, s->defined);
  return intervals_assume(&f->at, d->guard);
}

struct after { // a leaf, behind an edge
  struct range value;
  uint8_t defined;
};

static struct after after_leaf(struct fix *f, const struct efsm_edge *d, size_t *next,
                               uint64_t leaf) {
  const struct intervals *v = &f->at;
  if (*next == d->writes.count || d->writes.data[*next].leaf != leaf)
    return (struct after){{v->lo[leaf], v->hi[leaf]}, v->defined[leaf]};
  const struct relation_write *w = &d->writes.data[(*next)++];
  struct range b = intervals_of(&f->at, w->defined);
  uint8_t defined = (b.lo ? 0 : EFSM_UNDEFINED) | (b.hi ? EFSM_DEFINED : 0);
  struct range r = intervals_of(&f->at, w->value), type = f->type[leaf];
  if (r.lo < type.lo) r.lo = type.lo; // a step that leaves the type does not exist
  if (r.hi > type.hi) r.hi = type.hi;
  return (struct after){r.lo > r.hi ? type : r, defined};
}

static void enter(struct efsm_state *s, uint64_t leaf, struct after a) {
  s->lo[leaf] = a.value.lo;
  s->hi[leaf] = a.value.hi;
  s->defined[leaf] = a.defined;
}

static bool widen(struct fix *f, struct efsm_state *s, uint64_t leaf, struct after a, int how) {
  struct range r = {s->lo[leaf], s->hi[leaf]}, type = f->type[leaf];
  bool changed = a.value.lo < r.lo || a.value.hi > r.hi || (a.defined & ~s->defined[leaf]);
  if (a.value.lo < r.lo) {
    r.lo = a.value.lo;
    if (how > JOINS) r.lo = how > STEPS ? type.lo : widened(f, r.lo, true, type.lo);
  }
  if (a.value.hi > r.hi) {
    r.hi = a.value.hi;
    if (how > JOINS) r.hi = how > STEPS ? type.hi : widened(f, r.hi, false, type.hi);
  }
  enter(s, leaf, (struct after){r, s->defined[leaf] | a.defined});
  return changed;
}

static struct after anything(const struct fix *f, uint64_t leaf) {
  bool undef = f->e->relation->model->layout->leaf[leaf].undef;
  return (struct after){f->type[leaf], EFSM_DEFINED | (undef ? EFSM_UNDEFINED : 0)};
}

static void give_up(const struct fix *f, struct efsm_state *s) {
  for (uint64_t i = 0; i < f->e->leaves; i++)
    if (f->written[i]) enter(s, i, anything(f, i));
}

// Joins what is behind the edge to what its target has. Has that changed?
static bool flow(struct fix *f, const struct efsm_edge *d, int how) {
  struct efsm_state *s = &f->e->states.data[d->to];
  bool first = !s->reached;
  size_t next = 0;
  s->reached = true;
  if (s->is_error) return false;
  bool changed = first;
  for (uint64_t i = 0; i < f->e->leaves; i++) {
    struct after a = after_leaf(f, d, &next, i);
    if (first)
      enter(s, i, a);
    else
      changed |= widen(f, s, i, a, how);
  }
  if (changed && how > GIVE_UP) give_up(f, s);
  return changed;
}

static void spread(struct fix *f, uint32_t state) {
  const struct efsm_state *s = &f->e->states.data[state];
  f->dirty[state] = false;
  for (size_t i = 0; i < s->out.count; i++) {
    const struct efsm_edge *d = &f->e->edges.data[s->out.data[i]];
    if (!take(f, d)) continue;
    bool back = f->order[d->to] <= f->order[state];
    if (interrupt_pending()) f->joins[d->to] = GIVE_UP + 1;
    if (!flow(f, d, back ? (int)f->joins[d->to] : 0)) continue;
    if (back) f->joins[d->to]++;
    f->dirty[d->to] = true;
  }
}

static void ascend(struct fix *f) {
  f->dirty[EFSM_ENTRY] = true;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < f->states.count; i++) {
      if (!f->dirty[f->states.data[i]]) continue;
      more = true;
      spread(f, f->states.data[i]);
    }
  }
}

// Makes a state's intervals anew out of its edges: no wider than before.
static void redo(struct fix *f, uint32_t state) {
  struct efsm_state *s = &f->e->states.data[state], old = *s;
  size_t n = f->e->leaves;
  s->lo = mem_zalloc(n + 1, sizeof *s->lo);
  s->hi = mem_zalloc(n + 1, sizeof *s->hi);
  s->defined = mem_zalloc(n + 1, sizeof *s->defined);
  bool reached = false;
  for (size_t i = 0; i < s->in.count; i++) {
    const struct efsm_edge *d = &f->e->edges.data[s->in.data[i]];
    struct efsm_state fresh = *s;
    if (d->from == state) *s = old;
    bool taken = take(f, d);
    *s = fresh;
    s->reached = reached;
    if (taken) flow(f, d, 0);
    reached |= taken;
  }
  s->reached = reached;
  for (uint64_t i = 0; reached && i < n; i++) {
    if (s->lo[i] < old.lo[i]) s->lo[i] = old.lo[i];
    if (s->hi[i] > old.hi[i]) s->hi[i] = old.hi[i];
    s->defined[i] &= old.defined[i];
  }
  mem_free(old.lo);
  mem_free(old.hi);
  mem_free(old.defined);
}

// --- all of it ---

static void init(struct fix *f) {
  const struct ir_layout *l = f->e->relation->model->layout;
  size_t n = f->e->leaves;
  intervals_init(&f->at, n);
  f->type = mem_zalloc(n + 1, sizeof *f->type);
  for (uint64_t i = 0; i < n; i++) {
    const struct term *t = term_leaf(f->e->relation->terms, i, l->leaf[i].type);
    f->type[i] = (struct range){t->lo, t->hi};
  }
  for (size_t i = 0; i < f->e->states.count; i++) {
    struct efsm_state *s = &f->e->states.data[i];
    s->reached = i == EFSM_ENTRY;
    s->lo = mem_zalloc(n + 1, sizeof *s->lo);
    s->hi = mem_zalloc(n + 1, sizeof *s->hi);
    s->defined = mem_zalloc(n + 1, sizeof *s->defined);
    for (uint64_t k = 0; k < n; k++) enter(s, k, anything(f, k));
  }
  f->written = mem_zalloc(n + 1, sizeof *f->written);
  for (size_t i = 0; i < f->e->edges.count; i++) {
    const struct efsm_edge *d = &f->e->edges.data[i];
    for (size_t k = 0; k < d->writes.count && d->from != EFSM_ENTRY; k++)
      f->written[d->writes.data[k].leaf] = true;
  }
  f->joins = mem_zalloc(f->e->states.count, sizeof *f->joins);
  f->dirty = mem_zalloc(f->e->states.count, sizeof *f->dirty);
}

void intervals_fix(struct efsm *e) {
  struct fix f = {.e = e};
  init(&f);
  find_landmarks(&f);
  find_order(&f);
  ascend(&f);
  for (int round = 0; round < NARROWS; round++)
    for (size_t i = 0; i < f.states.count; i++) {
      const struct efsm_state *s = &e->states.data[f.states.data[i]];
      if (f.states.data[i] != EFSM_ENTRY && s->reached && !s->is_error) redo(&f, f.states.data[i]);
    }
  intervals_clear(&f.at);
  mem_free(f.type);
  mem_free(f.written);
  mem_free(f.order);
  mem_free(f.joins);
  mem_free(f.dirty);
  VEC_CLEAR(&f.landmarks);
  VEC_CLEAR(&f.states);
}
