// SPDX-License-Identifier: Apache-2.0
// Names that are told apart: the second of a name gets "#2". A table by hash; no name of C has a #.
#include "front/c/lower.h"

#include <string.h>

struct c_name { // a name, and how often it came
  const char *name;
  uint32_t count;
};

static struct c_name *slot(struct c_names *n, const char *name) {
  size_t at = hash_bytes(name, strlen(name), 0) & (n->capacity - 1);
  while (n->slots[at].name && strcmp(n->slots[at].name, name)) at = (at + 1) & (n->capacity - 1);
  return &n->slots[at];
}

static void grow(struct c_names *n) {
  struct c_names old = *n;
  n->capacity = old.capacity ? 2 * old.capacity : 64;
  n->slots = mem_zalloc(n->capacity, sizeof *n->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].name) *slot(n, old.slots[i].name) = old.slots[i];
  mem_free(old.slots);
}

const char *c_name_unique(struct c_names *n, struct arena *a, const char *name) {
  if (2 * (n->count + 1) > n->capacity) grow(n);
  struct c_name *s = slot(n, name);
  if (s->name) return arena_printf(a, "%s#%u", name, ++s->count);
  *s = (struct c_name){arena_strdup(a, name), 1};
  n->count++;
  return s->name;
}

void c_names_clear(struct c_names *n) {
  mem_free(n->slots);
  *n = (struct c_names){0};
}
