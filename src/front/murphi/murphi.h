// SPDX-License-Identifier: Apache-2.0
// The Murphi front end: the language of the CMurphi manual with Rumur's additions, lowered to IR.
#pragma once

#include "base/base.h"

struct ir_model;

// -D NAME=VALUE: replaces the value of a constant.
struct murphi_define {
  const char *name;
  const char *value; // an integer, true or false
};

// Parses, resolves, lowers, and finishes the model, which then owns the source. On errors they are
// in d, which keeps the source that they point into, and NULL comes back. `while` loops past
// while_limit rounds are faults.
struct ir_model *murphi_load(struct source *s, const struct murphi_define *defines,
                             size_t define_count, uint64_t while_limit, struct diag *d);
