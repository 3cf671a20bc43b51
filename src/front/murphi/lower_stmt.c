// SPDX-License-Identifier: Apache-2.0
// Statements. Each goes to the end of a chain; calls moved out of its expressions go before it.
#include "front/murphi/lower.h"

static void stmt(struct lower *w, struct ast_stmt *s, struct ir_chain *out);

void murphi_stmts(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  if (!s || !murphi_enter(w, s->span)) return;
  struct ir_chain *pre = w->pre;
  w->pre = out;
  for (; s; s = s->next) {
    w->direct = NULL;
    stmt(w, s, out);
  }
  w->direct = NULL;
  w->pre = pre;
  murphi_leave(w);
}

// --- changes ---

static struct ir_expr *target(struct lower *w, struct ast_expr *e) {
  struct ir_expr *x = murphi_value(w, e);
  if (!x || !murphi_writable(w, e)) return NULL;
  murphi_wrote(w, x);
  return x;
}

static void undefine(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *x = target(w, s->target);
  if (!x) return;
  ir_chain_add(out, ir_undefine(w->m, x, s->span));
  murphi_multiset_empty(w, x, out);
}

static void clear(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *x = target(w, s->target);
  if (!x) return;
  ir_chain_add(out, ir_clear(w->m, x, s->span));
  murphi_multiset_empty(w, x, out);
}

static void assign(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  if (murphi_undefined_word(s->expr)) return undefine(w, s, out);
  struct ir_expr *to = target(w, s->target);
  w->direct = s->expr;
  struct ir_expr *value = murphi_value(w, s->expr);
  w->direct = NULL;
  if (!to || !value) return;
  if (!murphi_compatible(to->type, value->type)) {
    murphi_error(w, s->span, "expected %s on the right of ':=', but this is %s",
                 murphi_type_name(w, to->type), murphi_type_name(w, value->type));
    return;
  }
  ir_chain_add(out, ir_assign(w->m, to, value, s->span));
}

// --- branches ---

static void branch(struct lower *w, struct ast_clause *c, struct ir_chain *out) {
  if (!c->cond) return murphi_stmts(w, c->body, out);
  if (!murphi_enter(w, c->span)) return;
  w->pre = out; // an elsif's calls belong into the else before it
  struct ir_expr *x = murphi_condition(w, c->cond, "the condition of if");
  struct ir_chain body = {0}, other = {0};
  murphi_stmts(w, c->body, &body);
  if (c->next) branch(w, c->next, &other);
  w->pre = out;
  if (x) ir_chain_add(out, ir_if(w->m, x, body.first, other.first, c->span));
  murphi_leave(w);
}

static struct ir_case *one_case(struct lower *w, struct ast_case *c, struct ir_expr *of) {
  VEC(struct ir_expr *) values = {0};
  bool ok = true;
  for (struct ast_expr *e = c->values; e; e = e->next) {
    struct ir_expr *x = murphi_skippable(w, e);
    if (x && of && !murphi_compatible(x->type, of->type)) {
      murphi_error(w, e->span, "expected %s as a case, but this is %s",
                   murphi_type_name(w, of->type), murphi_type_name(w, x->type));
      x = NULL;
    }
    ok &= x != NULL;
    VEC_PUSH(&values, x);
  }
  struct ir_chain body = {0};
  murphi_stmts(w, c->body, &body);
  struct ir_case *r = ok ? ir_case(w->m, values.data, (uint32_t)values.count, body.first) : NULL;
  VEC_CLEAR(&values);
  return r;
}

static void switch_stmt(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *x = murphi_value(w, s->expr);
  if (x && !ir_type_scalar(x->type)) {
    murphi_error(w, s->expr->span, "expected a scalar to switch on, but this is %s",
                 murphi_type_name(w, x->type));
    x = NULL;
  }
  struct ir_case *first = NULL, **end = &first;
  bool ok = x != NULL;
  for (struct ast_case *c = s->cases; c; c = c->next) {
    *end = one_case(w, c, x);
    ok &= *end != NULL;
    if (*end) end = &(*end)->next;
  }
  if (ok) ir_chain_add(out, ir_switch(w->m, x, first, s->span));
}

// --- loops ---

static void for_stmt(struct lower *w, struct ast_stmt *s, struct ast_quant *q,
                     struct ir_chain *out) {
  if (!q) return murphi_stmts(w, s->body, out);
  if (!murphi_enter(w, q->span)) return;
  struct ir_domain *d = NULL;
  struct ir_chain body = {0};
  murphi_scope_open(w);
  w->pre = out;
  struct ir_local *l = murphi_quant(w, q, false, &d);
  for_stmt(w, s, q->next, &body);
  w->pre = out;
  murphi_scope_close(w);
  murphi_leave(w);
  if (l) ir_chain_add(out, ir_for(w->m, l, d, body.first, s->span));
}

// while f() do b end, with a call that changes something:
//   t := f(); while t do b; t := f() end
static void while_stmt(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_chain before = {0}, body = {0};
  w->pre = &before;
  struct ir_expr *x = murphi_condition(w, s->expr, "the condition of while");
  w->pre = out;
  ir_chain_add(out, before.first);
  if (x && before.first) x = murphi_temporary(w, "again", w->m->bool_type, x, out, s->expr->span);
  murphi_stmts(w, s->body, &body);
  if (!x) return;
  if (before.first) {
    w->pre = &body;
    struct ir_expr *again = murphi_condition(w, s->expr, "the condition of while");
    w->pre = out;
    if (again) ir_chain_add(&body, ir_assign(w->m, x, again, s->expr->span));
  }
  ir_chain_add(out, ir_while(w->m, x, body.first, w->while_limit, s->span));
}

static void alias_stmt(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  murphi_scope_open(w);
  murphi_aliases(w, s->decls, out);
  murphi_stmts(w, s->body, out);
  murphi_scope_close(w);
}

// --- the rest ---

static void return_stmt(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  const struct ir_type *result = w->function ? w->function->function->result : NULL;
  w->returned = true;
  w->direct = s->expr;
  struct ir_expr *x = s->expr ? murphi_value(w, s->expr) : NULL;
  w->direct = NULL;
  if (s->expr && !x) return;
  if (x && !result) {
    murphi_error(w, s->expr->span, "a %s gives no value; expected 'return' alone",
                 w->function ? "procedure" : "rule");
    return;
  }
  if (result && (!x || !murphi_compatible(x->type, result))) {
    murphi_error(w, s->span, "the function returns %s, but this is %s", murphi_type_name(w, result),
                 x ? murphi_type_name(w, x->type) : "nothing");
    return;
  }
  struct ir_stmt *r = ir_return(w->m, x, s->span);
  if (!w->function) VEC_PUSH(&w->returns, r);
  ir_chain_add(out, r);
}

static void cover(struct lower *w, struct ast_stmt *s, struct ir_expr *x, struct ir_chain *out) {
  w->covers++;
  const char *name = s->text ? s->text : arena_printf(w->m->arena, "cover %u", w->covers);
  struct ir_property *p = ir_property_new(w->m, IR_PROP_COVER, name, s->span);
  ir_chain_add(out, ir_cover(w->m, p, x, s->span));
}

static void property(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  if (s->property == AST_LIVENESS) {
    murphi_error(w, s->span,
                 "expected liveness beside the rules: it speaks of whole runs, not of "
                 "one step");
    return;
  }
  struct ir_expr *x = murphi_condition(w, s->expr, "a property");
  if (!x) return;
  if (s->property != AST_ASSERT && w->effects) w->effects->drops = true;
  if (s->property == AST_COVER) return cover(w, s, x, out);
  if (s->property == AST_ASSUME) return ir_chain_add(out, ir_assume(w->m, x, s->span));
  const char *message = s->text ? s->text : murphi_source_text(w, s->expr->span);
  ir_chain_add(out, ir_assert(w->m, x, IR_FAULT_ASSERT, message, s->span));
}

static void put(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_print part = {.literal = s->text};
  if (s->expr && !(part.expr = murphi_value(w, s->expr))) return;
  ir_chain_add(out, ir_print(w->m, &part, 1, s->span));
}

static void call(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *x = murphi_call(w, s->expr, true);
  if (x) ir_chain_add(out, ir_call_stmt(w->m, x, s->span));
}

static void error(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *never = ir_bool(w->m, false, s->span);
  ir_chain_add(out, ir_assert(w->m, never, IR_FAULT_ERROR, s->text, s->span));
}

static void stmt(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  switch (s->kind) {
  case AST_ASSIGN: return assign(w, s, out);
  case AST_IF: return branch(w, s->clauses, out);
  case AST_SWITCH: return switch_stmt(w, s, out);
  case AST_FOR: return for_stmt(w, s, s->quants, out);
  case AST_WHILE: return while_stmt(w, s, out);
  case AST_ALIAS: return alias_stmt(w, s, out);
  case AST_CALL_STMT: return call(w, s, out);
  case AST_CLEAR: return clear(w, s, out);
  case AST_UNDEFINE: return undefine(w, s, out);
  case AST_ERROR: return error(w, s, out);
  case AST_PROPERTY: return property(w, s, out);
  case AST_PUT: return put(w, s, out);
  case AST_RETURN: return return_stmt(w, s, out);
  case AST_MULTISETADD: return murphi_multiset_add(w, s, out);
  case AST_MULTISETREMOVE: return murphi_multiset_remove(w, s, out);
  case AST_MULTISETREMOVEPRED: return murphi_multiset_remove_where(w, s, out);
  }
}
