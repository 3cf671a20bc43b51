// SPDX-License-Identifier: Apache-2.0
// for and select, in terms of the statements SPIN makes of them.
#include "front/promela/flow.h"

static struct ast_expr *expr_new(struct flow *f, enum ast_op op, struct span span,
                                 struct ast_expr *a, struct ast_expr *b) {
  struct ast_expr *e = ARENA_NEW(f->arena, struct ast_expr);
  e->op = op;
  e->span = span;
  e->arg_count = b ? 2 : a ? 1 : 0;
  e->args = ARENA_ARRAY(f->arena, struct ast_expr *, 2);
  e->args[0] = a;
  e->args[1] = b;
  return e;
}

static struct ast_expr *constant(struct flow *f, struct span span, int64_t value) {
  struct ast_expr *e = expr_new(f, AST_CONST, span, NULL, NULL);
  e->value = value;
  return e;
}

static struct ast_stmt *stmt_new(struct flow *f, enum ast_stmt_kind kind, struct span span,
                                 struct ast_expr *lhs, struct ast_expr *expr) {
  struct ast_stmt *s = ARENA_NEW(f->arena, struct ast_stmt);
  *s = (struct ast_stmt){.kind = kind, .span = span, .lhs = lhs, .expr = expr, .how = '='};
  return s;
}

static void place_assign(struct flow *f, struct span span, struct ast_expr *lhs,
                         struct ast_expr *value) {
  flow_place_stmt(f, stmt_new(f, AST_ASSIGN, span, lhs, value));
}

static void place_condition(struct flow *f, struct span span, enum ast_op op, struct ast_expr *a,
                            struct ast_expr *b) {
  flow_place_stmt(f, stmt_new(f, AST_EXPR, span, NULL, expr_new(f, op, span, a, b)));
}

static void place_increment(struct flow *f, struct span span, struct ast_expr *lhs) {
  struct ast_expr *sum = expr_new(f, AST_ADD, span, lhs, constant(f, span, 1));
  place_assign(f, span, lhs, sum);
}

static struct flow_seq *leave_option(struct flow *f, const struct ast_stmt *s, bool with_else) {
  struct flow_seq *before = flow_open(f);
  if (with_else) flow_place_stmt(f, stmt_new(f, AST_ELSE, s->span, NULL, NULL));
  flow_place(f, flow_goto(f, s, VEC_TOP(&f->breaks)));
  return flow_close(f, before, FLOW_OF_LOOP);
}

// Ends the open sequence, which is the loop's body; leaving the loop is the option before it.
static struct flow_piece *loop(struct flow *f, const struct ast_stmt *s, struct flow_seq *before,
                               struct ast_expr *counter, bool with_else) {
  place_increment(f, s->span, counter);
  struct flow_seq *body = flow_close(f, before, FLOW_OF_LOOP);
  struct flow_piece *p = flow_piece_new(f, FLOW_DO, s);
  p->options = leave_option(f, s, with_else);
  p->options->next = body;
  return p;
}

// One message is taken out, and sent again behind the others.
static void rotate(struct flow *f, const struct ast_stmt *s) {
  struct ast_stmt *take = stmt_new(f, AST_RECEIVE, s->span, s->args[0], NULL);
  take->args = s->args + 1; // resolve.c put the fields of the variable there
  take->arg_count = s->arg_count - 1;
  struct ast_stmt *give = stmt_new(f, AST_SEND, s->span, s->args[0], NULL);
  give->args = take->args;
  give->arg_count = take->arg_count;
  flow_place_stmt(f, take);
  flow_place_stmt(f, give);
}

static struct flow_piece *for_in_channel(struct flow *f, const struct ast_stmt *s) {
  struct ast_expr *counter = s->expr;
  place_assign(f, s->span, counter, constant(f, s->span, 0));
  struct flow_seq *before = flow_open(f);
  struct ast_expr *length = expr_new(f, AST_LEN, s->span, s->args[0], NULL);
  place_condition(f, s->span, AST_LT, counter, length);
  rotate(f, s);
  flow_scoped_sequence(f, s->body);
  return loop(f, s, before, counter, true);
}

struct flow_piece *flow_for(struct flow *f, const struct ast_stmt *s) {
  flow_push_break(f);
  if (s->expr) return for_in_channel(f, s);
  struct ast_expr *from = s->args[0], *to = s->args[1];
  if (s->arg_count == 1) {
    from = constant(f, s->span, 0);
    to = constant(f, s->span, (int64_t)s->args[0]->sym->length - 1);
  }
  place_assign(f, s->span, s->lhs, from);
  struct flow_seq *before = flow_open(f);
  place_condition(f, s->span, AST_LE, s->lhs, to);
  flow_scoped_sequence(f, s->body);
  return loop(f, s, before, s->lhs, true);
}

// ---------------------------------------------------------------------------------------------
// select. Between numbers SPIN's scanner makes text of it (how 't'), in which leaving the loop is
// the second option, and a label before it is on the assignment.

const struct ast_stmt *flow_select_start(struct flow *f, const struct ast_stmt *s) {
  return stmt_new(f, AST_ASSIGN, s->span, s->lhs, s->args[0]);
}

static struct flow_piece *select_text(struct flow *f, const struct ast_stmt *s) {
  flow_push_break(f);
  struct flow_seq *before = flow_open(f);
  place_condition(f, s->span, AST_LT, s->lhs, s->args[1]);
  place_increment(f, s->span, s->lhs);
  struct flow_piece *p = flow_piece_new(f, FLOW_DO, s);
  p->options = flow_close(f, before, FLOW_OF_OPTION);
  p->options->next = leave_option(f, s, false);
  return p;
}

struct flow_piece *flow_select_rest(struct flow *f, const struct ast_stmt *s) {
  if (s->how == 't') return select_text(f, s);
  struct flow_seq *before = flow_open(f);
  place_condition(f, s->span, AST_LT, s->lhs, s->args[1]);
  flow_push_break(f);
  return loop(f, s, before, s->lhs, false);
}
