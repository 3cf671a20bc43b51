// SPDX-License-Identifier: Apache-2.0
// Where arithmetic leaves its type, and division of unsigned 64-bit integers: both by arithmetic
// that stays within 64 bits.
#include "front/c/lower.h"

static const struct span nowhere;

static const struct ir_type *wide(struct c_lower *w) { return c_int_type(w, 64, true); }

static struct ir_expr *both(struct c_lower *w, enum ir_op op, struct ir_expr *a,
                            struct ir_expr *b) {
  return ir_binary(w->m, op, a, b, nowhere);
}

static enum ir_op operation(enum c_op op) {
  return op == C_SADD_OVER || op == C_UADD_OVER   ? IR_ADD
         : op == C_SSUB_OVER || op == C_USUB_OVER ? IR_SUB
                                                  : IR_MUL;
}

// Of up to 32 bits (sums: 63): 64 bits hold what comes out.
static struct ir_expr *leaves_narrow(struct c_lower *w, enum c_op op, struct ir_expr *a,
                                     struct ir_expr *b, uint32_t bits) {
  const struct ir_type *t = c_int_type(w, bits, op <= C_SMUL_OVER);
  a = c_as(w, c_as(w, a, t), wide(w));
  b = c_as(w, c_as(w, b, t), wide(w));
  struct ir_expr *r = c_stored(w, both(w, operation(op), a, b));
  struct ir_expr *low = both(w, IR_LT, r, c_number(w, wide(w), t->lo));
  return both(w, IR_OR, low, both(w, IR_GT, c_copy(w, r), c_number(w, wide(w), t->hi)));
}

// A signed sum goes down just where what is added does, or it left the type.
static struct ir_expr *leaves_signed_sum(struct c_lower *w, enum c_op op, struct ir_expr *a,
                                         struct ir_expr *b) {
  struct ir_expr *zero = c_number(w, wide(w), 0);
  struct ir_expr *down = both(w, op == C_SADD_OVER ? IR_LT : IR_GT, b, zero);
  struct ir_expr *r = both(w, operation(op), c_copy(w, a), c_copy(w, b));
  return both(w, IR_NE, down, both(w, IR_LT, r, a));
}

static struct ir_expr *leaves_signed_product(struct c_lower *w, struct ir_expr *a,
                                             struct ir_expr *b) {
  struct ir_expr *least = c_number(w, wide(w), INT64_MIN), *minus = c_number(w, wide(w), -1);
  struct ir_expr *back = both(w, IR_DIV, both(w, IR_MUL, c_copy(w, a), c_copy(w, b)), c_copy(w, a));
  struct ir_expr *wrong = both(w, IR_NE, back, c_copy(w, b));
  struct ir_expr *corner =
      both(w, IR_AND, both(w, IR_EQ, c_copy(w, a), minus), both(w, IR_EQ, c_copy(w, b), least));
  struct ir_expr *some = both(w, IR_NE, a, c_number(w, wide(w), 0));
  return both(w, IR_AND, some, both(w, IR_OR, corner, wrong));
}

static struct ir_expr *leaves_unsigned(struct c_lower *w, enum c_op op, struct ir_expr *a,
                                       struct ir_expr *b) {
  const struct ir_type *t = c_int_type(w, 64, false);
  if (op == C_USUB_OVER) return both(w, IR_LT, a, b);
  if (op == C_UADD_OVER) return both(w, IR_LT, both(w, IR_ADD, c_copy(w, a), b), a);
  struct ir_expr *some = both(w, IR_NE, c_copy(w, b), c_number(w, t, 0));
  struct ir_expr *divisor = ir_ite(w->m, c_copy(w, some), b, c_number(w, t, 1), t, nowhere);
  struct ir_expr *most = c_divide_wide(w, C_UDIV, c_number(w, t, -1), divisor);
  return both(w, IR_AND, some, both(w, IR_GT, a, most));
}

static bool is_product(enum c_op op) { return op == C_SMUL_OVER || op == C_UMUL_OVER; }

struct ir_expr *c_overflows(struct c_lower *w, enum c_op op, struct ir_expr *a, struct ir_expr *b,
                            uint32_t bits) {
  if (bits <= 32 || (bits < 64 && !is_product(op))) return leaves_narrow(w, op, a, b, bits);
  bool is_signed = op <= C_SMUL_OVER;
  a = c_stored(w, c_as(w, a, c_int_type(w, 64, is_signed)));
  b = c_stored(w, c_as(w, b, c_int_type(w, 64, is_signed)));
  if (!is_signed) return leaves_unsigned(w, op, a, b);
  return op == C_SMUL_OVER ? leaves_signed_product(w, a, b) : leaves_signed_sum(w, op, a, b);
}

// --- division ---

static struct ir_expr *is_at_least(struct c_lower *w, struct ir_expr *a, struct ir_expr *b) {
  const struct ir_type *u = c_int_type(w, 64, false);
  return ir_ite(w->m, both(w, IR_GE, a, b), c_number(w, u, 1), c_number(w, u, 0), u, nowhere);
}

// By one without its top bit, which signed division gets right as it does half of a: twice
// (a / 2) / b, and one more if what is left is not below b.
static struct ir_expr *quotient(struct c_lower *w, const struct ir_expr *a,
                                const struct ir_expr *b) {
  const struct ir_type *u = c_int_type(w, 64, false);
  struct ir_expr *half = c_as(w, both(w, IR_SHR, c_copy(w, a), c_number(w, u, 1)), wide(w));
  struct ir_expr *guess = c_as(w, both(w, IR_DIV, half, c_as(w, c_copy(w, b), wide(w))), u);
  guess = c_stored(w, both(w, IR_MUL, guess, c_number(w, u, 2)));
  struct ir_expr *taken = both(w, IR_MUL, c_copy(w, guess), c_copy(w, b));
  struct ir_expr *left = both(w, IR_SUB, c_copy(w, a), taken);
  return both(w, IR_ADD, guess, is_at_least(w, left, c_copy(w, b)));
}

// By one with its top bit it is 0 or 1.
static struct ir_expr *divide(struct c_lower *w, struct ir_expr *a, struct ir_expr *b) {
  int64_t v;
  struct ir_expr *q = quotient(w, a, b);
  if (ir_expr_const(b, &v) && v > 0) return q;
  struct ir_expr *as_signed = c_as(w, c_copy(w, b), wide(w));
  struct ir_expr *large = both(w, IR_LT, as_signed, c_number(w, wide(w), 0));
  return ir_ite(w->m, large, is_at_least(w, c_copy(w, a), c_copy(w, b)), q, q->type, nowhere);
}

// b is not 0.
struct ir_expr *c_divide_wide(struct c_lower *w, enum c_op op, struct ir_expr *a,
                              struct ir_expr *b) {
  const struct ir_type *u = c_int_type(w, 64, false);
  a = c_stored(w, c_as(w, a, u));
  b = c_stored(w, c_as(w, b, u));
  struct ir_expr *q = divide(w, c_copy(w, a), c_copy(w, b));
  if (op == C_UDIV) return q;
  return both(w, IR_SUB, a, both(w, IR_MUL, q, b));
}
