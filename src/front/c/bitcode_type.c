// SPDX-License-Identifier: Apache-2.0
// Types of the bitcode. A struct is entered into the table before its fields are read: it may hold
// pointers to itself.
#include "front/c/bitcode.h"

#include <string.h>

// "struct.point" is point.
static const char *struct_name(struct bitcode *b, LLVMTypeRef t) {
  const char *name = b->l.GetStructName(t);
  if (!name) return "struct";
  const char *dot = strchr(name, '.');
  return arena_strdup(b->p->arena, dot && dot[1] ? dot + 1 : name);
}

static void read_struct(struct bitcode *b, LLVMTypeRef t, struct c_type *out) {
  if (b->l.IsOpaqueStruct(t)) {
    out->kind = C_OTHER;
    out->name = "an incomplete type";
    return;
  }
  out->kind = C_STRUCT;
  out->name = struct_name(b, t);
  out->field_count = b->l.CountStructElementTypes(t);
  out->fields = ARENA_ARRAY(b->p->arena, struct c_field, out->field_count);
  out->bytes = b->l.ABISizeOfType(b->layout, t);
  for (uint32_t i = 0; i < out->field_count; i++)
    out->fields[i] = (struct c_field){.type = bitcode_type(b, b->l.StructGetTypeAtIndex(t, i)),
                                      .offset = b->l.OffsetOfElement(b->layout, t, i)};
}

static void read_integer(struct bitcode *b, LLVMTypeRef t, struct c_type *out) {
  out->bits = b->l.GetIntTypeWidth(t);
  out->bytes = b->l.ABISizeOfType(b->layout, t);
  out->kind = out->bits <= 64 ? C_INT : C_OTHER;
  if (out->kind == C_OTHER)
    out->name = arena_printf(b->p->arena, "integers of %u bits", (unsigned)out->bits);
}

static void read_type(struct bitcode *b, LLVMTypeRef t, struct c_type *out) {
  switch (b->l.GetTypeKind(t)) {
  case LLVMVoidTypeKind: out->kind = C_VOID; return;
  case LLVMIntegerTypeKind: read_integer(b, t, out); return;
  case LLVMStructTypeKind: read_struct(b, t, out); return;
  case LLVMPointerTypeKind:
    out->kind = C_POINTER;
    out->bytes = b->l.ABISizeOfType(b->layout, t);
    out->to = bitcode_type(b, b->l.GetElementType(t));
    return;
  case LLVMArrayTypeKind:
    out->kind = C_ARRAY;
    out->count = b->l.GetArrayLength(t);
    out->to = bitcode_type(b, b->l.GetElementType(t));
    out->bytes = out->to->bytes * out->count;
    return;
  case LLVMFunctionTypeKind:
    out->kind = C_OTHER;
    out->name = "a function";
    return;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
    out->kind = C_OTHER;
    out->name = "floating point";
    out->bytes = b->l.ABISizeOfType(b->layout, t);
    return;
  case LLVMVectorTypeKind:
    out->kind = C_OTHER;
    out->name = "vectors";
    out->bytes = b->l.ABISizeOfType(b->layout, t);
    return;
  default: out->kind = C_OTHER; out->name = "a type that C does not have";
  }
}

const struct c_type *bitcode_type(struct bitcode *b, LLVMTypeRef t) {
  struct c_type *found = bitcode_map_get(&b->types, t);
  if (found) return found;
  found = ARENA_NEW(b->p->arena, struct c_type);
  bitcode_map_set(&b->types, t, found);
  VEC_PUSH(&b->p->types, found);
  read_type(b, t, found);
  return found;
}

const struct c_type *bitcode_type_of(struct bitcode *b, LLVMValueRef v) {
  return bitcode_type(b, b->l.TypeOf(v));
}

const struct c_type *bitcode_integer(struct bitcode *b, unsigned bits) {
  return bitcode_type(b, b->l.IntTypeInContext(b->context, bits));
}

const struct c_type *bitcode_void(struct bitcode *b) {
  return bitcode_type(b, b->l.VoidTypeInContext(b->context));
}

uint64_t bitcode_scalars(const struct c_type *t) {
  uint64_t n = 0;
  if (t->kind == C_ARRAY) {
    n = bitcode_scalars(t->to);
    return n && t->count > UINT64_MAX / n ? UINT64_MAX : n * t->count;
  }
  if (t->kind != C_STRUCT) return 1;
  for (uint32_t i = 0; i < t->field_count; i++) {
    uint64_t more = bitcode_scalars(t->fields[i].type);
    n = more > UINT64_MAX - n ? UINT64_MAX : n + more;
  }
  return n;
}
