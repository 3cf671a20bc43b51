// SPDX-License-Identifier: Apache-2.0
// Variables of functions. One lives from its declaration on, each time that is come to (its value
// is lost there); it is alive before, too, if some way leads round the declaration to a use: by
// goto, or into a switch.
#include "front/c/bitcode.h"

#include <string.h>

static const char *full_name(struct bitcode *b, const char *name) {
  if (strcmp(b->f->name, "main") == 0) return arena_strdup(b->p->arena, name);
  return arena_printf(b->p->arena, "%s.%s", b->f->name, name);
}

// An object that stands for the pointer v.
static struct c_value add_object(struct bitcode *b, LLVMValueRef v, const struct c_type *type) {
  size_t n = 0;
  const char *name = b->l.GetValueName2(v, &n);
  struct c_object o = {.name = full_name(b, n ? name : "temporary"),
                       .type = type,
                       .span = b->f->span,
                       .is_temporary = true,
                       .scalars = bitcode_scalars(type)};
  struct c_value at = {
      .kind = C_OBJECT, .type = bitcode_type_of(b, v), .index = (uint32_t)b->p->objects.count};
  VEC_PUSH(&b->p->objects, o);
  VEC_PUSH(&b->locals, at);
  bitcode_value_set(b, v, at);
  return at;
}

// The variable that a dbg.declare is of: an alloca or an argument; NULL: none.
static LLVMValueRef declared(struct bitcode *b, LLVMValueRef declare) {
  LLVMValueRef of = b->l.GetOperand(declare, 0), v = NULL;
  if (b->l.GetMDNodeNumOperands(of) == 1) b->l.GetMDNodeOperands(of, &v);
  return v;
}

// One with a length that is not constant: a register, which nothing can be done with.
static bool is_fixed(struct bitcode *b, LLVMValueRef alloca) {
  LLVMValueRef n = b->l.GetOperand(alloca, 0);
  return b->l.IsAConstantInt(n) && b->l.ConstIntGetSExtValue(n) == 1;
}

static bool is_declare(struct bitcode *b, LLVMValueRef v) {
  size_t n = 0;
  if (b->l.GetInstructionOpcode(v) != LLVMCall) return false;
  LLVMValueRef f = b->l.GetCalledValue(v);
  return b->l.GetValueKind(f) == LLVMFunctionValueKind &&
         strcmp(b->l.GetValueName2(f, &n), "llvm.dbg.declare") == 0;
}

static void name_local(struct bitcode *b, LLVMValueRef declare) {
  LLVMValueRef v = declared(b, declare);
  const struct c_value *known = v ? bitcode_map_get(&b->values, v) : NULL;
  if (!known || known->kind != C_OBJECT) return;
  struct c_object *o = &b->p->objects.data[known->index];
  LLVMMetadataRef description = b->l.ValueAsMetadata(b->l.GetOperand(declare, 1));
  struct bitcode_variable d = bitcode_variable(b, description, o->type);
  if (d.name) o->name = full_name(b, d.name);
  o->is_temporary = d.name == NULL;
  o->span = bitcode_span(b, declare);
  if (o->span.line == 0) o->span = d.span;
  o->is_unsigned = d.is_unsigned;
  if (b->l.GetValueKind(v) == LLVMInstructionValueKind) bitcode_map_set(&b->declared, v, declare);
}

void bitcode_locals(struct bitcode *b, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = b->l.GetFirstBasicBlock(function); block;
       block = b->l.GetNextBasicBlock(block))
    for (LLVMValueRef v = b->l.GetFirstInstruction(block); v; v = b->l.GetNextInstruction(v)) {
      if (b->l.GetInstructionOpcode(v) == LLVMAlloca && is_fixed(b, v))
        add_object(b, v, bitcode_type(b, b->l.GetAllocatedType(v)));
      if (is_declare(b, v)) name_local(b, v);
    }
}

// --- lives ---

static void mark(struct bitcode *b, enum c_op op, struct c_value object) {
  bitcode_emit(b, op, bitcode_void(b), 1)->args[0] = object;
}

// The blocks that can be come to without passing through block `avoid`.
static bool *reach_without(const struct bitcode *b, LLVMValueRef function, uint32_t avoid) {
  size_t n = b->f->blocks.count, top = 0;
  bool *seen = mem_zalloc(n, sizeof *seen);
  LLVMBasicBlockRef *todo = mem_alloc((n + 1) * sizeof *todo);
  todo[top++] = b->l.GetFirstBasicBlock(function);
  seen[0] = true;
  while (top) {
    LLVMValueRef end = b->l.GetBasicBlockTerminator(todo[--top]);
    unsigned ways = b->l.GetNumSuccessors(end);
    for (unsigned i = 0; i < ways; i++) {
      LLVMBasicBlockRef to = b->l.GetSuccessor(end, i);
      uint32_t k = (uint32_t)(uintptr_t)bitcode_map_get(&b->blocks, to) - 1;
      if (seen[k] || k == avoid) continue;
      seen[k] = true;
      todo[top++] = to;
    }
  }
  mem_free(todo);
  return seen;
}

static uint32_t block_of(const struct bitcode *b, LLVMValueRef instruction) {
  LLVMBasicBlockRef block = b->l.GetInstructionParent(instruction);
  return (uint32_t)(uintptr_t)bitcode_map_get(&b->blocks, block) - 1;
}

// Is x before y in their block?
static bool is_before(const struct bitcode *b, LLVMValueRef x, LLVMValueRef y) {
  for (; x; x = b->l.GetNextInstruction(x))
    if (x == y) return true;
  return false;
}

// Is the variable used before its declaration is come to?
static bool used_early(struct bitcode *b, LLVMValueRef alloca, LLVMValueRef declare) {
  uint32_t home = block_of(b, declare);
  bool early = false;
  bool *seen = home == 0 ? NULL : reach_without(b, b->function, home);
  for (LLVMUseRef u = b->l.GetFirstUse(alloca); u && !early; u = b->l.GetNextUse(u)) {
    LLVMValueRef user = b->l.GetUser(u);
    uint32_t k = block_of(b, user);
    early = k == home ? is_before(b, user, declare) : seen && seen[k];
  }
  mem_free(seen);
  return early;
}

// Those of arguments are set before they are declared: both in the first block, which is never come
// back to.
void bitcode_local_begin(struct bitcode *b, LLVMValueRef alloca) {
  const struct c_value *v = bitcode_map_get(&b->values, alloca);
  LLVMValueRef declare = bitcode_map_get(&b->declared, alloca);
  if (v->kind != C_OBJECT) {
    bitcode_unable(b, alloca, "an array whose length is not constant");
    return;
  }
  bool early = !declare || used_early(b, alloca, declare);
  if (early) mark(b, C_ENTER, *v);
  if (early && declare && block_of(b, declare) == 0) bitcode_map_set(&b->declared, alloca, NULL);
}

void bitcode_local_declare(struct bitcode *b, LLVMValueRef declare) {
  LLVMValueRef of = declared(b, declare);
  if (of && bitcode_map_get(&b->declared, of) == declare)
    mark(b, C_ENTER, *(const struct c_value *)bitcode_map_get(&b->values, of));
}

void bitcode_locals_end(struct bitcode *b) {
  for (size_t i = 0; i < b->locals.count; i++) mark(b, C_LEAVE, b->locals.data[i]);
}

// A struct handed over as such: the caller's is copied.
void bitcode_local_arguments(struct bitcode *b, LLVMValueRef function) {
  for (uint32_t k = 0; k < b->f->param_count; k++) {
    LLVMAttributeRef byval = b->l.GetEnumAttributeAtIndex(function, k + 1, b->byval);
    if (!byval) continue;
    LLVMValueRef param = b->l.GetParam(function, k);
    struct c_value from = bitcode_value(b, param);
    const struct c_type *type = bitcode_type(b, b->l.GetTypeAttributeValue(byval));
    struct c_value to = add_object(b, param, type);
    mark(b, C_ENTER, to);
    struct c_instruction *i = bitcode_emit(b, C_MEMCPY, bitcode_void(b), 3);
    i->args[0] = to;
    i->args[1] = from;
    i->args[2] = bitcode_number(bitcode_integer(b, 64), (int64_t)type->bytes);
  }
}
