// SPDX-License-Identifier: Apache-2.0
// Arithmetic of constants, as the machine does it: modulo two to the number of bits.
#include "front/c/flow.h"

int64_t flow_sign_extend(uint64_t v, uint32_t bits) {
  if (bits == 1) return (int64_t)(v & 1); // a truth value
  if (bits == 64) return (int64_t)v;
  uint64_t sign = (uint64_t)1 << (bits - 1), mask = (sign << 1) - 1;
  return (int64_t)(((v & mask) ^ sign) - sign);
}

static uint64_t zero_extend(int64_t v, uint32_t bits) {
  return bits == 64 ? (uint64_t)v : (uint64_t)v & (((uint64_t)1 << bits) - 1);
}

// False: it is not defined.
static bool divide(enum c_op op, const struct c_value *x, const struct c_value *y, uint64_t *out) {
  uint32_t bits = x->type->bits;
  uint64_t a = zero_extend(x->number, bits), b = zero_extend(y->number, bits);
  if (b == 0) return false;
  bool is_signed = op == C_SDIV || op == C_SREM;
  if (is_signed && y->number == -1) return false; // of the least number it is not defined
  switch (op) {
  case C_UDIV: *out = a / b; break;
  case C_UREM: *out = a % b; break;
  case C_SDIV: *out = (uint64_t)(x->number / y->number); break;
  default: *out = (uint64_t)(x->number % y->number); break;
  }
  return true;
}

static bool shift(enum c_op op, const struct c_value *x, const struct c_value *y, uint64_t *out) {
  uint32_t bits = x->type->bits;
  uint64_t by = zero_extend(y->number, bits);
  if (by >= bits) return false;
  switch (op) {
  case C_SHL: *out = (uint64_t)x->number << by; break;
  case C_LSHR: *out = zero_extend(x->number, bits) >> by; break;
  default: *out = (uint64_t)(x->number >> by); break;
  }
  return true;
}

static bool arithmetic(enum c_op op, const struct c_value *x, const struct c_value *y,
                       uint64_t *out) {
  uint64_t a = (uint64_t)x->number, b = (uint64_t)y->number;
  switch (op) {
  case C_ADD: *out = a + b; return true;
  case C_SUB: *out = a - b; return true;
  case C_MUL: *out = a * b; return true;
  case C_AND: *out = a & b; return true;
  case C_OR: *out = a | b; return true;
  case C_XOR: *out = a ^ b; return true;
  case C_UDIV:
  case C_SDIV:
  case C_UREM:
  case C_SREM: return divide(op, x, y, out);
  case C_SHL:
  case C_LSHR:
  case C_ASHR: return shift(op, x, y, out);
  default: return false;
  }
}

// Of signed operations only: of others only builtin functions ask.
static bool overflow(enum c_op op, const struct c_value *x, const struct c_value *y,
                     uint64_t *out) {
  int64_t wide;
  bool over;
  switch (op) {
  case C_SADD_OVER: over = __builtin_add_overflow(x->number, y->number, &wide); break;
  case C_SSUB_OVER: over = __builtin_sub_overflow(x->number, y->number, &wide); break;
  case C_SMUL_OVER: over = __builtin_mul_overflow(x->number, y->number, &wide); break;
  default: return false;
  }
  *out = over || flow_sign_extend((uint64_t)wide, x->type->bits) != wide;
  return true;
}

static bool compare(enum c_op op, const struct c_value *x, const struct c_value *y, uint64_t *out) {
  uint64_t a = zero_extend(x->number, x->type->bits), b = zero_extend(y->number, x->type->bits);
  switch (op) {
  case C_EQ: *out = a == b; return true;
  case C_NE: *out = a != b; return true;
  case C_ULT: *out = a < b; return true;
  case C_ULE: *out = a <= b; return true;
  case C_UGT: *out = a > b; return true;
  case C_UGE: *out = a >= b; return true;
  case C_SLT: *out = x->number < y->number; return true;
  case C_SLE: *out = x->number <= y->number; return true;
  case C_SGT: *out = x->number > y->number; return true;
  case C_SGE: *out = x->number >= y->number; return true;
  default: return false;
  }
}

static bool convert(enum c_op op, const struct c_value *x, uint64_t *out) {
  switch (op) {
  case C_ZEXT: *out = zero_extend(x->number, x->type->bits); return true;
  case C_SEXT: *out = x->type->bits == 1 ? -(uint64_t)x->number : (uint64_t)x->number; return true;
  case C_TRUNC: *out = (uint64_t)x->number; return true;
  default: return false;
  }
}

static bool is_number(const struct c_value *v) {
  return v->kind == C_NUMBER && v->type->kind == C_INT;
}

bool flow_fold(const struct c_instruction *i, struct c_value *out) {
  uint64_t n = 0;
  bool known = false;
  if (i->type->kind != C_INT) return false;
  if (i->arg_count == 1 && is_number(&i->args[0])) {
    known = convert(i->op, &i->args[0], &n);
  } else if (i->arg_count == 2 && is_number(&i->args[0]) && is_number(&i->args[1])) {
    bool truth = i->args[0].type->bits == 1; // signed, 1 would be -1: left alone
    known = arithmetic(i->op, &i->args[0], &i->args[1], &n) ||
            overflow(i->op, &i->args[0], &i->args[1], &n) ||
            ((!truth || i->op < C_SLT) && compare(i->op, &i->args[0], &i->args[1], &n));
  }
  *out = (struct c_value){
      .kind = C_NUMBER, .type = i->type, .number = flow_sign_extend(n, i->type->bits)};
  return known;
}
