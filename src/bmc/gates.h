// SPDX-License-Identifier: Apache-2.0
// Gates over a solver's literals, as clauses. Hashed: equal gates are one literal; constants and
// what is obviously equal or opposite are folded. Private to the room.
#pragma once

#include "bmc/sat.h"

struct gates {
  struct sat *sat;
  lit yes; // true; its negative is false
  struct gates_slot *table;
  size_t capacity, count;
  VEC(lit) arguments; // of all gates
  VEC(lit) list;      // being looked at
};
void gates_init(struct gates *g, struct sat *s);
void gates_clear(struct gates *g);

lit gates_and_all(struct gates *g, const lit *lits, size_t count);
lit gates_or_all(struct gates *g, const lit *lits, size_t count);
lit gates_and(struct gates *g, lit a, lit b);
lit gates_or(struct gates *g, lit a, lit b);
lit gates_xor(struct gates *g, lit a, lit b);
lit gates_mux(struct gates *g, lit s, lit a, lit b);

// A clause; true and false in it are seen to.
void gates_assert(struct gates *g, const lit *lits, size_t count);
// Exactly one of these is true: at least two of them.
void gates_one_of(struct gates *g, const lit *lits, size_t count);
