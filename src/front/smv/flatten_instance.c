// SPDX-License-Identifier: Apache-2.0
// Makes every instance of a module, depth first in the order of the text, and declares its names.
// DEFINEs of names in other instances (left.ack := ...) come when all instances are there.
#include "front/smv/flatten.h"

#include <string.h>

struct foreign {
  const struct ast_decl *decl;
  const struct instance *scope;
};

struct work {
  struct smv_names *n;
  VEC(struct foreign) foreign;
};

static bool has_room(struct smv_names *n, struct span span) {
  if (n->declared.count + n->instances.count < SYMBOLS_MAX) return !n->gave_up;
  smv_too_large(n, span, "names", SYMBOLS_MAX);
  return false;
}

static struct entry *declare(struct smv_names *n, const struct instance *home, enum entry_kind kind,
                             const char *name, struct span span) {
  struct entry *old = smv_entry(n, home, name);
  if (!has_room(n, span)) return NULL;
  if (old) {
    size_t errors = n->d->errors;
    smv_error(n, span, "'%s' is already declared in module '%s'; expected another name", name,
              home->module->name);
    if (n->d->errors > errors) diag_add(n->d, DIAG_NOTE, old->span, "'%s' was declared here", name);
    return NULL;
  }
  struct entry *e = ARENA_NEW(n->flat->arena, struct entry);
  *e = (struct entry){.kind = kind, .name = name, .span = span, .home = home, .scope = home};
  smv_table_put(&n->entries, home, name, e);
  VEC_PUSH(&n->declared, e);
  return e;
}

static const char *whole_name(struct smv_names *n, const struct smv_expr *path) {
  struct text t = {0};
  smv_ast_spell(&t, path);
  const char *name = smv_intern(&n->texts, text_str(&t), t.count);
  text_clear(&t);
  if (path->op != SMV_NAME || path->arg_count) n->dotted = true;
  return name;
}

static void declare_params(struct smv_names *n, const struct instance *i,
                           const struct ast_type *type) {
  const struct ast_list *actual = type->members;
  for (const struct ast_list *p = i->module->params; p; p = p->next, actual = actual->next) {
    struct entry *e = declare(n, i, ENTRY_PARAM, p->expr->text, p->expr->span);
    if (!e) continue;
    e->scope = i->parent;
    e->expr = actual->expr;
  }
}

static void make_instance(struct work *w, const struct instance *scope, const struct ast_decl *d);

static void declare_constants(struct smv_names *n, const struct ast_list *list) {
  for (const struct ast_list *l = list; l; l = l->next)
    if (l->expr->op == SMV_NAME) smv_declare_constant(n, l->expr->text, l->expr->span);
}

static void declare_variable(struct work *w, const struct instance *i, const struct ast_decl *d) {
  const struct ast_type *t = d->type;
  while (t->kind == AST_ARRAY) t = t->elem;
  if (d->type->kind == AST_MODULE) {
    make_instance(w, i, d);
    return;
  }
  if (t->kind == AST_MODULE && smv_module(w->n, t->name))
    smv_error(w->n, t->span,
              "arrays of modules are not supported: declare each instance by itself");
  else if (t->kind == AST_MODULE)
    smv_no_module(w->n, t->span, t->name);
  if (t->kind == AST_ENUM) declare_constants(w->n, t->members);
  struct entry *e = declare(w->n, i, ENTRY_VAR, whole_name(w->n, d->target), d->span);
  if (e) e->decl = d;
}

static void declare_define(struct work *w, const struct instance *i, const struct ast_decl *d) {
  if (d->target->op != SMV_NAME || d->target->arg_count) {
    VEC_PUSH(&w->foreign, ((struct foreign){d, i}));
    return;
  }
  struct entry *e = declare(w->n, i, ENTRY_DEFINE, d->target->text, d->span);
  if (e) e->decl = d;
}

static void declare_all(struct work *w, const struct instance *i) {
  for (const struct ast_decl *d = i->module->decls; d && !w->n->gave_up; d = d->next) {
    switch (d->kind) {
    case AST_VAR: declare_variable(w, i, d); break;
    case AST_DEFINE: declare_define(w, i, d); break;
    case AST_CONSTANTS: declare_constants(w->n, d->list); break;
    default: break;
    }
  }
}

// --- one instance ---

static uint32_t length(const struct ast_list *l) {
  uint32_t count = 0;
  for (; l; l = l->next) count++;
  return count;
}

static bool recursive(const struct instance *i, const struct ast_module *m) {
  for (; i; i = i->parent)
    if (i->module == m) return true;
  return false;
}

static struct ast_module *wanted(struct smv_names *n, const struct instance *scope,
                                 const struct ast_type *t) {
  struct ast_module *m = smv_module(n, t->name);
  if (!m) return smv_no_module(n, t->span, t->name), NULL;
  uint32_t expected = length(m->params), given = length(t->members);
  if (recursive(scope, m))
    return smv_error(n, t->span, "module '%s' contains itself", m->name), NULL;
  if (expected != given)
    return smv_error(n, t->span, "module '%s' expects %u parameter%s, but is given %u", m->name,
                     expected, expected == 1 ? "" : "s", given),
           NULL;
  if (scope->depth >= INSTANCE_NESTING_MAX)
    return smv_error(n, t->span, "instances nested too deeply: more than %d levels",
                     (int)INSTANCE_NESTING_MAX),
           NULL;
  return smv_expand_isa(n, m) ? m : NULL;
}

static struct instance *instance(struct smv_names *n, const struct ast_module *m,
                                 const struct instance *parent, const char *name) {
  struct instance *i = ARENA_NEW(n->flat->arena, struct instance);
  *i = (struct instance){.module = m, .parent = parent, .name = ""};
  if (parent) {
    i->name = arena_printf(n->flat->arena, "%s%s%s", parent->name, *parent->name ? "." : "", name);
    i->process = parent->process;
    i->depth = parent->depth + 1;
  }
  VEC_PUSH(&n->instances, i);
  return i;
}

static void start_process(struct smv_names *n, struct instance *i, struct span span) {
  if (n->flat->processes.count >= PROCESSES_MAX) {
    smv_too_large(n, span, "processes", PROCESSES_MAX);
    return;
  }
  i->process = (uint32_t)n->flat->processes.count;
  VEC_PUSH(&n->flat->processes, i->name);
}

static void make_instance(struct work *w, const struct instance *scope, const struct ast_decl *d) {
  struct smv_names *n = w->n;
  struct ast_module *m = wanted(n, scope, d->type);
  struct entry *e = m ? declare(n, scope, ENTRY_INSTANCE, whole_name(n, d->target), d->span) : NULL;
  if (!e) return;
  struct instance *i = instance(n, m, scope, e->name);
  e->thing.instance = i;
  e->state = DONE;
  if (d->type->is_process) start_process(n, i, d->span);
  declare_params(n, i, d->type);
  declare_all(w, i);
}

// --- all ---

// A name in another instance is declared there; any other name with dots is a plain one, as in a
// model that was written out flat.
static void declare_foreign(struct work *w) {
  for (size_t k = 0; k < w->foreign.count && !w->n->gave_up; k++) {
    const struct ast_decl *d = w->foreign.data[k].decl;
    const struct instance *scope = w->foreign.data[k].scope, *home = NULL;
    const char *name = d->target->text;
    if (d->target->op == SMV_NAME) home = smv_path_instance(w->n, scope, d->target->args[0]);
    if (!home) {
      home = scope;
      name = whole_name(w->n, d->target);
    }
    struct entry *e = declare(w->n, home, ENTRY_DEFINE, name, d->span);
    if (!e) continue;
    e->scope = scope;
    e->decl = d;
  }
}

void smv_instantiate(struct smv_names *n, const struct ast_module *main) {
  struct work w = {.n = n};
  VEC_PUSH(&n->flat->processes, "main");
  n->main = instance(n, main, NULL, "");
  declare_all(&w, n->main);
  declare_foreign(&w);
  VEC_CLEAR(&w.foreign);
}
