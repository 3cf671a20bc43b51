// SPDX-License-Identifier: Apache-2.0
// The symbolic system: every rule instance of a model executed symbolically, once, into terms. The
// meaning is that of ir/eval, and tests hold it to that. Engines that reason (BDD, SAT, SMT, isl)
// know a model by this and by its layout.
#pragma once

#include "relation/term.h"

struct ir_expr;
struct ir_frame;
struct ir_model;
struct ir_property;
struct ir_rule;
struct relation_facts;

// What a leaf holds after a step. Of leaves that can be undefined: only where `defined`.
struct relation_write {
  uint64_t leaf;
  const struct term *value, *defined;
};

// Under `when` the step fails at this site. The conditions of a rule exclude each other, and hold
// only where the guard does (its own errors aside) and no assumption before has dropped the step.
//
// `alone` is the same whatever came before: a step that the guard and all assumptions allow exists
// just where none of these holds. It says less, and is the smaller for it.
struct relation_error {
  uint32_t site;
  const struct term *when, *alone;
};

// One instance of a rule or start rule.
struct relation_rule {
  const struct ir_rule *rule;
  uint32_t instance;
  int32_t agent;            // who moves; -1: nobody in particular
  const struct term *guard; // it can fire: true, and did not fail
  // All of them hold, or there is no such step. As many as the rule states, a conjunction in
  // pieces: a synchronous step is made of them. They say nothing of steps that fail: what comes
  // before an error is in its own condition.
  VEC(const struct term *) assumes;
  // Ascending by leaf; leaves that are not here stay as they are. Start rules tell every leaf.
  VEC(struct relation_write) writes;
  VEC(struct relation_error) errors;
  VEC(struct relation_cover { // IR_COVER statements: reached under this, if there is the step
    uint32_t property;
    const struct term *when;
  })
  covers;
};

struct relation {
  const struct ir_model *model;
  struct terms *terms;
  VEC(struct relation_rule) rules, starts; // by instance
  struct relation_facts *facts;            // of its rules (cone.h), once somebody asked
  const uint64_t *kept; // of a slice (cone.h): the leaves that are left, a bit set; NULL: all
};
static inline bool relation_has(const struct relation *r, uint64_t leaf) {
  return !r->kept || (r->kept[leaf / 64] >> (leaf % 64) & 1);
}

// Asked now and then while a relation is made; false: it gives up, and says "interrupted".
struct relation_config {
  bool (*goes_on)(void *context);
  void *context;
  size_t terms_max; // 0: no limit
};

// A step exists for a choice where the guard and all assumptions hold and no error does; then the
// leaves hold what is written. Start rules begin with every leaf undefined. What is assumed of all
// states (IR_PROP_ASSUME) is not in here. NULL, with a sentence's end in why, for what cannot be
// said in terms: C code of the model, a loop that does not end by itself, more terms than that.
struct relation *relation_new(const struct ir_model *m, const struct relation_config *c,
                              struct text *why);
void relation_free(struct relation *r);

// A Boolean expression over one state, such as an invariant, an atom, an assumption.
struct relation_condition {
  const struct term *value; // where it does not fail
  VEC(struct relation_error) errors;
};
bool relation_condition(struct relation *r, const struct ir_frame *frame, const struct ir_expr *x,
                        struct relation_condition *out, struct text *why);
// The same with values for the frame's first locals: the parameters of a property.
bool relation_condition_at(struct relation *r, const struct ir_frame *frame, const int64_t *params,
                           uint32_t count, const struct ir_expr *x, struct relation_condition *out,
                           struct text *why);
void relation_condition_clear(struct relation_condition *c);

// For `fathom show --relation`.
void relation_print(struct text *out, const struct relation *r);
