// SPDX-License-Identifier: Apache-2.0
// Private to bitcode*.c: the reader of a module. Values and types of LLVM's are looked up by their
// addresses.
#pragma once

#include "front/c/llvm.h"
#include "front/c/program.h"

// --- bitcode_map.c: from addresses to addresses ---
struct bitcode_map {
  const void **keys; // NULL: free
  void **values;
  size_t count, capacity;
};
void *bitcode_map_get(const struct bitcode_map *m, const void *key); // NULL: not there
void bitcode_map_set(struct bitcode_map *m, const void *key, void *value);
void bitcode_map_clear(struct bitcode_map *m);

struct bitcode {
  struct llvm l;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  struct c_program *p;
  struct source *source; // the program's own
  struct diag *d;
  struct bitcode_map types;   // LLVMTypeRef: struct c_type
  struct bitcode_map values;  // LLVMValueRef: struct c_value
  struct bitcode_map blocks;  // LLVMBasicBlockRef: its number + 1
  struct bitcode_map files;   // DIFile: struct source
  struct bitcode_map visited; // DI types whose members were looked at
  unsigned byval;             // the number of this attribute
  // the function being read
  struct c_function *f;
  uint32_t number;
  uint32_t block; // that instructions go to
  LLVMValueRef function;
  VEC(struct c_value) locals;  // the addresses of its variables
  struct bitcode_map declared; // alloca: its dbg.declare
  struct span span;            // of what is being read
};

// --- bitcode_type.c ---
const struct c_type *bitcode_type(struct bitcode *b, LLVMTypeRef t);
const struct c_type *bitcode_type_of(struct bitcode *b, LLVMValueRef v);
const struct c_type *bitcode_integer(struct bitcode *b, unsigned bits);
const struct c_type *bitcode_void(struct bitcode *b);
// Scalars in it, depth first; UINT64_MAX: past counting.
uint64_t bitcode_scalars(const struct c_type *t);

// --- bitcode_debug.c: what the debug information tells ---
struct bitcode_variable {
  char *name; // NULL: not known
  struct span span;
  bool is_unsigned;
  bool in_function; // a static local
};
struct span bitcode_span(struct bitcode *b, LLVMValueRef instruction);
struct span bitcode_function_span(struct bitcode *b, LLVMValueRef function, const char *name);
// Of the description that dbg.declare or a global carries; fields of its type get their names.
struct bitcode_variable bitcode_variable(struct bitcode *b, LLVMMetadataRef variable,
                                         const struct c_type *type);
struct bitcode_variable bitcode_global_variable(struct bitcode *b, LLVMValueRef global,
                                                const struct c_type *type);

// --- bitcode_value.c ---
struct c_value bitcode_number(const struct c_type *t, int64_t number);
// An operand. Constant expressions become instructions of the current block.
struct c_value bitcode_value(struct bitcode *b, LLVMValueRef v);
void bitcode_value_set(struct bitcode *b, LLVMValueRef v, struct c_value value);
// The values of the scalars of a constant, as `initial` has them.
struct c_value *bitcode_initial(struct bitcode *b, LLVMValueRef constant, const struct c_type *t,
                                uint64_t scalars);

// --- bitcode_emit.c: adds an instruction to the current block ---
struct c_instruction *bitcode_emit(struct bitcode *b, enum c_op op, const struct c_type *type,
                                   uint32_t arg_count);
// A register of its own for what the instruction gives.
struct c_value bitcode_give(struct bitcode *b, struct c_instruction *i);
struct c_value bitcode_binary(struct bitcode *b, enum c_op op, const struct c_type *type,
                              struct c_value x, struct c_value y);
void bitcode_unable(struct bitcode *b, LLVMValueRef instruction, const char *what);
bool bitcode_arithmetic(LLVMOpcode opcode, enum c_op *op); // two operands
bool bitcode_cast(LLVMOpcode opcode, enum c_op *op);
enum c_op bitcode_comparison(LLVMIntPredicate predicate);

// --- bitcode_call.c ---
void bitcode_call(struct bitcode *b, LLVMValueRef call);
// Part `part` of the pair that an llvm.*.with.overflow gives; false: it is none.
bool bitcode_overflow_part(struct bitcode *b, LLVMValueRef extract, LLVMValueRef call,
                           unsigned part);

// --- bitcode_bits.c: builtin functions of one integer; false: it is none of those ---
bool bitcode_bits(struct bitcode *b, const char *name, struct c_value x, struct c_value *out);

// --- bitcode_code.c ---
void bitcode_instruction(struct bitcode *b, LLVMValueRef instruction);
// --- bitcode_local.c: the variables of a function ---
// All of them, with their names; the locals that live as long as it runs.
void bitcode_locals(struct bitcode *b, LLVMValueRef function);
// Their lives begin where they are allocated, or declared, and end with the function.
void bitcode_local_begin(struct bitcode *b, LLVMValueRef alloca);
void bitcode_local_declare(struct bitcode *b, LLVMValueRef declare);
void bitcode_locals_end(struct bitcode *b);
// Arguments that are copies of structs are variables, too.
void bitcode_local_arguments(struct bitcode *b, LLVMValueRef function);
// --- bitcode_function.c: the body ---
void bitcode_function(struct bitcode *b, LLVMValueRef function, uint32_t number);
