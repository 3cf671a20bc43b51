// SPDX-License-Identifier: Apache-2.0
// A table from addresses to addresses: open addressing, never fuller than half.
#include "front/c/bitcode.h"

static size_t slot(const struct bitcode_map *m, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(h >> 20) & (m->capacity - 1);
  while (m->keys[i] && m->keys[i] != key) i = (i + 1) & (m->capacity - 1);
  return i;
}

void *bitcode_map_get(const struct bitcode_map *m, const void *key) {
  return m->capacity ? m->values[slot(m, key)] : NULL;
}

static void grow(struct bitcode_map *m) {
  struct bitcode_map old = *m;
  m->capacity = old.capacity ? 2 * old.capacity : 64;
  m->keys = mem_zalloc(m->capacity, sizeof *m->keys);
  m->values = mem_zalloc(m->capacity, sizeof *m->values);
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.keys[i]) continue;
    size_t to = slot(m, old.keys[i]);
    m->keys[to] = old.keys[i];
    m->values[to] = old.values[i];
  }
  mem_free(old.keys);
  mem_free(old.values);
}

void bitcode_map_set(struct bitcode_map *m, const void *key, void *value) {
  assert(key);
  if (2 * (m->count + 1) > m->capacity) grow(m);
  size_t i = slot(m, key);
  m->count += m->keys[i] == NULL;
  m->keys[i] = key;
  m->values[i] = value;
}

void bitcode_map_clear(struct bitcode_map *m) {
  mem_free(m->keys);
  mem_free(m->values);
  *m = (struct bitcode_map){0};
}
