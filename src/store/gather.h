// SPDX-License-Identifier: Apache-2.0
// The bits of a word that a mask has, one beside the other, and back: by the processor's own
// instructions (pext, pdep) where it has fast ones, else run by run. Private to the room.
#pragma once

#include "store/packed.h"

static inline uint64_t low_ones(unsigned count) { return count ? ~UINT64_C(0) >> (64 - count) : 0; }

// The lowest run of ones of a mask that has some: where it begins, and how long it is.
static inline unsigned run_length(uint64_t mask, unsigned *at) {
  *at = (unsigned)__builtin_ctzll(mask);
  uint64_t above = ~(mask >> *at);
  return above ? (unsigned)__builtin_ctzll(above) : 64;
}

static inline uint64_t gather_slow(uint64_t word, uint64_t mask) {
  uint64_t out = 0;
  for (unsigned at, to = 0, run; mask; mask &= ~(low_ones(run) << at), to += run) {
    run = run_length(mask, &at);
    out |= (word >> at & low_ones(run)) << to;
  }
  return out;
}

static inline uint64_t scatter_slow(uint64_t bits, uint64_t mask) {
  uint64_t out = 0;
  for (unsigned at, from = 0, run; mask; mask &= ~(low_ones(run) << at), from += run) {
    run = run_length(mask, &at);
    out |= (bits >> from & low_ones(run)) << at;
  }
  return out;
}

#if defined __x86_64__
// The first two generations of AMD's Zen have them as slow microcode.
static inline bool gather_is_fast(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
         !__builtin_cpu_is("znver2");
}

PACKED_INLINE uint64_t gather(uint64_t word, uint64_t mask, bool fast) {
  if (!fast) return gather_slow(word, mask);
  __asm__("pext %2, %1, %0" : "=r"(word) : "r"(word), "r"(mask));
  return word;
}

PACKED_INLINE uint64_t scatter(uint64_t bits, uint64_t mask, bool fast) {
  if (!fast) return scatter_slow(bits, mask);
  __asm__("pdep %2, %1, %0" : "=r"(bits) : "r"(bits), "r"(mask));
  return bits;
}
#else
static inline bool gather_is_fast(void) { return false; }

static inline uint64_t gather(uint64_t word, uint64_t mask, bool fast) {
  (void)fast;
  return gather_slow(word, mask);
}

static inline uint64_t scatter(uint64_t bits, uint64_t mask, bool fast) {
  (void)fast;
  return scatter_slow(bits, mask);
}
#endif
