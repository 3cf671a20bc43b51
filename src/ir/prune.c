// SPDX-License-Identifier: Apache-2.0
// On how many of a rule's choices it depends what an assumption says, and whether it is come to: a
// walk through the body that knows a level of every variable and local, by how many choices, from
// the first on, its value is settled. A step may leave before an assumption by a return or a fault;
// one that an earlier assumption drops is out anyway, so these do not count.
#include "ir/prune.h"

#include "ir/pure.h"

#include <string.h>

struct walk {
  const struct ir_rule *r;
  const bool *impure; // per function
  uint32_t *levels;   // of locals, then of variables
  uint32_t count;
  uint32_t state;   // no variable has a higher level
  uint32_t control; // of the conditions around
  uint32_t escape;  // of whether a step has left before
  uint32_t loops;   // around
};

// Of an expression: its value, and whether evaluating it fails.
struct level {
  uint32_t value, fault;
  bool fails; // it can
};

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void raise_to(uint32_t *level, uint32_t to) { *level = most(*level, to); }

static uint32_t *level_of_var(struct walk *w, const struct ir_var *v) {
  return &w->levels[w->r->frame.count + v->id];
}

static struct level expr_level(struct walk *w, const struct ir_expr *e);

// Both are evaluated.
static struct level both(struct level a, struct level b) {
  return (struct level){most(a.value, b.value), most(a.fault, b.fault), a.fails || b.fails};
}

// The second is evaluated where the first says so.
static struct level then_maybe(struct level a, struct level b) {
  if (b.fails) raise_to(&b.fault, a.value);
  return both(a, b);
}

static struct level fails_by_value(struct level l) {
  return (struct level){l.value, l.value, true};
}

// --- writing ---

// The level of the variable or local that an lvalue is part of.
static uint32_t *root_level(struct walk *w, const struct ir_expr *e) {
  while (e->op == IR_INDEX || e->op == IR_FIELD) e = e->args[0];
  return e->op == IR_VAR ? level_of_var(w, e->var) : &w->levels[e->local->id];
}

static void write(struct walk *w, const struct ir_expr *lhs, uint32_t level) {
  uint32_t *root = root_level(w, lhs);
  bool whole = lhs->op == IR_VAR || lhs->op == IR_LOCAL;
  raise_to(&level, w->control);
  *root = whole ? level : most(*root, level);
  if (root >= w->levels + w->r->frame.count) raise_to(&w->state, level);
}

static struct level indices_level(struct walk *w, const struct ir_expr *e) {
  struct level l = {0};
  for (; e->op == IR_INDEX || e->op == IR_FIELD; e = e->args[0]) {
    if (e->op == IR_INDEX) l = fails_by_value(both(l, expr_level(w, e->args[1])));
  }
  return l;
}

// A step may leave here.
static void leaves(struct walk *w, struct level l) {
  if (l.fails) raise_to(&w->escape, most(w->control, l.fault));
}

// Nothing is known of what happens here.
static void give_up(struct walk *w) {
  for (uint32_t i = 0; i < w->count; i++) w->levels[i] = w->r->choice_count;
  w->state = w->escape = w->r->choice_count;
}

// Functions may read any variable. One that writes, too, is rare in rules with choices.
static struct level call_level(struct walk *w, const struct ir_expr *e) {
  struct level l = {.value = w->state};
  for (uint32_t i = 0; i < e->arg_count; i++) l = both(l, expr_level(w, e->args[i]));
  if (w->impure[e->func->id]) give_up(w);
  return fails_by_value(l);
}

// --- expressions ---

static struct level domain_level(struct walk *w, const struct ir_domain *d) {
  struct level l = {0};
  if (!d || d->type) return l;
  l = both(expr_level(w, d->lo), expr_level(w, d->hi));
  if (d->step) l = both(l, expr_level(w, d->step));
  return l;
}

// Evaluation ends where a value is found: each round depends on those before.
static struct level quantifier_level(struct walk *w, const struct ir_expr *e) {
  struct level domain = domain_level(w, e->domain);
  w->levels[e->local->id] = domain.value;
  struct level l = both(domain, expr_level(w, e->args[0]));
  return l.fails || e->site ? fails_by_value(l) : l;
}

static struct level operands_level(struct walk *w, const struct ir_expr *e) {
  struct level l = {0};
  for (uint32_t i = 0; i < e->arg_count; i++) l = both(l, expr_level(w, e->args[i]));
  return e->site ? fails_by_value(l) : l;
}

static struct level leaf_level(uint32_t level, bool fails) {
  return (struct level){level, fails ? level : 0, fails};
}

static struct level expr_level(struct walk *w, const struct ir_expr *e) {
  struct level a;
  switch (e->op) {
  case IR_CONST: return (struct level){0};
  case IR_VAR: return leaf_level(*level_of_var(w, e->var), e->site);
  case IR_LOCAL: return leaf_level(w->levels[e->local->id], e->site);
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES: a = expr_level(w, e->args[0]); return then_maybe(a, expr_level(w, e->args[1]));
  case IR_ITE:
    a = expr_level(w, e->args[0]);
    struct level b = expr_level(w, e->args[1]);
    return then_maybe(a, both(b, expr_level(w, e->args[2])));
  case IR_CALL: return call_level(w, e);
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return quantifier_level(w, e);
  default: return operands_level(w, e);
  }
}

// --- statements ---

static void walk_stmts(struct walk *w, struct ir_stmt *s);

static bool plain_values(const struct ir_type *t) {
  return ir_type_scalar(t) && t->kind != IR_TYPE_UNION && t->kind != IR_TYPE_INT;
}

// Is every value of `from` one of `to`?
static bool always_fits(const struct ir_type *to, const struct ir_type *from) {
  return plain_values(to) && plain_values(from) && to->lo <= from->lo && from->hi <= to->hi;
}

static void walk_assign(struct walk *w, const struct ir_stmt *s) {
  struct level l = both(expr_level(w, s->expr), indices_level(w, s->lhs));
  bool fits = s->kind == IR_COPY || always_fits(s->lhs->type, s->expr->type);
  leaves(w, fits ? l : fails_by_value(l));
  write(w, s->lhs, l.value);
}

static void walk_assume(struct walk *w, struct ir_stmt *s) {
  struct level l = expr_level(w, s->expr);
  uint32_t level = most(l.value, most(w->control, w->escape));
  s->prunes = w->loops ? w->r->choice_count : level;
  leaves(w, l);
}

static uint32_t *keep_levels(const struct walk *w) {
  uint32_t *copy = mem_zalloc(w->count, sizeof *copy);
  memcpy(copy, w->levels, w->count * sizeof *copy);
  return copy;
}

// Walks a branch from the levels `before`; what comes out is joined to `after`.
static void walk_branch(struct walk *w, struct ir_stmt *s, const uint32_t *before,
                        uint32_t *after) {
  memcpy(w->levels, before, w->count * sizeof *before);
  walk_stmts(w, s);
  for (uint32_t i = 0; i < w->count; i++) raise_to(&after[i], w->levels[i]);
}

// A condition, and then one of several branches.
static void walk_branches(struct walk *w, struct ir_stmt *s) {
  struct level l = expr_level(w, s->expr);
  for (const struct ir_case *c = s->cases; c; c = c->next)
    for (uint32_t i = 0; i < c->value_count; i++) l = then_maybe(l, expr_level(w, c->values[i]));
  leaves(w, l);
  uint32_t control = w->control;
  raise_to(&w->control, l.value);
  uint32_t *before = keep_levels(w), *after = keep_levels(w);
  walk_branch(w, s->body, before, after);
  walk_branch(w, s->other, before, after);
  for (struct ir_case *c = s->cases; c; c = c->next) walk_branch(w, c->body, before, after);
  memcpy(w->levels, after, w->count * sizeof *after);
  mem_free(before);
  mem_free(after);
  w->control = control;
}

// Round after round, until no level rises any more.
static void walk_loop(struct walk *w, struct ir_stmt *s) {
  uint32_t control = w->control;
  w->loops++;
  for (bool rises = true; rises;) {
    // (Kept before the head is looked at: a quantifier there sets its variable's level anew.)
    uint32_t *before = keep_levels(w), escape = w->escape;
    struct level l = s->kind == IR_FOR ? domain_level(w, s->domain) : expr_level(w, s->expr);
    leaves(w, s->site ? fails_by_value(l) : l);
    raise_to(&w->control, most(l.value, w->escape));
    if (s->kind == IR_FOR) raise_to(&w->levels[s->local->id], l.value);
    walk_stmts(w, s->body);
    rises = w->escape > escape;
    for (uint32_t i = 0; i < w->count; i++) {
      rises |= w->levels[i] > before[i];
      raise_to(&w->levels[i], before[i]);
    }
    mem_free(before);
  }
  w->loops--;
  w->control = control;
}

static void walk_plain(struct walk *w, const struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++)
    if (s->parts[i].expr) leaves(w, expr_level(w, s->parts[i].expr));
  if (s->expr) leaves(w, expr_level(w, s->expr));
}

static void walk_stmt(struct walk *w, struct ir_stmt *s) {
  struct level l;
  switch (s->kind) {
  case IR_ASSIGN:
  case IR_COPY: return walk_assign(w, s);
  case IR_UNDEFINE:
  case IR_CLEAR:
  case IR_SORT:
    l = indices_level(w, s->lhs);
    leaves(w, l);
    if (s->kind == IR_SORT) raise_to(&l.value, *root_level(w, s->lhs));
    return write(w, s->lhs, l.value);
  case IR_IF:
  case IR_SWITCH: return walk_branches(w, s);
  case IR_FOR:
  case IR_WHILE: return walk_loop(w, s);
  case IR_RETURN: return raise_to(&w->escape, w->control);
  case IR_ASSERT: return leaves(w, fails_by_value(expr_level(w, s->expr)));
  case IR_ASSUME: return walk_assume(w, s);
  case IR_CALL_STMT:
  case IR_COVER:
  case IR_PRINT: return walk_plain(w, s);
  case IR_FOREIGN: return give_up(w);
  }
}

static void walk_stmts(struct walk *w, struct ir_stmt *s) {
  for (; s; s = s->next) walk_stmt(w, s);
}

static void prune_rule(const struct ir_model *m, struct ir_rule *r, const bool *impure) {
  if (r->choice_count == 0) return;
  struct walk w = {.r = r, .impure = impure, .count = r->frame.count + (uint32_t)m->vars.count};
  w.levels = mem_zalloc(w.count, sizeof *w.levels);
  for (uint32_t i = 0; i < r->choice_count; i++) w.levels[r->param_count + i] = i + 1;
  struct level guard = r->guard ? expr_level(&w, r->guard) : (struct level){0};
  r->guard_chooses = guard.value > 0;
  leaves(&w, guard);
  walk_stmts(&w, r->body);
  mem_free(w.levels);
}

void ir_prune(struct ir_model *m) {
  bool *impure = ir_functions_impure(m);
  for (size_t i = 0; i < m->starts.count; i++) prune_rule(m, m->starts.data[i], impure);
  for (size_t i = 0; i < m->rules.count; i++) prune_rule(m, m->rules.data[i], impure);
  mem_free(impure);
}
