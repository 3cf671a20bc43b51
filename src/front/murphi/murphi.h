// SPDX-License-Identifier: Apache-2.0
// The Murphi front end: the language of the CMurphi manual with Rumur's additions, lowered to IR.
#pragma once

#include "ir/ir.h"

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

// Reads one expression over a model that murphi_load made: its constants, types, variables,
// functions, and the parameters of `scope` (NULL: none), which become the first locals of *frame,
// in order. It changes nothing and declares nothing. The expression belongs to the model, which
// then owns the source. On errors they are in d, which keeps the source, and NULL comes back. To
// have errors located in a larger text, give that text with blanks for all that is not the
// expression.
struct ir_expr *murphi_expr(struct ir_model *m, struct source *s, enum ir_want want,
                            const struct ir_rule *scope, struct ir_frame *frame, struct diag *d);
