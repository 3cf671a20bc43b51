// SPDX-License-Identifier: Apache-2.0
// Private to the room: what a space keeps for itself. Which leaf stands for which choice, and
// diagrams of terms already met, good for the rule that is bound.
#pragma once

#include "relation/encode.h"
#include "symbolic/space.h"

#define SPACE_NONE ENCODE_NONE

struct space_own {
  // Of every rule and start rule, by instance: the leaf of each choice, or SPACE_NONE.
  uint64_t **rule_leaf, **start_leaf;
  const struct relation_rule *bound;
  const uint64_t *choice_leaf; // of the one that is bound
  struct encode encode;
  struct bits given; // diagrams where the values of some variables are known: the context
};

// Diagrams as bits; what codes know as variables are theirs.
extern const struct bits space_algebra;
void space_begin(struct space *s); // relation and model are set
// The bits of a leaf, or of a choice of the rule that is bound.
struct code space_leaf_code(const struct space *s, uint64_t leaf, bool next);
struct code space_choice_code(const struct space *s, uint32_t k);

// --- an order (order.c): leaves, then choices, as numbers from 0; each once, first one on top ---
struct space_item {
  bool choice;
  uint64_t index;
};
void space_order(const struct space *s, const struct space_config *c, struct space_item *order);
// Data words (order_words.c): for each leaf the same number for all that share values with it, or
// SPACE_NONE; the caller's.
uint64_t *space_words(const struct space *s);
