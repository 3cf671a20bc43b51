// SPDX-License-Identifier: Apache-2.0
// The C file that embedded C is compiled in: what SPIN's verifiers offer to it, the structures of
// the model's variables, the user's text, and for each piece of it the function over cells.
#include "front/promela/embed.h"

#include <string.h>

// printf shows what it shows at any time; Printf, as in SPIN, would only when a trace is shown.
static const char prelude[] =
    "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "typedef unsigned char uchar;\ntypedef unsigned int uint;\n"
    "#define FATHOM_EXPORT __attribute__((visibility(\"default\")))\n"
    "static int fathom_failed;\n"
    "static int Printf(const char *format, ...) { return 0; }\n"
    "static void uerror(const char *message) { if (!fathom_failed) fathom_failed = 1; }\n"
    "static void Uerror(const char *message) { uerror(message); }\n"
    // bytes of what a pointer points to, and 256 if it is a signed number
    "#define FATHOM_TYPE(p) _Generic((p), char *: 1 | ((char)-1 < 0) << 8, \\\n"
    "  signed char *: 257, short *: 256 | sizeof(short), unsigned short *: sizeof(short), \\\n"
    "  int *: 256 | sizeof(int), unsigned *: sizeof(int), long *: 256 | sizeof(long), \\\n"
    "  unsigned long *: sizeof(long), long long *: 256 | sizeof(long long), \\\n"
    "  unsigned long long *: sizeof(long long), default: 1)\n"
    "#define FATHOM_WHOLE(p, n) ((n) % (FATHOM_TYPE(p) & 255) ? 1 : FATHOM_TYPE(p))\n"
    "static const int64_t *fathom_in(void *to, const int64_t *c, size_t n, int type) {\n"
    "  int each = type & 255;\n"
    "  for (size_t i = 0; i < n; i += each, c++) {\n"
    "    uint8_t a = *c; uint16_t b = *c; uint32_t d = *c; uint64_t e = *c;\n"
    "    const void *from = each == 1 ? (void *)&a : each == 2 ? (void *)&b :\n"
    "                       each == 4 ? (void *)&d : (void *)&e;\n"
    "    if (to) memcpy((char *)to + i, from, each);\n  }\n  return c;\n}\n"
    "static int64_t *fathom_out(const void *from, int64_t *c, size_t n, int type) {\n"
    "  int each = type & 255, is_signed = type >> 8;\n"
    "  for (size_t i = 0; i < n; i += each, c++) {\n"
    "    uint8_t a = 0; uint16_t b = 0; uint32_t d = 0; uint64_t e = 0;\n"
    "    void *to = each == 1 ? (void *)&a : each == 2 ? (void *)&b :\n"
    "               each == 4 ? (void *)&d : (void *)&e;\n"
    "    if (from) memcpy(to, (const char *)from + i, each);\n"
    "    *c = each == 1 ? (is_signed ? (int8_t)a : (int64_t)a)\n"
    "       : each == 2 ? (is_signed ? (int16_t)b : (int64_t)b)\n"
    "       : each == 4 ? (is_signed ? (int32_t)d : (int64_t)d) : (int64_t)e;\n"
    "  }\n  return c;\n}\n";

// Behind c_decl, since what that includes may have other ideas.
static const char macros[] = "#undef assert\n#define assert(x) ((x) ? (void)0 : uerror(#x))\n"
                             "#undef printf\n#define printf(...) fprintf(stderr, __VA_ARGS__)\n";

// --- the user's text ---

static void line_directive(struct text *out, struct span span) {
  if (!span.source) return;
  text_printf(out, "\n#line %u \"", span.line);
  for (const char *p = span.source->path; *p; p++)
    text_printf(out, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
  text_add(out, "\"\n");
}

static void generated(struct text *out) { text_add(out, "\n#line 1 \"" EMBED_ELSEWHERE "\"\n"); }

// Blanks up to where the text begins in its line, so that columns are right.
static void indent(struct text *out, struct span span, char opens) {
  const char *p = span.source ? span.source->text : "";
  for (uint32_t line = 1; *p && line < span.line; p++) line += *p == '\n';
  size_t n = strcspn(p, "\n"), from = span.column;
  const char *brace = from <= n ? memchr(p + from - 1, opens, n - from + 1) : NULL;
  for (; brace && p <= brace; p++) text_char(out, *p == '\t' ? '\t' : ' ');
}

// \# at the beginning of a line hides a directive from the preprocessor of the model.
static void user_text(struct text *out, const char *text, struct span span) {
  line_directive(out, span);
  indent(out, span, '{');
  bool fresh = false;
  for (const char *p = text; *p; p++) {
    if (fresh && p[0] == '\\' && p[1] == '#') continue;
    text_char(out, *p);
    fresh = *p == '\n' || (fresh && (*p == ' ' || *p == '\t'));
  }
  generated(out);
}

static void units(struct text *out, const struct embed *e, bool is_decl) {
  for (size_t i = 0; i < e->prog->c_units.count; i++) {
    const struct ast_unit *u = e->prog->c_units.data[i];
    if (u->kind == AST_UNIT_C_CODE && u->is_decl == is_decl) user_text(out, u->text, u->span);
  }
}

// --- structures ---

static const char *type_name(const struct pml_symbol *s) {
  switch (s->type.base) {
  case AST_BIT: return s->is_array ? "uchar" : "unsigned";
  case AST_UNSIGNED: return "unsigned";
  case AST_SHORT: return "short";
  case AST_INT: return "int";
  default: return "uchar";
  }
}

static void declare(struct text *out, const struct pml_symbol *s) {
  bool field = s->type.base == AST_BIT || s->type.base == AST_UNSIGNED;
  if (s->type.base == AST_STRUCT)
    text_printf(out, "  struct %s %s", s->type.fields->name, s->shown);
  else
    text_printf(out, "  %s %s", type_name(s), s->shown);
  if (s->is_array)
    text_printf(out, "[%u]", s->length);
  else if (field)
    text_printf(out, " : %u", s->type.base == AST_BIT ? 1 : s->type.bits);
  text_add(out, ";\n");
}

static void memory_fields(struct text *out, const struct embed *e, enum embed_kind kind,
                          const struct pml_proc *p) {
  for (size_t i = 0; i < e->memories.count; i++) {
    const struct embed_memory *m = &e->memories.data[i];
    if (m->kind != kind || m->proc != p) continue;
    line_directive(out, m->span);
    text_printf(out, "%*s%s", (int)m->span.column, "", m->text);
    if (kind == EMBED_HIDDEN && m->init) text_printf(out, " = %s", m->init);
    text_add(out, ";");
    generated(out);
  }
}

static void structures(struct text *out, const struct embed *e) {
  for (size_t i = 0; i < e->prog->structs.count; i++) {
    const struct pml_struct *s = e->prog->structs.data[i];
    text_printf(out, "struct %s {\n", s->name);
    for (uint32_t k = 0; k < s->field_count; k++) declare(out, s->fields[k]);
    text_add(out, "};\n");
  }
}

static bool is_hidden(const struct pml_symbol *s) { return s->visibility == AST_HIDDEN; }

// A hidden variable is one of C's own; a field of bits cannot be, so it is a whole number.
static void hidden(struct text *out, const struct embed *e) {
  for (size_t i = 0; i < e->prog->globals.count; i++) {
    const struct pml_symbol *s = e->prog->globals.data[i];
    if (!embed_sees(s) || !is_hidden(s)) continue;
    if (s->type.base == AST_STRUCT)
      text_printf(out, "static struct %s %s", s->type.fields->name, s->shown);
    else
      text_printf(out, "static %s %s", type_name(s), s->shown);
    if (s->is_array) text_printf(out, "[%u]", s->length);
    text_add(out, ";\n");
  }
}

static const char *proc_name(const struct pml_proc *p) {
  return p->kind == PML_INIT ? "init" : p->name;
}

static bool runs(const struct pml_proc *p) {
  return p->kind == PML_PROCTYPE || p->kind == PML_INIT;
}

static void state(struct text *out, const struct embed *e) {
  text_add(out, "typedef struct State {\n  uchar _nr_pr;\n");
  for (size_t i = 0; i < e->prog->globals.count; i++) {
    const struct pml_symbol *s = e->prog->globals.data[i];
    if (embed_sees(s) && !is_hidden(s)) declare(out, s);
  }
  memory_fields(out, e, EMBED_GLOBAL, NULL);
  text_add(out, "} State;\nstatic State now;\n");
  for (size_t i = 0; i < e->prog->procs.count; i++) {
    const struct pml_proc *p = e->prog->procs.data[i];
    if (!runs(p)) continue;
    text_printf(out, "typedef struct P%u {\n  uchar _pid;\n", p->number);
    for (size_t k = 0; k < p->locals.count; k++)
      if (embed_sees(p->locals.data[k])) declare(out, p->locals.data[k]);
    memory_fields(out, e, EMBED_LOCAL, p);
    text_printf(out, "} P%u;\nstatic P%u fathom_P%u, *const P%s = &fathom_P%u;\n", p->number,
                p->number, p->number, proc_name(p), p->number);
  }
}

// --- cells ---

// Moves a variable, leaf by leaf; place is the C expression of it without its own index.
static void move(struct text *out, const struct pml_symbol *s, const char *place, bool in,
                 unsigned depth) {
  struct text mine = {0};
  text_add(&mine, place);
  if (s->is_array) {
    text_printf(&mine, "[i%u]", depth);
    text_printf(out, "  for (unsigned i%u = 0; i%u < %u; i%u++) {\n", depth, depth, s->length,
                depth);
  }
  const struct pml_struct *fields = s->type.base == AST_STRUCT ? s->type.fields : NULL;
  for (uint32_t i = 0; fields && i < fields->field_count; i++) {
    struct text field = {0};
    text_printf(&field, "%s.%s", text_str(&mine), fields->fields[i]->shown);
    move(out, fields->fields[i], text_str(&field), in, depth + 1);
    text_clear(&field);
  }
  if (!fields && in)
    text_printf(out, "  %s = *c++;\n", text_str(&mine));
  else if (!fields)
    text_printf(out, "  *c++ = %s;\n", text_str(&mine));
  if (s->is_array) text_add(out, "  }\n");
  text_clear(&mine);
}

// A size that is computed is the one that it was at first.
static void size_of(struct text *out, const struct embed *e, const struct embed_memory *m) {
  if (m->kind == EMBED_TRACKED)
    text_printf(out, "fathom_sizes[%zu]", (size_t)(m - e->memories.data));
  else if (m->kind == EMBED_GLOBAL)
    text_printf(out, "sizeof now.%s", m->name);
  else
    text_printf(out, "sizeof fathom_P%u.%s", m->proc->number, m->name);
}

static void move_memory(struct text *out, const struct embed *e, const struct embed_memory *m,
                        const char *how) {
  struct text size = {0};
  size_of(&size, e, m);
  line_directive(out, m->span);
  text_printf(out, "  c = fathom_%s(%s, c, %s, FATHOM_WHOLE(%s, %s));", how, m->place,
              text_str(&size), m->place, text_str(&size));
  generated(out);
  text_clear(&size);
}

static void move_memories(struct text *out, const struct embed *e, const struct pml_proc *p,
                          bool in) {
  for (size_t i = 0; i < e->memories.count; i++) {
    const struct embed_memory *m = &e->memories.data[i];
    if (m->kind != EMBED_HIDDEN && m->proc == p) move_memory(out, e, m, in ? "in" : "out");
  }
}

static void move_globals(struct text *out, const struct embed *e, bool in) {
  const char *type = in ? "const int64_t" : "int64_t";
  text_printf(out, "static %s *fathom_%s_now(%s *c) {\n", type, in ? "in" : "out", type);
  if (e->nr_pr) text_add(out, in ? "  now._nr_pr = *c++;\n" : "  c++;\n");
  for (size_t i = 0; i < e->prog->globals.count; i++) {
    const struct pml_symbol *s = e->prog->globals.data[i];
    if (!embed_sees(s)) continue;
    struct text place = {0};
    text_printf(&place, "%s%s", is_hidden(s) ? "" : "now.", s->shown);
    move(out, s, text_str(&place), in, 0);
    text_clear(&place);
  }
  move_memories(out, e, NULL, in);
  text_add(out, "  return c;\n}\n");
}

static void move_locals(struct text *out, const struct embed *e, const struct pml_proc *p,
                        bool in) {
  const char *type = in ? "const int64_t" : "int64_t";
  text_printf(out, "static void fathom_%s_P%u(%s *c) {\n", in ? "in" : "out", p->number, type);
  text_printf(out, in ? "  fathom_P%u._pid = *c++;\n" : "  c++;\n", p->number);
  for (size_t i = 0; i < p->locals.count; i++) {
    const struct pml_symbol *s = p->locals.data[i];
    if (!embed_sees(s)) continue;
    struct text place = {0};
    text_printf(&place, "fathom_P%u.%s", p->number, s->shown);
    move(out, s, text_str(&place), in, 0);
    text_clear(&place);
  }
  move_memories(out, e, p, in);
  text_add(out, "}\n");
}

// --- functions ---

// Variables of another process are a mistake that the compiler shall find.
static void other_processes(struct text *out, const struct embed *e, const struct pml_proc *own) {
  for (size_t i = 0; i < e->prog->procs.count; i++) {
    const struct pml_proc *p = e->prog->procs.data[i];
    if (runs(p) && p != own)
      text_printf(out, "struct variables_of_another_process *P%s;\n", proc_name(p));
  }
}

static void function(struct text *out, const struct embed *e, uint32_t i) {
  const struct embed_text *t = &e->texts.data[i];
  uint32_t p = t->proc->number;
  if (t->condition) {
    text_printf(out, "static int fathom_condition_%u(void) {\n", i);
    other_processes(out, e, t->proc);
    text_add(out, "return (");
    line_directive(out, t->span);
    indent(out, t->span, '[');
    text_printf(out, "%s\n) != 0;\n}\n", t->condition);
    generated(out);
  }
  text_printf(out, "static %s fathom_text_%u(void) {\n", t->is_expr ? "int" : "void", i);
  other_processes(out, e, t->proc);
  if (t->is_expr) text_add(out, "return (");
  user_text(out, t->text, t->span);
  text_add(out, t->is_expr ? ");\n}\n" : ";\n}\n");
  text_printf(out, "static void fathom_function_%u(int64_t *c) {\n", i);
  text_printf(out, "  fathom_failed = 0;\n  fathom_in_P%u(fathom_in_now(c + %d));\n", p,
              EMBED_FIRST);
  if (t->condition)
    text_printf(out, "  if (!fathom_condition_%u()) fathom_failed = 2;\n  else ", i);
  text_printf(out, "  %sfathom_text_%u();\n  c[0] = fathom_failed;\n", t->is_expr ? "c[1] = " : "",
              i);
  if (!t->is_expr) text_printf(out, "  fathom_out_P%u(fathom_out_now(c + %d));\n", p, EMBED_FIRST);
  text_add(out, "}\n");
}

// What there is to know of memory before anything runs.
static void memory_table(struct text *out, const struct embed *e) {
  text_add(out, "FATHOM_EXPORT void fathom_memory(unsigned k, int64_t *about) {\n  switch (k) {\n");
  for (size_t i = 0; i < e->memories.count; i++) {
    const struct embed_memory *m = &e->memories.data[i];
    if (m->kind == EMBED_HIDDEN) continue;
    text_printf(out, "  case %zu:", i);
    line_directive(out, m->span);
    if (m->kind == EMBED_TRACKED) text_printf(out, "fathom_sizes[%zu] = %s;", i, m->size);
    generated(out);
    text_add(out, "    about[0] = ");
    size_of(out, e, m);
    text_printf(out, "; about[1] = FATHOM_WHOLE(%s, about[0]) & 255;", m->place);
    text_printf(out, " about[2] = FATHOM_WHOLE(%s, about[0]) >> 8; break;\n", m->place);
  }
  text_add(out, "  }\n}\nFATHOM_EXPORT void fathom_start(unsigned k, int64_t *c) {\n"
                "  switch (k) {\n");
  for (size_t i = 0; i < e->memories.count; i++) {
    const struct embed_memory *m = &e->memories.data[i];
    if (m->kind == EMBED_HIDDEN) continue;
    text_printf(out, "  case %zu:", i);
    if (m->init) {
      line_directive(out, m->span);
      if (m->kind == EMBED_LOCAL)
        text_printf(out, "fathom_P%u.%s = %s;", m->proc->number, m->name, m->init);
      else
        text_printf(out, "now.%s = %s;", m->name, m->init);
      generated(out);
    }
    move_memory(out, e, m, "out");
    text_add(out, "  break;\n");
  }
  text_add(out, "  }\n}\n");
}

void embed_write(struct text *out, const struct embed *e) {
  text_add(out, prelude);
  structures(out, e);
  text_add(out, macros);
  units(out, e, true);
  text_add(out, macros);
  hidden(out, e);
  memory_fields(out, e, EMBED_HIDDEN, NULL);
  state(out, e);
  units(out, e, false);
  text_add(out, macros);
  text_printf(out, "static size_t fathom_sizes[%zu];\n", e->memories.count + 1);
  move_globals(out, e, true);
  move_globals(out, e, false);
  for (size_t i = 0; i < e->prog->procs.count; i++) {
    if (!runs(e->prog->procs.data[i])) continue;
    move_locals(out, e, e->prog->procs.data[i], true);
    move_locals(out, e, e->prog->procs.data[i], false);
  }
  for (uint32_t i = 0; i < e->texts.count; i++) function(out, e, i);
  text_add(out, "FATHOM_EXPORT void (*const fathom_functions[])(int64_t *) = {");
  for (size_t i = 0; i < e->texts.count; i++) text_printf(out, "fathom_function_%zu, ", i);
  text_add(out, "};\n");
  memory_table(out, e);
}
