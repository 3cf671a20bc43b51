// SPDX-License-Identifier: Apache-2.0
// What one run tells of a formula of computation tree logic: it can refute what is said of all runs
// and prove what is said of some. A trace of a violation must not prove its formula; what it leaves
// open, because only all runs together decide it, is the engine's word.
#include "trace/player.h"

#include <string.h>

enum value { NO, OPEN, YES };

static enum value opposite(enum value v) { return (enum value)(YES - v); }
static enum value least(enum value a, enum value b) { return a < b ? a : b; }
static enum value most(enum value a, enum value b) { return a > b ? a : b; }

// The states of the run, each once: behind the last comes the one at which the cycle begins.
struct run {
  struct player *p;
  const struct ir_property *property;
  size_t count;
};

enum { NOWHERE = -1 };

static ptrdiff_t after(const struct run *r, ptrdiff_t i) {
  if (i == NOWHERE || i + 1 < (ptrdiff_t)r->count) return i == NOWHERE ? NOWHERE : i + 1;
  return r->p->trace->has_loop ? (ptrdiff_t)r->p->trace->loop_start : NOWHERE;
}

static enum value at(const enum value *v, ptrdiff_t i, enum value beyond) {
  return i == NOWHERE ? beyond : v[i];
}

static enum value atom(const struct run *r, const struct ir_expr *e, size_t i) {
  bool holds;
  const uint64_t *state = r->p->out->states[i].words;
  if (ir_eval_bool(r->p->eval, &r->property->frame, e, state, &holds) != IR_OK) return OPEN;
  return holds ? YES : NO;
}

static enum value connective(enum ir_ctl_op op, enum value a, enum value b) {
  switch (op) {
  case IR_CTL_NOT: return opposite(a);
  case IR_CTL_AND: return least(a, b);
  case IR_CTL_OR: return most(a, b);
  case IR_CTL_IMPLIES: return most(opposite(a), b);
  default: return a == OPEN || b == OPEN ? OPEN : a == b ? YES : NO;
  }
}

// --- E, of this run: YES where it shows it. E [f U g] with f always true is EF ---

// A run of one state may be one that does not go on, and then proves nothing.
static enum value proven(const struct run *r, bool shown) {
  return shown && (r->count > 1 || r->p->trace->has_loop) ? YES : OPEN;
}

static void next(const struct run *r, const enum value *f, enum value *v) {
  for (size_t i = 0; i < r->count; i++)
    v[i] = proven(r, at(f, after(r, (ptrdiff_t)i), OPEN) == YES);
}

// Twice backwards: so it has gone round the cycle.
static void until(const struct run *r, const enum value *f, const enum value *g, enum value *v) {
  for (size_t i = 0; i < r->count; i++) v[i] = OPEN;
  for (size_t k = 2 * r->count; k-- > 0;) {
    size_t i = k % r->count;
    bool later = at(v, after(r, (ptrdiff_t)i), OPEN) == YES && (!f || f[i] == YES);
    v[i] = f && f[i] == NO && g[i] == NO ? NO : proven(r, g[i] == YES || later);
  }
}

static void always(const struct run *r, const enum value *f, enum value *v) {
  for (size_t i = 0; i < r->count; i++) v[i] = proven(r, true);
  for (size_t k = 2 * r->count; k-- > 0;) {
    size_t i = k % r->count;
    enum value later = at(v, after(r, (ptrdiff_t)i), OPEN);
    v[i] = f[i] == NO ? NO : f[i] == YES && later == YES ? YES : OPEN;
  }
}

// Within lo..hi steps: somewhere (EBF), or everywhere (EBG).
static void bounded(const struct run *r, const struct ir_ctl *c, const enum value *f, bool all,
                    enum value *v) {
  for (size_t i = 0; i < r->count; i++) {
    bool shown = all;
    ptrdiff_t k = (ptrdiff_t)i;
    if (c->hi > 4 * r->count) shown = false; // nobody looks that far
    for (uint32_t n = 0; n <= c->hi && c->hi <= 4 * r->count; n++, k = after(r, k)) {
      enum value here = n < c->lo ? (all ? YES : NO) : at(f, k, OPEN);
      shown = all ? shown && here == YES : shown || here == YES;
    }
    v[i] = proven(r, shown);
  }
}

// --- formulas ---

static void negate(const struct run *r, enum value *v) {
  for (size_t i = 0; v && i < r->count; i++) v[i] = opposite(v[i]);
}

// A says of all runs what E denies of any: AG f is !EF !f.
static bool is_universal(enum ir_ctl_op op) {
  return op == IR_CTL_AX || op == IR_CTL_AF || op == IR_CTL_AG || op == IR_CTL_AU ||
         op == IR_CTL_ABF || op == IR_CTL_ABG || op == IR_CTL_ABU;
}

// !A [f U g]: g is false until both are, or for ever.
static void deny_until(const struct run *r, enum value *f, enum value *g, enum value *v) {
  enum value *forever = mem_zalloc(r->count, sizeof *forever);
  always(r, g, forever);
  for (size_t i = 0; i < r->count; i++) f[i] = least(f[i], g[i]);
  until(r, g, f, v);
  for (size_t i = 0; i < r->count; i++) v[i] = g[i] == NO ? NO : most(v[i], forever[i]);
  mem_free(forever);
}

static void temporal(const struct run *r, const struct ir_ctl *c, enum value *f, enum value *g,
                     enum value *v) {
  switch (c->op) {
  case IR_CTL_EX:
  case IR_CTL_AX: return next(r, f, v);
  case IR_CTL_EF:
  case IR_CTL_AG: return until(r, NULL, f, v);
  case IR_CTL_EG:
  case IR_CTL_AF: return always(r, f, v);
  case IR_CTL_EU: return until(r, f, g, v);
  case IR_CTL_AU: return deny_until(r, f, g, v);
  case IR_CTL_EBF:
  case IR_CTL_ABG: return bounded(r, c, f, false, v);
  case IR_CTL_EBG:
  case IR_CTL_ABF: return bounded(r, c, f, true, v);
  default:
    for (size_t i = 0; i < r->count; i++) v[i] = OPEN;
  }
}

// The formula in every state of the run.
static enum value *values(const struct run *r, const struct ir_ctl *c) {
  enum value *v = mem_zalloc(r->count, sizeof *v);
  enum value *f = c->left ? values(r, c->left) : NULL, *g = c->right ? values(r, c->right) : NULL;
  bool universal = is_universal(c->op);
  if (universal) negate(r, f), negate(r, g);
  if (c->op == IR_CTL_ATOM) {
    for (size_t i = 0; i < r->count; i++) v[i] = atom(r, c->expr, i);
  } else if (c->op <= IR_CTL_IFF) {
    for (size_t i = 0; i < r->count; i++) v[i] = connective(c->op, f[i], g ? g[i] : OPEN);
  } else {
    temporal(r, c, f, g, v);
  }
  if (universal) negate(r, v);
  mem_free(f);
  mem_free(g);
  return v;
}

// --- the end ---

// AG of a condition, and no cycle: the last state is where it does not hold.
static bool end_condition(struct player *p, const struct ir_property *q) {
  const struct ir_expr *e = q->ctl->left->expr;
  bool holds;
  if (ir_eval_bool(p->eval, &q->frame, e, player_last(p), &holds) != IR_OK)
    return player_refuse(p, "evaluating \"%s\" on the last state fails", q->name);
  if (holds) return player_refuse(p, "what \"%s\" says holds in the last state", q->name);
  struct text t = {0};
  ir_explain(&t, p->eval, &q->frame, e, player_last(p));
  player_explain(p, &t);
  return true;
}

static void explain(struct player *p, enum value v) {
  struct text t = {0};
  if (p->trace->has_loop) {
    size_t steps = p->trace->steps.count - p->trace->loop_start;
    text_printf(&t, "the last %zu step%s can be taken for ever; ", steps, steps == 1 ? "" : "s");
  }
  text_add(&t, v == NO ? "this run shows that the formula is false where it starts"
                       : "the formula is false where this run starts, and it shows a part of why");
  player_explain(p, &t);
}

bool player_end_ctl(struct player *p, const struct ir_property *q) {
  const struct ir_ctl *f = q->ctl;
  if (!f) return player_refuse(p, "\"%s\" has no formula", q->name);
  if (f->op == IR_CTL_AG && f->left->op == IR_CTL_ATOM && !p->trace->has_loop)
    return end_condition(p, q);
  struct run r = {.p = p, .property = q, .count = p->out->count - p->trace->has_loop};
  enum value *v = values(&r, f), first = v[0];
  mem_free(v);
  if (first == YES) return player_refuse(p, "the run shows that \"%s\" holds", q->name);
  explain(p, first);
  return true;
}

// Does an atom of it fail on the last state, at the site that the trace names?
static bool atom_fails(struct player *p, const struct ir_property *q, const struct ir_ctl *f) {
  bool holds;
  if (!f) return false;
  if (f->op != IR_CTL_ATOM) return atom_fails(p, q, f->left) || atom_fails(p, q, f->right);
  return ir_eval_bool(p->eval, &q->frame, f->expr, player_last(p), &holds) == IR_FAILED &&
         ir_eval_site(p->eval) == p->trace->id;
}

bool player_end_ctl_fault(struct player *p, const struct ir_property *q) {
  if (!atom_fails(p, q, q->ctl))
    return player_refuse(p, "evaluating \"%s\" on the last state does not fail so", q->name);
  struct text t = {0};
  text_printf(&t, "while \"%s\" was evaluated: ", q->name);
  player_describe_fault(p, &t);
  player_explain(p, &t);
  return true;
}
