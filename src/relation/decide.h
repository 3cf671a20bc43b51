// SPDX-License-Identifier: Apache-2.0
// Private to the room: can a Boolean term ever be true? Terms as small decision diagrams over the
// bits of leaves and choices, given up where they grow: "no" is a proof, anything else is not.
#pragma once

#include "relation/relation.h"

struct decide;
struct decide *decide_new(const struct relation *r);
void decide_free(struct decide *d);

// From now on the choices of terms are those of this rule.
void decide_bind(struct decide *d, const struct ir_rule *rule);
// True: it is false for every value of leaves and choices.
bool decide_never(struct decide *d, const struct term *t);
