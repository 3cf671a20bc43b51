// SPDX-License-Identifier: Apache-2.0
// The hash of a packed state: folded multiplications, inline for short states, xxHash for long
// ones. Stores take a state's place from the high bits and its tag from the low bits.
#pragma once

#include "base/base.h"

static inline uint64_t store_fold(uint64_t a, uint64_t b) {
  __uint128_t m = (__uint128_t)a * b;
  return (uint64_t)m ^ (uint64_t)(m >> 64);
}

// Odd constants with as many ones as zeros in every byte.
#define STORE_MIX_A UINT64_C(0x2d358dccaa6c78a5)
#define STORE_MIX_B UINT64_C(0x8bb84b93962eacc9)
#define STORE_MIX_C UINT64_C(0x4b33a62ed433d4a3)
#define STORE_MIX_D UINT64_C(0x4d5a2da51de1aa47)

__attribute__((always_inline)) static inline uint64_t store_hash(const uint64_t *w, size_t words) {
  if (words == 1) return store_fold(store_fold(w[0] ^ STORE_MIX_A, STORE_MIX_B), STORE_MIX_C);
  if (words > 3) return hash_bytes(w, words * sizeof *w, 0);
  __uint128_t m = (__uint128_t)(w[0] ^ STORE_MIX_A) * (w[1] ^ STORE_MIX_B);
  uint64_t low = (uint64_t)m ^ STORE_MIX_C, high = (uint64_t)(m >> 64) ^ STORE_MIX_D;
  if (words == 3) high ^= store_fold(w[2] ^ STORE_MIX_A, STORE_MIX_D);
  return store_fold(low, high);
}
