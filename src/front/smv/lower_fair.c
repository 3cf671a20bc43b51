// SPDX-License-Identifier: Apache-2.0
// Fairness: conditions on states that hold again and again, and processes that run so. `running`
// stands alone or as a part of a conjunction: then it is steps of that process that count.
#include "front/smv/lower.h"

// A conjunction without its mentions of running.
struct conjunction {
  const struct smv_symbol *running; // NULL: none
  struct ir_expr *rest;             // NULL: true
  bool good;
};

static void take(struct smv_lower *w, struct conjunction *c, const struct smv_expr *e) {
  const char *why = NULL;
  const struct smv_expr *x = smv_meant(e);
  if (x->op == SMV_AND) {
    take(w, c, x->args[0]);
    take(w, c, x->args[1]);
  } else if (x->op == SMV_SYMBOL && x->symbol->kind == SMV_RUNNING) {
    if (w->flat->processes.count == 1) return; // who is alone always runs
    if (c->running && c->running != x->symbol)
      diag_error(w->d, x->span, "no two processes run at once");
    c->running = x->symbol;
  } else if (smv_refused(w, x, 0, &why)) {
    c->good = false;
    diag_error(w->d, x->span,
               "running stands alone here or in a conjunction: FAIRNESS running & CONDITION");
  } else {
    struct ir_expr *v = smv_state_condition(w, w->scope->frame, x);
    c->rest = c->rest ? ir_binary(w->m, IR_AND, c->rest, v, e->span) : v;
  }
}

static void lower_one(struct smv_lower *w, const struct smv_fairness *x) {
  struct ir_fairness *f = ir_fairness_new(w->m, x->span);
  struct smv_scope s = {.frame = &f->frame};
  w->scope = &s;
  struct conjunction c = {.good = true}, q = {.good = true};
  take(w, &c, x->p);
  if (x->q) take(w, &q, x->q);
  if (x->compassion && (c.running || q.running))
    diag_error(w->d, x->span, "running is not allowed in COMPASSION");
  f->compassion = x->compassion;
  f->agent = c.running ? (int32_t)c.running->process : -1;
  f->expr = x->compassion ? q.rest : c.rest;
  if (x->compassion) f->given = c.rest ? c.rest : ir_bool(w->m, true, x->span);
  w->scope = NULL;
}

void smv_lower_fairness(struct smv_lower *w) {
  for (size_t i = 0; i < w->flat->fairness.count; i++) lower_one(w, &w->flat->fairness.data[i]);
}
