// SPDX-License-Identifier: Apache-2.0
// State deltas: steps forward note what they overwrite, steps back put it there again.
#include "search/deltas.h"

#include <string.h>

void deltas_init(struct deltas *d, size_t words) {
  *d = (struct deltas){.words = words};
  d->state = mem_zalloc(words, sizeof *d->state);
}

void deltas_clear(struct deltas *d) {
  mem_free(d->state);
  VEC_CLEAR(&d->undo);
  VEC_CLEAR(&d->steps);
}

void deltas_begin(struct deltas *d, const uint64_t *state) {
  memcpy(d->state, state, d->words * sizeof *state);
  d->undo.count = d->steps.count = 0;
}

static void change(struct deltas *d, uint32_t word, uint64_t value) {
  VEC_PUSH(&d->undo, ((struct delta){d->state[word], word}));
  d->state[word] = value;
}

void deltas_step(struct deltas *d, const uint64_t *to) {
  VEC_PUSH(&d->steps, d->undo.count);
  for (size_t i = 0; i < d->words; i++)
    if (d->state[i] != to[i]) change(d, (uint32_t)i, to[i]);
}

void deltas_change(struct deltas *d, const struct delta *changes, size_t count) {
  VEC_PUSH(&d->steps, d->undo.count);
  for (size_t i = 0; i < count; i++) change(d, changes[i].word, changes[i].value);
}

void deltas_back(struct deltas *d, uint64_t length) {
  assert(length <= d->steps.count);
  while (d->steps.count > length) {
    size_t begin = d->steps.data[--d->steps.count];
    while (d->undo.count > begin) {
      const struct delta *u = &d->undo.data[--d->undo.count];
      d->state[u->word] = u->value;
    }
  }
}

void deltas_recall(const struct deltas *d, uint64_t from, uint64_t to, uint64_t *state) {
  assert(to <= from && from <= d->steps.count);
  if (to == from) return;
  size_t end = from < d->steps.count ? d->steps.data[from] : d->undo.count;
  for (size_t i = end; i-- > d->steps.data[to];)
    state[d->undo.data[i].word] = d->undo.data[i].value;
}

size_t deltas_bytes(const struct deltas *d) {
  return d->words * sizeof *d->state + d->undo.capacity * sizeof *d->undo.data +
         d->steps.capacity * sizeof *d->steps.data;
}
