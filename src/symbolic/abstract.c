// SPDX-License-Identifier: Apache-2.0
// The abstraction of paper 004, phases 1 and 2. To quantify inside of clusters instead of in their
// conjunction loses no step, only precision. What it makes of a move is clustered anew, since it is
// smaller; a move that writes nothing but weak leaves goes nowhere, and is left out.
//
// A choice that several clusters speak of, such as which way to go, is what holds them together:
// if it has few values, a move is taken apart by them. What is left of its clusters for each is
// much smaller, and so is all that comes about on the way to an image, the more so backward.
#include "symbolic/abstract.h"

#include "ir/ir.h"
#include "symbolic/reach.h"

#include <string.h>

#define JOIN_NODES  1000 // moves that write the same are joined up to this size
#define MADE_FACTOR 4    // times as many nodes may be made for a preimage as it may have
#define APART_BITS  3    // of choices by whose values a move is taken apart, at most

struct weakness { // while an abstraction is made
  const uint32_t *strength;
  uint64_t depth;
  dd cube;         // of weak leaves' variables, now and next
  var_list choice; // variables of all choices
};

static bool is_weak(const struct weakness *w, uint64_t leaf) {
  return w->depth != ABSTRACT_NOTHING && w->strength[leaf] >= w->depth;
}

static void add_vars(var_list *to, const unsigned *vars, size_t count) {
  for (size_t i = 0; i < count; i++) VEC_PUSH(to, vars[i]);
}

// --- variables of a move ---

struct lists {
  var_list now, next, forward, backward;
};

static void lists_init(struct lists *l, const struct space *s, const struct weakness *w,
                       const struct move *m, struct move *out) {
  *l = (struct lists){0};
  for (size_t i = 0; i < m->writes.count; i++) {
    const struct space_bits *b = &s->leaf[m->writes.data[i]];
    if (is_weak(w, m->writes.data[i])) continue;
    VEC_PUSH(&out->writes, m->writes.data[i]);
    add_vars(&l->now, b->now, b->count);
    add_vars(&l->next, b->next, b->count);
  }
  add_vars(&l->forward, l->now.data, l->now.count);
  add_vars(&l->forward, w->choice.data, w->choice.count);
  add_vars(&l->backward, l->next.data, l->next.count);
  add_vars(&l->backward, w->choice.data, w->choice.count);
}

static void lists_clear(struct lists *l) {
  VEC_CLEAR(&l->now);
  VEC_CLEAR(&l->next);
  VEC_CLEAR(&l->forward);
  VEC_CLEAR(&l->backward);
}

// --- moves ---

static bool same_writes(const struct move *a, const struct move *b) {
  return a->writes.count == b->writes.count &&
         !memcmp(a->writes.data, b->writes.data, a->writes.count * sizeof(*a->writes.data));
}

// Joins a move of one cluster to one like it, if the sum stays small. It is used up then.
static bool join(struct abstraction *a, struct move *m) {
  if (m->relation.part.count != 1) return false;
  for (size_t i = a->own.count; i-- > 0;) {
    struct move *to = &a->own.data[i];
    if (to->relation.part.count != 1 || !same_writes(to, m)) continue;
    dd sum = dd_or(to->relation.part.data[0], m->relation.part.data[0]);
    bool small = dd_nodes(sum) <= JOIN_NODES;
    if (small) dd_set(&to->relation.part.data[0], dd_copy(sum));
    dd_drop(sum);
    if (!small) continue;
    steps_move_clear(m);
    return true;
  }
  return false;
}

// The clusters of a move without weak variables, for these values of choices.
static void weaken(const struct weakness *w, const struct move *m, dd values, dd_list *pieces) {
  dd gone = dd_support(values);
  dd_and_to(&gone, dd_copy(w->cube));
  for (size_t i = 0; i < m->relation.part.count; i++) {
    dd piece = dd_and_exists(m->relation.part.data[i], values, gone);
    if (!dd_is_true(piece)) VEC_PUSH(pieces, piece);
  }
  dd_drop(gone);
}

// Steps of the move with these values of choices.
static void add_part(struct abstraction *a, const struct weakness *w, const struct move *m,
                     dd values) {
  struct move out = {.agent = m->agent};
  struct lists l;
  dd_list pieces = {0};
  lists_init(&l, a->space, w, m, &out);
  if (out.writes.count) weaken(w, m, values, &pieces);
  clusters_init_in_haste(&out.relation, &pieces, &l.forward, &l.backward, &w->choice);
  bool goes = out.writes.count && !dd_is_false(out.relation.part.data[0]);
  if (!goes) {
    steps_move_clear(&out);
  } else if (!join(a, &out)) {
    out.to_next = dd_renaming_new(l.now.data, l.next.data, l.now.count);
    VEC_PUSH(&a->own, out);
  }
  lists_clear(&l);
}

// Variables of choices that several clusters speak of, if they are few.
static void shared_choices(const struct weakness *w, const struct move *m, var_list *out) {
  const dd_list *part = &m->relation.part;
  if (!w->choice.count || part->count < 2) return;
  size_t words = dd_var_count() / 64 + 1;
  uint64_t *support = mem_zalloc(part->count * words, sizeof *support);
  for (size_t i = 0; i < part->count; i++) dd_support_into(part->data[i], support + i * words);
  for (size_t k = 0; k < w->choice.count; k++) {
    unsigned var = w->choice.data[k];
    size_t uses = 0;
    for (size_t i = 0; i < part->count; i++) uses += words_has(support + i * words, var);
    if (uses > 1) VEC_PUSH(out, var);
  }
  if (out->count > APART_BITS) out->count = 0;
  mem_free(support);
}

static void add_move(struct abstraction *a, const struct weakness *w, const struct move *m) {
  var_list shared = {0};
  shared_choices(w, m, &shared);
  bool same = !shared.count && dd_is_true(w->cube);
  if (same) VEC_PUSH(&a->moves, m);
  for (unsigned code = 0; code < 1u << shared.count && !same; code++) {
    dd values = dd_true();
    for (size_t i = 0; i < shared.count; i++)
      dd_and_to(&values, dd_var(shared.data[i], code >> i & 1));
    add_part(a, w, m, values);
    dd_drop(values);
  }
  VEC_CLEAR(&shared);
}

// --- the whole ---

static void make_moves(struct abstraction *a, const struct steps *t, struct weakness *w) {
  for (size_t k = 0; k < a->space->choices; k++)
    add_vars(&w->choice, a->space->choice[k].now, a->space->choice[k].count);
  for (size_t i = 0; i < t->moves.count; i++) add_move(a, w, &t->moves.data[i]);
  for (size_t i = 0; i < a->own.count; i++) VEC_PUSH(&a->moves, &a->own.data[i]);
  VEC_CLEAR(&w->choice);
}

void abstraction_init(struct abstraction *a, const struct reach *x, const uint32_t *strength,
                      uint64_t depth) {
  struct weakness w = {.strength = strength, .depth = depth};
  var_list now = {0}, both = {0};
  *a = (struct abstraction){.space = x->space};
  for (uint64_t i = 0; i < x->model->layout->count; i++) {
    const struct space_bits *b = &x->space->leaf[i];
    if (!b->count) continue;
    a->leaves++;
    a->kept += !is_weak(&w, i);
    if (!is_weak(&w, i)) continue;
    add_vars(&now, b->now, b->count);
    add_vars(&both, b->now, b->count);
    add_vars(&both, b->next, b->count);
  }
  a->weak = dd_cube(now.data, now.count);
  w.cube = dd_cube(both.data, both.count);
  VEC_CLEAR(&now);
  VEC_CLEAR(&both);
  a->valid = abstraction_of(a, x->space->valid_now);
  a->allowed = dd_is_true(a->weak) && !x->steps->assumes ? dd_true() : dd_copy(a->valid);
  a->passed = abstraction_of(a, x->passed);
  make_moves(a, x->steps, &w);
  dd_drop(w.cube);
}

void abstraction_clear(struct abstraction *a) {
  for (size_t i = 0; i < a->own.count; i++) steps_move_clear(&a->own.data[i]);
  VEC_CLEAR(&a->own);
  VEC_CLEAR(&a->moves);
  dd_drop(a->weak);
  dd_drop(a->valid);
  dd_drop(a->allowed);
  dd_drop(a->passed);
  *a = (struct abstraction){0};
}

dd abstraction_of(const struct abstraction *a, dd states) { return dd_exists(states, a->weak); }

// --- images ---

// Sums of 1, 2, 4, ... moves' parts of an image, at most one of each size: so that few diagrams are
// added to what is large already.
struct sums {
  dd of[32];
  unsigned rank[32];
  size_t count;
};

// Adds a part, which is taken over. Sums that are not the last may be left apart (whole: none).
static bool add_up(struct sums *s, dd part, bool whole, size_t nodes_max) {
  unsigned rank = 0;
  while (s->count && (whole || s->rank[s->count - 1] == rank)) {
    dd_or_to(&part, s->of[--s->count]);
    rank++;
    if (nodes_max < SIZE_MAX && dd_nodes(part) > nodes_max) nodes_max = 0;
  }
  s->rank[s->count] = rank;
  s->of[s->count++] = part;
  return nodes_max > 0;
}

// All of it that are such states.
static bool sum_up(struct sums *s, dd states, bool small, size_t nodes_max, dd *out) {
  small = add_up(s, dd_false(), true, nodes_max) && small;
  *out = small ? dd_and(s->of[0], states) : dd_false();
  dd_drop(s->of[0]);
  return small;
}

// Were so many made that it is given up? What is too large is often so in the sum of its moves
// only.
static bool is_dear(uint64_t made_before, size_t nodes_max) {
  return nodes_max < SIZE_MAX / MADE_FACTOR && dd_made() - made_before > MADE_FACTOR * nodes_max;
}

bool abstraction_preimage(const struct abstraction *a, dd to, size_t nodes_max, dd *out) {
  struct sums sums = {0};
  uint64_t before = dd_made();
  bool small = true;
  for (size_t i = 0; i < a->moves.count && small; i++) {
    const struct move *m = a->moves.data[i];
    dd set = dd_rename(to, m->to_next);
    small = clusters_product_within(&m->relation, &m->relation.backward, nodes_max, &set);
    small = small && !is_dear(before, nodes_max);
    small = add_up(&sums, set, false, nodes_max) && small;
  }
  return sum_up(&sums, a->valid, small, nodes_max, out);
}

bool abstraction_image(const struct abstraction *a, dd from, size_t nodes_max, dd *out) {
  struct sums sums = {0};
  bool small = true;
  for (size_t i = 0; i < a->moves.count && small; i++) {
    const struct move *m = a->moves.data[i];
    dd set = dd_copy(from);
    small = clusters_product_within(&m->relation, &m->relation.forward, nodes_max, &set);
    dd_set(&set, dd_rename(set, a->space->to_now));
    small = add_up(&sums, set, false, nodes_max) && small;
  }
  return sum_up(&sums, a->allowed, small, nodes_max, out);
}
