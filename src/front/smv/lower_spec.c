// SPDX-License-Identifier: Apache-2.0
// Specifications as properties. One that says what this program does not check stays in the list,
// with the reason why it is unchecked, and a warning.
#include "front/smv/lower.h"

// --- computation tree logic ---

static const struct ir_ctl *ctl(struct smv_lower *w, const struct smv_expr *e);

static struct ir_ctl *make(struct smv_lower *w, enum ir_ctl_op op, const struct ir_ctl *left,
                           const struct ir_ctl *right, const struct smv_expr *e) {
  struct ir_ctl *c = ir_ctl_new(w->m, op, left, right, e->span);
  c->lo = e->lo;
  c->hi = e->hi;
  return c;
}

static const struct ir_ctl *choice(struct smv_lower *w, const struct smv_expr *e) {
  const struct ir_ctl *c = ctl(w, e->args[0]);
  const struct ir_ctl *yes = make(w, IR_CTL_AND, c, ctl(w, e->args[1]), e);
  const struct ir_ctl *no =
      make(w, IR_CTL_AND, make(w, IR_CTL_NOT, c, NULL, e), ctl(w, e->args[2]), e);
  return make(w, IR_CTL_OR, yes, no, e);
}

// The operator in formulas; ATOM: it has none there.
static enum ir_ctl_op operator_of(enum smv_op op) {
  switch (op) {
  case SMV_NOT: return IR_CTL_NOT;
  case SMV_AND: return IR_CTL_AND;
  case SMV_OR: return IR_CTL_OR;
  case SMV_IMPLIES: return IR_CTL_IMPLIES;
  case SMV_IFF:
  case SMV_XNOR:
  case SMV_EQ:
  case SMV_XOR:
  case SMV_NE: return IR_CTL_IFF;
  case SMV_EX: return IR_CTL_EX;
  case SMV_AX: return IR_CTL_AX;
  case SMV_EF: return IR_CTL_EF;
  case SMV_AF: return IR_CTL_AF;
  case SMV_EG: return IR_CTL_EG;
  case SMV_AG: return IR_CTL_AG;
  case SMV_EU: return IR_CTL_EU;
  case SMV_AU: return IR_CTL_AU;
  case SMV_EBF: return IR_CTL_EBF;
  case SMV_ABF: return IR_CTL_ABF;
  case SMV_EBG: return IR_CTL_EBG;
  case SMV_ABG: return IR_CTL_ABG;
  case SMV_EBU: return IR_CTL_EBU;
  case SMV_ABU: return IR_CTL_ABU;
  default: return IR_CTL_ATOM;
  }
}

static const struct ir_ctl *ctl(struct smv_lower *w, const struct smv_expr *e) {
  enum ir_ctl_op op = operator_of(e->op);
  if (e->op == SMV_ITE && e->temporal) return choice(w, e);
  if (!e->temporal || op == IR_CTL_ATOM) {
    struct ir_ctl *atom = make(w, IR_CTL_ATOM, NULL, NULL, e);
    if (e->temporal)
      diag_error(w->d, e->span, "a temporal operator inside of %s", smv_operator(e->op));
    else
      atom->expr = smv_state_condition(w, w->scope->frame, e);
    return atom;
  }
  const struct ir_ctl *left = ctl(w, e->args[0]);
  const struct ir_ctl *right = e->arg_count > 1 ? ctl(w, e->args[1]) : NULL;
  const struct ir_ctl *c = make(w, op, left, right, e);
  return e->op == SMV_XOR || e->op == SMV_NE ? make(w, IR_CTL_NOT, c, NULL, e) : c;
}

// --- properties ---

static const struct {
  const char *word;
  enum ir_property_kind kind;
  unsigned allow;
} kinds[] = {
    [SMV_SPEC_CTL] = {"SPEC", IR_PROP_CTL, ALLOW_CTL},
    [SMV_SPEC_LTL] = {"LTLSPEC", IR_PROP_LTL, ALLOW_LTL},
    [SMV_SPEC_INVAR] = {"INVARSPEC", IR_PROP_CTL, 0},
    [SMV_SPEC_COMPUTE] = {"COMPUTE", IR_PROP_CTL, 0},
};

// Why it cannot be checked; NULL: it can.
static const char *refusal(struct smv_lower *w, const struct smv_spec *s) {
  const char *why = NULL;
  const struct smv_expr *spot = smv_refused(w, s->expr, kinds[s->kind].allow, &why);
  if (!spot) return NULL;
  diag_warning(w->d, spot->span, "%s in %s: it is not checked", why, kinds[s->kind].word);
  return arena_printf(w->m->arena, "%s in %s", why, kinds[s->kind].word);
}

static void lower_one(struct smv_lower *w, const struct smv_spec *x, size_t number) {
  const char *name =
      x->name ? x->name : arena_printf(w->arena, "%s %zu", kinds[x->kind].word, number);
  if (x->kind == SMV_SPEC_COMPUTE) {
    diag_warning(w->d, x->span, "COMPUTE is read, but not computed");
    return;
  }
  // An invariant is always checked: what cannot be is a formula that is not.
  const char *why = refusal(w, x);
  bool invariant = x->kind == SMV_SPEC_INVAR && !why;
  enum ir_property_kind kind = invariant ? IR_PROP_INVARIANT : kinds[x->kind].kind;
  struct ir_property *p = ir_property_new(w->m, kind, name, x->span);
  struct smv_scope s = {.frame = &p->frame};
  w->scope = &s;
  p->text = smv_text(w->m->arena, x->expr);
  p->unchecked = why;
  if (invariant)
    p->expr = smv_state_condition(w, &p->frame, x->expr);
  else if (x->kind == SMV_SPEC_CTL && !p->unchecked)
    p->ctl = ctl(w, x->expr);
  else if (x->kind == SMV_SPEC_LTL && !p->unchecked)
    smv_lower_ltl(w, p, x->expr);
  w->scope = NULL;
}

void smv_lower_specs(struct smv_lower *w) {
  for (size_t i = 0; i < w->flat->specs.count; i++) lower_one(w, &w->flat->specs.data[i], i + 1);
  smv_lower_fairness(w);
}
