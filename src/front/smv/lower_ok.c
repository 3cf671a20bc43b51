// SPDX-License-Identifier: Apache-2.0
// Whether evaluating an expression goes well, as a condition: of what is computed before it is
// needed, and can fail, the failure counts only where the value is asked for.
#include "front/smv/lower.h"

// Both, where NULL is true.
static struct ir_expr *both(struct smv_lower *w, struct ir_expr *a, struct ir_expr *b,
                            struct span span) {
  return a && b ? ir_binary(w->m, IR_AND, a, b, span) : a ? a : b;
}

static struct ir_expr *or_true(struct smv_lower *w, struct ir_expr *x, struct span span) {
  return x ? x : ir_bool(w->m, true, span);
}

static struct ir_expr *within(struct smv_lower *w, const struct smv_expr *e, enum smv_time t,
                              int64_t lo, int64_t hi) {
  struct ir_expr *above =
      ir_binary(w->m, IR_LE, ir_int(w->m, lo, e->span), smv_value(w, e, t), e->span);
  struct ir_expr *below =
      ir_binary(w->m, IR_LE, smv_value(w, e, t), ir_int(w->m, hi, e->span), e->span);
  return ir_binary(w->m, IR_AND, above, below, e->span);
}

// The right operand counts where the left one does not decide.
static struct ir_expr *connective(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct ir_expr *a = smv_ok(w, e->args[0], t), *b = smv_ok(w, e->args[1], t);
  if (!b) return a;
  enum ir_op op = e->op == SMV_OR ? IR_OR : IR_IMPLIES;
  return both(w, a, ir_binary(w->m, op, smv_truth(w, e->args[0], t), b, e->span), e->span);
}

static struct ir_expr *conditional(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct ir_expr *a = or_true(w, smv_ok(w, e->args[1], t), e->span);
  struct ir_expr *b = or_true(w, smv_ok(w, e->args[2], t), e->span);
  struct ir_expr *x = ir_ite(w->m, smv_truth(w, e->args[0], t), a, b, w->m->bool_type, e->span);
  return both(w, smv_ok(w, e->args[0], t), x, e->span);
}

static struct ir_expr *of_case(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  uint32_t i = e->arg_count;
  bool last = smv_is_true(w, e->args[i - 2]);
  struct ir_expr *x =
      last ? or_true(w, smv_ok(w, e->args[i - 1], t), e->span) : ir_bool(w->m, false, e->span);
  if (last) i -= 2;
  for (; i > 0; i -= 2) {
    struct ir_expr *value = or_true(w, smv_ok(w, e->args[i - 1], t), e->span);
    x = ir_ite(w->m, smv_truth(w, e->args[i - 2], t), value, x, w->m->bool_type, e->span);
    x = both(w, smv_ok(w, e->args[i - 2], t), x, e->span);
  }
  return x;
}

struct elements {
  struct smv_lower *w;
  enum smv_time time;
  struct ir_expr *all;
};

static void look_at_element(void *context, const struct smv_symbol *s) {
  struct elements *x = context;
  if (s->kind == SMV_DEFINE) x->all = both(x->w, x->all, smv_ok(x->w, s->expr, x->time), s->span);
}

// All elements that are definitions go well, and the indices lie inside.
static struct ir_expr *of_element(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct elements x = {w, t, NULL};
  smv_each_element(e, look_at_element, &x);
  for (; e->op == SMV_INDEX; e = e->args[0]) {
    int64_t lo, hi;
    smv_index_bounds(e, &lo, &hi);
    x.all = both(w, smv_ok(w, e->args[1], t),
                 both(w, within(w, e->args[1], t, lo, hi), x.all, e->span), e->span);
  }
  return x.all;
}

static struct ir_expr *of_operands(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct ir_expr *all = NULL;
  int64_t n;
  for (uint32_t i = 0; i < e->arg_count; i++) all = both(w, all, smv_ok(w, e->args[i], t), e->span);
  if ((e->op == SMV_DIV || e->op == SMV_MOD) && !(smv_constant(w, e->args[1], &n) && n != 0))
    all =
        both(w, all,
             ir_binary(w->m, IR_NE, smv_value(w, e->args[1], t), ir_int(w->m, 0, e->span), e->span),
             e->span);
  if ((e->op == SMV_SHL || e->op == SMV_SHR) && !smv_constant(w, e->args[1], &n))
    all = both(w, all, within(w, e->args[1], t, 0, smv_kind(w, e).bits), e->span);
  return all;
}

struct ir_expr *smv_ok_inside(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  assert(w->quiet);
  switch (e->op) {
  case SMV_SYMBOL: return e->symbol->kind == SMV_DEFINE ? smv_ok(w, e->symbol->expr, t) : NULL;
  case SMV_NEXT: return smv_ok(w, e->args[0], TIME_NEXT);
  case SMV_AND:
  case SMV_OR:
  case SMV_IMPLIES:
    return smv_kind(w, e).name == KIND_BOOL ? connective(w, e, t) : of_operands(w, e, t);
  case SMV_ITE: return conditional(w, e, t);
  case SMV_CASE: return of_case(w, e, t);
  case SMV_INDEX: return of_element(w, e, t);
  default: return of_operands(w, e, t);
  }
}
