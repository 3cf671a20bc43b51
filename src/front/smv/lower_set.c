// SPDX-License-Identifier: Apache-2.0
// Sets never become values: what is asked is whether a value is in them, through the branches and
// definitions that they come by.
#include "front/smv/lower.h"

static bool is_branching(const struct smv_expr *e) { return e->op == SMV_CASE || e->op == SMV_ITE; }

static bool is_listing(const struct smv_expr *e) { return e->op == SMV_SET || e->op == SMV_UNION; }

// --- branches ---

// What holds of a case or ?: whose branches have these conditions (NULL: true), in their order.
static struct ir_expr *choose(struct smv_lower *w, const struct smv_expr *e, enum smv_time t,
                              struct ir_expr *const *of) {
  const struct ir_type *type = w->m->bool_type;
  struct ir_expr *yes = ir_bool(w->m, true, e->span);
  if (e->op == SMV_ITE)
    return ir_ite(w->m, smv_truth(w, e->args[0], t), of[0] ? of[0] : yes, of[1] ? of[1] : yes, type,
                  e->span);
  uint32_t i = e->arg_count / 2;
  bool last = smv_is_true(w, e->args[2 * i - 2]);
  struct ir_expr *x = last ? (of[i - 1] ? of[i - 1] : yes)
                           : smv_fault(w, (struct smv_kind){.name = KIND_BOOL}, IR_FAULT_ERROR,
                                       e->span, "no condition of case holds");
  for (i -= last; i > 0; i--)
    x = ir_ite(w->m, smv_truth(w, e->args[2 * i - 2], t), of[i - 1] ? of[i - 1] : yes, x, type,
               e->args[2 * i - 2]->span);
  return x;
}

static uint32_t branch_count(const struct smv_expr *e) {
  return e->op == SMV_ITE ? 2 : e->arg_count / 2;
}

static const struct smv_expr *branch(const struct smv_expr *e, uint32_t i) {
  return e->args[e->op == SMV_ITE ? i + 1 : 2 * i + 1];
}

// --- values in sets ---

static struct ir_expr *tested_value(struct smv_lower *w, const struct smv_tested *x,
                                    struct smv_kind k, struct span span) {
  if (x->expr) return smv_value_as(w, x->expr, x->time, k);
  struct ir_expr *v = ir_local_ref(w->m, x->local, span);
  bool number = x->kind.name != KIND_BOOL && k.name == KIND_BOOL;
  return number ? ir_binary(w->m, IR_NE, v, ir_int(w->m, 0, span), span) : v;
}

static struct ir_expr *in_range(struct smv_lower *w, const struct smv_tested *x,
                                const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = {.name = KIND_INT};
  struct ir_expr *lo = smv_value_as(w, e->args[0], t, k), *hi = smv_value_as(w, e->args[1], t, k);
  struct ir_expr *a = tested_value(w, x, k, e->span), *b = tested_value(w, x, k, e->span);
  if (x->kind.name == KIND_BOOL && x->local) { // a Boolean among numbers
    struct ir_expr *one = ir_int(w->m, 1, e->span), *zero = ir_int(w->m, 0, e->span);
    a = ir_ite(w->m, a, one, zero, w->m->int_type, e->span);
    b = ir_ite(w->m, b, one, zero, w->m->int_type, e->span);
  }
  return ir_binary(w->m, IR_AND, ir_binary(w->m, IR_LE, lo, a, e->span),
                   ir_binary(w->m, IR_LE, b, hi, e->span), e->span);
}

static struct ir_expr *in_branches(struct smv_lower *w, const struct smv_tested *x,
                                   const struct smv_expr *e, enum smv_time t) {
  uint32_t n = branch_count(e);
  struct ir_expr **of = ARENA_ARRAY(w->arena, struct ir_expr *, n);
  for (uint32_t i = 0; i < n; i++) of[i] = smv_in(w, x, branch(e, i), t);
  return choose(w, e, t, of);
}

struct ir_expr *smv_in(struct smv_lower *w, const struct smv_tested *x, const struct smv_expr *set,
                       enum smv_time t) {
  const struct smv_expr *e = smv_meant(set);
  struct smv_kind k = smv_kind(w, e);
  if (k.set && e->op == SMV_NEXT) return smv_in(w, x, e->args[0], TIME_NEXT);
  if (k.set && e->op == SMV_RANGE) return in_range(w, x, e, t);
  if (k.set && is_branching(e)) return in_branches(w, x, e, t);
  if (k.set) {
    assert(is_listing(e));
    struct ir_expr *any = smv_in(w, x, e->args[0], t);
    for (uint32_t i = 1; i < e->arg_count; i++)
      any = ir_binary(w->m, IR_OR, any, smv_in(w, x, e->args[i], t), e->span);
    return any;
  }
  struct smv_kind joined = smv_kind_join(x->kind, k);
  struct ir_expr *value = smv_value_as(w, e, t, joined);
  return ir_binary(w->m, IR_EQ, tested_value(w, x, joined, e->span), value, e->span);
}

// --- sets in sets ---

static struct ir_expr *range_in(struct smv_lower *w, const struct smv_expr *range,
                                const struct smv_expr *set, enum smv_time t) {
  struct smv_kind k = {.name = KIND_INT};
  struct ir_local *l =
      ir_local_new(w->m, w->scope->frame, IR_LOCAL_BOUND, "i", w->m->int_type, range->span);
  struct ir_domain *d = ir_domain_range(w->m, smv_value_as(w, range->args[0], t, k),
                                        smv_value_as(w, range->args[1], t, k), NULL);
  struct smv_tested each = {.local = l, .kind = k};
  return ir_quant(w->m, IR_FORALL, l, d, smv_in(w, &each, set, t), range->span);
}

// Every value of `part`, at time t, is in the set, which is looked at at its own time.
static struct ir_expr *all_in(struct smv_lower *w, const struct smv_expr *part, enum smv_time t,
                              const struct smv_expr *set, enum smv_time set_time) {
  const struct smv_expr *e = smv_meant(part);
  struct smv_kind k = smv_kind(w, e);
  if (!k.set) {
    struct smv_tested x = {.expr = e, .time = t, .kind = k};
    return smv_in(w, &x, set, set_time);
  }
  if (e->op == SMV_NEXT) return all_in(w, e->args[0], TIME_NEXT, set, set_time);
  if (e->op == SMV_RANGE) return range_in(w, e, set, set_time);
  uint32_t n = is_branching(e) ? branch_count(e) : e->arg_count;
  struct ir_expr **of = ARENA_ARRAY(w->arena, struct ir_expr *, n), *all = NULL;
  for (uint32_t i = 0; i < n; i++) {
    of[i] = all_in(w, is_branching(e) ? branch(e, i) : e->args[i], t, set, set_time);
    all = all ? ir_binary(w->m, IR_AND, all, of[i], e->span) : of[i];
  }
  return is_branching(e) ? choose(w, e, t, of) : all;
}

struct ir_expr *smv_in_expr(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  return all_in(w, e->args[0], t, e->args[1], t);
}

// --- sets in types ---

// Constants and variables that surely have a value of the type.
static bool surely_fits(struct smv_lower *w, const struct smv_expr *e, const struct ir_type *type) {
  int64_t n;
  if (smv_constant(w, e, &n)) return ir_type_has(type, n);
  if (e->op != SMV_SYMBOL)
    return smv_kind(w, e).name == KIND_BOOL && ir_type_has(type, 0) && ir_type_has(type, 1);
  if (e->symbol->kind == SMV_CONSTANT) return ir_type_has(type, w->known->numbers[e->symbol->id]);
  return w->known->types[e->symbol->id] == type;
}

static struct ir_expr *range_fits(struct smv_lower *w, const struct smv_expr *e,
                                  const struct ir_type *type) {
  int64_t lo = 0, hi = 0;
  smv_constant(w, e->args[0], &lo);
  smv_constant(w, e->args[1], &hi);
  bool fits = true;
  for (int64_t i = lo; i <= hi && fits; i++) fits = ir_type_has(type, i);
  return fits ? NULL : ir_bool(w->m, false, e->span);
}

struct ir_expr *smv_set_fits(struct smv_lower *w, const struct smv_expr *set, enum smv_time t,
                             const struct ir_type *type) {
  const struct smv_expr *e = smv_meant(set);
  if (type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT || surely_fits(w, e, type))
    return NULL;
  if (e->op == SMV_NEXT) return smv_set_fits(w, e->args[0], TIME_NEXT, type);
  struct smv_kind k = smv_kind(w, e);
  if (!k.set)
    return ir_ismember(w->m, smv_value_as(w, e, t, (struct smv_kind){.name = KIND_INT}), type,
                       e->span);
  if (e->op == SMV_RANGE) return range_fits(w, e, type);
  uint32_t n = is_branching(e) ? branch_count(e) : e->arg_count;
  struct ir_expr **of = ARENA_ARRAY(w->arena, struct ir_expr *, n), *all = NULL;
  for (uint32_t i = 0; i < n; i++) {
    of[i] = smv_set_fits(w, is_branching(e) ? branch(e, i) : e->args[i], t, type);
    all = all && of[i] ? ir_binary(w->m, IR_AND, all, of[i], e->span) : of[i] ? of[i] : all;
  }
  return all && is_branching(e) ? choose(w, e, t, of) : all;
}
