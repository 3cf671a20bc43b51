// SPDX-License-Identifier: Apache-2.0
// What may be put together: the rules that the parser of the text form asks before it builds a
// node, and ir_check after. Each answers NULL, or a sentence that says what is wrong.
#pragma once

#include "ir/ir.h"

const char *ir_typing_unary(enum ir_op op, const struct ir_type *a);
const char *ir_typing_binary(enum ir_op op, const struct ir_type *a, const struct ir_type *b);
const char *ir_typing_condition(const struct ir_type *t);
// A value of type `from` where one of type `to` is wanted: assignment, argument, result, branch.
const char *ir_typing_value(const struct ir_type *to, const struct ir_type *from);
// Something that is written: an lvalue whose root is no read-only local.
const char *ir_typing_target(const struct ir_expr *e);
const char *ir_typing_argument(const struct ir_local *param, const struct ir_expr *arg);
// A variable that says whether a state is passed through.
const char *ir_typing_transient(const struct ir_type *t);
// A domain that a local of type t can run through; its bounds must be literal where `literal`.
const char *ir_typing_domain(const struct ir_type *t, const struct ir_domain *d, bool literal);
