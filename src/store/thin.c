// SPDX-License-Identifier: Apache-2.0
// Thin states. Bits are gathered and scattered by the processor's own instructions (pext, pdep)
// where it has fast ones, else run by run.
#include "store/thin.h"

#include "base/base.h"

#include <string.h>

// --- gather and scatter ---

static uint64_t ones(unsigned count) { return count ? ~UINT64_C(0) >> (64 - count) : 0; }

// The lowest run of ones of a mask that has some: where it begins, and how long it is.
static unsigned run_length(uint64_t mask, unsigned *at) {
  *at = (unsigned)__builtin_ctzll(mask);
  uint64_t above = ~(mask >> *at);
  return above ? (unsigned)__builtin_ctzll(above) : 64;
}

static uint64_t gather_slow(uint64_t word, uint64_t mask) {
  uint64_t out = 0;
  for (unsigned at, to = 0, run; mask; mask &= ~(ones(run) << at), to += run) {
    run = run_length(mask, &at);
    out |= (word >> at & ones(run)) << to;
  }
  return out;
}

static uint64_t scatter_slow(uint64_t bits, uint64_t mask) {
  uint64_t out = 0;
  for (unsigned at, from = 0, run; mask; mask &= ~(ones(run) << at), from += run) {
    run = run_length(mask, &at);
    out |= (bits >> from & ones(run)) << at;
  }
  return out;
}

#if defined __x86_64__
// The first two generations of AMD's Zen have them as slow microcode.
static bool has_fast(void) {
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
static bool has_fast(void) { return false; }

static uint64_t gather(uint64_t word, uint64_t mask, bool fast) {
  (void)fast;
  return gather_slow(word, mask);
}

static uint64_t scatter(uint64_t bits, uint64_t mask, bool fast) {
  (void)fast;
  return scatter_slow(bits, mask);
}
#endif

// --- which bits ---

enum { REACH_MAX = 31 }; // beyond it all bits are taken in

void thin_init(struct thin *t, size_t words, size_t most) {
  *t = (struct thin){.words = words, .most = most, .fast = has_fast()};
  t->word = mem_zalloc(words, sizeof *t->word);
}

void thin_copy(struct thin *to, const struct thin *from) {
  memcpy(to->word, from->word, from->words * sizeof *to->word);
  to->any = from->any;
  to->bits = from->bits;
  to->reach = from->reach;
}

void thin_free(struct thin *t) { mem_free(t->word); }

static void count_bits(struct thin *t) {
  t->bits = 0;
  for (size_t i = 0; i < t->words; i++) {
    t->word[i].bits = (unsigned)__builtin_popcountll(t->word[i].mask);
    t->word[i].before = t->bits;
    t->bits += t->word[i].bits;
  }
}

// The bits of a word that are taken in: those that differ, with some that are in use above each; in
// the end all that are in use.
static uint64_t reaching(const struct thin *t, size_t word, uint64_t differs, unsigned reach) {
  size_t used = t->most > 64 * word ? t->most - 64 * word : 0;
  uint64_t with = differs;
  for (unsigned i = 0; with && i < reach && i < 63; i++) with |= with << 1;
  if (reach > REACH_MAX) with = ~UINT64_C(0);
  return differs | (with & ones(used < 64 ? (unsigned)used : 64));
}

void thin_widen(struct thin *t, const uint64_t *states, size_t count, bool often) {
  if (often && t->reach <= REACH_MAX) t->reach = 2 * t->reach + 1;
  for (size_t i = 0; i < t->words; i++) {
    struct thin_word *w = &t->word[i];
    if (!t->any) w->rest = states[i];
    uint64_t differs = 0;
    for (size_t k = 0; k < count; k++) differs |= (states[k * t->words + i] & ~w->mask) ^ w->rest;
    w->mask |= reaching(t, i, differs, often ? t->reach : 0);
    w->rest &= ~w->mask;
  }
  count_bits(t);
  t->any = true;
}

// --- states ---

// These are compiled for each number of words up to FEW (`words`, or 0 for more) and both ways of
// gathering, with copies of the words that stay in registers.
enum { FEW = 3 };

struct few {
  struct thin_word word[FEW];
};

PACKED_INLINE struct few few_of(const struct thin *t, size_t words) {
  struct few f = {0};
  for (size_t i = 0; i < words; i++) f.word[i] = t->word[i];
  return f;
}

// One after the other: whole words of the thin state are filled up with the bits of each word.
PACKED_INLINE bool pack_one(const struct thin_word *word, size_t words, const uint64_t *state,
                            uint64_t *to, bool fast) {
  uint64_t filling = 0, differs = 0;
  unsigned filled = 0;
  for (size_t i = 0; i < words; i++) {
    const struct thin_word *w = &word[i];
    uint64_t bits = gather(state[i], w->mask, fast);
    differs |= (state[i] & ~w->mask) ^ w->rest;
    filling |= bits << filled;
    filled += w->bits;
    if (filled < 64) continue;
    *to++ = filling;
    filled -= 64;
    filling = filled ? bits >> (w->bits - filled) : 0;
  }
  if (filled) *to = filling;
  return !differs;
}

PACKED_INLINE size_t pack_as(const struct thin *t, const uint64_t *states, size_t count,
                             uint64_t *to, size_t words, bool fast) {
  const struct few few = few_of(t, words);
  const struct thin_word *word = words ? few.word : t->word;
  size_t stride = thin_words(t), each = words ? words : t->words;
  for (size_t i = 0; i < count; i++)
    if (!pack_one(word, each, states + i * each, to + i * stride, fast)) return i;
  return count;
}

size_t thin_pack(const struct thin *t, const uint64_t *states, size_t count, uint64_t *to) {
  if (!t->any) return 0;
  switch (t->fast ? t->words : 0) {
  case 1: return pack_as(t, states, count, to, 1, true);
  case 2: return pack_as(t, states, count, to, 2, true);
  case 3: return pack_as(t, states, count, to, 3, true);
  default:
    return t->fast ? pack_as(t, states, count, to, 0, true)
                   : pack_as(t, states, count, to, 0, false);
  }
}

// The narrow mask, made thin by the wide one, says which bits of a wide state a narrow one has.
void thin_between(struct thin *t, const struct thin *narrow, const struct thin *wide,
                  uint64_t *scratch) {
  size_t words = narrow->words;
  uint64_t *mask = scratch, *rest = mask + words, *to_mask = rest + words,
           *to_rest = to_mask + words;
  for (size_t i = 0; i < words; i++) {
    mask[i] = narrow->word[i].mask;
    rest[i] = narrow->word[i].rest;
  }
  pack_one(wide->word, words, mask, to_mask, wide->fast);
  pack_one(wide->word, words, rest, to_rest, wide->fast);
  t->words = thin_words(wide);
  for (size_t i = 0; i < t->words; i++)
    t->word[i] = (struct thin_word){.mask = to_mask[i], .rest = to_rest[i]};
  count_bits(t);
  t->any = true;
}

PACKED_INLINE void read_as(const struct thin *t, const struct packed *a, uint64_t first,
                           size_t count, uint64_t *to, size_t words, bool fast) {
  const struct few few = few_of(t, words);
  const struct thin_word *word = words ? few.word : t->word;
  size_t each = words ? words : t->words;
  uint64_t bits = a->bits, at = first * bits;
  for (size_t k = 0; k < count; k++, at += bits)
    for (size_t i = 0; i < each; i++) // takes no more bits than there are ones
      to[k * each + i] =
          scatter(packed_bits(a->base, at + word[i].before), word[i].mask, fast) | word[i].rest;
}

void thin_read(const struct thin *t, const struct packed *a, uint64_t first, size_t count,
               uint64_t *to) {
  switch (t->fast ? t->words : 0) {
  case 1: read_as(t, a, first, count, to, 1, true); break;
  case 2: read_as(t, a, first, count, to, 2, true); break;
  case 3: read_as(t, a, first, count, to, 3, true); break;
  default:
    t->fast ? read_as(t, a, first, count, to, 0, true) : read_as(t, a, first, count, to, 0, false);
  }
}
