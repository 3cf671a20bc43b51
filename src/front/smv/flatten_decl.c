// SPDX-License-Identifier: Apache-2.0
// The declarations of all instances, once every name is there: symbols, DEFINEs, assignments,
// constraints, specifications.
#include "front/smv/flatten.h"

#include <string.h>

// --- assignments ---

static bool assignable(struct smv_names *n, const struct ast_decl *d, const struct smv_symbol *s) {
  const char *why = NULL;
  switch (s->kind) {
  case SMV_VAR: break;
  case SMV_FROZEN:
    if (d->when != SMV_AT_INIT) why = "is frozen; expected only init of it";
    break;
  case SMV_INPUT: why = "is an input; expected a variable of VAR"; break;
  case SMV_DEFINE: why = "is a DEFINE; expected a variable"; break;
  case SMV_CONSTANT: why = "is a constant; expected a variable"; break;
  case SMV_ARRAY: why = "is an array; expected one of its elements"; break;
  case SMV_RUNNING: why = "is said by the choice of a process; expected a variable"; break;
  }
  if (why) smv_error(n, d->target->span, "'%s' %s", s->name, why);
  return !why;
}

static const struct smv_symbol *target(struct smv_names *n, const struct instance *i,
                                       const struct ast_decl *d) {
  struct thing t;
  if (!smv_thing(n, i, d->target, &t)) return NULL;
  if (!t.symbol && t.expr && t.expr->op == SMV_SYMBOL) t.symbol = t.expr->symbol;
  if (t.symbol) return assignable(n, d, t.symbol) ? t.symbol : NULL;
  if (t.expr && t.expr->op == SMV_INDEX)
    smv_error(n, d->target->span, "expected a constant as the index of what is assigned");
  else if (t.expr)
    smv_error(n, d->target->span,
              "expected a variable to assign, but what is given for it is none");
  else
    smv_error(n, d->target->span, "expected a variable to assign, but this is an instance");
  return NULL;
}

// Where a variable was assigned: at `when`, by a process (next), or by any.
enum { ANY_PROCESS = PROCESSES_MAX };

static const void *slot(enum smv_when when, uint32_t process) {
  return (const void *)(uintptr_t)(1 + (uint32_t)when + 3 * process);
}

static struct ast_decl *assigned(const struct smv_names *n, const struct smv_symbol *s,
                                 enum smv_when when, uint32_t process) {
  return smv_table_get(&n->assigned, s, slot(when, process));
}

static const struct ast_decl *conflict(const struct smv_names *n, const struct smv_symbol *s,
                                       enum smv_when when, uint32_t process) {
  const struct ast_decl *plain = assigned(n, s, SMV_ALWAYS, 0);
  const struct ast_decl *init = assigned(n, s, SMV_AT_INIT, 0);
  if (plain) return plain;
  if (when == SMV_AT_NEXT) return assigned(n, s, when, process);
  if (when == SMV_AT_INIT || init) return init;
  return assigned(n, s, SMV_AT_NEXT, ANY_PROCESS);
}

static bool record(struct smv_names *n, const struct smv_symbol *s, const struct instance *i,
                   struct ast_decl *d) {
  uint32_t process = d->when == SMV_AT_NEXT ? i->process : 0;
  const struct ast_decl *old = conflict(n, s, d->when, process);
  if (!old) {
    smv_table_put(&n->assigned, s, slot(d->when, process), d);
    if (d->when == SMV_AT_NEXT) smv_table_put(&n->assigned, s, slot(d->when, ANY_PROCESS), d);
    return true;
  }
  size_t errors = n->d->errors;
  if (old->when == d->when)
    smv_error(n, d->target->span, "'%s' is assigned twice", s->name);
  else
    smv_error(n, d->target->span, "'%s' is assigned both plainly and by %s", s->name,
              old->when == SMV_AT_INIT || d->when == SMV_AT_INIT ? "init" : "next");
  if (n->d->errors > errors)
    diag_add(n->d, DIAG_NOTE, old->target->span, "'%s' was assigned here", s->name);
  return false;
}

static void assign(struct smv_names *n, const struct instance *i, struct ast_decl *d) {
  const struct smv_symbol *s = target(n, i, d);
  if (s && !record(n, s, i, d)) s = NULL;
  const struct smv_expr *e = smv_flat_expr(n, i, d->expr);
  if (!s || !e) return;
  struct smv_assign a = {
      .when = d->when, .symbol = s, .expr = e, .span = d->span, .process = i->process};
  VEC_PUSH(&n->flat->assigns, a);
}

// --- the rest ---

static void constrain(struct smv_names *n, const struct instance *i, const struct ast_decl *d) {
  const struct smv_expr *e = smv_flat_expr(n, i, d->expr);
  struct smv_constraint c = {.expr = e, .span = d->span};
  if (!e) return;
  if (d->kind == AST_INIT)
    VEC_PUSH(&n->flat->inits, c);
  else if (d->kind == AST_TRANS)
    VEC_PUSH(&n->flat->trans, c);
  else
    VEC_PUSH(&n->flat->invars, c);
}

static void fairness(struct smv_names *n, const struct instance *i, const struct ast_decl *d) {
  struct smv_fairness f = {.compassion = d->other != NULL, .span = d->span};
  f.p = smv_flat_expr(n, i, d->expr);
  if (d->other) f.q = smv_flat_expr(n, i, d->other);
  if (f.p && (f.q || !d->other)) VEC_PUSH(&n->flat->fairness, f);
}

static const char *spec_name(struct smv_names *n, const struct instance *i,
                             const struct smv_expr *path) {
  struct text t = {0};
  if (*i->name) text_printf(&t, "%s.", i->name);
  smv_ast_spell(&t, path);
  const char *name = arena_strdup(n->flat->arena, text_str(&t));
  text_clear(&t);
  return name;
}

static void specify(struct smv_names *n, const struct instance *i, const struct ast_decl *d) {
  struct smv_spec s = {.kind = d->spec, .span = d->span};
  const struct instance *scope = i;
  struct thing t = {0};
  if (d->other) {
    if (!smv_thing(n, i, d->other, &t)) return;
    scope = t.instance;
    if (!scope) {
      smv_error(n, d->other->span, "expected an instance of a module after IN");
      return;
    }
  }
  if (d->target) s.name = spec_name(n, i, d->target);
  s.expr = smv_flat_expr(n, scope, d->expr);
  if (s.expr) VEC_PUSH(&n->flat->specs, s);
}

static void declare(struct smv_names *n, const struct instance *i, struct ast_decl *d) {
  switch (d->kind) {
  case AST_ASSIGN: assign(n, i, d); break;
  case AST_INIT:
  case AST_TRANS:
  case AST_INVAR: constrain(n, i, d); break;
  case AST_FAIRNESS: fairness(n, i, d); break;
  case AST_SPEC: specify(n, i, d); break;
  default: break; // they are symbols by now
  }
}

// Several instances may come to the same parameter: then its faults were told with the first.
void smv_flat_decls(struct smv_names *n) {
  struct smv_flat *f = n->flat;
  for (size_t i = 0; i < n->declared.count && !n->gave_up; i++)
    if (n->declared.data[i]->kind != ENTRY_PARAM) smv_entry_thing(n, n->declared.data[i], NULL);
  for (size_t i = 0; i < n->declared.count && !n->gave_up; i++)
    smv_entry_thing(n, n->declared.data[i], NULL);
  for (size_t i = 0; i < f->symbols.count && !n->gave_up; i++)
    if (f->symbols.data[i]->kind == SMV_DEFINE) smv_flat_define(n, f->symbols.data[i]);
  for (size_t i = 0; i < n->instances.count; i++)
    for (struct ast_decl *d = n->instances.data[i]->module->decls; d && !n->gave_up; d = d->next)
      declare(n, n->instances.data[i], d);
}
