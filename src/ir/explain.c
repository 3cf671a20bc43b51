// SPDX-License-Identifier: Apache-2.0
// Why a Boolean is false (or true) in a state: the failing conjunct, the quantifier values that
// lead to it, and the values of the leaves it reads.
#include "ir/eval.h"

#include "ir/eval_private.h"

#include <inttypes.h>

enum { VALUES_SHOWN_MAX = 24 };

struct explain {
  struct ir_eval *e;
  struct text *out;
  struct text bindings; // "i = Node_1, j = Node_2"
  VEC(uint64_t) shown;  // leaves already listed
  VEC(const struct ir_local *) unbound;
  struct text values;
};

static void explain(struct explain *x, const struct ir_expr *e, bool value);

static bool uses_unbound(const struct explain *x, const struct ir_expr *e) {
  if (e->op == IR_LOCAL)
    for (size_t i = 0; i < x->unbound.count; i++)
      if (x->unbound.data[i] == e->local) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (uses_unbound(x, e->args[i])) return true;
  return false;
}

static void list_leaf(struct explain *x, const struct ir_expr *e) {
  if (uses_unbound(x, e) || x->shown.count >= VALUES_SHOWN_MAX) return;
  struct place p = ir_eval_place(x->e, e);
  if (p.local) return;
  for (size_t i = 0; i < x->shown.count; i++)
    if (x->shown.data[i] == p.at) return;
  VEC_PUSH(&x->shown, p.at);
  if (x->values.count) text_add(&x->values, ", ");
  ir_leaf_name(&x->values, x->e->m, p.at);
  text_add(&x->values, " = ");
  ir_type_print_value(&x->values, e->type, ir_leaf_get(&x->e->leaf[p.at], x->e->state));
}

// Lists the leaves an expression reads, as far as they are known.
static void list_values(struct explain *x, const struct ir_expr *e) {
  bool quantifier = e->op == IR_FORALL || e->op == IR_EXISTS || e->op == IR_COUNT;
  if (quantifier) VEC_PUSH(&x->unbound, e->local);
  bool path = e->op == IR_VAR || e->op == IR_INDEX || e->op == IR_FIELD;
  if (path && ir_expr_lvalue(e) && ir_type_scalar(e->type)) list_leaf(x, e);
  for (uint32_t i = 0; i < e->arg_count; i++) list_values(x, e->args[i]);
  if (quantifier) x->unbound.count--;
}

static void atom(struct explain *x, const struct ir_expr *e, bool value) {
  if (x->bindings.count) text_printf(x->out, "for %s:\n", text_str(&x->bindings));
  text_printf(x->out, "this is %s: ", value ? "true" : "false");
  ir_print_expr(x->out, e);
  text_char(x->out, '\n');
  list_values(x, e);
  if (x->values.count) text_printf(x->out, "where %s\n", text_str(&x->values));
}

// Binds the quantifier's variable to the first value for which the body is `value`.
static bool witness(struct explain *x, const struct ir_expr *e, bool value) {
  struct iteration it;
  ir_eval_domain(x->e, e->domain, e->site, &it);
  int64_t v;
  while (ir_eval_domain_next(&it, &v)) {
    x->e->cells[x->e->base + e->local->cell] = v;
    if ((ir_eval_scalar(x->e, e->args[0]) != 0) != value) continue;
    if (x->bindings.count) text_add(&x->bindings, ", ");
    text_printf(&x->bindings, "%s = ", e->local->name);
    ir_type_print_value(&x->bindings, e->local->type, v);
    return true;
  }
  return false;
}

static bool is(struct explain *x, const struct ir_expr *e, bool value) {
  return (ir_eval_scalar(x->e, e) != 0) == value;
}

static void explain_implies(struct explain *x, const struct ir_expr *e, bool value) {
  if (value && is(x, e->args[0], false)) return explain(x, e->args[0], false);
  if (!value) {
    list_values(x, e->args[0]); // the premise holds: its values belong to the reason
  }
  explain(x, e->args[1], value);
}

// e is `value` in the state; says why.
static void explain(struct explain *x, const struct ir_expr *e, bool value) {
  switch (e->op) {
  case IR_NOT: return explain(x, e->args[0], !value);
  case IR_AND:
    if (!value) return explain(x, e->args[is(x, e->args[0], false) ? 0 : 1], false);
    break;
  case IR_OR:
    if (value) return explain(x, e->args[is(x, e->args[0], true) ? 0 : 1], true);
    break;
  case IR_IMPLIES: return explain_implies(x, e, value);
  case IR_ITE: return explain(x, e->args[is(x, e->args[0], true) ? 1 : 2], value);
  case IR_FORALL:
    if (!value && witness(x, e, false)) return explain(x, e->args[0], false);
    break;
  case IR_EXISTS:
    if (value && witness(x, e, true)) return explain(x, e->args[0], true);
    break;
  default: break;
  }
  atom(x, e, value);
}

void ir_explain(struct text *out, struct ir_eval *e, const struct ir_frame *f,
                const struct ir_expr *expr, const uint64_t *state) {
  struct explain x = {.e = e, .out = out};
  ir_eval_begin(e, f, state);
  if (setjmp(e->boundary) == 0) {
    bool value = ir_eval_scalar(e, expr) != 0;
    explain(&x, expr, value);
  } else { // evaluating it is itself at fault: say that much
    ir_site_print(out, e->m, e->site);
    text_char(out, '\n');
  }
  text_clear(&x.bindings);
  text_clear(&x.values);
  VEC_CLEAR(&x.shown);
  VEC_CLEAR(&x.unbound);
}
