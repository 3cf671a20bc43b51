// SPDX-License-Identifier: Apache-2.0
// The C front end: clang compiles a program to bitcode, its basic blocks become control states of
// an extended finite state machine in the IR (paper 003, section II). docs/c.md says how.
#pragma once

#include "ir/ir.h"

// --check: what is an error beside reach_error and assert.
enum {
  C_CHECK_BOUNDS = 1,
  C_CHECK_DIV = 2,
  C_CHECK_OVERFLOW = 4,
  C_CHECK_NULL = 8,
  C_CHECK_UNINIT = 16,
  C_CHECK_LEAK = 32,
};

struct c_define { // -D NAME=VALUE
  const char *name, *value;
};

struct c_config {
  const struct c_define *defines;
  size_t define_count;
  unsigned checks;
  uint32_t recursion; // so many calls of a function inside of itself; 0: C_RECURSION
  uint32_t heap;      // so many objects of one allocation; 0: C_HEAP
};
#define C_RECURSION 8
#define C_HEAP      8

// Compiles, lowers and finishes the program, which then owns the source. On errors (clang's own are
// handed on) they are in d, which keeps the source, and NULL comes back. What cannot be carried is
// no error: a step that comes to it fails with IR_FAULT_LIMIT, and says what it is.
struct ir_model *c_load(struct source *s, const struct c_config *c, struct diag *d);

// The program's blocks after all that is done with it before it becomes a model, for `fathom show
// --blocks`. d keeps the source. False with errors in d.
bool c_print_blocks(struct text *out, struct source *s, const struct c_config *c, struct diag *d);

// The checks that a property file asks for (SV-COMP's .prp), or those of a list as --check takes
// it. False, with a sentence in why, for what is not one.
bool c_property_file(const char *text, unsigned *checks, struct text *why);
bool c_check_list(const char *list, unsigned *checks, struct text *why);
