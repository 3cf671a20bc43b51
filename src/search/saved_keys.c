// SPDX-License-Identifier: Apache-2.0
// Keys of states in the file, each as what differs from the one before: states that came one after
// the other have most in common, so that a file is not much larger than a tree of the same states.
//
// A key is: a byte that says how many words are the same (UINT8_MAX: that many, and no other word
// follows), then, unless that was the last, a byte that says which bytes of the next word differ,
// and these; and so on until all words are accounted for. And the numbers that stand for states.
#include "search/saved_file.h"

#include <stdlib.h>

// --- keys ---

static size_t same_words(const uint64_t *key, const uint64_t *last, size_t words) {
  size_t n = 0;
  while (n < words && n < UINT8_MAX && key[n] == last[n]) n++;
  return n;
}

// Which bytes of the word, and they themselves; says how many bytes that is.
static size_t pack_word(uint64_t differs, unsigned char *to) {
  size_t n = 1;
  to[0] = 0;
  for (unsigned i = 0; i < 8; i++) {
    unsigned char byte = (unsigned char)(differs >> 8 * i);
    if (byte == 0) continue;
    to[0] |= (unsigned char)(1u << i);
    to[n++] = byte;
  }
  return n;
}

void saved_put_key(struct saved_out *o, const uint64_t *key, uint64_t *last, size_t words) {
  for (size_t at = 0; at < words;) {
    unsigned char part[1 + 1 + 8];
    size_t same = same_words(key + at, last + at, words - at), count = 1;
    part[0] = (unsigned char)same;
    at += same;
    if (same < UINT8_MAX && at < words) {
      count += pack_word(key[at] ^ last[at], part + 1);
      last[at] = key[at];
      at++;
    }
    saved_put(o, part, count);
  }
}

static uint64_t get_word(struct saved_in *in) {
  unsigned char which, bytes[8];
  uint64_t differs = 0;
  saved_get(in, &which, 1);
  saved_get(in, bytes, (size_t)__builtin_popcount(which));
  for (unsigned i = 0, n = 0; i < 8; i++)
    if (which >> i & 1) differs |= (uint64_t)bytes[n++] << 8 * i;
  return differs;
}

void saved_get_key(struct saved_in *in, uint64_t *key, size_t words) {
  for (size_t at = 0; at < words && !in->failed;) {
    unsigned char same;
    saved_get(in, &same, 1);
    if (same > words - at) in->failed = true;
    at += same;
    if (in->failed || same == UINT8_MAX || at == words) continue;
    key[at++] ^= get_word(in);
  }
}

// --- links ---

void saved_links_add(struct saved_links *l, uint64_t number, uint64_t *other) {
  VEC_PUSH(&l->list, ((struct saved_link){number, other}));
}

static int compare(const void *a, const void *b) {
  uint64_t x = ((const struct saved_link *)a)->number, y = ((const struct saved_link *)b)->number;
  return x < y ? -1 : x > y;
}

void saved_links_sort(struct saved_links *l) {
  if (l->list.count > 0) qsort(l->list.data, l->list.count, sizeof *l->list.data, compare);
}

static size_t first_from(const struct saved_links *l, uint64_t number) {
  size_t low = 0, high = l->list.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (l->list.data[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Numbers mostly come in order.
void saved_links_note(struct saved_links *l, uint64_t number, uint64_t other) {
  const struct saved_link *list = l->list.data;
  size_t i = l->next;
  bool here =
      (i == 0 || list[i - 1].number < number) && (i == l->list.count || list[i].number >= number);
  for (i = here ? i : first_from(l, number); i < l->list.count && list[i].number == number; i++)
    *list[i].other = other;
  l->next = i;
}

void saved_links_clear(struct saved_links *l) {
  VEC_CLEAR(&l->list);
  l->next = 0;
}
