// SPDX-License-Identifier: Apache-2.0
// Linear temporal logic: formulas over atoms, and Buchi automata of them. docs/ltl.md says how
// formulas are written.
#pragma once

#include "base/base.h"

struct ir_automaton;

enum ltl_op {
  LTL_TRUE,
  LTL_FALSE,
  LTL_ATOM,
  LTL_NOT,
  LTL_AND,
  LTL_OR,
  LTL_IMPLIES,
  LTL_EQUIV,
  LTL_NEXT,
  LTL_EVENTUALLY,
  LTL_ALWAYS,
  LTL_UNTIL,   // left until right, which does come
  LTL_WEAK,    // left until right, or left for ever
  LTL_RELEASE, // right, up to and with the moment when left comes, if it does
  // Of the past: the moments up to now, back to the first.
  LTL_PREVIOUS,      // false in the first
  LTL_WEAK_PREVIOUS, // true in the first
  LTL_ONCE,
  LTL_HISTORICALLY,
  LTL_SINCE,     // left ever since right, which did come
  LTL_TRIGGERED, // right, back to and with the moment when left came, if it did
};

// Equal formulas are one node.
struct ltl {
  enum ltl_op op;
  uint32_t atom; // ATOM
  uint32_t id;   // order of creation
  const struct ltl *left, *right;
};

// Where formulas are made. Everything hangs in its arena.
struct ltl_factory;
struct ltl_factory *ltl_factory_new(void);
void ltl_factory_free(struct ltl_factory *f);
const struct ltl *ltl_atom(struct ltl_factory *f, uint32_t atom);
// TRUE, FALSE: both NULL. Unary: right is NULL.
const struct ltl *ltl_make(struct ltl_factory *f, enum ltl_op op, const struct ltl *left,
                           const struct ltl *right);

// Whoever reads a formula says what its atoms mean: reads the text `span` of the source as a
// condition and numbers it, equal ones alike; false: it has told `d` why not.
enum ltl_style {    // which connectives are also the atoms' own, so that atoms may hold them
  LTL_STYLE_C,      // && || !, as in Promela: & and | are about bits
  LTL_STYLE_MURPHI, // && || & | ! ->
  LTL_STYLE_IR,     // & | ! ->, as in SMV, whose words for the past are operators, too: Y Z H O S T
  LTL_STYLE_NONE,   // none: atoms may be names that only the formula's reader knows
};
struct ltl_reader {
  bool (*atom)(void *context, struct span span, uint32_t *atom); // numbers are below 64
  void *context;
  enum ltl_style style;
};
// Both notations: [] <> U R V W X ! && || -> <-> and G F (and also: always eventually until
// weakuntil release next, SPIN's words; and, or, not); but in C and Murphi also previous
// weakprevious once historically since triggered. Text between temporal operators and
// connectives is an atom, as large as possible: whatever has no temporal operator inside. Text in
// double quotes is an atom whatever it contains. NULL: errors are in d.
const struct ltl *ltl_parse(struct ltl_factory *f, struct source *s, const struct ltl_reader *r,
                            struct diag *d);

// As text, atoms by name.
void ltl_print(struct text *out, const struct ltl *f, const char *const *atoms);
// The same in the arena of a model whose atoms they are.
struct ir_model;
const char *ltl_text(const struct ltl *f, const struct ir_model *m);
bool ltl_uses_next(const struct ltl *f); // or the previous state: does it count steps?
// Is the formula true of the run of `count` states, each given by its atoms, that goes on from the
// last one to state `loop` for ever? By its definition, without any automaton.
bool ltl_on_lasso(const struct ltl *f, const uint64_t *states, size_t count, size_t loop);

// The same in fewer words: negations at the atoms, operators pulled together.
const struct ltl *ltl_rewrite(struct ltl_factory *f, const struct ltl *x);

// An automaton that accepts exactly the runs of which the formula is true, as small as is cheaply
// found; on_edges: acceptance is on edges instead of states. A state from which every run is
// accepted is final, and has an edge to itself all the same. In the arena. NULL: it would have more
// than LTL_STATES_MAX states on the way, or as much more work as that.
#define LTL_STATES_MAX 65536
struct ir_automaton *ltl_automaton(struct ltl_factory *f, const struct ltl *x, bool on_edges,
                                   struct arena *a);
// For languages in which a run that gets stuck is none: only runs without end are accepted. A final
// state is one like others then, since nobody knows yet whether the run goes on.
void ltl_endless(struct ir_automaton *a);
// For `fathom show --buchi`: as a never claim, and as a graph for dot.
void ltl_print_never(struct text *out, const struct ir_automaton *a, const char *const *atoms);
void ltl_print_dot(struct text *out, const struct ir_automaton *a, const char *const *atoms);
