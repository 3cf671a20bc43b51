// SPDX-License-Identifier: Apache-2.0
// Cubes: a set of states as values of some of their bits. An invariant is a list of cubes that no
// reachable state is in, the negations of its clauses. Private to the room.
#pragma once

#include "base/base.h"

// Of bit b: b + 1 where it is set, -(b + 1) where it is not. Ascending by bit, each once.
struct cube {
  uint64_t mark; // a bit for each of its literals, by hash: no subset of another without its marks
  uint32_t count;
  int32_t lits[];
};

struct cubes {
  VEC(struct cube *) list;
};

struct cube *cube_new(const int32_t *lits, size_t count);
struct cube *cube_copy(const struct cube *c);
void cube_free(struct cube *c);
void cubes_clear(struct cubes *c); // frees them, too

bool cube_has(const struct cube *c, int32_t literal);
struct cube *cube_without(const struct cube *c, int32_t literal);
struct cube *cube_union(const struct cube *a, const struct cube *b);
// What both say.
struct cube *cube_common(const struct cube *a, const struct cube *b);
// a says no more than b: every state in b is in a.
bool cube_contains(const struct cube *a, const struct cube *b);

static inline size_t cube_bit(int32_t literal) {
  return (size_t)(literal < 0 ? -literal : literal) - 1;
}
