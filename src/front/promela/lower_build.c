// SPDX-License-Identifier: Apache-2.0
// Building blocks of the lowering that simplify as they build, so that what is known of a seat
// (its pid, its constant parameters) disappears from guards and bodies. Faults stay possible, and
// in the order that C evaluates.
#include "front/promela/lower.h"

static const struct span nowhere;

static bool same_span(const struct span *a, const struct span *b) {
  return a->source == b->source && a->line == b->line && a->column == b->column &&
         a->end_line == b->end_line && a->end_column == b->end_column;
}

// Half of all expressions are constants, made again for every seat and every question, and most are
// dropped at once. Nobody changes one, so those that are made again soon are the same.
struct ir_expr *lower_const(struct lower *w, const struct ir_type *t, int64_t v, struct span span) {
  uint64_t key = (uint64_t)v * 31 + span.line * UINT64_C(1021) + span.column * UINT64_C(67) + t->id;
  struct ir_expr **known = &w->constants[key % LOWER_CONSTANTS], *e = *known;
  if (!e || e->value != v || e->type != t || !same_span(&e->span, &span))
    *known = e = ir_const(w->m, t, v, span);
  return e;
}

static struct ir_expr *boolean(struct lower *w, bool value, struct span span) {
  return lower_const(w, w->m->bool_type, value, span);
}

struct ir_expr *lower_number(struct lower *w, int64_t v, struct span span) {
  return lower_const(w, w->i32, (int32_t)v, span);
}

struct ir_expr *lower_true(struct lower *w) {
  return boolean(w, true, nowhere);
}

struct ir_expr *lower_false(struct lower *w) {
  return boolean(w, false, nowhere);
}

static bool is_bool(const struct ir_expr *e, bool value) {
  return e->op == IR_CONST && e->type->kind == IR_TYPE_BOOL && e->value == value;
}

bool lower_is_true(const struct ir_expr *e) { return is_bool(e, true); }

bool lower_is_false(const struct ir_expr *e) { return is_bool(e, false); }

bool lower_safe(const struct ir_expr *e) {
  int64_t v;
  if (e->op == IR_DIV || e->op == IR_MOD) {
    if (!ir_expr_const(e->args[1], &v) || v == 0) return false;
  } else if (e->op == IR_INDEX) {
    if (!ir_expr_const(e->args[1], &v) || !ir_type_has(e->args[0]->type->index, v)) return false;
  } else if (e->op == IR_CALL) {
    return false;
  }
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (!lower_safe(e->args[i])) return false;
  return true;
}

static struct ir_expr *fold(struct lower *w, struct ir_expr *e) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i]->op != IR_CONST) return e;
  return ir_expr_fold(w->m, e);
}

struct ir_expr *lower_and(struct lower *w, struct ir_expr *a, struct ir_expr *b) {
  if (lower_is_true(a)) return b;
  if (lower_is_true(b) || lower_is_false(a)) return a;
  if (lower_is_false(b) && lower_safe(a)) return b;
  return ir_binary(w->m, IR_AND, a, b, a->span.source ? a->span : b->span);
}

struct ir_expr *lower_or(struct lower *w, struct ir_expr *a, struct ir_expr *b) {
  if (lower_is_false(a)) return b;
  if (lower_is_false(b) || lower_is_true(a)) return a;
  if (lower_is_true(b) && lower_safe(a)) return b;
  return ir_binary(w->m, IR_OR, a, b, a->span.source ? a->span : b->span);
}

struct ir_expr *lower_not(struct lower *w, struct ir_expr *a) {
  if (a->op == IR_CONST) return boolean(w, !a->value, a->span);
  if (a->op == IR_NOT) return a->args[0];
  enum ir_op op = ir_op_opposite(a->op);
  if (op != IR_OP_COUNT) return ir_binary(w->m, op, a->args[0], a->args[1], a->span);
  return ir_unary(w->m, IR_NOT, a, a->span);
}

struct ir_expr *lower_int32(struct lower *w, struct ir_expr *a) {
  if (a->type == w->i32) return a;
  if (a->op == IR_CONST) return lower_number(w, a->value, a->span);
  return ir_cast(w->m, w->i32, a, a->span);
}

struct ir_expr *lower_ite(struct lower *w, struct ir_expr *c, struct ir_expr *a,
                          struct ir_expr *b) {
  if (lower_is_true(c)) return a;
  if (lower_is_false(c)) return b;
  if (a->type->kind == IR_TYPE_BOOL) return ir_ite(w->m, c, a, b, w->m->bool_type, c->span);
  if (ir_type_same(a->type, b->type)) return ir_ite(w->m, c, a, b, a->type, c->span);
  return ir_ite(w->m, c, lower_int32(w, a), lower_int32(w, b), w->i32, c->span);
}

struct ir_expr *lower_binary(struct lower *w, enum ir_op op, struct ir_expr *a, struct ir_expr *b,
                             struct span span) {
  bool compares = op >= IR_EQ && op <= IR_GE;
  if (!compares) a = lower_int32(w, a), b = lower_int32(w, b);
  return fold(w, ir_binary(w->m, op, a, b, span));
}

struct ir_expr *lower_equal(struct lower *w, struct ir_expr *a, int64_t v) {
  return lower_binary(w, IR_EQ, a, lower_number(w, v, a->span), a->span);
}

struct ir_expr *lower_index(struct lower *w, struct ir_expr *base, struct ir_expr *i,
                            struct span span) {
  return ir_index(w->m, base, i, span);
}

void lower_assign(struct lower *w, struct ir_expr *lhs, struct ir_expr *rhs, struct ir_chain *out,
                  struct span span) {
  ir_chain_add(out, ir_assign(w->m, lhs, rhs, span));
}

void lower_fail(struct lower *w, enum ir_fault fault, const char *message, struct ir_chain *out,
                struct span span) {
  ir_chain_add(out, ir_assert(w->m, lower_false(w), fault, message, span));
}

struct ir_expr *lower_temporary(struct lower *w, struct ir_expr *value, struct ir_chain *out) {
  if (value->op == IR_CONST) return value;
  const char *name = arena_printf(w->m->arena, "t%u", ++w->temporaries);
  const struct ir_local *l =
      ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, value->type, value->span);
  lower_assign(w, ir_local_ref(w->m, l, value->span), value, out, value->span);
  return ir_local_ref(w->m, l, value->span);
}
