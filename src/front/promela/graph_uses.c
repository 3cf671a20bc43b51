// SPDX-License-Identifier: Apache-2.0
// What statements read and set: a walk over resolved expressions.
#include "front/promela/graph_uses.h"

#include <string.h>

static void of_expr(struct uses *u, const struct ast_expr *e);

void uses_clear(struct uses *u) {
  u->outside = false;
  u->is_sure = true;
  memset(u->reads, 0, u->proc->locals.count * sizeof *u->reads);
  memset(u->sets, 0, u->proc->locals.count * sizeof *u->sets);
}

static bool is_own(const struct uses *u, const struct pml_symbol *s) {
  return s->kind != PML_BUILTIN && s->owner == (int32_t)u->proc->number;
}

static void of_indices(struct uses *u, const struct ast_expr *ref) {
  for (; ref; ref = ref->arg_count > 1 ? ref->args[1] : NULL)
    if (ref->arg_count > 0 && ref->args[0]) of_expr(u, ref->args[0]);
}

static void of_ref(struct uses *u, const struct ast_expr *e) {
  of_indices(u, e);
  if (is_own(u, e->sym))
    u->reads[e->sym->id] = true;
  else if (e->sym->builtin != PML_PID_VAR)
    u->outside = true;
}

static void of_args(struct uses *u, struct ast_expr *const *args, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (args[i]) of_expr(u, args[i]);
}

// Variables in the pattern of a poll stand for anything.
static void of_poll(struct uses *u, const struct ast_expr *e) {
  of_ref(u, e->args[0]);
  for (uint32_t i = 1; i < e->arg_count; i++)
    if (e->args[i]->op != AST_REF) of_expr(u, e->args[i]);
}

static void of_expr(struct uses *u, const struct ast_expr *e) {
  switch (e->op) {
  case AST_CONST:
  case AST_STRING: break;
  case AST_REF: of_ref(u, e); break;
  case AST_POLL:
    u->outside = true;
    of_poll(u, e);
    break;
  case AST_REMOTE_LAB:
  case AST_REMOTE_VAR:
    u->outside = true;
    if (e->arg_count > 0 && e->args[0]) of_expr(u, e->args[0]);
    break;
  case AST_RUN:
  case AST_LEN:
  case AST_FULL:
  case AST_NFULL:
  case AST_EMPTY:
  case AST_NEMPTY:
  case AST_ENABLED:
  case AST_PC_VALUE:
  case AST_GET_PRIORITY:
  case AST_TIMEOUT:
  case AST_NP:
  case AST_C_EXPR: u->outside = true; // fall through
  default: of_args(u, e->args, e->arg_count); break;
  }
}

static void of_target(struct uses *u, const struct ast_expr *e) {
  of_indices(u, e);
  if (!is_own(u, e->sym)) {
    u->outside = u->outside || e->sym->builtin != PML_SCRATCH;
    return;
  }
  if (!e->sym->is_array && e->sym->type.base != AST_STRUCT) u->sets[e->sym->id] = true;
}

static void of_receive(struct uses *u, const struct ast_stmt *s) {
  for (uint32_t i = 0; i < s->arg_count; i++) {
    if (s->args[i]->op == AST_REF)
      of_target(u, s->args[i]);
    else
      of_expr(u, s->args[i]);
  }
}

static void of_stmt(struct uses *u, const struct ast_stmt *s) {
  if (s->kind == AST_SEND || s->kind == AST_RECEIVE || s->kind == AST_SET_PRIORITY ||
      s->kind == AST_C_CODE)
    u->outside = true;
  if (s->expr) of_expr(u, s->expr);
  if (s->kind == AST_ASSIGN)
    of_target(u, s->lhs);
  else if (s->lhs)
    of_ref(u, s->lhs);
  if (s->kind == AST_RECEIVE)
    of_receive(u, s);
  else
    of_args(u, s->args, s->arg_count);
}

static void of_inside(struct uses *u, const struct pml_graph *g) {
  u->is_sure = false;
  for (size_t i = 0; i < g->edges.count; i++)
    if (g->edges.data[i].stmt) of_stmt(u, g->edges.data[i].stmt);
}

void uses_of_edge(struct uses *u, const struct pml_edge *e) {
  uses_clear(u);
  if (e->stmt) of_stmt(u, e->stmt);
  if (e->inner) of_inside(u, e->inner);
}

bool uses_is_private(struct uses *u, const struct pml_edge *e) {
  if (e->kind != PML_EDGE_STMT || e->escape) return false;
  if (!e->stmt) return true;
  enum ast_stmt_kind k = e->stmt->kind;
  if (k != AST_ASSIGN && k != AST_PRINTF && k != AST_PRINTM && k != AST_ASSERT) return false;
  uses_of_edge(u, e);
  return !u->outside;
}
