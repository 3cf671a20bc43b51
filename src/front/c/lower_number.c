// SPDX-License-Identifier: Apache-2.0
// Numbers of C in the IR: machine integers of 2 to 64 bits, either signedness, that wrap round;
// single bits are truth values. Constructors keep what is constant constant.
#include "front/c/lower.h"

static const struct span nowhere;

const struct ir_type *c_int_type(struct c_lower *w, uint32_t bits, bool is_signed) {
  assert(bits > 0 && bits <= 64);
  if (bits == 1) return w->m->bool_type;
  if (!w->ints[is_signed][bits])
    w->ints[is_signed][bits] = ir_type_int(w->m, (uint8_t)bits, is_signed, false);
  return w->ints[is_signed][bits];
}

static int64_t wrap(const struct ir_type *t, int64_t value) {
  if (t->kind != IR_TYPE_INT || t->bits == 64) return value;
  uint64_t ones = ~UINT64_C(0) >> (64 - t->bits), v = (uint64_t)value & ones;
  if (t->is_signed && v >> (t->bits - 1)) v |= ~ones;
  return (int64_t)v;
}

struct ir_expr *c_number(struct c_lower *w, const struct ir_type *t, int64_t value) {
  if (t->kind == IR_TYPE_BOOL) return ir_bool(w->m, value & 1, nowhere);
  return ir_const(w->m, t, wrap(t, value), nowhere);
}

bool c_is_number(const struct ir_expr *e, int64_t value) {
  int64_t v;
  return ir_expr_const(e, &v) && v == value;
}

// The condition of (c ? 1 : 0), as truth values become numbers; NULL: it is something else.
static struct ir_expr *condition_of(struct ir_expr *e) {
  bool number = e->op == IR_ITE && c_is_number(e->args[1], 1) && c_is_number(e->args[2], 0);
  return number ? e->args[0] : NULL;
}

struct ir_expr *c_not(struct c_lower *w, struct ir_expr *e) {
  int64_t v;
  if (ir_expr_const(e, &v)) return ir_bool(w->m, !v, nowhere);
  if (e->op == IR_NOT) return e->args[0];
  enum ir_op opposite = ir_op_opposite(e->op);
  if (opposite == IR_OP_COUNT) return ir_unary(w->m, IR_NOT, e, nowhere);
  return ir_binary(w->m, opposite, e->args[0], e->args[1], nowhere);
}

struct ir_expr *c_truth(struct c_lower *w, struct ir_expr *e) {
  if (e->type->kind == IR_TYPE_BOOL) return e;
  if (condition_of(e)) return condition_of(e);
  return c_binary(w, IR_NE, e, c_number(w, e->type, 0));
}

struct ir_expr *c_as(struct c_lower *w, struct ir_expr *e, const struct ir_type *t) {
  int64_t v;
  if (e->type == t) return e;
  if (t->kind == IR_TYPE_BOOL) return c_truth(w, e);
  if (ir_expr_const(e, &v)) return c_number(w, t, v);
  if (e->type->kind == IR_TYPE_BOOL)
    return ir_ite(w->m, e, c_number(w, t, 1), c_number(w, t, 0), t, nowhere);
  if (condition_of(e)) return c_as(w, condition_of(e), t);
  if (e->op == IR_CAST && t->bits <= e->type->bits) return c_as(w, e->args[0], t);
  return ir_cast(w->m, t, e, nowhere);
}

struct ir_expr *c_copy(struct c_lower *w, const struct ir_expr *e) {
  struct ir_expr *c = ARENA_NEW(w->m->arena, struct ir_expr);
  *c = *e;
  if (!e->arg_count) return c;
  c->args = ARENA_ARRAY(w->m->arena, struct ir_expr *, e->arg_count);
  for (uint32_t i = 0; i < e->arg_count; i++) c->args[i] = c_copy(w, e->args[i]);
  return c;
}

struct ir_expr *c_and(struct c_lower *w, struct ir_expr *a, struct ir_expr *b) {
  if (!a || c_is_number(a, 1)) return b ? b : a;
  if (!b || c_is_number(b, 1)) return a;
  if (c_is_number(a, 0)) return a;
  return ir_binary(w->m, IR_AND, a, b, nowhere);
}

// (c ? 1 : 0) compared with a number is c, not c, or known.
static struct ir_expr *compare_truth(struct c_lower *w, enum ir_op op, struct ir_expr *a,
                                     const struct ir_expr *b) {
  int64_t v;
  struct ir_expr *c = condition_of(a);
  if (!c || !ir_expr_const(b, &v) || (op != IR_EQ && op != IR_NE)) return NULL;
  if (v != 0 && v != 1) return ir_bool(w->m, op == IR_NE, nowhere);
  return (v == 1) == (op == IR_EQ) ? c : c_not(w, c);
}

struct ir_expr *c_binary(struct c_lower *w, enum ir_op op, struct ir_expr *a, struct ir_expr *b) {
  struct ir_expr *e = compare_truth(w, op, a, b);
  if (e) return e;
  e = ir_binary(w->m, op, a, b, nowhere);
  int64_t x, y;
  return ir_expr_const(a, &x) && ir_expr_const(b, &y) ? ir_expr_fold(w->m, e) : e;
}
