// SPDX-License-Identifier: Apache-2.0
// The table of recent states of the tree store. A state that is new to it takes the place of
// whoever was there, at once, and waits there for its id: so what is the same state later in the
// same call is found, too. Invariant: between calls that found room for all, no entry waits.
#include "store/tree_recent.h"

#include "store/hash.h"
#include "store/tree.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef FATHOM_SMALL
enum { TABLE_BYTES = 1 << 9, TRIAL = 64, PAUSE = 256 };
#else
enum {
  TABLE_BYTES = 1 << 18,
  TRIAL = 1 << 12, // after so many states the table has shown what it is good for
  PAUSE = 1 << 16, // if that is nothing
};
#endif
enum { FOUND_SHARE = 8 }; // of those asked for: if fewer are found, it does not pay

void tree_recent_init(struct tree_recent *r, size_t words) {
  *r = (struct tree_recent){.words = words, .bits = 1};
  size_t bytes = (words + 1) * sizeof(uint64_t);
  while (bytes << (r->bits + 1) <= TABLE_BYTES) r->bits++;
  r->entries = mem_alloc(bytes << r->bits);
  memset(r->entries, 0xff, bytes << r->bits); // STORE_ABSENT
  r->factors = mem_alloc(words * sizeof *r->factors);
  uint64_t factor = STORE_MIX_A;
  for (size_t i = 0; i < words; i++) r->factors[i] = factor *= STORE_MIX_B;
}

void tree_recent_clear(struct tree_recent *r) {
  mem_free(r->entries);
  mem_free(r->factors);
}

// --- around a call ---

void tree_recent_begin(struct tree_recent *r) {
  for (size_t i = 0; r->waits && i < (size_t)1 << r->bits; i++) {
    uint64_t *e = r->entries + i * (r->words + 1);
    if (*e & TREE_WAITS) *e = STORE_ABSENT;
  }
  r->waits = true;
}

void tree_recent_end(struct tree_recent *r, uint64_t *ids, size_t done, size_t n) {
  for (size_t i = 0; i < done; i++)
    if (ids[i] & TREE_WAITS) ids[i] = ids[ids[i] & ~TREE_WAITS];
  r->waits = done < n;
}

void tree_recent_settle(struct tree_chunk *c, size_t n, const uint64_t *ids) {
  for (size_t i = 0; i < n; i++)
    if (*c->recent[i] == (TREE_WAITS | c->places[i])) *c->recent[i] = ids[c->places[i]];
}

// --- looking for states ---

static uint64_t *entry_of(const struct tree_recent *r, const uint64_t *state) {
  uint64_t hash = 0;
  for (size_t i = 0; i < r->words; i++) hash += (state[i] ^ state[i] >> 32) * r->factors[i];
  return r->entries + (hash >> (64 - r->bits)) * (r->words + 1);
}

// Asks memory for the entries of n states.
static void ask(const struct tree_recent *r, const uint64_t *states, size_t n, uint64_t **entries) {
  for (size_t i = 0; i < n; i++) {
    entries[i] = entry_of(r, states + i * r->words);
    __builtin_prefetch(entries[i]);
    __builtin_prefetch(entries[i] + r->words);
  }
}

static bool same_state(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t differs = 0;
  size_t i = 0;
#ifdef __SSE2__
  __m128i all = _mm_setzero_si128();
  for (; i + 2 <= words; i += 2)
    all = _mm_or_si128(all, _mm_xor_si128(_mm_loadu_si128((const __m128i *)(a + i)),
                                          _mm_loadu_si128((const __m128i *)(b + i))));
  differs = _mm_movemask_epi8(_mm_cmpeq_epi32(all, _mm_setzero_si128())) != 0xffff;
#endif
  for (; i < words; i++) differs |= a[i] ^ b[i];
  return !differs;
}

static void chunk_add(struct tree_chunk *c, const uint64_t *state, size_t place, uint64_t *entry) {
  c->states[c->n] = state;
  c->recent[c->n] = entry;
  c->places[c->n++] = place;
}

static size_t take_all(struct tree_recent *r, struct tree_chunk *c, const uint64_t *states,
                       size_t place, size_t n) {
  for (; c->n < TREE_CHUNK && place < n; place++)
    chunk_add(c, states + place * r->words, place, &r->none);
  r->pause = r->pause > c->n ? r->pause - c->n : 0;
  return place;
}

// As many places are asked for at a time as there is room for in the chunk.
static size_t take_unknown(struct tree_recent *r, struct tree_chunk *c, const uint64_t *states,
                           size_t place, size_t n, enum store_answer *answers, uint64_t *ids) {
  uint64_t *entries[TREE_CHUNK];
  for (size_t asked = 0, next = 0; c->n < TREE_CHUNK && place < n; place++, next++) {
    const uint64_t *state = states + place * r->words;
    if (next == asked) {
      asked = n - place < TREE_CHUNK - c->n ? n - place : TREE_CHUNK - c->n;
      next = 0;
      ask(r, state, asked, entries);
    }
    uint64_t *e = entries[next];
    if (*e != STORE_ABSENT && same_state(e + 1, state, r->words)) {
      answers[place] = STORE_OLD;
      ids[place] = *e;
    } else {
      *e = TREE_WAITS | place;
      memcpy(e + 1, state, r->words * sizeof *e);
      chunk_add(c, state, place, e);
    }
  }
  return place;
}

size_t tree_recent_sift(struct tree_recent *r, struct tree_chunk *c, const uint64_t *states,
                        size_t place, size_t n, enum store_answer *answers, uint64_t *ids) {
  c->n = 0;
  if (r->pause > 0) return take_all(r, c, states, place, n);
  size_t end = take_unknown(r, c, states, place, n, answers, ids);
  r->asked += end - place;
  r->found += end - place - c->n;
  if (r->asked >= TRIAL) {
    r->pause = r->found < r->asked / FOUND_SHARE ? PAUSE : 0;
    r->asked = r->found = 0;
  }
  return end;
}
