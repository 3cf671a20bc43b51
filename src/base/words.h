// SPDX-License-Identifier: Apache-2.0
// Arrays of words: packed states, which have one word at least, numbers in order, and sets of small
// numbers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Most states have a few words: no call for them.
static inline bool words_same(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t differs = (a[0] ^ b[0]) | (a[words - 1] ^ b[words - 1]);
  if (words > 8) return !differs && memcmp(a, b, words * sizeof *a) == 0;
  for (size_t i = 1; i + 1 < words; i++) differs |= a[i] ^ b[i];
  return differs == 0;
}

static inline void words_copy(uint64_t *to, const uint64_t *from, size_t words) {
  uint64_t first = from[0], last = from[words - 1];
  if (words > 2 && to != from) memcpy(to, from, words * sizeof *to);
  to[0] = first;
  to[words - 1] = last;
}

// Of `count` numbers that never go down, each `stride` words behind the one before: which is the
// last that is not above the key; 0 if there is none.
static inline size_t words_last(const uint64_t *first, size_t count, size_t stride, uint64_t key) {
  size_t low = 0, high = count;
  while (low + 1 < high) {
    size_t middle = low + (high - low) / 2;
    if (first[middle * stride] <= key)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static inline bool words_has(const uint64_t *set, size_t i) { return set[i / 64] >> (i % 64) & 1; }
static inline void words_put(uint64_t *set, size_t i) { set[i / 64] |= UINT64_C(1) << (i % 64); }
