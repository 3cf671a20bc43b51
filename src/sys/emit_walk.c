// SPDX-License-Identifier: Apache-2.0
// Walks over the IR, for the questions that emission asks before it writes.
#include "sys/emit.h"

static void walk_domain(const struct ir_domain *d, emit_visit *visit, void *context) {
  if (!d) return;
  emit_walk_expr(d->lo, visit, context);
  emit_walk_expr(d->hi, visit, context);
  emit_walk_expr(d->step, visit, context);
}

void emit_walk_expr(const struct ir_expr *x, emit_visit *visit, void *context) {
  if (!x) return;
  visit(context, x);
  walk_domain(x->domain, visit, context);
  for (uint32_t i = 0; i < x->arg_count; i++) emit_walk_expr(x->args[i], visit, context);
}

void emit_walk_stmts(const struct ir_stmt *s, emit_visit *visit, void *context) {
  for (; s; s = s->next) {
    emit_walk_expr(s->lhs, visit, context);
    emit_walk_expr(s->expr, visit, context);
    walk_domain(s->domain, visit, context);
    emit_walk_stmts(s->body, visit, context);
    emit_walk_stmts(s->other, visit, context);
    for (const struct ir_case *c = s->cases; c; c = c->next) {
      for (uint32_t i = 0; i < c->value_count; i++) emit_walk_expr(c->values[i], visit, context);
      emit_walk_stmts(c->body, visit, context);
    }
    for (uint32_t i = 0; i < s->part_count; i++) emit_walk_expr(s->parts[i].expr, visit, context);
  }
}

bool emit_has_stmt(const struct ir_stmt *s, bool (*is)(const struct ir_stmt *s)) {
  for (; s; s = s->next) {
    if (is(s) || emit_has_stmt(s->body, is) || emit_has_stmt(s->other, is)) return true;
    for (const struct ir_case *c = s->cases; c; c = c->next)
      if (emit_has_stmt(c->body, is)) return true;
  }
  return false;
}
