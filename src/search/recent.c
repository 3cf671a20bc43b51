// SPDX-License-Identifier: Apache-2.0
// Setting up the table of states seen a moment ago.
#include "search/recent.h"

#ifdef FATHOM_SMALL
enum { TABLE_BYTES = 1 << 8 };
#else
enum { TABLE_BYTES = 1 << 16 }; // more finds hardly more
#endif
enum { WORDS_MAX = 8 }; // longer states cost more to copy than the table saves

void recent_init(struct recent *r, size_t words, const uint64_t *known) {
  *r = (struct recent){0};
  if (words > WORDS_MAX) return;
  unsigned bits = 0;
  while ((words * sizeof(uint64_t)) << (bits + 1) <= TABLE_BYTES) bits++;
  r->shift = 64 - bits;
  r->states = mem_alloc((words * sizeof(uint64_t)) << bits);
  for (size_t i = 0; i < (size_t)1 << bits; i++) words_copy(r->states + i * words, known, words);
}

void recent_clear(struct recent *r) {
  mem_free(r->states);
  *r = (struct recent){0};
}
