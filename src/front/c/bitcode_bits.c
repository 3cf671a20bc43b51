// SPDX-License-Identifier: Apache-2.0
// Builtin functions that count or turn bits, as the shifts and sums that they are.
#include "front/c/bitcode.h"

#include <string.h>

static struct c_value shifted(struct bitcode *b, struct c_value x, int64_t right) {
  if (right == 0) return x;
  enum c_op op = right > 0 ? C_LSHR : C_SHL;
  return bitcode_binary(b, op, x.type, x, bitcode_number(x.type, right > 0 ? right : -right));
}

// Bit number k, as a number.
static struct c_value bit(struct bitcode *b, struct c_value x, uint32_t k) {
  return bitcode_binary(b, C_AND, x.type, shifted(b, x, k), bitcode_number(x.type, 1));
}

static struct c_value count_ones(struct bitcode *b, struct c_value x) {
  struct c_value sum = bit(b, x, 0);
  for (uint32_t k = 1; k < x.type->bits; k++)
    sum = bitcode_binary(b, C_ADD, x.type, sum, bit(b, x, k));
  return sum;
}

// Zeros before the first one: from the top, or from bit 0.
static struct c_value count_zeros(struct bitcode *b, struct c_value x, bool top) {
  const struct c_type *truth = bitcode_integer(b, 1);
  uint32_t bits = x.type->bits;
  struct c_value found = bitcode_number(x.type, bits);
  for (uint32_t k = bits; k-- > 0;) {
    struct c_value one = bit(b, x, top ? bits - 1 - k : k);
    struct c_value is = bitcode_binary(b, C_NE, truth, one, bitcode_number(x.type, 0));
    struct c_instruction *i = bitcode_emit(b, C_SELECT, x.type, 3);
    i->args[0] = is;
    i->args[1] = bitcode_number(x.type, k);
    i->args[2] = found;
    found = bitcode_give(b, i);
  }
  return found;
}

static struct c_value swap_bytes(struct bitcode *b, struct c_value x) {
  int64_t bytes = x.type->bits / 8;
  struct c_value sum = {0};
  for (int64_t k = 0; k < bytes; k++) {
    struct c_value byte =
        bitcode_binary(b, C_AND, x.type, shifted(b, x, 8 * k), bitcode_number(x.type, 255));
    byte = shifted(b, byte, -8 * (bytes - 1 - k));
    sum = k == 0 ? byte : bitcode_binary(b, C_ADD, x.type, sum, byte);
  }
  return sum;
}

bool bitcode_bits(struct bitcode *b, const char *name, struct c_value x, struct c_value *out) {
  if (x.type->kind != C_INT || x.type->bits < 8) return false;
  if (strncmp(name, "llvm.ctpop.", 11) == 0)
    *out = count_ones(b, x);
  else if (strncmp(name, "llvm.ctlz.", 10) == 0)
    *out = count_zeros(b, x, true);
  else if (strncmp(name, "llvm.cttz.", 10) == 0)
    *out = count_zeros(b, x, false);
  else if (strncmp(name, "llvm.bswap.", 11) == 0)
    *out = swap_bytes(b, x);
  else
    return false;
  return true;
}
