// SPDX-License-Identifier: Apache-2.0
// Private to the room: what a space keeps for itself. Which leaf stands for which choice, and
// diagrams of terms already met, good for the rule that is bound.
#pragma once

#include "symbolic/space.h"
#include "symbolic/space_word.h"

#define SPACE_NONE UINT64_MAX

struct space_made { // of one term
  bool done;
  struct word *word; // NULL: Boolean
  dd truth;
};

struct space_own {
  // Of every rule and start rule, by instance: the leaf of each choice, or SPACE_NONE.
  uint64_t **rule_leaf, **start_leaf;
  const struct relation_rule *bound;
  const uint64_t *choice_leaf; // of the one that is bound
  struct space_made *made;     // by the term's id
  uint64_t *cut;               // by the term's id: the leaf that it is read from and 1, or 0
  size_t capacity;             // of both
  VEC(uint32_t) used;          // ids of which made is done
  VEC(uint32_t) cuts;
};

// Which leaves stand for the choices of a rule.
uint64_t *space_choice_leaves(const struct ir_model *m, const struct relation_rule *r);
// The bits of a leaf, or of a choice of the rule that is bound, and what their code means.
struct space_code {
  const unsigned *var; // lowest first
  unsigned count;
  const struct ir_type *type;     // NULL: the range below
  const struct ir_domain *domain; // of a choice
  bool undef;                     // code 0 is undefined
};
struct space_code space_leaf_code(const struct space *s, uint64_t leaf, bool next);
struct space_code space_choice_code(const struct space *s, uint32_t k);
dd space_code_is(const struct space_code *c, uint64_t code);
dd space_code_below(const struct space_code *c, uint64_t limit); // 0: 2^64
struct word space_code_word(const struct space_code *c);
uint64_t space_code_count(const struct space_code *c); // codes from 0 on that mean something

// --- an order (order.c): leaves, then choices, as numbers from 0; each once, first one on top ---
struct space_item {
  bool choice;
  uint64_t index;
};
void space_order(const struct space *s, const struct space_config *c, struct space_item *order);
