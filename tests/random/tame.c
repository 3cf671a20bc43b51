// SPDX-License-Identifier: Apache-2.0
// What keeps a tame model from faulting: numbers stay small, divisors are not zero, values are
// brought into the range they go to, claims are true, and what may be undefined is asked first.
#include "random/gen.h"

static struct ir_expr *op(struct gen *g, enum ir_op o, struct ir_expr *a, struct ir_expr *b) {
  return ir_binary(g->m, o, a, b, NOWHERE);
}
static struct ir_expr *op_const(struct gen *g, enum ir_op o, struct ir_expr *a, int64_t b) {
  const struct ir_type *t = a->type->kind == IR_TYPE_INT ? a->type : g->m->int_type;
  return op(g, o, a, ir_const(g->m, t, b, NOWHERE));
}

// ---------------------------------------------------------------------------------------------
// Numbers

#define SMALL 64 // what is larger is cut down before it takes part in arithmetic

struct ir_expr *tame_into(struct gen *g, const struct ir_type *t, struct ir_expr *number) {
  const struct ir_type *from = number->type;
  if (t->kind != IR_TYPE_RANGE) {
    bool small = from->kind == IR_TYPE_RANGE && from->lo >= -SMALL && from->hi <= SMALL;
    return small ? number : op_const(g, IR_MOD, number, SMALL);
  }
  if (t->hi - t->lo > 1 << 16) return op_const(g, IR_BITAND, number, t->hi >> 1);
  int64_t n = t->hi - t->lo + 1;
  number = op_const(g, IR_MOD, number, n); // -n < number < n
  number = op_const(g, IR_MOD, op_const(g, IR_ADD, number, n), n);
  return t->lo == 0 ? number : op_const(g, IR_ADD, number, t->lo);
}

// A trapping machine integer cut to 0..7, so that sums and products fit.
static struct ir_expr *few_bits(struct gen *g, struct ir_expr *e) {
  return e->type->traps && e->type->kind == IR_TYPE_INT && e->type != g->m->int_type
             ? op_const(g, IR_BITAND, e, 7)
             : e;
}

struct ir_expr *tame_binary(struct gen *g, enum ir_op o, struct ir_expr *a, struct ir_expr *b) {
  bool number = a->type->kind == IR_TYPE_RANGE || a->type == g->m->int_type;
  if (o < IR_ADD || o > IR_SHR) return op(g, o, a, b); // logic and comparisons never fault
  a = few_bits(g, a);
  b = few_bits(g, b);
  switch (o) {
  case IR_DIV:
  case IR_MOD: return op(g, o, a, op_const(g, IR_BITOR, b, 1));
  case IR_SUB:
    if (a->type->kind == IR_TYPE_INT && a->type->traps) a = op_const(g, IR_ADD, a, 7);
    return op(g, o, a, b);
  case IR_SHL:
  case IR_SHR:
  case IR_MUL: return number ? op_const(g, IR_MOD, op(g, o, a, b), SMALL) : op(g, o, a, b);
  default: return op(g, o, a, b);
  }
}

struct ir_expr *tame_to_number(struct gen *g, struct ir_expr *machine) {
  return ir_cast(g->m, g->m->int_type, op_const(g, IR_MOD, machine, 11), NOWHERE);
}

struct ir_expr *tame_from_number(struct gen *g, const struct ir_type *t, struct ir_expr *number) {
  return ir_cast(g->m, t, t->traps ? op_const(g, IR_BITAND, number, 7) : number, NOWHERE);
}

// ---------------------------------------------------------------------------------------------
// Claims

// The same random expression twice, from the same random numbers: e | !e, or e & !e.
struct ir_expr *tame_truth(struct gen *g, bool value, int depth) {
  struct rng before = g->rng;
  struct ir_expr *e = gen_bool(g, depth);
  g->rng = before;
  struct ir_expr *again = ir_unary(g->m, IR_NOT, gen_bool(g, depth), NOWHERE);
  return op(g, value ? IR_OR : IR_AND, e, again);
}

// ---------------------------------------------------------------------------------------------
// Holes

bool tame_is_hole(const struct gen *g, const struct ir_var *v) {
  for (size_t i = 0; i < g->holes.count; i++)
    if (g->holes.data[i] == v) return true;
  return false;
}

static const struct ir_var *pick_hole(struct gen *g) {
  return g->holes.data[pick(g, (uint32_t)g->holes.count)];
}

// The same part of a variable twice: indices are constants from the same random numbers.
static void same_parts(struct gen *g, const struct ir_var *v, const struct ir_type *t,
                       struct ir_expr *parts[2]) {
  struct rng before = g->rng;
  for (int i = 0; i < 2; i++) {
    g->rng = before;
    parts[i] = gen_part(g, ir_var_ref(g->m, v, NOWHERE), t, 0);
  }
}

struct ir_expr *tame_hole_value(struct gen *g, const struct ir_type *t) {
  struct ir_expr *parts[2];
  if (g->holes.count == 0) return NULL;
  const struct ir_var *v = pick_hole(g);
  if (!gen_may_contain(v->type, t) || t->kind == IR_TYPE_INT) return NULL;
  same_parts(g, v, t, parts);
  struct ir_expr *asked = ir_isundef(g->m, parts[0], NOWHERE);
  return ir_ite(g->m, asked, gen_const(g, t), parts[1], t, NOWHERE);
}

struct ir_expr *tame_hole_test(struct gen *g) {
  const struct ir_var *v = pick_hole(g);
  const struct ir_type *t = gen_some_scalar(g, v->type);
  if (t->kind == IR_TYPE_INT) return NULL;
  return ir_isundef(g->m, gen_part(g, ir_var_ref(g->m, v, NOWHERE), t, 1), NOWHERE);
}

// Undefines some or all of a variable, sorts it, clears it, or copies another one over it.
struct ir_stmt *tame_hole_stmt(struct gen *g) {
  struct ir_model *m = g->m;
  const struct ir_var *v = pick_hole(g);
  struct ir_expr *whole = ir_var_ref(m, v, NOWHERE);
  const struct ir_type *t = gen_some_scalar(g, v->type);
  switch (pick(g, 6)) {
  case 0: return v->type->kind == IR_TYPE_INT ? NULL : ir_undefine(m, whole, NOWHERE);
  case 1: return ir_clear(m, whole, NOWHERE);
  case 2: return v->type->kind == IR_TYPE_ARRAY ? ir_sort(m, whole, NOWHERE) : NULL;
  case 3: {
    const struct ir_var *w = pick_hole(g);
    if (w == v || w->type != v->type || ir_type_scalar(v->type)) return NULL;
    return ir_assign(m, whole, ir_var_ref(m, w, NOWHERE), NOWHERE);
  }
  default: return t->kind == IR_TYPE_INT ? NULL : ir_undefine(m, gen_part(g, whole, t, 1), NOWHERE);
  }
}
