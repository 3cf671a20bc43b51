// SPDX-License-Identifier: Apache-2.0
// Private to the room: formulas of computation tree logic, their shapes and atoms.
#pragma once

#include "ir/ir.h"

// What a formula of this kind is made of.
struct ir_ctl_shape {
  const char *word; // "AG", "&"; of until the quantifier: "A"
  uint8_t operands;
  bool until;
  bool bounded; // has lo and hi
};
#define IR_CTL_OPS (IR_CTL_ABU + 1)
extern const struct ir_ctl_shape ir_ctl_shapes[IR_CTL_OPS];

// Calls visit for each atom's expression, from left to right; it may put another in its place.
void ir_ctl_atoms(const struct ir_ctl *f, void (*visit)(void *context, struct ir_expr **atom),
                  void *context);
