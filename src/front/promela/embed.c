// SPDX-License-Identifier: Apache-2.0
// Embedded C: finds it in the program, has it compiled, and asks the compiled code how large the
// memory is that belongs to the state.
#include "front/promela/embed.h"

#include "sys/sys.h"

#include <ctype.h>
#include <string.h>

enum { CELLS_MAX = 65536 }; // of c_state and c_track

// --- where it is ---

static void add_text(struct embed *e, struct embed_text t) {
  for (size_t i = 0; i < e->texts.count; i++)
    if (e->texts.data[i].node == t.node) return;
  VEC_PUSH(&e->texts, t);
}

static void add_expr(struct embed *e, const struct pml_proc *p, const struct ast_expr *x) {
  if (!x) return;
  if (x->op == AST_C_EXPR)
    add_text(e, (struct embed_text){
                    .node = x, .proc = p, .is_expr = true, .text = x->name, .span = x->span});
  for (uint32_t i = 0; i < x->arg_count; i++) add_expr(e, p, x->args[i]);
}

static void add_stmt(struct embed *e, const struct pml_proc *p, const struct ast_stmt *s) {
  if (s->kind == AST_C_CODE)
    add_text(e, (struct embed_text){
                    .node = s, .proc = p, .text = s->name, .condition = s->label, .span = s->span});
  add_expr(e, p, s->lhs);
  add_expr(e, p, s->expr);
  for (uint32_t i = 0; i < s->arg_count; i++) add_expr(e, p, s->args[i]);
}

static void add_graph(struct embed *e, const struct pml_proc *p, const struct pml_graph *g) {
  for (size_t i = 0; i < g->edges.count; i++) {
    if (g->edges.data[i].stmt) add_stmt(e, p, g->edges.data[i].stmt);
    if (g->edges.data[i].inner) add_graph(e, p, g->edges.data[i].inner);
  }
}

static void add_processes(struct embed *e) {
  for (size_t i = 0; i < e->prog->procs.count; i++) {
    const struct pml_proc *p = e->prog->procs.data[i];
    if (p->kind != PML_PROCTYPE && p->kind != PML_INIT) continue;
    add_graph(e, p, &p->graph);
    add_expr(e, p, p->provided);
  }
}

uint32_t embed_number(const struct embed *e, const void *node) {
  uint32_t i = 0;
  while (e->texts.data[i].node != node) i++;
  return i;
}

// --- c_state and c_track ---

static const char *trimmed(struct arena *a, const char *s) {
  s += strspn(s, " \t\n");
  size_t n = strlen(s);
  while (n && isspace((unsigned char)s[n - 1])) n--;
  return arena_strndup(a, s, n);
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The name that a C declaration without initialiser declares, and the element that it begins with.
static void read_declaration(struct embed *e, struct embed_memory *m, const char *owner) {
  size_t end = strcspn(m->text, "[");
  const char *rest = m->text + end;
  while (end && !in_name(m->text[end - 1])) end--;
  size_t from = end;
  while (from && in_name(m->text[from - 1])) from--;
  m->name = arena_strndup(e->arena, m->text + from, end - from);
  struct text place = {0};
  text_printf(&place, "&%s%s", owner, m->name);
  for (; (rest = strchr(rest, '[')); rest++) text_add(&place, "[0]");
  m->place = arena_strdup(e->arena, text_str(&place));
  text_clear(&place);
}

static const struct pml_proc *find_proc(const struct pml_program *p, const char *name) {
  for (size_t i = 0; i < p->procs.count; i++) {
    const struct pml_proc *q = p->procs.data[i];
    if (q->kind == PML_PROCTYPE && strcmp(q->name, name) == 0) return q;
    if (q->kind == PML_INIT && strcmp(name, "init") == 0) return q;
  }
  return NULL;
}

static void add_state(struct embed *e, const struct ast_unit *u, struct diag *d) {
  struct embed_memory m = {.span = u->name_spans[0], .text = trimmed(e->arena, u->names[0])};
  const char *scope = u->name_count > 1 ? trimmed(e->arena, u->names[1]) : "";
  m.init = u->name_count > 2 ? u->names[2] : NULL;
  if (strcmp(scope, "Global") == 0) {
    m.kind = EMBED_GLOBAL;
    read_declaration(e, &m, "now.");
  } else if (strcmp(scope, "Hidden") == 0) {
    m.kind = EMBED_HIDDEN;
  } else if (strncmp(scope, "Local", 5) == 0 && isspace((unsigned char)scope[5])) {
    m.kind = EMBED_LOCAL;
    m.proc = find_proc(e->prog, trimmed(e->arena, scope + 5));
    if (!m.proc) {
      diag_error(d, u->span, "c_state: there is no proctype '%s'", trimmed(e->arena, scope + 5));
      return;
    }
    read_declaration(e, &m, arena_printf(e->arena, "fathom_P%u.", m.proc->number));
  } else {
    diag_error(d, u->span,
               "c_state: expected \"Global\", \"Hidden\" or \"Local proctype\" behind "
               "the declaration");
    return;
  }
  VEC_PUSH(&e->memories, m);
}

static void add_track(struct embed *e, const struct ast_unit *u, struct diag *d) {
  const char *how = u->name_count > 2 ? trimmed(e->arena, u->names[2]) : "Matched";
  if (u->name_count < 2) {
    diag_error(d, u->span, "c_track: expected a pointer and a size, each a string");
  } else if (strcmp(how, "Matched") != 0 && strcmp(how, "UnMatched") != 0 &&
             strcmp(how, "StackOnly") != 0) {
    diag_error(d, u->span, "c_track: expected \"Matched\", \"UnMatched\" or \"StackOnly\"");
  } else {
    if (strcmp(how, "Matched") != 0)
      diag_warning(d, u->span, "c_track: \"%s\" memory is part of the state here", how);
    const char *pointer = trimmed(e->arena, u->names[0]);
    struct embed_memory m = {.kind = EMBED_TRACKED, .span = u->span, .text = pointer};
    m.name = pointer;
    m.place = arena_printf(e->arena, "(%s)", pointer);
    m.size = u->names[1];
    VEC_PUSH(&e->memories, m);
  }
}

static void add_memories(struct embed *e, struct diag *d) {
  for (size_t i = 0; i < e->prog->c_units.count; i++) {
    const struct ast_unit *u = e->prog->c_units.data[i];
    if (u->kind != AST_UNIT_C_STATE) continue;
    if (u->is_decl)
      add_track(e, u, d);
    else
      add_state(e, u, d);
  }
}

// --- which variables it mentions ---

static void gather(const struct embed *e, struct text *out) {
  for (size_t i = 0; i < e->prog->c_units.count; i++) {
    const struct ast_unit *u = e->prog->c_units.data[i];
    if (u->text) text_printf(out, "%s\n", u->text);
    for (uint32_t k = 0; k < u->name_count; k++) text_printf(out, "%s\n", u->names[k]);
  }
  for (size_t i = 0; i < e->texts.count; i++) {
    const struct embed_text *t = &e->texts.data[i];
    text_printf(out, "%s\n%s\n", t->condition ? t->condition : "", t->text);
  }
}

// The next place behind p where the name stands by itself; NULL: there is none.
static const char *find_name(const char *text, const char *p, const char *name) {
  size_t n = strlen(name);
  for (; (p = strstr(p, name)); p++)
    if ((p == text || !in_name(p[-1])) && !in_name(p[n])) return p;
  return NULL;
}

// Is a structure ever used as a whole?
static bool used_whole(const char *text, const char *name, const char *access) {
  for (const char *p = text; (p = find_name(text, p, name));) {
    p += strlen(name);
    p += strspn(p, " \t\n");
    if (strncmp(p, access, strlen(access)) != 0) return true;
  }
  return false;
}

// There may be more than meets the eye: other files, names that are glued together.
static bool opaque(const struct embed *e, const char *text) {
  if (strstr(text, "##") || used_whole(text, "now", ".")) return true;
  for (const char *p = text; (p = strstr(p, "include")); p++) {
    const char *q = p + strlen("include");
    if (q[strspn(q, " \t")] == '"') return true;
  }
  for (size_t i = 0; i < e->prog->procs.count; i++) {
    const struct pml_proc *q = e->prog->procs.data[i];
    const char *name = q->kind == PML_INIT ? "init" : q->name;
    if (used_whole(text, arena_printf(e->arena, "P%s", name), "->")) return true;
  }
  return false;
}

bool embed_reads_only(const struct pml_symbol *s) { return s->type.base == AST_CHAN; }

bool embed_sees(const struct pml_symbol *s) {
  return s->in_c && s->builtin == PML_NOT_BUILTIN && !(s->is_array && embed_reads_only(s));
}

static void mark(const char *text, bool all, struct pml_symbol *s) {
  s->in_c = all || find_name(text, text, s->name) || find_name(text, text, s->shown);
  if (!embed_sees(s)) return;
  s->read = true;
  s->written = s->written || !embed_reads_only(s);
}

static void mark_all(struct embed *e, struct pml_program *p) {
  struct text t = {0};
  gather(e, &t);
  const char *text = text_str(&t);
  bool all = opaque(e, text);
  e->nr_pr = all || find_name(text, text, "_nr_pr");
  for (size_t i = 0; i < p->globals.count; i++) mark(text, all, p->globals.data[i]);
  for (size_t i = 0; i < p->procs.count; i++)
    for (size_t k = 0; k < p->procs.data[i]->locals.count; k++)
      mark(text, all, p->procs.data[i]->locals.data[k]);
  e->foreign.text = arena_strdup(e->arena, text);
  text_clear(&t);
}

// --- the compiled code ---

// What it says of a piece of memory.
static bool measure(struct embed *e, uint32_t i, struct diag *d) {
  void (*about)(unsigned, int64_t *) = sys_library_symbol(e->library, "fathom_memory");
  void (*start)(unsigned, int64_t *) = sys_library_symbol(e->library, "fathom_start");
  struct embed_memory *m = &e->memories.data[i];
  int64_t told[3] = {0};
  if (m->kind == EMBED_HIDDEN) return true;
  about(i, told);
  if (told[0] < 1 || told[0] > CELLS_MAX) {
    diag_error(d, m->span, "'%s' takes %lld bytes; expected 1 to %d", m->name, (long long)told[0],
               CELLS_MAX);
    return false;
  }
  m->bytes = (uint32_t)told[1];
  m->count = (uint32_t)(told[0] / told[1]);
  m->is_signed = told[2];
  m->start = ARENA_ARRAY(e->arena, int64_t, m->count);
  start(i, m->start);
  return true;
}

static const char *folder_of(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(a, path, (size_t)(slash - path) + 1) : ".";
}

static bool compile(struct embed *e, const char *path, struct diag *d) {
  struct text code = {0}, why = {0}, messages = {0};
  embed_write(&code, e);
  e->library = sys_library_new(text_str(&code), folder_of(e->arena, path), &why, &messages);
  if (!e->library) embed_report(e, text_str(&messages), text_str(&why), d);
  text_clear(&code);
  text_clear(&why);
  text_clear(&messages);
  if (!e->library) return false;
  e->foreign.functions = sys_library_symbol(e->library, "fathom_functions");
  e->foreign.count = (uint32_t)e->texts.count;
  bool good = true;
  for (uint32_t i = 0; i < e->memories.count; i++) good = measure(e, i, d) && good;
  return good;
}

struct embed *embed_load(struct pml_program *p, const char *path, bool refused, struct diag *d) {
  if (!p->uses_c && p->c_units.count == 0) return NULL;
  struct embed *e = mem_zalloc(1, sizeof *e);
  size_t before = d->errors;
  e->arena = p->arena;
  e->prog = p;
  add_processes(e);
  add_memories(e, d);
  mark_all(e, p);
  if (refused) embed_report(e, "", "it is not allowed here", d);
  if (d->errors == before && compile(e, path, d)) return e;
  embed_free(e);
  return NULL;
}

void embed_free(struct embed *e) {
  if (!e) return;
  sys_library_free(e->library);
  VEC_CLEAR(&e->memories);
  VEC_CLEAR(&e->texts);
  mem_free(e);
}
