// SPDX-License-Identifier: Apache-2.0
// Values of expressions, in the state before a step or after it. What is used more than once is
// computed once, into a local; for that, conditions outside of rules become functions. Expressions
// that can fail fail where they are needed, not where they are computed.
#include "front/smv/lower.h"

#define LOCAL_SIZE 3 // smaller expressions are repeated

static struct ir_expr *build(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);

struct ir_expr *smv_literal(struct smv_lower *w, struct smv_kind k, int64_t value,
                            struct span span) {
  return ir_const(w->m, smv_kind_type(w, k), value, span);
}

// A division by zero that tells something else.
static struct ir_expr *fault_in_place(struct smv_lower *w, struct smv_kind k, struct span span,
                                      const char *message) {
  struct smv_kind number = k.name == KIND_BOOL ? (struct smv_kind){.name = KIND_INT} : k;
  struct ir_expr *zero = smv_literal(w, number, 0, span);
  struct ir_expr *x = ir_binary(w->m, IR_DIV, zero, zero, span);
  w->m->sites.data[x->site].message = arena_strdup(w->m->arena, message);
  return k.name == KIND_BOOL ? ir_binary(w->m, IR_EQ, x, zero, span) : x;
}

struct ir_expr *smv_fault(struct smv_lower *w, struct smv_kind k, enum ir_fault fault,
                          struct span span, const char *message) {
  const struct ir_type *type = smv_kind_type(w, k);
  if (w->quiet) return smv_literal(w, k, 0, span);
  if (w->given) return fault_in_place(w, k, span, message);
  char *name = arena_printf(w->arena, "no value %zu", w->m->functions.count + 1);
  struct ir_function *f = ir_function_new(w->m, name, type, span);
  struct ir_chain body = {0};
  ir_chain_add(&body, ir_assert(w->m, ir_bool(w->m, false, span), fault, message, span));
  ir_chain_add(&body, ir_return(w->m, smv_literal(w, k, 0, span), span));
  f->body = body.first;
  return ir_call(w->m, f, NULL, 0, span);
}

// --- symbols ---

struct ir_expr *smv_symbol_value(struct smv_lower *w, const struct smv_symbol *s, enum smv_time t,
                                 struct span span) {
  const struct smv_scope *scope = w->scope;
  switch (s->kind) {
  case SMV_CONSTANT: return ir_const(w->m, w->known->constants, w->known->numbers[s->id], span);
  case SMV_DEFINE: return smv_value(w, s->expr, t);
  case SMV_RUNNING: return ir_bool(w->m, s->process == scope->process, span);
  case SMV_INPUT: return smv_unknown_value(w, s, span);
  case SMV_VAR:
  case SMV_FROZEN: break;
  case SMV_ARRAY: assert(!"an array as a value"); break;
  }
  bool unknown = scope->rule && scope->unknown == t;
  return unknown ? smv_unknown_value(w, s, span) : ir_var_ref(w->m, w->known->vars[s->id], span);
}

// --- operators ---

static struct ir_expr *word_logic(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct ir_model *m = w->m;
  struct ir_expr *a = smv_value(w, e->args[0], t);
  if (e->op == SMV_NOT) return ir_unary(m, IR_BITNOT, a, e->span);
  struct ir_expr *b = smv_value(w, e->args[1], t);
  switch (e->op) {
  case SMV_AND: return ir_binary(m, IR_BITAND, a, b, e->span);
  case SMV_OR: return ir_binary(m, IR_BITOR, a, b, e->span);
  case SMV_XOR: return ir_binary(m, IR_BITXOR, a, b, e->span);
  case SMV_IMPLIES: return ir_binary(m, IR_BITOR, ir_unary(m, IR_BITNOT, a, e->span), b, e->span);
  default: return ir_unary(m, IR_BITNOT, ir_binary(m, IR_BITXOR, a, b, e->span), e->span);
  }
}

static struct ir_expr *logic(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  if (smv_kind(w, e).name == KIND_WORD) return word_logic(w, e, t);
  struct ir_expr *a = smv_truth(w, e->args[0], t);
  if (e->op == SMV_NOT) return ir_unary(w->m, IR_NOT, a, e->span);
  enum ir_op op = e->op == SMV_AND       ? IR_AND
                  : e->op == SMV_OR      ? IR_OR
                  : e->op == SMV_IMPLIES ? IR_IMPLIES
                  : e->op == SMV_XOR     ? IR_NE
                                         : IR_EQ;
  return ir_binary(w->m, op, a, smv_truth(w, e->args[1], t), e->span);
}

static struct ir_expr *comparison(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  static const enum ir_op ops[] = {
      [SMV_EQ - SMV_EQ] = IR_EQ, [SMV_NE - SMV_EQ] = IR_NE, [SMV_LT - SMV_EQ] = IR_LT,
      [SMV_LE - SMV_EQ] = IR_LE, [SMV_GT - SMV_EQ] = IR_GT, [SMV_GE - SMV_EQ] = IR_GE,
  };
  struct smv_kind a = smv_kind(w, e->args[0]), b = smv_kind(w, e->args[1]);
  if (a.set || b.set) { // equal to a set: one of it
    uint32_t one = a.set ? 1 : 0;
    struct smv_tested x = {.expr = e->args[one], .time = t, .kind = a.set ? b : a};
    struct ir_expr *in = smv_in(w, &x, e->args[1 - one], t);
    return e->op == SMV_EQ ? in : ir_unary(w->m, IR_NOT, in, e->span);
  }
  struct smv_kind k = smv_kind_join(a, b);
  return ir_binary(w->m, ops[e->op - SMV_EQ], smv_value_as(w, e->args[0], t, k),
                   smv_value_as(w, e->args[1], t, k), e->span);
}

// 1 in place of 0.
static struct ir_expr *divisor(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  struct ir_expr *zero = smv_literal(w, k, 0, e->span), *one = smv_literal(w, k, 1, e->span);
  struct ir_expr *is_zero = ir_binary(w->m, IR_EQ, smv_value(w, e->args[1], t), zero, e->span);
  return ir_ite(w->m, is_zero, one, smv_value(w, e->args[1], t), zero->type, e->span);
}

static struct ir_expr *arithmetic(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  static const enum ir_op ops[] = {
      [SMV_ADD - SMV_ADD] = IR_ADD, [SMV_SUB - SMV_ADD] = IR_SUB, [SMV_MUL - SMV_ADD] = IR_MUL,
      [SMV_DIV - SMV_ADD] = IR_DIV, [SMV_MOD - SMV_ADD] = IR_MOD,
  };
  struct ir_expr *a = smv_value(w, e->args[0], t);
  if (e->op == SMV_MINUS) return ir_unary(w->m, IR_NEG, a, e->span);
  bool divides = e->op == SMV_DIV || e->op == SMV_MOD;
  struct ir_expr *b = divides && w->quiet ? divisor(w, e, t) : smv_value(w, e->args[1], t);
  return ir_binary(w->m, ops[e->op - SMV_ADD], a, b, e->span);
}

static struct ir_expr *case_value(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  uint32_t i = e->arg_count;
  bool last = smv_is_true(w, e->args[i - 2]);
  struct ir_expr *x = last ? smv_value_as(w, e->args[i - 1], t, k)
                           : smv_fault(w, k, IR_FAULT_ERROR, e->span, "no condition of case holds");
  if (last) i -= 2;
  for (; i > 0; i -= 2)
    x = ir_ite(w->m, smv_truth(w, e->args[i - 2], t), smv_value_as(w, e->args[i - 1], t, k), x,
               smv_kind_type(w, k), e->args[i - 2]->span);
  return x;
}

static struct ir_expr *conditional(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  return ir_ite(w->m, smv_truth(w, e->args[0], t), smv_value_as(w, e->args[1], t, k),
                smv_value_as(w, e->args[2], t, k), smv_kind_type(w, k), e->span);
}

// A word's pattern as a value of its type.
static struct ir_expr *word_constant(struct smv_lower *w, const struct smv_expr *e) {
  uint8_t unused = (uint8_t)(64 - e->bits);
  uint64_t shifted = (uint64_t)e->value << unused;
  int64_t value = e->is_signed ? (int64_t)shifted >> unused : (int64_t)(shifted >> unused);
  return smv_literal(w, smv_kind(w, e), value, e->span);
}

static struct ir_expr *build(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  switch (e->op) {
  case SMV_NUMBER: return ir_int(w->m, e->value, e->span);
  case SMV_TRUE: return ir_bool(w->m, true, e->span);
  case SMV_FALSE: return ir_bool(w->m, false, e->span);
  case SMV_WORD: return word_constant(w, e);
  case SMV_SYMBOL: return smv_symbol_value(w, e->symbol, t, e->span);
  case SMV_INDEX: return smv_element(w, e, t);
  case SMV_SET: return smv_value(w, e->args[0], t);
  case SMV_BITS: return smv_bits(w, e, t);
  case SMV_NOT:
  case SMV_AND:
  case SMV_OR:
  case SMV_XOR:
  case SMV_XNOR:
  case SMV_IMPLIES:
  case SMV_IFF: return logic(w, e, t);
  case SMV_EQ:
  case SMV_NE:
  case SMV_LT:
  case SMV_LE:
  case SMV_GT:
  case SMV_GE: return comparison(w, e, t);
  case SMV_MINUS:
  case SMV_ADD:
  case SMV_SUB:
  case SMV_MUL:
  case SMV_DIV:
  case SMV_MOD: return arithmetic(w, e, t);
  case SMV_SHL:
  case SMV_SHR: return smv_shift(w, e, t);
  case SMV_CONCAT: return smv_concat(w, e, t);
  case SMV_IN: return smv_in_expr(w, e, t);
  case SMV_CASE: return case_value(w, e, t);
  case SMV_ITE: return conditional(w, e, t);
  case SMV_NEXT: return smv_value(w, e->args[0], TIME_NEXT);
  case SMV_CALL: return smv_call(w, e, t);
  default: assert(!"no value"); return NULL;
  }
}

// --- sharing ---

static const struct ir_local *hold(struct smv_lower *w, const char *what, const struct ir_type *t,
                                   struct ir_expr *x, struct span span) {
  struct smv_scope *s = w->scope;
  char *name = arena_printf(w->arena, "%s %u", what, s->frame->count);
  const struct ir_local *l = ir_local_new(w->m, s->frame, IR_LOCAL_PLAIN, name, t, span);
  ir_chain_add(&s->chain, ir_assign(w->m, ir_local_ref(w->m, l, span), x, span));
  return l;
}

// The local that holds the value; of what can fail, another one holds whether it did not.
static const struct ir_local *held(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_scope *s = w->scope;
  const struct smv_kind *k = &w->kinds[e->id];
  const struct ir_local **l = &s->locals[t][e->id];
  if (*l) return *l;
  bool outer = w->quiet;
  w->quiet = outer || k->fails;
  const struct ir_local *value = hold(w, "shared", smv_kind_type(w, *k), build(w, e, t), e->span);
  if (k->fails) {
    struct ir_expr *ok = smv_ok_inside(w, e, t);
    if (!ok) ok = ir_bool(w->m, true, e->span);
    s->oks[t][e->id] = hold(w, "ok", w->m->bool_type, ok, e->span);
  }
  w->quiet = outer;
  return *l = value;
}

static bool is_shared(const struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  const uint32_t *uses = w->scope->uses[t];
  const struct smv_kind *k = &w->kinds[e->id];
  bool name = e->op == SMV_SYMBOL || e->op == SMV_NEXT;
  return uses && uses[e->id] > 1 && !name && k->size > LOCAL_SIZE && !k->set;
}

struct ir_expr *smv_ok(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  if (e->op == SMV_SYMBOL && e->symbol->kind == SMV_ARRAY) return NULL;
  if (!smv_kind(w, e).fails) return NULL;
  if (!is_shared(w, e, t)) return smv_ok_inside(w, e, t);
  held(w, e, t);
  return ir_local_ref(w->m, w->scope->oks[t][e->id], e->span);
}

// What a shared value that failed says, where it is asked for: one function for all places.
static struct ir_expr *shared_fault(struct smv_lower *w, const struct smv_expr *e,
                                    struct smv_kind k) {
  const struct ir_function **f = &w->faults[e->id];
  if (*f) return ir_call(w->m, *f, NULL, 0, e->span);
  bool no_case = e->op == SMV_CASE && !smv_is_true(w, e->args[e->arg_count - 2]);
  const char *message = no_case              ? "no condition of case holds"
                        : e->op == SMV_INDEX ? "the index is outside of the array"
                                             : "a part of this has no value";
  enum ir_fault fault = e->op == SMV_INDEX ? IR_FAULT_INDEX : IR_FAULT_ERROR;
  struct ir_expr *call = smv_fault(w, k, fault, e->span, message);
  *f = call->func;
  return call;
}

struct ir_expr *smv_value(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  assert(k.name != KIND_BAD && !k.set);
  if (!is_shared(w, e, t)) return build(w, e, t);
  struct ir_expr *x = ir_local_ref(w->m, held(w, e, t), e->span);
  if (!k.fails || w->quiet) return x;
  struct ir_expr *ok = ir_local_ref(w->m, w->scope->oks[t][e->id], e->span);
  return ir_ite(w->m, ok, x, shared_fault(w, e, k), x->type, e->span);
}

struct ir_expr *smv_value_as(struct smv_lower *w, const struct smv_expr *e, enum smv_time t,
                             struct smv_kind want) {
  struct smv_kind k = smv_kind(w, e);
  struct ir_expr *x = smv_value(w, e, t);
  int64_t value;
  if (k.name != KIND_BOOL && want.name == KIND_BOOL) {
    if (ir_expr_const(x, &value)) return ir_bool(w->m, value != 0, e->span);
    return ir_binary(w->m, IR_NE, x, ir_int(w->m, 0, e->span), e->span);
  }
  if (k.name != KIND_BOOL || want.name == KIND_BOOL) return x;
  return ir_ite(w->m, x, ir_int(w->m, 1, e->span), ir_int(w->m, 0, e->span), w->m->int_type,
                e->span);
}

struct ir_expr *smv_truth(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  return smv_value_as(w, e, t, (struct smv_kind){.name = KIND_BOOL});
}

// --- conditions on states ---

// Perhaps: names of definitions count, too.
static bool has_shared(const struct smv_lower *w) {
  for (uint32_t i = 0; i < w->flat->exprs; i++) {
    const struct smv_expr probe = {.id = i};
    if (is_shared(w, &probe, TIME_NOW)) return true;
  }
  return false;
}

// As a function, whose locals hold what is shared.
static struct ir_expr *by_function(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_scope *s = w->scope;
  char *name = arena_printf(w->arena, "condition %zu", w->m->functions.count + 1);
  struct ir_function *f = ir_function_new(w->m, name, w->m->bool_type, e->span);
  s->frame = &f->frame;
  s->locals[TIME_NOW] = mem_zalloc(w->flat->exprs, sizeof *s->locals[0]);
  s->oks[TIME_NOW] = mem_zalloc(w->flat->exprs, sizeof *s->oks[0]);
  struct ir_expr *x = smv_truth(w, e, TIME_NOW);
  ir_chain_add(&s->chain, ir_return(w->m, x, e->span));
  f->body = s->chain.first;
  mem_free(s->locals[TIME_NOW]);
  mem_free(s->oks[TIME_NOW]);
  return ir_call(w->m, f, NULL, 0, e->span);
}

struct ir_expr *smv_state_condition(struct smv_lower *w, struct ir_frame *frame,
                                    const struct smv_expr *e) {
  struct smv_scope s = {.frame = frame}, *outer = w->scope;
  uint32_t *uses = mem_zalloc(w->flat->exprs, sizeof *uses), *both[2] = {uses, uses};
  struct ir_expr *x;
  smv_count_uses(w, both, e, TIME_NOW);
  w->scope = &s;
  s.uses[TIME_NOW] = w->given ? NULL : uses; // nothing can be added to a finished model
  if (!w->given && has_shared(w)) {
    x = by_function(w, e);
  } else {
    s.uses[TIME_NOW] = NULL;
    x = smv_truth(w, e, TIME_NOW);
  }
  mem_free(uses);
  w->scope = outer;
  return x;
}
