// SPDX-License-Identifier: Apache-2.0
// Reads a module of LLVM's: functions and globals are numbered first, then what they hold is read.
#include "front/c/bitcode.h"

#include "front/c/c.h"
#include "front/c/clang.h"

#include <string.h>

enum { SCALARS_MAX = 1 << 22 }; // in one variable that begins with other values than zeros

// --- globals ---

static void add_global(struct bitcode *b, LLVMValueRef v) {
  size_t n = 0;
  const char *name = b->l.GetValueName2(v, &n);
  const struct c_type *type = bitcode_type(b, b->l.GlobalGetValueType(v));
  struct bitcode_variable d = bitcode_global_variable(b, v, type);
  struct c_object o = {.name = arena_strdup(b->p->arena, n ? name : "constant"),
                       .type = type,
                       .span = d.span,
                       .is_global = true,
                       .is_unsigned = d.is_unsigned,
                       .is_constant = b->l.IsGlobalConstant(v),
                       .scalars = bitcode_scalars(type)};
  if (strncmp(o.name, "main.", 5) == 0 && d.in_function) o.name += 5;
  bitcode_value_set(b, v,
                    (struct c_value){.kind = C_OBJECT,
                                     .type = bitcode_type_of(b, v),
                                     .index = (uint32_t)b->p->objects.count});
  VEC_PUSH(&b->p->objects, o);
}

static void set_global(struct bitcode *b, LLVMValueRef v) {
  const struct c_value *at = bitcode_map_get(&b->values, v);
  struct c_object *o = &b->p->objects.data[at->index];
  LLVMValueRef first = b->l.GetInitializer(v);
  if (first && b->l.IsNull(first)) return;
  if (o->scalars > SCALARS_MAX)
    diag_error(b->d, o->span, "%s has more than %d parts that are set before the program starts",
               o->name, SCALARS_MAX);
  else
    o->initial = bitcode_initial(b, first, o->type, o->scalars);
}

// --- functions ---

static void add_function(struct bitcode *b, LLVMValueRef v) {
  size_t n = 0;
  LLVMTypeRef type = b->l.GlobalGetValueType(v);
  struct c_function f = {.name = arena_strdup(b->p->arena, b->l.GetValueName2(v, &n)),
                         .result = bitcode_type(b, b->l.GetReturnType(type)),
                         .param_count = b->l.CountParams(v),
                         .address = bitcode_type_of(b, v),
                         .has_body = !b->l.IsDeclaration(v),
                         .is_variadic = b->l.IsFunctionVarArg(type)};
  f.span = bitcode_function_span(b, v, f.name);
  f.params = ARENA_ARRAY(b->p->arena, const struct c_type *, f.param_count);
  for (uint32_t k = 0; k < f.param_count; k++)
    f.params[k] = bitcode_type_of(b, b->l.GetParam(v, k));
  bitcode_value_set(b, v,
                    (struct c_value){.kind = C_FUNCTION,
                                     .type = bitcode_type_of(b, v),
                                     .index = (uint32_t)b->p->functions.count});
  VEC_PUSH(&b->p->functions, f);
}

static void read_module(struct bitcode *b) {
  LLVMValueRef v;
  uint32_t number = 0;
  b->p->nothing = bitcode_void(b);
  b->p->truth = bitcode_integer(b, 1);
  for (v = b->l.GetFirstFunction(b->module); v; v = b->l.GetNextFunction(v)) add_function(b, v);
  for (v = b->l.GetFirstGlobal(b->module); v; v = b->l.GetNextGlobal(v)) add_global(b, v);
  for (v = b->l.GetFirstGlobal(b->module); v; v = b->l.GetNextGlobal(v)) set_global(b, v);
  for (v = b->l.GetFirstFunction(b->module); v; v = b->l.GetNextFunction(v), number++)
    if (b->p->functions.data[number].has_body) bitcode_function(b, v, number);
}

// --- the module ---

static void keep_quiet(LLVMDiagnosticInfoRef info, void *context) {
  (void)info;
  (void)context;
}

static bool open_module(struct bitcode *b, const struct text *bytes) {
  b->context = b->l.ContextCreate();
  b->l.ContextSetDiagnosticHandler(b->context, keep_quiet, NULL);
  LLVMMemoryBufferRef buffer =
      b->l.CreateMemoryBufferWithMemoryRangeCopy(text_str(bytes), bytes->count, "program");
  bool ok = b->l.ParseBitcodeInContext2(b->context, buffer, &b->module) == 0;
  b->l.DisposeMemoryBuffer(buffer);
  if (!ok) return false;
  b->layout = b->l.GetModuleDataLayout(b->module);
  b->byval = b->l.GetEnumAttributeKindForName("byval", strlen("byval"));
  return true;
}

static void close_module(struct bitcode *b) {
  if (b->module) b->l.DisposeModule(b->module);
  if (b->context) b->l.ContextDispose(b->context);
  bitcode_map_clear(&b->types);
  bitcode_map_clear(&b->values);
  bitcode_map_clear(&b->blocks);
  bitcode_map_clear(&b->files);
  bitcode_map_clear(&b->visited);
  bitcode_map_clear(&b->declared);
  VEC_CLEAR(&b->locals);
}

static void read_bitcode(struct bitcode *b, const struct text *bytes) {
  const char *why;
  struct span whole = clang_beginning(b->source);
  if (!llvm_open(&b->l, &why))
    diag_error(b->d, whole, "%s", why);
  else if (!open_module(b, bytes))
    diag_error(b->d, whole, "LLVM cannot read what clang wrote: are they of the same version?");
  else
    read_module(b);
  close_module(b);
}

static void find_main(struct c_program *p, const struct source *s, struct diag *d) {
  struct span whole = clang_beginning(s);
  for (p->main = 0; p->main < p->functions.count; p->main++) {
    const struct c_function *f = &p->functions.data[p->main];
    if (strcmp(f->name, "main") != 0) continue;
    if (!f->has_body) break;
    return;
  }
  diag_error(d, whole, "the program has no function main: nothing says where it begins");
}

bool c_program_read(struct c_program *p, struct source *s, const struct c_config *c,
                    struct diag *d) {
  struct text bytes = {0};
  size_t errors = d->errors;
  *p = (struct c_program){.arena = arena_new()};
  if (source_readable(s, "file", "a C program", d) && clang_compile(s, c, &bytes, d)) {
    struct bitcode *b = mem_zalloc(1, sizeof *b);
    *b = (struct bitcode){.p = p, .source = s, .d = d};
    read_bitcode(b, &bytes);
    mem_free(b);
    if (d->errors == errors) find_main(p, s, d);
  }
  text_clear(&bytes);
  if (d->errors == errors) return true;
  for (size_t i = 0; i < p->sources.count; i++) diag_keep_source(d, p->sources.data[i]);
  p->sources.count = 0;
  c_program_free(p);
  return false;
}

void c_program_free(struct c_program *p) {
  for (size_t i = 0; i < p->functions.count; i++) {
    struct c_function *f = &p->functions.data[i];
    for (size_t k = 0; k < f->blocks.count; k++) {
      VEC_CLEAR(&f->blocks.data[k].phis);
      VEC_CLEAR(&f->blocks.data[k].code);
    }
    VEC_CLEAR(&f->blocks);
    VEC_CLEAR(&f->registers);
  }
  for (size_t i = 0; i < p->sources.count; i++) source_free(p->sources.data[i]);
  VEC_CLEAR(&p->sources);
  VEC_CLEAR(&p->types);
  VEC_CLEAR(&p->functions);
  VEC_CLEAR(&p->objects);
  if (p->arena) arena_free(p->arena);
  *p = (struct c_program){0};
}
