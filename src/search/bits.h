// SPDX-License-Identifier: Apache-2.0
// Strings of bits: traces, which take for each step only as many as it needs to name one of the
// successors there are. Private to the room.
#pragma once

#include "base/base.h"

struct bits {
  VEC(uint64_t) words;
  uint64_t count;
};

// Bits that name one of n: none if there is only one.
static inline unsigned bits_for(size_t n) {
  return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

static inline void bits_cut(struct bits *b, uint64_t count) {
  assert(count <= b->count);
  b->count = count;
}

// Up to 64 bits at the end.
static inline void bits_push(struct bits *b, uint64_t value, unsigned width) {
  if (width == 0) return;
  assert(width == 64 || value >> width == 0);
  size_t word = b->count / 64, shift = b->count % 64;
  b->words.count = word + (shift > 0);
  if (shift == 0) {
    VEC_PUSH(&b->words, value);
  } else {
    uint64_t below = b->words.data[word] & ((UINT64_C(1) << shift) - 1);
    b->words.data[word] = below | value << shift;
    if (shift + width > 64) VEC_PUSH(&b->words, value >> (64 - shift));
  }
  b->count += width;
}

static inline uint64_t bits_read(const struct bits *b, uint64_t at, unsigned width) {
  if (width == 0) return 0;
  assert(at + width <= b->count);
  size_t word = at / 64, shift = at % 64;
  uint64_t value = b->words.data[word] >> shift;
  if (shift + width > 64) value |= b->words.data[word + 1] << (64 - shift);
  return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

// Those of another string, from bit `begin` up to bit `end`.
static inline void bits_append(struct bits *b, const struct bits *from, uint64_t begin,
                               uint64_t end) {
  for (; end - begin > 64; begin += 64) bits_push(b, bits_read(from, begin, 64), 64);
  unsigned rest = (unsigned)(end - begin);
  bits_push(b, bits_read(from, begin, rest), rest);
}

static inline size_t bits_bytes(const struct bits *b) {
  return b->words.capacity * sizeof *b->words.data;
}

static inline void bits_clear(struct bits *b) {
  VEC_CLEAR(&b->words);
  b->count = 0;
}
