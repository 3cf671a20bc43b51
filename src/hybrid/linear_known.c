// SPDX-License-Identifier: Apache-2.0
// What is known of terms in a case: a table of its own, and behind it those of the cases that it is
// part of. What holds in a case holds in all its parts, so that nothing is worked out twice.
#include "hybrid/linear.h"

static size_t slot_of(const struct linear_known *table, size_t capacity, const struct term *t) {
  size_t i = (t->id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);
  while (table[i].term && table[i].term != t) i = (i + 1) & (capacity - 1);
  return i;
}

static struct linear_known *here(const struct linear_case *c, const struct term *t) {
  if (!c->known_capacity) return NULL;
  size_t i = slot_of(c->known, c->known_capacity, t);
  return c->known[i].term ? &c->known[i] : NULL;
}

const struct linear_known *linear_find_number(const struct linear_case *c, const struct term *t,
                                              int slot) {
  for (; c; c = c->outer) {
    const struct linear_known *k = here(c, t);
    if (k && k->number[slot].aff) return k;
  }
  return NULL;
}

const struct linear_known *linear_find_truth(const struct linear_case *c, const struct term *t) {
  for (; c; c = c->outer) {
    const struct linear_known *k = here(c, t);
    if (k && k->has_truth) return k;
  }
  return NULL;
}

static void grow(struct linear_case *c) {
  struct linear_known *old = c->known;
  size_t count = c->known_capacity;
  c->known_capacity = count ? 2 * count : 16;
  c->known = mem_zalloc(c->known_capacity, sizeof *c->known);
  for (size_t i = 0; i < count; i++)
    if (old[i].term) c->known[slot_of(c->known, c->known_capacity, old[i].term)] = old[i];
  mem_free(old);
}

static struct linear_known *reserve(struct linear_case *c, const struct term *t) {
  if (2 * c->known_count >= c->known_capacity) grow(c);
  struct linear_known *k = &c->known[slot_of(c->known, c->known_capacity, t)];
  if (!k->term) {
    k->term = t;
    c->known_count++;
  }
  return k;
}

void linear_keep_number(struct linear_case *c, const struct term *t, int slot, zaff *aff, zint lo,
                        zint hi) {
  struct linear_known *k = reserve(c, t);
  zaff_drop((zaff *)k->number[slot].aff);
  k->number[slot] = (struct linear_number){aff, lo, hi};
}

void linear_keep_truth(struct linear_case *c, const struct term *t, dd truth) {
  struct linear_known *k = reserve(c, t);
  if (k->has_truth) dd_drop(k->truth);
  k->has_truth = true;
  k->truth = truth;
}

void linear_clear_known(struct linear_case *c) {
  for (size_t i = 0; i < c->known_capacity; i++) {
    struct linear_known *k = &c->known[i];
    if (!k->term) continue;
    for (int slot = 0; slot < 2; slot++) zaff_drop((zaff *)k->number[slot].aff);
    if (k->has_truth) dd_drop(k->truth);
  }
  mem_free(c->known);
  c->known = NULL;
  c->known_count = c->known_capacity = 0;
}
