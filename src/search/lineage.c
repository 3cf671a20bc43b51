// SPDX-License-Identifier: Apache-2.0
// Marks and ways: where the states of a breadth-first search came from.
#include "search/lineage.h"

void lineage_clear(struct lineage *l) {
  VEC_CLEAR(&l->marks);
  VEC_CLEAR(&l->ways);
  VEC_CLEAR(&l->far);
  VEC_CLEAR(&l->bad);
  VEC_CLEAR(&l->bad_new);
}

// What was written; the rest of a large vector is not there yet.
size_t lineage_bytes(const struct lineage *l) {
  return l->marks.count * sizeof *l->marks.data + l->ways.count * sizeof *l->ways.data +
         l->far.count * sizeof *l->far.data +
         (l->bad.count + l->bad_new.count) * sizeof *l->bad.data;
}

// --- arrivals ---

void lineage_stretch(struct lineage *l, uint64_t place, uint64_t end) {
  if (place != l->stretch) l->mark_next = l->count;
  l->stretch = end;
}

void lineage_mark(struct lineage *l) {
  VEC_PUSH(&l->marks, ((struct mark){l->count, l->from}));
  l->source = l->from;
  l->mark_next = l->count + MARK_ARRIVALS;
}

void lineage_way(struct lineage *l, uint64_t successor) {
  struct way way = {(uint8_t)(l->from - l->source), WAY_FAR};
  if (successor < WAY_FAR)
    way.successor = (uint8_t)successor;
  else
    VEC_PUSH(&l->far, ((struct far){l->count - 1, successor}));
  VEC_PUSH(&l->ways, way);
}

// --- states that are not expanded ---

void lineage_bad(struct lineage *l, uint64_t number) { VEC_PUSH(&l->bad_new, number); }

bool lineage_level(struct lineage *l) {
  for (size_t i = 0; i < l->bad_new.count; i++) VEC_PUSH(&l->bad, l->bad_new.data[i]);
  bool some = l->bad_new.count > 0;
  l->bad_new.count = 0;
  return some;
}

size_t lineage_bad_before(const struct lineage *l, uint64_t number) {
  size_t low = 0, high = l->bad.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (l->bad.data[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool lineage_is_bad(const struct lineage *l, uint64_t number) {
  size_t i = lineage_bad_before(l, number);
  return i < l->bad.count && l->bad.data[i] == number;
}

// --- sources ---

static const struct mark *mark_of(const struct lineage *l, uint64_t number) {
  assert(l->marks.count && l->marks.data[0].arrival <= number);
  const size_t stride = sizeof(struct mark) / sizeof(uint64_t);
  return &l->marks.data[words_last(&l->marks.data->arrival, l->marks.count, stride, number)];
}

uint64_t lineage_source_least(const struct lineage *l, uint64_t number) {
  return mark_of(l, number)->source;
}

static uint64_t far_successor(const struct lineage *l, uint64_t number) {
  assert(l->far.count);
  const size_t stride = sizeof(struct far) / sizeof(uint64_t);
  size_t at = words_last(&l->far.data->arrival, l->far.count, stride, number);
  assert(l->far.data[at].arrival == number);
  return l->far.data[at].successor;
}

uint64_t lineage_source(const struct lineage *l, uint64_t number, uint64_t *successor) {
  struct way way = l->ways.data[number];
  *successor = way.successor < WAY_FAR ? way.successor : far_successor(l, number);
  return mark_of(l, number)->source + way.source;
}
