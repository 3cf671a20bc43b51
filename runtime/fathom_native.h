// SPDX-License-Identifier: Apache-2.0
// What generated code and Fathom agree on: the table of functions that a compiled model exports,
// the buffer it writes successors into, and the small helpers that its expressions call.
//
// An outcome is a uint32_t: 0 = false, 1 = true or done, FATHOM_DROPPED = an assumption failed on
// the way, FATHOM_PRUNED(n) = one in a body that depends on the first n choices only, all else = 1
// + the error site.
#ifndef FATHOM_NATIVE_H
#define FATHOM_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Raised whenever anything in this file changes its meaning or its layout.
#define FATHOM_NATIVE_ABI 5

#ifndef FATHOM_NATIVE_KEY // defined by whoever compiles into a cache
#define FATHOM_NATIVE_KEY ""
#endif

#define FATHOM_UNDEF       INT64_MIN
#define FATHOM_DROPPED     UINT32_MAX
#define FATHOM_PRUNED(n)   (FATHOM_DROPPED - 1 - (n))
#define FATHOM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FATHOM_INLINE      static inline __attribute__((always_inline, unused))

struct fathom_step {
  uint32_t instance, choice, site;
};

// Successors of one state. There is always room for the `reserve` steps that the model asks for;
// a model that asks for none calls grow before each successor that might not fit.
struct fathom_batch {
  uint64_t *words; // count times the words of a state
  struct fathom_step *steps;
  size_t count, capacity;
  uint64_t fired;
  uint64_t *covers; // bit set over properties
  bool moved;
  void (*grow)(struct fathom_batch *b);
  void *owner; // of grow's
};

struct fathom_fault {
  uint32_t kind; // 0 none, 1 property, 2 error site
  uint32_t id;
};

// The one symbol of a compiled model: `const struct fathom_native fathom_native_model`.
struct fathom_native {
  uint32_t abi;
  uint32_t words;
  const char *key;
  uint64_t reserve; // successors of one state at most; 0: too many to reserve, grow is called
  void (*expand)(const uint64_t *state, struct fathom_batch *out);
  struct fathom_fault (*check)(const uint64_t *state);
  struct fathom_fault (*covers)(const uint64_t *state, uint64_t *bits);
  struct fathom_fault (*atoms)(const uint64_t *state, uint64_t *bits);
  uint64_t (*ample)(const uint64_t *state);
  bool (*may_end)(const uint64_t *state);
};

// --- outcomes ---

FATHOM_INLINE uint32_t fathom_fault(uint32_t site) { return site + 1; }

FATHOM_INLINE struct fathom_fault fathom_verdict(uint32_t outcome, uint32_t property) {
  if (outcome == 0) return (struct fathom_fault){1, property};
  return (struct fathom_fault){2, outcome == FATHOM_DROPPED ? 0 : outcome - 1};
}

// --- successors ---

FATHOM_INLINE void fathom_room(struct fathom_batch *b) {
  if (FATHOM_UNLIKELY(b->count == b->capacity)) b->grow(b);
}

// Copies the source state to where the next successor goes.
FATHOM_INLINE uint64_t *fathom_copy(struct fathom_batch *b, const uint64_t *s, size_t words) {
  uint64_t *t = b->words + b->count * words;
  for (size_t i = 0; i < words; i++) t[i] = s[i];
  return t;
}

// Keeps it: with outcome 1 as a state, else as the failure that its outcome names.
FATHOM_INLINE void fathom_push(struct fathom_batch *b, uint32_t instance, uint32_t choice,
                               uint32_t outcome) {
  b->steps[b->count++] = (struct fathom_step){instance, choice, outcome - 1};
}

// A guard or body that did not come to a successor: a failure is kept, a refusal is nothing.
__attribute__((noinline, cold, unused)) static void
fathom_failed(struct fathom_batch *b, const uint64_t *s, size_t words, uint32_t instance,
              uint32_t choice, uint32_t outcome) {
  if (outcome == 0 || outcome == FATHOM_DROPPED) return;
  fathom_room(b);
  fathom_copy(b, s, words);
  fathom_push(b, instance, choice, outcome);
}

FATHOM_INLINE bool fathom_same(const uint64_t *s, const uint64_t *t, size_t words) {
  uint64_t d = 0;
  for (size_t i = 0; i < words; i++) d |= s[i] ^ t[i];
  return d == 0;
}

FATHOM_INLINE void fathom_fired(struct fathom_batch *b, const uint64_t *s, const uint64_t *t,
                                size_t words) {
  b->fired++;
  if (!b->moved) b->moved = !fathom_same(s, t, words);
}

// --- leaves at positions known only at run time ---

struct fathom_pos {
  uint32_t word;
  uint32_t shift;
};

FATHOM_INLINE void fathom_put(uint64_t *word, unsigned shift, uint64_t mask, uint64_t code) {
  *word = (*word & ~(mask << shift)) | code << shift;
}

FATHOM_INLINE uint64_t fathom_get(const uint64_t *s, const struct fathom_pos *p, uint64_t mask) {
  return s[p->word] >> p->shift & mask;
}

FATHOM_INLINE void fathom_set(uint64_t *s, const struct fathom_pos *p, uint64_t mask,
                              uint64_t code) {
  fathom_put(&s[p->word], p->shift, mask, code);
}

// Fields of `width` bits, the lowest bit of each set in `ones`: those that equal `code`.
FATHOM_INLINE uint64_t fathom_fields(uint64_t fields, uint64_t code, unsigned width,
                                     uint64_t ones) {
  uint64_t d = fields ^ code * ones; // then the bits of a field where they differ, onto its lowest
  if (width > 1) d |= d >> 1;
  if (width > 2) d |= d >> (width < 4 ? width - 2 : 2);
  if (width > 4) d |= d >> (width < 8 ? width - 4 : 4);
  if (width > 8) d |= d >> (width - 8);
  return ~d & ones;
}

FATHOM_INLINE int64_t fathom_next(uint64_t set) { return __builtin_ctzll(set); }

// The place of a value among `count` that begin with `first`, as a bit; of none: 0; all if it is
// undefined.
FATHOM_INLINE uint64_t fathom_only(int64_t value, int64_t first, uint64_t count) {
  if (value == FATHOM_UNDEF) return ~UINT64_C(0) >> (64 - count);
  uint64_t rank = (uint64_t)value - (uint64_t)first;
  return rank < count ? UINT64_C(1) << rank : 0;
}

// The value of a leaf that may be undefined: code 0 is undefined, code 1 is the value `lo`.
FATHOM_INLINE int64_t fathom_peek(uint64_t code, int64_t lo) {
  return code == 0 ? FATHOM_UNDEF : (int64_t)((uint64_t)lo + code - 1);
}

FATHOM_INLINE uint64_t fathom_code(int64_t v, int64_t lo) {
  return v == FATHOM_UNDEF ? 0 : (uint64_t)v - (uint64_t)lo + 1;
}

// --- machine integers: values of fewer than 64 bits are kept as themselves, unsigned ones of 64
// bits as bit patterns ---

FATHOM_INLINE bool fathom_outside(int64_t v, int64_t lo, int64_t hi) {
  return (uint64_t)v - (uint64_t)lo > (uint64_t)hi - (uint64_t)lo;
}

FATHOM_INLINE int64_t fathom_wrap_signed(uint64_t v, unsigned bits) {
  return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

FATHOM_INLINE int64_t fathom_wrap_unsigned(uint64_t v, unsigned bits) {
  return (int64_t)(v << (64 - bits) >> (64 - bits));
}

// Past the width nothing is left; a negative count shifts the other way; only << wraps.
FATHOM_INLINE int64_t fathom_shift(int64_t v, int64_t count, int bits, bool is_signed, bool left) {
  if (count <= -bits || count >= bits) return 0;
  if (count < 0) count = -count, left = !left;
  if (!left) return is_signed ? v >> count : (int64_t)((uint64_t)v >> count);
  uint64_t shifted = (uint64_t)v << count;
  return is_signed ? fathom_wrap_signed(shifted, (unsigned)bits)
                   : fathom_wrap_unsigned(shifted, (unsigned)bits);
}

// --- loops from lo to hi ---

FATHOM_INLINE bool fathom_bad_step(int64_t lo, int64_t hi, int64_t step) {
  return step == 0 || (hi > lo && step < 0) || (hi < lo && step > 0);
}

// Rounds after the first.
FATHOM_INLINE uint64_t fathom_rounds(int64_t lo, int64_t hi, int64_t step) {
  uint64_t span = hi > lo ? (uint64_t)hi - (uint64_t)lo : (uint64_t)lo - (uint64_t)hi;
  return span / (step > 0 ? (uint64_t)step : -(uint64_t)step);
}

// --- multisets: rows of `each` keys, `count` keys in all, into ascending order ---

FATHOM_INLINE bool fathom_row_less(const uint64_t *a, const uint64_t *b, size_t each) {
  for (size_t i = 0; i < each; i++)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

FATHOM_INLINE void fathom_sort(uint64_t *keys, size_t count, size_t each) {
  for (size_t i = each; i < count; i += each)
    for (size_t j = i; j > 0 && fathom_row_less(keys + j, keys + j - each, each); j -= each)
      for (size_t k = j; k < j + each; k++) {
        uint64_t swap = keys[k];
        keys[k] = keys[k - each];
        keys[k - each] = swap;
      }
}

#endif
