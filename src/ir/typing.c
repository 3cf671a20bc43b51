// SPDX-License-Identifier: Apache-2.0
// The typing rules of the IR. Scalars of different kinds may meet (values are integers underneath);
// Booleans are kept apart in logic and arithmetic; arrays and records must have the same structure.
#include "ir/typing.h"

static bool is_bool(const struct ir_type *t) { return t->kind == IR_TYPE_BOOL; }

static bool is_number(const struct ir_type *t) { return ir_type_scalar(t) && !is_bool(t); }

const char *ir_typing_condition(const struct ir_type *t) {
  return is_bool(t) ? NULL : "a condition must be Boolean";
}

const char *ir_typing_unary(enum ir_op op, const struct ir_type *a) {
  if (op == IR_NOT) return is_bool(a) ? NULL : "the operand of ! must be Boolean";
  return is_number(a) ? NULL : "the operand of an arithmetic operator must be a number";
}

const char *ir_typing_binary(enum ir_op op, const struct ir_type *a, const struct ir_type *b) {
  bool scalars = ir_type_scalar(a) && ir_type_scalar(b);
  switch (op) {
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES:
    return is_bool(a) && is_bool(b) ? NULL : "the operands of a logical operator must be Boolean";
  case IR_EQ:
  case IR_NE:
    return scalars || ir_type_same(a, b) ? NULL : "values of different types cannot be compared";
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE: return scalars ? NULL : "only scalars have an order";
  default:
    return is_number(a) && is_number(b) ? NULL
                                        : "the operands of an arithmetic operator must be numbers";
  }
}

const char *ir_typing_value(const struct ir_type *to, const struct ir_type *from) {
  if (ir_type_scalar(to) && ir_type_scalar(from))
    return is_bool(to) == is_bool(from) ? NULL : "Booleans and numbers do not mix";
  return ir_type_same(to, from) ? NULL : "the value has another type";
}

const char *ir_typing_target(const struct ir_expr *e) {
  if (!ir_expr_lvalue(e)) return "only a variable or a part of one can be written";
  while (e->op == IR_INDEX || e->op == IR_FIELD) e = e->args[0];
  if (e->op != IR_LOCAL) return NULL;
  if (e->local->kind == IR_LOCAL_BOUND) return "a bound variable cannot be written";
  return e->local->kind == IR_LOCAL_VALUE ? "a parameter by value cannot be written" : NULL;
}

const char *ir_typing_argument(const struct ir_local *param, const struct ir_expr *arg) {
  if (!arg->type) return "a procedure has no value";
  if (param->kind != IR_LOCAL_REF) return ir_typing_value(param->type, arg->type);
  if (!ir_type_same(param->type, arg->type))
    return "a reference parameter and its argument must have the same type";
  return ir_typing_target(arg);
}

static const char *literal_range(const struct ir_type *t, const struct ir_domain *d) {
  int64_t lo, hi, step;
  if (!ir_expr_const(d->lo, &lo) || !ir_expr_const(d->hi, &hi))
    return "the bounds of a parameter must be literal constants";
  if (!ir_type_has(t, lo) || !ir_type_has(t, hi) || lo == IR_UNDEF || hi == IR_UNDEF)
    return "a bound lies outside the parameter's type";
  if (!d->step) return NULL;
  if (!ir_expr_const(d->step, &step)) return "the step of a parameter must be a literal constant";
  if (step == 0) return "the step must not be zero";
  bool right = step > 0 ? lo <= hi : lo >= hi;
  return right ? NULL : "the step leads away from the upper bound";
}

const char *ir_typing_domain(const struct ir_type *t, const struct ir_domain *d, bool literal) {
  if (!ir_type_scalar(t)) return "a bound variable must be scalar";
  if (d->type) return ir_type_scalar(d->type) ? NULL : "only scalar types can be run through";
  if (!d->lo || !d->hi) return "a range needs two bounds";
  if (!ir_type_scalar(d->lo->type) || !ir_type_scalar(d->hi->type) ||
      (d->step && !ir_type_scalar(d->step->type)))
    return "the bounds of a range must be scalar";
  return literal ? literal_range(t, d) : NULL;
}

const char *ir_typing_transient(const struct ir_type *t) {
  bool plain = t->kind == IR_TYPE_BOOL || t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_ENUM ||
               t->kind == IR_TYPE_INT;
  if (!plain) return "a transient variable is a Boolean, an enum or an integer";
  return ir_type_has(t, 0) ? NULL : "a transient variable must be able to be 0";
}
