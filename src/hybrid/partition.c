// SPDX-License-Identifier: Apache-2.0
// State decomposition (paper 003, V.A): Partition and Group, greedy both, by the sizes (16) and
// (17). A bi-partition that makes nothing smaller is not made: then the disjunct stays as it is.
#include "hybrid/hmc.h"

// NP(D), (18)
static bool needs_none(struct hmc *h, struct disjunct *d) {
  return d->size < h->tsize && states_image_size(h->states, d) < h->isize;
}

// The same of all together: both sizes are sums over control states.
static bool need_none(struct hmc *h, const parts *p) {
  uint64_t size = 0, image = 0;
  for (size_t i = 0; i < p->count; i++) {
    size += p->data[i]->size;
    image += states_image_size(h->states, p->data[i]);
  }
  return size < h->tsize && image < h->isize;
}

bool partition_halve(struct hmc *h, struct disjunct *d, struct disjunct *half[2]) {
  if (!states_halve(h->states, d, half)) return false;
  if (half[0]->size < d->size && half[1]->size < d->size) return true;
  disjunct_drop(h->states, half[0]);
  disjunct_drop(h->states, half[1]);
  return false;
}

static void bipartition(struct hmc *h, struct disjunct *d, parts *out) {
  struct disjunct *half[2];
  if (needs_none(h, d) || !partition_halve(h, d, half)) {
    VEC_PUSH(out, d);
    return;
  }
  disjunct_drop(h->states, d);
  bipartition(h, half[0], out);
  bipartition(h, half[1], out);
}

// What cannot be put together stays apart.
static void unite(struct hmc *h, parts *p, parts *out) {
  struct disjunct *all = p->data[0];
  for (size_t i = 1; i < p->count; i++) {
    struct disjunct *both = states_union(h->states, all, p->data[i]);
    if (both) {
      disjunct_drop(h->states, all);
      disjunct_drop(h->states, p->data[i]);
      all = both;
    } else {
      VEC_PUSH(out, p->data[i]);
    }
  }
  VEC_PUSH(out, all);
}

void partition(struct hmc *h, parts *p, parts *out) {
  if (p->count == 0) return;
  if (!h->partition || need_none(h, p)) return unite(h, p, out);
  h->judge.result->stats.partitions++;
  for (size_t i = 0; i < p->count; i++) bipartition(h, p->data[i], out);
}

// --- Group ---

// Those that PR has looked at, or looks at now, and those that ST cannot take on stay as they are.
static bool may_merge(const struct front *f, uint64_t depth) {
  return f->set->depth == depth && !f->stuck && !f->job && !f->looked;
}

// The two smallest of this depth; false: there are no two.
static bool two_smallest(const struct hmc *h, uint64_t depth, size_t two[2]) {
  size_t none = h->F.count;
  two[0] = two[1] = none;
  for (size_t i = 0; i < h->F.count; i++) {
    const struct front *f = &h->F.data[i];
    if (!may_merge(f, depth)) continue;
    if (two[0] == none || f->set->size < h->F.data[two[0]].set->size) {
      two[1] = two[0];
      two[0] = i;
    } else if (two[1] == none || f->set->size < h->F.data[two[1]].set->size) {
      two[1] = i;
    }
  }
  return two[1] != none;
}

// Puts both into a's place, if together they need no partition.
static bool merge(struct hmc *h, size_t a, size_t b) {
  struct front *x = &h->F.data[a], *y = &h->F.data[b];
  if (h->partition && x->set->size + y->set->size >= 2 * h->tsize) return false;
  struct disjunct *both = states_union(h->states, x->set, y->set);
  if (!both) return false;
  if (h->partition && !needs_none(h, both)) {
    disjunct_drop(h->states, both);
    return false;
  }
  if (y->distance < x->distance) x->distance = y->distance;
  if (y->nearest < x->nearest) x->nearest = y->nearest;
  h->size = h->size - x->set->size + both->size;
  disjunct_drop(h->states, x->set);
  x->set = both;
  traverse_drop(h, b);
  return true;
}

void partition_group(struct hmc *h, uint64_t depth) {
  size_t two[2];
  while (two_smallest(h, depth, two))
    if (!merge(h, two[0], two[1])) break;
}
