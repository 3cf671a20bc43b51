// SPDX-License-Identifier: Apache-2.0
// States as assignments to variables of decision diagrams: each leaf of the layout has as many as
// its code has bits, once for the state a step leaves and once for the state it leads to, side by
// side; choices of rules have variables of their own, which all rules share. Leaves that a slice of
// the relation leaves out have none. And terms as diagrams.
#pragma once

#include "relation/relation.h"
#include "symbolic/dd.h"

struct ir_leaf;

struct space_bits { // of a leaf or a choice; bit 0 is the lowest
  unsigned count;
  unsigned *now, *next; // of choices: only now
};

struct space {
  const struct ir_model *model;
  const struct relation *relation;
  struct space_bits *leaf; // model->layout->count
  struct space_bits *choice;
  size_t choices;
  // all variables of states; their cubes; renamings
  unsigned *now, *next;
  size_t bits; // of a state
  dd now_cube, next_cube, choice_cube;
  struct dd_renaming *to_next, *to_now;
  dd valid_now; // every leaf has a code of its type, and what is assumed of all states holds
  dd valid_next;
  // An assumption fails (by an error of its own) where those before it hold: a step to such a state
  // is one that fails.
  dd assume_fails;
  struct space_own *own;
};

struct space_config {
  const struct relation *relation;
  // Names of leaves, or of variables, or of bits of them (NAME.0), first one on top, as NuSMV's
  // order files have them; those that are not named come after. NULL: an order of our own, from
  // which leaves depend on which.
  const char *const *order;
  size_t order_count;
};
// After dd_open. NULL, with a sentence's end in why, if what is assumed cannot be said.
struct space *space_new(const struct space_config *c, struct text *why);
void space_free(struct space *s);

// Terms from here on are those of this rule or start rule: its choices. A choice that is, as it is,
// what a leaf is to hold next has no variables of its own: it is the next ones of that leaf. With
// SPACE_CUT, wherever a term is what a leaf is to hold next it is read from there, too: good for
// conjunctions in which that leaf's write takes part. SPACE_CUT_SAFE: only where the leaf can hold
// every value of the term; a term that cannot be true then, whatever is read, cannot be true. NULL:
// terms without choices.
enum space_cut { SPACE_WHOLE, SPACE_CUT, SPACE_CUT_SAFE };
void space_bind(struct space *s, const struct relation_rule *r, enum space_cut cut);
// The leaf whose next variables stand for choice k of the rule; UINT64_MAX: it has its own.
uint64_t space_choice_leaf(const struct space *s, const struct relation_rule *r, uint32_t k);
void space_forget(struct space *s); // drops all diagrams kept for terms
// Terms from here on are only looked at where variables have these values (by number: 0, 1, or
// DD_FREE where nothing is known): their diagrams are good for that, and the smaller for it. NULL:
// everywhere.
void space_given(struct space *s, uint8_t *values);

// A Boolean term over the leaves `now` and the choices.
dd space_term(struct space *s, const struct term *t);
// The leaf holds, in the next state (or in this one), what the write says.
dd space_written(struct space *s, const struct relation_write *w, bool next);
dd space_unchanged(struct space *s, uint64_t leaf);
// Choice k of the rule that is bound has a value of its domain.
dd space_choice_valid(struct space *s, uint32_t k);

// The one state of a packed state, and a packed state out of a set that is not empty: leaves that a
// slice leaves out have code 0.
dd space_state(struct space *s, const uint64_t *state);
void space_pick(struct space *s, dd set, uint64_t *state);
// Values of the choices of a rule, out of a diagram, not false, over states before and after a step
// and choices. values has room for them.
void space_pick_choices(struct space *s, dd set, const struct relation_rule *r, int64_t *values);

// The order in use, in NuSMV's format: one name a line, bits as NAME.0.
void space_print_order(struct text *out, const struct space *s);
