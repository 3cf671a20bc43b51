// SPDX-License-Identifier: Apache-2.0
// Random expressions. Values are mostly such that they fit where they go; now and then they are
// not, for faults are part of what is compared.
#include "random/gen.h"

#include <string.h>

static const struct ir_type *const_type(struct gen *g, const struct ir_type *t) {
  return t->kind == IR_TYPE_RANGE && chance(g, 60) ? g->m->int_type : t;
}

struct ir_expr *gen_const(struct gen *g, const struct ir_type *t) {
  struct ir_model *m = g->m;
  if (t->kind == IR_TYPE_INT && t->bits > 8) {
    static const int64_t edges[] = {0, 1, 2, 3, 7, -1, 127, 255, 32767, INT32_MAX, INT32_MIN};
    int64_t v = edges[pick(g, sizeof edges / sizeof *edges)];
    return ir_const(m, t, ir_type_has(t, v) ? v : 1, NOWHERE);
  }
  uint64_t count = ir_type_count(t);
  int64_t v = ir_type_value(t, rng_below(&g->rng, count > 256 ? 256 : count));
  return ir_const(m, const_type(g, t), v, NOWHERE);
}

// ---------------------------------------------------------------------------------------------
// Lvalues: a variable or local, then down to a part of the wanted type.

bool gen_may_contain(const struct ir_type *whole, const struct ir_type *part) {
  if (whole == part) return true;
  if (whole->kind == IR_TYPE_ARRAY) return gen_may_contain(whole->elem, part);
  for (uint32_t i = 0; whole->kind == IR_TYPE_RECORD && i < whole->field_count; i++)
    if (gen_may_contain(whole->fields[i].type, part)) return true;
  return false;
}

// At the bottom an index is a constant, so that an index inside an index comes to an end.
static struct ir_expr *gen_index_value(struct gen *g, const struct ir_type *t, int depth) {
  if (depth <= 0) return gen_const(g, t);
  if (!g->tame && t->kind == IR_TYPE_RANGE && chance(g, 3)) return gen_number(g, depth - 1);
  return gen_expr(g, t, depth - 1);
}

struct ir_expr *gen_part(struct gen *g, struct ir_expr *base, const struct ir_type *t, int depth) {
  while (base->type != t) {
    if (base->type->kind == IR_TYPE_ARRAY) {
      struct ir_expr *index = gen_index_value(g, base->type->index, depth);
      base = ir_index(g->m, base, index, NOWHERE);
      continue;
    }
    uint32_t f = pick(g, base->type->field_count);
    while (!gen_may_contain(base->type->fields[f].type, t)) f = (f + 1) % base->type->field_count;
    base = ir_field(g->m, base, f, NOWHERE);
  }
  return base;
}

static bool local_usable(const struct ir_local *l, const struct ir_type *t, bool writable) {
  if (!gen_may_contain(l->type, t)) return false;
  return !writable || l->kind == IR_LOCAL_PLAIN || l->kind == IR_LOCAL_REF;
}

static struct ir_expr *gen_root(struct gen *g, const struct ir_type *t, bool writable) {
  if (g->scope.count > 0 && (chance(g, 40) || (writable && g->pure))) {
    for (uint32_t tries = 0; tries < 6; tries++) {
      const struct ir_local *l = g->scope.data[pick(g, (uint32_t)g->scope.count)];
      if (local_usable(l, t, writable)) return ir_local_ref(g->m, l, NOWHERE);
    }
  }
  if (writable && g->pure) return NULL;
  for (uint32_t tries = 0; tries < 8; tries++) {
    const struct ir_var *v = g->m->vars.data[pick(g, (uint32_t)g->m->vars.count)];
    if (gen_may_contain(v->type, t) && !tame_is_hole(g, v)) return ir_var_ref(g->m, v, NOWHERE);
  }
  return NULL;
}

struct ir_expr *gen_lvalue(struct gen *g, const struct ir_type *t, bool writable, int depth) {
  struct ir_expr *root = gen_root(g, t, writable);
  return root != NULL ? gen_part(g, root, t, depth) : NULL;
}

// Down to any scalar.
const struct ir_type *gen_some_scalar(struct gen *g, const struct ir_type *t) {
  while (!ir_type_scalar(t))
    t = t->kind == IR_TYPE_ARRAY ? t->elem : t->fields[pick(g, t->field_count)].type;
  return t;
}

struct ir_expr *gen_target(struct gen *g, int depth) {
  if (g->pure || (g->scope.count > 0 && chance(g, 25))) {
    for (uint32_t tries = 0; tries < 6 && g->scope.count > 0; tries++) {
      const struct ir_local *l = g->scope.data[pick(g, (uint32_t)g->scope.count)];
      if (l->kind != IR_LOCAL_PLAIN && l->kind != IR_LOCAL_REF) continue;
      return gen_part(g, ir_local_ref(g->m, l, NOWHERE), gen_some_scalar(g, l->type), depth);
    }
    if (g->pure) return NULL;
  }
  const struct ir_var *v = g->m->vars.data[pick(g, (uint32_t)g->m->vars.count)];
  return gen_part(g, ir_var_ref(g->m, v, NOWHERE), gen_some_scalar(g, v->type), depth);
}

// ---------------------------------------------------------------------------------------------
// Domains and bound locals

struct ir_local *gen_local(struct gen *g, enum ir_local_kind kind, const struct ir_type *t) {
  struct ir_local *l = ir_local_new(g->m, g->frame, kind, gen_name(g, "l"), t, NOWHERE);
  VEC_PUSH(&g->scope, l);
  return l;
}

static struct ir_local *bound_over_type(struct gen *g, struct ir_domain **d) {
  const struct ir_type *t = NULL;
  for (uint32_t tries = 0; tries < 10; tries++) {
    t = g->scalars.data[pick(g, (uint32_t)g->scalars.count)];
    if (ir_type_count(t) <= 4) break;
    t = g->m->bool_type;
  }
  *d = ir_domain_type(g->m, t);
  return gen_local(g, IR_LOCAL_BOUND, t);
}

struct ir_local *gen_bound(struct gen *g, struct ir_domain **d, bool constant) {
  struct ir_model *m = g->m;
  if (chance(g, 55)) return bound_over_type(g, d);
  int64_t lo = between(g, -1, 2), hi = lo + between(g, 0, 3), step = between(g, 1, 2);
  bool stepped = chance(g, 35);
  if (!constant && chance(g, 30)) {
    struct ir_expr *end = gen_number(g, 0), *by = NULL;
    if (stepped && !g->tame) by = ir_int(m, 1, NOWHERE); // in the wrong direction, now and then
    // Bounds may be anything, so keep the number of rounds small.
    end = ir_binary(m, IR_MOD, end, ir_int(m, 4, NOWHERE), NOWHERE);
    *d = ir_domain_range(m, ir_int(m, lo, NOWHERE), end, by);
    return gen_local(g, IR_LOCAL_BOUND, m->int_type);
  }
  const struct ir_type *t = ir_type_range(m, lo, hi);
  bool down = chance(g, 20);
  if (down) step = -step;
  *d = ir_domain_range(m, ir_int(m, down ? hi : lo, NOWHERE), ir_int(m, down ? lo : hi, NOWHERE),
                       stepped || down ? ir_int(m, step, NOWHERE) : NULL);
  return gen_local(g, IR_LOCAL_BOUND, t);
}

static struct ir_expr *gen_quantified(struct gen *g, enum ir_op op, int depth) {
  size_t mark = g->scope.count;
  struct ir_domain *d;
  const struct ir_local *l = gen_bound(g, &d, false);
  struct ir_expr *body = gen_bool(g, depth - 1);
  g->scope.count = mark;
  return ir_quant(g->m, op, l, d, body, NOWHERE);
}

// ---------------------------------------------------------------------------------------------
// Calls

bool gen_args(struct gen *g, const struct ir_function *f, struct ir_expr **args, int depth) {
  for (uint32_t i = 0; i < f->param_count; i++) {
    const struct ir_local *p = f->frame.locals[i];
    bool by_ref = p->kind == IR_LOCAL_REF;
    args[i] = by_ref || !ir_type_scalar(p->type) ? gen_lvalue(g, p->type, by_ref, depth - 1)
                                                 : gen_expr(g, p->type, depth - 1);
    if (args[i] == NULL) return false;
  }
  return true;
}

static struct ir_expr *gen_call(struct gen *g, const struct ir_type *t, int depth) {
  uint32_t count = (uint32_t)g->m->functions.count;
  for (uint32_t tries = 0; tries < 4 && count > 0; tries++) {
    const struct ir_function *f = g->m->functions.data[pick(g, count)];
    struct ir_expr *args[8];
    if (f == g->inside || f->result != t) continue;
    if (gen_args(g, f, args, depth)) return ir_call(g->m, f, args, f->param_count, NOWHERE);
  }
  return NULL;
}

// ---------------------------------------------------------------------------------------------
// By type

static struct ir_expr *binary(struct gen *g, enum ir_op op, struct ir_expr *a, struct ir_expr *b) {
  if (g->tame) return tame_binary(g, op, a, b);
  return ir_binary(g->m, op, a, b, NOWHERE);
}

static const enum ir_op arithmetic[] = {IR_ADD,    IR_SUB,   IR_MUL,    IR_DIV, IR_MOD,
                                        IR_BITAND, IR_BITOR, IR_BITXOR, IR_SHL, IR_SHR};
#define ARITHMETIC_COUNT (sizeof arithmetic / sizeof *arithmetic)

static const struct ir_type *pick_scalar(struct gen *g, enum ir_type_kind kind) {
  for (uint32_t tries = 0; tries < 8; tries++) {
    const struct ir_type *t = g->scalars.data[pick(g, (uint32_t)g->scalars.count)];
    if (t->kind == kind) return t;
  }
  return NULL;
}

// A loop variable, parameter or other local that is a number, whatever its range.
static struct ir_expr *gen_local_number(struct gen *g) {
  for (uint32_t tries = 0; tries < 3 && g->scope.count > 0; tries++) {
    const struct ir_local *l = g->scope.data[pick(g, (uint32_t)g->scope.count)];
    if (l->type->kind == IR_TYPE_RANGE || l->type == g->m->int_type)
      return ir_local_ref(g->m, l, NOWHERE);
  }
  return NULL;
}

static struct ir_expr *gen_number_leaf(struct gen *g, int depth) {
  const struct ir_type *t = pick_scalar(g, IR_TYPE_RANGE);
  struct ir_expr *e = chance(g, 25) ? gen_local_number(g) : NULL;
  if (e == NULL && t != NULL && chance(g, 70)) e = gen_lvalue(g, t, false, depth);
  if (e == NULL) return ir_int(g->m, between(g, -2, 5), NOWHERE);
  return g->tame ? tame_into(g, g->m->int_type, e) : e;
}

struct ir_expr *gen_number(struct gen *g, int depth) {
  if (depth <= 0) return gen_number_leaf(g, 0);
  const struct ir_type *machine;
  switch (pick(g, 10)) {
  case 0:
    return ir_unary(g->m, chance(g, 60) ? IR_NEG : IR_BITNOT, gen_number(g, depth - 1), NOWHERE);
  case 1:
    return ir_ite(g->m, gen_bool(g, depth - 1), gen_number(g, depth - 1), gen_number(g, depth - 1),
                  g->m->int_type, NOWHERE);
  case 2:
    if (g->frame != NULL) return gen_quantified(g, IR_COUNT, depth);
    break;
  case 3:
    machine = pick_scalar(g, IR_TYPE_INT);
    if (machine != NULL && g->tame) return tame_to_number(g, gen_expr(g, machine, depth - 1));
    if (machine != NULL)
      return ir_cast(g->m, g->m->int_type, gen_expr(g, machine, depth - 1), NOWHERE);
    break;
  case 4:
  case 5:
  case 6:
  case 7:
    return binary(g, arithmetic[pick(g, ARITHMETIC_COUNT)], gen_number(g, depth - 1),
                  gen_number(g, depth - 1));
  default: break;
  }
  return gen_number_leaf(g, depth);
}

static struct ir_expr *gen_comparison(struct gen *g, int depth) {
  static const enum ir_op orders[] = {IR_EQ, IR_NE, IR_LT, IR_LE, IR_GT, IR_GE};
  const struct ir_type *t = g->scalars.data[pick(g, (uint32_t)g->scalars.count)];
  bool ordered = t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_INT;
  enum ir_op op = orders[pick(g, ordered ? 6 : 2)];
  if (t->kind == IR_TYPE_RANGE)
    return binary(g, op, gen_number(g, depth - 1), gen_number(g, depth - 1));
  return binary(g, op, gen_expr(g, t, depth - 1), gen_expr(g, t, depth - 1));
}

// Whole arrays and records, equal or not.
static struct ir_expr *gen_whole_comparison(struct gen *g, int depth) {
  const struct ir_type *t = g->types.data[pick(g, (uint32_t)g->types.count)];
  if (ir_type_scalar(t)) return NULL;
  struct ir_expr *a = gen_lvalue(g, t, false, depth - 1), *b = gen_lvalue(g, t, false, depth - 1);
  return a != NULL && b != NULL ? binary(g, chance(g, 50) ? IR_EQ : IR_NE, a, b) : NULL;
}

static struct ir_expr *gen_undef_test(struct gen *g, int depth) {
  if (g->tame && g->holes.count > 0) return tame_hole_test(g);
  const struct ir_type *t = g->scalars.data[pick(g, (uint32_t)g->scalars.count)];
  struct ir_expr *e = gen_lvalue(g, t, false, depth - 1);
  return e != NULL && e->type->kind != IR_TYPE_INT ? ir_isundef(g->m, e, NOWHERE) : NULL;
}

static struct ir_expr *gen_member_test(struct gen *g, int depth) {
  const struct ir_type *t = pick_scalar(g, IR_TYPE_UNION);
  if (t == NULL) return NULL;
  return ir_ismember(g->m, gen_expr(g, t, depth - 1), t->parts[pick(g, t->part_count)], NOWHERE);
}

static struct ir_expr *gen_bool_leaf(struct gen *g, int depth) {
  struct ir_expr *e = chance(g, 85) ? gen_lvalue(g, g->m->bool_type, false, depth) : NULL;
  return e != NULL ? e : ir_bool(g->m, chance(g, 50), NOWHERE);
}

struct ir_expr *gen_bool(struct gen *g, int depth) {
  if (depth <= 0) return gen_bool_leaf(g, 0);
  static const enum ir_op logic[] = {IR_AND, IR_OR, IR_IMPLIES};
  struct ir_expr *e = NULL;
  switch (pick(g, 13)) {
  case 0:
  case 1:
  case 2:
  case 3: e = gen_comparison(g, depth); break;
  case 4:
  case 5: e = binary(g, logic[pick(g, 3)], gen_bool(g, depth - 1), gen_bool(g, depth - 1)); break;
  case 6: e = ir_unary(g->m, IR_NOT, gen_bool(g, depth - 1), NOWHERE); break;
  case 7:
    if (g->frame != NULL) e = gen_quantified(g, chance(g, 50) ? IR_FORALL : IR_EXISTS, depth);
    break;
  case 8: e = gen_undef_test(g, depth); break;
  case 9: e = gen_member_test(g, depth); break;
  case 10: e = gen_whole_comparison(g, depth); break;
  case 11: e = gen_call(g, g->m->bool_type, depth); break;
  default: break;
  }
  return e != NULL ? e : gen_bool_leaf(g, depth);
}

static struct ir_expr *gen_machine(struct gen *g, const struct ir_type *t, int depth) {
  switch (pick(g, 6)) {
  case 0: {
    bool negate = chance(g, 50) && !(g->tame && t->traps);
    return ir_unary(g->m, negate ? IR_NEG : IR_BITNOT, gen_expr(g, t, depth - 1), NOWHERE);
  }
  case 1:
    if (g->tame) return tame_from_number(g, t, gen_number(g, depth - 1));
    return ir_cast(g->m, t, gen_number(g, depth - 1), NOWHERE);
  case 2:
  case 3:
    return binary(g, arithmetic[pick(g, ARITHMETIC_COUNT)], gen_expr(g, t, depth - 1),
                  gen_expr(g, t, depth - 1));
  default: return NULL;
  }
}

// A step inside the range, round at its end: keeps models alive.
static struct ir_expr *gen_bump(struct gen *g, const struct ir_type *t, int depth) {
  struct ir_expr *x = gen_lvalue(g, t, false, depth - 1);
  if (x == NULL) return NULL;
  struct ir_model *m = g->m;
  x = ir_binary(m, IR_ADD, x, ir_int(m, 1 - t->lo, NOWHERE), NOWHERE);
  x = ir_binary(m, IR_MOD, x, ir_int(m, t->hi - t->lo + 1, NOWHERE), NOWHERE);
  return t->lo == 0 ? x : ir_binary(m, IR_ADD, ir_int(m, t->lo, NOWHERE), x, NOWHERE);
}

static struct ir_expr *gen_composed(struct gen *g, const struct ir_type *t, int depth) {
  if (chance(g, 12)) return gen_call(g, t, depth);
  if (t->kind == IR_TYPE_INT) return gen_machine(g, t, depth);
  if (t->kind == IR_TYPE_RANGE && g->tame && chance(g, 40))
    return tame_into(g, t, gen_number(g, depth));
  if (t->kind == IR_TYPE_RANGE)
    return !g->tame && chance(g, 12) ? gen_number(g, depth - 1) : gen_bump(g, t, depth);
  if (chance(g, 60)) return NULL;
  return ir_ite(g->m, gen_bool(g, depth - 1), gen_expr(g, t, depth - 1), gen_expr(g, t, depth - 1),
                t, NOWHERE);
}

struct ir_expr *gen_expr(struct gen *g, const struct ir_type *t, int depth) {
  if (t->kind == IR_TYPE_BOOL) return gen_bool(g, depth);
  struct ir_expr *e = depth > 0 && chance(g, 60) ? gen_composed(g, t, depth) : NULL;
  if (e == NULL && g->tame && depth > 0 && chance(g, 25)) e = tame_hole_value(g, t);
  if (e == NULL && chance(g, 55)) e = gen_lvalue(g, t, false, depth - 1);
  return e != NULL ? e : gen_const(g, t);
}
