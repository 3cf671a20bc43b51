// SPDX-License-Identifier: Apache-2.0
// Declarations and scopes. A name may not be declared where another of that name is visible. A
// declaration behind a statement is an assignment where it stands, as in SPIN.
#include "front/promela/resolve.h"

#include <inttypes.h>
#include <string.h>

#define LENGTH_MAX 1000000

void resolve_enter(struct resolve *r) {
  struct scope *s = ARENA_NEW(r->arena, struct scope);
  s->up = r->scope;
  r->scope = s;
}

void resolve_leave(struct resolve *r) { r->scope = r->scope->up; }

struct pml_symbol *resolve_find(const struct resolve *r, const char *name) {
  for (const struct scope *s = r->scope; s; s = s->up)
    for (struct binding *b = s->bindings; b; b = b->next)
      if (strcmp(b->sym->name, name) == 0) return b->sym;
  return NULL;
}

static void bind(struct resolve *r, struct pml_symbol *s) {
  struct binding *b = ARENA_NEW(r->arena, struct binding);
  *b = (struct binding){.sym = s, .next = r->scope->bindings};
  r->scope->bindings = b;
}

// ---------------------------------------------------------------------------------------------
// One symbol

// SPIN takes the initial value of a variable for the length of an array, with a warning.
static bool value_of_variable(struct resolve *r, const struct ast_expr *e, int64_t *value) {
  if (e->op != AST_REF || !e->sym || e->sym->init_count != 1) return false;
  if (!pml_constant(e->sym->init[0], value)) return false;
  diag_warning(r->diag, e->span, "the length is the initial value of %s, %" PRId64, e->name,
               *value);
  return true;
}

static uint32_t length_of(struct resolve *r, struct ast_expr *e) {
  int64_t value = 0;
  if (!e) return 1;
  resolve_expr(r, e);
  bool known = pml_constant(e, &value) || value_of_variable(r, e, &value);
  if (known && value >= 1 && value <= LENGTH_MAX) return (uint32_t)value;
  diag_error(r->diag, e->span, "the length of an array is a number from 1 to %d", LENGTH_MAX);
  return 1;
}

static uint32_t bits_of(struct resolve *r, const struct ast_decl *d) {
  int64_t value = 0;
  if (d->type.base != AST_UNSIGNED) {
    if (d->bits) diag_error(r->diag, d->span, "only an unsigned can have a width");
    return 0;
  }
  if (!d->bits) {
    diag_warning(r->diag, d->span, "unsigned without a width: 16 bits");
    return 16;
  }
  if (pml_constant(d->bits, &value) && value >= 1 && value <= 31) return (uint32_t)value;
  diag_error(r->diag, d->bits->span, "the width of an unsigned is a number from 1 to 31");
  return 1;
}

static void resolve_init(struct resolve *r, struct pml_symbol *s, struct ast_decl *d) {
  for (uint32_t i = 0; i < d->init_count; i++) {
    r->runs = 0;
    resolve_expr(r, d->init[i]);
    if (r->runs > 0) diag_error(r->diag, d->init[i]->span, "run in an initialisation");
    types_check_constant(r, &s->type, d->init[i]);
  }
  if (d->init_count > 1 && !s->is_array)
    diag_error(r->diag, d->span, "%s is no array, but has a list of values", d->name);
  if (d->init_count > s->length)
    diag_error(r->diag, d->span, "%s has %u elements, but %u values", d->name, s->length,
               d->init_count);
  if (s->type.base == AST_STRUCT && d->init_count > 0)
    diag_error(r->diag, d->span, "a structure cannot be initialised");
  s->init = d->init;
  s->init_count = d->init_count;
}

static void check_channel(struct resolve *r, const struct pml_symbol *s, const struct ast_decl *d) {
  if (s->type.base != AST_CHAN)
    diag_error(r->diag, d->span, "%s is no chan, but is initialised as one", d->name);
}

static const char *shown_name(struct resolve *r, const char *name) {
  uint32_t same = 0;
  if (r->proc)
    for (size_t i = 0; i < r->proc->locals.count; i++)
      same += strcmp(r->proc->locals.data[i]->name, name) == 0;
  return same == 0 ? name : arena_printf(r->p->arena, "%s_%u", name, same + 1);
}

static void check_new(struct resolve *r, const struct ast_decl *d) {
  const struct pml_symbol *old = resolve_find(r, d->name);
  if (old) {
    diag_error(r->diag, d->span, "%s is declared already", d->name);
    if (old->span.source) diag_add(r->diag, DIAG_NOTE, old->span, "here");
  } else if (types_mtype(r, d->name)) {
    diag_error(r->diag, d->span, "%s is a name of an mtype", d->name);
  }
}

static struct pml_symbol *symbol_new(struct resolve *r, struct ast_decl *d,
                                     enum pml_symbol_kind kind) {
  struct pml_symbol *s = ARENA_NEW(r->p->arena, struct pml_symbol);
  *s = (struct pml_symbol){.kind = kind,
                           .name = arena_strdup(r->p->arena, d->name),
                           .span = d->span,
                           .is_array = d->length != NULL,
                           .visibility = d->visibility,
                           .owner = r->proc ? (int32_t)r->proc->number : -1};
  types_of(r, &d->type, &s->type);
  s->type.bits = bits_of(r, d);
  s->length = length_of(r, d->length);
  if (d->init_count > 0) resolve_init(r, s, d);
  if (d->channel) check_channel(r, s, d);
  if (d->channel) s->channel = types_channel(r, d->channel, d->span);
  return s;
}

static void add_to_owner(struct resolve *r, struct pml_symbol *s) {
  s->shown = shown_name(r, s->name);
  s->id = (uint32_t)(r->proc ? r->proc->locals.count : r->p->globals.count);
  if (r->proc)
    VEC_PUSH(&r->proc->locals, s);
  else
    VEC_PUSH(&r->p->globals, s);
  bind(r, s);
}

static void check_parameter(struct resolve *r, const struct ast_decl *d) {
  if (d->length) diag_error(r->diag, d->span, "a parameter cannot be an array");
  if (d->init_count > 0 || d->channel)
    diag_error(r->diag, d->span, "a parameter cannot be initialised");
}

struct pml_symbol *resolve_declare(struct resolve *r, struct ast_decl *d,
                                   enum pml_symbol_kind kind) {
  check_new(r, d);
  struct pml_symbol *s = symbol_new(r, d, kind);
  if (kind == PML_PARAM) check_parameter(r, d);
  if (d->visibility == AST_HIDDEN && s->type.base == AST_BIT && !s->is_array)
    diag_warning(r->diag, d->span, "SPIN does not allow a hidden bit");
  add_to_owner(r, s);
  return s;
}

// ---------------------------------------------------------------------------------------------
// Structures

static uint32_t count_decls(const struct ast_decl *d) {
  uint32_t n = 0;
  for (; d; d = d->next) n++;
  return n;
}

static bool is_struct(const struct resolve *r, const char *name) {
  for (size_t i = 0; i < r->p->structs.count; i++)
    if (strcmp(r->p->structs.data[i]->name, name) == 0) return true;
  return false;
}

void resolve_typedef(struct resolve *r, struct ast_unit *u) {
  if (is_struct(r, u->name)) diag_error(r->diag, u->span, "%s is declared already", u->name);
  struct pml_struct *s = ARENA_NEW(r->p->arena, struct pml_struct);
  *s = (struct pml_struct){.name = arena_strdup(r->p->arena, u->name), .span = u->span};
  s->fields = ARENA_ARRAY(r->p->arena, struct pml_symbol *, count_decls(u->decls));
  for (struct ast_decl *d = u->decls; d; d = d->next) {
    if (types_field(s, d->name))
      diag_error(r->diag, d->span, "%s has two fields %s", u->name, d->name);
    struct pml_symbol *f = symbol_new(r, d, PML_FIELD);
    f->shown = f->name;
    f->id = s->field_count;
    s->fields[s->field_count++] = f;
  }
  VEC_PUSH(&r->p->structs, s);
}

// ---------------------------------------------------------------------------------------------
// Declarations behind statements

static struct ast_expr *zero(struct resolve *r, struct span span) {
  struct ast_expr *e = ARENA_NEW(r->arena, struct ast_expr);
  e->op = AST_CONST;
  e->span = span;
  return e;
}

// Of an array only the first element is assigned, as SPIN does; of a structure nothing.
static struct ast_stmt *assignment(struct resolve *r, struct pml_symbol *s,
                                   const struct ast_decl *d) {
  struct ast_stmt *a = ARENA_NEW(r->arena, struct ast_stmt);
  *a = (struct ast_stmt){.kind = AST_ASSIGN, .span = d->span, .how = '='};
  a->lhs = resolve_ref_to(r, s, d->span);
  if (s->is_array) a->lhs->args[0] = zero(r, d->span);
  a->expr = s->init_count > 0 ? s->init[0] : zero(r, d->span);
  s->written = s->written || s->init_count > 0;
  s->init = NULL;
  s->init_count = 0;
  return a;
}

static void check_late(struct resolve *r, const struct ast_decl *d) {
  if (d->channel)
    diag_error(r->diag, d->span,
               "%s has to be declared at the start of the process, since it is "
               "initialised as a channel",
               d->name);
  if (d->init_count > 1)
    diag_error(r->diag, d->span, "a list of values is possible only at the start of the process");
}

struct ast_stmt *resolve_late_decls(struct resolve *r, struct ast_decl *decls) {
  struct ast_stmt *first = NULL, **end = &first;
  for (struct ast_decl *d = decls; d; d = d->next) {
    check_late(r, d);
    struct pml_symbol *s = resolve_declare(r, d, PML_VAR);
    *end = assignment(r, s, d);
    end = &(*end)->next;
  }
  return first;
}

// Loops over channels in the same scope share their counter.
struct ast_expr *resolve_hidden_counter(struct resolve *r, struct span span, uint32_t max) {
  static const char name[] = "_for";
  for (struct binding *b = r->scope->bindings; b; b = b->next)
    if (strcmp(b->sym->name, name) == 0) return resolve_ref_to(r, b->sym, span);
  struct pml_symbol *s = ARENA_NEW(r->p->arena, struct pml_symbol);
  *s = (struct pml_symbol){.kind = PML_VAR,
                           .name = name,
                           .span = span,
                           .type = {.base = max > 255 ? AST_SHORT : AST_BYTE},
                           .length = 1,
                           .read = true,
                           .written = true,
                           .owner = r->proc ? (int32_t)r->proc->number : -1};
  add_to_owner(r, s);
  return resolve_ref_to(r, s, span);
}
