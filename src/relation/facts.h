// SPDX-License-Identifier: Apache-2.0
// Private to the room: what is known of rules by themselves, whatever the property: which errors
// may happen, and which assumptions merely tell what a choice can be.
//
// An assumption belongs to a choice if, whatever the state and the other choices are, some value of
// that choice satisfies it together with all others that belong to the same. All that an owned
// assumption speaks of, beside its owner, was left when the owner was taken out: so, going backward
// through the order of taking out, choices can be made one by one and none is ever stuck. What
// belongs to no choice decides whether a step exists.
#pragma once

#include "relation/relation.h"

#define FACTS_HARD UINT32_MAX

struct rule_facts {
  bool *may;       // per error: it may happen
  uint32_t *owner; // per assumption: the choice that it belongs to, or FACTS_HARD
  uint32_t *order; // choices, such that each depends on ones before it only
  bool fails;      // some error may happen
  bool hard;       // some assumption belongs to none
};

struct relation_facts {
  struct rule_facts *rules, *starts; // by instance
};

// Made when first asked for; the relation's.
const struct relation_facts *relation_facts(const struct relation *r);
void relation_facts_free(struct relation *r);
const struct rule_facts *facts_of(const struct relation *r, const struct relation_rule *rule);

// A value of this choice that its assumptions allow, the choices before it being known.
void facts_pick(const struct relation *r, const struct relation_rule *rule, uint32_t choice,
                const int64_t *leaves, int64_t *choices);
