// SPDX-License-Identifier: Apache-2.0
// ltl blocks: what has no temporal operator inside is an atom, as large as possible; the rest is a
// formula over them, of whose negation an automaton is made.
#include "front/promela/lower.h"

#include "ltl/ltl.h"

struct reading {
  struct lower *w;
  struct ltl_factory *factory;
  const char *why; // it cannot be read; NULL: nothing is wrong
};

static bool is_temporal(const struct ast_expr *e) {
  bool temporal = e->op >= AST_LTL_UNTIL && e->op != AST_LTL_IMPLIES && e->op != AST_LTL_EQUIV;
  for (uint32_t i = 0; i < e->arg_count && !temporal; i++)
    temporal = e->args[i] && is_temporal(e->args[i]);
  return temporal;
}

// LTL_ATOM: no operator of formulas.
static enum ltl_op operator_of(const struct ast_expr *e) {
  switch (e->op) {
  case AST_NOT: return LTL_NOT;
  case AST_AND: return LTL_AND;
  case AST_OR: return LTL_OR;
  case AST_LTL_IMPLIES: return LTL_IMPLIES;
  case AST_LTL_EQUIV: return LTL_EQUIV;
  case AST_LTL_NEXT: return LTL_NEXT;
  case AST_LTL_ALWAYS: return LTL_ALWAYS;
  case AST_LTL_EVENTUALLY: return LTL_EVENTUALLY;
  case AST_LTL_UNTIL: return LTL_UNTIL;
  case AST_LTL_WEAK: return LTL_WEAK;
  case AST_LTL_RELEASE: return LTL_RELEASE;
  default: return LTL_ATOM;
  }
}

static const struct ltl *atom(struct reading *r, const struct ast_expr *e) {
  struct literal x;
  if (!lower_literal(r->w, e, &x, &r->why)) return ltl_make(r->factory, LTL_TRUE, NULL, NULL);
  if (x.known) return ltl_make(r->factory, x.value ? LTL_TRUE : LTL_FALSE, NULL, NULL);
  const struct ltl *f = ltl_atom(r->factory, x.atom);
  return x.no ? ltl_make(r->factory, LTL_NOT, f, NULL) : f;
}

static const struct ltl *formula(struct reading *r, const struct ast_expr *e) {
  if (!is_temporal(e)) return atom(r, e);
  enum ltl_op op = operator_of(e);
  if (op == LTL_ATOM) {
    diag_error(r->w->d, e->span, "a temporal operator inside of an expression");
    r->why = "it is no formula";
    return ltl_make(r->factory, LTL_TRUE, NULL, NULL);
  }
  const struct ltl *left = formula(r, e->args[0]);
  return ltl_make(r->factory, op, left, e->arg_count > 1 ? formula(r, e->args[1]) : NULL);
}

void lower_ltl(struct lower *w, const struct pml_ltl *l) {
  struct ir_property *p = ir_property_new(w->m, IR_PROP_LTL, l->name, l->span);
  struct reading r = {.w = w, .factory = ltl_factory_new()};
  size_t atoms = w->m->atoms.count;
  const struct ltl *f = formula(&r, l->expr);
  p->text = r.why ? arena_strdup(w->m->arena, l->text) : ltl_text(f, w->m);
  if (!r.why) {
    const struct ltl *bad = ltl_rewrite(r.factory, ltl_make(r.factory, LTL_NOT, f, NULL));
    p->automaton = ltl_automaton(r.factory, bad, false, w->m->arena);
    if (!p->automaton) r.why = "its automaton is too large";
  }
  p->unchecked = r.why;
  if (r.why) w->m->atoms.count = atoms; // nobody asks for those
  ltl_factory_free(r.factory);
}
