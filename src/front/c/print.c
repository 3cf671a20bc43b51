// SPDX-License-Identifier: Apache-2.0
// The program as text: objects, then blocks with one line for each instruction.
#include "front/c/program.h"

#include <inttypes.h>

static const char *const NAMES[] = {
    [C_ADD] = "add",
    [C_SUB] = "sub",
    [C_MUL] = "mul",
    [C_UDIV] = "udiv",
    [C_SDIV] = "sdiv",
    [C_UREM] = "urem",
    [C_SREM] = "srem",
    [C_SHL] = "shl",
    [C_LSHR] = "lshr",
    [C_ASHR] = "ashr",
    [C_AND] = "and",
    [C_OR] = "or",
    [C_XOR] = "xor",
    [C_SADD_OVER] = "sadd.over",
    [C_SSUB_OVER] = "ssub.over",
    [C_SMUL_OVER] = "smul.over",
    [C_UADD_OVER] = "uadd.over",
    [C_USUB_OVER] = "usub.over",
    [C_UMUL_OVER] = "umul.over",
    [C_EQ] = "eq",
    [C_NE] = "ne",
    [C_ULT] = "ult",
    [C_ULE] = "ule",
    [C_UGT] = "ugt",
    [C_UGE] = "uge",
    [C_SLT] = "slt",
    [C_SLE] = "sle",
    [C_SGT] = "sgt",
    [C_SGE] = "sge",
    [C_ZEXT] = "zext",
    [C_SEXT] = "sext",
    [C_TRUNC] = "trunc",
    [C_BITCAST] = "bitcast",
    [C_PTRTOINT] = "ptrtoint",
    [C_INTTOPTR] = "inttoptr",
    [C_COPY] = "copy",
    [C_PART] = "part",
    [C_SELECT] = "select",
    [C_ENTER] = "enter",
    [C_LEAVE] = "leave",
    [C_LOAD] = "load",
    [C_STORE] = "store",
    [C_GEP] = "element",
    [C_MEMSET] = "memset",
    [C_MEMCPY] = "memcpy",
    [C_CALL] = "call",
    [C_UNABLE] = "unable",
    [C_JUMP] = "jump",
    [C_BRANCH] = "branch",
    [C_SWITCH] = "switch",
    [C_RETURN] = "return",
    [C_UNREACHABLE] = "unreachable",
    [C_BEYOND] = "beyond",
};

static void print_type(struct text *out, const struct c_type *t) {
  switch (t->kind) {
  case C_VOID: text_add(out, "void"); return;
  case C_INT: text_printf(out, "i%u", (unsigned)t->bits); return;
  case C_POINTER:
    print_type(out, t->to);
    text_char(out, '*');
    return;
  case C_ARRAY:
    text_printf(out, "[%" PRIu64 " x ", t->count);
    print_type(out, t->to);
    text_char(out, ']');
    return;
  case C_STRUCT: text_add(out, t->name); return;
  case C_OTHER: text_printf(out, "(%s)", t->name); return;
  }
}

static void print_value(struct text *out, const struct c_program *p, const struct c_value *v) {
  switch (v->kind) {
  case C_NUMBER: text_printf(out, "%" PRId64, v->number); return;
  case C_NULL: text_add(out, "null"); return;
  case C_UNDEF: text_add(out, "undefined"); return;
  case C_REGISTER: text_printf(out, "%%%u", (unsigned)v->index); return;
  case C_ARGUMENT: text_printf(out, "argument %u", (unsigned)v->index); return;
  case C_OBJECT:
    text_printf(out, "&%s#%u", p->objects.data[v->index].name, (unsigned)v->index);
    if (v->number) text_printf(out, "+%" PRId64, v->number);
    return;
  case C_FUNCTION: text_printf(out, "&%s()", p->functions.data[v->index].name); return;
  }
}

static void print_values(struct text *out, const struct c_program *p, const struct c_value *values,
                         uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    text_add(out, i ? ", " : " ");
    print_value(out, p, &values[i]);
  }
}

static void print_object(struct text *out, const struct c_program *p, size_t k) {
  const struct c_object *o = &p->objects.data[k];
  text_printf(out, "object %zu %s: ", k, o->name);
  print_type(out, o->type);
  if (o->is_global) text_add(out, " global");
  if (o->is_constant) text_add(out, " constant");
  if (o->is_temporary) text_add(out, " temporary");
  if (o->is_unsigned) text_add(out, " unsigned");
  if (o->plain) text_add(out, " plain");
  if (o->initial) {
    text_add(out, " =");
    print_values(out, p, o->initial, o->scalars);
  }
  if (o->span.line) text_printf(out, " ; line %u", (unsigned)o->span.line);
  text_char(out, '\n');
}

static void print_phi(struct text *out, const struct c_program *p, const struct c_phi *phi) {
  text_printf(out, "    %%%u = phi ", (unsigned)phi->index);
  print_type(out, phi->type);
  for (uint32_t i = 0; i < phi->count; i++) {
    text_printf(out, "%s from %u: ", i ? "," : "", (unsigned)phi->blocks[i]);
    print_value(out, p, &phi->values[i]);
  }
  text_char(out, '\n');
}

static void print_instruction(struct text *out, const struct c_program *p,
                              const struct c_instruction *i) {
  bool gives = i->type->kind != C_VOID;
  text_add(out, "    ");
  if (gives) text_printf(out, "%%%u = ", (unsigned)i->index);
  text_add(out, NAMES[i->op]);
  if (gives) {
    text_char(out, ' ');
    print_type(out, i->type);
  }
  if (i->name) text_printf(out, " \"%s\"", i->name);
  if (i->element) {
    text_add(out, " of ");
    print_type(out, i->element);
  }
  print_values(out, p, i->args, i->arg_count);
  for (uint32_t k = 0; k < i->target_count; k++)
    text_printf(out, "%s%u", k ? ", " : " -> ", (unsigned)i->targets[k]);
  if (i->span.line) text_printf(out, " ; %u:%u", (unsigned)i->span.line, (unsigned)i->span.column);
  text_char(out, '\n');
}

static void print_function(struct text *out, const struct c_program *p,
                           const struct c_function *f) {
  text_printf(out, "function %s: ", f->name);
  print_type(out, f->result);
  for (uint32_t k = 0; k < f->param_count; k++) {
    text_add(out, k ? ", " : " of ");
    print_type(out, f->params[k]);
  }
  text_char(out, '\n');
  for (size_t k = 0; k < f->blocks.count; k++) {
    const struct c_block *block = &f->blocks.data[k];
    text_printf(out, "  block %zu %s\n", k, block->name);
    for (size_t i = 0; i < block->phis.count; i++) print_phi(out, p, &block->phis.data[i]);
    for (size_t i = 0; i < block->code.count; i++) print_instruction(out, p, &block->code.data[i]);
  }
}

void c_program_print(struct text *out, const struct c_program *p) {
  for (size_t i = 0; i < p->objects.count; i++) print_object(out, p, i);
  for (size_t i = 0; i < p->functions.count; i++)
    if (p->functions.data[i].has_body) print_function(out, p, &p->functions.data[i]);
}
