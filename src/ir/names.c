// SPDX-License-Identifier: Apache-2.0
// A table from names to pointers: open addressing, at most half full.
#include "ir/names.h"

#include "base/base.h"

#include <string.h>

static struct ir_name *find(const struct ir_names *t, const char *key) {
  size_t at = hash_bytes(key, strlen(key), 0) & (t->capacity - 1);
  while (t->slots[at].key && strcmp(t->slots[at].key, key) != 0) at = (at + 1) & (t->capacity - 1);
  return &t->slots[at];
}

static void grow(struct ir_names *t) {
  struct ir_names old = *t;
  t->capacity = old.capacity ? old.capacity * 2 : 16;
  t->slots = mem_zalloc(t->capacity, sizeof *t->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].key) *find(t, old.slots[i].key) = old.slots[i];
  mem_free(old.slots);
}

const void *ir_names_get(const struct ir_names *t, const char *key) {
  return t->capacity ? find(t, key)->value : NULL;
}

bool ir_names_add(struct ir_names *t, const char *key, const void *value) {
  assert(value);
  if (t->count >= t->capacity / 2) grow(t);
  struct ir_name *slot = find(t, key);
  if (slot->key) return false;
  *slot = (struct ir_name){key, value};
  t->count++;
  return true;
}

void ir_names_clear(struct ir_names *t) {
  mem_free(t->slots);
  *t = (struct ir_names){0};
}
