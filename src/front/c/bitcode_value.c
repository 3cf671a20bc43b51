// SPDX-License-Identifier: Apache-2.0
// Operands, constants, and what globals begin with.
#include "front/c/bitcode.h"

struct c_value bitcode_number(const struct c_type *t, int64_t number) {
  return (struct c_value){.kind = C_NUMBER, .type = t, .number = number};
}

void bitcode_value_set(struct bitcode *b, LLVMValueRef v, struct c_value value) {
  struct c_value *kept = ARENA_NEW(b->p->arena, struct c_value);
  *kept = value;
  bitcode_map_set(&b->values, v, kept);
}

// --- constant expressions, as instructions ---

static struct c_value with_operands(struct bitcode *b, enum c_op op, LLVMValueRef e) {
  uint32_t n = (uint32_t)b->l.GetNumOperands(e);
  struct c_value *args = ARENA_ARRAY(b->p->arena, struct c_value, n);
  for (uint32_t i = 0; i < n; i++) args[i] = bitcode_value(b, b->l.GetOperand(e, i));
  struct c_instruction *i = bitcode_emit(b, op, bitcode_type_of(b, e), n);
  i->args = args;
  if (op == C_GEP) i->element = bitcode_type(b, b->l.GetGEPSourceElementType(e));
  return bitcode_give(b, i);
}

static struct c_value expression(struct bitcode *b, LLVMValueRef e) {
  const struct c_type *type = bitcode_type_of(b, e);
  LLVMOpcode opcode = b->l.GetConstOpcode(e);
  enum c_op op = C_GEP;
  if (opcode == LLVMICmp)
    op = bitcode_comparison(b->l.GetICmpPredicate(e));
  else if (opcode == LLVMSelect)
    op = C_SELECT;
  else if (opcode != LLVMGetElementPtr && !bitcode_arithmetic(opcode, &op) &&
           !bitcode_cast(opcode, &op))
    op = C_UNABLE;
  if (op == C_UNABLE) {
    struct c_instruction *i = bitcode_emit(b, C_UNABLE, type, 0);
    i->name = type->kind == C_OTHER ? type->name : "a constant of this kind";
    return bitcode_give(b, i);
  }
  return with_operands(b, op, e);
}

// --- operands ---

static struct c_value constant_integer(struct bitcode *b, LLVMValueRef v, const struct c_type *t) {
  if (t->kind != C_INT) return (struct c_value){.kind = C_UNDEF, .type = t};
  int64_t number = b->l.ConstIntGetSExtValue(v);
  return bitcode_number(t, t->bits == 1 ? number & 1 : number);
}

struct c_value bitcode_value(struct bitcode *b, LLVMValueRef v) {
  const struct c_value *known = bitcode_map_get(&b->values, v);
  if (known) return *known;
  const struct c_type *t = bitcode_type_of(b, v);
  switch (b->l.GetValueKind(v)) {
  case LLVMConstantIntValueKind: return constant_integer(b, v, t);
  case LLVMConstantPointerNullValueKind: return (struct c_value){.kind = C_NULL, .type = t};
  case LLVMConstantExprValueKind: return expression(b, v);
  default: return (struct c_value){.kind = C_UNDEF, .type = t};
  }
}

// --- what globals begin with ---

struct filler {
  struct bitcode *b;
  struct c_value *out;
  uint64_t at;
};

static const struct c_type *element_type(const struct c_type *t, int64_t k) {
  return t->kind == C_STRUCT ? t->fields[k].type : t->to;
}

// How many bytes a constant getelementptr moves its pointer by.
static int64_t offset_of(struct bitcode *b, LLVMValueRef gep) {
  const struct c_type *t = bitcode_type(b, b->l.GetGEPSourceElementType(gep));
  int n = b->l.GetNumOperands(gep);
  int64_t offset = b->l.ConstIntGetSExtValue(b->l.GetOperand(gep, 1)) * (int64_t)t->bytes;
  for (int i = 2; i < n; i++) {
    int64_t k = b->l.ConstIntGetSExtValue(b->l.GetOperand(gep, (unsigned)i));
    const struct c_type *next = element_type(t, k);
    offset += t->kind == C_STRUCT ? (int64_t)t->fields[k].offset : k * (int64_t)next->bytes;
    t = next;
  }
  return offset;
}

// A constant that is one scalar.
static struct c_value scalar(struct bitcode *b, LLVMValueRef c, const struct c_type *t) {
  struct c_value v = {.kind = C_UNDEF, .type = t};
  if (b->l.GetValueKind(c) != LLVMConstantExprValueKind) return bitcode_value(b, c);
  LLVMOpcode opcode = b->l.GetConstOpcode(c);
  LLVMValueRef from = b->l.GetOperand(c, 0);
  if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast) {
    v = scalar(b, from, t);
    if (opcode == LLVMGetElementPtr) v.number += offset_of(b, c);
  } else if (opcode == LLVMIntToPtr && b->l.IsAConstantInt(from)) {
    v = bitcode_number(t, b->l.ConstIntGetSExtValue(from));
  }
  if (v.kind == C_NULL && v.number) v.kind = C_NUMBER;
  v.type = t;
  return v;
}

static LLVMValueRef element(struct bitcode *b, LLVMValueRef c, unsigned k) {
  return b->l.GetValueKind(c) == LLVMConstantDataArrayValueKind ? b->l.GetElementAsConstant(c, k)
                                                                : b->l.GetOperand(c, k);
}

static struct c_value empty(const struct c_type *t, bool undefined) {
  enum c_value_kind kind = undefined || t->kind == C_OTHER ? C_UNDEF
                           : t->kind == C_POINTER          ? C_NULL
                                                           : C_NUMBER;
  return (struct c_value){.kind = kind, .type = t};
}

// c NULL: nothing is known of it, or (zero) it is all zero.
static void fill(struct filler *f, LLVMValueRef c, const struct c_type *t, bool zero) {
  struct bitcode *b = f->b;
  if (c && (b->l.IsUndef(c) || b->l.IsNull(c))) {
    zero = !b->l.IsUndef(c);
    c = NULL;
  }
  if (t->kind != C_ARRAY && t->kind != C_STRUCT) {
    f->out[f->at++] = c ? scalar(b, c, t) : empty(t, !zero);
    return;
  }
  uint64_t n = t->kind == C_ARRAY ? t->count : t->field_count;
  for (uint64_t i = 0; i < n; i++)
    fill(f, c ? element(b, c, (unsigned)i) : NULL, element_type(t, (int64_t)i), zero);
}

struct c_value *bitcode_initial(struct bitcode *b, LLVMValueRef constant, const struct c_type *t,
                                uint64_t scalars) {
  struct filler f = {.b = b, .out = ARENA_ARRAY(b->p->arena, struct c_value, scalars)};
  fill(&f, constant, t, false);
  assert(f.at == scalars);
  return f.out;
}
