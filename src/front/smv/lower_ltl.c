// SPDX-License-Identifier: Apache-2.0
// LTL specifications: what has no temporal operator inside is an atom, as large as possible; the
// rest is a formula over them, of whose negation an automaton is made.
#include "front/smv/lower.h"

#include "ltl/ltl.h"

#include <string.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct reading {
  struct smv_lower *w;
  struct ltl_factory *factory;
  const char *why; // it cannot be checked; NULL: it can
};

// Names of single words stand in brackets, so that they are found again in the text of formulas.
static const char *atom_name(struct smv_lower *w, const struct smv_expr *e) {
  const char *text = smv_text(w->arena, e);
  char *name = arena_printf(w->arena, text[strspn(text, NAME_CHARACTERS)] ? "%s" : "(%s)", text);
  for (char *c = name; *c; c++)
    if (*c == '"' || *c == '\\') *c = '\'';
  return name;
}

static const struct ltl *atom(struct reading *r, const struct smv_expr *e) {
  struct smv_lower *w = r->w;
  const char *name = atom_name(w, e);
  uint32_t i = 0;
  if (smv_is_true(w, e)) return ltl_make(r->factory, LTL_TRUE, NULL, NULL);
  if (smv_meant(e)->op == SMV_FALSE) return ltl_make(r->factory, LTL_FALSE, NULL, NULL);
  while (i < w->m->atoms.count && strcmp(w->m->atoms.data[i]->name, name) != 0) i++;
  if (i == IR_ATOMS_MAX) {
    r->why = "the formulas of the model have too many different conditions (more than 64)";
    return ltl_make(r->factory, LTL_TRUE, NULL, NULL);
  }
  if (i == w->m->atoms.count) {
    struct ir_atom *a = ir_atom_new(w->m, name);
    a->expr = smv_state_condition(w, &a->frame, e);
  }
  return ltl_atom(r->factory, i);
}

// LTL_ATOM: no operator of formulas.
static enum ltl_op operator_of(enum smv_op op) {
  switch (op) {
  case SMV_NOT: return LTL_NOT;
  case SMV_AND: return LTL_AND;
  case SMV_OR: return LTL_OR;
  case SMV_IMPLIES: return LTL_IMPLIES;
  case SMV_IFF:
  case SMV_XNOR:
  case SMV_EQ:
  case SMV_XOR:
  case SMV_NE: return LTL_EQUIV;
  case SMV_X: return LTL_NEXT;
  case SMV_G: return LTL_ALWAYS;
  case SMV_F: return LTL_EVENTUALLY;
  case SMV_U: return LTL_UNTIL;
  case SMV_V: return LTL_RELEASE;
  case SMV_Y: return LTL_PREVIOUS;
  case SMV_Z: return LTL_WEAK_PREVIOUS;
  case SMV_O: return LTL_ONCE;
  case SMV_H: return LTL_HISTORICALLY;
  case SMV_S: return LTL_SINCE;
  case SMV_T: return LTL_TRIGGERED;
  default: return LTL_ATOM;
  }
}

static const struct ltl *formula(struct reading *r, const struct smv_expr *e) {
  if (!e->temporal) return atom(r, e);
  enum ltl_op op = operator_of(e->op);
  if (op == LTL_ATOM) {
    diag_error(r->w->d, e->span, "a temporal operator inside of %s", smv_operator(e->op));
    return ltl_make(r->factory, LTL_TRUE, NULL, NULL);
  }
  const struct ltl *left = formula(r, e->args[0]);
  const struct ltl *right = e->arg_count > 1 ? formula(r, e->args[1]) : NULL;
  const struct ltl *f = ltl_make(r->factory, op, left, right);
  bool negated = e->op == SMV_XOR || e->op == SMV_NE;
  return negated ? ltl_make(r->factory, LTL_NOT, f, NULL) : f;
}

void smv_lower_ltl(struct smv_lower *w, struct ir_property *p, const struct smv_expr *e) {
  struct reading r = {.w = w, .factory = ltl_factory_new()};
  size_t atoms = w->m->atoms.count;
  const struct ltl *f = formula(&r, e);
  if (!r.why) {
    const struct ltl *bad = ltl_rewrite(r.factory, ltl_make(r.factory, LTL_NOT, f, NULL));
    p->text = ltl_text(f, w->m);
    struct ir_automaton *a = ltl_automaton(r.factory, bad, false, w->m->arena);
    if (a)
      ltl_endless(a);
    else
      r.why = "its automaton is too large";
    p->automaton = a;
  }
  p->unchecked = r.why;
  if (r.why) {
    diag_warning(w->d, p->span, "%s: it is not checked", r.why);
    w->m->atoms.count = atoms; // nobody asks for those
  }
  ltl_factory_free(r.factory);
}
