// SPDX-License-Identifier: Apache-2.0
// The exact store: states lie one after the other, packed to the byte, in one array that only
// grows; an open-addressing index of slots (id + 1, and above it a tag: spare bits of the hash)
// finds them. Price: the state's bytes and 4.7 to 7.1 bytes of index each.
//
// Invariants: slot 0 is empty; a state sits in the first slot, from its place on, that was empty
// when it came (nothing is ever removed, so a probe may be resumed where it stopped); the index has
// at least one empty slot. Not safe to use from several threads.
#include "store/hash.h"
#include "store/kind.h"
#include "store/region.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Inlined for each shape of state and slot, so that the shape is a constant inside.
#define INLINE __attribute__((always_inline)) static inline

#ifdef FATHOM_SMALL
enum { SLOTS_FIRST = 8, CHUNK = 4 };
#define NARROW_SLOTS_MAX UINT64_C(1000)
#else
enum { SLOTS_FIRST = 4096, CHUNK = 128 };
#define NARROW_SLOTS_MAX UINT64_C(0xffffffff)
#endif

enum {
  LOAD_PERCENT = 85,    // the index grows when it is this full
  STRETCH_PERCENT = 95, // or goes on to here, when the memory limit forbids growing
  SLACK_BYTES = 16,     // words are read and written whole at the end of the array
};
#define RESERVE_BYTES ((size_t)1 << 40)

struct exact {
  struct store base;
  size_t words, bytes, payload_bytes;
  uint64_t last_mask; // bytes in use of a state's last word
  struct region states, index, payload;
  uint64_t slots;
  unsigned id_bits; // of a slot; the rest is tag
  bool wide;        // slots of 64 bits
  bool stretched;   // the index grows no more
  uint64_t room;    // states that fit without asking grow again
};

// --- slots and states ---

INLINE uint64_t slot_get(const struct exact *e, uint64_t at, bool wide) {
  return wide ? ((const uint64_t *)e->index.base)[at] : ((const uint32_t *)e->index.base)[at];
}

INLINE void slot_set(struct exact *e, uint64_t at, uint64_t slot, bool wide) {
  if (wide)
    ((uint64_t *)e->index.base)[at] = slot;
  else
    ((uint32_t *)e->index.base)[at] = (uint32_t)slot;
}

INLINE const void *slot_address(const struct exact *e, uint64_t at, bool wide) {
  return e->index.base + at * (wide ? 8 : 4);
}

INLINE uint64_t slot_tag(const struct exact *e, uint64_t hash, bool wide) {
  return wide ? hash << e->id_bits : (uint32_t)(hash << e->id_bits);
}

INLINE uint64_t slot_id(const struct exact *e, uint64_t slot) {
  return (slot & (~UINT64_C(0) >> (64 - e->id_bits))) - 1;
}

INLINE uint64_t place(const struct exact *e, uint64_t hash) {
  return (uint64_t)(((__uint128_t)hash * e->slots) >> 64);
}

INLINE uint64_t word_at(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, sizeof w);
  return w;
}

INLINE unsigned char *state_at(const struct exact *e, uint64_t id) {
  return e->states.base + id * e->bytes;
}

// `words` is 1 or 2 where the last word is in use, 0 for any other state.
INLINE bool state_equal(const struct exact *e, uint64_t id, const uint64_t *w, size_t words) {
  const unsigned char *p = state_at(e, id);
  if (words == 1) return (word_at(p) & e->last_mask) == w[0];
  if (words == 2) return word_at(p) == w[0] && (word_at(p + 8) & e->last_mask) == w[1];
  return memcmp(p, w, e->bytes) == 0;
}

INLINE void state_write(struct exact *e, uint64_t id, const uint64_t *w, size_t words) {
  unsigned char *p = state_at(e, id); // whole words: what they overwrite is not in use yet
  if (words)
    memcpy(p, w, words * sizeof *w);
  else
    memcpy(p, w, e->bytes);
}

INLINE void state_read(const struct exact *e, uint64_t id, uint64_t *w, size_t words) {
  const unsigned char *p = state_at(e, id);
  if (words) {
    memcpy(w, p, words * sizeof *w);
    w[words - 1] &= e->last_mask;
  } else {
    memset(w, 0, e->words * sizeof *w);
    memcpy(w, p, e->bytes);
  }
}

#ifdef __SSE2__
// Eight narrow slots at once: which of them are empty or carry the tag? One bit each.
INLINE unsigned eight_slots(const struct exact *e, uint64_t at, uint64_t tag) {
  const __m128i *p = (const __m128i *)(e->index.base + at * 4);
  const __m128i zero = _mm_setzero_si128(), tags = _mm_set1_epi32((int)tag);
  const __m128i shift = _mm_cvtsi32_si128((int)e->id_bits);
  __m128i a = _mm_loadu_si128(p), b = _mm_loadu_si128(p + 1);
  __m128i tagged_a = _mm_cmpeq_epi32(_mm_srl_epi32(_mm_xor_si128(a, tags), shift), zero);
  __m128i tagged_b = _mm_cmpeq_epi32(_mm_srl_epi32(_mm_xor_si128(b, tags), shift), zero);
  a = _mm_or_si128(tagged_a, _mm_cmpeq_epi32(a, zero));
  b = _mm_or_si128(tagged_b, _mm_cmpeq_epi32(b, zero));
  return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), zero));
}
#endif

// The first slot from `at` on that is empty or carries the tag.
INLINE uint64_t probe(const struct exact *e, uint64_t at, uint64_t tag, bool wide) {
#ifdef __SSE2__
  for (; !wide && at + 8 <= e->slots; at += 8) {
    unsigned hits = eight_slots(e, at, tag);
    if (hits) return at + (unsigned)__builtin_ctz(hits);
  }
  if (at == e->slots) at = 0;
#endif
  for (;;) {
    uint64_t slot = slot_get(e, at, wide);
    if (!slot || !((slot ^ tag) >> e->id_bits)) return at;
    if (++at == e->slots) at = 0;
  }
}

// --- room and growth ---

static size_t index_bytes(uint64_t slots, bool wide) { return slots * (wide ? 8 : 4); }

static size_t exact_memory(const struct store *s) {
  const struct exact *e = (const struct exact *)s;
  return s->count * (e->bytes + e->payload_bytes) + index_bytes(e->slots, e->wide);
}

// How many states the limits leave room for beside an index of that many bytes.
static uint64_t states_beside(const struct exact *e, size_t index) {
  const struct store_config *c = &e->base.config;
  uint64_t most = c->states_max ? c->states_max : UINT64_MAX;
  size_t each = e->bytes + e->payload_bytes;
  if (!c->mem_bytes_max || each == 0) return most;
  uint64_t fit = c->mem_bytes_max > index ? (c->mem_bytes_max - index) / each : 0;
  return fit < most ? fit : most;
}

static uint64_t regions_room(const struct exact *e) {
  uint64_t room = e->bytes ? (e->states.reserved - SLACK_BYTES) / e->bytes : UINT64_MAX;
  if (!e->payload_bytes) return room;
  uint64_t paid = e->payload.reserved / e->payload_bytes;
  return paid < room ? paid : room;
}

static void set_room(struct exact *e, unsigned percent) {
  uint64_t room = (uint64_t)((__uint128_t)e->slots * percent / 100);
  if (room >= e->slots) room = e->slots - 1;
  (void)(region_extend(&e->states, room * e->bytes + SLACK_BYTES) &&
         region_extend(&e->payload, room * e->payload_bytes)); // refused: less room
  uint64_t held = regions_room(e), beside = states_beside(e, index_bytes(e->slots, e->wide));
  if (held < room) room = held;
  if (beside < room) room = beside;
  e->room = room;
}

static void set_slots(struct exact *e, uint64_t slots) {
  e->slots = slots;
  e->wide = slots > NARROW_SLOTS_MAX;
  e->id_bits = (unsigned)(64 - __builtin_clzll(slots)); // id + 1 <= slots
}

INLINE void refill_as(struct exact *e, size_t words, bool wide, uint64_t *buffer) {
  uint64_t hashes[CHUNK];
  size_t stride = words ? words : e->words;
  for (uint64_t first = 0; first < e->base.count; first += CHUNK) {
    size_t n = e->base.count - first < CHUNK ? e->base.count - first : CHUNK;
    for (size_t i = 0; i < n; i++) {
      state_read(e, first + i, buffer, words);
      hashes[i] = store_hash(buffer, stride);
      __builtin_prefetch(slot_address(e, place(e, hashes[i]), wide), 1);
    }
    for (size_t i = 0; i < n; i++) {
      uint64_t at = place(e, hashes[i]);
      while (slot_get(e, at, wide))
        if (++at == e->slots) at = 0;
      slot_set(e, at, slot_tag(e, hashes[i], wide) | (first + i + 1), wide);
    }
  }
}

// The specialisation that fits: 1 or 2 whole words, or 0 = any length.
static size_t shape(const struct exact *e) {
  return e->words <= 2 && e->bytes > 8 * (e->words - 1) ? e->words : 0;
}

static void refill(struct exact *e) {
  uint64_t *buffer = mem_alloc(e->words * sizeof *buffer);
  switch (shape(e) * 2 + e->wide) {
  case 0: refill_as(e, 0, false, buffer); break;
  case 1: refill_as(e, 0, true, buffer); break;
  case 2: refill_as(e, 1, false, buffer); break;
  case 3: refill_as(e, 1, true, buffer); break;
  case 4: refill_as(e, 2, false, buffer); break;
  default: refill_as(e, 2, true, buffer); break;
  }
  mem_free(buffer);
}

// Makes room for `more` states if the limits allow; else for as many as they do allow. The index
// grows in place: cleared, then filled again from the states, so there are never two of them.
static void grow(struct exact *e, uint64_t more) {
  uint64_t need = e->base.count + more;
  uint64_t slots = e->slots;
  while (slots * LOAD_PERCENT / 100 < need) slots += slots / 2;
  size_t bytes = index_bytes(slots, slots > NARROW_SLOTS_MAX);
  bool pays = slots > e->slots && states_beside(e, bytes) > e->slots * STRETCH_PERCENT / 100;
  if (e->stretched || !pays || !region_extend(&e->index, bytes)) {
    e->stretched = e->stretched || slots > e->slots;
    set_room(e, e->stretched ? STRETCH_PERCENT : LOAD_PERCENT);
    return;
  }
  memset(e->index.base, 0, index_bytes(e->slots, e->wide));
  set_slots(e, slots);
  refill(e);
  set_room(e, LOAD_PERCENT);
  LOG(store, "grew to %zu slots", (size_t)slots);
}

// --- insert and find ---

struct probes {
  uint64_t at[CHUNK], tag[CHUNK];
};

// Hashes all, asks for their slots, then for the states that these slots name.
INLINE void look_ahead(const struct exact *e, const uint64_t *states, size_t n, struct probes *p,
                       size_t words, bool wide) {
  size_t stride = words ? words : e->words;
  for (size_t i = 0; i < n; i++) {
    uint64_t hash = store_hash(states + i * stride, stride);
    p->at[i] = place(e, hash);
    p->tag[i] = slot_tag(e, hash, wide);
    __builtin_prefetch(slot_address(e, p->at[i], wide));
  }
  for (size_t i = 0; i < n; i++) {
    p->at[i] = probe(e, p->at[i], p->tag[i], wide);
    uint64_t slot = slot_get(e, p->at[i], wide);
    if (slot) __builtin_prefetch(state_at(e, slot_id(e, slot)));
  }
}

// Goes on from where look_ahead stopped. True: found, with its id.
INLINE bool settle(const struct exact *e, const uint64_t *w, uint64_t *at, uint64_t tag,
                   uint64_t *id, size_t words, bool wide) {
  for (;;) {
    *at = probe(e, *at, tag, wide);
    uint64_t slot = slot_get(e, *at, wide);
    if (!slot) return false;
    *id = slot_id(e, slot);
    if (state_equal(e, *id, w, words)) return true;
    if (++*at == e->slots) *at = 0;
  }
}

INLINE size_t insert_as(struct exact *e, const uint64_t *states, size_t n,
                        enum store_answer *answers, uint64_t *ids, size_t words, bool wide) {
  struct probes p;
  size_t stride = words ? words : e->words;
  look_ahead(e, states, n, &p, words, wide);
  for (size_t i = 0; i < n; i++) {
    const uint64_t *w = states + i * stride;
    if (settle(e, w, &p.at[i], p.tag[i], &ids[i], words, wide)) {
      answers[i] = STORE_OLD;
      continue;
    }
    if (e->base.count >= e->room) return i;
    uint64_t id = e->base.count++;
    state_write(e, id, w, words);
    slot_set(e, p.at[i], p.tag[i] | (id + 1), wide);
    answers[i] = STORE_NEW;
    ids[i] = id;
  }
  return n;
}

INLINE void find_as(const struct exact *e, const uint64_t *states, size_t n, uint64_t *ids,
                    size_t words, bool wide) {
  struct probes p;
  size_t stride = words ? words : e->words;
  look_ahead(e, states, n, &p, words, wide);
  for (size_t i = 0; i < n; i++)
    if (!settle(e, states + i * stride, &p.at[i], p.tag[i], &ids[i], words, wide))
      ids[i] = STORE_ABSENT;
}

static size_t insert_chunk(struct exact *e, const uint64_t *states, size_t n,
                           enum store_answer *answers, uint64_t *ids) {
  if (e->base.count + n > e->room) grow(e, n);
  switch (shape(e) * 2 + e->wide) {
  case 0: return insert_as(e, states, n, answers, ids, 0, false);
  case 1: return insert_as(e, states, n, answers, ids, 0, true);
  case 2: return insert_as(e, states, n, answers, ids, 1, false);
  case 3: return insert_as(e, states, n, answers, ids, 1, true);
  case 4: return insert_as(e, states, n, answers, ids, 2, false);
  default: return insert_as(e, states, n, answers, ids, 2, true);
  }
}

static void find_chunk(const struct exact *e, const uint64_t *states, size_t n, uint64_t *ids) {
  switch (shape(e) * 2 + e->wide) {
  case 0: find_as(e, states, n, ids, 0, false); break;
  case 1: find_as(e, states, n, ids, 0, true); break;
  case 2: find_as(e, states, n, ids, 1, false); break;
  case 3: find_as(e, states, n, ids, 1, true); break;
  case 4: find_as(e, states, n, ids, 2, false); break;
  default: find_as(e, states, n, ids, 2, true); break;
  }
}

// --- the function table ---

static size_t exact_insert_batch(struct store *s, const uint64_t *words, size_t count,
                                 enum store_answer *answers, uint64_t *ids) {
  struct exact *e = (struct exact *)s;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    size_t done = insert_chunk(e, words + first * e->words, n, answers + first, ids + first);
    if (done < n) return first + done;
  }
  return count;
}

static void exact_find_batch(const struct store *s, const uint64_t *words, size_t count,
                             uint64_t *ids) {
  const struct exact *e = (const struct exact *)s;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    find_chunk(e, words + first * e->words, n, ids + first);
  }
}

static void exact_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  const struct exact *e = (const struct exact *)s;
  size_t kind = shape(e);
  for (size_t i = 0; i < count; i++) state_read(e, first + i, words + i * e->words, kind);
}

static void *exact_payload(struct store *s, uint64_t id) {
  struct exact *e = (struct exact *)s;
  return e->payload.base + id * e->payload_bytes;
}

static bool exact_check(const struct store *s) {
  const struct exact *e = (const struct exact *)s;
  uint64_t used = 0;
  for (uint64_t at = 0; at < e->slots; at++) used += slot_get(e, at, e->wide) != 0;
  if (used != s->count || used >= e->slots) return false;
  uint64_t *w = mem_alloc(e->words * sizeof *w);
  bool ok = true;
  for (uint64_t id = 0; ok && id < s->count; id++) {
    uint64_t found;
    exact_get_batch(s, id, 1, w);
    ok = store_find(s, w, &found) && found == id;
  }
  mem_free(w);
  return ok;
}

static void exact_free(struct store *s) {
  struct exact *e = (struct exact *)s;
  region_close(&e->states);
  region_close(&e->index);
  region_close(&e->payload);
  mem_free(e);
}

static void open_regions(struct exact *e, const struct store_config *c) {
  size_t limit = c->mem_bytes_max;
  size_t wanted = limit && limit < RESERVE_BYTES ? limit + SLACK_BYTES : RESERVE_BYTES;
  size_t least = (size_t)SLOTS_FIRST * (e->bytes + e->payload_bytes + 8) + SLACK_BYTES;
  if (region_open(&e->states, wanted, least) && region_open(&e->index, wanted, least) &&
      (!e->payload_bytes || region_open(&e->payload, wanted, least)))
    return;
  exact_free(&e->base);
  mem_exhausted(least);
}

static struct store *exact_make(const struct store_config *c) {
  struct exact *e = mem_zalloc(1, sizeof *e);
  e->base.config = *c;
  e->words = c->words;
  e->bytes = c->bytes;
  e->payload_bytes = c->payload_bytes;
  size_t last = c->bytes > 8 * (c->words - 1) ? c->bytes - 8 * (c->words - 1) : 8;
  e->last_mask = ~UINT64_C(0) >> (64 - 8 * last);
  open_regions(e, c);
  set_slots(e, SLOTS_FIRST);
  set_room(e, LOAD_PERCENT);
  return &e->base;
}

const struct store_ops store_exact = {
    .name = "exact",
    .make = exact_make,
    .free = exact_free,
    .insert_batch = exact_insert_batch,
    .find_batch = exact_find_batch,
    .get_batch = exact_get_batch,
    .payload = exact_payload,
    .memory = exact_memory,
    .check = exact_check,
};
