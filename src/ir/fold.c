// SPDX-License-Identifier: Apache-2.0
// Constant folding, in place. What a node of constants means is asked of the interpreter itself.
// Every error stays possible, and in the same order: an operand is dropped only if it would not
// have been evaluated, or cannot fail.
#include "ir/ir.h"

#include "ir/ctl.h"
#include "ir/eval_private.h"

// --- what can fail ---

static bool safe_expr(const struct ir_expr *e);

// A range without a step always leads somewhere.
static bool safe_domain(const struct ir_domain *d) {
  return d->type || (!d->step && safe_expr(d->lo) && safe_expr(d->hi));
}

// Can evaluating it neither fail nor do anything else? A question about definedness reads nothing.
static bool safe_expr(const struct ir_expr *e) {
  if (e->op == IR_ISUNDEF) {
    const struct ir_expr *a = e->args[0];
    while (a->op == IR_FIELD) a = a->args[0];
    return a->op == IR_VAR || a->op == IR_LOCAL;
  }
  if (e->domain ? !safe_domain(e->domain) : e->site != 0) return false;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (!safe_expr(e->args[i])) return false;
  return true;
}

// --- expressions ---

static bool is_bool(const struct ir_expr *e, bool value) {
  return e->op == IR_CONST && e->type->kind == IR_TYPE_BOOL && e->value == value;
}

// A node whose operands are constants, as the interpreter sees it; false when it fails there.
static bool evaluate(const struct ir_expr *e, int64_t *value) {
  struct ir_eval eval = {0};
  if (setjmp(eval.boundary)) {
    text_clear(&eval.detail);
    return false;
  }
  *value = ir_eval_scalar(&eval, e);
  return true;
}

static bool constant_operands(const struct ir_expr *e) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i]->op != IR_CONST) return false;
  return e->arg_count > 0;
}

static struct ir_expr *fold_operation(struct ir_model *m, struct ir_expr *e) {
  int64_t value;
  if (!constant_operands(e) || !evaluate(e, &value)) return e;
  return ir_const(m, e->type, value, e->span);
}

// a op b, short-circuit: `stop` is the value of a at which b is not looked at, and `then` the
// result.
static struct ir_expr *fold_logic(struct ir_model *m, struct ir_expr *e, bool stop, bool then) {
  struct ir_expr *a = e->args[0], *b = e->args[1];
  if (is_bool(a, stop)) return ir_bool(m, then, e->span);
  if (is_bool(a, !stop)) return b;
  if (is_bool(b, then) && safe_expr(a)) return b;
  if (is_bool(b, !then) && e->op != IR_IMPLIES) return a;
  return e;
}

// May `by` stand where an expression of type t stood? Arithmetic goes by the operands' types.
static bool replaceable(const struct ir_model *m, const struct ir_type *t,
                        const struct ir_type *by) {
  bool machine = t->kind == IR_TYPE_INT && t != m->int_type;
  bool by_machine = by->kind == IR_TYPE_INT && by != m->int_type;
  return ir_type_same(t, by) || (!machine && !by_machine);
}

static struct ir_expr *fold_ite(struct ir_model *m, struct ir_expr *e) {
  if (e->args[0]->op != IR_CONST) return e;
  struct ir_expr *taken = e->args[e->args[0]->value ? 1 : 2];
  return replaceable(m, e->type, taken->type) ? taken : e;
}

// A domain has at least one value, so a constant body decides.
static struct ir_expr *fold_quantifier(struct ir_model *m, struct ir_expr *e) {
  if (e->args[0]->op != IR_CONST || !safe_domain(e->domain)) return e;
  if (e->op != IR_COUNT) return e->args[0];
  return e->args[0]->value ? e : ir_int(m, 0, e->span);
}

static void fold_domain(struct ir_model *m, struct ir_domain *d) {
  if (!d || d->type) return;
  d->lo = ir_expr_fold(m, d->lo);
  d->hi = ir_expr_fold(m, d->hi);
  if (d->step) d->step = ir_expr_fold(m, d->step);
}

// A variable that is printed or handed to a function may be undefined, where an expression that
// reads it may not: the one does not become the other.
static struct ir_expr *fold_handed(struct ir_model *m, struct ir_expr *e) {
  struct ir_expr *folded = ir_expr_fold(m, e);
  return ir_expr_lvalue(folded) && !ir_expr_lvalue(e) ? e : folded;
}

struct ir_expr *ir_expr_fold(struct ir_model *m, struct ir_expr *e) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    e->args[i] = e->op == IR_CALL ? fold_handed(m, e->args[i]) : ir_expr_fold(m, e->args[i]);
  fold_domain(m, e->domain);
  switch (e->op) {
  case IR_CONST:
  case IR_VAR:
  case IR_LOCAL:
  case IR_INDEX:
  case IR_FIELD:
  case IR_CALL:
  case IR_ISUNDEF: return e;
  case IR_AND: return fold_logic(m, e, false, false);
  case IR_OR: return fold_logic(m, e, true, true);
  case IR_IMPLIES: return fold_logic(m, e, false, true);
  case IR_ITE: return fold_ite(m, e);
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return fold_quantifier(m, e);
  default: return fold_operation(m, e);
  }
}

// --- statements ---

static void fold_chain(struct ir_model *m, struct ir_stmt **first);

static struct ir_expr *fold_maybe(struct ir_model *m, struct ir_expr *e) {
  return e ? ir_expr_fold(m, e) : NULL;
}

static void fold_parts(struct ir_model *m, struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++)
    if (s->parts[i].expr) s->parts[i].expr = fold_handed(m, s->parts[i].expr);
}

static void fold_inside(struct ir_model *m, struct ir_stmt *s) {
  s->lhs = fold_maybe(m, s->lhs);
  s->expr = fold_maybe(m, s->expr);
  fold_domain(m, s->domain);
  fold_parts(m, s);
  fold_chain(m, &s->body);
  fold_chain(m, &s->other);
  for (struct ir_case *c = s->cases; c; c = c->next) {
    for (uint32_t i = 0; i < c->value_count; i++) c->values[i] = ir_expr_fold(m, c->values[i]);
    fold_chain(m, &c->body);
  }
}

// Which case a switch on a constant takes; false when that is not known.
static bool chosen_case(const struct ir_stmt *s, struct ir_stmt **taken) {
  *taken = NULL;
  if (s->expr->op != IR_CONST) return false;
  for (const struct ir_case *c = s->cases; c; c = c->next) {
    bool hit = c->value_count == 0;
    for (uint32_t i = 0; i < c->value_count && !hit; i++) {
      if (c->values[i]->op != IR_CONST) return false;
      hit = c->values[i]->value == s->expr->value;
    }
    if (!hit) continue;
    *taken = c->body;
    return true;
  }
  return true;
}

// Can the statement be replaced by the chain `by` (NULL: by nothing)?
static bool dissolves(const struct ir_stmt *s, struct ir_stmt **by) {
  *by = NULL;
  switch (s->kind) {
  case IR_IF:
    if (s->expr->op == IR_CONST) return *by = s->expr->value ? s->body : s->other, true;
    return !s->body && !s->other && safe_expr(s->expr);
  case IR_SWITCH: return chosen_case(s, by);
  case IR_WHILE: return is_bool(s->expr, false);
  case IR_ASSERT:
  case IR_ASSUME: return is_bool(s->expr, true);
  default: return false;
  }
}

// One assumption for each condition: each may prune by itself.
static bool splits(struct ir_model *m, struct ir_stmt *s) {
  if (s->kind != IR_ASSUME || s->expr->op != IR_AND) return false;
  struct ir_stmt *second = ir_assume(m, s->expr->args[1], s->span);
  s->expr = s->expr->args[0];
  second->next = s->next;
  s->next = second;
  return true;
}

static void fold_chain(struct ir_model *m, struct ir_stmt **first) {
  struct ir_stmt **link = first, *by;
  while (*link) {
    struct ir_stmt *s = *link;
    fold_inside(m, s);
    while (splits(m, s)) continue;
    if (!dissolves(s, &by)) {
      link = &s->next;
      continue;
    }
    *link = by; // already folded: go on behind it
    while (*link) link = &(*link)->next;
    *link = s->next;
  }
}

static void fold_line(struct ir_model *m, struct ir_line *l) {
  l->channel = fold_maybe(m, l->channel);
  for (uint32_t i = 0; i < l->value_count; i++) l->values[i] = ir_expr_fold(m, l->values[i]);
}

static void fold_rule(struct ir_model *m, struct ir_rule *r) {
  for (uint32_t i = 0; i < r->line_count; i++) fold_line(m, &r->lines[i]);
  r->guard = fold_maybe(m, r->guard);
  fold_chain(m, &r->body);
}

static void fold_atom(void *model, struct ir_expr **atom) { *atom = ir_expr_fold(model, *atom); }

static void fold_property(struct ir_model *m, struct ir_property *p) {
  p->expr = fold_maybe(m, p->expr);
  ir_ctl_atoms(p->ctl, fold_atom, m);
}

static void fold_fairness(struct ir_model *m, struct ir_fairness *f) {
  f->expr = fold_maybe(m, f->expr);
  f->given = fold_maybe(m, f->given);
}

void ir_fold(struct ir_model *m) {
  for (size_t i = 0; i < m->functions.count; i++) fold_chain(m, &m->functions.data[i]->body);
  for (size_t i = 0; i < m->starts.count; i++) fold_rule(m, m->starts.data[i]);
  for (size_t i = 0; i < m->rules.count; i++) fold_rule(m, m->rules.data[i]);
  for (size_t i = 0; i < m->properties.count; i++) fold_property(m, m->properties.data[i]);
  for (size_t i = 0; i < m->atoms.count; i++)
    m->atoms.data[i]->expr = ir_expr_fold(m, m->atoms.data[i]->expr);
  for (size_t i = 0; i < m->fairness.count; i++) fold_fairness(m, m->fairness.data[i]);
  m->valid_end = fold_maybe(m, m->valid_end);
}
