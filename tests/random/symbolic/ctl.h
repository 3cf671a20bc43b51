// SPDX-License-Identifier: Apache-2.0
// Computation tree logic by its definition, on explicit states; random formulas and fairness.
#pragma once

#include "random/symbolic/states.h"

struct ctl_reference {
  const struct states *states;
  const struct ir_model *model; // its fairness counts
  states_set fair;              // a fair run begins there
};
void ctl_reference_init(struct ctl_reference *r, const struct states *s, const struct ir_model *m);
void ctl_reference_of(const struct ctl_reference *r, const struct ir_ctl *f, states_set out);

const struct ir_ctl *ctl_random(struct ir_model *m, struct rng *r);
void ctl_random_fairness(struct ir_model *m, const struct states *s, struct rng *r);
