// SPDX-License-Identifier: Apache-2.0
// Private to the room: how a user names rules, and some of their instances by arguments.
#pragma once

#include "guide/guide.h"
#include "ir/ir.h"

enum guide_arg_kind {
  ARG_ANY,   // whatever the value
  ARG_VALUE, // this value
  ARG_PARAM, // the value of a parameter of the flow: where it comes twice, the values are equal
};
struct guide_arg {
  enum guide_arg_kind kind;
  int64_t value;
  uint32_t param;
};

// Do a rule's parameter values fit its arguments? Parameters past `count` have any.
bool guide_args_fit(const struct guide_arg *args, uint32_t count, const int64_t *values);

// The value of a rule's parameter as it is printed (true, Exclusive, Proc_2, 7). False: it has none
// that is printed so.
bool guide_value_read(const struct ir_local *param, const char *text, int64_t *value);

// "; did you mean A, B or C?" with the nearest names, or "; there are A, B, C, ..." where none is
// near. Nothing if there are none.
void guide_names_offer(struct text *out, const char *name, const char *const *names, size_t count);
void guide_rules_offer(struct text *out, const char *name, const struct ir_model *m);

// A name with double quotes round it and \ before quotes in it; unless it is a plain word.
void guide_name_print(struct text *out, const char *name);
bool guide_name_letter(int c); // may be part of a plain word

// Marks the instances of r that fit. `condition`, if not NULL, is taken: a rule of r's parameters
// whose guard says where the mark holds. `label` is for messages, and copied.
void guide_marks_put(struct guide_marks *g, const struct ir_rule *r, const struct guide_arg *args,
                     uint32_t count, struct ir_rule *condition, const char *label);
struct ir_model *guide_marks_model(const struct guide_marks *g);
