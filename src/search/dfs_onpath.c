// SPDX-License-Identifier: Apache-2.0
// Open addressing, linear: an entry is reached from its home by going on over entries, none of them
// free. Removing one closes the gap behind it. The same hash may be there more than once.
#include "search/dfs_onpath.h"

#ifdef FATHOM_SMALL
enum { SLOTS_FIRST = 4 };
#else
enum { SLOTS_FIRST = 1024 };
#endif

struct onpath {
  uint64_t *slots; // 0: free
  size_t capacity; // a power of two
  size_t count;
};

struct onpath *onpath_new(void) {
  struct onpath *p = mem_zalloc(1, sizeof *p);
  p->capacity = SLOTS_FIRST;
  p->slots = mem_zalloc(p->capacity, sizeof *p->slots);
  return p;
}

void onpath_free(struct onpath *p) {
  if (!p) return;
  mem_free(p->slots);
  mem_free(p);
}

size_t onpath_bytes(const struct onpath *p) { return p->capacity * sizeof *p->slots; }

static uint64_t key_of(const uint64_t *state, size_t words) {
  uint64_t key = hash_words(state, words);
  return key ? key : 1;
}

static size_t find(const struct onpath *p, uint64_t key) {
  size_t at = key & (p->capacity - 1);
  while (p->slots[at] && p->slots[at] != key) at = (at + 1) & (p->capacity - 1);
  return at;
}

static void put(struct onpath *p, uint64_t key) {
  size_t at = key & (p->capacity - 1);
  while (p->slots[at]) at = (at + 1) & (p->capacity - 1);
  p->slots[at] = key;
}

static void grow(struct onpath *p) {
  uint64_t *old = p->slots;
  size_t slots = p->capacity;
  p->slots = mem_zalloc(2 * slots, sizeof *p->slots);
  p->capacity = 2 * slots;
  for (size_t i = 0; i < slots; i++)
    if (old[i]) put(p, old[i]);
  mem_free(old);
}

void onpath_add(struct onpath *p, const uint64_t *state, size_t words) {
  if (2 * p->count >= p->capacity) grow(p);
  put(p, key_of(state, words));
  p->count++;
}

// An entry behind the gap moves into it unless its home lies between the two.
void onpath_remove(struct onpath *p, const uint64_t *state, size_t words) {
  size_t mask = p->capacity - 1, gap = find(p, key_of(state, words));
  assert(p->slots[gap]);
  for (size_t at = (gap + 1) & mask; p->slots[at]; at = (at + 1) & mask) {
    size_t home = p->slots[at] & mask;
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    p->slots[gap] = p->slots[at];
    gap = at;
  }
  p->slots[gap] = 0;
  p->count--;
}

bool onpath_has(const struct onpath *p, const uint64_t *state, size_t words) {
  return p->slots[find(p, key_of(state, words))] != 0;
}
