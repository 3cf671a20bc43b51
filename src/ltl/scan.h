// SPDX-License-Identifier: Apache-2.0
// The lexemes of a formula's text. What a word means is up to its place: the parser decides.
#pragma once

#include "ltl/ltl.h"

enum ltl_lexeme_kind {
  LEXEME_WORD,
  LEXEME_NUMBER,
  LEXEME_SIGN,   // any other piece of the atoms' language
  LEXEME_UNARY,  // ! [] <> and their like
  LEXEME_BINARY, // && -> and their like
  LEXEME_OPEN,   // (
  LEXEME_CLOSE,  // )
  LEXEME_GROUP,  // [...] or {...}, whatever is inside
  LEXEME_QUOTED, // "...", without its quotes
  LEXEME_END,
};

struct ltl_lexeme {
  enum ltl_lexeme_kind kind;
  enum ltl_op op; // UNARY, BINARY
  int level;      // BINARY: the higher binds the tighter
  bool own;       // UNARY, BINARY: the atoms' language has it too
  uint32_t match; // OPEN: the index of its CLOSE
  const char *start;
  size_t bytes;
  struct span span;
};

struct ltl_lexemes {
  VEC(struct ltl_lexeme) list; // ends with END
};

// False: d says why. The caller clears the list either way.
bool ltl_scan(struct ltl_lexemes *out, const struct source *s, enum ltl_style style,
              struct diag *d);
// Is the word an operator, in the right place? Sets kind, op, level and own if so. LTL_STYLE_IR
// knows all of them.
bool ltl_scan_word(const char *word, size_t bytes, enum ltl_style style, struct ltl_lexeme *out);
