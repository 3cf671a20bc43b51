// SPDX-License-Identifier: Apache-2.0
// From an SMV text to a flat model: read, instantiate, resolve, check.
#include "front/smv/flatten.h"

#include "front/smv/parse.h"
#include "front/smv/smv.h"

#include <string.h>

// --- errors and limits ---

void smv_error(struct smv_names *n, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_vonce(n->d, span, format, args);
  va_end(args);
}

bool smv_enter(struct smv_names *n, struct span span) {
  if (n->calls < CALLS_MAX) {
    n->calls++;
    return true;
  }
  if (!n->gave_up)
    smv_error(n, span, "nested too deeply: more than %d levels", (int)SMV_NESTING_MAX);
  n->gave_up = true;
  return false;
}

void smv_leave(struct smv_names *n) { n->calls--; }

void smv_too_large(struct smv_names *n, struct span span, const char *what, uint32_t most) {
  if (!n->gave_up)
    smv_error(n, span,
              "the model grows too large when its modules are put in place: more than %u %s", most,
              what);
  n->gave_up = true;
}

// --- the map ---

static size_t slot_of(const struct table *t, const void *a, const void *b) {
  uint64_t key[2] = {(uintptr_t)a, (uintptr_t)b};
  size_t i = hash_bytes(key, sizeof key, 0) & (t->capacity - 1);
  while (t->slots[i].value && (t->slots[i].a != a || t->slots[i].b != b))
    i = (i + 1) & (t->capacity - 1);
  return i;
}

void *smv_table_get(const struct table *t, const void *a, const void *b) {
  return t->capacity ? t->slots[slot_of(t, a, b)].value : NULL;
}

static void grow(struct table *t) {
  struct table bigger = {.count = t->count, .capacity = t->capacity ? 2 * t->capacity : 64};
  bigger.slots = mem_zalloc(bigger.capacity, sizeof *bigger.slots);
  for (size_t i = 0; i < t->capacity; i++) {
    const struct table_slot *s = &t->slots[i];
    if (s->value) bigger.slots[slot_of(&bigger, s->a, s->b)] = *s;
  }
  mem_free(t->slots);
  *t = bigger;
}

void smv_table_put(struct table *t, const void *a, const void *b, void *value) {
  assert(value);
  if (2 * t->count >= t->capacity) grow(t);
  struct table_slot *s = &t->slots[slot_of(t, a, b)];
  t->count += s->value == NULL;
  *s = (struct table_slot){a, b, value};
}

void smv_table_clear(struct table *t) {
  mem_free(t->slots);
  *t = (struct table){0};
}

// --- the whole way ---

static struct smv_flat *flat_new(struct diag *d) {
  struct smv_flat *f = mem_zalloc(1, sizeof *f);
  f->arena = arena_new();
  f->names = mem_zalloc(1, sizeof *f->names);
  f->names->flat = f;
  f->names->d = d;
  f->names->texts.arena = f->arena;
  f->names->running_name = smv_intern(&f->names->texts, "running", 7);
  return f;
}

static void names_free(struct smv_names *n) {
  smv_texts_clear(&n->texts);
  smv_table_clear(&n->entries);
  smv_table_clear(&n->constants);
  smv_table_clear(&n->modules);
  smv_table_clear(&n->symbols);
  smv_table_clear(&n->assigned);
  VEC_CLEAR(&n->declared);
  VEC_CLEAR(&n->instances);
  VEC_CLEAR(&n->running);
  VEC_CLEAR(&n->bodies);
  VEC_CLEAR(&n->known);
  mem_free(n);
}

void smv_flat_free(struct smv_flat *f) {
  if (!f) return;
  names_free(f->names);
  VEC_CLEAR(&f->symbols);
  VEC_CLEAR(&f->assigns);
  VEC_CLEAR(&f->inits);
  VEC_CLEAR(&f->trans);
  VEC_CLEAR(&f->invars);
  VEC_CLEAR(&f->fairness);
  VEC_CLEAR(&f->specs);
  VEC_CLEAR(&f->processes);
  VEC_CLEAR(&f->defines);
  arena_free(f->arena);
  mem_free(f);
}

static bool read_text(struct smv_names *n, struct source *s, struct smv_parse *p) {
  size_t errors = n->d->errors;
  p->source = s;
  p->diag = n->d;
  p->tree = n->flat->arena;
  p->texts = &n->texts;
  bool readable = p->given ? source_readable(s, "text", "an SMV expression", n->d)
                           : source_readable(s, "file", "an SMV model", n->d);
  if (readable) smv_parse(p);
  return n->d->errors == errors;
}

// --- -D: a value takes the place of the DEFINE, and its place in the text ---

static void place(struct smv_expr *e, struct span span) {
  VEC(struct smv_expr *) left = {0};
  VEC_PUSH(&left, e);
  while (left.count) {
    e = VEC_POP(&left);
    if (e->span.source == span.source) continue; // shared, and done
    e->span = span;
    for (uint32_t i = 0; i < e->arg_count; i++) VEC_PUSH(&left, (struct smv_expr *)e->args[i]);
  }
  VEC_CLEAR(&left);
}

static struct ast_decl *find_define(struct ast_module *m, const char *name) {
  for (struct ast_decl *d = m->decls; d; d = d->next)
    if (d->kind == AST_DEFINE && d->target->op == SMV_NAME && d->target->arg_count == 0 &&
        strcmp(d->target->text, name) == 0)
      return d;
  return NULL;
}

static void no_such_define(struct smv_names *n, struct ast_module *m, const char *name) {
  static const struct span nowhere;
  VEC(const char *) names = {0};
  for (struct ast_decl *d = m->decls; d; d = d->next)
    if (d->kind == AST_DEFINE && d->target->text) VEC_PUSH(&names, d->target->text);
  const char *best = name_nearest(name, names.data, names.count);
  if (best)
    diag_error(n->d, nowhere, "-D %s: module main has no DEFINE '%s'; did you mean '%s'?", name,
               name, best);
  else
    diag_error(n->d, nowhere, "-D %s: module main has no DEFINE '%s'; expected one of its own",
               name, name);
  VEC_CLEAR(&names);
}

static void apply_define(struct smv_names *n, struct ast_module *m, const struct smv_define *g) {
  struct ast_decl *d = find_define(m, g->name);
  if (!d) {
    no_such_define(n, m, g->name);
    return;
  }
  struct source *s = source_from_text("-D", g->value, strlen(g->value));
  struct smv_parse p = {.given = true};
  if (!read_text(n, s, &p)) {
    diag_keep_source(n->d, s);
    return;
  }
  place(p.expr, d->span);
  source_free(s);
  d->expr = p.expr;
  d->items = NULL;
}

// ---

static struct span start_of(const struct source *s) {
  return (struct span){.source = s, .line = 1, .column = 1, .end_line = 1, .end_column = 2};
}

static bool find_main(struct smv_names *n, const struct source *s, struct ast_module **m) {
  *m = smv_module(n, smv_intern(&n->texts, "main", 4));
  if (!*m)
    smv_error(n, start_of(s), "there is no module 'main'; expected one, in which the model begins");
  else if ((*m)->params)
    smv_error(n, (*m)->span, "module 'main' has parameters; expected none");
  return *m && !(*m)->params;
}

static void flatten(struct smv_names *n, const struct smv_define *defines, size_t define_count,
                    struct ast_module *m) {
  size_t errors = n->d->errors;
  if (!smv_expand_isa(n, m)) return;
  for (size_t i = 0; i < define_count; i++) apply_define(n, m, &defines[i]);
  smv_instantiate(n, m);
  if (n->d->errors > errors) return;
  smv_flat_decls(n);
  if (!n->gave_up) smv_check_dependencies(n);
}

struct smv_flat *smv_flatten(struct source *s, const struct smv_define *defines,
                             size_t define_count, struct diag *d) {
  struct smv_flat *f = flat_new(d);
  struct smv_parse p = {0};
  struct ast_module *m;
  size_t errors = d->errors;
  if (read_text(f->names, s, &p)) {
    smv_know_modules(f->names, p.modules);
    if (find_main(f->names, s, &m)) flatten(f->names, defines, define_count, m);
  }
  f->names->d = NULL;
  if (d->errors == errors) return f;
  smv_flat_free(f);
  return NULL;
}

// A tree: main has no parameters.
static const struct smv_expr *temporal(const struct smv_expr *e) {
  if (e->op >= SMV_EX) return e;
  const struct smv_expr *found = NULL;
  for (uint32_t i = 0; i < e->arg_count && !found; i++) found = temporal(e->args[i]);
  return found;
}

const struct smv_expr *smv_flatten_expr(struct smv_flat *f, struct source *s, struct diag *d) {
  struct smv_names *n = f->names;
  struct smv_parse p = {.given = true};
  size_t errors = d->errors;
  const struct smv_expr *e = NULL;
  n->d = d;
  n->gave_up = false;
  if (read_text(n, s, &p)) e = smv_flat_expr(n, n->main, p.expr);
  const struct smv_expr *wrong = e ? temporal(e) : NULL;
  if (wrong)
    smv_error(n, wrong->span, "expected an expression over one state, without temporal operators");
  n->d = NULL;
  return d->errors == errors ? e : NULL;
}

const struct smv_symbol *smv_find(const struct smv_flat *f, const char *name) {
  const char *text = smv_intern(&f->names->texts, name, strlen(name));
  return smv_table_get(&f->names->symbols, text, NULL);
}
