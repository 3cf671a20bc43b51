// SPDX-License-Identifier: Apache-2.0
// What the files of the partial order reduction share: rule instances with what they touch, ask
// for and lead to. Private to them. docs/por.md says what it is all for.
//
// A step of a search is a chain (reduce.h): an instance that can fire in a stable state, and what
// follows until the state is stable again. Sets of leaves and of values are bit sets; those of
// values go by rank.
#pragma once

#include "ir/ir.h"
#include "reduce/reduce.h"

enum { AMPLE_VALUES_MAX = 4096 }; // leaves with more values are not followed
#define AMPLE_NONE UINT64_MAX     // no leaf

// One of the conditions that a guard is the conjunction of.
struct ample_conjunct {
  struct ir_expr *expr;
  uint64_t *reads;
  bool fails;      // evaluating it may
  bool has_choice; // it speaks of a choice
  // AMPLE_NONE, or: it only asks whether this leaf has one of these values, and nothing before it
  // can fail. So with another value the instance does nothing at all.
  uint64_t leaf;
  uint64_t *values;
};

// A question about the value of one leaf somewhere in a guard.
struct ample_question {
  uint64_t leaf;
  const uint64_t *values; // those with which the answer is yes
};

// A rule instance.
struct ample_instance {
  const struct ir_rule *rule;
  const int64_t *params;
  struct ample_conjunct *conjuncts; // in the order of evaluation
  uint32_t conjunct_count;
  uint64_t *groups; // that it is a member of
  // Leaves, of the instance by itself and of all chains that it begins: what it reads and writes.
  uint64_t *own_reads, *own_writes, *reads, *writes;
  uint64_t *own_replaces;               // what it writes other than by appending to a queue
  uint64_t *own_values;                 // what it reads other than by the questions
  VEC(struct ample_question) questions; // of its guard
  const uint32_t *chain;                // the instances that may follow it, itself among them
  uint32_t chain_count;
  uint64_t *span;        // values of the pivot when the instance fires, and when one of these has
  uint64_t pivot;        // a leaf whose values it asks for, its agent's place if it can
  uint64_t queue;        // the first leaf of the queue that it uses, and nothing
  uint64_t queue_leaves; // else in these chains does; AMPLE_NONE: none
  uint64_t *home;        // leaves of the seats of its groups, as far as those are seated
  uint64_t *future;      // values of the pivot from which it may fire sooner or later
  bool stable;           // it can begin a chain
  bool alien;            // what its chains do is not independent of anything
};

struct ample_group {
  const char *name;
  uint32_t family; // of the agent, with its value: who it is
  int64_t value;
  VEC(uint32_t) members; // instances
  bool seated;           // every member needs the agent to be there: its location is not 0
  uint64_t *seats;       // leaves of its locations; none unless the model has seats
};

struct ample_way { // that the value of a leaf can go, by some instance
  const uint64_t *before;
  uint64_t *after;
};
struct ample_ways { // all of them
  uint64_t leaf;
  VEC(struct ample_way) ways;
};

struct ample_queue {
  uint64_t first, leaves; // the first leaf is its length; then come the slots
  uint64_t slot;          // leaves of one
};

// Everything that is known of a model while its conditions are made.
struct ample_study {
  struct ir_model *m;
  struct arena *arena;
  size_t leaf_words;  // of a set of leaves
  size_t group_words; // of a set of groups
  struct ample_instance *instances;
  uint32_t count;
  VEC(struct ample_group) groups;
  // What properties see: these leaves, and the answers to these questions.
  uint64_t *visible;
  VEC(struct ample_question) questions;
  uint64_t transient; // leaf; AMPLE_NONE: none
  // Per leaf: instances that write it themselves, and those that do not just append; of them, those
  // that are members of the group in work.
  uint32_t *writers, *replacers, *inside_writers, *inside_replacers;
  uint32_t inside; // that group, and one; 0: none
  VEC(struct ample_ways) ways;
  VEC(struct ample_queue) queues;
};

// --- sets ---
static inline bool set_has(const uint64_t *s, uint64_t i) { return s[i / 64] >> i % 64 & 1; }
static inline void set_add(uint64_t *s, uint64_t i) { s[i / 64] |= UINT64_C(1) << i % 64; }
static inline void set_remove(uint64_t *s, uint64_t i) { s[i / 64] &= ~(UINT64_C(1) << i % 64); }
static inline void set_join(uint64_t *s, const uint64_t *t, size_t words) {
  for (size_t i = 0; i < words; i++) s[i] |= t[i];
}
static inline bool set_meets(const uint64_t *s, const uint64_t *t, size_t words) {
  for (size_t i = 0; i < words; i++)
    if (s[i] & t[i]) return true;
  return false;
}

// --- values of a leaf ---
static inline uint64_t ample_values(const struct ample_study *a, uint64_t leaf) {
  return ir_type_count(a->m->layout->leaf[leaf].type);
}
static inline size_t ample_value_words(const struct ample_study *a, uint64_t leaf) {
  return (size_t)(ample_values(a, leaf) / 64 + 1);
}
uint64_t *ample_all_values(const struct ample_study *a, uint64_t leaf);
static inline bool ample_followed(const struct ample_study *a, uint64_t leaf) {
  return leaf != AMPLE_NONE && ample_values(a, leaf) <= AMPLE_VALUES_MAX;
}

// --- ample_guard.c ---
void ample_guard(struct ample_study *a, struct ample_instance *i);
// The leaf that a place is, if that is known beforehand; a part of the state that begins there, if
// it is no scalar.
bool ample_leaf(const struct ample_instance *i, const struct ir_expr *place, uint64_t *leaf);
// Does the condition ask for the value of one leaf, and nothing else? Which values are right?
bool ample_asks(const struct ample_study *a, const struct ample_instance *i,
                const struct ir_expr *e, uint64_t *leaf, uint64_t **values);
// The leaves that a part of the guard, or of the body, reads.
uint64_t *ample_reads(const struct ample_study *a, const struct ample_instance *i,
                      struct ir_expr *guard, struct ir_stmt *body);
// Is the answer the same for all of these values?
bool ample_unanimous(const struct ample_question *q, const uint64_t *values, size_t words);
// The values of the leaf with which the instance can fire, or fail. NULL: with all.
const uint64_t *ample_asked(const struct ample_instance *i, uint64_t leaf);

// --- ample_effect.c ---
// The values that the leaf may have after the instance fired, joined into `after`, if it had one of
// `before`.
void ample_effect(const struct ample_study *a, const struct ample_instance *i, uint64_t leaf,
                  const uint64_t *before, uint64_t *after);
// Does every step of the instance lead to another state?
bool ample_moves(const struct ample_study *a, const struct ample_instance *i);

// --- ample_group.c ---
void ample_groups_find(struct ample_study *a);
// Is there an instance outside the group that writes the leaf, while a member can fire?
bool ample_foreign(struct ample_study *a, uint32_t group, uint64_t leaf);
// Likewise, other than by appending to a queue.
bool ample_replaced(struct ample_study *a, uint32_t group, uint64_t leaf);
// For each member of the group a leaf that nobody else writes and whose values it asks for.
void ample_pivots(struct ample_study *a, uint32_t group, uint64_t *pivots);

// --- ample_chain.c ---
void ample_chains(struct ample_study *a);

// --- ample_visible.c ---
void ample_look(struct ample_study *a, const uint8_t *property_on); // at the properties
bool ample_seen(const struct ample_study *a, const struct ample_instance *i);

// --- ample_conflict.c ---
// Where another agent must not be for an instance to be independent of what it may do from there.
struct ample_danger {
  uint64_t leaf;    // a pivot
  uint64_t *values; // dangerous ones
};
struct ample_dangers {
  bool always; // there is no such place
  VEC(struct ample_danger) at;
};
// What stands against the instance, as a step of the group alone.
void ample_dangers(struct ample_study *a, uint32_t group, const struct ample_instance *i,
                   struct ample_dangers *out);

// --- ample_expr.c: building conditions, which simplify ---
struct ir_expr *ample_bool(struct ample_study *a, bool value);
bool ample_is(const struct ir_expr *e, bool value);
struct ir_expr *ample_and(struct ample_study *a, struct ir_expr *x, struct ir_expr *y);
struct ir_expr *ample_or(struct ample_study *a, struct ir_expr *x, struct ir_expr *y);
struct ir_expr *ample_not(struct ample_study *a, struct ir_expr *x);
// The leaf has one of these values.
struct ir_expr *ample_member(struct ample_study *a, uint64_t leaf, const uint64_t *values);
// A condition of an instance's guard, its parameters replaced by their values.
struct ir_expr *ample_copy(struct ample_study *a, const struct ample_instance *i,
                           const struct ir_expr *e, struct ir_frame *frame);

// --- ample_condition.c ---
// When the group may go alone; NULL: never.
struct ir_expr *ample_condition(struct ample_study *a, uint32_t group, struct ir_frame *frame);
