// SPDX-License-Identifier: Apache-2.0
// Statements as C. Faults, failed assumptions and returns leave the C function with their outcome.
#include "sys/emit.h"

#include <inttypes.h>
#include <string.h>

// --- whole arrays and records ---

// Opens a loop over the ranks of an array's index; returns the rank's name.
static const char *element_loop(struct emit *e, const struct ir_type *array) {
  const char *t = emit_temp(e);
  emit_line(e, "for (int64_t %s = 0; %s < %" PRIu64 "; %s++) {", t, t, ir_type_count(array->index),
            t);
  e->indent++;
  return t;
}

void emit_copy(struct emit *e, const struct emit_place *to, const struct emit_place *from) {
  const struct ir_type *t = to->type;
  if (ir_type_scalar(t)) {
    emit_poke(e, to, emit_peek(e, from));
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0, n; i < t->field_count; i += n) {
      struct emit_place p = emit_place_field(to, i), q = emit_place_field(from, i);
      n = emit_copy_run(e, to, from, i);
      if (n == 0) emit_copy(e, &p, &q), n = 1;
    }
  } else {
    const char *i = element_loop(e, t);
    struct emit_place p = emit_place_element(*to, i), q = emit_place_element(*from, i);
    emit_copy(e, &p, &q);
    emit_loop_close(e);
  }
}

// Every scalar becomes undefined, or its type's smallest value.
static void fill(struct emit *e, const struct emit_place *p, bool undefined) {
  const struct ir_type *t = p->type;
  if (ir_type_scalar(t)) {
    if (undefined && ir_type_can_undef(t))
      emit_poke(e, p, "FATHOM_UNDEF");
    else
      emit_write(e, p, emit_number(e, undefined ? 0 : ir_type_value(t, 0)));
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) {
      struct emit_place q = emit_place_field(p, i);
      fill(e, &q, undefined);
    }
  } else {
    struct emit_place q = emit_place_element(*p, element_loop(e, t));
    fill(e, &q, undefined);
    emit_loop_close(e);
  }
}

// --- sorting: every scalar has a key that orders as the evaluator does ---

static const char *sort_key(struct emit *e, const struct ir_type *t, const char *value) {
  const char *v = emit_keep(e, value);
  const char *rank = emit_rank(e, t, emit_format(e, "(uint64_t)%s", v));
  if (!ir_type_can_undef(t)) return rank;
  return emit_format(e, "(%s == FATHOM_UNDEF ? 0 : %s + 1)", v, rank);
}

static const char *sort_value(struct emit *e, const struct ir_type *t, const char *key) {
  if (!ir_type_can_undef(t)) return emit_value_of_rank(e, t, key);
  return emit_format(e, "(%s == 0 ? FATHOM_UNDEF : %s)", key,
                     emit_value_of_rank(e, t, emit_format(e, "(%s - 1)", key)));
}

// Moves all scalars of p into keys (or back), counting them in the C variable `at`.
static void move_keys(struct emit *e, const struct emit_place *p, const char *keys, const char *at,
                      bool back) {
  const struct ir_type *t = p->type;
  if (ir_type_scalar(t)) {
    if (back)
      emit_poke(e, p, sort_value(e, t, emit_format(e, "%s[%s]", keys, at)));
    else
      emit_line(e, "%s[%s] = %s;", keys, at, sort_key(e, t, emit_peek(e, p)));
    emit_line(e, "%s++;", at);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) {
      struct emit_place q = emit_place_field(p, i);
      move_keys(e, &q, keys, at, back);
    }
  } else {
    struct emit_place q = emit_place_element(*p, element_loop(e, t));
    move_keys(e, &q, keys, at, back);
    emit_loop_close(e);
  }
}

static void sort(struct emit *e, const struct ir_stmt *s) {
  struct emit_place p = emit_place(e, s->lhs);
  uint64_t n = p.type->leaves, each = p.type->elem->leaves;
  if (n == 0) return;
  const char *keys = emit_array(e, "uint64_t", n), *at = emit_temp(e);
  emit_line(e, "size_t %s = 0;", at);
  move_keys(e, &p, keys, at, false);
  emit_line(e, "fathom_sort(%s, %" PRIu64 ", %" PRIu64 ");", keys, n, each);
  emit_line(e, "%s = 0;", at);
  move_keys(e, &p, keys, at, true);
}

// --- simple statements ---

static void assign(struct emit *e, const struct ir_stmt *s) {
  const char *v = emit_expr(e, s->expr);
  struct emit_place p = emit_place(e, s->lhs);
  if (!emit_fits(e, s->expr, s->lhs->type)) {
    v = emit_simple(e, v);
    emit_fail_if(e, emit_outside(e, s->lhs->type, v), s->site);
  }
  emit_write(e, &p, v);
}

static void copy(struct emit *e, const struct ir_stmt *s) {
  struct emit_place from = emit_place(e, s->expr), to = emit_place(e, s->lhs);
  emit_copy(e, &to, &from);
}

static void call(struct emit *e, const struct ir_expr *x) {
  const struct ir_type *t = x->func->result;
  if (!t) {
    emit_call(e, x, NULL);
  } else if (ir_type_scalar(t)) {
    emit_expr(e, x);
  } else {
    emit_place(e, x);
  }
}

static void leave_function(struct emit *e, const struct ir_stmt *s) {
  if (s->expr && ir_type_scalar(s->expr->type)) {
    const char *v = emit_expr(e, s->expr);
    emit_line(e, emit_instance_value(e->instance) ? "return %s;" : "*result = %s;", v);
  } else if (s->expr) {
    struct emit_place from = emit_place(e, s->expr);
    struct emit_place to = {.kind = EMIT_CELLS, .root = "result", .type = from.type};
    emit_copy(e, &to, &from);
  }
  if (e->instance->fails)
    emit_line(e, "return 1;");
  else if (!emit_instance_value(e->instance))
    emit_line(e, "return;");
}

static void leave(struct emit *e, const struct ir_stmt *s) {
  if (e->instance && e->instance->func->result) return leave_function(e, s);
  if (s->expr && ir_type_scalar(s->expr->type)) // whatever it is, it may fail
    emit_expr(e, s->expr);
  else if (s->expr)
    emit_place(e, s->expr);
  emit_line(e, e->instance && !e->instance->fails ? "return;" : "return 1;");
}

static void cover(struct emit *e, const struct ir_stmt *s) {
  emit_line(e, "if (%s) covers[%u] |= UINT64_C(1) << %u;", emit_condition(e, s->expr, true),
            s->cover / 64, s->cover % 64);
}

// Nothing is printed in a search, but what would be printed may fail.
static void print(struct emit *e, const struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++) {
    const struct ir_expr *x = s->parts[i].expr;
    if (!x) continue;
    if (ir_expr_lvalue(x) || !ir_type_scalar(x->type))
      emit_place(e, x);
    else
      emit_expr(e, x);
  }
}

// --- statements with statements inside ---

static void block(struct emit *e, const struct ir_stmt *s) {
  e->indent++;
  emit_stmts(e, s);
  e->indent--;
}

static void branch(struct emit *e, const struct ir_stmt *s) {
  emit_line(e, "if (%s) {", emit_condition(e, s->expr, true));
  block(e, s->body);
  if (s->other) {
    emit_line(e, "} else {");
    block(e, s->other);
  }
  emit_line(e, "}");
}

// Does the value equal one of the case's? Values after the first match are not evaluated.
static const char *matches(struct emit *e, const struct ir_case *c, const char *value) {
  const char *m = NULL;
  bool plain = true;
  int64_t v;
  for (uint32_t i = 0; i < c->value_count; i++) plain &= ir_expr_const(c->values[i], &v);
  for (uint32_t i = 0; plain && i < c->value_count; i++) {
    const char *one = emit_format(e, "%s == %s", value, emit_expr(e, c->values[i]));
    m = m ? emit_format(e, "%s || %s", m, one) : one;
  }
  if (plain) return m;
  m = emit_keep(e, "0");
  for (uint32_t i = 0; i < c->value_count; i++) {
    emit_line(e, "if (!%s) {", m);
    e->indent++;
    emit_line(e, "%s = %s == %s;", m, value, emit_expr(e, c->values[i]));
    e->indent--;
    emit_line(e, "}");
  }
  return m;
}

static void cases(struct emit *e, const struct ir_case *c, const char *value) {
  if (!c) return;
  if (c->value_count == 0) return emit_stmts(e, c->body);
  emit_line(e, "if (%s) {", matches(e, c, value));
  block(e, c->body);
  if (c->next) {
    emit_line(e, "} else {");
    e->indent++;
    cases(e, c->next, value);
    e->indent--;
  }
  emit_line(e, "}");
}

static void loop(struct emit *e, const struct ir_stmt *s) {
  const char *round = emit_temp(e);
  emit_line(e, "for (uint64_t %s = 0;; %s++) {", round, round);
  e->indent++;
  emit_line(e, "if (%s) break;", emit_condition(e, s->expr, false));
  emit_fail_if(e, emit_format(e, "%s >= UINT64_C(%" PRIu64 ")", round, s->limit), s->site);
  emit_stmts(e, s->body);
  e->indent--;
  emit_line(e, "}");
}

static void statement(struct emit *e, const struct ir_stmt *s) {
  struct emit_place p;
  switch (s->kind) {
  case IR_ASSIGN: assign(e, s); break;
  case IR_COPY: copy(e, s); break;
  case IR_UNDEFINE:
  case IR_CLEAR:
    p = emit_place(e, s->lhs);
    fill(e, &p, s->kind == IR_UNDEFINE);
    break;
  case IR_SORT: sort(e, s); break;
  case IR_FOREIGN:
    p = emit_place(e, s->lhs);
    emit_line(e, "fathom_native_foreign[%u](%s);", s->foreign, emit_reference(e, &p));
    break;
  case IR_IF: branch(e, s); break;
  case IR_SWITCH: cases(e, s->cases, emit_keep(e, emit_expr(e, s->expr))); break;
  case IR_FOR:
    emit_loop_open(e, s->local, s->domain, s->site);
    emit_stmts(e, s->body);
    emit_loop_close(e);
    break;
  case IR_WHILE: loop(e, s); break;
  case IR_CALL_STMT: call(e, s->expr); break;
  case IR_RETURN: leave(e, s); break;
  case IR_ASSERT:
    e->may_fail = true;
    emit_require(e, s->expr, true, emit_format(e, "return fathom_fault(%u);", s->site));
    break;
  case IR_ASSUME:
    e->may_fail = true;
    emit_require(e, s->expr, true,
                 s->prunes < e->choices ? emit_format(e, "return FATHOM_PRUNED(%u);", s->prunes)
                                        : "return FATHOM_DROPPED;");
    break;
  case IR_COVER: cover(e, s); break;
  case IR_PRINT: print(e, s); break;
  }
}

// Does a call in the statement's expressions write? That of a call statement itself comes last.
// Statements inside this one decide for themselves.
static bool needs_order(const struct emit *e, const struct ir_stmt *s) {
  if (s->lhs && emit_writes(e, s->lhs)) return true;
  if (s->kind != IR_CALL_STMT) return s->expr && emit_writes(e, s->expr);
  for (uint32_t i = 0; i < s->expr->arg_count; i++)
    if (emit_writes(e, s->expr->args[i])) return true;
  return false;
}

// --- blocks ---

static bool takes_arrays(const struct ir_function *f) {
  for (uint32_t i = 0; i < f->param_count; i++)
    if (f->frame.locals[i]->kind == IR_LOCAL_VALUE && !ir_type_scalar(f->frame.locals[i]->type))
      return true;
  return false;
}

static void visit_cells(void *context, const struct ir_expr *x) {
  if (x->op == IR_CALL && (x->func->result || takes_arrays(x->func))) *(bool *)context = true;
  if (x->op == IR_ITE && !ir_type_scalar(x->type)) *(bool *)context = true;
}

bool emit_needs_block(const struct ir_expr *x) {
  bool found = false;
  emit_walk_expr(x, visit_cells, &found);
  return found;
}

void emit_block_open(struct emit *e) {
  emit_line(e, "{");
  e->indent++;
}

void emit_block_close(struct emit *e) {
  e->indent--;
  emit_line(e, "}");
}

// Statements inside this one have blocks of their own; assertions and assumptions make one for
// each condition.
static bool needs_block(const struct ir_stmt *s) {
  if (s->kind == IR_ASSERT || s->kind == IR_ASSUME) return false;
  bool found = s->kind == IR_SORT || emit_needs_block(s->lhs) || emit_needs_block(s->expr);
  for (const struct ir_case *c = s->cases; c; c = c->next)
    for (uint32_t i = 0; i < c->value_count; i++) found |= emit_needs_block(c->values[i]);
  if (s->domain && !s->domain->type)
    found |= emit_needs_block(s->domain->lo) || emit_needs_block(s->domain->hi) ||
             emit_needs_block(s->domain->step);
  for (uint32_t i = 0; i < s->part_count; i++) found |= emit_needs_block(s->parts[i].expr);
  return found;
}

void emit_stmts(struct emit *e, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    bool ordered = e->ordered, apart = needs_block(s);
    uint64_t words = e->words;
    emit_source_line(e, s->span);
    if (apart) emit_block_open(e);
    e->ordered = needs_order(e, s);
    statement(e, s);
    e->ordered = ordered;
    if (apart) emit_block_close(e);
    e->words = words;
  }
}

// --- frames ---

struct boxes {
  bool *boxed;
};

static void box_references(void *context, const struct ir_expr *x) {
  struct boxes *b = context;
  if (x->op != IR_CALL) return;
  for (uint32_t i = 0; i < x->arg_count; i++) {
    if (x->func->frame.locals[i]->kind != IR_LOCAL_REF) continue;
    const struct ir_expr *root = x->args[i];
    while (root->op == IR_INDEX || root->op == IR_FIELD) root = root->args[0];
    if (root->op == IR_LOCAL && root->local->kind == IR_LOCAL_PLAIN)
      b->boxed[root->local->id] = true;
  }
}

static void declare(struct emit *e, const struct ir_local *l) {
  struct emit_place p = {.kind = EMIT_SCALAR, .type = l->type};
  p.root = emit_format(e, "l%u", l->id);
  if (e->boxed[l->id]) {
    p.kind = EMIT_CELLS;
    emit_line(e, "int64_t %s[%" PRIu64 "]; // \"%s\"", p.root,
              l->type->leaves ? l->type->leaves : 1, emit_escape(e, l->name));
    fill(e, &p, true);
  } else {
    emit_line(e, "int64_t %s = %s; // \"%s\"", p.root,
              ir_type_can_undef(l->type) ? "FATHOM_UNDEF" : "0", emit_escape(e, l->name));
  }
}

void emit_frame(struct emit *e, const struct ir_frame *f, const struct ir_expr *x,
                const struct ir_stmt *s) {
  struct boxes b = {.boxed = ARENA_ARRAY(e->arena, bool, f->count + 1)};
  for (uint32_t i = 0; i < f->count; i++) b.boxed[i] = !ir_type_scalar(f->locals[i]->type);
  emit_walk_expr(x, box_references, &b);
  emit_walk_stmts(s, box_references, &b);
  e->boxed = b.boxed;
  e->bound = ARENA_ARRAY(e->arena, struct emit_range, f->count + 1);
  e->open = ARENA_ARRAY(e->arena, bool, f->count + 1);
  e->ranges.round++;
  e->temps = 0;
  e->words = e->words_max = f->cells;
  e->line = (struct span){0};
  for (uint32_t i = 0; i < f->count; i++)
    if (f->locals[i]->kind == IR_LOCAL_PLAIN && s) declare(e, f->locals[i]);
}
