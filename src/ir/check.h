// SPDX-License-Identifier: Apache-2.0
// What the parts of ir_check share; private to this room.
#pragma once

#include "ir/ir.h"

struct ir_checker {
  const struct ir_model *model;
  struct text *errors;
  size_t count;     // of errors
  const char *kind; // what is looked at: "rule", and its name
  const char *name;
  const struct ir_frame *frame;       // NULL: no local may be used
  const struct ir_function *function; // whose body is looked at, or NULL
  bool *bound;                        // by local: a binder around gives it a value
};

void ir_checker_complain(struct ir_checker *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Complains when `problem` (a sentence of ir/typing.h) is not NULL.
void ir_checker_problem(struct ir_checker *c, const char *what, const char *problem);
bool ir_checker_type(struct ir_checker *c, const struct ir_type *t, const char *what);
void ir_checker_site(struct ir_checker *c, uint32_t site, enum ir_fault fault, const char *what);

void ir_checker_expr(struct ir_checker *c, const struct ir_expr *e);
void ir_checker_condition(struct ir_checker *c, const struct ir_expr *e, const char *what);
void ir_checker_stmts(struct ir_checker *c, const struct ir_stmt *s);
