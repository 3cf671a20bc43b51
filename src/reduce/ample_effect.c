// SPDX-License-Identifier: Apache-2.0
// What bodies do to a single leaf: the constants they put there, as far as that can be seen.
#include "reduce/ample.h"

struct effect {
  const struct ample_study *a;
  const struct ample_instance *i;
  uint64_t leaf;
  uint64_t *put; // values
  bool sure;     // some value is put there, whatever happens
  bool anything; // nobody knows what
};

// Is the leaf inside the place? Where that is not known: perhaps.
static bool covers(const struct effect *f, const struct ir_expr *place, bool *sure) {
  uint64_t first;
  *sure = ample_leaf(f->i, place, &first);
  if (*sure) return f->leaf >= first && f->leaf - first < place->type->leaves;
  while (place->op == IR_INDEX || place->op == IR_FIELD) place = place->args[0];
  if (place->op != IR_VAR) return false; // a local; references occur in functions only
  return f->leaf - place->var->first_leaf < place->var->type->leaves;
}

static void put(struct effect *f, uint64_t rank, bool top) {
  set_add(f->put, rank);
  f->sure |= top;
}

static void store(struct effect *f, const struct ir_stmt *s, bool top) {
  bool sure;
  int64_t v;
  const struct ir_type *t = f->a->m->layout->leaf[f->leaf].type;
  if (!covers(f, s->lhs, &sure)) return;
  if (sure && s->kind == IR_ASSIGN && ir_expr_const(s->expr, &v) && ir_type_has(t, v))
    put(f, ir_type_rank(t, v), top);
  else if (sure && s->kind == IR_CLEAR)
    put(f, 0, top);
  else
    f->anything = true;
}

static bool calls(const struct ir_expr *e) {
  if (!e) return false;
  if (e->op == IR_CALL) return true;
  for (uint32_t k = 0; k < e->arg_count; k++)
    if (calls(e->args[k])) return true;
  return e->domain && (calls(e->domain->lo) || calls(e->domain->hi) || calls(e->domain->step));
}

// Calls may write anywhere.
static void walk(struct effect *f, const struct ir_stmt *s, bool top) {
  for (; s; s = s->next) {
    if (calls(s->lhs) || calls(s->expr)) f->anything = true;
    if (s->lhs) store(f, s, top);
    walk(f, s->body, false);
    walk(f, s->other, false);
    for (const struct ir_case *c = s->cases; c; c = c->next) walk(f, c->body, false);
  }
}

static bool returns(const struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == IR_RETURN || returns(s->body) || returns(s->other)) return true;
    for (const struct ir_case *c = s->cases; c; c = c->next)
      if (returns(c->body)) return true;
  }
  return false;
}

void ample_effect(const struct ample_study *a, const struct ample_instance *i, uint64_t leaf,
                  const uint64_t *before, uint64_t *after) {
  size_t words = ample_value_words(a, leaf);
  struct effect f = {.a = a, .i = i, .leaf = leaf};
  if (set_has(i->own_writes, leaf)) {
    f.put = ARENA_ARRAY(a->arena, uint64_t, words);
    walk(&f, i->rule->body, !returns(i->rule->body));
    set_join(after, f.anything ? ample_all_values(a, leaf) : f.put, words);
  }
  if (!f.sure) set_join(after, before, words);
}

// --- does it change anything? ---

// It leaves the leaf with a value that the guard does not allow.
static bool departs(const struct ample_study *a, const struct ample_instance *i,
                    const struct ample_conjunct *c) {
  if (c->leaf == AMPLE_NONE) return false;
  uint64_t *after = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, c->leaf));
  ample_effect(a, i, c->leaf, c->values, after);
  return !set_meets(after, c->values, ample_value_words(a, c->leaf));
}

static uint32_t count_stores(const struct effect *f, const struct ir_stmt *s) {
  uint32_t n = 0;
  bool sure;
  for (; s; s = s->next) {
    n += (s->lhs && covers(f, s->lhs, &sure)) || calls(s->expr) || calls(s->lhs);
    n += count_stores(f, s->body) + count_stores(f, s->other);
    for (const struct ir_case *c = s->cases; c; c = c->next) n += count_stores(f, c->body);
  }
  return n;
}

// x := x + 1, or x - 1: a value of at least one bit differs from what it was.
static bool counts(const struct ample_instance *i, const struct ir_stmt *s, uint64_t leaf) {
  const struct ir_expr *e = s->expr;
  uint64_t from;
  int64_t by;
  while (e->op == IR_CAST) e = e->args[0];
  if (e->op != IR_ADD && e->op != IR_SUB) return false;
  if (!ir_expr_const(e->args[1], &by) || (by != 1 && by != -1)) return false;
  for (e = e->args[0]; e->op == IR_CAST;) e = e->args[0];
  return ample_leaf(i, e, &from) && from == leaf;
}

bool ample_moves(const struct ample_study *a, const struct ample_instance *i) {
  for (uint32_t k = 0; k < i->conjunct_count; k++)
    if (departs(a, i, &i->conjuncts[k])) return true;
  if (returns(i->rule->body)) return false;
  struct effect f = {.a = a, .i = i};
  for (const struct ir_stmt *s = i->rule->body; s; s = s->next)
    if (s->kind == IR_ASSIGN && ample_leaf(i, s->lhs, &f.leaf) && counts(i, s, f.leaf) &&
        count_stores(&f, i->rule->body) == 1)
      return true;
  return false;
}
