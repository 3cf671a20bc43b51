// SPDX-License-Identifier: Apache-2.0
// Families: rules whose parameters run over the elements of an array, guarded by conditions on
// single fields, and quantifiers of the same shape. Native code answers such conditions for all
// elements at once, and the interpreter sorts them out beforehand; other random guards seldom look
// like this.
#include "random/gen.h"

static const struct ir_var *pick_array(struct gen *g) {
  for (uint32_t tries = 0; tries < 12; tries++) {
    const struct ir_var *v = g->m->vars.data[pick(g, (uint32_t)g->m->vars.count)];
    if (v->type->kind != IR_TYPE_ARRAY || v->type->leaves == 0) continue;
    if (!(g->tame && tame_is_hole(g, v))) return v;
  }
  return NULL;
}

// Over the whole index, or over a part of it.
static struct ir_local *element_local(struct gen *g, const struct ir_type *index,
                                      struct ir_domain **d) {
  struct ir_model *m = g->m;
  *d = ir_domain_type(m, index);
  if (index->kind != IR_TYPE_RANGE || index->hi - index->lo > 8 || chance(g, 50))
    return gen_local(g, IR_LOCAL_BOUND, index);
  int64_t lo = between(g, index->lo, index->hi), hi = between(g, lo, index->hi);
  *d = ir_domain_range(m, ir_int(m, lo, NOWHERE), ir_int(m, hi, NOWHERE), NULL);
  return gen_local(g, IR_LOCAL_BOUND, ir_type_range(m, lo, hi));
}

// Some field of the element that l names.
static struct ir_expr *field_of(struct gen *g, const struct ir_var *v, const struct ir_local *l) {
  struct ir_expr *base = ir_var_ref(g->m, v, NOWHERE);
  base = ir_index(g->m, base, ir_local_ref(g->m, l, NOWHERE), NOWHERE);
  return gen_part(g, base, gen_some_scalar(g, base->type), 0);
}

static struct ir_expr *negated(struct gen *g, struct ir_expr *e) {
  return chance(g, 25) ? ir_unary(g->m, IR_NOT, e, NOWHERE) : e;
}

static struct ir_expr *element_condition(struct gen *g, const struct ir_var *v,
                                         const struct ir_local *l) {
  struct ir_expr *field = field_of(g, v, l), *value;
  if (field->type->kind == IR_TYPE_BOOL && chance(g, 50)) return negated(g, field);
  value = chance(g, 70) ? gen_const(g, field->type) : gen_expr(g, field->type, 0);
  enum ir_op op = chance(g, 70) ? IR_EQ : IR_NE;
  bool turned = chance(g, 20);
  return negated(g, ir_binary(g->m, op, turned ? value : field, turned ? field : value, NOWHERE));
}

// variable = l, where there is one of that type.
static struct ir_expr *named_by(struct gen *g, const struct ir_local *l) {
  struct ir_expr *name = gen_lvalue(g, l->type, false, 0);
  if (name == NULL || (name->op == IR_LOCAL && name->local == l)) return NULL;
  return ir_binary(g->m, IR_EQ, name, ir_local_ref(g->m, l, NOWHERE), NOWHERE);
}

static struct ir_expr *conditions(struct gen *g, const struct ir_var *v, const struct ir_local *l) {
  struct ir_expr *all = chance(g, 25) ? named_by(g, l) : NULL;
  for (uint32_t i = 1 + pick(g, 3); i > 0; i--) {
    struct ir_expr *one = element_condition(g, v, l);
    all = all != NULL ? ir_binary(g->m, IR_AND, all, one, NOWHERE) : one;
  }
  return all;
}

struct ir_expr *gen_family_guard(struct gen *g, struct ir_rule *r) {
  struct ir_expr *guard = NULL;
  for (uint32_t i = 1 + pick(g, 2); i > 0; i--) {
    const struct ir_var *v = pick_array(g);
    if (v == NULL) return guard;
    struct ir_domain *d;
    struct ir_local *l = element_local(g, v->type->index, &d);
    l->domain = d;
    r->param_count++;
    struct ir_expr *more = conditions(g, v, l);
    guard = guard != NULL ? ir_binary(g->m, IR_AND, guard, more, NOWHERE) : more;
  }
  if (chance(g, 30)) guard = ir_binary(g->m, IR_AND, guard, gen_bool(g, 1), NOWHERE);
  return guard;
}

struct ir_expr *gen_family_quantifier(struct gen *g, int depth) {
  const struct ir_var *v = pick_array(g);
  if (v == NULL) return NULL;
  size_t mark = g->scope.count;
  struct ir_domain *d;
  const struct ir_local *l = element_local(g, v->type->index, &d);
  struct ir_expr *body = conditions(g, v, l);
  struct ir_expr *inner = depth > 0 && chance(g, 60) ? gen_family_quantifier(g, depth - 1) : NULL;
  if (inner == NULL) inner = gen_bool(g, 1);
  bool all = chance(g, 50);
  body = ir_binary(g->m, all ? IR_IMPLIES : IR_AND, body, inner, NOWHERE);
  g->scope.count = mark;
  return ir_quant(g->m, all ? IR_FORALL : IR_EXISTS, l, d, body, NOWHERE);
}
