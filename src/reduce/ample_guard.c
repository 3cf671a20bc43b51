// SPDX-License-Identifier: Apache-2.0
// What a guard asks for, conjunct by conjunct: the leaves it reads, whether evaluating it may fail,
// and, for conditions on one leaf, the values that satisfy it.
#include "reduce/ample.h"

// --- places and values that are known beforehand ---

static bool known_value(const struct ample_instance *i, const struct ir_expr *e, int64_t *v) {
  if (ir_expr_const(e, v)) return true;
  if (e->op != IR_LOCAL || e->local->id >= i->rule->param_count) return false;
  if (i->rule->frame.locals[e->local->id] != e->local) return false;
  *v = i->params[e->local->id];
  return true;
}

bool ample_leaf(const struct ample_instance *i, const struct ir_expr *e, uint64_t *leaf) {
  int64_t v;
  switch (e->op) {
  case IR_VAR: *leaf = e->var->first_leaf; return true;
  case IR_FIELD:
    if (!ample_leaf(i, e->args[0], leaf)) return false;
    *leaf += e->args[0]->type->fields[e->field].leaf;
    return true;
  case IR_INDEX: {
    const struct ir_type *t = e->args[0]->type;
    if (!known_value(i, e->args[1], &v) || !ir_type_has(t->index, v)) return false;
    if (!ample_leaf(i, e->args[0], leaf)) return false;
    *leaf += ir_type_rank(t->index, v) * t->elem->leaves;
    return true;
  }
  default: return false;
  }
}

// --- what can fail ---

// Can finding the place fail, or reading it (as a scalar)?
static bool place_fails(const struct ample_study *a, const struct ample_instance *i,
                        const struct ir_expr *e, bool read) {
  uint64_t leaf;
  if (e->op == IR_LOCAL) return e->local->kind != IR_LOCAL_BOUND;
  if (!ample_leaf(i, e, &leaf)) return true;
  return read && ir_type_scalar(e->type) && a->m->layout->leaf[leaf].undef;
}

static bool fails(const struct ample_study *a, const struct ample_instance *i,
                  const struct ir_expr *e) {
  int64_t v;
  if (e->op == IR_CONST) return false;
  if (ir_expr_lvalue(e)) return place_fails(a, i, e, true);
  if (e->op == IR_ISUNDEF) return place_fails(a, i, e->args[0], false);
  if (e->op == IR_CALL || (e->domain && !e->domain->type)) return true;
  if (e->op == IR_DIV || e->op == IR_MOD) {
    if (e->type->traps || !ir_expr_const(e->args[1], &v) || v == 0) return true;
  } else if (e->site != 0) {
    return true;
  }
  for (uint32_t k = 0; k < e->arg_count; k++)
    if (fails(a, i, e->args[k])) return true;
  return false;
}

static bool speaks_of_choice(const struct ample_instance *i, const struct ir_expr *e) {
  if (!e) return false;
  if (e->op == IR_LOCAL && e->local->id >= i->rule->param_count &&
      e->local->id < i->rule->param_count + i->rule->choice_count)
    return true;
  for (uint32_t k = 0; k < e->arg_count; k++)
    if (speaks_of_choice(i, e->args[k])) return true;
  return e->domain && (speaks_of_choice(i, e->domain->lo) || speaks_of_choice(i, e->domain->hi) ||
                       speaks_of_choice(i, e->domain->step));
}

// --- conditions on one leaf ---

uint64_t *ample_all_values(const struct ample_study *a, uint64_t leaf) {
  uint64_t *all = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, leaf));
  for (uint64_t r = 0; r < ample_values(a, leaf); r++) set_add(all, r);
  return all;
}

// Values of 64-bit integers without sign do not compare as they are kept.
static bool plain(const struct ir_type *t) {
  return ir_type_scalar(t) && !(t->kind == IR_TYPE_INT && t->bits == 64 && !t->is_signed);
}

// A cast that changes no value is none.
static const struct ir_expr *uncast(const struct ir_expr *e) {
  while (e->op == IR_CAST && plain(e->type) && plain(e->args[0]->type) &&
         e->type->lo <= e->args[0]->type->lo && e->type->hi >= e->args[0]->type->hi)
    e = e->args[0];
  return e;
}

static bool holds(enum ir_op op, int64_t a, int64_t b) {
  switch (op) {
  case IR_EQ: return a == b;
  case IR_NE: return a != b;
  case IR_LT: return a < b;
  case IR_LE: return a <= b;
  case IR_GT: return a > b;
  default: return a >= b;
  }
}

static bool leaf_with_values(const struct ample_study *a, const struct ample_instance *i,
                             const struct ir_expr *e, uint64_t *leaf) {
  return plain(e->type) && ample_leaf(i, e, leaf) && plain(a->m->layout->leaf[*leaf].type) &&
         ample_values(a, *leaf) <= AMPLE_VALUES_MAX;
}

static bool comparison(const struct ample_study *a, const struct ample_instance *i,
                       const struct ir_expr *e, uint64_t *leaf, uint64_t **values) {
  if (e->op < IR_EQ || e->op > IR_GE || !ir_type_scalar(e->args[0]->type)) return false;
  int64_t left, right;
  const struct ir_expr *x = uncast(e->args[0]), *y = uncast(e->args[1]);
  bool turned = known_value(i, x, &left), known = known_value(i, y, &right);
  if (turned == known || !plain(x->type) || !plain(y->type)) return false;
  if (!leaf_with_values(a, i, turned ? y : x, leaf)) return false;
  const struct ir_type *t = a->m->layout->leaf[*leaf].type;
  *values = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, *leaf));
  for (uint64_t r = 0; r < ample_values(a, *leaf); r++) {
    int64_t v = ir_type_value(t, r);
    if (turned ? holds(e->op, left, v) : holds(e->op, v, right)) set_add(*values, r);
  }
  return true;
}

bool ample_asks(const struct ample_study *a, const struct ample_instance *i,
                const struct ir_expr *e, uint64_t *leaf, uint64_t **values) {
  if (e->op == IR_NOT) {
    if (!ample_asks(a, i, e->args[0], leaf, values)) return false;
    const uint64_t *all = ample_all_values(a, *leaf);
    for (size_t k = 0; k < ample_value_words(a, *leaf); k++) (*values)[k] = all[k] & ~(*values)[k];
    return true;
  }
  if (e->op == IR_OR || e->op == IR_AND) {
    uint64_t other, *more;
    if (!ample_asks(a, i, e->args[0], leaf, values) || !ample_asks(a, i, e->args[1], &other, &more))
      return false;
    if (*leaf != other) return false;
    for (size_t k = 0; k < ample_value_words(a, other); k++)
      (*values)[k] = e->op == IR_OR ? (*values)[k] | more[k] : (*values)[k] & more[k];
    return true;
  }
  if (e->type->kind == IR_TYPE_BOOL && leaf_with_values(a, i, e, leaf)) {
    *values = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, *leaf));
    set_add(*values, ir_type_rank(a->m->layout->leaf[*leaf].type, true));
    return true;
  }
  return comparison(a, i, e, leaf, values);
}

bool ample_unanimous(const struct ample_question *q, const uint64_t *values, size_t words) {
  bool some = set_meets(q->values, values, words), all = true;
  for (size_t w = 0; w < words; w++) all &= (values[w] & ~q->values[w]) == 0;
  return !some || all;
}

const uint64_t *ample_asked(const struct ample_instance *i, uint64_t leaf) {
  for (uint32_t k = 0; k < i->conjunct_count; k++)
    if (i->conjuncts[k].leaf == leaf) return i->conjuncts[k].values;
  return NULL;
}

// --- questions ---

uint64_t *ample_reads(const struct ample_study *a, const struct ample_instance *i,
                      struct ir_expr *guard, struct ir_stmt *body) {
  struct ir_rule alone = *i->rule;
  struct ir_access access;
  alone.guard = guard;
  alone.body = body;
  ir_access_init(&access, a->m);
  ir_access_rule(&access, a->m, &alone, i->params);
  uint64_t *reads = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
  set_join(reads, access.reads, a->leaf_words);
  ir_access_clear(&access);
  return reads;
}

static void questions(struct ample_study *a, struct ample_instance *i, struct ir_expr *e) {
  struct ample_question q;
  uint64_t *values;
  if (e->op == IR_CONST) return;
  if (e->op == IR_AND || e->op == IR_OR || e->op == IR_NOT || e->op == IR_IMPLIES) {
    for (uint32_t k = 0; k < e->arg_count; k++) questions(a, i, e->args[k]);
  } else if (ample_asks(a, i, e, &q.leaf, &values)) {
    q.values = values;
    VEC_PUSH(&i->questions, q);
  } else {
    set_join(i->own_values, ample_reads(a, i, e, NULL), a->leaf_words);
  }
}

// --- the whole ---

static uint32_t count_conjuncts(const struct ir_expr *e) {
  return e->op == IR_AND ? count_conjuncts(e->args[0]) + count_conjuncts(e->args[1]) : 1;
}

static void add_conjuncts(const struct ample_study *a, struct ample_instance *i,
                          struct ir_expr *e) {
  if (e->op == IR_AND) {
    add_conjuncts(a, i, e->args[0]);
    add_conjuncts(a, i, e->args[1]);
    return;
  }
  struct ample_conjunct *c = &i->conjuncts[i->conjunct_count++];
  *c = (struct ample_conjunct){.expr = e, .leaf = AMPLE_NONE};
  c->reads = ample_reads(a, i, e, NULL);
  c->fails = fails(a, i, e);
  c->has_choice = speaks_of_choice(i, e);
  bool sure = !c->has_choice;
  for (uint32_t k = 0; k + 1 < i->conjunct_count; k++) sure &= !i->conjuncts[k].fails;
  if (!sure || !ample_asks(a, i, e, &c->leaf, &c->values)) c->leaf = AMPLE_NONE;
}

void ample_guard(struct ample_study *a, struct ample_instance *i) {
  set_join(i->own_values, ample_reads(a, i, NULL, i->rule->body), a->leaf_words);
  if (!i->rule->guard) return;
  questions(a, i, i->rule->guard);
  uint32_t n = count_conjuncts(i->rule->guard);
  i->conjuncts = ARENA_ARRAY(a->arena, struct ample_conjunct, n);
  add_conjuncts(a, i, i->rule->guard);
}
