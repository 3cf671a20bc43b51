// SPDX-License-Identifier: Apache-2.0
// States one after the other, packed to the bit: state `id` begins at bit id * bits of an array of
// words. Words are read and written whole and without tearing, so that threads may read states
// beside those that another one is writing; a state's bits are written by one thread at a time, and
// only words in which no other thread writes. Private to the room.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Inlined for each shape of state, so that the shape is a constant inside.
#define PACKED_INLINE __attribute__((always_inline)) static inline

// States from a multiple of this many on begin with a word, whatever their length.
#define PACKED_ALIGN 64
// Words read behind the last state.
#define PACKED_SLACK_BYTES 16

struct packed {
  uint64_t *base;
  uint64_t bits;      // from one state to the next
  size_t words;       // of a state on its own
  unsigned last_bits; // of its last word
  uint64_t last_mask;
};

static inline void packed_set_bits(struct packed *a, uint64_t bits) {
  a->bits = bits;
  a->words = (bits + 63) / 64;
  a->last_bits = a->words ? (unsigned)(bits - 64 * (a->words - 1)) : 0;
  a->last_mask = a->words ? ~UINT64_C(0) >> (64 - a->last_bits) : 0;
}

static inline size_t packed_bytes(const struct packed *a, uint64_t states) {
  return (states * a->bits + 7) / 8;
}

PACKED_INLINE uint64_t *packed_at(const struct packed *a, uint64_t id) {
  return a->base + id * a->bits / 64;
}

PACKED_INLINE uint64_t packed_word(const uint64_t *p) {
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}

// Asks for the lines of the cache that hold a state: two at most if it is short.
PACKED_INLINE void packed_prefetch(const struct packed *a, uint64_t id) {
  const uint64_t *p = packed_at(a, id);
  __builtin_prefetch(p);
  __builtin_prefetch(p + a->words);
}

// 64 bits from any bit of an array on.
PACKED_INLINE uint64_t packed_bits(const uint64_t *base, uint64_t at) {
  const uint64_t *p = base + at / 64;
  unsigned shift = at % 64;
  return packed_word(p) >> shift | packed_word(p + 1) << 1 << (63 - shift);
}

// In all of these `words` is the number of words when that is a constant, or 0.

PACKED_INLINE bool packed_equal(const struct packed *a, uint64_t id, const uint64_t *w,
                                size_t words) {
  const uint64_t *p = packed_at(a, id);
  unsigned shift = id * a->bits % 64;
  size_t used = words ? words : a->words;
  uint64_t low = packed_word(p), differs = 0;
  for (size_t i = 0; i < used; i++) {
    uint64_t high = packed_word(p + i + 1);
    differs = (low >> shift | high << 1 << (63 - shift)) ^ w[i];
    if (i + 1 < used && differs) return false;
    low = high;
  }
  return !(differs & a->last_mask);
}

// Over zeros, or over what was written there before for the last state of its thread. `alone`: no
// other thread writes states at all.
PACKED_INLINE void packed_write(const struct packed *a, uint64_t id, const uint64_t *w,
                                size_t words, bool alone) {
  uint64_t *p = packed_at(a, id);
  unsigned shift = id * a->bits % 64;
  size_t used = words ? words : a->words;
  uint64_t carry = packed_word(p) & ~(~UINT64_C(0) << shift);
  for (size_t i = 0; i < used; i++) {
    __atomic_store_n(p + i, carry | w[i] << shift, __ATOMIC_RELAXED);
    carry = w[i] >> 1 >> (63 - shift);
  }
  if (alone || shift + a->last_bits > 64) __atomic_store_n(p + used, carry, __ATOMIC_RELAXED);
}
