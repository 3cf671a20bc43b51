// SPDX-License-Identifier: Apache-2.0
// Debug information: where things were written, what variables and fields are called, which are
// unsigned. LLVM's C interface shows little of it by name; the rest are operands of its nodes, in
// the order that LLVM keeps them in.
#define _GNU_SOURCE // memmem
#include "front/c/bitcode.h"
#include "front/c/clang.h"

#include <ctype.h>
#include <string.h>

// Operands of nodes: variables, derived and composite types.
enum { VARIABLE_SCOPE = 0, VARIABLE_NAME = 1, VARIABLE_TYPE = 3 };
enum { TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4 };

// --- nodes ---

static LLVMValueRef operand_value(struct bitcode *b, LLVMMetadataRef node, unsigned k) {
  LLVMValueRef v = b->l.MetadataAsValue(b->context, node), found = NULL;
  unsigned n = b->l.GetMDNodeNumOperands(v);
  if (k >= n) return NULL;
  LLVMValueRef *all = mem_alloc(n * sizeof *all);
  b->l.GetMDNodeOperands(v, all);
  found = all[k];
  mem_free(all);
  return found;
}

static LLVMMetadataRef operand(struct bitcode *b, LLVMMetadataRef node, unsigned k) {
  LLVMValueRef v = operand_value(b, node, k);
  return v ? b->l.ValueAsMetadata(v) : NULL;
}

// A copy that the program keeps; NULL: there is none.
static char *operand_string(struct bitcode *b, LLVMMetadataRef node, unsigned k) {
  unsigned n = 0;
  LLVMValueRef v = operand_value(b, node, k);
  const char *s = v ? b->l.GetMDString(v, &n) : NULL;
  return s && n ? arena_strndup(b->p->arena, s, n) : NULL;
}

// --- places ---

static struct source *read_other(struct bitcode *b, const char *name) {
  const char *why;
  char *path = clang_path(b->source, name);
  struct source *s = NULL;
  for (size_t i = 0; i < b->p->sources.count && !s; i++)
    if (strcmp(b->p->sources.data[i]->path, path) == 0) s = b->p->sources.data[i];
  if (!s) {
    s = source_read(path, &why);
    if (!s) s = source_from_text(path, "", 0);
    VEC_PUSH(&b->p->sources, s);
  }
  mem_free(path);
  return s;
}

static const struct source *file_source(struct bitcode *b, LLVMMetadataRef file) {
  struct source *s = file ? bitcode_map_get(&b->files, file) : b->source;
  if (s) return s;
  unsigned n = 0;
  const char *bytes = b->l.DIFileGetFilename(file, &n);
  char *name = arena_strndup(b->p->arena, bytes ? bytes : "", n);
  bool own = n == 0 || strcmp(name, b->source->path) == 0 || strcmp(name, "-") == 0 ||
             strcmp(name, "<stdin>") == 0;
  s = own ? b->source : read_other(b, name);
  bitcode_map_set(&b->files, file, s);
  return s;
}

static const char *line_of(const struct source *s, uint32_t line, size_t *n) {
  const char *p = s->text, *end = s->text + s->bytes;
  for (uint32_t i = 1; i < line && p; i++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  if (!p) return NULL;
  const char *stop = memchr(p, '\n', (size_t)(end - p));
  *n = (size_t)((stop ? stop : end) - p);
  return p;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The column of a word in a line; 1 if it is not there.
static uint32_t find_word(const char *line, size_t n, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= n; i++)
    if (strncmp(line + i, word, length) == 0 && (i == 0 || !is_word(line[i - 1])) &&
        (i + length == n || !is_word(line[i + length])))
      return (uint32_t)i + 1;
  return 1;
}

// Of the word or the character at a place; column 0: of the word `word`.
static struct span span_at(const struct source *s, uint32_t line, uint32_t column,
                           const char *word) {
  size_t n = 0;
  const char *text = line ? line_of(s, line, &n) : NULL;
  struct span at = {.source = s, .line = line, .column = column, .end_line = line};
  if (line == 0) return (struct span){0};
  if (column == 0) at.column = text && word ? find_word(text, n, word) : 1;
  at.end_column = at.column + 1;
  if (text && at.column <= n && is_word(text[at.column - 1]))
    while (at.end_column <= n && is_word(text[at.end_column - 1])) at.end_column++;
  return at;
}

struct span bitcode_span(struct bitcode *b, LLVMValueRef instruction) {
  LLVMMetadataRef at = b->l.InstructionGetDebugLoc(instruction);
  if (!at) return (struct span){0};
  LLVMMetadataRef scope = b->l.DILocationGetScope(at);
  return span_at(file_source(b, scope ? b->l.DIScopeGetFile(scope) : NULL),
                 b->l.DILocationGetLine(at), b->l.DILocationGetColumn(at), NULL);
}

struct span bitcode_function_span(struct bitcode *b, LLVMValueRef function, const char *name) {
  LLVMMetadataRef described = b->l.GetSubprogram(function);
  if (!described) return (struct span){0};
  return span_at(file_source(b, b->l.DIScopeGetFile(described)),
                 b->l.DISubprogramGetLine(described), 0, name);
}

// --- types ---

static bool is_pointer(struct bitcode *b, LLVMMetadataRef derived) {
  size_t n = 0;
  b->l.DITypeGetName(derived, &n);
  return n == 0 && b->l.DITypeGetSizeInBits(derived) > 0;
}

// Without typedef, const, volatile, and arrays; an enum is the integer that holds it.
static LLVMMetadataRef bare(struct bitcode *b, LLVMMetadataRef type) {
  while (type) {
    LLVMMetadataKind kind = b->l.GetMetadataKind(type);
    LLVMMetadataRef base = NULL;
    if (kind == LLVMDIDerivedTypeMetadataKind && is_pointer(b, type)) return type;
    if (kind == LLVMDIDerivedTypeMetadataKind || kind == LLVMDICompositeTypeMetadataKind)
      base = operand(b, type, TYPE_BASE);
    if (!base) return type;
    type = base;
  }
  return NULL;
}

static bool is_unsigned(struct bitcode *b, LLVMMetadataRef type) {
  size_t n = 0;
  type = bare(b, type);
  if (!type || b->l.GetMetadataKind(type) != LLVMDIBasicTypeMetadataKind) return false;
  const char *name = b->l.DITypeGetName(type, &n);
  return memmem(name, n, "unsigned", 8) || (n == 5 && strncmp(name, "_Bool", 5) == 0) ||
         (n == 4 && strncmp(name, "bool", 4) == 0) || memmem(name, n, "char32_t", 8);
}

static void describe(struct bitcode *b, LLVMMetadataRef type, const struct c_type *t);

static void describe_member(struct bitcode *b, LLVMMetadataRef member, const struct c_type *t) {
  uint64_t offset = b->l.DITypeGetOffsetInBits(member), size = b->l.DITypeGetSizeInBits(member);
  LLVMMetadataRef type = operand(b, member, TYPE_BASE);
  for (uint32_t i = 0; i < t->field_count && type; i++) {
    struct c_field *f = &t->fields[i];
    if (f->name || f->offset * 8 != offset || f->type->bytes * 8 != size) continue;
    f->name = operand_string(b, member, TYPE_NAME);
    f->is_unsigned = is_unsigned(b, type);
    describe(b, type, f->type);
    return;
  }
}

// Gives the fields of a struct, and of those in it or behind its pointers, their names.
static void describe(struct bitcode *b, LLVMMetadataRef type, const struct c_type *t) {
  type = bare(b, type);
  while (t->kind == C_ARRAY) t = t->to;
  if (!type) return;
  if (t->kind == C_POINTER && b->l.GetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind) {
    LLVMMetadataRef to = operand(b, type, TYPE_BASE);
    if (to) describe(b, to, t->to);
    return;
  }
  if (t->kind != C_STRUCT || b->l.GetMetadataKind(type) != LLVMDICompositeTypeMetadataKind ||
      bitcode_map_get(&b->visited, t))
    return;
  LLVMMetadataRef elements = operand(b, type, TYPE_ELEMENTS);
  if (!elements) return; // not declared here
  bitcode_map_set(&b->visited, t, (void *)t);
  unsigned n = b->l.GetMDNodeNumOperands(b->l.MetadataAsValue(b->context, elements));
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef member = operand(b, elements, i);
    if (member && b->l.GetMetadataKind(member) == LLVMDIDerivedTypeMetadataKind)
      describe_member(b, member, t);
  }
}

// --- variables ---

struct bitcode_variable bitcode_variable(struct bitcode *b, LLVMMetadataRef variable,
                                         const struct c_type *type) {
  struct bitcode_variable v = {.name = operand_string(b, variable, VARIABLE_NAME)};
  LLVMMetadataRef described = operand(b, variable, VARIABLE_TYPE);
  LLVMMetadataRef scope = operand(b, variable, VARIABLE_SCOPE);
  v.span = span_at(file_source(b, b->l.DIVariableGetFile(variable)),
                   b->l.DIVariableGetLine(variable), 0, v.name);
  if (described) {
    v.is_unsigned = is_unsigned(b, described);
    describe(b, described, type);
  }
  while (scope && b->l.GetMetadataKind(scope) == LLVMDILexicalBlockMetadataKind)
    scope = operand(b, scope, 1);
  v.in_function = scope && b->l.GetMetadataKind(scope) == LLVMDISubprogramMetadataKind;
  return v;
}

struct bitcode_variable bitcode_global_variable(struct bitcode *b, LLVMValueRef global,
                                                const struct c_type *type) {
  size_t n = 0;
  struct bitcode_variable v = {0};
  LLVMValueMetadataEntry *all = b->l.GlobalCopyAllMetadata(global, &n);
  for (size_t i = 0; i < n; i++) {
    LLVMMetadataRef m = b->l.ValueMetadataEntriesGetMetadata(all, (unsigned)i);
    if (b->l.GetMetadataKind(m) == LLVMDIGlobalVariableExpressionMetadataKind)
      v = bitcode_variable(b, operand(b, m, 0), type);
  }
  b->l.DisposeValueMetadataEntries(all);
  return v;
}
