// SPDX-License-Identifier: Apache-2.0
// Calls: LLVM's own functions become instructions, all others stay calls.
#include "front/c/bitcode.h"

#include <string.h>

static bool begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

// The function behind casts: one called without a prototype is called through one.
static LLVMValueRef callee(struct bitcode *b, LLVMValueRef call) {
  LLVMValueRef f = b->l.GetCalledValue(call);
  while (b->l.IsAConstantExpr(f) && b->l.GetConstOpcode(f) == LLVMBitCast)
    f = b->l.GetOperand(f, 0);
  return f;
}

static const char *callee_name(struct bitcode *b, LLVMValueRef call) {
  size_t n = 0;
  LLVMValueRef f = callee(b, call);
  return b->l.GetValueKind(f) == LLVMFunctionValueKind ? b->l.GetValueName2(f, &n) : NULL;
}

static struct c_value argument(struct bitcode *b, LLVMValueRef call, unsigned k) {
  return bitcode_value(b, b->l.GetOperand(call, k));
}

// The instruction that gives what the call gives.
static struct c_instruction *replace(struct bitcode *b, LLVMValueRef call, enum c_op op,
                                     uint32_t arg_count) {
  struct c_instruction *i = bitcode_emit(b, op, bitcode_type_of(b, call), arg_count);
  const struct c_value *gives = bitcode_map_get(&b->values, call);
  if (gives) i->index = gives->index;
  return i;
}

static void copy(struct bitcode *b, LLVMValueRef call, struct c_value v) {
  replace(b, call, C_COPY, 1)->args[0] = v;
}

// --- LLVM's own ---

static void move_bytes(struct bitcode *b, LLVMValueRef call, enum c_op op) {
  struct c_value args[3];
  for (unsigned k = 0; k < 3; k++) args[k] = argument(b, call, k);
  struct c_instruction *i = replace(b, call, op, 3);
  memcpy(i->args, args, sizeof args);
}

// x < y ? x : y and the like.
static void choose(struct bitcode *b, LLVMValueRef call, enum c_op op) {
  struct c_value x = argument(b, call, 0), y = argument(b, call, 1);
  struct c_value first = bitcode_binary(b, op, bitcode_integer(b, 1), x, y);
  struct c_instruction *i = replace(b, call, C_SELECT, 3);
  i->args[0] = first;
  i->args[1] = x;
  i->args[2] = y;
}

static void absolute(struct bitcode *b, LLVMValueRef call) {
  struct c_value x = argument(b, call, 0), zero = bitcode_number(x.type, 0);
  struct c_value negated = bitcode_binary(b, C_SUB, x.type, zero, x);
  struct c_value negative = bitcode_binary(b, C_SLT, bitcode_integer(b, 1), x, zero);
  struct c_instruction *i = replace(b, call, C_SELECT, 3);
  i->args[0] = negative;
  i->args[1] = negated;
  i->args[2] = x;
}

static bool overflow_op(const char *name, enum c_op *op, enum c_op *over) {
  static const struct {
    const char *name;
    enum c_op op, over;
  } rows[] = {{"llvm.sadd.with.overflow.", C_ADD, C_SADD_OVER},
              {"llvm.ssub.with.overflow.", C_SUB, C_SSUB_OVER},
              {"llvm.smul.with.overflow.", C_MUL, C_SMUL_OVER},
              {"llvm.uadd.with.overflow.", C_ADD, C_UADD_OVER},
              {"llvm.usub.with.overflow.", C_SUB, C_USUB_OVER},
              {"llvm.umul.with.overflow.", C_MUL, C_UMUL_OVER}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (begins(name, rows[i].name)) {
      *op = rows[i].op;
      *over = rows[i].over;
      return true;
    }
  return false;
}

bool bitcode_overflow_part(struct bitcode *b, LLVMValueRef extract, LLVMValueRef pair,
                           unsigned part) {
  enum c_op op, over;
  if (b->l.GetValueKind(pair) != LLVMInstructionValueKind ||
      b->l.GetInstructionOpcode(pair) != LLVMCall)
    return false;
  const char *name = callee_name(b, pair);
  if (!name || !overflow_op(name, &op, &over)) return false;
  struct c_value x = argument(b, pair, 0), y = argument(b, pair, 1);
  if (x.type->kind != C_INT) {
    bitcode_unable(b, extract, x.type->name);
    return true;
  }
  struct c_instruction *i = replace(b, extract, part == 0 ? op : over, 2);
  i->args[0] = x;
  i->args[1] = y;
  return true;
}

// What has nothing to do with the values of the program.
static bool is_idle(const char *name) {
  static const char *const names[] = {"llvm.dbg.",         "llvm.lifetime.",
                                      "llvm.assume",       "llvm.donothing",
                                      "llvm.stackrestore", "llvm.var.annotation",
                                      "llvm.prefetch",     "llvm.experimental.noalias.scope.decl"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(name, names[i])) return true;
  return false;
}

static const char *why_not(struct bitcode *b, LLVMValueRef call, const char *name) {
  const struct c_type *t = bitcode_type_of(b, call);
  if (begins(name, "llvm.va_")) return "variable arguments";
  if (t->kind == C_OTHER) return t->name;
  if (begins(name, "llvm.eh.")) return "setjmp and longjmp";
  return arena_printf(b->p->arena, "the builtin function %s", name + strlen("llvm."));
}

// Those that give one of their arguments, or what any program must be ready for. False: none.
static bool simple_intrinsic(struct bitcode *b, LLVMValueRef call, const char *name) {
  const struct c_type *t = bitcode_type_of(b, call);
  struct c_value bits;
  if (begins(name, "llvm.expect.") || begins(name, "llvm.ptr.annotation.") ||
      begins(name, "llvm.launder.") || begins(name, "llvm.strip."))
    copy(b, call, argument(b, call, 0));
  else if (begins(name, "llvm.objectsize."))
    copy(b, call, bitcode_number(t, -1));
  else if (begins(name, "llvm.is.constant."))
    copy(b, call, bitcode_number(t, 0));
  else if (begins(name, "llvm.stacksave"))
    copy(b, call, (struct c_value){.kind = C_UNDEF, .type = t});
  else if (t->kind == C_INT && begins(name, "llvm.abs."))
    absolute(b, call);
  else if (t->kind == C_INT && (begins(name, "llvm.smin.") || begins(name, "llvm.smax.")))
    choose(b, call, name[8] == 'n' ? C_SLT : C_SGT);
  else if (t->kind == C_INT && (begins(name, "llvm.umin.") || begins(name, "llvm.umax.")))
    choose(b, call, name[8] == 'n' ? C_ULT : C_UGT);
  else if (t->kind == C_INT && bitcode_bits(b, name, argument(b, call, 0), &bits))
    copy(b, call, bits);
  else
    return false;
  return true;
}

static void plain_call(struct bitcode *b, LLVMValueRef call, const char *name);

static void intrinsic(struct bitcode *b, LLVMValueRef call, const char *name) {
  enum c_op op, over;
  if (overflow_op(name, &op, &over)) return; // where its parts are taken
  if (begins(name, "llvm.memcpy.") || begins(name, "llvm.memmove."))
    move_bytes(b, call, C_MEMCPY);
  else if (begins(name, "llvm.memset."))
    move_bytes(b, call, C_MEMSET);
  else if (begins(name, "llvm.dbg.declare"))
    bitcode_local_declare(b, call);
  else if (begins(name, "llvm.trap") || begins(name, "llvm.ubsantrap") ||
           begins(name, "llvm.debugtrap"))
    plain_call(b, call, name);
  else if (!is_idle(name) && !simple_intrinsic(b, call, name))
    bitcode_unable(b, call, why_not(b, call, name));
}

// --- the others ---

// name NULL: the last argument is the function.
static void plain_call(struct bitcode *b, LLVMValueRef call, const char *name) {
  uint32_t n = b->l.GetNumArgOperands(call), count = n + (name == NULL);
  struct c_value *args = ARENA_ARRAY(b->p->arena, struct c_value, count);
  for (uint32_t k = 0; k < n; k++) args[k] = argument(b, call, k);
  if (!name) args[n] = bitcode_value(b, b->l.GetCalledValue(call));
  struct c_instruction *i = replace(b, call, C_CALL, count);
  i->args = args;
  i->name = name ? arena_strdup(b->p->arena, name) : NULL;
}

// Assembly without instructions, which gives nothing, only keeps the compiler from moving others.
static bool is_barrier(struct bitcode *b, LLVMValueRef call) {
  char *text = b->l.PrintValueToString(callee(b, call));
  bool is_empty = strstr(text, "asm sideeffect \"\"") || strstr(text, "asm \"\"");
  b->l.DisposeMessage(text);
  return is_empty && bitcode_type_of(b, call)->kind == C_VOID;
}

static void assembly(struct bitcode *b, LLVMValueRef call) {
  if (!is_barrier(b, call)) bitcode_unable(b, call, "inline assembly");
}

void bitcode_call(struct bitcode *b, LLVMValueRef call) {
  const char *name = callee_name(b, call);
  if (b->l.GetValueKind(callee(b, call)) == LLVMInlineAsmValueKind)
    assembly(b, call);
  else if (name && begins(name, "llvm."))
    intrinsic(b, call, name);
  else
    plain_call(b, call, name);
}
