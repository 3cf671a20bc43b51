// SPDX-License-Identifier: Apache-2.0
// Operations of the bitcode on integers. It does not tell signed from unsigned ones but where that
// matters; what is added or compared for equality is what the variables in it are.
#include "front/c/lower.h"

static const struct span nowhere;

static bool is_constant(const struct ir_expr *e) { return e->op == IR_CONST; }

// The type in which an operation happens that does not care for signs.
static const struct ir_type *meeting_type(struct c_lower *w, const struct ir_expr *a,
                                          const struct ir_expr *b, uint32_t bits) {
  bool plus_a = !is_constant(a) && !a->type->is_signed;
  bool plus_b = !is_constant(b) && !b->type->is_signed;
  return c_int_type(w, bits, !plus_a && !plus_b);
}

enum sign { SIGN_ANY, SIGN_NO, SIGN_YES };
struct meaning {
  enum ir_op op;
  enum sign sign;
};
static const struct meaning meanings[] = {
    [C_ADD] = {IR_ADD, SIGN_ANY},    [C_SUB] = {IR_SUB, SIGN_ANY},    [C_MUL] = {IR_MUL, SIGN_ANY},
    [C_UDIV] = {IR_DIV, SIGN_NO},    [C_SDIV] = {IR_DIV, SIGN_YES},   [C_UREM] = {IR_MOD, SIGN_NO},
    [C_SREM] = {IR_MOD, SIGN_YES},   [C_SHL] = {IR_SHL, SIGN_ANY},    [C_LSHR] = {IR_SHR, SIGN_NO},
    [C_ASHR] = {IR_SHR, SIGN_YES},   [C_AND] = {IR_BITAND, SIGN_ANY}, [C_OR] = {IR_BITOR, SIGN_ANY},
    [C_XOR] = {IR_BITXOR, SIGN_ANY}, [C_EQ] = {IR_EQ, SIGN_ANY},      [C_NE] = {IR_NE, SIGN_ANY},
    [C_ULT] = {IR_LT, SIGN_NO},      [C_ULE] = {IR_LE, SIGN_NO},      [C_UGT] = {IR_GT, SIGN_NO},
    [C_UGE] = {IR_GE, SIGN_NO},      [C_SLT] = {IR_LT, SIGN_YES},     [C_SLE] = {IR_LE, SIGN_YES},
    [C_SGT] = {IR_GT, SIGN_YES},     [C_SGE] = {IR_GE, SIGN_YES},
};

// --- truth values ---

static struct ir_expr *logic(struct c_lower *w, enum c_op op, struct ir_expr *a,
                             struct ir_expr *b) {
  switch (op) {
  case C_AND:
  case C_MUL: return ir_binary(w->m, IR_AND, a, b, nowhere);
  case C_OR: return ir_binary(w->m, IR_OR, a, b, nowhere);
  case C_EQ: return ir_binary(w->m, IR_EQ, a, b, nowhere);
  case C_XOR: // with true: not
    if (c_is_number(b, 1)) return c_not(w, a);
    return ir_binary(w->m, IR_NE, a, b, nowhere);
  case C_ADD:
  case C_SUB:
  case C_NE: return ir_binary(w->m, IR_NE, a, b, nowhere);
  case C_ULT:
  case C_SGT: return ir_binary(w->m, IR_LT, a, b, nowhere);
  case C_ULE:
  case C_SGE: return ir_binary(w->m, IR_LE, a, b, nowhere);
  case C_UGT:
  case C_SLT: return ir_binary(w->m, IR_GT, a, b, nowhere);
  case C_UGE:
  case C_SLE: return ir_binary(w->m, IR_GE, a, b, nowhere);
  default: return NULL;
  }
}

// --- what can go wrong ---

static bool divides(enum c_op op) { return op >= C_UDIV && op <= C_SREM; }
static bool shifts(enum c_op op) { return op >= C_SHL && op <= C_ASHR; }

static void check_division(struct c_lower *w, const struct c_instruction *i, struct ir_expr *b) {
  int64_t v;
  if (ir_expr_const(b, &v) && v != 0) return;
  struct ir_expr *holds = c_binary(w, IR_NE, c_copy(w, b), c_number(w, b->type, 0));
  c_check(w, C_CHECK_DIV, holds, i->span, "the divisor is 0");
}

// The least number divided by -1 is none of its type: the machine stops, whatever -fwrapv says.
static void check_least(struct c_lower *w, const struct c_instruction *i, struct ir_expr *a,
                        struct ir_expr *b) {
  int64_t v, least = a->type->lo;
  if (ir_expr_const(b, &v) && v != -1) return;
  if (ir_expr_const(a, &v) && v != least) return;
  struct ir_expr *more = c_binary(w, IR_NE, c_copy(w, a), c_number(w, a->type, least));
  struct ir_expr *other = c_binary(w, IR_NE, c_copy(w, b), c_number(w, b->type, -1));
  c_check(w, C_CHECK_OVERFLOW, ir_binary(w->m, IR_OR, more, other, nowhere), i->span,
          "the least number is divided by -1");
}

static bool is_signed_division(enum c_op op) { return op == C_SDIV || op == C_SREM; }

static void check_count(struct c_lower *w, const struct c_instruction *i, struct ir_expr *b) {
  int64_t v;
  uint32_t bits = i->type->bits;
  if (ir_expr_const(b, &v) && v >= 0 && v < bits) return;
  const struct ir_type *t = c_int_type(w, bits, false);
  struct ir_expr *count = c_as(w, c_copy(w, b), t);
  struct ir_expr *holds = c_binary(w, IR_LT, count, c_number(w, t, bits));
  c_check(w, C_CHECK_OVERFLOW, holds, i->span, "this is shifted by all its bits, or more");
}

// --- arithmetic ---

static bool is_wide_division(enum c_op op, uint32_t bits) {
  return bits == 64 && (op == C_UDIV || op == C_UREM);
}

static struct ir_expr *arithmetic(struct c_lower *w, const struct c_instruction *i,
                                  struct ir_expr *a, struct ir_expr *b) {
  uint32_t bits = i->args[0].type->bits;
  const struct meaning *k = &meanings[i->op];
  const struct ir_type *t = k->sign == SIGN_ANY ? meeting_type(w, a, shifts(i->op) ? a : b, bits)
                                                : c_int_type(w, bits, k->sign == SIGN_YES);
  a = c_as(w, a, t);
  if (is_signed_division(i->op)) a = c_stored(w, a);
  if (divides(i->op)) b = c_stored(w, b); // it is asked for, too
  if (shifts(i->op)) {
    b = c_stored(w, b);
    check_count(w, i, b);
  } else {
    b = c_as(w, b, t);
  }
  if (divides(i->op)) check_division(w, i, b);
  if (is_signed_division(i->op)) check_least(w, i, a, b);
  if (is_wide_division(i->op, bits)) return c_divide_wide(w, i->op, a, b);
  return c_binary(w, k->op, a, b);
}

static struct ir_expr *binary(struct c_lower *w, const struct c_instruction *i) {
  struct ir_expr *a = c_value(w, &i->args[0]), *b = c_value(w, &i->args[1]);
  if (i->args[0].type->bits == 1) return logic(w, i->op, a, b);
  if (i->op >= C_SADD_OVER && i->op <= C_UMUL_OVER)
    return c_overflows(w, i->op, a, b, i->args[0].type->bits);
  return arithmetic(w, i, a, b);
}

// --- conversions ---

// What is added in front are zeros: the value fits into the signed type, too.
static struct ir_expr *convert(struct c_lower *w, const struct c_instruction *i) {
  struct ir_expr *a = c_value(w, &i->args[0]);
  uint32_t from = i->args[0].type->bits, to = i->type->bits;
  if (from == 1 && i->op == C_SEXT)
    return ir_ite(w->m, a, c_number(w, c_int_type(w, to, true), -1),
                  c_number(w, c_int_type(w, to, true), 0), c_int_type(w, to, true), nowhere);
  if (from == 1) return c_as(w, a, c_int_type(w, to, true));
  if (to == 1) // of _Bool, which holds 0 or 1
    return c_truth(w, from == 8 ? a : c_binary(w, IR_BITAND, a, c_number(w, a->type, 1)));
  if (i->op == C_TRUNC) return c_as(w, a, c_int_type(w, to, a->type->is_signed));
  a = c_as(w, a, c_int_type(w, from, i->op == C_SEXT));
  return c_as(w, a, c_int_type(w, to, true));
}

static struct ir_expr *choose(struct c_lower *w, const struct c_instruction *i) {
  struct ir_expr *c = c_value(w, &i->args[0]), *a = c_value(w, &i->args[1]),
                 *b = c_value(w, &i->args[2]);
  if (i->type->bits > 1) {
    const struct ir_type *t = meeting_type(w, a, b, i->type->bits);
    a = c_as(w, a, t);
    b = c_as(w, b, t);
  }
  return ir_ite(w->m, c, a, b, a->type, nowhere);
}

struct ir_expr *c_operation(struct c_lower *w, const struct c_instruction *i) {
  switch (i->op) {
  case C_ZEXT:
  case C_SEXT:
  case C_TRUNC: return convert(w, i);
  case C_BITCAST:
  case C_COPY: return c_value(w, &i->args[0]);
  case C_SELECT: return choose(w, i);
  default: return binary(w, i);
  }
}
