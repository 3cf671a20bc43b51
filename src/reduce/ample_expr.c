// SPDX-License-Identifier: Apache-2.0
// Expressions of ample conditions: connectives that simplify, tests of membership as ranges, and
// copies of parts of guards with parameters replaced by values.
#include "reduce/ample.h"

static const struct span nowhere;

struct ir_expr *ample_bool(struct ample_study *a, bool value) {
  return ir_bool(a->m, value, nowhere);
}

bool ample_is(const struct ir_expr *e, bool value) {
  return e->op == IR_CONST && e->type->kind == IR_TYPE_BOOL && e->value == value;
}

struct ir_expr *ample_and(struct ample_study *a, struct ir_expr *x, struct ir_expr *y) {
  if (ample_is(x, false) || ample_is(y, true)) return x;
  if (ample_is(x, true) || ample_is(y, false)) return y;
  return ir_binary(a->m, IR_AND, x, y, nowhere);
}

struct ir_expr *ample_or(struct ample_study *a, struct ir_expr *x, struct ir_expr *y) {
  if (ample_is(x, true) || ample_is(y, false)) return x;
  if (ample_is(x, false) || ample_is(y, true)) return y;
  return ir_binary(a->m, IR_OR, x, y, nowhere);
}

struct ir_expr *ample_not(struct ample_study *a, struct ir_expr *x) {
  if (x->op == IR_CONST) return ample_bool(a, !x->value);
  if (x->op == IR_NOT) return x->args[0];
  enum ir_op op = ir_op_opposite(x->op);
  if (op != IR_OP_COUNT) return ir_binary(a->m, op, x->args[0], x->args[1], nowhere);
  return ir_unary(a->m, IR_NOT, x, nowhere);
}

// --- leaves ---

static struct ir_expr *leaf_ref(struct ample_study *a, uint64_t leaf) {
  const struct ir_var *v = ir_leaf_var(a->m, leaf);
  struct ir_expr *e = ir_var_ref(a->m, v, nowhere);
  uint64_t rest = leaf - v->first_leaf;
  while (!ir_type_scalar(e->type)) {
    const struct ir_type *t = e->type;
    if (t->kind == IR_TYPE_ARRAY) {
      int64_t index = ir_type_value(t->index, rest / t->elem->leaves);
      rest %= t->elem->leaves;
      e = ir_index(a->m, e, ir_const(a->m, t->index, index, nowhere), nowhere);
    } else {
      uint32_t f = t->field_count - 1;
      while (t->fields[f].leaf > rest) f--;
      rest -= t->fields[f].leaf;
      e = ir_field(a->m, e, f, nowhere);
    }
  }
  return e;
}

static struct ir_expr *compare(struct ample_study *a, enum ir_op op, uint64_t leaf, uint64_t rank) {
  const struct ir_type *t = a->m->layout->leaf[leaf].type;
  struct ir_expr *value = ir_const(a->m, t, ir_type_value(t, rank), nowhere);
  return ir_binary(a->m, op, leaf_ref(a, leaf), value, nowhere);
}

// Ranks from..to, which are consecutive values unless the type is a union.
static struct ir_expr *between(struct ample_study *a, uint64_t leaf, uint64_t from, uint64_t to) {
  uint64_t last = ample_values(a, leaf) - 1;
  if (from == 0 && to == last) return ample_bool(a, true);
  if (from == to) return compare(a, IR_EQ, leaf, from);
  struct ir_expr *lo = from == 0 ? ample_bool(a, true) : compare(a, IR_GE, leaf, from);
  return ample_and(a, lo, to == last ? ample_bool(a, true) : compare(a, IR_LE, leaf, to));
}

struct ir_expr *ample_member(struct ample_study *a, uint64_t leaf, const uint64_t *values) {
  bool whole = a->m->layout->leaf[leaf].type->kind == IR_TYPE_UNION;
  struct ir_expr *x = ample_bool(a, false);
  for (uint64_t r = 0, n = ample_values(a, leaf); r < n; r++) {
    if (!set_has(values, r)) continue;
    uint64_t from = r;
    while (!whole && r + 1 < n && set_has(values, r + 1)) r++;
    x = ample_or(a, x, between(a, leaf, from, r));
  }
  return x;
}

// --- copies ---

struct copy {
  struct ample_study *a;
  const struct ample_instance *i;
  struct ir_frame *frame;
  const struct ir_local **from; // bound variables around, by quantifier
  const struct ir_local **to;
  uint32_t depth;
};

static struct ir_expr *copy_expr(struct copy *c, const struct ir_expr *e);

static struct ir_expr *copy_local(struct copy *c, const struct ir_expr *e) {
  for (uint32_t k = c->depth; k-- > 0;)
    if (c->from[k] == e->local) return ir_local_ref(c->a->m, c->to[k], e->span);
  assert(e->local->id < c->i->rule->param_count);
  return ir_const(c->a->m, e->local->type, c->i->params[e->local->id], e->span);
}

static struct ir_domain *copy_domain(struct copy *c, const struct ir_domain *d) {
  if (d->type) return ir_domain_type(c->a->m, d->type);
  return ir_domain_range(c->a->m, copy_expr(c, d->lo), copy_expr(c, d->hi),
                         d->step ? copy_expr(c, d->step) : NULL);
}

static void bind(struct copy *c, const struct ir_local *l) {
  const char *name = arena_printf(c->a->m->arena, "b%u", c->frame->count);
  c->from[c->depth] = l;
  c->to[c->depth++] = ir_local_new(c->a->m, c->frame, IR_LOCAL_BOUND, name, l->type, l->span);
}

static struct ir_expr *copy_expr(struct copy *c, const struct ir_expr *e) {
  if (e->op == IR_LOCAL) return copy_local(c, e);
  if (e->op == IR_ISUNDEF && e->args[0]->op == IR_LOCAL) // parameters and bound variables never are
    return ir_bool(c->a->m, false, e->span);
  struct ir_expr *x = ARENA_NEW(c->a->m->arena, struct ir_expr);
  *x = *e;
  x->args = ARENA_ARRAY(c->a->m->arena, struct ir_expr *, e->arg_count);
  if (e->domain) {
    x->domain = copy_domain(c, e->domain);
    bind(c, e->local);
    x->local = c->to[c->depth - 1];
  }
  for (uint32_t k = 0; k < e->arg_count; k++) x->args[k] = copy_expr(c, e->args[k]);
  c->depth -= e->domain != NULL;
  return x;
}

static uint32_t nesting(const struct ir_expr *e) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < e->arg_count; k++) {
    uint32_t n = nesting(e->args[k]);
    most = n > most ? n : most;
  }
  return most + (e->domain != NULL);
}

struct ir_expr *ample_copy(struct ample_study *a, const struct ample_instance *i,
                           const struct ir_expr *e, struct ir_frame *frame) {
  uint32_t n = nesting(e) + 1;
  struct copy c = {.a = a, .i = i, .frame = frame};
  c.from = ARENA_ARRAY(a->arena, const struct ir_local *, n);
  c.to = ARENA_ARRAY(a->arena, const struct ir_local *, n);
  return ir_expr_fold(a->m, copy_expr(&c, e));
}
