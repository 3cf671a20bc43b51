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
  VEC_CLEAR(&f->lanes);
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
  f->lanes.count = 0;
  f->count = 0;
}

static void add_piece(struct frontier *f, struct piece p) {
  VEC_PUSH(&f->pieces, p);
  f->count += p.count;
}

static void end_lane(struct frontier *f) {
  VEC_PUSH(&f->lanes, ((struct lane){.end = f->pieces.count}));
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
  end_lane(f);
}

void frontier_add_packed(struct frontier *f, struct frontier_next *n) {
  for (size_t i = 0; i < n->pieces.count; i++) {
    add_piece(f, n->pieces.data[i]);
    n->pieces.data[i].packed = NULL;
  }
  n->pieces.count = 0;
  end_lane(f);
}

static uint64_t chunks_of(const struct frontier *f, const struct piece *p) {
  return f->packs ? 1 : (p->count - 1) / f->chunk_most + 1;
}

void frontier_cut(struct frontier *f, uint64_t chunk_most) {
  uint64_t chunks = 0;
  size_t piece = 0;
  f->chunk_most = chunk_most;
  for (size_t i = 0; i < f->lanes.count; i++) {
    struct lane *lane = &f->lanes.data[i];
    lane->first = chunks;
    for (; piece < lane->end; piece++) {
      f->pieces.data[piece].chunk = chunks;
      chunks += chunks_of(f, &f->pieces.data[piece]);
    }
    lane->count = chunks - lane->first;
    assert(lane->count < UINT32_MAX); // `taken` has two halves
    lane->taken = 0;
  }
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

// The number of a chunk of the lane that nobody has; false: there is none.
static bool take_number(struct lane *lane, bool own, uint64_t *number) {
  uint64_t one = own ? 1 : UINT64_C(1) << 32;
  uint64_t taken = atomic_fetch_add_explicit(&lane->taken, one, memory_order_relaxed);
  uint64_t front = taken & UINT32_MAX, back = taken >> 32;
  *number = own ? lane->first + front : lane->first + lane->count - 1 - back;
  return front + back < lane->count;
}

static struct piece *piece_of(const struct frontier *f, uint64_t number) {
  const size_t stride = sizeof(struct piece) / sizeof(uint64_t);
  return &f->pieces.data[words_last(&f->pieces.data->chunk, f->pieces.count, stride, number)];
}

static void get_chunk(struct frontier *f, uint64_t number, struct piece *chunk) {
  struct piece *p = piece_of(f, number);
  uint64_t skip = f->packs ? 0 : (number - p->chunk) * f->chunk_most;
  *chunk = (struct piece){
      .place = p->place + skip, .count = p->count - skip, .id = p->id + skip, .packed = p->packed};
  if (!f->packs && chunk->count > f->chunk_most) chunk->count = f->chunk_most;
  if (f->packs) p->packed = NULL; // the chunk's now
}

bool frontier_take(struct frontier *f, unsigned worker, unsigned *empty, struct piece *chunk) {
  uint64_t number;
  for (; *empty < f->lanes.count; ++*empty) {
    size_t at = (worker + *empty) % f->lanes.count;
    if (!take_number(&f->lanes.data[at], at == worker, &number)) continue;
    get_chunk(f, number, chunk);
    return true;
  }
  return false;
}

bool frontier_left(const struct frontier *f) {
  for (size_t i = 0; i < f->lanes.count; i++) {
    const struct lane *lane = &f->lanes.data[i];
    uint64_t taken = atomic_load_explicit(&lane->taken, memory_order_relaxed);
    if ((taken & UINT32_MAX) + (taken >> 32) < lane->count) return true;
  }
  return false;
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
