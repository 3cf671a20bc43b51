// SPDX-License-Identifier: Apache-2.0
// Private to the room: nothing happens in guards, properties and atoms.
#pragma once

#include "ir/ir.h"

// False, with diagnostics, when one of them calls a function that writes outside itself, assumes,
// or reaches a cover goal.
bool ir_calls_pure(const struct ir_model *m, struct diag *d);
// Per function: does it do so? The caller frees it.
bool *ir_functions_impure(const struct ir_model *m);
bool ir_expr_pure(const struct ir_model *m, const struct ir_expr *e);
