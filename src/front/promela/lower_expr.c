// SPDX-License-Identifier: Apache-2.0
// Expressions: computed in 32 bits that wrap round, as C does it for SPIN. Numbers and Booleans are
// two things in the IR: a condition asked for its number is 0 or 1, a number asked as a condition
// is compared with 0.
#include "front/promela/lower.h"

static const enum ir_op operators[] = {
    [AST_NEG] = IR_NEG,     [AST_BITNOT] = IR_BITNOT, [AST_ADD] = IR_ADD, [AST_SUB] = IR_SUB,
    [AST_MUL] = IR_MUL,     [AST_DIV] = IR_DIV,       [AST_MOD] = IR_MOD, [AST_BITAND] = IR_BITAND,
    [AST_BITOR] = IR_BITOR, [AST_BITXOR] = IR_BITXOR, [AST_SHL] = IR_SHL, [AST_SHR] = IR_SHR,
    [AST_LT] = IR_LT,       [AST_LE] = IR_LE,         [AST_GT] = IR_GT,   [AST_GE] = IR_GE,
    [AST_EQ] = IR_EQ,       [AST_NE] = IR_NE,
};

bool lower_mentions(const struct ast_expr *e, enum ast_op op) {
  if (!e) return false;
  if (e->op == op) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (lower_mentions(e->args[i], op)) return true;
  return false;
}

static struct ir_expr *truth(struct lower *w, struct ir_expr *x, struct span span) {
  if (x->type->kind == IR_TYPE_BOOL) return x;
  return lower_binary(w, IR_NE, x, lower_number(w, 0, span), span);
}

static struct ir_expr *number(struct lower *w, struct ir_expr *x, struct span span) {
  if (x->type->kind != IR_TYPE_BOOL) return x;
  if (x->op == IR_CONST) return lower_number(w, x->value, span);
  struct ir_expr *one = lower_const(w, w->bit, 1, span), *zero = lower_const(w, w->bit, 0, span);
  return ir_ite(w->m, x, one, zero, w->bit, span);
}

static struct ir_expr *unary(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *a = lower_int32(w, lower_value(w, e->args[0]));
  struct ir_expr *x = ir_unary(w->m, operators[e->op], a, e->span);
  return a->op == IR_CONST ? ir_expr_fold(w->m, x) : x;
}

// A count outside 0..31 is undefined in C; the machine takes its low five bits.
static struct ir_expr *shift(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *a = lower_value(w, e->args[0]), *b = lower_value(w, e->args[1]);
  if (b->type->lo < 0 || b->type->hi > 31)
    b = lower_binary(w, IR_BITAND, b, lower_number(w, 31, e->span), e->span);
  return lower_binary(w, operators[e->op], a, b, e->span);
}

static struct ir_expr *conditional(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *c = lower_cond(w, e->args[0]);
  return lower_ite(w, c, lower_value(w, e->args[1]), lower_value(w, e->args[2]));
}

static struct ir_expr *equivalent(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *a = lower_cond(w, e->args[0]), *b = lower_cond(w, e->args[1]);
  return ir_expr_fold(w->m, ir_binary(w->m, IR_EQ, a, b, e->span));
}

// Either a number or a Boolean, whichever the operator makes.
static struct ir_expr *either(struct lower *w, const struct ast_expr *e) {
  switch (e->op) {
  case AST_CONST: return lower_number(w, e->value, e->span);
  case AST_REF: return lower_place(w, e);
  case AST_NOT: return lower_not(w, lower_cond(w, e->args[0]));
  case AST_NEG:
  case AST_BITNOT: return unary(w, e);
  case AST_SHL:
  case AST_SHR: return shift(w, e);
  case AST_AND: return lower_and(w, lower_cond(w, e->args[0]), lower_cond(w, e->args[1]));
  case AST_OR: return lower_or(w, lower_cond(w, e->args[0]), lower_cond(w, e->args[1]));
  case AST_COND: return conditional(w, e);
  case AST_EVAL: return either(w, e->args[0]);
  case AST_RUN: return w->created ? w->created : lower_true(w); // what it does is done elsewhere
  case AST_LEN:
  case AST_FULL:
  case AST_NFULL:
  case AST_EMPTY:
  case AST_NEMPTY: return lower_channel_test(w, e);
  case AST_POLL: return lower_poll(w, e);
  case AST_ENABLED: return lower_enabled(w, e);
  case AST_PC_VALUE: return lower_pc_value(w, e);
  case AST_GET_PRIORITY: return lower_get_priority(w, e);
  case AST_TIMEOUT: return ir_bool(w->m, w->timeout, e->span);
  case AST_NP: return lower_np(w);
  case AST_REMOTE_LAB: return lower_remote_label(w, e);
  case AST_REMOTE_VAR: return lower_remote_variable(w, e);
  case AST_C_EXPR: return lower_c_expr(w, e);
  case AST_LTL_IMPLIES:
    return lower_or(w, lower_not(w, lower_cond(w, e->args[0])), lower_cond(w, e->args[1]));
  case AST_LTL_EQUIV: return equivalent(w, e);
  default: break;
  }
  assert(e->op >= AST_ADD && e->op <= AST_NE);
  struct ir_expr *a = lower_value(w, e->args[0]), *b = lower_value(w, e->args[1]);
  return lower_binary(w, operators[e->op], a, b, e->span);
}

struct ir_expr *lower_value(struct lower *w, const struct ast_expr *e) {
  return number(w, either(w, e), e->span);
}

struct ir_expr *lower_cond(struct lower *w, const struct ast_expr *e) {
  return truth(w, either(w, e), e->span);
}
