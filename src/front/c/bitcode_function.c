// SPDX-License-Identifier: Apache-2.0
// The body of a function: what can be referred to before it is read is numbered first (blocks,
// registers, variables), then the blocks are read, then the phis.
#include "front/c/bitcode.h"

#include <string.h>

static void number_blocks(struct bitcode *b) {
  for (LLVMBasicBlockRef block = b->l.GetFirstBasicBlock(b->function); block;
       block = b->l.GetNextBasicBlock(block)) {
    const char *name = b->l.GetBasicBlockName(block);
    VEC_PUSH(&b->f->blocks, ((struct c_block){.name = arena_strdup(b->p->arena, name)}));
    bitcode_map_set(&b->blocks, block, (void *)(uintptr_t)b->f->blocks.count);
  }
}

static void number_arguments(struct bitcode *b) {
  for (uint32_t k = 0; k < b->f->param_count; k++)
    bitcode_value_set(b, b->l.GetParam(b->function, k),
                      (struct c_value){.kind = C_ARGUMENT, .type = b->f->params[k], .index = k});
}

static void number_register(struct bitcode *b, LLVMValueRef v) {
  const struct c_type *type = bitcode_type_of(b, v);
  if (type->kind == C_VOID || bitcode_map_get(&b->values, v)) return; // variables have their own
  uint32_t index = (uint32_t)b->f->registers.count;
  VEC_PUSH(&b->f->registers, ((struct c_register){.type = type}));
  bitcode_value_set(b, v, (struct c_value){.kind = C_REGISTER, .type = type, .index = index});
}

static void number_registers(struct bitcode *b) {
  for (LLVMBasicBlockRef block = b->l.GetFirstBasicBlock(b->function); block;
       block = b->l.GetNextBasicBlock(block))
    for (LLVMValueRef v = b->l.GetFirstInstruction(block); v; v = b->l.GetNextInstruction(v))
      number_register(b, v);
}

// A block whose end cannot be carried ends all the same.
static void end_block(struct bitcode *b) {
  const struct c_block *block = &b->f->blocks.data[b->block];
  if (block->code.count == 0 || VEC_TOP(&block->code).op < C_JUMP)
    bitcode_emit(b, C_UNREACHABLE, bitcode_void(b), 0);
}

static void read_block(struct bitcode *b, LLVMBasicBlockRef block) {
  for (LLVMValueRef v = b->l.GetFirstInstruction(block); v; v = b->l.GetNextInstruction(v))
    bitcode_instruction(b, v);
  end_block(b);
}

// The value that comes from a block; what must be computed for it, is there, before its end.
static struct c_value incoming(struct bitcode *b, LLVMValueRef v, uint32_t from) {
  struct c_block *block = &b->f->blocks.data[from];
  struct c_instruction end = VEC_POP(&block->code);
  b->block = from;
  b->span = end.span;
  struct c_value value = bitcode_value(b, v);
  VEC_PUSH(&b->f->blocks.data[from].code, end);
  return value;
}

static void read_phi(struct bitcode *b, LLVMValueRef v, uint32_t block) {
  const struct c_value *gives = bitcode_map_get(&b->values, v);
  uint32_t n = b->l.CountIncoming(v);
  struct c_phi phi = {.index = gives->index,
                      .type = gives->type,
                      .blocks = ARENA_ARRAY(b->p->arena, uint32_t, n),
                      .values = ARENA_ARRAY(b->p->arena, struct c_value, n),
                      .count = n};
  for (uint32_t i = 0; i < n; i++) {
    LLVMBasicBlockRef from = b->l.GetIncomingBlock(v, i);
    phi.blocks[i] = (uint32_t)(uintptr_t)bitcode_map_get(&b->blocks, from) - 1;
    phi.values[i] = incoming(b, b->l.GetIncomingValue(v, i), phi.blocks[i]);
  }
  VEC_PUSH(&b->f->blocks.data[block].phis, phi);
}

static void read_phis(struct bitcode *b) {
  uint32_t number = 0;
  for (LLVMBasicBlockRef block = b->l.GetFirstBasicBlock(b->function); block;
       block = b->l.GetNextBasicBlock(block), number++)
    for (LLVMValueRef v = b->l.GetFirstInstruction(block);
         v && b->l.GetInstructionOpcode(v) == LLVMPHI; v = b->l.GetNextInstruction(v))
      read_phi(b, v, number);
}

void bitcode_function(struct bitcode *b, LLVMValueRef function, uint32_t number) {
  b->f = &b->p->functions.data[number];
  b->function = function;
  b->block = 0;
  b->span = b->f->span;
  b->locals.count = 0;
  number_blocks(b);
  if (strcmp(b->f->name, "main") == 0 && b->l.GetNamedGlobal(b->module, "llvm.global_ctors"))
    bitcode_emit(b, C_UNABLE, bitcode_void(b), 0)->name = "a function that runs before main";
  number_arguments(b);
  bitcode_local_arguments(b, function);
  bitcode_locals(b, function);
  number_registers(b);
  for (LLVMBasicBlockRef block = b->l.GetFirstBasicBlock(function); block;
       block = b->l.GetNextBasicBlock(block), b->block++)
    read_block(b, block);
  read_phis(b);
}
