// SPDX-License-Identifier: Apache-2.0
// Pieces in thin states, the numbers of their values, and the choice of pieces: of all ways to cut
// the bits of a word that vary into pieces and single bits the one that takes the fewest bits, by
// dynamic programming over the number of values that each piece has in a sample.
#include "store/pieces.h"
#include "store/gather.h"

#include "base/base.h"

// --- numbers ---

size_t piece_place(struct piece *p, unsigned char *tables) {
  unsigned bits = (unsigned)__builtin_popcountll(p->mask);
  p->number = (uint16_t *)tables;
  p->value = p->number + ((size_t)1 << bits);
  return piece_bytes(bits);
}

// And one; 0: none. After this the value of the number may be read.
PACKED_INLINE uint64_t number_of(const uint16_t *number, uint64_t value) {
  return __atomic_load_n(&number[value], __ATOMIC_ACQUIRE);
}

static void give_number(struct piece *p, uint64_t value) {
  p->value[p->values++] = (uint16_t)value;
  __atomic_store_n(&p->number[value], (uint16_t)p->values, __ATOMIC_RELEASE);
}

// False when one is without a number.
static bool take_values(struct piece *p, const uint64_t *states, size_t words, size_t count,
                        unsigned bits, bool fast) {
  bool all = true;
  for (size_t i = 0; i < count; i++) {
    uint64_t value = gather(states[i * words + p->word], p->mask, fast);
    if (number_of(p->number, value)) continue;
    if (p->values >> bits)
      all = false;
    else
      give_number(p, value);
  }
  return all;
}

bool pieces_take(struct pieces *p, const uint64_t *states, size_t words, size_t count, bool fast) {
  bool all = true;
  for (size_t k = 0; k < p->count; k++)
    all = take_values(&p->piece[k], states, words, count, p->piece[k].bits, fast) && all;
  return all;
}

void pieces_widen(struct pieces *p, const uint64_t *states, size_t words, size_t count,
                  unsigned reach, bool fast) {
  for (size_t k = 0; k < p->count; k++) {
    struct piece *piece = &p->piece[k];
    unsigned most = (unsigned)__builtin_popcountll(piece->mask);
    bool all = take_values(piece, states, words, count, most, fast);
    assert(all);
    (void)all;
    unsigned bits = piece_bits(piece->values);
    if (bits <= piece->bits) continue;
    piece->bits = reach < most - bits ? bits + reach : most;
  }
}

void pieces_undo(const struct pieces *p, const struct pieces *before) {
  for (size_t k = 0; k < p->count; k++)
    for (unsigned i = before->piece[k].values; i < p->piece[k].values; i++)
      p->piece[k].number[p->piece[k].value[i]] = 0;
}

bool pieces_know(const struct pieces *p, const uint64_t *state, bool fast) {
  for (size_t k = 0; k < p->count; k++) {
    const struct piece *piece = &p->piece[k];
    if (!number_of(piece->number, gather(state[piece->word], piece->mask, fast))) return false;
  }
  return true;
}

// --- states ---

// Piece by piece, so that what is known of each stays in registers. A value without a number makes
// all bits of `lacks` ones.
PACKED_INLINE uint64_t pack_piece(const struct piece *p, const uint64_t *states, size_t words,
                                  size_t count, uint64_t *to, size_t stride, bool fast) {
  const uint16_t *table = p->number;
  uint64_t mask = p->mask, lacks = 0;
  unsigned shift = p->before % 64;
  states += p->word;
  to += p->before / 64;
  bool two = shift + p->bits > 64; // words
  for (size_t i = 0; i < count; i++) {
    uint64_t number = number_of(table, gather(states[i * words], mask, fast)) - 1;
    lacks |= number;
    to[i * stride] |= number << shift;
    if (two) to[i * stride + 1] |= number >> (64 - shift);
  }
  return lacks >> 63;
}

PACKED_INLINE bool pack_as(const struct pieces *p, const uint64_t *states, size_t words,
                           size_t count, uint64_t *to, size_t stride, bool fast) {
  uint64_t lacks = 0;
  for (size_t k = 0; k < p->count; k++)
    lacks |= pack_piece(&p->piece[k], states, words, count, to, stride, fast);
  return !lacks;
}

bool pieces_pack(const struct pieces *p, const uint64_t *states, size_t words, size_t count,
                 uint64_t *to, size_t stride, bool fast) {
  if (!fast) return pack_as(p, states, words, count, to, stride, false);
  if (words == 1 && stride == 1) return pack_as(p, states, 1, count, to, 1, true);
  return pack_as(p, states, words, count, to, stride, true);
}

PACKED_INLINE void read_piece(const struct piece *p, const uint64_t *thin, size_t stride,
                              size_t count, uint64_t *to, size_t words, bool fast) {
  const uint16_t *table = p->value;
  uint64_t mask = p->mask, number_mask = low_ones(p->bits);
  unsigned shift = p->before % 64;
  bool two = shift + p->bits > 64; // words
  thin += p->before / 64;
  to += p->word;
  for (size_t i = 0; i < count; i++) {
    uint64_t number = thin[i * stride] >> shift;
    if (two) number |= thin[i * stride + 1] << (64 - shift);
    to[i * words] |= scatter(table[number & number_mask], mask, fast);
  }
}

PACKED_INLINE void read_as(const struct pieces *p, const uint64_t *thin, size_t stride,
                           size_t count, uint64_t *to, size_t words, bool fast) {
  for (size_t k = 0; k < p->count; k++)
    read_piece(&p->piece[k], thin, stride, count, to, words, fast);
}

void pieces_read(const struct pieces *p, const uint64_t *thin, size_t stride, size_t count,
                 uint64_t *to, size_t words, bool fast) {
  if (!fast)
    read_as(p, thin, stride, count, to, words, false);
  else if (words == 1 && stride == 1)
    read_as(p, thin, 1, count, to, 1, true);
  else if (words == 2 && stride == 1)
    read_as(p, thin, 1, count, to, 2, true);
  else
    read_as(p, thin, stride, count, to, words, true);
}

void pieces_mark(const struct pieces *narrow, const struct pieces *wide, uint64_t *mask) {
  for (size_t k = 0; k < narrow->count; k++) {
    size_t at = wide->piece[k].before;
    uint64_t ones = low_ones(narrow->piece[k].bits);
    mask[at / 64] |= ones << at % 64;
    if (at % 64 + narrow->piece[k].bits > 64) mask[at / 64 + 1] |= ones >> (64 - at % 64);
  }
}

// --- the choice ---

enum { PRICE_BIT = 16, PRICE_PIECE = 24 }; // of a bit, and of the time that a piece takes

// Of a piece with so many values in a sample; there will be a fifth more of them. Between the bits
// that they take and the logarithm: who is just below the next bit will soon be above.
static unsigned price_of(unsigned values, unsigned bits) {
  values += values / 5;
  if (values > 1u << bits) values = 1u << bits;
  unsigned whole = (unsigned)(31 - __builtin_clz(values));
  unsigned logarithm = PRICE_BIT * whole + ((PRICE_BIT * (values - (1u << whole))) >> whole);
  return (logarithm + PRICE_BIT * piece_bits(values)) / 2 + PRICE_PIECE;
}

// Of a piece that so many states can tell something about: longer ones seem to have few values.
static unsigned longest_of(size_t states) {
  unsigned bits = 0;
  while (bits < PIECE_BITS && states >> (bits + 1)) bits++;
  return bits;
}

#define SEEN_WORDS ((1 << PIECE_BITS) / 64)

// How many values of `bits` bits there are; then the same for one bit less, the last one.
static unsigned count_seen(uint64_t *seen, unsigned bits) {
  unsigned count = 0, words = bits > 6 ? 1u << (bits - 6) : 1;
  for (unsigned i = 0; i < words; i++) count += (unsigned)__builtin_popcountll(seen[i]);
  for (unsigned i = 0; i < words / 2; i++) seen[i] |= seen[i + words / 2];
  if (words == 1) seen[0] = (seen[0] | seen[0] >> (1u << (bits - 1))) & low_ones(1u << (bits - 1));
  return count;
}

// Prices of the pieces that begin with the bit `first` of those that vary: one for each length.
static void prices_from(const uint64_t *states, size_t words, size_t count, uint64_t vary,
                        unsigned first, unsigned length, unsigned *price, bool fast) {
  uint64_t seen[SEEN_WORDS] = {0};
  uint64_t mask = scatter(low_ones(length) << first, vary, fast);
  for (size_t i = 0; i < count; i++) {
    uint64_t value = gather(states[i * words], mask, fast);
    seen[value / 64] |= UINT64_C(1) << value % 64;
  }
  for (unsigned bits = length; bits > 0; bits--)
    price[bits] = price_of(count_seen(seen, bits), bits);
}

void pieces_choose(struct pieces *p, const uint64_t *states, size_t words, size_t count,
                   size_t word, uint64_t vary, bool fast) {
  unsigned price[64][PIECE_BITS + 1], least[65] = {0}, length[65] = {0};
  unsigned bits = (unsigned)__builtin_popcountll(vary), longest = longest_of(count);
  for (unsigned i = 0; i < bits; i++)
    prices_from(states, words, count, vary, i, bits - i < longest ? bits - i : longest, price[i],
                fast);
  for (unsigned end = 1; end <= bits; end++) {
    least[end] = least[end - 1] + PRICE_BIT;
    for (unsigned n = 2; n <= longest && n <= end; n++) {
      unsigned with = least[end - n] + price[end - n][n];
      if (with < least[end]) least[end] = with, length[end] = n;
    }
  }
  for (unsigned end = bits; end > 0; end -= length[end] ? length[end] : 1) {
    if (!length[end] || p->count == PIECES_MAX) continue;
    uint64_t ones = low_ones(length[end]) << (end - length[end]);
    p->piece[p->count++] = (struct piece){.word = word, .mask = scatter(ones, vary, fast)};
  }
}
