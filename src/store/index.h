// SPDX-License-Identifier: Apache-2.0
// The slots of an open-addressing index, in lines of the cache. A slot holds, from below, id + 1
// (0: empty), a bit that says that it is not in its home line, and a tag. Home line and tag are the
// high and low digits of the hash, scaled to their product, and narrow slots scale up a prefix of
// the hash that is short enough to be scaled back: so an index grows in one pass over itself, and
// only the states that are not at home are read. Private to the room.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef FATHOM_SMALL
#include <sched.h>
#endif

#define INDEX_INLINE __attribute__((always_inline)) static inline

enum {
  LINE = 16,        // slots that share a home: narrow ones fill a line of the cache
  STEP_MAX = 32,    // lines between two of a probe
  PREFIX_BITS = 26, // of the hash that narrow slots use: 2^26 <= lines * tags for every size
};

struct index {
  unsigned char *base;
  uint64_t slots;
  bool wide;         // slots of 64 bits
  unsigned id_bits;  // of a slot; then comes the bit for not being at home
  unsigned tag_bits; // the rest
  uint64_t id_mask;
  uint64_t prefix; // mask of the hash
  uint64_t scale;  // lines * tags
};

static inline size_t index_bytes(uint64_t slots, bool wide) { return slots * (wide ? 8 : 4); }
static inline uint64_t whole_lines(uint64_t slots) { return (slots + LINE - 1) / LINE * LINE; }

// For ids below `slots`.
static inline struct index index_of(unsigned char *base, uint64_t slots, bool wide) {
  struct index x = {.base = base, .slots = slots, .wide = wide};
  x.id_bits = (unsigned)(64 - __builtin_clzll(slots));
  x.tag_bits = (wide ? 63 : 31) - x.id_bits;
  x.id_mask = ~UINT64_C(0) >> (64 - x.id_bits);
  x.prefix = wide ? ~UINT64_C(0) : ~(~UINT64_C(0) >> PREFIX_BITS);
  x.scale = slots / LINE << x.tag_bits;
  return x;
}

// Others may come in between two looks at a line: in test builds they do.
INDEX_INLINE void let_others_in(void) {
#ifdef FATHOM_SMALL
  sched_yield();
#endif
}

// --- slots ---

// An index that becomes wide has both kinds in it for a while.
typedef uint32_t __attribute__((may_alias)) narrow_slot;
typedef uint64_t __attribute__((may_alias)) wide_slot;

INDEX_INLINE void *slot_address(const struct index *x, uint64_t at, bool wide) {
  return x->base + at * (wide ? 8 : 4);
}

INDEX_INLINE uint64_t slot_peek(const struct index *x, uint64_t at, bool wide) {
  void *p = slot_address(x, at, wide);
  return wide ? __atomic_load_n((wide_slot *)p, __ATOMIC_RELAXED)
              : __atomic_load_n((narrow_slot *)p, __ATOMIC_RELAXED);
}

// After this the state that the slot names may be read.
INDEX_INLINE uint64_t slot_get(const struct index *x, uint64_t at, bool wide) {
  void *p = slot_address(x, at, wide);
  return wide ? __atomic_load_n((wide_slot *)p, __ATOMIC_ACQUIRE)
              : __atomic_load_n((narrow_slot *)p, __ATOMIC_ACQUIRE);
}

INDEX_INLINE void slot_set(const struct index *x, uint64_t at, uint64_t slot, bool wide) {
  void *p = slot_address(x, at, wide);
  if (wide)
    __atomic_store_n((wide_slot *)p, slot, __ATOMIC_RELAXED);
  else
    __atomic_store_n((narrow_slot *)p, (narrow_slot)slot, __ATOMIC_RELAXED);
}

// Takes an empty slot; false when another thread was faster. What was written before is seen by
// those who get the slot.
INDEX_INLINE bool slot_claim(const struct index *x, uint64_t at, uint64_t slot, bool wide) {
  void *p = slot_address(x, at, wide);
  wide_slot empty_wide = 0;
  narrow_slot empty = 0;
  if (wide)
    return __atomic_compare_exchange_n((wide_slot *)p, &empty_wide, slot, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);
  return __atomic_compare_exchange_n((narrow_slot *)p, &empty, (narrow_slot)slot, false,
                                     __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

// Asks for a line of the cache as this core's own, since it will be written soon: only then to take
// it away from other cores costs, where they share no cache, more than all else. (The compiler has
// prefetchw only for some processors; the others ignore it.)
INDEX_INLINE void prefetch_own(const void *p) {
#if defined __x86_64__
  __asm__ volatile("prefetchw %0" ::"m"(*(const char *)p));
#else
  __builtin_prefetch(p, 1);
#endif
}

// The slot's line, if the slot is empty: it will be claimed. Of others nothing is asked: `mine`,
// anything of this thread's own, stands in, since a branch could not be foretold.
INDEX_INLINE void slot_prefetch_empty(const struct index *x, uint64_t at, const void *mine,
                                      bool wide) {
  prefetch_own(slot_peek(x, at, wide) ? mine : slot_address(x, at, wide));
}

// --- what is in them ---

// The digits of a hash.
INDEX_INLINE uint64_t digits_of(const struct index *x, uint64_t hash) {
  return (uint64_t)(((__uint128_t)(hash & x->prefix) * x->scale) >> 64);
}

// The first slot of the home line.
INDEX_INLINE uint64_t home_of(const struct index *x, uint64_t digits) {
  return (digits >> x->tag_bits) * LINE;
}

INDEX_INLINE uint64_t tag_of(const struct index *x, uint64_t digits, bool wide) {
  uint64_t tag = digits << (x->id_bits + 1); // complete for the home line
  return wide ? tag : (uint32_t)tag;
}

INDEX_INLINE bool tag_is(const struct index *x, uint64_t slot, uint64_t tag) {
  return (slot ^ tag) <= x->id_mask;
}

INDEX_INLINE uint64_t slot_id(const struct index *x, uint64_t slot) {
  return (slot & x->id_mask) - 1;
}

// The bit of a slot that is not in its home line.
INDEX_INLINE uint64_t away(const struct index *x, uint64_t at, uint64_t home) {
  return at - home >= LINE ? x->id_mask + 1 : 0; // what is before the home went round
}

// --- from digits back to the hash: narrow slots only ---

// For prefix_back: just less than 2^64 prefixes / digits.
static inline uint64_t index_inverse(const struct index *x) {
  return (uint64_t)((((__uint128_t)1 << (64 + PREFIX_BITS)) - 1) / x->scale);
}

// The prefix of a hash from its digits: the least one that has them, and the only one. (A quotient
// rounded up: it misses no whole number, since `inverse` is too small by less than one part in
// 2^37.)
INDEX_INLINE uint64_t prefix_back(uint64_t digits, uint64_t inverse) {
  return (uint64_t)(((__uint128_t)digits * inverse + UINT64_MAX) >> 64);
}

// As digits_of, of a hash that begins with the prefix.
INDEX_INLINE uint64_t digits_on(const struct index *x, uint64_t prefix) {
  return prefix * x->scale >> PREFIX_BITS; // less than 2^53
}

// --- lines ---

// The thread sanitizer does not know that four slots may be looked at together.
#if defined __SSE2__ && !defined __SANITIZE_THREAD__
#define INDEX_BY_FOURS
// Four narrow slots: all ones for each that is empty, or carries the tag.
INDEX_INLINE __m128i four_empty(const __m128i *p) {
  return _mm_cmpeq_epi32(_mm_load_si128(p), _mm_setzero_si128());
}

// Loaded once: a slot that is filled between two loads would be neither empty nor tagged.
INDEX_INLINE __m128i four_hits(const __m128i *p, __m128i tags, __m128i id_bits) {
  __m128i slots = *(const volatile __m128i *)p, zero = _mm_setzero_si128();
  __m128i differs = _mm_srl_epi32(_mm_xor_si128(slots, tags), id_bits);
  return _mm_or_si128(_mm_cmpeq_epi32(differs, zero), _mm_cmpeq_epi32(slots, zero));
}

// A bit for each slot from all ones or zeros for each.
INDEX_INLINE unsigned line_bits(__m128i a, __m128i b, __m128i c, __m128i d) {
  return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}

INDEX_INLINE unsigned narrow_hits(const struct index *x, uint64_t line, uint64_t tag) {
  const __m128i *p = slot_address(x, line, false);
  __m128i tags = _mm_set1_epi32((int)tag), id_bits = _mm_cvtsi32_si128((int)x->id_bits);
  return line_bits(four_hits(p, tags, id_bits), four_hits(p + 1, tags, id_bits),
                   four_hits(p + 2, tags, id_bits), four_hits(p + 3, tags, id_bits));
}

INDEX_INLINE unsigned narrow_empty(const struct index *x, uint64_t line) {
  const __m128i *p = slot_address(x, line, false);
  return line_bits(four_empty(p), four_empty(p + 1), four_empty(p + 2), four_empty(p + 3));
}
#endif

// One bit for each empty slot of the line that begins at `line`.
INDEX_INLINE unsigned line_empty(const struct index *x, uint64_t line, bool wide) {
  let_others_in();
#ifdef INDEX_BY_FOURS
  if (!wide) return narrow_empty(x, line);
#endif
  unsigned empty = 0;
  for (unsigned i = 0; i < LINE; i++) empty |= (unsigned)!slot_peek(x, line + i, wide) << i;
  return empty;
}

// One bit for each slot of the line that begins at `line` that is empty or carries the tag. A hint
// that does not age: a slot without a bit will never get one.
INDEX_INLINE unsigned line_hits(const struct index *x, uint64_t line, uint64_t tag, bool wide) {
#ifdef INDEX_BY_FOURS
  if (!wide) return narrow_hits(x, line, tag);
#endif
  unsigned hits = 0;
  for (unsigned i = 0; i < LINE; i++) {
    uint64_t slot = slot_peek(x, line + i, wide);
    hits |= (unsigned)(!slot || tag_is(x, slot, tag)) << i;
  }
  return hits;
}

// From a full line on to the next: one line on, then two, three ... (so that full lines do not
// clot), from STEP_MAX on always one (so that none is left out). The first step is 1.
INDEX_INLINE uint64_t line_next(const struct index *x, uint64_t line, unsigned char *step) {
  bool longer = *step < STEP_MAX;
  line += (uint64_t)LINE * (longer ? *step : 1);
  *step += longer;
  while (line >= x->slots) line -= x->slots;
  return line;
}

// The next slot after `at` that is to be looked at: empty, tagged, or the first of the next line.
INDEX_INLINE uint64_t slot_next(const struct index *x, uint64_t at, uint64_t tag,
                                unsigned char *step, bool wide) {
  uint64_t line = at - at % LINE;
  unsigned hits = line_hits(x, line, tag, wide) & (~1u << at % LINE);
  return hits ? line + (unsigned)__builtin_ctz(hits) : line_next(x, line, step);
}
