// SPDX-License-Identifier: Apache-2.0
// The factory of terms: every node is made once and found again by a hash of all it is made of.
// Leaves of the graph are made here, operations in simplify.c.
#include "relation/term.h"

#include "ir/ir.h"
#include "relation/factory.h"

#include <string.h>

enum { TABLE_MIN = 1024 };

struct terms *terms_new(void) {
  struct terms *t = mem_zalloc(1, sizeof *t);
  t->arena = arena_new();
  t->capacity = TABLE_MIN;
  t->table = mem_zalloc(t->capacity, sizeof *t->table);
  return t;
}

void terms_free(struct terms *t) {
  if (!t) return;
  arena_free(t->arena);
  mem_free(t->table);
  mem_free(t);
}

size_t terms_count(const struct terms *t) { return t->count; }

// --- interning ---

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static uint64_t hash(const struct term *a) {
  uint64_t h = mix(a->op, (uint64_t)a->bits << 1 | a->is_signed);
  h = mix(h, (uint64_t)a->value);
  h = mix(h, a->leaf << 20 ^ a->choice);
  h = mix(h, (uint64_t)a->lo);
  h = mix(h, (uint64_t)a->hi);
  h = mix(h, (uintptr_t)a->type);
  for (unsigned i = 0; i < a->args; i++) h = mix(h, a->arg[i]->id);
  return h;
}

static bool same(const struct term *a, const struct term *b) {
  return a->op == b->op && a->value == b->value && a->leaf == b->leaf && a->choice == b->choice &&
         a->bits == b->bits && a->is_signed == b->is_signed && a->type == b->type &&
         a->lo == b->lo && a->hi == b->hi && a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] &&
         a->arg[2] == b->arg[2];
}

static size_t slot_of(const struct terms *t, const struct term *key) {
  size_t i = hash(key) & (t->capacity - 1);
  while (t->table[i] && !same(t->table[i], key)) i = (i + 1) & (t->capacity - 1);
  return i;
}

static void grow(struct terms *t) {
  const struct term **old = t->table;
  size_t n = t->capacity;
  t->capacity *= 2;
  t->table = mem_zalloc(t->capacity, sizeof *t->table);
  for (size_t i = 0; i < n; i++)
    if (old[i]) t->table[slot_of(t, old[i])] = old[i];
  mem_free(old);
}

const struct term *term_intern(struct terms *t, struct term key) {
  size_t i = slot_of(t, &key);
  if (t->table[i]) return t->table[i];
  if (2 * t->count >= t->capacity) {
    grow(t);
    i = slot_of(t, &key);
  }
  struct term *a = ARENA_NEW(t->arena, struct term);
  *a = key;
  a->id = (uint32_t)t->count++;
  t->table[i] = a;
  return a;
}

// --- what has no arguments ---

const struct term *term_const(struct terms *t, int64_t value) {
  return term_intern(t, (struct term){.op = TERM_CONST,
                                      .value = value,
                                      .lo = value,
                                      .hi = value,
                                      .is_bool = value == 0 || value == 1});
}

const struct term *term_bool(struct terms *t, bool value) { return term_const(t, value); }

bool term_is(const struct term *a, int64_t value) {
  return a->op == TERM_CONST && a->value == value;
}

// Bounds of a scalar type's values as signed numbers: of u64 all there are.
static void bounds(const struct ir_type *type, int64_t *lo, int64_t *hi) {
  bool pattern = type->kind == IR_TYPE_INT && type->bits == 64;
  *lo = pattern ? INT64_MIN : type->lo;
  *hi = pattern ? INT64_MAX : type->hi;
}

const struct term *term_leaf(struct terms *t, uint64_t leaf, const struct ir_type *type) {
  int64_t lo, hi;
  bounds(type, &lo, &hi);
  return term_leaf_within(t, leaf, type, lo, hi);
}

const struct term *term_leaf_within(struct terms *t, uint64_t leaf, const struct ir_type *type,
                                    int64_t lo, int64_t hi) {
  if (lo == hi) return term_const(t, lo);
  return term_intern(t, (struct term){.op = TERM_LEAF,
                                      .leaf = leaf,
                                      .type = type,
                                      .lo = lo,
                                      .hi = hi,
                                      .is_bool = type->kind == IR_TYPE_BOOL});
}

const struct term *term_defined(struct terms *t, uint64_t leaf) {
  return term_intern(t, (struct term){.op = TERM_DEFINED, .leaf = leaf, .hi = 1, .is_bool = true});
}

const struct term *term_choice(struct terms *t, uint32_t choice, const struct ir_type *type) {
  int64_t lo, hi;
  bounds(type, &lo, &hi);
  return term_choice_within(t, choice, type, lo, hi);
}

const struct term *term_choice_within(struct terms *t, uint32_t choice, const struct ir_type *type,
                                      int64_t lo, int64_t hi) {
  if (lo == hi) return term_const(t, lo);
  return term_intern(t, (struct term){.op = TERM_CHOICE,
                                      .choice = choice,
                                      .type = type,
                                      .lo = lo,
                                      .hi = hi,
                                      .is_bool = type->kind == IR_TYPE_BOOL});
}
