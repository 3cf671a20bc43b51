// SPDX-License-Identifier: Apache-2.0
// The SMV front end: the language of NuSMV 2.6, its older form included (processes, 0 and 1 for
// Booleans), lowered to IR. docs/smv.md says how.
#pragma once

#include "ir/ir.h"

// -D NAME=VALUE: replaces a DEFINE of module main.
struct smv_define {
  const char *name;
  const char *value; // an expression
};

// Parses, flattens, lowers and finishes the model, which then owns the source. On errors they are
// in d, which keeps the source, and NULL comes back.
struct ir_model *smv_load(struct source *s, const struct smv_define *defines, size_t define_count,
                          struct diag *d);

// Reads one expression in the scope of module main over a model that smv_load made (formulas given
// on the command line, marks, heuristics); as murphi_expr does.
struct ir_expr *smv_expr(struct ir_model *m, struct source *s, enum ir_want want,
                         const struct ir_rule *scope, struct ir_frame *frame, struct diag *d);
