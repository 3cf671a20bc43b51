// SPDX-License-Identifier: Apache-2.0
// "expected a statement or ';'": what a bison parser says at a syntax error, from the kinds of the
// tokens that it would take.
#pragma once

#include "base/text.h"

#include <stddef.h>

// Kinds of tokens are bison's symbol kinds. Kinds that are named together: where both marks are
// expected, the group's name is said and none of its members.
struct expected_group {
  const char *name; // NULL: left unsaid
  int marks[2];
  const char *punctuation; // members of one character
  int members[48];         // up to the first 0
};

struct expected {
  const struct expected_group *groups; // taken in this order
  size_t group_count;
  const char *(*spelling)(const void *context, int kind); // "';'", "a name"
  const void *context;
};

enum { EXPECTED_NONE = -2 }; // in a set of kinds: not there (bison's YYSYMBOL_YYEMPTY)

// Is this the token of one of these characters?
int expected_punctuation(const struct expected *e, int kind, const char *characters);
// Adds "a, b or c"; changes the set.
void expected_say(const struct expected *e, struct text *out, int *set, int count);
