// SPDX-License-Identifier: Apache-2.0
// Constant expressions: evaluated on the IR that they are lowered to, every overflow seen.
#include "front/murphi/lower.h"

static bool fold_binary(enum ir_op op, int64_t a, int64_t b, int64_t *v, const char **why) {
  bool over = false;
  switch (op) {
  case IR_ADD: over = __builtin_add_overflow(a, b, v); break;
  case IR_SUB: over = __builtin_sub_overflow(a, b, v); break;
  case IR_MUL: over = __builtin_mul_overflow(a, b, v); break;
  case IR_DIV:
  case IR_MOD:
    if (b == 0) return *why = "it divides by zero", false;
    over = a == INT64_MIN && b == -1;
    if (!over) *v = op == IR_DIV ? a / b : a % b;
    break;
  case IR_BITAND: *v = a & b; break;
  case IR_BITOR: *v = a | b; break;
  case IR_BITXOR: *v = a ^ b; break;
  case IR_EQ: *v = a == b; break;
  case IR_NE: *v = a != b; break;
  case IR_LT: *v = a < b; break;
  case IR_LE: *v = a <= b; break;
  case IR_GT: *v = a > b; break;
  case IR_GE: *v = a >= b; break;
  case IR_AND: *v = a && b; break;
  case IR_OR: *v = a || b; break;
  case IR_IMPLIES: *v = !a || b; break;
  default: return false;
  }
  if (over) *why = "it does not fit into 64 bits";
  return !over;
}

// A negative count shifts the other way; as far as the width or farther leaves 0.
static int64_t shift(int64_t a, int64_t count, bool left) {
  if (count <= -64 || count >= 64) return 0;
  if (count < 0) return shift(a, -count, !left);
  return left ? (int64_t)((uint64_t)a << count) : a >> count;
}

static bool fold_unary(enum ir_op op, int64_t a, int64_t *v, const char **why) {
  if (op == IR_NEG && a == INT64_MIN) return *why = "it does not fit into 64 bits", false;
  *v = op == IR_NOT ? !a : op == IR_NEG ? -a : ~a;
  return true;
}

bool murphi_const_value(const struct ir_expr *e, int64_t *value, const char **why) {
  int64_t a, b;
  *why = NULL;
  switch (e->op) {
  case IR_CONST: *value = e->value; return true;
  case IR_NOT:
  case IR_NEG:
  case IR_BITNOT:
    return murphi_const_value(e->args[0], &a, why) && fold_unary(e->op, a, value, why);
  case IR_ITE:
    if (!murphi_const_value(e->args[0], &a, why)) return false;
    return murphi_const_value(e->args[a ? 1 : 2], value, why);
  case IR_SHL:
  case IR_SHR:
    if (!murphi_const_value(e->args[0], &a, why) || !murphi_const_value(e->args[1], &b, why))
      return false;
    *value = shift(a, b, e->op == IR_SHL);
    return true;
  default: break;
  }
  if (e->op < IR_AND || e->op > IR_SHR || !ir_type_scalar(e->args[0]->type)) return false;
  if (!murphi_const_value(e->args[0], &a, why) || !murphi_const_value(e->args[1], &b, why))
    return false;
  return fold_binary(e->op, a, b, value, why);
}

bool murphi_const_integer(struct lower *w, struct ast_expr *e, const char *what, int64_t *value) {
  const char *why;
  struct ir_expr *x = murphi_integer(w, e, what);
  if (!x) return false;
  if (murphi_const_value(x, value, &why)) return true;
  if (why)
    murphi_error(w, e->span, "expected a constant as %s, but %s", what, why);
  else
    murphi_error(w, e->span, "expected a constant as %s, known before the model runs", what);
  return false;
}
