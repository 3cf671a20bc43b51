// SPDX-License-Identifier: Apache-2.0
// Frames as lists of blocked cubes by level, and obligations as a heap.
#include "bmc/pdr_own.h"

// --- frames ---

bool pdr_is_blocked(const struct pdr *p, const struct cube *c, size_t level) {
  for (size_t l = level; l < p->frames.count; l++) {
    const struct cubes *frame = &p->frames.data[l];
    for (size_t i = 0; i < frame->list.count; i++)
      if (cube_contains(frame->list.data[i], c)) return true;
  }
  return false;
}

// Cubes of this level and below that are in this one are blocked by it.
static void drop_contained(struct pdr *p, const struct cube *c, size_t level) {
  for (size_t l = 1; l <= level; l++) {
    struct cubes *frame = &p->frames.data[l];
    size_t kept = 0;
    for (size_t i = 0; i < frame->list.count; i++) {
      struct cube *other = frame->list.data[i];
      if (!cube_contains(c, other))
        frame->list.data[kept++] = other;
      else
        cube_free(other);
    }
    p->dead += frame->list.count - kept;
    frame->list.count = kept;
  }
}

static void count_activity(struct pdr *p, const struct cube *c) {
  for (size_t i = 0; i < c->count; i++) p->activity[2 * cube_bit(c->lits[i]) + (c->lits[i] < 0)]++;
}

void pdr_block(struct pdr *p, struct cube *c, size_t level) {
  assert(level >= 1 && level < p->frames.count);
  drop_contained(p, c, level);
  count_activity(p, c);
  VEC_PUSH(&p->frames.data[level].list, c);
  pdr_tell(p, c, level);
}

size_t pdr_level_up(struct pdr *p, struct cube **c, size_t level) {
  while (level < pdr_frontier(p) && pdr_ask_step(p, level, *c) == SAT_NO) {
    struct cube *part = pdr_core(p, *c);
    cube_free(*c);
    *c = part;
    level++;
  }
  return level;
}

bool pdr_propagate(struct pdr *p, size_t level) {
  struct cubes *frame = &p->frames.data[level];
  for (size_t i = 0; i < frame->list.count && !p->stopped;) {
    const struct cube *c = frame->list.data[i];
    if (pdr_ask_step(p, level, c) == SAT_NO)
      pdr_block(p, pdr_core(p, c), level + 1); // which takes it out of here, perhaps with others
    else
      i++;
  }
  return frame->list.count == 0;
}

// --- obligations ---

// Near to a start first, then near to a bad state.
static bool comes_before(const struct obligation *a, const struct obligation *b) {
  if (a->level != b->level) return a->level < b->level;
  return a->depth != b->depth ? a->depth < b->depth : a->order < b->order;
}

static void swap(struct obligation *a, struct obligation *b) {
  struct obligation c = *a;
  *a = *b;
  *b = c;
}

void pdr_owe(struct pdr *p, struct cube *c, size_t level, uint64_t depth) {
  VEC_PUSH(&p->queue, ((struct obligation){level, depth, p->obligations++, c}));
  struct obligation *heap = p->queue.data;
  for (size_t i = p->queue.count - 1; i && comes_before(&heap[i], &heap[(i - 1) / 2]);
       i = (i - 1) / 2)
    swap(&heap[i], &heap[(i - 1) / 2]);
}

struct obligation pdr_due(struct pdr *p) {
  struct obligation *heap = p->queue.data, first = heap[0];
  size_t count = --p->queue.count;
  heap[0] = heap[count];
  for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && comes_before(&heap[child + 1], &heap[child])) child++;
    if (!comes_before(&heap[child], &heap[i])) break;
    swap(&heap[child], &heap[i]);
  }
  return first;
}
