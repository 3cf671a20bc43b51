// SPDX-License-Identifier: Apache-2.0
// Edges of a control graph, one at a time and by themselves: when the statement is executable, and
// what it does. What other edges and other processes have to say comes on top (lower_escape.c,
// lower_rendezvous.c, lower_rule.c).
#include "front/promela/lower.h"

#include <string.h>

// --- statements ---

struct ir_expr *lower_stmt_executable(struct lower *w, const struct ast_stmt *s) {
  switch (s->kind) {
  case AST_EXPR: return lower_cond(w, s->expr);
  case AST_SEND: return lower_send_executable(w, s);
  case AST_RECEIVE: return lower_receive_executable(w, s);
  default: return lower_true(w);
  }
}

static const struct ast_expr *find_run(const struct ast_expr *e) {
  if (!e || e->op == AST_RUN) return e;
  const struct ast_expr *run = NULL;
  for (uint32_t i = 0; i < e->arg_count && !run; i++) run = find_run(e->args[i]);
  return run;
}

// --- assignment ---

static void set(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  if (lower_left_out(s->lhs->sym)) return;
  const struct pml_type *t = lower_place_type(s->lhs, NULL);
  struct ir_expr *place = lower_place(w, s->lhs);
  if (t->base == AST_STRUCT) return lower_assign(w, place, lower_place(w, s->expr), out, s->span);
  struct ir_expr *v = NULL;
  if (s->how == '+' || s->how == '-')
    v = lower_binary(w, s->how == '+' ? IR_ADD : IR_SUB, place, lower_number(w, 1, s->span),
                     s->span);
  else
    v = lower_value(w, s->expr);
  if (!ir_expr_lvalue(place)) return; // a constant that is given its own value
  lower_assign(w, place, lower_fit(w, t, v), out, s->span);
}

static void assign(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  const struct ast_expr *run = find_run(s->expr);
  if (!run) return set(w, s, out);
  lower_run(w, run, out);
  static const struct span nowhere;
  w->created =
      w->nr_pr ? ir_var_ref(w->m, w->nr_pr, run->span) : lower_number(w, w->nr_pr_value, nowhere);
  set(w, s, out);
  w->created = NULL;
  lower_created(w, out, s->span);
}

static void condition(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  const struct ast_expr *run = find_run(s->expr);
  if (!run) return;
  lower_run(w, run, out);
  lower_created(w, out, s->span);
}

// --- printing ---

typedef VEC(struct ir_print) prints;

static void add_literal(struct lower *w, prints *p, const struct text *t) {
  if (t->count) VEC_PUSH(p, ((struct ir_print){.literal = arena_strdup(w->m->arena, t->data)}));
}

static char unescape(char c) {
  switch (c) {
  case 'n': return '\n';
  case 't': return '\t';
  case 'r': return '\r';
  default: return c;
  }
}

static void add_value(struct lower *w, prints *p, const struct ast_stmt *s, uint32_t *next) {
  if (*next >= s->arg_count) return;
  VEC_PUSH(p, ((struct ir_print){.expr = lower_value(w, s->args[*next])}));
  ++*next;
}

static void print(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  const char *f = s->args[0]->name;
  size_t n = strlen(f);
  prints p = {0};
  struct text literal = {0};
  uint32_t next = 1;
  for (size_t i = 0; i < n; i++) {
    if (f[i] == '\\' && i + 1 < n) {
      text_char(&literal, unescape(f[++i]));
    } else if (f[i] == '%' && i + 1 < n && f[i + 1] != '%') {
      add_literal(w, &p, &literal);
      text_clear(&literal);
      add_value(w, &p, s, &next);
      i++;
    } else {
      if (f[i] == '%') i++;
      text_char(&literal, f[i]);
    }
  }
  add_literal(w, &p, &literal);
  text_clear(&literal);
  if (p.count) ir_chain_add(out, ir_print(w->m, p.data, (uint32_t)p.count, s->span));
  VEC_CLEAR(&p);
}

static void print_mtype(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  struct ir_print part = {.expr = lower_value(w, s->expr)};
  ir_chain_add(out, ir_print(w->m, &part, 1, s->span));
}

static void assertion(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  struct text message = {0};
  ast_print_stmt(&message, s);
  struct ir_expr *c = lower_cond(w, s->expr);
  ir_chain_add(out, ir_assert(w->m, c, IR_FAULT_ASSERT, text_str(&message), s->span));
  text_clear(&message);
}

void lower_stmt_effect(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  switch (s->kind) {
  case AST_EXPR: return condition(w, s, out);
  case AST_ASSIGN: return assign(w, s, out);
  case AST_SEND: return lower_send(w, s, out);
  case AST_RECEIVE: return lower_receive(w, s, out);
  case AST_ASSERT: return assertion(w, s, out);
  case AST_PRINTF: return print(w, s, out);
  case AST_PRINTM: return print_mtype(w, s, out);
  case AST_SET_PRIORITY: return lower_set_priority(w, s, out);
  case AST_C_CODE: return lower_c_code(w, s, out);
  default: assert(!"a statement that takes no step"); return;
  }
}

// --- edges ---

bool lower_edge_mentions(const struct pml_edge *e, enum ast_op op) {
  if (e->kind == PML_EDGE_D_STEP) {
    for (uint32_t i = 0; i < e->inner->guard_count; i++)
      if (lower_edge_mentions(&e->inner->edges.data[e->inner->guards[i]], op)) return true;
    return false;
  }
  return e->kind == PML_EDGE_STMT && e->stmt && lower_mentions(e->stmt->expr, op);
}

static bool static_condition(struct lower *w, const struct seat *s, const struct pml_edge *e,
                             int64_t *value) {
  if (e->kind != PML_EDGE_STMT || !e->stmt || e->stmt->kind != AST_EXPR) return false;
  const struct seat *outer = w->seat;
  w->seat = s;
  bool known = lower_static(w, e->stmt->expr, value);
  w->seat = outer;
  return known;
}

bool lower_edge_always(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  if (e->escape) return false;
  if (e->kind == PML_EDGE_D_STEP) {
    if (e->sibling_count || e->inner->guard_count > 1) return false;
    return e->inner->guard_count == 0 ||
           lower_edge_always(w, s, &e->inner->edges.data[e->inner->guards[0]]);
  }
  if (e->kind != PML_EDGE_STMT) return false;
  if (!e->stmt) return true;
  int64_t v;
  switch (e->stmt->kind) {
  case AST_EXPR: return e->stmt->expr->op == AST_RUN || (static_condition(w, s, e, &v) && v);
  case AST_SEND:
  case AST_RECEIVE: return false;
  default: return true;
  }
}

bool lower_edge_dead(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  int64_t v;
  if (static_condition(w, s, e, &v)) return !v;
  for (uint32_t i = 0; e->kind == PML_EDGE_ELSE && i < e->sibling_count; i++)
    if (lower_edge_always(w, s, &s->proc->graph.edges.data[e->siblings[i]])) return true;
  return false;
}

// No edge of these can be taken. As in SPIN's verifier, a send that finds a partner counts, a
// receive that waits for one does not.
static struct ir_expr *otherwise(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  struct ir_expr *x = lower_false(w);
  bool timeout = w->timeout;
  w->timeout = false;
  for (uint32_t i = 0; i < e->sibling_count; i++)
    x = lower_or(w, x, lower_takeable(w, s, &s->proc->graph.edges.data[e->siblings[i]]));
  w->timeout = timeout;
  return lower_not(w, x);
}

struct ir_expr *lower_executable(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  const struct seat *outer = w->seat;
  w->seat = s;
  struct ir_expr *x = e->sibling_count ? otherwise(w, s, e) : lower_true(w);
  if (e->kind == PML_EDGE_D_STEP)
    x = lower_and(w, x, lower_dstep_executable(w, s, e));
  else if (e->kind == PML_EDGE_END)
    x = s->dies ? lower_equal(w, ir_var_ref(w->m, w->nr_pr, e->span), s->pid + 1) : lower_false(w);
  else if (e->stmt)
    x = lower_stmt_executable(w, e->stmt);
  w->seat = outer;
  return x;
}

void lower_reset_dead(struct lower *w, const struct seat *s, const struct pml_edge *e,
                      struct ir_chain *out) {
  for (uint32_t i = 0; i < e->dead_count; i++)
    if (s->field[e->dead[i]->id] >= 0)
      lower_zero(w, lower_local(w, s, e->dead[i], e->span), out, e->span);
}

void lower_effect(struct lower *w, const struct seat *s, const struct pml_edge *e,
                  struct ir_chain *out) {
  const struct seat *outer = w->seat;
  w->seat = s;
  if (e->kind == PML_EDGE_D_STEP)
    lower_dstep(w, s, e, out);
  else if (e->kind == PML_EDGE_STMT && e->stmt)
    lower_stmt_effect(w, e->stmt, out);
  lower_reset_dead(w, s, e, out);
  w->seat = outer;
}
