// SPDX-License-Identifier: Apache-2.0
// What names and paths lead to: instances, symbols, or what a parameter was given.
#include "front/smv/flatten.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct entry *smv_entry(const struct smv_names *n, const struct instance *home, const char *name) {
  return smv_table_get(&n->entries, home, name);
}

// --- names that are not there ---

static const char *nearest(const struct smv_names *n, const struct instance *home, const char *name,
                           bool constants) {
  if (n->d->errors >= 20) return NULL; // nobody reads on
  VEC(const char *) names = {0};
  for (size_t i = 0; i < n->declared.count; i++)
    if (n->declared.data[i]->home == home) VEC_PUSH(&names, n->declared.data[i]->name);
  for (size_t i = 0; constants && i < n->constants.capacity; i++)
    if (n->constants.slots[i].value) VEC_PUSH(&names, n->constants.slots[i].a);
  const char *best = name_nearest(name, names.data, names.count);
  VEC_CLEAR(&names);
  bool chance = best && strlen(name) < 3 && strcasecmp(best, name) != 0; // x for y helps nobody
  return chance ? NULL : best;
}

static void not_declared(struct smv_names *n, const struct instance *scope,
                         const struct smv_expr *e) {
  const char *best = nearest(n, scope, e->text, true);
  if (best)
    smv_error(n, e->span, "'%s' is not declared; did you mean '%s'?", e->text, best);
  else if (strchr(e->text, '-'))
    smv_error(n, e->span,
              "'%s' is not declared: it is one name; a difference is written with "
              "blanks round the '-'",
              e->text);
  else
    smv_error(n, e->span,
              "'%s' is not declared; expected a variable, a DEFINE or a constant of "
              "module '%s'",
              e->text, scope->module->name);
}

static void no_such_part(struct smv_names *n, const struct instance *i, const struct smv_expr *e) {
  const char *best = nearest(n, i, e->text, false);
  if (best)
    smv_error(n, e->span, "module '%s' has no '%s'; did you mean '%s'?", i->module->name, e->text,
              best);
  else
    smv_error(n, e->span, "module '%s' has no '%s'; expected one of its names", i->module->name,
              e->text);
}

// --- running ---

static bool running(struct smv_names *n, const struct instance *i, const struct smv_expr *e,
                    struct thing *t) {
  if (n->flat->processes.count == 1) {
    smv_error(n, e->span, "'running' is known only where there are processes; this model has none");
    return false;
  }
  while (n->running.count < n->flat->processes.count) VEC_PUSH(&n->running, NULL);
  struct smv_symbol **s = &n->running.data[i->process];
  if (!*s) {
    const char *name = n->flat->processes.data[i->process];
    *s = smv_symbol(n, SMV_RUNNING,
                    i->process ? arena_printf(n->flat->arena, "%s.running", name) : "running",
                    e->span, i);
  }
  t->symbol = *s;
  return *s != NULL;
}

// --- entries ---

static bool parameter(struct smv_names *n, struct entry *e) {
  if (!smv_enter(n, e->span)) return false;
  bool good = smv_thing(n, e->scope, e->expr, &e->thing);
  smv_leave(n);
  return good;
}

static void depends_on_itself(struct smv_names *n, const struct entry *e) {
  if (e->kind == ENTRY_PARAM)
    smv_error(n, e->expr->span, "what is given for the parameter '%s' depends on itself", e->name);
  else
    smv_error(n, e->span, "the type of '%s' depends on itself", e->name);
}

static bool make(struct smv_names *n, struct entry *e) {
  switch (e->kind) {
  case ENTRY_PARAM: return parameter(n, e);
  case ENTRY_VAR: return smv_make_variable(n, e);
  case ENTRY_DEFINE: return smv_make_define(n, e);
  case ENTRY_INSTANCE: break;
  }
  return true;
}

bool smv_entry_thing(struct smv_names *n, struct entry *e, struct thing *t) {
  if (e->state == BUSY) {
    depends_on_itself(n, e);
    return false;
  }
  if (e->state == FRESH) {
    e->state = BUSY;
    e->state = make(n, e) ? DONE : FAILED;
  }
  if (t) *t = e->thing;
  return e->state == DONE;
}

// --- paths ---

static struct entry *dotted(struct smv_names *n, const struct instance *scope,
                            const struct smv_expr *e) {
  struct text t = {0};
  smv_ast_spell(&t, e);
  const char *name = smv_intern(&n->texts, text_str(&t), t.count);
  text_clear(&t);
  return smv_entry(n, scope, name);
}

static bool simple_name(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
                        struct thing *t) {
  struct entry *entry = smv_entry(n, scope, e->text);
  if (entry) return smv_entry_thing(n, entry, t);
  t->symbol = smv_table_get(&n->constants, e->text, NULL);
  if (t->symbol) return true;
  if (e->text == n->running_name) return running(n, scope, e, t);
  not_declared(n, scope, e);
  return false;
}

static bool part(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
                 struct thing *t) {
  struct thing of = {0};
  if (!smv_thing(n, scope, e->args[0], &of)) return false;
  if (!of.instance) {
    smv_error(n, e->args[0]->span, "expected an instance of a module before '.%s'", e->text);
    return false;
  }
  struct entry *entry = smv_entry(n, of.instance, e->text);
  if (entry) return smv_entry_thing(n, entry, t);
  if (e->text == n->running_name) return running(n, of.instance, e, t);
  no_such_part(n, of.instance, e);
  return false;
}

static bool element(struct smv_names *n, const struct smv_symbol *array, const struct smv_expr *e,
                    int64_t index, struct thing *t) {
  if (index < array->lo || index > array->hi) {
    smv_error(n, e->args[1]->span,
              "the index %" PRId64 " is outside of '%s', which goes from %" PRId64 " to %" PRId64,
              index, array->name, array->lo, array->hi);
    return false;
  }
  t->symbol = array->elements[index - array->lo];
  return true;
}

static bool indexed(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
                    struct thing *t) {
  struct thing of = {0};
  if (!smv_thing(n, scope, e->args[0], &of)) return false;
  const struct smv_symbol *array = of.symbol && of.symbol->kind == SMV_ARRAY ? of.symbol
                                   : of.expr                                 ? smv_array_of(of.expr)
                                                                             : NULL;
  const struct smv_expr *index = smv_flat_expr(n, scope, e->args[1]);
  int64_t value;
  if (!index) return false;
  if (!array) {
    smv_error(n, e->args[0]->span, "expected an array before '['; bits of a word are w[high:low]");
    return false;
  }
  if (of.symbol && smv_known(n, index, &value)) return element(n, array, e, value, t);
  const struct smv_expr *base = of.symbol ? smv_flat_symbol(n, array, e->args[0]) : of.expr;
  struct smv_expr *x = base ? smv_flat_node(n, e, 2) : NULL;
  if (!x) return false;
  x->args[0] = base;
  x->args[1] = index;
  t->expr = smv_flat_finish(n, x);
  return t->expr != NULL;
}

static bool look(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
                 struct thing *t) {
  if (n->dotted && (e->op == SMV_NAME || e->op == SMV_INDEX) && e->arg_count) {
    struct entry *entry = dotted(n, scope, e);
    if (entry) return smv_entry_thing(n, entry, t);
  }
  switch (e->op) {
  case SMV_SELF: t->instance = scope; return true;
  case SMV_NAME: return e->arg_count ? part(n, scope, e, t) : simple_name(n, scope, e, t);
  case SMV_INDEX: return indexed(n, scope, e, t);
  default: break;
  }
  t->expr = smv_flat_expr(n, scope, e);
  return t->expr != NULL;
}

bool smv_thing(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
               struct thing *t) {
  *t = (struct thing){0};
  if (!smv_enter(n, e->span)) return false;
  bool good = look(n, scope, e, t);
  smv_leave(n);
  return good;
}

// --- paths, without a word when they lead nowhere ---

// Where a path of names leads, through parameters and DEFINEs that are just other names.
struct place {
  const struct instance *instance;
  struct entry *entry;
};

static bool find_place(struct smv_names *n, const struct instance *scope,
                       const struct smv_expr *path, struct place *p) {
  for (int i = 0; i < SMV_NESTING_MAX; i++) {
    if (path->op == SMV_SELF) return p->instance = scope, true;
    if (path->op != SMV_NAME) return p->entry != NULL;
    const struct instance *home = scope;
    if (path->arg_count) home = smv_path_instance(n, scope, path->args[0]);
    struct entry *e = home ? smv_entry(n, home, path->text) : NULL;
    if (!e) return false;
    p->entry = e;
    if (e->state == DONE || e->kind == ENTRY_VAR || (e->kind == ENTRY_DEFINE && e->decl->items))
      return p->instance = e->thing.instance, true;
    scope = e->scope;
    path = e->kind == ENTRY_DEFINE ? e->decl->expr : e->expr;
  }
  return false;
}

const struct instance *smv_path_instance(struct smv_names *n, const struct instance *scope,
                                         const struct smv_expr *path) {
  struct place p = {0};
  if (!smv_enter(n, path->span)) return NULL;
  bool found = find_place(n, scope, path, &p);
  smv_leave(n);
  return found ? p.instance : NULL;
}

static bool is_array(const struct entry *e) {
  if (e->kind == ENTRY_VAR) return e->decl->type->kind == AST_ARRAY;
  if (e->kind == ENTRY_DEFINE && e->decl->items) return true;
  return e->state == DONE && e->thing.symbol && e->thing.symbol->kind == SMV_ARRAY;
}

bool smv_other_name(struct smv_names *n, const struct entry *define, struct thing *t) {
  struct place p = {0};
  const struct smv_expr *path = define->decl->expr;
  if (!path || !find_place(n, define->scope, path, &p)) return false;
  t->instance = p.instance;
  return p.instance || (p.entry != define && is_array(p.entry) && smv_entry_thing(n, p.entry, t));
}
