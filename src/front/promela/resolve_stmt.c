// SPDX-License-Identifier: Apache-2.0
// Statements: the names in them, in the order of the text, since a name counts from its declaration
// on. Every pair of braces is a scope.
#include "front/promela/resolve.h"

#include <string.h>

static void resolve_scoped(struct resolve *r, struct ast_stmt *first) {
  resolve_enter(r);
  resolve_sequence(r, first);
  resolve_leave(r);
}

static void check_assigned(struct resolve *r, const struct ast_expr *lhs,
                           const struct ast_expr *value) {
  const struct ast_expr *end = resolve_end(lhs);
  enum pml_builtin b = lhs->sym->builtin;
  if (end->type->base == AST_STRUCT)
    diag_error(r->diag, end->span, "%s is a structure: a field is missing", end->name);
  if (b == PML_PID_VAR || b == PML_NR_PR || b == PML_LAST)
    diag_error(r->diag, lhs->span, "%s cannot be assigned", lhs->name);
  if (b == PML_PRIORITY) r->p->uses_priority = true;
  if (value && b == PML_NOT_BUILTIN) types_check_constant(r, end->type, value);
}

static void resolve_assign(struct resolve *r, struct ast_stmt *s) {
  r->runs = 0;
  if (s->expr) resolve_expr(r, s->expr);
  if (r->runs > 1) diag_error(r->diag, s->span, "only one run is possible in an expression");
  if (!resolve_variable(r, s->lhs)) return;
  if (s->how != '=') ((struct pml_symbol *)s->lhs->sym)->read = true;
  check_assigned(r, s->lhs, s->expr);
}

static void check_message(struct resolve *r, const struct ast_stmt *s) {
  const struct pml_symbol *c = resolve_end(s->lhs)->sym;
  resolve_check_fields(r, s->lhs, s->arg_count, s->span, s->kind == AST_RECEIVE);
  if (!c || !c->channel) return;
  for (uint32_t i = 0; i < s->arg_count && i < c->channel->field_count; i++)
    types_check_constant(r, &c->channel->fields[i], s->args[i]);
}

static void resolve_send(struct resolve *r, struct ast_stmt *s) {
  r->runs = 0;
  resolve_channel(r, s->lhs);
  resolve_args(r, &s->args, &s->arg_count);
  if (r->runs > 0) diag_error(r->diag, s->span, "run in a message");
  check_message(r, s);
}

static void resolve_receive(struct resolve *r, struct ast_stmt *s) {
  resolve_channel(r, s->lhs);
  resolve_pattern(r, &s->args, &s->arg_count, false);
  check_message(r, s);
}

static void resolve_condition(struct resolve *r, struct ast_stmt *s) {
  r->runs = 0;
  resolve_expr(r, s->expr);
  if (r->runs > 1)
    diag_error(r->diag, s->span, "only one run is possible in an expression");
  else if (r->runs == 1 && s->expr->op != AST_RUN)
    diag_error(r->diag, s->span, "run in a condition with something else in it");
}

static void resolve_print(struct resolve *r, struct ast_stmt *s) {
  r->is_read = false;
  for (uint32_t i = 0; i < s->arg_count; i++) resolve_expr(r, s->args[i]);
  if (s->expr) resolve_expr(r, s->expr);
  r->is_read = true;
}

static void resolve_d_step(struct resolve *r, struct ast_stmt *s) {
  bool outer = r->in_d_step;
  r->in_d_step = true;
  resolve_scoped(r, s->body);
  r->in_d_step = outer;
}

// ---------------------------------------------------------------------------------------------
// for and select

static bool is_counter(struct resolve *r, const struct ast_expr *e) {
  if (e->sym->type.base != AST_STRUCT && e->sym->type.base != AST_CHAN && !e->sym->is_array)
    return true;
  diag_error(r->diag, e->span, "%s cannot count: it is no plain variable", e->name);
  return false;
}

static void check_range(struct resolve *r, const struct ast_stmt *s) {
  int64_t from, to;
  if (pml_constant(s->args[0], &from) && pml_constant(s->args[1], &to) && from > to)
    diag_warning(r->diag, s->span, "the range is empty");
}

static void resolve_range(struct resolve *r, struct ast_stmt *s) {
  resolve_expr(r, s->args[0]);
  resolve_expr(r, s->args[1]);
  if (!resolve_variable(r, s->lhs) || !is_counter(r, s->lhs)) return;
  ((struct pml_symbol *)s->lhs->sym)->read = true;
  check_range(r, s);
}

// The fields of the variable follow the channel in args; expr is the counter.
static void resolve_for_channel(struct resolve *r, struct ast_stmt *s) {
  struct ast_expr *channel = s->args[0];
  resolve_channel(r, channel);
  const struct pml_symbol *c = channel->sym;
  if (!c || !c->channel || c->channel->capacity == 0) {
    diag_error(r->diag, channel->span,
               "this needs a channel with a buffer, declared with its type");
    return;
  }
  struct ast_expr **fields = ARENA_ARRAY(r->arena, struct ast_expr *, 1);
  uint32_t count = 1;
  fields[0] = s->lhs;
  ((struct pml_symbol *)s->lhs->sym)->read = true;
  resolve_expand(r, &fields, &count);
  if (count != c->channel->field_count)
    diag_error(r->diag, s->lhs->span, "messages of %s are not of the type of %s", c->name,
               s->lhs->name);
  s->args = ARENA_ARRAY(r->arena, struct ast_expr *, count + 1);
  s->args[0] = channel;
  for (uint32_t i = 0; i < count; i++) s->args[i + 1] = fields[i];
  s->arg_count = count + 1;
  s->expr = resolve_hidden_counter(r, s->span, c->channel->capacity);
}

static void resolve_for_array(struct resolve *r, struct ast_stmt *s) {
  struct ast_expr *array = s->args[0];
  if (!is_counter(r, s->lhs)) return;
  ((struct pml_symbol *)s->lhs->sym)->read = true;
  array->sym = array->op == AST_REF ? resolve_find(r, array->name) : NULL;
  if (!array->sym || !array->sym->is_array) diag_error(r->diag, array->span, "this is no array");
}

static void resolve_for_in(struct resolve *r, struct ast_stmt *s) {
  if (!resolve_variable(r, s->lhs)) return;
  if (s->lhs->sym->type.base == AST_STRUCT)
    resolve_for_channel(r, s);
  else
    resolve_for_array(r, s);
}

static void resolve_for(struct resolve *r, struct ast_stmt *s) {
  if (s->arg_count == 1)
    resolve_for_in(r, s);
  else
    resolve_range(r, s);
  resolve_scoped(r, s->body);
}

// ---------------------------------------------------------------------------------------------

static void resolve_decls(struct resolve *r, struct ast_stmt *s) {
  if (!r->may_initialise) {
    s->body = resolve_late_decls(r, s->decls);
    return;
  }
  for (struct ast_decl *d = s->decls; d; d = d->next) resolve_declare(r, d, PML_VAR);
}

static void resolve_channels(struct resolve *r, struct ast_stmt *s) {
  for (uint32_t i = 0; i < s->arg_count; i++) {
    struct ast_expr *e = s->args[i];
    e->sym = e->op == AST_REF ? resolve_find(r, e->name) : NULL;
    if (!e->sym || (e->sym->type.base != AST_CHAN && e->sym->type.base != AST_STRUCT))
      diag_error(r->diag, e->span, "this is no channel");
  }
}

static void resolve_options(struct resolve *r, struct ast_stmt *s) {
  for (struct ast_option *o = s->options; o; o = o->next) resolve_sequence(r, o->body);
}

static void resolve_set_priority(struct resolve *r, struct ast_stmt *s) {
  r->p->uses_priority = true;
  for (uint32_t i = 0; i < s->arg_count; i++) resolve_expr(r, s->args[i]);
}

static void resolve_stmt(struct resolve *r, struct ast_stmt *s) {
  switch (s->kind) {
  case AST_DECLS: resolve_decls(r, s); break;
  case AST_EXPR:
  case AST_ASSERT: resolve_condition(r, s); break;
  case AST_ASSIGN: resolve_assign(r, s); break;
  case AST_SEND: resolve_send(r, s); break;
  case AST_RECEIVE: resolve_receive(r, s); break;
  case AST_PRINTF:
  case AST_PRINTM: resolve_print(r, s); break;
  case AST_SET_PRIORITY: resolve_set_priority(r, s); break;
  case AST_C_CODE: r->p->uses_c = true; break;
  case AST_IF:
  case AST_DO: resolve_options(r, s); break;
  case AST_ATOMIC:
  case AST_BLOCK: resolve_scoped(r, s->body); break;
  case AST_D_STEP: resolve_d_step(r, s); break;
  case AST_UNLESS:
    resolve_stmt(r, s->body);
    resolve_stmt(r, s->other);
    break;
  case AST_FOR: resolve_for(r, s); break;
  case AST_SELECT: resolve_range(r, s); break;
  case AST_LABEL:
    if (s->body) resolve_stmt(r, s->body);
    break;
  case AST_XR: resolve_channels(r, s); break;
  case AST_ELSE:
  case AST_GOTO:
  case AST_BREAK:
  case AST_RETURN: break;
  }
}

void resolve_sequence(struct resolve *r, struct ast_stmt *first) {
  for (struct ast_stmt *s = first; s; s = s->next) {
    if (s->kind != AST_DECLS && s->kind != AST_XR) r->may_initialise = false;
    resolve_stmt(r, s);
  }
}
