// SPDX-License-Identifier: Apache-2.0
// The exact store: states lie one after the other in one array that only grows, short ones packed
// to the bit, others to the byte; an open-addressing index of slots finds them. Price: the state's
// bits and 4.5 to 5.7 bytes of index each.
//
// A slot holds, from below, id + 1 (0: empty), a bit that says that it is not in its home line, and
// a tag. Home line and tag are the high and low digits of the hash, scaled to their product, and
// narrow slots scale up a prefix of the hash that is short enough to be scaled back: so the index
// grows in one pass over itself, and only the states that are not at home are read.
//
// Invariants: a state sits in the first slot, from the start of its home line on, that was empty
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
enum { SLOTS_FIRST = 16, CHUNK = 4 };
#define NARROW_SLOTS_MAX UINT64_C(1000)
#else
enum { SLOTS_FIRST = 4096, CHUNK = 128 };
#define NARROW_SLOTS_MAX (UINT64_C(1) << 30)
#endif

enum {
  LINE = 16,            // slots that share a home: narrow ones fill a line of the cache
  PREFIX_BITS = 26,     // of the hash that narrow slots use: 2^26 <= lines * tags for every size
  LOAD_PERCENT = 88,    // the index grows when it is this full
  GROWTH_PERCENT = 25,  // by this much
  CURSORS = 8,          // homes between which states move to and fro while the index grows
  STRETCH_PERCENT = 95, // or goes on to here, when the memory limit forbids growing
  SLACK_BYTES = 16,     // words are read and written whole at the end of the array
};
#define RESERVE_BYTES   ((size_t)1 << 40)
#define HUGE_FROM_BYTES ((size_t)64 << 20) // of states: the huge page being filled weighs little

struct exact {
  struct store base;
  uint64_t count;
  size_t words, bytes, payload_bytes;
  size_t shape;       // `words` if the state is one of the short kinds, else 0
  size_t bits;        // from one state to the next
  uint64_t last_mask; // bits in use of a short state's last word
  struct region states, index, payload;
  uint64_t slots;
  unsigned id_bits; // of a slot; then comes the bit for not being at home
  unsigned tag_bits;
  uint64_t prefix;    // mask of the hash
  uint64_t scale;     // lines * tags
  bool wide;          // slots of 64 bits
  bool stretched;     // the index grows no more
  uint64_t room;      // states that fit without asking grow again
  uint64_t *state;    // scratch
  VEC(uint64_t) late; // empty but while the index grows
};

// --- slots and states ---

// An index that becomes wide has both kinds in it for a while.
typedef uint32_t __attribute__((may_alias)) narrow_slot;
typedef uint64_t __attribute__((may_alias)) wide_slot;

INLINE uint64_t slot_get(const struct exact *e, uint64_t at, bool wide) {
  return wide ? ((const wide_slot *)e->index.base)[at] : ((const narrow_slot *)e->index.base)[at];
}

INLINE void slot_set(struct exact *e, uint64_t at, uint64_t slot, bool wide) {
  if (wide)
    ((wide_slot *)e->index.base)[at] = slot;
  else
    ((narrow_slot *)e->index.base)[at] = (narrow_slot)slot;
}

INLINE const void *slot_address(const struct exact *e, uint64_t at, bool wide) {
  return e->index.base + at * (wide ? 8 : 4);
}

// The digits of a hash.
INLINE uint64_t digits(const struct exact *e, uint64_t hash) {
  return (uint64_t)(((__uint128_t)(hash & e->prefix) * e->scale) >> 64);
}

// The first slot of the home line.
INLINE uint64_t home_of(const struct exact *e, uint64_t digits) {
  return (digits >> e->tag_bits) * LINE;
}

INLINE uint64_t tag_of(const struct exact *e, uint64_t digits, bool wide) {
  uint64_t tag = digits << (e->id_bits + 1); // complete for the home line
  return wide ? tag : (uint32_t)tag;
}

INLINE bool tag_is(const struct exact *e, uint64_t slot, uint64_t tag) {
  return !((slot ^ tag) >> e->id_bits);
}

INLINE uint64_t slot_id(const struct exact *e, uint64_t slot) {
  return (slot & (~UINT64_C(0) >> (64 - e->id_bits))) - 1;
}

// The bit of a slot that is not in its home line.
INLINE uint64_t away(const struct exact *e, uint64_t at, uint64_t home) {
  return (uint64_t)(at - home >= LINE) << e->id_bits; // what is before the home went round
}

INLINE uint64_t word_at(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, sizeof w);
  return w;
}

INLINE unsigned char *state_at(const struct exact *e, uint64_t id) {
  return e->states.base + id * e->bits / 8;
}

// A short state begins at bit 0..7 of its first byte and ends within its words, so that each word
// is shifted out of at most two. `words` is 1 or 2 for a short state, 0 for any other.
INLINE void state_read(const struct exact *e, uint64_t id, uint64_t *w, size_t words) {
  const unsigned char *p = state_at(e, id);
  unsigned shift = id * e->bits % 8;
  if (words == 0) {
    memset(w, 0, e->words * sizeof *w);
    memcpy(w, p, e->bytes);
    return;
  }
  if (words == 2) w[0] = word_at(p) >> shift | word_at(p + 8) << 1 << (63 - shift);
  w[words - 1] = word_at(p + 8 * (words - 1)) >> shift & e->last_mask;
}

INLINE bool state_equal(const struct exact *e, uint64_t id, const uint64_t *w, size_t words) {
  if (words == 0) return memcmp(state_at(e, id), w, e->bytes) == 0;
  uint64_t there[2] = {0};
  state_read(e, id, there, words);
  return words == 1 ? there[0] == w[0] : there[0] == w[0] && there[1] == w[1];
}

// Whole words: behind what the states before have in use, all is zero.
INLINE void state_write(struct exact *e, uint64_t id, const uint64_t *w, size_t words) {
  unsigned char *p = state_at(e, id);
  unsigned shift = id * e->bits % 8;
  if (words == 0) {
    memcpy(p, w, e->bytes);
    return;
  }
  uint64_t shifted[2] = {word_at(p) | w[0] << shift};
  if (words == 2) shifted[1] = w[0] >> 1 >> (63 - shift) | w[1] << shift;
  memcpy(p, shifted, words * sizeof *w);
}

#ifdef __SSE2__
// Four narrow slots: all ones for each that is empty or carries the tag.
INLINE __m128i four_hits(const __m128i *p, __m128i tags, __m128i id_bits) {
  __m128i slots = _mm_load_si128(p), zero = _mm_setzero_si128();
  __m128i differs = _mm_srl_epi32(_mm_xor_si128(slots, tags), id_bits);
  return _mm_or_si128(_mm_cmpeq_epi32(differs, zero), _mm_cmpeq_epi32(slots, zero));
}

INLINE unsigned narrow_hits(const struct exact *e, uint64_t line, uint64_t tag) {
  const __m128i *p = (const __m128i *)(e->index.base + line * 4);
  __m128i tags = _mm_set1_epi32((int)tag), id_bits = _mm_cvtsi32_si128((int)e->id_bits);
  __m128i a = four_hits(p, tags, id_bits), b = four_hits(p + 1, tags, id_bits);
  __m128i c = four_hits(p + 2, tags, id_bits), d = four_hits(p + 3, tags, id_bits);
  return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}
#endif

// One bit for each slot of the line that begins at `line` that is empty or carries the tag.
INLINE unsigned line_hits(const struct exact *e, uint64_t line, uint64_t tag, bool wide) {
#ifdef __SSE2__
  if (!wide) return narrow_hits(e, line, tag);
#endif
  unsigned hits = 0;
  for (unsigned i = 0; i < LINE; i++) {
    uint64_t slot = slot_get(e, line + i, wide);
    hits |= (unsigned)(!slot || tag_is(e, slot, tag)) << i;
  }
  return hits;
}

INLINE uint64_t line_next(const struct exact *e, uint64_t line) {
  return line + LINE == e->slots ? 0 : line + LINE;
}

// The next slot after `at` that is to be looked at: empty, tagged, or the first of the next line.
INLINE uint64_t slot_next(const struct exact *e, uint64_t at, uint64_t tag, bool wide) {
  uint64_t line = at - at % LINE;
  unsigned hits = line_hits(e, line, tag, wide) & (~1u << at % LINE);
  return hits ? line + (unsigned)__builtin_ctz(hits) : line_next(e, line);
}

// --- room and growth ---

static size_t index_bytes(uint64_t slots, bool wide) { return slots * (wide ? 8 : 4); }

static size_t states_bytes(const struct exact *e, uint64_t states) {
  return (states * e->bits + 7) / 8;
}

static size_t exact_memory(const struct store *s) {
  const struct exact *e = (const struct exact *)s;
  return states_bytes(e, e->count) + e->count * e->payload_bytes + index_bytes(e->slots, e->wide);
}

// How many states the limits leave room for beside an index of that many bytes.
static uint64_t states_beside(const struct exact *e, size_t index) {
  const struct store_config *c = &e->base.config;
  uint64_t most = c->states_max ? c->states_max : UINT64_MAX;
  size_t each_bits = e->bits + 8 * e->payload_bytes;
  if (!c->mem_bytes_max || each_bits == 0) return most;
  uint64_t left = c->mem_bytes_max > index ? c->mem_bytes_max - index : 0;
  uint64_t fit = left / each_bits * 8 + left % each_bits * 8 / each_bits;
  return fit < most ? fit : most;
}

static uint64_t regions_room(const struct exact *e) {
  uint64_t room = e->bits ? (e->states.reserved - SLACK_BYTES) * 8 / e->bits : UINT64_MAX;
  if (!e->payload_bytes) return room;
  uint64_t paid = e->payload.reserved / e->payload_bytes;
  return paid < room ? paid : room;
}

static void set_room(struct exact *e, unsigned percent) {
  uint64_t room = (uint64_t)((__uint128_t)e->slots * percent / 100);
  if (room >= e->slots) room = e->slots - 1;
  (void)(region_extend(&e->states, states_bytes(e, room) + SLACK_BYTES) &&
         region_extend(&e->payload, room * e->payload_bytes)); // refused: less room
  size_t used = states_bytes(e, e->count);
  region_huge(&e->states, used, used < HUGE_FROM_BYTES ? used : states_bytes(e, room));
  uint64_t held = regions_room(e), beside = states_beside(e, index_bytes(e->slots, e->wide));
  if (held < room) room = held;
  if (beside < room) room = beside;
  e->room = room;
}

static void set_slots(struct exact *e, uint64_t slots) {
  e->slots = slots;
  e->wide = slots > NARROW_SLOTS_MAX;
  e->id_bits = (unsigned)(64 - __builtin_clzll(slots)); // id + 1 <= slots
  e->tag_bits = (e->wide ? 63 : 31) - e->id_bits;
  e->prefix = e->wide ? ~UINT64_C(0) : ~(~UINT64_C(0) >> PREFIX_BITS);
  e->scale = slots / LINE << e->tag_bits;
}

// The index while it grows in place. Its lines are taken out and put in again, from the last to the
// first. No home moves down; but a state that was not at home, or does not find room before the
// end, may have its place among lines that are still to be moved, and waits in `late`.
struct growth {
  const struct exact *old; // as it was
  struct exact *e;
  uint64_t line_old; // number of the line being moved
  uint64_t inverse;  // of a narrow old->scale: just less than 2^64 prefixes / digits
  size_t count;
  uint64_t away[CHUNK]; // ids whose states must be asked for their hash
  // Cursors: the first full[i] slots from home[i] on are not empty.
  uint64_t home[CURSORS], full[CURSORS];
};

// The prefix of a hash from its digits: the least one that has them, and the only one. (A quotient
// rounded up: it misses no whole number, since `inverse` is too small by less than one part in
// 2^37.)
INLINE uint64_t hash_back(uint64_t digits, uint64_t inverse) {
  uint64_t prefix = (uint64_t)(((__uint128_t)digits * inverse + UINT64_MAX) >> 64);
  return prefix << (64 - PREFIX_BITS);
}

// Takes the first empty slot from `home` to the end of the index (which it is when there is none).
// States come nearly in the order of their homes, a few homes at a time: the search goes on where
// the last one from this home ended.
INLINE uint64_t take_empty(const struct exact *e, struct growth *g, uint64_t home, bool wide) {
  unsigned c = home / LINE % CURSORS;
  uint64_t at = home + (g->full[c] & -(uint64_t)(g->home[c] == home)); // no branch
  while (at < e->slots && slot_get(e, at, wide)) at++;
  g->home[c] = home;
  g->full[c] = at - home + (at < e->slots);
  return at;
}

INLINE void move(struct exact *e, struct growth *g, uint64_t digits, uint64_t id, bool wide) {
  uint64_t home = home_of(e, digits), at = take_empty(e, g, home, wide);
  if (at == e->slots && g->line_old > 0) {
    VEC_PUSH(&g->e->late, id);
    return;
  }
  if (at == e->slots)
    for (at = 0; slot_get(e, at, wide);) at++;
  slot_set(e, at, tag_of(e, digits, wide) | away(e, at, home) | (id + 1), wide);
}

static void move_away(struct growth *g) {
  struct exact *e = g->e;
  uint64_t d[CHUNK];
  size_t below = index_bytes(g->line_old * LINE, g->old->wide); // not moved yet
  for (size_t i = 0; i < g->count; i++) __builtin_prefetch(state_at(e, g->away[i]));
  for (size_t i = 0; i < g->count; i++) {
    state_read(e, g->away[i], e->state, e->shape);
    d[i] = digits(e, store_hash(e->state, e->words));
    __builtin_prefetch(slot_address(e, home_of(e, d[i]), e->wide), 1);
  }
  for (size_t i = 0; i < g->count; i++) {
    if (index_bytes(home_of(e, d[i]), e->wide) < below)
      VEC_PUSH(&e->late, g->away[i]);
    else
      move(e, g, d[i], g->away[i], e->wide);
  }
  g->count = 0;
}

INLINE void move_line(struct growth *g, bool wide) {
  const struct exact old = *g->old; // copies: they stay in registers
  struct exact e = *g->e;
  uint64_t slots[LINE], line = g->line_old, inverse = g->inverse;
  for (uint64_t i = 0; i < LINE; i++) {
    slots[i] = slot_get(&old, line * LINE + i, wide);
    slot_set(&e, line * LINE + i, 0, wide);
  }
  for (uint64_t i = 0; i < LINE && slots[i]; i++) {
    uint64_t id = slot_id(&old, slots[i]);
    if (!e.wide && !(slots[i] >> old.id_bits & 1)) {
      uint64_t d = line << old.tag_bits | slots[i] >> (old.id_bits + 1);
      move(&e, g, digits(&e, hash_back(d, inverse)), id, false);
    } else {
      g->away[g->count++] = id;
      if (g->count == CHUNK) move_away(g);
    }
  }
}

static void move_late(struct growth *g) {
  assert(g->line_old == 0);
  move_away(g);
  for (size_t i = 0; i < g->e->late.count; i++) {
    g->away[g->count++] = g->e->late.data[i];
    if (g->count == CHUNK) move_away(g);
  }
  move_away(g);
  g->e->late.count = 0;
}

static uint64_t inverse_of(const struct exact *e) {
  return (uint64_t)((((__uint128_t)1 << (64 + PREFIX_BITS)) - 1) / e->scale);
}

__attribute__((noinline)) static void grow_index(struct exact *e, uint64_t slots) {
  const struct exact old = *e;
  set_slots(e, slots);
  struct growth g = {.old = &old, .e = e, .inverse = inverse_of(&old)};
  for (g.line_old = old.slots / LINE; g.line_old-- > 0;) {
    if (old.wide)
      move_line(&g, true);
    else
      move_line(&g, false);
  }
  g.line_old = 0;
  move_late(&g);
}

static uint64_t grown(uint64_t slots) {
  return (slots + slots * GROWTH_PERCENT / 100 + LINE - 1) / LINE * LINE;
}

// Makes room for `more` states if the limits allow; else for as many as they do allow.
static void grow(struct exact *e, uint64_t more) {
  uint64_t need = e->count + more;
  uint64_t slots = e->slots;
  while (slots * LOAD_PERCENT / 100 < need) slots = grown(slots);
  size_t bytes = index_bytes(slots, slots > NARROW_SLOTS_MAX);
  bool pays = slots > e->slots && states_beside(e, bytes) > e->slots * STRETCH_PERCENT / 100;
  if (e->stretched || !pays || !region_extend(&e->index, bytes)) {
    e->stretched = e->stretched || slots > e->slots;
    set_room(e, e->stretched ? STRETCH_PERCENT : LOAD_PERCENT);
    return;
  }
  region_huge(&e->index, bytes, bytes);
  grow_index(e, slots);
  set_room(e, LOAD_PERCENT);
  LOG(store, "grew to %zu slots", (size_t)slots);
}

// --- insert and find ---

struct probes {
  uint64_t home[CHUNK], at[CHUNK], tag[CHUNK];
};

INLINE void state_prefetch(const struct exact *e, uint64_t at, bool wide) {
  uint64_t slot = slot_get(e, at, wide);
  __builtin_prefetch(state_at(e, slot_id(e, slot | !slot))); // empty: that of id 0
}

// Looks into the home line: where to begin, and which states will be compared. That is one at most,
// or rarely two, so two are asked for without looking whether they are there.
INLINE void look_at_home(const struct exact *e, struct probes *p, size_t i, bool wide) {
  uint64_t home = p->home[i];
  unsigned hits = line_hits(e, home, p->tag[i], wide);
  if (!hits) {
    p->at[i] = line_next(e, home);
    __builtin_prefetch(slot_address(e, p->at[i], wide));
    return;
  }
  unsigned first = (unsigned)__builtin_ctz(hits), rest = hits & (hits - 1);
  p->at[i] = home + first;
  state_prefetch(e, home + first, wide);
  state_prefetch(e, home + (rest ? (unsigned)__builtin_ctz(rest) : first), wide);
}

// Hashes all, asks for their slots, then for the states that these slots name.
INLINE void look_ahead(const struct exact *e, const uint64_t *states, size_t n, struct probes *p,
                       size_t words, bool wide) {
  size_t stride = words ? words : e->words;
  for (size_t i = 0; i < n; i++) {
    uint64_t d = digits(e, store_hash(states + i * stride, stride));
    p->home[i] = home_of(e, d);
    p->tag[i] = tag_of(e, d, wide);
    __builtin_prefetch(slot_address(e, p->home[i], wide));
  }
  for (size_t i = 0; i < n; i++) look_at_home(e, p, i, wide);
}

// Goes on from where look_ahead stopped. True: found, with its id.
INLINE bool settle(const struct exact *e, const uint64_t *w, struct probes *p, size_t i,
                   uint64_t *id, size_t words, bool wide) {
  for (uint64_t at = p->at[i];;) {
    uint64_t slot = slot_get(e, at, wide), tag = p->tag[i] | away(e, at, p->home[i]);
    p->at[i] = at;
    if (!slot) return false;
    *id = slot_id(e, slot);
    if (tag_is(e, slot, tag) && state_equal(e, *id, w, words)) return true;
    at = slot_next(e, at, tag, wide);
  }
}

INLINE size_t insert_as(struct exact *e, const uint64_t *states, size_t n,
                        enum store_answer *answers, uint64_t *ids, size_t words, bool wide) {
  struct probes p;
  size_t stride = words ? words : e->words;
  look_ahead(e, states, n, &p, words, wide);
  for (size_t i = 0; i < n; i++) {
    const uint64_t *w = states + i * stride;
    if (settle(e, w, &p, i, &ids[i], words, wide)) {
      answers[i] = STORE_OLD;
      continue;
    }
    if (e->count >= e->room) return i;
    uint64_t id = e->count++;
    state_write(e, id, w, words);
    slot_set(e, p.at[i], p.tag[i] | away(e, p.at[i], p.home[i]) | (id + 1), wide);
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
    if (!settle(e, states + i * stride, &p, i, &ids[i], words, wide)) ids[i] = STORE_ABSENT;
}

static size_t insert_chunk(struct exact *e, const uint64_t *states, size_t n,
                           enum store_answer *answers, uint64_t *ids) {
  if (e->count + n > e->room) grow(e, n);
  switch (e->shape * 2 + e->wide) {
  case 0: return insert_as(e, states, n, answers, ids, 0, false);
  case 1: return insert_as(e, states, n, answers, ids, 0, true);
  case 2: return insert_as(e, states, n, answers, ids, 1, false);
  case 3: return insert_as(e, states, n, answers, ids, 1, true);
  case 4: return insert_as(e, states, n, answers, ids, 2, false);
  default: return insert_as(e, states, n, answers, ids, 2, true);
  }
}

static void find_chunk(const struct exact *e, const uint64_t *states, size_t n, uint64_t *ids) {
  switch (e->shape * 2 + e->wide) {
  case 0: find_as(e, states, n, ids, 0, false); break;
  case 1: find_as(e, states, n, ids, 0, true); break;
  case 2: find_as(e, states, n, ids, 1, false); break;
  case 3: find_as(e, states, n, ids, 1, true); break;
  case 4: find_as(e, states, n, ids, 2, false); break;
  default: find_as(e, states, n, ids, 2, true); break;
  }
}

// --- the function table ---

static struct store_writer *exact_writer_make(struct store *s) {
  struct store_writer *w = mem_alloc(sizeof *w);
  *w = (struct store_writer){s};
  return w;
}

static void exact_writer_free(struct store_writer *w) { mem_free(w); }

static size_t exact_insert_batch(struct store_writer *w, const uint64_t *words, size_t count,
                                 enum store_answer *answers, uint64_t *ids) {
  struct exact *e = (struct exact *)w->store;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    size_t done = insert_chunk(e, words + first * e->words, n, answers + first, ids + first);
    if (done < n) return first + done;
  }
  return count;
}

static void exact_find_batch(struct store_writer *w, const uint64_t *words, size_t count,
                             uint64_t *ids) {
  const struct exact *e = (const struct exact *)w->store;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    find_chunk(e, words + first * e->words, n, ids + first);
  }
}

static void exact_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  const struct exact *e = (const struct exact *)s;
  for (size_t i = 0; i < count; i++) state_read(e, first + i, words + i * e->words, e->shape);
}

static void *exact_payload(struct store *s, uint64_t id) {
  struct exact *e = (struct exact *)s;
  return e->payload.base + id * e->payload_bytes;
}

static bool exact_check(const struct store *s) {
  const struct exact *e = (const struct exact *)s;
  uint64_t used = 0;
  for (uint64_t at = 0; at < e->slots; at++) used += slot_get(e, at, e->wide) != 0;
  if (used != e->count || used >= e->slots) return false;
  uint64_t *w = mem_alloc(e->words * sizeof *w);
  bool ok = true;
  for (uint64_t id = 0; ok && id < e->count; id++) {
    uint64_t found;
    exact_get_batch(s, id, 1, w);
    find_chunk(e, w, 1, &found);
    ok = found == id;
  }
  mem_free(w);
  return ok;
}

static uint64_t exact_count(const struct store *s) { return ((const struct exact *)s)->count; }

static void exact_facts(const struct store *s, struct store_facts *f) {
  const struct exact *e = (const struct exact *)s;
  f->load = (double)e->count / (double)e->slots;
}

static void exact_free(struct store *s) {
  struct exact *e = (struct exact *)s;
  region_close(&e->states);
  region_close(&e->index);
  region_close(&e->payload);
  mem_free(e->state);
  VEC_CLEAR(&e->late);
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

// A state whose last word is full but for less than 7 bits is packed to the byte as well.
static void set_shape(struct exact *e, size_t bits) {
  size_t before = 64 * (e->words - 1); // the last word
  e->bits = 8 * e->bytes;
  if (e->words > 2 || bits <= before) return;
  e->shape = e->words;
  e->last_mask = ~UINT64_C(0) >> (64 - (bits - before));
  if (bits - before <= 64 - 7) e->bits = bits;
}

static struct store *exact_make(const struct store_config *c) {
  struct exact *e = mem_zalloc(1, sizeof *e);
  e->base.config = *c;
  e->words = c->words;
  e->bytes = c->bytes;
  e->payload_bytes = c->payload_bytes;
  set_shape(e, c->bits ? c->bits : 8 * c->bytes);
  e->state = mem_alloc(e->words * sizeof *e->state);
  open_regions(e, c);
  set_slots(e, SLOTS_FIRST);
  set_room(e, LOAD_PERCENT);
  return &e->base;
}

const struct store_ops store_exact = {
    .name = "exact",
    .keeps_states = true,
    .make = exact_make,
    .free = exact_free,
    .writer_make = exact_writer_make,
    .writer_free = exact_writer_free,
    .insert_batch = exact_insert_batch,
    .find_batch = exact_find_batch,
    .get_batch = exact_get_batch,
    .payload = exact_payload,
    .count = exact_count,
    .memory = exact_memory,
    .facts = exact_facts,
    .check = exact_check,
};
