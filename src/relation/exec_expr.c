// SPDX-License-Identifier: Apache-2.0
// Symbolic execution of expressions, in the order of the interpreter (ir/eval.c): what it would not
// have evaluated is evaluated under the condition that it would have, and so are its faults.
#include "relation/exec.h"

enum { DEPTH_MAX = 200 }; // of calls; deeper ones are those of recursions that do not end

// --- reading ---

static const struct term *read_place(struct exec *e, const struct ir_expr *x) {
  struct place p = exec_place(e, x);
  struct pair v = exec_load(e, &p, 0);
  if (ir_type_can_undef(x->type))
    exec_fault(e, term_not(e->terms, v.defined), x->site + (x->op == IR_INDEX));
  return v.value;
}

static const struct term *same_places(struct exec *e, const struct ir_expr *x) {
  struct place a = exec_place(e, x->args[0]), b = exec_place(e, x->args[1]);
  const struct term *r = e->yes;
  for (uint64_t i = 0; i < x->args[0]->type->leaves; i++)
    r = term_and(e->terms, r, exec_same(e, exec_load(e, &a, i), exec_load(e, &b, i)));
  return x->op == IR_EQ ? r : term_not(e->terms, r);
}

// --- logic ---

const struct term *exec_condition(struct exec *e, const struct ir_expr *x) {
  const struct term *v = exec_value(e, x);
  if (v->is_bool) return v;
  return term_not(e->terms, term_binary(e->terms, TERM_EQ, v, e->no));
}

// The value of x as it counts where `when` holds, and its faults there.
static const struct term *condition_where(struct exec *e, const struct term *when,
                                          const struct ir_expr *x) {
  if (term_is(when, 1)) return exec_condition(e, x);
  struct branch b;
  exec_open(e, &b, when);
  const struct term *v = exec_condition(e, x);
  exec_turn(e, &b);
  exec_close(e, &b);
  return v;
}

static const struct term *connective(struct exec *e, const struct ir_expr *x) {
  const struct term *a = exec_condition(e, x->args[0]);
  if (x->op == IR_IMPLIES) a = term_not(e->terms, a);
  if (term_is(a, x->op != IR_AND)) return a;
  const struct term *when = x->op == IR_AND ? a : term_not(e->terms, a);
  const struct term *b = condition_where(e, when, x->args[1]);
  return x->op == IR_AND ? term_and(e->terms, a, b) : term_or(e->terms, a, b);
}

static const struct term *either(struct exec *e, const struct ir_expr *x) {
  const struct term *c = exec_condition(e, x->args[0]);
  int decided = exec_decided(e, c);
  if (decided >= 0) return exec_value(e, x->args[decided ? 1 : 2]);
  struct branch b;
  exec_open(e, &b, c);
  const struct term *p = exec_value(e, x->args[1]);
  bool dead_p = exec_dead(e);
  exec_turn(e, &b);
  const struct term *q = exec_value(e, x->args[2]);
  bool dead_q = exec_dead(e);
  exec_close(e, &b);
  return dead_p ? q : dead_q ? p : term_ite(e->terms, c, p, q);
}

// One more turn of a quantifier: what it comes to.
static const struct term *quantifier_turn(struct exec *e, const struct ir_expr *x, struct turn turn,
                                          const struct term *so_far) {
  struct terms *t = e->terms;
  const struct term *when = turn.when;
  if (x->op == IR_FORALL) when = term_and(t, so_far, when);
  if (x->op == IR_EXISTS) when = term_and(t, term_not(t, so_far), when);
  if (term_is(when, 0)) return so_far;
  exec_bind(e, x->local, turn.value);
  const struct term *holds = condition_where(e, when, x->args[0]);
  if (x->op == IR_FORALL) return term_and(t, so_far, term_or(t, term_not(t, turn.when), holds));
  holds = term_and(t, turn.when, holds);
  if (x->op == IR_EXISTS) return term_or(t, so_far, holds);
  return term_binary(t, TERM_ADD, so_far, holds);
}

static const struct term *quantifier(struct exec *e, const struct ir_expr *x) {
  struct turns turns;
  exec_domain(e, x->domain, x->site, &turns);
  size_t top = e->top;
  const struct term *r = x->op == IR_FORALL ? e->yes : e->no;
  for (size_t i = 0; i < turns.count && !exec_dead(e); i++) {
    r = quantifier_turn(e, x, turns.data[i], r);
    e->top = top;
  }
  return r;
}

// --- calls ---

static void pass_scalar(struct exec *e, size_t at, const struct ir_local *l,
                        const struct ir_expr *arg, uint32_t site) {
  struct pair v = {.defined = e->yes};
  if (l->may_undef && ir_expr_lvalue(arg)) {
    struct place p = exec_place(e, arg);
    v = exec_load(e, &p, 0);
  } else {
    v.value = exec_value(e, arg);
  }
  const struct term *bad = term_not(e->terms, exec_has(e, l->type, v.value));
  if (l->may_undef && ir_type_can_undef(l->type)) // this number of 64 bits is taken for undefined
    v.defined = term_and(e->terms, v.defined,
                         term_not(e->terms, term_binary(e->terms, TERM_EQ, v.value,
                                                        term_const(e->terms, IR_UNDEF))));
  exec_fault(e, term_and(e->terms, v.defined, bad), site);
  exec_fresh(e, at, v);
}

static void pass_argument(struct exec *e, size_t base, const struct ir_local *l,
                          const struct ir_expr *arg, uint32_t site) {
  size_t at = base + l->cell;
  if (l->kind == IR_LOCAL_REF) {
    struct place *p = ARENA_NEW(e->scratch, struct place);
    *p = exec_place(e, arg);
    exec_fresh(e, at, (struct pair){e->no, e->yes});
    e->cells[at].ref = p;
  } else if (ir_type_scalar(l->type)) {
    pass_scalar(e, at, l, arg, site);
  } else {
    struct place p = exec_place(e, arg);
    for (uint64_t i = 0; i < l->type->leaves; i++) exec_fresh(e, at + i, exec_load(e, &p, i));
  }
}

// Runs the body in its frame, from caller to caller.
static void run_function(struct exec *e, const struct ir_function *f, size_t base, size_t result) {
  size_t caller = e->frame, outer_result = e->result;
  const struct term *running = e->running;
  e->frame = base;
  e->result = result;
  e->running = e->yes;
  e->depth++;
  e->local_epoch++;
  exec_body(e, f->body);
  if (f->result) exec_fault(e, e->running, f->site);
  e->local_epoch++;
  e->depth--;
  e->running = running;
  e->result = outer_result;
  e->frame = caller;
}

size_t exec_call(struct exec *e, const struct ir_expr *x) {
  const struct ir_function *f = x->func;
  if (e->depth >= DEPTH_MAX)
    exec_refuse(e, "calls of \"%s\" are nested more than %d deep", f->name, DEPTH_MAX);
  size_t result = exec_push(e, f->result ? f->result->leaves : 0);
  if (f->result) exec_undefine(e, result, f->result);
  size_t top = e->top, base = exec_push(e, f->frame.cells);
  for (uint32_t i = 0; i < f->param_count; i++)
    pass_argument(e, base, f->frame.locals[i], x->args[i], x->site + 1);
  exec_init_frame(e, base, &f->frame);
  if (!exec_dead(e)) run_function(e, f, base, result);
  e->top = top;
  return result;
}

static const struct term *call_value(struct exec *e, const struct ir_expr *x) {
  size_t top = e->top, result = exec_call(e, x);
  const struct term *v = x->func->result ? e->cells[result].now.value : e->no;
  e->top = top;
  return v;
}

// --- all of them ---

static const struct term *is_undefined(struct exec *e, const struct ir_expr *x) {
  struct place p = exec_place(e, x->args[0]);
  struct pair v = exec_load(e, &p, 0);
  return ir_type_can_undef(x->args[0]->type) ? term_not(e->terms, v.defined) : e->no;
}

static const struct term *binary(struct exec *e, const struct ir_expr *x) {
  if ((x->op == IR_EQ || x->op == IR_NE) && !ir_type_scalar(x->args[0]->type))
    return same_places(e, x);
  const struct term *a = exec_value(e, x->args[0]), *b = exec_value(e, x->args[1]);
  return exec_arithmetic(e, x, a, b);
}

static const struct term *compute(struct exec *e, const struct ir_expr *x) {
  exec_work(e, 1);
  switch (x->op) {
  case IR_CONST: return term_const(e->terms, x->value);
  case IR_VAR:
  case IR_LOCAL:
  case IR_INDEX:
  case IR_FIELD: return read_place(e, x);
  case IR_NOT: return term_not(e->terms, exec_condition(e, x->args[0]));
  case IR_NEG:
  case IR_BITNOT:
  case IR_CAST: return exec_unary(e, x, exec_value(e, x->args[0]));
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES: return connective(e, x);
  case IR_ITE: return either(e, x);
  case IR_CALL: return call_value(e, x);
  case IR_ISUNDEF: return is_undefined(e, x);
  case IR_ISMEMBER: return exec_has(e, x->test, exec_value(e, x->args[0]));
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return quantifier(e, x);
  default: return binary(e, x);
  }
}

// Evaluated as if nothing had been before, so that it can be used wherever it is met again.
static void compute_known(struct exec *e, const struct ir_expr *x) {
  const struct term *base = e->base, *above = e->above, *alive = e->alive;
  size_t first = e->first_error;
  e->base = e->above = e->alive = e->yes;
  e->first_error = e->errors.count;
  exec_known_store(e, x, compute(e, x));
  e->errors.count = e->first_error;
  e->first_error = first;
  e->base = base;
  e->above = above;
  e->alive = alive;
}

const struct term *exec_value(struct exec *e, const struct ir_expr *x) {
  if (exec_dead(e)) return term_const(e->terms, x->type->lo); // any will do
  if (x->arg_count == 0) return compute(e, x);
  const struct known *k = exec_known(e, x);
  if (!exec_known_keeps(k)) return compute(e, x);
  if (!exec_known_valid(e, k)) {
    compute_known(e, x);
    k = exec_known(e, x);
  }
  const struct term *value = k->value;
  const struct relation_error *errors = k->errors;
  size_t count = k->error_count;
  for (size_t i = 0; i < count; i++) exec_fail(e, errors[i]);
  return value;
}
