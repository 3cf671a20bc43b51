// SPDX-License-Identifier: Apache-2.0
// Expressions with their names resolved in one instance. Long chains of &, | and union come out
// balanced, so that they are not deep.
#include "front/smv/flatten.h"

#include <string.h>

// --- nodes ---

struct smv_expr *smv_flat_node(struct smv_names *n, const struct smv_expr *like,
                               uint32_t arg_count) {
  if (n->flat->exprs >= EXPRS_MAX) {
    smv_too_large(n, like->span, "operations", EXPRS_MAX);
    return NULL;
  }
  struct smv_expr *e = smv_ast_expr(n->flat->arena, like->op, like->span, arg_count);
  e->value = like->value;
  e->lo = like->lo;
  e->hi = like->hi;
  e->bits = like->bits;
  e->is_signed = like->is_signed;
  e->text = like->text;
  return e;
}

const struct smv_expr *smv_flat_finish(struct smv_names *n, struct smv_expr *e) {
  e->id = n->flat->exprs++;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i]->depth >= e->depth) e->depth = e->args[i]->depth + 1;
  e->temporal = e->op >= SMV_EX && e->op <= SMV_T;
  for (uint32_t i = 0; i < e->arg_count && e->op != SMV_INDEX; i++)
    e->temporal |= e->args[i]->temporal;
  if (e->depth <= SMV_NESTING_MAX) return e;
  if (!n->gave_up)
    smv_error(n, e->span, "nested too deeply: more than %d levels", (int)SMV_NESTING_MAX);
  n->gave_up = true;
  return NULL;
}

const struct smv_expr *smv_flat_symbol(struct smv_names *n, const struct smv_symbol *s,
                                       const struct smv_expr *use) {
  struct smv_expr *e = smv_flat_node(n, use, 0);
  if (!e) return NULL;
  e->op = SMV_SYMBOL;
  e->text = NULL;
  e->symbol = s;
  return smv_flat_finish(n, e);
}

const struct smv_symbol *smv_array_of(const struct smv_expr *e) {
  size_t level = 0;
  for (; e->op == SMV_INDEX; e = e->args[0]) level++;
  const struct smv_symbol *s = e->op == SMV_SYMBOL ? e->symbol : NULL;
  for (; level && s && s->kind == SMV_ARRAY; level--) s = s->elements[0];
  return s && s->kind == SMV_ARRAY ? s : NULL;
}

// --- names ---

static const struct smv_expr *value(struct smv_names *n, const struct instance *scope,
                                    const struct smv_expr *e) {
  struct thing t;
  if (!smv_thing(n, scope, e, &t)) return NULL;
  const struct smv_symbol *array = t.expr ? smv_array_of(t.expr) : t.symbol;
  if (t.instance) {
    smv_error(n, e->span, "expected a value, but this is an instance of module '%s'",
              t.instance->module->name);
    return NULL;
  }
  if (array && array->kind == SMV_ARRAY) {
    smv_error(n, e->span, "expected a value, but this is an array; its elements are values");
    return NULL;
  }
  return t.expr ? t.expr : smv_flat_symbol(n, t.symbol, e);
}

// --- functions ---

static const struct function {
  const char *name;
  uint32_t least, most;
} functions[] = {
    {"abs", 1, 1},     {"bool", 1, 1},     {"count", 1, UINT32_MAX},
    {"extend", 2, 2},  {"floor", 1, 1},    {"max", 2, 2},
    {"min", 2, 2},     {"resize", 2, 2},   {"signed", 1, 1},
    {"sizeof", 1, 1},  {"swconst", 2, 2},  {"toint", 1, 1},
    {"uwconst", 2, 2}, {"unsigned", 1, 1}, {"word1", 1, 1},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool known_call(struct smv_names *n, const struct smv_expr *e) {
  const char *names[FUNCTIONS];
  for (size_t i = 0; i < FUNCTIONS; i++) {
    const struct function *f = &functions[i];
    names[i] = f->name;
    if (strcmp(f->name, e->text) != 0) continue;
    if (e->arg_count >= f->least && e->arg_count <= f->most) return true;
    smv_error(n, e->span, "%s expects %u argument%s, but is given %u", f->name, f->least,
              f->least == 1 ? "" : "s", e->arg_count);
    return false;
  }
  const char *best = name_nearest(e->text, names, FUNCTIONS);
  if (strcmp(e->text, "READ") == 0 || strcmp(e->text, "WRITE") == 0)
    smv_error(n, e->span, "%s is not supported: use an array 0..n of", e->text);
  else if (best)
    smv_error(n, e->span, "there is no function '%s'; did you mean '%s'?", e->text, best);
  else
    smv_error(n, e->span, "there is no function '%s'; expected one of the language's", e->text);
  return false;
}

// --- operators ---

static const struct smv_expr *operation(struct smv_names *n, const struct instance *scope,
                                        const struct smv_expr *e) {
  if (e->op == SMV_CALL && !known_call(n, e)) return NULL;
  struct smv_expr *x = smv_flat_node(n, e, e->arg_count);
  if (!x) return NULL;
  bool good = true;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    x->args[i] = smv_flat_expr(n, scope, e->args[i]);
    if (!x->args[i]) good = false; // go on: there may be more to tell
  }
  return good ? smv_flat_finish(n, x) : NULL;
}

// All of its nodes have the span of the whole chain.
static const struct smv_expr *balanced(struct smv_names *n, const struct smv_expr *like,
                                       const struct smv_expr **terms, size_t count) {
  if (count == 1) return terms[0];
  struct smv_expr *x = smv_flat_node(n, like, 2);
  if (!x) return NULL;
  x->args[0] = balanced(n, like, terms, count - count / 2);
  x->args[1] = x->args[0] ? balanced(n, like, terms + count - count / 2, count / 2) : NULL;
  return x->args[1] ? smv_flat_finish(n, x) : NULL;
}

static const struct smv_expr *chain(struct smv_names *n, const struct instance *scope,
                                    const struct smv_expr *e) {
  VEC(const struct smv_expr *) terms = {0};
  const struct smv_expr *t = e;
  for (; t->op == e->op; t = t->args[0]) VEC_PUSH(&terms, t->args[1]);
  VEC_PUSH(&terms, t);
  for (size_t i = 0, j = terms.count - 1; i < j; i++, j--) {
    t = terms.data[i];
    terms.data[i] = terms.data[j];
    terms.data[j] = t;
  }
  bool good = true;
  for (size_t i = 0; i < terms.count; i++) {
    terms.data[i] = smv_flat_expr(n, scope, terms.data[i]);
    if (!terms.data[i]) good = false;
  }
  const struct smv_expr *x = good ? balanced(n, e, terms.data, terms.count) : NULL;
  VEC_CLEAR(&terms);
  return x;
}

static const struct smv_expr *flat_expr(struct smv_names *n, const struct instance *scope,
                                        const struct smv_expr *e) {
  switch (e->op) {
  case SMV_NAME:
  case SMV_SELF:
  case SMV_INDEX: return value(n, scope, e);
  case SMV_AND:
  case SMV_OR:
  case SMV_UNION: return chain(n, scope, e);
  default: return operation(n, scope, e);
  }
}

const struct smv_expr *smv_flat_expr(struct smv_names *n, const struct instance *scope,
                                     const struct smv_expr *e) {
  if (n->gave_up || !smv_enter(n, e->span)) return NULL;
  const struct smv_expr *x = flat_expr(n, scope, e);
  smv_leave(n);
  return x;
}

void smv_flat_define(struct smv_names *n, const struct smv_symbol *s) {
  struct body b = n->bodies.data[s->id];
  if (b.state != FRESH || !b.expr) return;
  n->bodies.data[s->id].state = BUSY;
  n->flat->symbols.data[s->id]->expr = smv_flat_expr(n, b.scope, b.expr);
  n->bodies.data[s->id].state = DONE;
}
