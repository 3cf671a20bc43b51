// SPDX-License-Identifier: Apache-2.0
// Checks of assignments, constraints and fairness before anything is lowered, so that all errors
// of a model are told in one run.
#include "front/smv/lower.h"

static void check_assign(struct smv_lower *w, const struct smv_assign *a) {
  static const struct {
    const char *where;
    unsigned allow;
  } rows[] = {
      [SMV_AT_INIT] = {"init()", 0},
      [SMV_AT_NEXT] = {"next()", ALLOW_NEXT | ALLOW_INPUTS | ALLOW_RUNNING},
      [SMV_ALWAYS] = {"an assignment to a current value", 0},
  };
  smv_allowed(w, a->expr, rows[a->when].allow, rows[a->when].where);
  smv_want_value(w, a->symbol, a->expr);
}

static void check_constraint(struct smv_lower *w, const struct smv_constraint *c, unsigned allow,
                             const char *where) {
  smv_allowed(w, c->expr, allow, where);
  smv_want_bool(w, c->expr, where);
}

static void check_fairness(struct smv_lower *w, const struct smv_fairness *f) {
  const char *where = f->compassion ? "COMPASSION" : "FAIRNESS";
  smv_allowed(w, f->p, ALLOW_RUNNING, where);
  smv_want_bool(w, f->p, where);
  if (!f->q) return;
  smv_allowed(w, f->q, ALLOW_RUNNING, where);
  smv_want_bool(w, f->q, where);
}

// A definition that nobody uses may be wrong all the same.
static void check_define(struct smv_lower *w, const struct smv_symbol *s) {
  if (s->kind == SMV_DEFINE) smv_kind(w, s->expr);
}

void smv_check(struct smv_lower *w) {
  const struct smv_flat *f = w->flat;
  for (size_t i = 0; i < f->symbols.count; i++) check_define(w, f->symbols.data[i]);
  for (size_t i = 0; i < f->assigns.count; i++) check_assign(w, &f->assigns.data[i]);
  for (size_t i = 0; i < f->inits.count; i++) check_constraint(w, &f->inits.data[i], 0, "INIT");
  for (size_t i = 0; i < f->trans.count; i++)
    check_constraint(w, &f->trans.data[i], ALLOW_NEXT | ALLOW_INPUTS | ALLOW_RUNNING, "TRANS");
  for (size_t i = 0; i < f->invars.count; i++) check_constraint(w, &f->invars.data[i], 0, "INVAR");
  for (size_t i = 0; i < f->fairness.count; i++) check_fairness(w, &f->fairness.data[i]);
  for (size_t i = 0; i < f->specs.count; i++)
    if (f->specs.data[i].kind != SMV_SPEC_COMPUTE)
      smv_want_bool(w, f->specs.data[i].expr, "a specification");
}
