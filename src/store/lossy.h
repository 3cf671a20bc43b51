// SPDX-License-Identifier: Apache-2.0
// What the stores that keep no states share: a strong hash, and room that threads take by the
// chunk. Private to the room.
#pragma once

#include "base/base.h"
#include "store/gate.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

// Inlined where the shape of what it works on is a constant.
#define LOSSY_INLINE __attribute__((always_inline)) static inline

// Two states with the same hash become one, so this is not the quick hash of the exact store.
// Probabilities that are reported take it for a random function.
#define LOSSY_SEED UINT64_C(0x5fa7403b8e21d96c)

LOSSY_INLINE uint64_t lossy_hash64(const uint64_t *w, size_t words) {
  return XXH3_64bits_withSeed(w, words * sizeof *w, LOSSY_SEED);
}

LOSSY_INLINE XXH128_hash_t lossy_hash128(const uint64_t *w, size_t words) {
  return XXH3_128bits_withSeed(w, words * sizeof *w, LOSSY_SEED);
}

// Room for states. A thread takes it for a whole chunk, and gives back what it did not need. When
// there is not enough it goes on alone: only then can it tell whether there is none at all.
struct quota {
  struct gate gate;
  uint64_t taken; // states, and promises to chunks on their way: none while the gate is closed
  uint64_t room;  // changes only while the gate is closed
};

// True: room for `n` states is promised. False: the caller is alone, with quota_left states to go.
LOSSY_INLINE bool quota_enter(struct quota *q, uint64_t n) {
  gate_enter(&q->gate);
  if (__atomic_add_fetch(&q->taken, n, __ATOMIC_RELAXED) <= q->room) return true;
  __atomic_sub_fetch(&q->taken, n, __ATOMIC_RELAXED);
  gate_leave(&q->gate);
  gate_close(&q->gate);
  return false;
}

LOSSY_INLINE uint64_t quota_left(const struct quota *q) {
  return q->taken < q->room ? q->room - q->taken : 0;
}

// `promised`: what quota_enter said; of `n` states `used` were new.
LOSSY_INLINE void quota_leave(struct quota *q, bool promised, uint64_t n, uint64_t used) {
  if (promised) {
    __atomic_sub_fetch(&q->taken, n - used, __ATOMIC_RELAXED);
    gate_leave(&q->gate);
  } else {
    __atomic_add_fetch(&q->taken, used, __ATOMIC_RELAXED);
    gate_open(&q->gate);
  }
}

// While others write: about.
LOSSY_INLINE uint64_t quota_count(const struct quota *q) {
  return __atomic_load_n(&q->taken, __ATOMIC_RELAXED);
}
