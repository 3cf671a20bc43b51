// SPDX-License-Identifier: Apache-2.0
// Random formulas, atoms and automata. Half of the formulas are of the shapes that people write.
#include "random/ltl/formula.h"

#define NOWHERE ((struct span){0})

static uint32_t below(struct rng *r, uint32_t n) { return (uint32_t)rng_below(r, n); }
static bool chance(struct rng *r, uint32_t percent) { return below(r, 100) < percent; }

// ---------------------------------------------------------------------------------------------
// Atoms

// The leaf number `leaf` of e, which has that many.
static struct ir_expr *leaf_of(struct ir_model *m, struct ir_expr *e, uint64_t leaf) {
  while (!ir_type_scalar(e->type)) {
    const struct ir_type *t = e->type;
    if (t->kind == IR_TYPE_ARRAY) {
      int64_t at = ir_type_value(t->index, leaf / t->elem->leaves);
      leaf %= t->elem->leaves;
      e = ir_index(m, e, ir_const(m, t->index, at, NOWHERE), NOWHERE);
      continue;
    }
    uint32_t f = t->field_count - 1;
    while (t->fields[f].leaf > leaf || t->fields[f].type->leaves == 0) f--;
    leaf -= t->fields[f].leaf;
    e = ir_field(m, e, f, NOWHERE);
  }
  return e;
}

// leaf = constant; where the leaf may be undefined, that it is not comes first.
static struct ir_expr *leaf_condition(struct ir_model *m, struct rng *r, uint64_t leaf) {
  const struct ir_var *v = ir_leaf_var(m, leaf);
  const struct ir_leaf *l = &m->layout->leaf[leaf];
  struct ir_expr *e = leaf_of(m, ir_var_ref(m, v, NOWHERE), leaf - v->first_leaf);
  uint64_t values = ir_type_count(l->type);
  int64_t value = ir_type_value(l->type, below(r, values > 3 ? 3 : (uint32_t)values));
  struct ir_expr *is = ir_binary(m, IR_EQ, e, ir_const(m, l->type, value, NOWHERE), NOWHERE);
  if (!l->undef) return is;
  struct ir_expr *again = leaf_of(m, ir_var_ref(m, v, NOWHERE), leaf - v->first_leaf);
  struct ir_expr *defined = ir_unary(m, IR_NOT, ir_isundef(m, again, NOWHERE), NOWHERE);
  return ir_binary(m, IR_AND, defined, is, NOWHERE);
}

// Of three leaves the first that is no location, so that not everything is visible to the atoms.
static uint64_t some_leaf(struct ir_model *m, struct rng *r) {
  uint64_t leaf = below(r, (uint32_t)m->leaves);
  for (int i = 0; i < 2 && ir_leaf_var(m, leaf)->is_location; i++)
    leaf = below(r, (uint32_t)m->leaves);
  return leaf;
}

void formula_atoms(struct ir_model *m, struct rng *r, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    struct ir_atom *a = ir_atom_new(m, arena_printf(m->arena, "p%u", i));
    a->expr = leaf_condition(m, r, i % 2 ? below(r, (uint32_t)m->leaves) : some_leaf(m, r));
    if (chance(r, 35)) {
      struct ir_expr *more = leaf_condition(m, r, some_leaf(m, r));
      a->expr = ir_binary(m, chance(r, 70) ? IR_AND : IR_OR, a->expr, more, NOWHERE);
    }
  }
}

const char *const *formula_names(const struct ir_model *m) {
  const char **names = ARENA_ARRAY(m->arena, const char *, m->atoms.count + 1);
  for (size_t i = 0; i < m->atoms.count; i++) names[i] = m->atoms.data[i]->name;
  return names;
}

// ---------------------------------------------------------------------------------------------
// Formulas

struct maker {
  struct ltl_factory *f;
  struct rng *rng;
  uint32_t atoms;
  bool next;
};

static const struct ltl *literal(struct maker *k) {
  const struct ltl *a = ltl_atom(k->f, below(k->rng, k->atoms));
  return chance(k->rng, 30) ? ltl_make(k->f, LTL_NOT, a, NULL) : a;
}

static const struct ltl *state_formula(struct maker *k) {
  const struct ltl *a = literal(k);
  if (chance(k->rng, 70)) return a;
  return ltl_make(k->f, chance(k->rng, 50) ? LTL_AND : LTL_OR, a, literal(k));
}

static const struct ltl *always(struct maker *k, const struct ltl *x) {
  return ltl_make(k->f, LTL_ALWAYS, x, NULL);
}
static const struct ltl *finally(struct maker *k, const struct ltl *x) {
  return ltl_make(k->f, LTL_EVENTUALLY, x, NULL);
}

static const struct ltl *usual(struct maker *k) {
  const struct ltl *a = state_formula(k), *b = state_formula(k);
  switch (below(k->rng, 12)) {
  case 0: return always(k, ltl_make(k->f, LTL_IMPLIES, a, finally(k, b)));
  case 1: return always(k, finally(k, a));
  case 2: return finally(k, always(k, a));
  case 3: return ltl_make(k->f, LTL_UNTIL, a, b);
  case 4: return ltl_make(k->f, LTL_IMPLIES, always(k, finally(k, a)), always(k, finally(k, b)));
  case 5: return ltl_make(k->f, LTL_IMPLIES, finally(k, always(k, a)), finally(k, b));
  case 6: return always(k, ltl_make(k->f, LTL_IMPLIES, a, ltl_make(k->f, LTL_WEAK, a, b)));
  case 7: return finally(k, ltl_make(k->f, LTL_AND, a, finally(k, b)));
  case 8: return ltl_make(k->f, LTL_IMPLIES, always(k, finally(k, a)), finally(k, always(k, b)));
  // Of these a run that goes round through several states is bad: a nested search finds it.
  default: return ltl_make(k->f, LTL_OR, finally(k, always(k, a)), finally(k, always(k, b)));
  }
}

static const struct ltl *tree(struct maker *k, uint32_t *size, uint32_t depth) {
  static const enum ltl_op ops[] = {LTL_NEXT, LTL_EVENTUALLY, LTL_ALWAYS, LTL_UNTIL,
                                    LTL_WEAK, LTL_RELEASE,    LTL_NOT,    LTL_AND,
                                    LTL_OR,   LTL_IMPLIES,    LTL_EQUIV};
  enum ltl_op op = ops[below(k->rng, sizeof ops / sizeof *ops)];
  if (op == LTL_NEXT && !k->next) op = LTL_EVENTUALLY;
  bool temporal = op >= LTL_NEXT;
  if (depth == 0 || (temporal && *size == 0)) return state_formula(k);
  *size -= temporal;
  const struct ltl *left = tree(k, size, depth - 1), *right = NULL;
  bool unary = op == LTL_NOT || op == LTL_NEXT || op == LTL_EVENTUALLY || op == LTL_ALWAYS;
  if (!unary) right = tree(k, size, depth - 1);
  return ltl_make(k->f, op, left, right);
}

const struct ltl *formula_random(struct ltl_factory *f, struct rng *r, uint32_t atoms,
                                 uint32_t size, bool next) {
  struct maker k = {f, r, atoms, next};
  return !next && chance(r, 50) ? usual(&k) : tree(&k, &size, 2 + below(r, 3));
}

// ---------------------------------------------------------------------------------------------
// Automata

static struct ir_automaton_edge random_edge(struct rng *r, uint32_t states, uint32_t atoms) {
  struct ir_automaton_edge e = {.to = below(r, states), .accepting = chance(r, 30)};
  for (uint32_t i = below(r, 3); i > 0; i--) {
    uint64_t bit = UINT64_C(1) << below(r, atoms);
    if (chance(r, 50))
      e.yes |= bit;
    else
      e.no |= bit;
  }
  return e;
}

static void random_claim(struct ir_automaton *x, struct arena *a, struct rng *r, uint32_t atoms) {
  x->count = 1 + below(r, 4);
  x->states = ARENA_ARRAY(a, struct ir_automaton_state, x->count);
  x->on_edges = chance(r, 30);
  x->stuck_ends = chance(r, 20);
  for (uint32_t i = 0; i < x->count; i++) {
    struct ir_automaton_state *s = &x->states[i];
    *s = (struct ir_automaton_state){.accepting = !x->on_edges && chance(r, 40)};
    s->final = i > 0 && chance(r, 15);
    s->edge_count = s->final ? 0 : 1 + below(r, 3);
    s->edges = ARENA_ARRAY(a, struct ir_automaton_edge, s->edge_count + 1);
    for (uint32_t k = 0; k < s->edge_count; k++) s->edges[k] = random_edge(r, x->count, atoms);
  }
}

// One state: accepting where an atom holds.
static void acceptance(struct ir_automaton *x, struct arena *a, uint32_t atom) {
  x->count = 1;
  x->accept_atom = (int32_t)atom;
  x->stutters = true;
  x->states = ARENA_NEW(a, struct ir_automaton_state);
  x->states[0] = (struct ir_automaton_state){.accepting = true, .edge_count = 1};
  x->states[0].edges = ARENA_NEW(a, struct ir_automaton_edge);
  x->states[0].edges[0] = (struct ir_automaton_edge){0};
}

// Fig 6: from some moment on the atom, which says that nobody makes progress, holds for ever.
static void non_progress(struct ir_automaton *x, struct arena *a, uint32_t atom) {
  uint64_t bit = UINT64_C(1) << atom;
  x->count = 2;
  x->stutters = true;
  x->states = ARENA_ARRAY(a, struct ir_automaton_state, 2);
  struct ir_automaton_edge *e = ARENA_ARRAY(a, struct ir_automaton_edge, 3);
  e[0] = (struct ir_automaton_edge){.to = 0};
  e[1] = e[2] = (struct ir_automaton_edge){.yes = bit, .to = 1};
  x->states[0] = (struct ir_automaton_state){.edges = e, .edge_count = 2};
  x->states[1] = (struct ir_automaton_state){.edges = e + 2, .edge_count = 1, .accepting = true};
}

const struct ir_automaton *formula_automaton(struct arena *a, struct rng *r, uint32_t atoms) {
  struct ir_automaton *x = ARENA_NEW(a, struct ir_automaton);
  *x = (struct ir_automaton){.accept_atom = -1};
  uint32_t what = below(r, 5), atom = below(r, atoms);
  if (what < 2)
    acceptance(x, a, atom | 1); // odd ones may be about locations
  else if (what == 2)
    non_progress(x, a, atom);
  else
    random_claim(x, a, r, atoms);
  return x;
}
