// SPDX-License-Identifier: Apache-2.0
// Thin states.
#include "store/thin.h"
#include "store/gather.h"

#include "base/base.h"

#include <string.h>

// --- which bits ---

enum { REACH_MAX = 31 }; // beyond it all bits are taken in

void thin_init(struct thin *t, size_t words, size_t most) {
  *t = (struct thin){.words = words, .most = most, .fast = gather_is_fast()};
  t->word = mem_zalloc(words, sizeof *t->word);
  t->pieces.piece = mem_zalloc(PIECES_MAX, sizeof *t->pieces.piece);
  for (size_t i = 0; i < words; i++) t->word[i].same = ~UINT64_C(0);
}

void thin_copy(struct thin *to, const struct thin *from) {
  memcpy(to->word, from->word, from->words * sizeof *to->word);
  memcpy(to->pieces.piece, from->pieces.piece, from->pieces.count * sizeof *to->pieces.piece);
  to->pieces.count = from->pieces.count;
  to->any = from->any;
  to->bits = from->bits;
  to->reach = from->reach;
}

void thin_free(struct thin *t) {
  mem_free(t->word);
  mem_free(t->pieces.piece);
}

static void count_bits(struct thin *t) {
  t->bits = 0;
  for (size_t i = 0; i < t->words; i++) {
    t->word[i].bits = (unsigned)__builtin_popcountll(t->word[i].mask);
    t->word[i].before = t->bits;
    t->bits += t->word[i].bits;
  }
  for (size_t i = 0; i < t->pieces.count; i++) {
    t->pieces.piece[i].before = t->bits;
    t->bits += t->pieces.piece[i].bits;
  }
}

bool thin_fits(const struct thin *t, const uint64_t *state) {
  uint64_t differs = 0;
  for (size_t i = 0; i < t->words; i++) differs |= (state[i] & t->word[i].same) ^ t->word[i].rest;
  return t->any && !differs && pieces_know(&t->pieces, state, t->fast);
}

// The bits of a word that are taken in: those that differ, with some that are in use above each; in
// the end all that are in use.
static uint64_t reaching(const struct thin *t, size_t word, uint64_t differs, unsigned reach) {
  size_t used = t->most > 64 * word ? t->most - 64 * word : 0;
  uint64_t with = differs;
  for (unsigned i = 0; with && i < reach && i < 63; i++) with |= with << 1;
  if (reach > REACH_MAX) with = ~UINT64_C(0);
  return differs | (with & low_ones(used < 64 ? (unsigned)used : 64));
}

void thin_widen(struct thin *t, const uint64_t *states, size_t count, bool often) {
  if (often && t->reach <= REACH_MAX) t->reach = 2 * t->reach + 1;
  for (size_t i = 0; i < t->words; i++) {
    struct thin_word *w = &t->word[i];
    if (!t->any) w->rest = states[i]; // all bits are the same
    uint64_t differs = 0;
    for (size_t k = 0; k < count; k++) differs |= (states[k * t->words + i] & w->same) ^ w->rest;
    uint64_t more = reaching(t, i, differs, often ? t->reach : 0) & w->same;
    w->mask |= more;
    w->same &= ~more;
    w->rest &= w->same;
  }
  pieces_widen(&t->pieces, states, t->words, count, often ? t->reach : 0, t->fast);
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
    differs |= (state[i] & w->same) ^ w->rest;
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

static size_t pack_bits(const struct thin *t, const uint64_t *states, size_t count, uint64_t *to) {
  switch (t->fast ? t->words : 0) {
  case 1: return pack_as(t, states, count, to, 1, true);
  case 2: return pack_as(t, states, count, to, 2, true);
  case 3: return pack_as(t, states, count, to, 3, true);
  default:
    return t->fast ? pack_as(t, states, count, to, 0, true)
                   : pack_as(t, states, count, to, 0, false);
  }
}

// As many states as fit; false when one has a value without a number, and these are spoilt.
static bool pack_pieces(const struct thin *t, const uint64_t *states, size_t count, uint64_t *to,
                        size_t *fit) {
  size_t stride = thin_words(t);
  memset(to, 0, count * stride * sizeof *to);
  *fit = pack_bits(t, states, count, to);
  return pieces_pack(&t->pieces, states, t->words, *fit, to, stride, t->fast);
}

size_t thin_pack(const struct thin *t, const uint64_t *states, size_t count, uint64_t *to) {
  size_t fit, done = 0;
  if (!t->any) return 0;
  if (t->pieces.count == 0) return pack_bits(t, states, count, to);
  if (pack_pieces(t, states, count, to, &fit)) return fit;
  for (fit = 1; done < count && fit == 1; done += fit) // one by one, up to that state
    if (!pack_pieces(t, states + done * t->words, 1, to + done * thin_words(t), &fit)) fit = 0;
  return done;
}

// The narrow mask, made thin by the wide one, says which bits of a wide state a narrow one has;
// numbers of values get zeros above them.
void thin_between(struct thin *t, const struct thin *narrow, const struct thin *wide,
                  uint64_t *scratch) {
  size_t words = narrow->words;
  uint64_t *mask = scratch, *rest = mask + words, *to_mask = rest + words,
           *to_rest = to_mask + words;
  memset(to_mask, 0, 2 * words * sizeof *to_mask);
  for (size_t i = 0; i < words; i++) {
    mask[i] = narrow->word[i].mask;
    rest[i] = narrow->word[i].rest;
  }
  pack_one(wide->word, words, mask, to_mask, wide->fast);
  pack_one(wide->word, words, rest, to_rest, wide->fast);
  pieces_mark(&narrow->pieces, &wide->pieces, to_mask);
  t->words = thin_words(wide);
  for (size_t i = 0; i < t->words; i++)
    t->word[i] = (struct thin_word){to_mask[i], ~to_mask[i], to_rest[i], 0, 0};
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

static void read_bits(const struct thin *t, const struct packed *a, uint64_t first, size_t count,
                      uint64_t *to) {
  switch (t->fast ? t->words : 0) {
  case 1: read_as(t, a, first, count, to, 1, true); break;
  case 2: read_as(t, a, first, count, to, 2, true); break;
  case 3: read_as(t, a, first, count, to, 3, true); break;
  default:
    t->fast ? read_as(t, a, first, count, to, 0, true) : read_as(t, a, first, count, to, 0, false);
  }
}

// Those with pieces are first taken out of the array, since a word has bits for several of them.
enum { OUT_WORDS = 128 };

PACKED_INLINE void read_word(const struct thin_word *word, const uint64_t *thin, size_t stride,
                             size_t count, uint64_t *to, size_t words, bool fast) {
  const struct thin_word w = *word;
  unsigned shift = w.before % 64;
  bool two = shift + w.bits > 64; // words
  thin += w.before / 64;
  for (size_t i = 0; i < count; i++) {
    if (w.bits == 0) {
      to[i * words] = w.rest;
      continue;
    }
    uint64_t bits = thin[i * stride] >> shift;
    if (two) bits |= thin[i * stride + 1] << (64 - shift);
    to[i * words] = scatter(bits, w.mask, fast) | w.rest;
  }
}

// In all of these `ids` names the states, or is NULL: then they are those from `first` on.
PACKED_INLINE void take_out(const struct packed *a, const uint64_t *ids, uint64_t first,
                            size_t count, uint64_t *thin, size_t stride) {
  for (size_t k = 0; k < stride; k++) {
    uint64_t bits = a->bits, at = first * bits + 64 * k;
    for (size_t i = 0; i < count; i++, at += bits)
      thin[i * stride + k] = packed_bits(a->base, ids ? ids[i] * bits + 64 * k : at);
  }
}

PACKED_INLINE void read_out(const struct thin *t, const uint64_t *thin, size_t stride, size_t count,
                            uint64_t *to, size_t words, bool fast) {
  for (size_t i = 0; i < words; i++)
    read_word(&t->word[i], thin, stride, count, to + i, words, fast);
  pieces_read(&t->pieces, thin, stride, count, to, words, fast);
}

static void read_pieces(const struct thin *t, const struct packed *a, const uint64_t *ids,
                        uint64_t first, size_t count, uint64_t *to) {
  uint64_t thin[OUT_WORDS];
  size_t stride = thin_words(t), words = t->words;
  assert(stride > 0 && stride <= OUT_WORDS);
  for (size_t done = 0, n; done < count; done += n, to += n * words) {
    n = count - done < OUT_WORDS / stride ? count - done : OUT_WORDS / stride;
    if (ids) // two copies of the loop: neither asks each time
      take_out(a, ids + done, 0, n, thin, stride);
    else
      take_out(a, NULL, first + done, n, thin, stride);
    if (!t->fast)
      read_out(t, thin, stride, n, to, words, false);
    else if (stride == 1 && words == 1)
      read_out(t, thin, 1, n, to, 1, true);
    else
      read_out(t, thin, stride, n, to, words, true);
  }
}

void thin_read(const struct thin *t, const struct packed *a, uint64_t first, size_t count,
               uint64_t *to) {
  if (t->pieces.count)
    read_pieces(t, a, NULL, first, count, to);
  else
    read_bits(t, a, first, count, to);
}

void thin_read_these(const struct thin *t, const struct packed *a, const uint64_t *ids,
                     size_t count, uint64_t *to) {
  if (t->pieces.count)
    read_pieces(t, a, ids, 0, count, to);
  else
    for (size_t i = 0; i < count; i++) read_bits(t, a, ids[i], 1, to + i * t->words);
}

// --- pieces ---

size_t thin_tables_bytes(const struct thin *t) {
  size_t most = 0;
  for (size_t i = 0; i < t->words; i++) {
    unsigned vary = 64 - (unsigned)__builtin_popcountll(t->word[i].same);
    most += (vary / PIECE_BITS + 1) * piece_bytes(PIECE_BITS);
  }
  return most;
}

bool thin_cut(struct thin *to, const struct thin *from, const uint64_t *sample, size_t count,
              unsigned char *tables) {
  thin_copy(to, from);
  to->reach = 0; // what it took in for nothing goes
  to->pieces.count = 0;
  for (size_t i = 0; i < to->words; i++) {
    struct thin_word *w = &to->word[i];
    w->mask = ~w->same;
    pieces_choose(&to->pieces, sample + i, to->words, count, i, w->mask, to->fast);
  }
  for (size_t i = 0; i < to->pieces.count; i++) {
    struct piece *p = &to->pieces.piece[i];
    to->word[p->word].mask &= ~p->mask;
    tables += piece_place(p, tables);
  }
  count_bits(to);
  return to->pieces.count > 0;
}

void thin_settle(struct thin *t) {
  size_t kept = 0;
  for (size_t i = 0; i < t->pieces.count; i++) {
    const struct piece *p = &t->pieces.piece[i];
    struct thin_word *w = &t->word[p->word];
    if (p->values == 1) {
      w->same |= p->mask;
      w->rest |= scatter(p->value[0], p->mask, t->fast);
    } else {
      t->pieces.piece[kept++] = *p;
    }
  }
  t->pieces.count = kept;
  count_bits(t);
}
