// SPDX-License-Identifier: Apache-2.0
// Checks expressions and statements: shapes, types, sites, and that locals are used where they are
// bound. A broken node is reported, and what hangs below it is still looked at where that is safe.
#include "ir/check.h"

#include "ir/typing.h"

static const struct {
  const char *name;
  uint32_t args;
} ops[IR_OP_COUNT] = {
    [IR_CONST] = {"constant", 0},
    [IR_VAR] = {"variable", 0},
    [IR_LOCAL] = {"local", 0},
    [IR_INDEX] = {"index", 2},
    [IR_FIELD] = {"field", 1},
    [IR_NOT] = {"!", 1},
    [IR_NEG] = {"unary -", 1},
    [IR_BITNOT] = {"~", 1},
    [IR_AND] = {"&", 2},
    [IR_OR] = {"|", 2},
    [IR_IMPLIES] = {"->", 2},
    [IR_EQ] = {"=", 2},
    [IR_NE] = {"!=", 2},
    [IR_LT] = {"<", 2},
    [IR_LE] = {"<=", 2},
    [IR_GT] = {">", 2},
    [IR_GE] = {">=", 2},
    [IR_ADD] = {"+", 2},
    [IR_SUB] = {"-", 2},
    [IR_MUL] = {"*", 2},
    [IR_DIV] = {"/", 2},
    [IR_MOD] = {"%", 2},
    [IR_BITAND] = {"band", 2},
    [IR_BITOR] = {"bor", 2},
    [IR_BITXOR] = {"bxor", 2},
    [IR_SHL] = {"<<", 2},
    [IR_SHR] = {">>", 2},
    [IR_ITE] = {"if-then-else", 3},
    [IR_CAST] = {"cast", 1},
    [IR_CALL] = {"call", 0},
    [IR_ISUNDEF] = {"isundefined", 1},
    [IR_ISMEMBER] = {"ismember", 1},
    [IR_FORALL] = {"forall", 1},
    [IR_EXISTS] = {"exists", 1},
    [IR_COUNT] = {"count", 1},
};

// --- expressions ---

// Are the operands there, each with a value?
static bool operands_ok(struct ir_checker *c, const struct ir_expr *e) {
  if (e->op != IR_CALL && e->arg_count != ops[e->op].args) {
    ir_checker_complain(c, "%s has %u operands", ops[e->op].name, e->arg_count);
    return false;
  }
  for (uint32_t i = 0; i < e->arg_count; i++) {
    if (e->args[i] && e->args[i]->type) continue;
    ir_checker_complain(c, "an operand of %s has no value", ops[e->op].name);
    return false;
  }
  return true;
}

static void check_result(struct ir_checker *c, const struct ir_expr *e,
                         const struct ir_type *expected) {
  if (!ir_type_same(e->type, expected))
    ir_checker_complain(c, "the result of %s has the wrong type", ops[e->op].name);
}

static void check_const(struct ir_checker *c, const struct ir_expr *e) {
  if (!ir_type_scalar(e->type))
    ir_checker_complain(c, "a constant must be scalar");
  else if (!ir_type_has(e->type, e->value))
    ir_checker_complain(c, "the constant %lld is not in its type", (long long)e->value);
}

static void check_var(struct ir_checker *c, const struct ir_expr *e) {
  const struct ir_model *m = c->model;
  if (!e->var || e->var->id >= m->vars.count || m->vars.data[e->var->id] != e->var)
    return ir_checker_complain(c, "a variable is not one of the model's");
  check_result(c, e, e->var->type);
  if (ir_type_scalar(e->type)) ir_checker_site(c, e->site, IR_FAULT_UNDEFINED, "a variable");
}

static bool own_local(const struct ir_checker *c, const struct ir_local *l) {
  return l && c->frame && l->id < c->frame->count && c->frame->locals[l->id] == l;
}

static void check_local(struct ir_checker *c, const struct ir_expr *e) {
  if (!own_local(c, e->local)) return ir_checker_complain(c, "a local is not one of this frame's");
  check_result(c, e, e->local->type);
  if (e->local->kind == IR_LOCAL_BOUND && !c->bound[e->local->id])
    ir_checker_complain(c, "\"%s\" is used outside what binds it", e->local->name);
  bool fails = e->local->kind == IR_LOCAL_PLAIN || e->local->kind == IR_LOCAL_REF ||
               (e->local->kind == IR_LOCAL_VALUE && e->local->may_undef);
  if (fails && ir_type_scalar(e->type)) ir_checker_site(c, e->site, IR_FAULT_UNDEFINED, "a local");
}

static void check_index(struct ir_checker *c, const struct ir_expr *e) {
  const struct ir_type *base = e->args[0]->type;
  if (base->kind != IR_TYPE_ARRAY)
    return ir_checker_complain(c, "something that is no array is indexed");
  if (!ir_type_scalar(e->args[1]->type)) ir_checker_complain(c, "an index must be scalar");
  check_result(c, e, base->elem);
  ir_checker_site(c, e->site, IR_FAULT_INDEX, "an index");
  if (ir_type_scalar(e->type)) ir_checker_site(c, e->site + 1, IR_FAULT_UNDEFINED, "an element");
}

static void check_field(struct ir_checker *c, const struct ir_expr *e) {
  const struct ir_type *base = e->args[0]->type;
  if (base->kind != IR_TYPE_RECORD || e->field >= base->field_count)
    return ir_checker_complain(c, "a field is not one of its record's");
  check_result(c, e, base->fields[e->field].type);
  if (ir_type_scalar(e->type)) ir_checker_site(c, e->site, IR_FAULT_UNDEFINED, "a field");
}

// Arithmetic happens in a machine integer that the operands share, or in the model's integers.
static void check_arithmetic(struct ir_checker *c, const struct ir_expr *e) {
  if (e->type->kind != IR_TYPE_INT)
    return ir_checker_complain(c, "the result of %s is no machine integer", ops[e->op].name);
  bool shift = e->op == IR_SHL || e->op == IR_SHR;
  for (uint32_t i = 0; i < e->arg_count && e->type != c->model->int_type; i++)
    if (!(shift && i == 1)) check_result(c, e, e->args[i]->type);
  bool overflows = (e->op == IR_NEG || (e->op >= IR_ADD && e->op <= IR_MUL)) && e->type->traps;
  if (overflows) ir_checker_site(c, e->site, IR_FAULT_OVERFLOW, ops[e->op].name);
  if (e->op != IR_DIV && e->op != IR_MOD) return;
  ir_checker_site(c, e->site, IR_FAULT_DIVISION, ops[e->op].name);
  ir_checker_site(c, e->site + 1, IR_FAULT_OVERFLOW, ops[e->op].name);
}

static void check_operator(struct ir_checker *c, const struct ir_expr *e) {
  bool unary = e->arg_count == 1;
  const char *problem = unary ? ir_typing_unary(e->op, e->args[0]->type)
                              : ir_typing_binary(e->op, e->args[0]->type, e->args[1]->type);
  ir_checker_problem(c, ops[e->op].name, problem);
  if (problem) return;
  if (e->op == IR_NOT || (e->op >= IR_AND && e->op <= IR_GE))
    check_result(c, e, c->model->bool_type);
  else
    check_arithmetic(c, e);
}

static void check_ite(struct ir_checker *c, const struct ir_expr *e) {
  ir_checker_problem(c, "if-then-else", ir_typing_condition(e->args[0]->type));
  for (int i = 1; i <= 2; i++)
    ir_checker_problem(c, "if-then-else", ir_typing_value(e->type, e->args[i]->type));
}

static void check_cast(struct ir_checker *c, const struct ir_expr *e) {
  if (e->type->kind != IR_TYPE_INT || !ir_type_scalar(e->args[0]->type))
    return ir_checker_complain(c, "a cast brings a scalar to a machine integer");
  if (e->type->traps) ir_checker_site(c, e->site, IR_FAULT_OVERFLOW, "cast");
}

static void check_call(struct ir_checker *c, const struct ir_expr *e) {
  const struct ir_model *m = c->model;
  const struct ir_function *f = e->func;
  if (!f || f->id >= m->functions.count || m->functions.data[f->id] != f)
    return ir_checker_complain(c, "a called function is not one of the model's");
  if (e->arg_count != f->param_count || f->param_count > f->frame.count)
    return ir_checker_complain(c, "\"%s\" has %u parameters, and %u are given", f->name,
                               f->param_count, e->arg_count);
  for (uint32_t i = 0; i < e->arg_count; i++)
    ir_checker_problem(c, f->name, ir_typing_argument(f->frame.locals[i], e->args[i]));
  if (e->type != f->result && !(e->type && f->result && ir_type_same(e->type, f->result)))
    ir_checker_complain(c, "a call of \"%s\" has the wrong type", f->name);
  ir_checker_site(c, e->site, IR_FAULT_STACK, "a call");
  ir_checker_site(c, e->site + 1, IR_FAULT_RANGE, "an argument");
}

// The bound local and the domain of a quantifier or loop; false when the body cannot be looked at.
static bool check_binder(struct ir_checker *c, const struct ir_local *l, const struct ir_domain *d,
                         uint32_t site) {
  if (!own_local(c, l) || !d) {
    ir_checker_complain(c, "a binder has no local of this frame, or no domain");
    return false;
  }
  if (l->kind != IR_LOCAL_BOUND) ir_checker_complain(c, "\"%s\" cannot be bound", l->name);
  if (c->bound[l->id]) ir_checker_complain(c, "\"%s\" is bound inside itself", l->name);
  if (!d->type) {
    if (d->lo) ir_checker_expr(c, d->lo);
    if (d->hi) ir_checker_expr(c, d->hi);
    if (d->step) ir_checker_expr(c, d->step);
    ir_checker_site(c, site, IR_FAULT_LOOP, "a range");
  }
  ir_checker_problem(c, l->name, ir_typing_domain(l->type, d, false));
  return !c->bound[l->id];
}

static void check_quantifier(struct ir_checker *c, const struct ir_expr *e) {
  check_result(c, e, e->op == IR_COUNT ? c->model->int_type : c->model->bool_type);
  if (!check_binder(c, e->local, e->domain, e->site)) return;
  c->bound[e->local->id] = true;
  ir_checker_condition(c, e->args[0], "a quantifier");
  c->bound[e->local->id] = false;
}

static void check_isundef(struct ir_checker *c, const struct ir_expr *e) {
  if (!ir_expr_lvalue(e->args[0]) || !ir_type_scalar(e->args[0]->type))
    ir_checker_complain(c, "isundefined is asked of something that is no scalar lvalue");
  check_result(c, e, c->model->bool_type);
}

static void check_ismember(struct ir_checker *c, const struct ir_expr *e) {
  if (!ir_checker_type(c, e->test, "ismember")) return;
  if (!ir_type_scalar(e->test) || !ir_type_scalar(e->args[0]->type))
    ir_checker_complain(c, "ismember is about scalars");
  check_result(c, e, c->model->bool_type);
}

static void check_node(struct ir_checker *c, const struct ir_expr *e) {
  switch (e->op) {
  case IR_CONST: return check_const(c, e);
  case IR_VAR: return check_var(c, e);
  case IR_LOCAL: return check_local(c, e);
  case IR_INDEX: return check_index(c, e);
  case IR_FIELD: return check_field(c, e);
  case IR_ITE: return check_ite(c, e);
  case IR_CAST: return check_cast(c, e);
  case IR_CALL: return check_call(c, e);
  case IR_ISUNDEF: return check_isundef(c, e);
  case IR_ISMEMBER: return check_ismember(c, e);
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return check_quantifier(c, e);
  default: return check_operator(c, e);
  }
}

void ir_checker_expr(struct ir_checker *c, const struct ir_expr *e) {
  if ((unsigned)e->op >= IR_OP_COUNT)
    return ir_checker_complain(c, "an expression has the unknown operator %d", (int)e->op);
  bool procedure = e->op == IR_CALL && !e->type;
  if (!operands_ok(c, e) || (!procedure && !ir_checker_type(c, e->type, ops[e->op].name))) return;
  bool binds = e->op == IR_FORALL || e->op == IR_EXISTS || e->op == IR_COUNT;
  for (uint32_t i = 0; i < e->arg_count && !binds; i++) ir_checker_expr(c, e->args[i]);
  check_node(c, e);
}

void ir_checker_condition(struct ir_checker *c, const struct ir_expr *e, const char *what) {
  if (!e) return ir_checker_complain(c, "%s has no condition", what);
  ir_checker_expr(c, e);
  if (!e->type)
    ir_checker_complain(c, "%s has a condition without a value", what);
  else
    ir_checker_problem(c, what, ir_typing_condition(e->type));
}

// --- statements ---

static bool check_value(struct ir_checker *c, const struct ir_expr *e, const char *what) {
  if (e) ir_checker_expr(c, e);
  if (e && e->type) return true;
  ir_checker_complain(c, "%s has no value", what);
  return false;
}

static bool check_target(struct ir_checker *c, const struct ir_stmt *s) {
  if (!check_value(c, s->lhs, "the target of a statement")) return false;
  ir_checker_problem(c, "the target of a statement", ir_typing_target(s->lhs));
  return true;
}

static void check_assign(struct ir_checker *c, const struct ir_stmt *s) {
  if (!check_target(c, s) || !check_value(c, s->expr, "an assignment")) return;
  ir_checker_problem(c, "an assignment", ir_typing_value(s->lhs->type, s->expr->type));
  if (ir_type_scalar(s->lhs->type) != (s->kind == IR_ASSIGN))
    ir_checker_complain(c, "scalars are assigned, arrays and records are copied");
  if (s->kind == IR_ASSIGN) ir_checker_site(c, s->site, IR_FAULT_RANGE, "an assignment");
}

static void check_switch(struct ir_checker *c, const struct ir_stmt *s) {
  if (check_value(c, s->expr, "a switch") && !ir_type_scalar(s->expr->type))
    ir_checker_complain(c, "only a scalar can be switched on");
  for (const struct ir_case *k = s->cases; k; k = k->next) {
    for (uint32_t i = 0; i < k->value_count; i++)
      if (check_value(c, k->values[i], "a case") && !ir_type_scalar(k->values[i]->type))
        ir_checker_complain(c, "a case must be scalar");
    ir_checker_stmts(c, k->body);
  }
}

static void check_for(struct ir_checker *c, const struct ir_stmt *s) {
  if (!check_binder(c, s->local, s->domain, s->site)) return;
  c->bound[s->local->id] = true;
  ir_checker_stmts(c, s->body);
  c->bound[s->local->id] = false;
}

static void check_return(struct ir_checker *c, const struct ir_stmt *s) {
  const struct ir_type *result = c->function ? c->function->result : NULL;
  if (!s->expr) {
    if (result) ir_checker_complain(c, "a return lacks its value");
    return;
  }
  if (!check_value(c, s->expr, "a return")) return;
  if (!result) return ir_checker_complain(c, "a return has a value that nobody takes");
  ir_checker_problem(c, "a return", ir_typing_value(result, s->expr->type));
}

static void check_assert(struct ir_checker *c, const struct ir_stmt *s) {
  ir_checker_condition(c, s->expr, "an assertion");
  if (s->site == 0 || s->site >= c->model->sites.count)
    ir_checker_complain(c, "an assertion has no site");
}

static void check_cover(struct ir_checker *c, const struct ir_stmt *s) {
  const struct ir_model *m = c->model;
  ir_checker_condition(c, s->expr, "a cover statement");
  if (s->cover >= m->properties.count || m->properties.data[s->cover]->kind != IR_PROP_COVER)
    ir_checker_complain(c, "a cover statement names no cover property");
}

static void check_print(struct ir_checker *c, const struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++)
    if (!s->parts[i].literal) check_value(c, s->parts[i].expr, "a print statement");
}

static void check_call_stmt(struct ir_checker *c, const struct ir_stmt *s) {
  if (!s->expr || s->expr->op != IR_CALL)
    return ir_checker_complain(c, "a call statement does not call");
  ir_checker_expr(c, s->expr);
}

// Its cells are passed as they lie on the stack of locals.
static void check_foreign(struct ir_checker *c, const struct ir_stmt *s) {
  if (!check_target(c, s)) return;
  const struct ir_type *t = s->lhs->type;
  bool cells = s->lhs->op == IR_LOCAL && s->lhs->local->kind == IR_LOCAL_PLAIN &&
               t->kind == IR_TYPE_ARRAY && t->elem->kind == IR_TYPE_INT && t->elem->bits == 64;
  if (!cells) ir_checker_complain(c, "C code works on something else than a local array of cells");
  if (!c->model->foreign || s->foreign >= c->model->foreign->count)
    ir_checker_complain(c, "there is no C code with the number %u", s->foreign);
}

static void check_stmt(struct ir_checker *c, const struct ir_stmt *s) {
  switch (s->kind) {
  case IR_ASSIGN:
  case IR_COPY: return check_assign(c, s);
  case IR_UNDEFINE:
  case IR_CLEAR: check_target(c, s); return;
  case IR_SORT:
    if (check_target(c, s) && s->lhs->type->kind != IR_TYPE_ARRAY)
      ir_checker_complain(c, "only an array can be sorted");
    return;
  case IR_IF:
    ir_checker_condition(c, s->expr, "an if");
    ir_checker_stmts(c, s->body);
    ir_checker_stmts(c, s->other);
    return;
  case IR_SWITCH: return check_switch(c, s);
  case IR_FOR: return check_for(c, s);
  case IR_WHILE:
    ir_checker_condition(c, s->expr, "a while");
    ir_checker_site(c, s->site, IR_FAULT_LOOP, "a while");
    ir_checker_stmts(c, s->body);
    return;
  case IR_CALL_STMT: return check_call_stmt(c, s);
  case IR_RETURN: return check_return(c, s);
  case IR_ASSERT: return check_assert(c, s);
  case IR_ASSUME: return ir_checker_condition(c, s->expr, "an assumption");
  case IR_COVER: return check_cover(c, s);
  case IR_PRINT: return check_print(c, s);
  case IR_FOREIGN: return check_foreign(c, s);
  }
  ir_checker_complain(c, "a statement has the unknown kind %d", (int)s->kind);
}

void ir_checker_stmts(struct ir_checker *c, const struct ir_stmt *s) {
  for (; s; s = s->next) check_stmt(c, s);
}
