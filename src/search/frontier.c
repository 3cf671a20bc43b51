// SPDX-License-Identifier: Apache-2.0
// The level that a breadth-first search expands, in pieces and chunks.
#include "search/frontier.h"

#include "search/lineage.h"
#include "store/store.h"
#include "sys/sys.h"

#ifdef FATHOM_SMALL
enum { PACKED_STATES = 3 };
#else
enum { PACKED_STATES = 256 }; // in a packed piece
#endif

void frontier_init(struct frontier *f, const struct search *s) {
  f->packs = !store_keeps_states(s->store);
  f->words = s->words;
  f->bytes = s->config->sys->bytes;
}

static void free_packed(struct piece *pieces, size_t count) {
  for (size_t i = 0; i < count; i++) mem_free(pieces[i].packed);
}

void frontier_clear(struct frontier *f) {
  free_packed(f->pieces.data, f->pieces.count);
  VEC_CLEAR(&f->pieces);
}

void frontier_next_clear(struct frontier_next *n) {
  free_packed(n->pieces.data, n->pieces.count);
  VEC_CLEAR(&n->pieces);
}

size_t frontier_bytes(const struct frontier *f) {
  return f->pieces.capacity * sizeof *f->pieces.data +
         atomic_load_explicit(&f->packed_bytes, memory_order_relaxed);
}

// --- a new level ---

void frontier_begin(struct frontier *f) {
  free_packed(f->pieces.data, f->pieces.count);
  f->pieces.count = 0;
  f->count = 0;
}

static void add_piece(struct frontier *f, struct piece p) {
  VEC_PUSH(&f->pieces, p);
  f->count += p.count;
}

// The runs are walked from the last one back: that is where the newest level lies.
void frontier_add_runs(struct frontier *f, const struct search_worker *w, uint64_t from,
                       uint64_t to) {
  size_t first = f->pieces.count;
  uint64_t end = w->id_count;
  for (size_t i = w->runs.count; i-- > 0 && end > from;) {
    const struct search_run *run = &w->runs.data[i];
    uint64_t low = run->number < from ? from : run->number, high = end < to ? end : to;
    if (low < high)
      add_piece(f, (struct piece){.place = place_of(w->number, low),
                                  .count = high - low,
                                  .id = run->id + (low - run->number)});
    end = run->number;
  }
  for (size_t i = first, j = f->pieces.count; i + 1 < j; i++) {
    struct piece last = f->pieces.data[--j];
    f->pieces.data[j] = f->pieces.data[i];
    f->pieces.data[i] = last;
  }
}

void frontier_add_packed(struct frontier *f, struct frontier_next *n) {
  for (size_t i = 0; i < n->pieces.count; i++) {
    add_piece(f, n->pieces.data[i]);
    n->pieces.data[i].packed = NULL;
  }
  n->pieces.count = 0;
}

static uint64_t chunks_of(const struct frontier *f, const struct piece *p) {
  return f->packs ? 1 : (p->count - 1) / f->chunk_most + 1;
}

void frontier_cut(struct frontier *f, uint64_t chunk_most) {
  f->chunk_most = chunk_most;
  f->chunk_count = 0;
  for (size_t i = 0; i < f->pieces.count; i++) {
    f->pieces.data[i].chunk = f->chunk_count;
    f->chunk_count += chunks_of(f, &f->pieces.data[i]);
  }
  f->taken = 0;
}

// --- packed states ---

void frontier_pack(struct frontier *f, struct frontier_next *n, const uint64_t *state,
                   uint64_t place) {
  struct piece *p = n->pieces.count ? &VEC_TOP(&n->pieces) : NULL;
  if (!p || p->count == PACKED_STATES) {
    VEC_PUSH(&n->pieces, ((struct piece){.place = place}));
    p = &VEC_TOP(&n->pieces);
    p->packed = mem_alloc(PACKED_STATES * f->bytes);
    atomic_fetch_add_explicit(&f->packed_bytes, PACKED_STATES * f->bytes, memory_order_relaxed);
  }
  assert(p->place + p->count == place);
  memcpy(p->packed + p->count++ * f->bytes, state, f->bytes);
}

static void unpack(const struct frontier *f, const unsigned char *packed, size_t count,
                   uint64_t *words) {
  for (size_t i = 0; i < count; i++) {
    words[(i + 1) * f->words - 1] = 0;
    memcpy(words + i * f->words, packed + i * f->bytes, f->bytes);
  }
}

// --- chunks ---

bool frontier_take(struct frontier *f, size_t *hint, struct piece *chunk) {
  uint64_t number = atomic_fetch_add_explicit(&f->taken, 1, memory_order_relaxed);
  if (number >= f->chunk_count) return false;
  size_t i = *hint;
  while (i + 1 < f->pieces.count && f->pieces.data[i + 1].chunk <= number) i++;
  *hint = i;
  struct piece *p = &f->pieces.data[i];
  uint64_t skip = f->packs ? 0 : (number - p->chunk) * f->chunk_most;
  *chunk = (struct piece){
      .place = p->place + skip, .count = p->count - skip, .id = p->id + skip, .packed = p->packed};
  if (!f->packs && chunk->count > f->chunk_most) chunk->count = f->chunk_most;
  if (f->packs) p->packed = NULL; // the chunk's now
  return true;
}

void frontier_read(const struct frontier *f, const struct store *store, const struct piece *chunk,
                   uint64_t first, size_t count, uint64_t *words) {
  if (f->packs)
    unpack(f, chunk->packed + first * f->bytes, count, words);
  else
    store_get_batch(store, chunk->id + first, count, words);
}

void frontier_drop(struct frontier *f, struct piece *chunk) {
  if (!chunk->packed) return;
  mem_free(chunk->packed);
  chunk->packed = NULL;
  atomic_fetch_sub_explicit(&f->packed_bytes, PACKED_STATES * f->bytes, memory_order_relaxed);
}
