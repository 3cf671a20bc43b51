// SPDX-License-Identifier: Apache-2.0
// Adds instructions, and says which of ours an instruction of LLVM's is.
#include "front/c/bitcode.h"

struct c_instruction *bitcode_emit(struct bitcode *b, enum c_op op, const struct c_type *type,
                                   uint32_t arg_count) {
  struct c_block *block = &b->f->blocks.data[b->block];
  struct c_instruction i = {.op = op,
                            .type = type,
                            .args = ARENA_ARRAY(b->p->arena, struct c_value, arg_count),
                            .arg_count = arg_count,
                            .span = b->span,
                            .function = b->f->name};
  VEC_PUSH(&block->code, i);
  return &VEC_TOP(&block->code);
}

struct c_value bitcode_give(struct bitcode *b, struct c_instruction *i) {
  i->index = (uint32_t)b->f->registers.count;
  VEC_PUSH(&b->f->registers, ((struct c_register){.type = i->type}));
  return (struct c_value){.kind = C_REGISTER, .type = i->type, .index = i->index};
}

struct c_value bitcode_binary(struct bitcode *b, enum c_op op, const struct c_type *type,
                              struct c_value x, struct c_value y) {
  struct c_instruction *i = bitcode_emit(b, op, type, 2);
  i->args[0] = x;
  i->args[1] = y;
  return bitcode_give(b, i);
}

void bitcode_unable(struct bitcode *b, LLVMValueRef instruction, const char *what) {
  const struct c_type *type = bitcode_type_of(b, instruction);
  struct c_value *gives = bitcode_map_get(&b->values, instruction);
  struct c_instruction *i = bitcode_emit(b, C_UNABLE, type, 0);
  i->name = what;
  if (gives && gives->kind == C_REGISTER) i->index = gives->index;
}

bool bitcode_arithmetic(LLVMOpcode opcode, enum c_op *op) {
  static const struct {
    LLVMOpcode opcode;
    enum c_op op;
  } rows[] = {{LLVMAdd, C_ADD},   {LLVMSub, C_SUB},   {LLVMMul, C_MUL},   {LLVMUDiv, C_UDIV},
              {LLVMSDiv, C_SDIV}, {LLVMURem, C_UREM}, {LLVMSRem, C_SREM}, {LLVMShl, C_SHL},
              {LLVMLShr, C_LSHR}, {LLVMAShr, C_ASHR}, {LLVMAnd, C_AND},   {LLVMOr, C_OR},
              {LLVMXor, C_XOR}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].opcode == opcode) return *op = rows[i].op, true;
  return false;
}

bool bitcode_cast(LLVMOpcode opcode, enum c_op *op) {
  switch (opcode) {
  case LLVMZExt: *op = C_ZEXT; return true;
  case LLVMSExt: *op = C_SEXT; return true;
  case LLVMTrunc: *op = C_TRUNC; return true;
  case LLVMBitCast:
  case LLVMAddrSpaceCast: *op = C_BITCAST; return true;
  case LLVMPtrToInt: *op = C_PTRTOINT; return true;
  case LLVMIntToPtr: *op = C_INTTOPTR; return true;
  case LLVMFreeze: *op = C_COPY; return true;
  default: return false;
  }
}

enum c_op bitcode_comparison(LLVMIntPredicate predicate) {
  switch (predicate) {
  case LLVMIntEQ: return C_EQ;
  case LLVMIntNE: return C_NE;
  case LLVMIntUGT: return C_UGT;
  case LLVMIntUGE: return C_UGE;
  case LLVMIntULT: return C_ULT;
  case LLVMIntULE: return C_ULE;
  case LLVMIntSGT: return C_SGT;
  case LLVMIntSGE: return C_SGE;
  case LLVMIntSLT: return C_SLT;
  case LLVMIntSLE: return C_SLE;
  }
  return C_EQ;
}
