// SPDX-License-Identifier: Apache-2.0
// Cubes as sorted arrays of literals.
#include "bmc/cube.h"

#include <string.h>

static uint64_t mark_of(int32_t literal) {
  return UINT64_C(1) << ((uint32_t)literal * UINT32_C(2654435761) >> 26);
}

struct cube *cube_new(const int32_t *lits, size_t count) {
  struct cube *c = mem_alloc(sizeof *c + count * sizeof *lits);
  c->mark = 0;
  c->count = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    assert(i == 0 || cube_bit(lits[i - 1]) < cube_bit(lits[i]));
    c->mark |= mark_of(lits[i]);
    c->lits[i] = lits[i];
  }
  return c;
}

struct cube *cube_copy(const struct cube *c) {
  return cube_new(c->lits, c->count);
}

void cube_free(struct cube *c) { mem_free(c); }

void cubes_clear(struct cubes *c) {
  for (size_t i = 0; i < c->list.count; i++) cube_free(c->list.data[i]);
  VEC_CLEAR(&c->list);
}

bool cube_has(const struct cube *c, int32_t literal) {
  size_t lo = 0, hi = c->count, bit = cube_bit(literal);
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    if (cube_bit(c->lits[middle]) < bit)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < c->count && c->lits[lo] == literal;
}

struct cube *cube_without(const struct cube *c, int32_t literal) {
  int32_t *lits = mem_alloc(c->count * sizeof *lits);
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++)
    if (c->lits[i] != literal) lits[count++] = c->lits[i];
  struct cube *out = cube_new(lits, count);
  mem_free(lits);
  return out;
}

// One pass over both; `all`: what either says, else what both do.
static struct cube *merge(const struct cube *a, const struct cube *b, bool all) {
  int32_t *lits = mem_alloc((a->count + b->count) * sizeof *lits);
  size_t count = 0, i = 0, j = 0;
  while (i < a->count && j < b->count) {
    if (a->lits[i] == b->lits[j]) {
      lits[count++] = a->lits[i++];
      j++;
    } else {
      bool first = cube_bit(a->lits[i]) < cube_bit(b->lits[j]);
      assert(!all || cube_bit(a->lits[i]) != cube_bit(b->lits[j]));
      int32_t literal = first ? a->lits[i++] : b->lits[j++];
      if (all) lits[count++] = literal;
    }
  }
  for (; all && i < a->count; i++) lits[count++] = a->lits[i];
  for (; all && j < b->count; j++) lits[count++] = b->lits[j];
  struct cube *out = cube_new(lits, count);
  mem_free(lits);
  return out;
}

struct cube *cube_union(const struct cube *a, const struct cube *b) {
  return merge(a, b, true);
}

struct cube *cube_common(const struct cube *a, const struct cube *b) {
  return merge(a, b, false);
}

bool cube_contains(const struct cube *a, const struct cube *b) {
  if (a->count > b->count || (a->mark & ~b->mark)) return false;
  size_t j = 0;
  for (size_t i = 0; i < a->count; i++, j++) {
    while (j < b->count && cube_bit(b->lits[j]) < cube_bit(a->lits[i])) j++;
    if (j == b->count || b->lits[j] != a->lits[i]) return false;
  }
  return true;
}
