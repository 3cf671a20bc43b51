// SPDX-License-Identifier: Apache-2.0
// Instructions other than calls, one by one. What has an operand or result that cannot be carried
// cannot be carried either.
#include "front/c/bitcode.h"

#include <string.h>

// The word for a type that cannot be carried, or NULL.
static const char *why_not_type(const struct c_type *t) {
  return t->kind == C_OTHER && t->bytes ? t->name : NULL;
}

static const char *why_not(struct bitcode *b, LLVMValueRef v) {
  const char *why = why_not_type(bitcode_type_of(b, v));
  int n = b->l.GetNumOperands(v);
  if (b->l.GetInstructionOpcode(v) == LLVMCall) return NULL;
  for (int i = 0; i < n && !why; i++) {
    LLVMValueRef operand = b->l.GetOperand(v, (unsigned)i);
    if (b->l.GetValueKind(operand) != LLVMBasicBlockValueKind)
      why = why_not_type(bitcode_type_of(b, operand));
  }
  return why;
}

// What instructions that we have none for are called by those who write them.
static const char *kind_name(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMVAArg: return "variable arguments";
  case LLVMAtomicCmpXchg:
  case LLVMAtomicRMW: return "atomic operations";
  case LLVMIndirectBr: return "a computed goto";
  case LLVMCallBr: return "inline assembly";
  case LLVMInsertValue:
  case LLVMExtractValue: return "a struct as a value";
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector: return "vectors";
  case LLVMAlloca: return "an array whose length is not constant";
  case LLVMFNeg:
  case LLVMFCmp:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem: return "floating point";
  default: return "something that C has no name for";
  }
}

// With its operands as they are.
static struct c_instruction *translate(struct bitcode *b, LLVMValueRef v, enum c_op op,
                                       uint32_t n) {
  struct c_value *args = ARENA_ARRAY(b->p->arena, struct c_value, n);
  for (uint32_t i = 0; i < n; i++) args[i] = bitcode_value(b, b->l.GetOperand(v, i));
  struct c_instruction *i = bitcode_emit(b, op, bitcode_type_of(b, v), n);
  const struct c_value *gives = bitcode_map_get(&b->values, v);
  i->args = args;
  if (gives && gives->kind == C_REGISTER) i->index = gives->index;
  return i;
}

static uint32_t block_number(struct bitcode *b, LLVMBasicBlockRef block) {
  return (uint32_t)(uintptr_t)bitcode_map_get(&b->blocks, block) - 1;
}

static void add_targets(struct bitcode *b, LLVMValueRef v, struct c_instruction *i) {
  i->target_count = b->l.GetNumSuccessors(v);
  i->targets = ARENA_ARRAY(b->p->arena, uint32_t, i->target_count);
  for (uint32_t k = 0; k < i->target_count; k++)
    i->targets[k] = block_number(b, b->l.GetSuccessor(v, k));
}

static void branch(struct bitcode *b, LLVMValueRef v) {
  bool conditional = b->l.GetNumSuccessors(v) == 2;
  struct c_value condition = {0};
  if (conditional) condition = bitcode_value(b, b->l.GetCondition(v));
  struct c_instruction *i =
      bitcode_emit(b, conditional ? C_BRANCH : C_JUMP, bitcode_type_of(b, v), conditional);
  if (conditional) i->args[0] = condition;
  add_targets(b, v, i);
}

// Operands: the value, the default block, then value and block of each case. Successors: the
// default, then those of the cases.
static void switch_(struct bitcode *b, LLVMValueRef v) {
  uint32_t n = b->l.GetNumSuccessors(v);
  struct c_value *args = ARENA_ARRAY(b->p->arena, struct c_value, n);
  args[0] = bitcode_value(b, b->l.GetOperand(v, 0));
  for (uint32_t k = 1; k < n; k++) args[k] = bitcode_value(b, b->l.GetOperand(v, 2 * k));
  struct c_instruction *i = bitcode_emit(b, C_SWITCH, bitcode_type_of(b, v), n);
  i->args = args;
  add_targets(b, v, i);
}

static void return_(struct bitcode *b, LLVMValueRef v) {
  struct c_instruction *i = translate(b, v, C_RETURN, (uint32_t)b->l.GetNumOperands(v));
  struct c_instruction kept = *i;
  (void)VEC_POP(&b->f->blocks.data[b->block].code);
  bitcode_locals_end(b);
  VEC_PUSH(&b->f->blocks.data[b->block].code, kept);
}

// Bit-fields are read with what is beside them, set or not.
static void load(struct bitcode *b, LLVMValueRef v) {
  size_t n = 0;
  const char *name = b->l.GetValueName2(v, &n);
  translate(b, v, C_LOAD, 1)->moves = strncmp(name, "bf.load", strlen("bf.load")) == 0;
}

static void element_pointer(struct bitcode *b, LLVMValueRef v) {
  struct c_instruction *i = translate(b, v, C_GEP, (uint32_t)b->l.GetNumOperands(v));
  i->element = bitcode_type(b, b->l.GetGEPSourceElementType(v));
}

static void extract(struct bitcode *b, LLVMValueRef v) {
  LLVMValueRef from = b->l.GetOperand(v, 0);
  unsigned part = b->l.GetIndices(v)[0];
  if (b->l.GetNumIndices(v) != 1) {
    bitcode_unable(b, v, kind_name(LLVMExtractValue));
  } else if (!bitcode_overflow_part(b, v, from, part)) {
    struct c_value whole = bitcode_value(b, from);
    struct c_instruction *i = translate(b, v, C_PART, 1);
    i->args = ARENA_ARRAY(b->p->arena, struct c_value, 2);
    i->arg_count = 2;
    i->args[0] = whole;
    i->args[1] = bitcode_number(bitcode_integer(b, 32), part);
  }
}

// Nobody is there to come between: the old value is loaded, the new one stored.
static void exchange(struct bitcode *b, LLVMValueRef v) {
  static const struct {
    LLVMAtomicRMWBinOp how;
    enum c_op op;
  } rows[] = {{LLVMAtomicRMWBinOpAdd, C_ADD}, {LLVMAtomicRMWBinOpSub, C_SUB},
              {LLVMAtomicRMWBinOpAnd, C_AND}, {LLVMAtomicRMWBinOpOr, C_OR},
              {LLVMAtomicRMWBinOpXor, C_XOR}, {LLVMAtomicRMWBinOpXchg, C_COPY}};
  size_t k = 0, n = sizeof rows / sizeof *rows;
  while (k < n && rows[k].how != b->l.GetAtomicRMWBinOp(v)) k++;
  if (k == n) {
    bitcode_unable(b, v, kind_name(LLVMAtomicRMW));
    return;
  }
  struct c_value to = bitcode_value(b, b->l.GetOperand(v, 0));
  struct c_value with = bitcode_value(b, b->l.GetOperand(v, 1)), old = bitcode_value(b, v);
  translate(b, v, C_LOAD, 1);
  if (rows[k].op != C_COPY) with = bitcode_binary(b, rows[k].op, old.type, old, with);
  struct c_instruction *i = bitcode_emit(b, C_STORE, bitcode_void(b), 2);
  i->args[0] = with;
  i->args[1] = to;
}

static void other(struct bitcode *b, LLVMValueRef v, LLVMOpcode opcode) {
  enum c_op op;
  if (bitcode_arithmetic(opcode, &op))
    translate(b, v, op, 2);
  else if (bitcode_cast(opcode, &op))
    translate(b, v, op, 1);
  else
    bitcode_unable(b, v, kind_name(opcode));
}

void bitcode_instruction(struct bitcode *b, LLVMValueRef v) {
  LLVMOpcode opcode = b->l.GetInstructionOpcode(v);
  const char *why = why_not(b, v);
  b->span = bitcode_span(b, v);
  if (why) bitcode_unable(b, v, why);
  if (why && opcode != LLVMRet) return;
  switch (opcode) {
  case LLVMCall: bitcode_call(b, v); return;
  case LLVMBr: branch(b, v); return;
  case LLVMSwitch: switch_(b, v); return;
  case LLVMAlloca: bitcode_local_begin(b, v); return;
  case LLVMRet: return_(b, v); return;
  case LLVMUnreachable: translate(b, v, C_UNREACHABLE, 0); return;
  case LLVMICmp: translate(b, v, bitcode_comparison(b->l.GetICmpPredicate(v)), 2); return;
  case LLVMSelect: translate(b, v, C_SELECT, 3); return;
  case LLVMLoad: load(b, v); return;
  case LLVMStore: translate(b, v, C_STORE, 2); return;
  case LLVMGetElementPtr: element_pointer(b, v); return;
  case LLVMExtractValue: extract(b, v); return;
  case LLVMAtomicRMW: exchange(b, v); return;
  case LLVMFence:
  case LLVMPHI: return; // the latter are read when all blocks are
  default: other(b, v, opcode);
  }
}
