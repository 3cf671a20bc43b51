// SPDX-License-Identifier: Apache-2.0
// Formulas, hash-consed: equal ones are one node, so whoever walks a formula may remember what he
// found by a node's id, and formulas are compared by address. Operands are older than their node.
#include "ltl/formula.h"

enum { TABLE_START = 64, ATOMS_MAX = 64 };

struct ltl_factory *ltl_factory_new(void) {
  struct ltl_factory *f = mem_zalloc(1, sizeof *f);
  f->arena = arena_new();
  f->table_size = TABLE_START;
  f->table = mem_zalloc(f->table_size, sizeof *f->table);
  return f;
}

void ltl_factory_free(struct ltl_factory *f) {
  if (!f) return;
  VEC_CLEAR(&f->nodes);
  mem_free(f->table);
  arena_free(f->arena);
  mem_free(f);
}

static uint64_t hash_node(const struct ltl *x) {
  uint64_t words[3] = {(uint64_t)x->op << 32 | x->atom, x->left ? x->left->id + 1 : 0,
                       x->right ? x->right->id + 1 : 0};
  return hash_words(words, 3);
}

static bool same_node(const struct ltl *x, const struct ltl *y) {
  return x->op == y->op && x->atom == y->atom && x->left == y->left && x->right == y->right;
}

// The slot of an equal node, or the free one where it belongs.
static uint32_t *slot_of(struct ltl_factory *f, const struct ltl *x) {
  size_t i = hash_node(x) & (f->table_size - 1);
  while (f->table[i] && !same_node(f->nodes.data[f->table[i] - 1], x))
    i = (i + 1) & (f->table_size - 1);
  return &f->table[i];
}

static void grow_table(struct ltl_factory *f) {
  mem_free(f->table);
  f->table_size *= 2;
  f->table = mem_zalloc(f->table_size, sizeof *f->table);
  for (uint32_t i = 0; i < f->nodes.count; i++) *slot_of(f, f->nodes.data[i]) = i + 1;
}

static const struct ltl *intern(struct ltl_factory *f, struct ltl x) {
  uint32_t *slot = slot_of(f, &x);
  if (*slot) return f->nodes.data[*slot - 1];
  struct ltl *node = ARENA_NEW(f->arena, struct ltl);
  *node = x;
  node->id = (uint32_t)f->nodes.count;
  VEC_PUSH(&f->nodes, node);
  *slot = node->id + 1;
  if (f->nodes.count * 2 > f->table_size) grow_table(f);
  return node;
}

const struct ltl *ltl_atom(struct ltl_factory *f, uint32_t atom) {
  assert(atom < ATOMS_MAX);
  return intern(f, (struct ltl){.op = LTL_ATOM, .atom = atom});
}

const struct ltl *ltl_make(struct ltl_factory *f, enum ltl_op op, const struct ltl *left,
                           const struct ltl *right) {
  assert(op != LTL_ATOM && (left != NULL) == (op > LTL_ATOM) &&
         (right != NULL) == ltl_is_binary(op));
  return intern(f, (struct ltl){.op = op, .left = left, .right = right});
}

static bool uses_next(const struct ltl *x, bool *seen) {
  if (x->op == LTL_NEXT || x->op == LTL_PREVIOUS || x->op == LTL_WEAK_PREVIOUS) return true;
  if (seen[x->id]) return false;
  seen[x->id] = true;
  return (x->left && uses_next(x->left, seen)) || (x->right && uses_next(x->right, seen));
}

bool ltl_uses_next(const struct ltl *f) {
  bool *seen = mem_zalloc((size_t)f->id + 1, sizeof *seen);
  bool answer = uses_next(f, seen);
  mem_free(seen);
  return answer;
}
