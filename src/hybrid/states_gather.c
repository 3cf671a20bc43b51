// SPDX-License-Identifier: Apache-2.0
// From pairs, as images yield them, to a disjunct: pairs of one control state that have the same
// diagram, or the same set, become one, and sets are made of fewer polyhedra.
#include "hybrid/states_own.h"

#include <stdlib.h>

#define ALIKE_MAX 64 // of more pairs sets are not compared with each other

void gather_add(struct gather *g, uint32_t control, dd truth, zset *set) {
  struct gathered one = {control, {truth, set}};
  VEC_PUSH(&g->all, one);
}

static void drop_pair(struct pair *p) {
  dd_drop(p->truth);
  zset_drop(p->set);
}

void gather_clear(struct gather *g) {
  for (size_t i = 0; i < g->all.count; i++) drop_pair(&g->all.data[i].pair);
  VEC_CLEAR(&g->all);
}

static int by_control(const void *a, const void *b) {
  const struct gathered *x = a, *y = b;
  if (x->control != y->control) return x->control < y->control ? -1 : 1;
  return (x->pair.truth > y->pair.truth) - (x->pair.truth < y->pair.truth);
}

// Neighbours with the same diagram.
static size_t join_sets(struct states *s, struct pair *pairs, size_t count) {
  zset **sets = mem_alloc(count * sizeof *sets);
  size_t n = 0;
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && pairs[end].truth == pairs[i].truth; end++)
      sets[end - i] = pairs[end].set;
    struct pair all = {dd_copy(pairs[i].truth), states_join(s, sets, end - i)};
    for (size_t k = i; k < end; k++) drop_pair(&pairs[k]);
    pairs[n++] = all;
  }
  mem_free(sets);
  return n;
}

static size_t join_truths(struct pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t k = i + 1; k < count;) {
      if (zset_same(pairs[i].set, pairs[k].set) == 1) {
        dd_set(&pairs[i].truth, dd_or(pairs[i].truth, pairs[k].truth));
        drop_pair(&pairs[k]);
        pairs[k] = pairs[--count];
      } else {
        k++;
      }
    }
  }
  return count;
}

static int by_truth(const void *a, const void *b) {
  const struct pair *x = a, *y = b;
  return (x->truth > y->truth) - (x->truth < y->truth);
}

static size_t reduce(struct states *s, struct pair *pairs, size_t count) {
  count = join_sets(s, pairs, count);
  if (count < 2 || count > ALIKE_MAX) return count;
  size_t before = count;
  count = join_truths(pairs, count);
  if (count == before) return count;
  qsort(pairs, count, sizeof *pairs, by_truth);
  return join_sets(s, pairs, count);
}

static void add_piece(struct states *s, struct disjunct *d, const struct gathered *first,
                      size_t count) {
  struct piece *p = &d->pieces[d->piece_count++];
  *p = (struct piece){.control = first->control};
  p->pairs = mem_alloc(count * sizeof *p->pairs);
  for (size_t i = 0; i < count; i++) p->pairs[i] = first[i].pair;
  p->count = reduce(s, p->pairs, count);
  for (size_t i = 0; i < p->count; i++)
    d->size += zset_polyhedra(p->pairs[i].set) + dd_nodes(p->pairs[i].truth);
  csr_add(d->control, p->control);
}

struct disjunct *gather_done(struct gather *g, uint64_t depth) {
  struct states *s = g->states;
  struct disjunct *d = mem_zalloc(1, sizeof *d);
  struct gathered *all = g->all.data;
  size_t count = g->all.count;
  *d = (struct disjunct){.refs = 1, .depth = depth};
  d->control = mem_zalloc(csr_words(s->efsm), sizeof *d->control);
  d->pieces = mem_zalloc(count + 1, sizeof *d->pieces);
  if (count) qsort(all, count, sizeof *all, by_control);
  bool whole = true;
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && all[end].control == all[i].control; end++)
      whole &= all[end].pair.set != NULL;
    add_piece(s, d, all + i, end - i);
  }
  VEC_CLEAR(&g->all);
  for (size_t i = 0; i < d->piece_count; i++)
    for (size_t k = 0; k < d->pieces[i].count; k++) whole &= d->pieces[i].pairs[k].set != NULL;
  if (whole) return d;
  states_fail(s, NULL);
  disjunct_drop(s, d);
  return NULL;
}

const struct piece *disjunct_piece(const struct disjunct *d, uint32_t control) {
  for (size_t lo = 0, hi = d->piece_count; lo < hi;) {
    size_t mid = lo + (hi - lo) / 2;
    if (d->pieces[mid].control == control) return &d->pieces[mid];
    if (d->pieces[mid].control < control)
      lo = mid + 1;
    else
      hi = mid;
  }
  return NULL;
}
