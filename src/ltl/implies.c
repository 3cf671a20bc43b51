// SPDX-License-Identifier: Apache-2.0
// Looks and implications of formulas in normal form, by their syntax: Somenzi and Bloem, "Efficient
// Buchi automata from LTL formulae" (CAV 2000); Etessami and Holzmann, "Optimizing Buchi automata"
// (CONCUR 2000). Every answer "yes" is right; "no" may only mean that it takes more to see it.
#include "ltl/rewrite.h"

enum { PAIRS_START = 256, PAIRS_MAX = 1 << 20 };

// --- looks ---

static struct ltl_looks looks_from(const struct ltl *x, struct ltl_looks a, struct ltl_looks b) {
  switch (x->op) {
  case LTL_TRUE:
  case LTL_FALSE: return (struct ltl_looks){true, true};
  case LTL_AND:
  case LTL_OR: return (struct ltl_looks){a.eventual && b.eventual, a.universal && b.universal};
  case LTL_NEXT: return a;
  case LTL_EVENTUALLY: return (struct ltl_looks){true, a.universal};
  case LTL_ALWAYS: return (struct ltl_looks){a.eventual, true};
  case LTL_UNTIL: return (struct ltl_looks){b.eventual, a.universal && b.universal};
  case LTL_RELEASE: return (struct ltl_looks){a.eventual && b.eventual, b.universal};
  default: return (struct ltl_looks){false, false};
  }
}

// Operands have smaller ids: all looks up to the formula's are made in order.
struct ltl_looks ltl_looks_of(struct ltl_rewriter *r, const struct ltl *x) {
  while (r->looks.count <= x->id) {
    const struct ltl *y = r->factory->nodes.data[r->looks.count];
    struct ltl_looks none = {false, false};
    struct ltl_looks a = y->left ? r->looks.data[y->left->id] : none;
    struct ltl_looks b = y->right ? r->looks.data[y->right->id] : none;
    VEC_PUSH(&r->looks, looks_from(y, a, b));
  }
  return r->looks.data[x->id];
}

// --- what is known of pairs ---

static size_t pair_slot(const struct ltl_rewriter *r, uint64_t key) {
  size_t i = hash_words(&key, 1) & (r->pair_size - 1);
  while (r->pairs[i] && r->pairs[i] != key + 1) i = (i + 1) & (r->pair_size - 1);
  return i;
}

static void grow_pairs(struct ltl_rewriter *r) {
  struct ltl_rewriter old = *r;
  r->pair_size = old.pair_size ? old.pair_size * 2 : PAIRS_START;
  r->pairs = mem_zalloc(r->pair_size, sizeof *r->pairs);
  r->answers = mem_zalloc(r->pair_size, sizeof *r->answers);
  for (size_t i = 0; i < old.pair_size; i++) {
    if (!old.pairs[i]) continue;
    size_t slot = pair_slot(r, old.pairs[i] - 1);
    r->pairs[slot] = old.pairs[i];
    r->answers[slot] = old.answers[i];
  }
  mem_free(old.pairs);
  mem_free(old.answers);
}

void ltl_implies_clear(struct ltl_rewriter *r) {
  mem_free(r->pairs);
  mem_free(r->answers);
  r->pairs = NULL;
  r->answers = NULL;
  r->pair_size = r->pair_count = 0;
}

// --- implications ---

// By what a is, and b's looks.
static bool implies_from(struct ltl_rewriter *r, const struct ltl *a, const struct ltl *b) {
  bool eventual = ltl_looks_of(r, b).eventual;
  switch (a->op) {
  case LTL_AND: return ltl_implies(r, a->left, b) || ltl_implies(r, a->right, b);
  case LTL_OR: return ltl_implies(r, a->left, b) && ltl_implies(r, a->right, b);
  case LTL_NEXT:
  case LTL_EVENTUALLY: return eventual && ltl_implies(r, a->left, b);
  case LTL_ALWAYS: return ltl_implies(r, a->left, b);
  case LTL_UNTIL: return ltl_implies(r, a->right, b) && (eventual || ltl_implies(r, a->left, b));
  case LTL_RELEASE: return ltl_implies(r, a->right, b);
  default: return false;
  }
}

// By what b is, and a's looks.
static bool implies_to(struct ltl_rewriter *r, const struct ltl *a, const struct ltl *b) {
  bool universal = ltl_looks_of(r, a).universal;
  switch (b->op) {
  case LTL_AND: return ltl_implies(r, a, b->left) && ltl_implies(r, a, b->right);
  case LTL_OR: return ltl_implies(r, a, b->left) || ltl_implies(r, a, b->right);
  case LTL_NEXT:
  case LTL_ALWAYS: return universal && ltl_implies(r, a, b->left);
  case LTL_EVENTUALLY: return ltl_implies(r, a, b->left);
  case LTL_UNTIL: return ltl_implies(r, a, b->right);
  case LTL_RELEASE: return ltl_implies(r, a, b->right) && (universal || ltl_implies(r, a, b->left));
  default: return false;
  }
}

// Both of the same operator: operand by operand, since all of them are monotonous.
static bool implies_alike(struct ltl_rewriter *r, const struct ltl *a, const struct ltl *b) {
  if (a->op != b->op || a->op <= LTL_NOT || !ltl_implies(r, a->left, b->left)) return false;
  return !a->right || ltl_implies(r, a->right, b->right);
}

bool ltl_implies(struct ltl_rewriter *r, const struct ltl *a, const struct ltl *b) {
  if (a == b || a->op == LTL_FALSE || b->op == LTL_TRUE) return true;
  if (a->op <= LTL_NOT && b->op <= LTL_NOT) return false;
  uint64_t key = (uint64_t)a->id << 32 | b->id;
  if (r->pair_count * 2 >= r->pair_size) grow_pairs(r);
  size_t slot = pair_slot(r, key);
  if (r->pairs[slot]) return r->answers[slot];
  if (r->pair_count >= PAIRS_MAX) return false;
  bool answer = implies_alike(r, a, b) || implies_from(r, a, b) || implies_to(r, a, b);
  if (r->pair_count * 2 >= r->pair_size) grow_pairs(r);
  slot = pair_slot(r, key);
  if (!r->pairs[slot]) r->pair_count++;
  r->pairs[slot] = key + 1;
  r->answers[slot] = answer;
  return answer;
}
