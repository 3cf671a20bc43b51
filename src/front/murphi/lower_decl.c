// SPDX-License-Identifier: Apache-2.0
// Constants, types, variables, functions. A name is known from its declaration on; a function also
// inside itself.
#include "front/murphi/lower.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- constants, and -D ---

static bool parse_integer(const char *text, int64_t *value) {
  char *end;
  bool minus = text[0] == '-';
  const char *digits = text + minus;
  if (digits[0] < '0' || digits[0] > '9') return false;
  bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  errno = 0;
  *value = strtoll(text, &end, hex ? 16 : 10);
  return errno == 0 && *end == '\0';
}

// After an error uses of the constant are silent.
static void redefine_one(struct lower *w, const struct murphi_define *d, struct symbol *s) {
  static const struct span nowhere;
  bool yes = strcasecmp(d->value, "true") == 0, no = strcasecmp(d->value, "false") == 0;
  size_t errors = w->d->errors;
  if (murphi_is_bool(s->type)) {
    s->value = yes;
    if (!yes && !no)
      diag_error(w->d, nowhere, "-D %s=%s: expected true or false", d->name, d->value);
  } else if (!murphi_is_integer(s->type)) {
    diag_error(w->d, nowhere, "-D %s=%s: '%s' is not an integer or boolean constant; expected one",
               d->name, d->value, d->name);
  } else if (!parse_integer(d->value, &s->value)) {
    diag_error(w->d, nowhere, "-D %s=%s: expected an integer of 64 bits", d->name, d->value);
  }
  if (w->d->errors > errors) s->kind = SYMBOL_WRONG;
}

// The value that -D gives to the constant, if any. The last one counts.
static void redefine(struct lower *w, const char *name, struct symbol *s) {
  for (size_t i = 0; i < w->define_count; i++) {
    if (strcmp(w->defines[i].name, name) != 0) continue;
    w->define_used[i] = true;
    redefine_one(w, &w->defines[i], s);
  }
}

static void constant(struct lower *w, struct ast_decl *d, bool global) {
  const char *why = NULL;
  int64_t value;
  struct ir_expr *x = murphi_value(w, d->value);
  if (x && !murphi_const_value(x, &value, &why)) {
    murphi_error(w, d->value->span, "expected a constant, known before the model runs%s%s",
                 why ? ", but " : "", why ? why : "");
    x = NULL;
  }
  for (struct ast_name *n = d->names; n; n = n->next) {
    struct symbol *s = murphi_declare(w, x ? SYMBOL_CONST : SYMBOL_WRONG, n);
    if (!x) continue;
    s->type = x->type;
    s->value = value;
    if (global) redefine(w, n->ident->text, s);
  }
}

// --- types and variables ---

static void type(struct lower *w, struct ast_decl *d) {
  const struct ir_type *t = murphi_type(w, d->type);
  if (t && d->type->ir && !d->type->ir->name)
    d->type->ir->name = arena_strdup(w->m->arena, d->names->ident->text);
  for (struct ast_name *n = d->names; n; n = n->next)
    murphi_declare(w, t ? SYMBOL_TYPE : SYMBOL_WRONG, n)->type = t;
}

static void variable(struct lower *w, struct ast_decl *d) {
  const struct ir_type *t = murphi_type(w, d->type);
  for (struct ast_name *n = d->names; n; n = n->next) {
    struct symbol *s = murphi_declare(w, t ? SYMBOL_VAR : SYMBOL_WRONG, n);
    if (!t) continue;
    if (w->m->leaves + t->leaves > (uint64_t)MURPHI_LEAVES_MAX) {
      murphi_error(w, n->span, "the variables hold more than %" PRId64 " scalars; expected fewer",
                   MURPHI_LEAVES_MAX);
      s->kind = SYMBOL_WRONG;
      continue;
    }
    s->var = ir_var_new(w->m, n->ident->text, t, n->span);
  }
}

static void local_variable(struct lower *w, struct ast_decl *d, struct ir_chain *out) {
  const struct ir_type *t = murphi_type(w, d->type);
  for (struct ast_name *n = d->names; n; n = n->next) {
    struct symbol *s = murphi_declare(w, t ? SYMBOL_LOCAL : SYMBOL_WRONG, n);
    if (!t) continue;
    struct ir_local *l = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, n->ident->text, t, n->span);
    s->local = l;
    if (murphi_has_multiset(w, t)) murphi_multiset_empty(w, ir_local_ref(w->m, l, n->span), out);
  }
}

void murphi_decls(struct lower *w, struct ast_decl *decls) {
  for (struct ast_decl *d = decls; d; d = d->next) {
    if (d->kind == AST_CONST) constant(w, d, true);
    if (d->kind == AST_TYPE) type(w, d);
    if (d->kind == AST_VAR) variable(w, d);
  }
}

void murphi_local_decls(struct lower *w, struct ast_decl *decls, struct ir_chain *out) {
  for (struct ast_decl *d = decls; d; d = d->next) {
    if (d->kind == AST_CONST) constant(w, d, false);
    if (d->kind == AST_TYPE) type(w, d);
    if (d->kind == AST_VAR) local_variable(w, d, out);
  }
}

// --- functions ---

// Types of parameters are resolved before any parameter is known: names of parameters hide
// nothing that other parameters need.
static bool parameters(struct lower *w, struct ast_function *f, struct ir_function *r) {
  bool ok = true;
  for (struct ast_decl *p = f->params; p; p = p->next) {
    const struct ir_type *t = murphi_type(w, p->type);
    ok &= t != NULL;
    for (struct ast_name *n = p->names; n && t; n = n->next) {
      enum ir_local_kind kind = p->is_var ? IR_LOCAL_REF : IR_LOCAL_VALUE;
      struct ir_local *l = ir_local_new(w->m, &r->frame, kind, n->ident->text, t, n->span);
      l->may_undef = kind == IR_LOCAL_VALUE && ir_type_scalar(t); // Murphi hands undefined on
      r->param_count++;
    }
  }
  uint32_t i = 0;
  murphi_scope_open(w);
  for (struct ast_decl *p = f->params; p; p = p->next)
    for (struct ast_name *n = p->names; n; n = n->next)
      murphi_declare(w, ok ? SYMBOL_LOCAL : SYMBOL_WRONG, n)->local =
          ok ? r->frame.locals[i++] : NULL;
  return ok;
}

static void body(struct lower *w, struct ast_function *f, struct symbol *s) {
  struct ir_chain out = {0};
  w->frame = &s->function->frame;
  w->effects = &s->effects;
  w->function = s;
  w->returned = false;
  s->open = true;
  murphi_scope_open(w);
  murphi_local_decls(w, f->decls, &out);
  murphi_stmts(w, f->body, &out);
  murphi_scope_close(w);
  s->open = false;
  s->function->body = out.first;
  if (s->nested.source && s->effects.state)
    murphi_error(w, s->nested,
                 "'%s' changes variables; expected its call of itself alone or as the "
                 "whole right side of an assignment",
                 f->name->ident->text);
  if (f->result && !w->returned)
    murphi_error(w, f->span, "'%s' never returns a value; expected a return statement",
                 f->name->ident->text);
  w->frame = NULL;
  w->effects = NULL;
  w->function = NULL;
}

void murphi_function(struct lower *w, struct ast_function *f) {
  struct symbol *s = murphi_declare(w, SYMBOL_WRONG, f->name); // until its signature is known
  murphi_scope_open(w);
  const struct ir_type *result = f->result ? murphi_type(w, f->result) : NULL;
  s->function = ir_function_new(w->m, f->name->ident->text, result, f->span);
  if (parameters(w, f, s->function) && (result || !f->result)) s->kind = SYMBOL_FUNCTION;
  body(w, f, s);
  murphi_scope_close(w); // of the parameters
  murphi_scope_close(w); // of the types written in the signature
}
