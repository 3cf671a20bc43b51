// SPDX-License-Identifier: Apache-2.0
// Random statements. Each has a number; those that the cut names are made and thrown away.
#include "random/gen.h"

static const struct ir_type *pick_type(struct gen *g) {
  return g->types.data[pick(g, (uint32_t)g->types.count)];
}
static const struct ir_type *pick_scalar_type(struct gen *g) {
  return g->scalars.data[pick(g, (uint32_t)g->scalars.count)];
}

static struct ir_stmt *gen_assign(struct gen *g, int depth) {
  struct ir_expr *lhs = gen_target(g, depth);
  if (lhs == NULL) return NULL;
  struct ir_expr *value = gen_expr(g, lhs->type, depth);
  // Few of a machine integer's values, or a tame model would never end.
  if (g->tame && lhs->type->kind == IR_TYPE_INT && chance(g, 85))
    value = ir_binary(g->m, IR_BITAND, value, ir_const(g->m, lhs->type, 3, NOWHERE), NOWHERE);
  return ir_assign(g->m, lhs, value, NOWHERE);
}

static struct ir_stmt *gen_whole(struct gen *g, int depth) {
  if (g->holes.count > 0 && !g->pure && chance(g, 50)) return tame_hole_stmt(g);
  const struct ir_type *t = pick_type(g);
  struct ir_expr *lhs = gen_lvalue(g, t, true, depth);
  if (lhs == NULL) return NULL;
  uint32_t what = pick(g, 10);
  if (what < 2 && t->kind == IR_TYPE_ARRAY) return ir_sort(g->m, lhs, NOWHERE);
  if (what < 3 && t->kind != IR_TYPE_INT && !g->tame) return ir_undefine(g->m, lhs, NOWHERE);
  if (what < 6 || ir_type_scalar(t)) return ir_clear(g->m, lhs, NOWHERE);
  struct ir_expr *rhs = gen_lvalue(g, t, false, depth);
  return rhs != NULL ? ir_assign(g->m, lhs, rhs, NOWHERE) : NULL;
}

static struct ir_stmt *gen_if(struct gen *g, int depth) {
  struct ir_expr *c = gen_bool(g, 2);
  struct ir_stmt *body = gen_block(g, 2, depth - 1);
  return ir_if(g->m, c, body, chance(g, 50) ? gen_block(g, 2, depth - 1) : NULL, NOWHERE);
}

static struct ir_stmt *gen_switch(struct gen *g, int depth) {
  const struct ir_type *t = pick_scalar_type(g);
  struct ir_expr *e = gen_expr(g, t, 1);
  struct ir_case *first = NULL, **end = &first;
  for (uint32_t i = 1 + pick(g, 3); i > 0; i--) {
    struct ir_expr *values[2] = {gen_const(g, t),
                                 chance(g, 20) ? gen_expr(g, t, 1) : gen_const(g, t)};
    *end = ir_case(g->m, values, 1 + pick(g, 2), gen_block(g, 1, depth - 1));
    end = &(*end)->next;
  }
  if (chance(g, 50)) *end = ir_case(g->m, NULL, 0, gen_block(g, 1, depth - 1));
  return ir_switch(g->m, e, first, NOWHERE);
}

static struct ir_stmt *gen_for(struct gen *g, int depth) {
  if (g->loops >= 2) return NULL;
  size_t mark = g->scope.count;
  struct ir_domain *d;
  const struct ir_local *l = gen_bound(g, &d, false);
  g->loops++;
  struct ir_stmt *body = gen_block(g, 2, depth - 1);
  g->loops--;
  g->scope.count = mark;
  return ir_for(g->m, l, d, body, NOWHERE);
}

// while (k < rounds & c) { k := k + 1; body }: a loop that ends.
static struct ir_stmt *counted_while(struct gen *g, struct ir_expr *c, struct ir_stmt *body) {
  struct ir_model *m = g->m;
  int64_t rounds = between(g, 1, 4);
  const struct ir_local *k = gen_local(g, IR_LOCAL_PLAIN, ir_type_range(m, 0, rounds));
  g->scope.count--; // nobody else writes to it
  struct ir_expr *at = ir_local_ref(m, k, NOWHERE);
  struct ir_expr *more = ir_binary(m, IR_LT, at, ir_int(m, rounds, NOWHERE), NOWHERE);
  struct ir_expr *next =
      ir_binary(m, IR_ADD, ir_local_ref(m, k, NOWHERE), ir_int(m, 1, NOWHERE), NOWHERE);
  struct ir_chain inner = {0}, all = {0};
  ir_chain_add(&inner, ir_assign(m, ir_local_ref(m, k, NOWHERE), next, NOWHERE));
  ir_chain_add(&inner, body);
  ir_chain_add(&all, ir_clear(m, ir_local_ref(m, k, NOWHERE), NOWHERE));
  ir_chain_add(&all, ir_while(m, ir_binary(m, IR_AND, more, c, NOWHERE), inner.first,
                              (uint64_t)rounds + pick(g, 3), NOWHERE));
  return all.first;
}

static struct ir_stmt *gen_while(struct gen *g, int depth) {
  if (g->loops >= 1) return NULL;
  g->loops++;
  struct ir_expr *c = gen_bool(g, 2);
  struct ir_stmt *body = gen_block(g, 2, depth - 1);
  g->loops--;
  if (g->tame) return counted_while(g, c, body);
  return ir_while(g->m, c, body, 1 + pick(g, 12), NOWHERE);
}

static struct ir_stmt *gen_call_stmt(struct gen *g, int depth) {
  uint32_t count = (uint32_t)g->m->functions.count;
  if (count == 0 || g->pure) return NULL;
  const struct ir_function *f = g->m->functions.data[pick(g, count)];
  struct ir_expr *args[8];
  if (f->result != NULL || f == g->inside || !gen_args(g, f, args, depth)) return NULL;
  return ir_call_stmt(g->m, ir_call(g->m, f, args, f->param_count, NOWHERE), NOWHERE);
}

static struct ir_stmt *gen_return(struct gen *g) {
  if (g->inside == NULL) return NULL;
  const struct ir_type *t = g->inside->result;
  return ir_return(g->m, t != NULL ? gen_expr(g, t, 2) : NULL, NOWHERE);
}

static struct ir_stmt *gen_claim(struct gen *g) {
  uint32_t what = pick(g, 4);
  bool sure = g->tame && (what != 1 || chance(g, 60));
  struct ir_expr *e = sure ? tame_truth(g, what != 0, 2) : gen_bool(g, 2);
  // Bare random claims fail too often for a model to get anywhere.
  if (what > 0 && !sure && chance(g, 75)) e = ir_binary(g->m, IR_OR, e, gen_bool(g, 2), NOWHERE);
  switch (what) {
  case 0: {
    struct ir_stmt *stop =
        ir_assert(g->m, ir_bool(g->m, false, NOWHERE), IR_FAULT_ERROR, "gone \"wrong\"\n", NOWHERE);
    return ir_if(g->m, ir_binary(g->m, IR_AND, e, gen_bool(g, 2), NOWHERE), stop, NULL, NOWHERE);
  }
  case 1: return g->pure ? NULL : ir_assume(g->m, e, NOWHERE); // in a property it means nothing
  default: return ir_assert(g->m, e, IR_FAULT_ASSERT, chance(g, 50) ? "claim" : NULL, NOWHERE);
  }
}

static struct ir_stmt *gen_cover(struct gen *g) {
  for (size_t i = 0; i < g->m->properties.count; i++) {
    const struct ir_property *p = g->m->properties.data[i];
    if (p->kind == IR_PROP_COVER && chance(g, 60))
      return ir_cover(g->m, p, gen_bool(g, 2), NOWHERE);
  }
  return NULL;
}

static struct ir_stmt *gen_print(struct gen *g) {
  struct ir_print parts[2] = {{.literal = "now % \\ \"x\" "},
                              {.expr = gen_lvalue(g, pick_type(g), false, 0)}};
  return ir_print(g->m, parts, parts[1].expr != NULL ? 2 : 1, NOWHERE);
}

static struct ir_stmt *gen_any(struct gen *g, int depth) {
  uint32_t what = pick(g, depth > 0 ? 100 : 72);
  if (what < 48) return gen_assign(g, 2);
  if (what < 58) return gen_whole(g, 1);
  if (what < 62) return gen_call_stmt(g, 2);
  if (what < 66) return gen_claim(g);
  if (what < 69) return g->pure ? NULL : gen_cover(g);
  if (what < 70) return gen_print(g);
  if (what < 72) return gen_return(g);
  if (what < 85) return gen_if(g, depth);
  if (what < 90) return gen_switch(g, depth);
  if (what < 96) return gen_for(g, depth);
  return gen_while(g, depth);
}

struct ir_stmt *gen_block(struct gen *g, int length, int depth) {
  struct ir_chain chain = {0};
  for (uint32_t i = 1 + pick(g, (uint32_t)length); i > 0; i--) {
    uint32_t number = g->stmt_number++;
    struct ir_stmt *s = gen_any(g, depth);
    for (int tries = 0; s == NULL && tries < 4; tries++) s = gen_any(g, depth);
    const struct generate_cut *cut = g->cut;
    bool out = cut != NULL && cut->stmts != NULL && number < cut->stmt_count && cut->stmts[number];
    if (!out) ir_chain_add(&chain, s);
  }
  return chain.first;
}
