// SPDX-License-Identifier: Apache-2.0
// The plan of a rule: for each unknown whether it stays, is computed or chosen, and the conditions
// that INIT, TRANS and INVAR put on them, conjunctions taken apart. An equation that gives a free
// unknown its value is no condition: the value is computed.
#include "front/smv/lower.h"

#include <string.h>

// --- assignments ---

static void assign(struct smv_lower *w, struct smv_scope *s, const struct smv_assign *a,
                   enum smv_time t) {
  struct smv_unknown *u = &s->unknowns[a->symbol->id];
  bool set = smv_kind(w, a->expr).set;
  u->how = set ? HOW_CHOSEN : HOW_COMPUTED;
  u->expr = a->expr;
  u->time = t;
  u->span = a->span;
  if (!set) return;
  VEC_PUSH(&s->conditions, ((struct smv_condition){.symbol = a->symbol}));
}

static void take_assigns(struct smv_lower *w, struct smv_scope *s) {
  bool start = s->unknown == TIME_NOW;
  for (size_t i = 0; i < w->flat->assigns.count; i++) {
    const struct smv_assign *a = &w->flat->assigns.data[i];
    struct smv_unknown *u = &s->unknowns[a->symbol->id];
    if (a->when == SMV_ALWAYS || (start && a->when == SMV_AT_INIT))
      assign(w, s, a, s->unknown);
    else if (!start && a->when == SMV_AT_NEXT && a->process == s->process)
      assign(w, s, a, TIME_NOW);
    else if (!start && a->when == SMV_AT_NEXT && !u->expr)
      u->how = HOW_STAYS; // what another process assigns
  }
}

static void take_symbols(struct smv_lower *w, struct smv_scope *s) {
  bool start = s->unknown == TIME_NOW;
  for (size_t i = 0; i < w->flat->symbols.count; i++) {
    const struct smv_symbol *x = w->flat->symbols.data[i];
    struct smv_unknown *u = &s->unknowns[i];
    u->span = x->span;
    if (x->kind == SMV_VAR || (x->kind == SMV_INPUT && !start)) u->how = HOW_CHOSEN;
    if (x->kind == SMV_FROZEN) u->how = start ? HOW_CHOSEN : HOW_STAYS;
  }
}

// --- equations ---

struct reaching {
  const struct smv_symbol *target;
  bool reached;
};

static void look_through(struct smv_walk *walk, const struct smv_symbol *x) {
  struct reaching *r = walk->context;
  const struct smv_unknown *u = &walk->s->unknowns[x->id];
  if (x == r->target) r->reached = true;
  if (u->how == HOW_COMPUTED && !r->reached) smv_walk_unknowns(walk, u->expr, u->time);
}

// Does the expression depend on the unknown?
static bool depends(struct smv_lower *w, struct smv_scope *s, const struct smv_expr *e,
                    enum smv_time t, const struct smv_symbol *target) {
  struct reaching r = {.target = target};
  struct smv_walk walk = {w, s, look_through, &r, mem_zalloc(w->flat->exprs, 1)};
  smv_walk_unknowns(&walk, e, t);
  mem_free(walk.seen);
  return r.reached;
}

// The free unknown that is all this expression says; NULL: it says something else.
static const struct smv_symbol *free_unknown(const struct smv_scope *s, const struct smv_expr *e,
                                             enum smv_time t) {
  e = smv_meant(e);
  if (e->op == SMV_NEXT) {
    t = TIME_NEXT;
    e = smv_meant(e->args[0]);
  }
  bool variable =
      e->op == SMV_SYMBOL && (e->symbol->kind == SMV_VAR || e->symbol->kind == SMV_FROZEN);
  if (!variable || t != s->unknown) return NULL;
  const struct smv_unknown *u = &s->unknowns[e->symbol->id];
  return u->how == HOW_CHOSEN && !u->expr ? e->symbol : NULL;
}

static bool take_equation(struct smv_lower *w, struct smv_scope *s, const struct smv_condition *c) {
  const struct smv_expr *e = c->expr;
  if (c->negated || (e->op != SMV_EQ && e->op != SMV_IFF)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const struct smv_symbol *x = free_unknown(s, e->args[i], c->time);
    const struct smv_expr *value = e->args[1 - i];
    if (!x || smv_kind(w, value).set || depends(w, s, value, c->time, x)) continue;
    s->unknowns[x->id] = (struct smv_unknown){
        .how = HOW_COMPUTED, .expr = value, .time = c->time, .span = e->span, .restricts = true};
    return true;
  }
  return false;
}

// --- conditions ---

static void take(struct smv_lower *w, struct smv_scope *s, const struct smv_expr *e,
                 enum smv_time t, bool negated) {
  const struct smv_expr *x = smv_meant(e);
  uint8_t mark = (uint8_t)(1 << (2 * t + negated));
  if (s->taken[x->id] & mark) return; // it is there already
  s->taken[x->id] |= mark;
  bool both = !negated ? x->op == SMV_AND : x->op == SMV_OR || x->op == SMV_IMPLIES;
  if (x->op == SMV_NOT) return take(w, s, x->args[0], t, !negated);
  if (x->op == SMV_NEXT) return take(w, s, x->args[0], TIME_NEXT, negated);
  if (both) {
    take(w, s, x->args[0], t, negated && x->op != SMV_IMPLIES);
    return take(w, s, x->args[1], t, negated);
  }
  if (!negated && smv_is_true(w, x)) return;
  VEC_PUSH(&s->conditions, ((struct smv_condition){.expr = x, .time = t, .negated = negated}));
}

static void take_equations(struct smv_lower *w, struct smv_scope *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->conditions.count; i++) {
    struct smv_condition c = s->conditions.data[i];
    if (!c.expr || !take_equation(w, s, &c)) s->conditions.data[kept++] = c;
  }
  s->conditions.count = kept;
}

#define TAKE_ALL(list, t)                                                                          \
  for (size_t i = 0; i < (list).count; i++) take(w, s, (list).data[i].expr, t, false)

static void count_uses(struct smv_lower *w, struct smv_scope *s) {
  for (int t = 0; t < 2; t++) {
    s->uses[t] = ARENA_ARRAY(w->arena, uint32_t, w->flat->exprs);
    s->locals[t] = ARENA_ARRAY(w->arena, const struct ir_local *, w->flat->exprs);
    s->oks[t] = ARENA_ARRAY(w->arena, const struct ir_local *, w->flat->exprs);
  }
  for (size_t i = 0; i < w->flat->symbols.count; i++) {
    const struct smv_unknown *u = &s->unknowns[i];
    if (u->expr) smv_count_uses(w, s->uses, u->expr, u->time);
  }
  for (size_t i = 0; i < s->conditions.count; i++) {
    const struct smv_condition *c = &s->conditions.data[i];
    if (c->expr) smv_count_uses(w, s->uses, c->expr, c->time);
  }
}

void smv_plan(struct smv_lower *w, struct smv_scope *s) {
  s->unknowns = ARENA_ARRAY(w->arena, struct smv_unknown, w->flat->symbols.count + 1);
  s->taken = ARENA_ARRAY(w->arena, uint8_t, w->flat->exprs);
  take_symbols(w, s);
  take_assigns(w, s);
  if (s->unknown == TIME_NOW) {
    TAKE_ALL(w->flat->inits, TIME_NOW);
  } else {
    TAKE_ALL(w->flat->trans, TIME_NOW);
  }
  TAKE_ALL(w->flat->invars, s->unknown);
  take_equations(w, s);
  count_uses(w, s);
}
