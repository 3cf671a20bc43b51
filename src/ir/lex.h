// SPDX-License-Identifier: Apache-2.0
// Tokens of the IR's text form (docs/ir.md), private to this room. The lexer is a small struct by
// value: copying it saves the place to come back to.
#pragma once

#include "base/base.h"

// Words that cannot be plain identifiers; others, such as "rule", are known only by their place.
#define LEX_WORDS(W)                                                                               \
  W(ARRAY, "array")                                                                                \
  W(ASSERT, "assert")                                                                              \
  W(ASSUME, "assume")                                                                              \
  W(BAND, "band")                                                                                  \
  W(BOOL, "bool")                                                                                  \
  W(BOR, "bor")                                                                                    \
  W(BXOR, "bxor")                                                                                  \
  W(BY, "by")                                                                                      \
  W(CALL, "call")                                                                                  \
  W(CASE, "case")                                                                                  \
  W(CAST, "cast")                                                                                  \
  W(CLEAR, "clear")                                                                                \
  W(COUNTOF, "countof")                                                                            \
  W(COVER, "cover")                                                                                \
  W(ELSE, "else")                                                                                  \
  W(ENUM, "enum")                                                                                  \
  W(EXISTS, "exists")                                                                              \
  W(FALSE, "false")                                                                                \
  W(FOR, "for")                                                                                    \
  W(FORALL, "forall")                                                                              \
  W(IF, "if")                                                                                      \
  W(IN, "in")                                                                                      \
  W(INT, "int")                                                                                    \
  W(ISMEMBER, "ismember")                                                                          \
  W(ISUNDEFINED, "isundefined")                                                                    \
  W(LOCAL, "local")                                                                                \
  W(MAYBE, "maybe")                                                                                \
  W(OF, "of")                                                                                      \
  W(OTHERWISE, "otherwise")                                                                        \
  W(PRINT, "print")                                                                                \
  W(RECORD, "record")                                                                              \
  W(REF, "ref")                                                                                    \
  W(RETURN, "return")                                                                              \
  W(SCALARSET, "scalarset")                                                                        \
  W(SORT, "sort")                                                                                  \
  W(SWITCH, "switch")                                                                              \
  W(THEN, "then")                                                                                  \
  W(TO, "to")                                                                                      \
  W(TRUE, "true")                                                                                  \
  W(UNDEFINE, "undefine")                                                                          \
  W(UNION, "union")                                                                                \
  W(WHEN, "when")                                                                                  \
  W(WHILE, "while")

#define LEX_SIGNS(S)                                                                               \
  S(ASSIGN, ":=")                                                                                  \
  S(ARROW, "->")                                                                                   \
  S(DOTS, "..")                                                                                    \
  S(NE, "!=")                                                                                      \
  S(LE, "<=")                                                                                      \
  S(GE, ">=")                                                                                      \
  S(SHL, "<<")                                                                                     \
  S(SHR, ">>")                                                                                     \
  S(EQ, "=")                                                                                       \
  S(LT, "<")                                                                                       \
  S(GT, ">")                                                                                       \
  S(PLUS, "+")                                                                                     \
  S(MINUS, "-")                                                                                    \
  S(STAR, "*")                                                                                     \
  S(SLASH, "/")                                                                                    \
  S(PERCENT, "%")                                                                                  \
  S(BANG, "!")                                                                                     \
  S(TILDE, "~")                                                                                    \
  S(AND, "&")                                                                                      \
  S(OR, "|")                                                                                       \
  S(LPAREN, "(")                                                                                   \
  S(RPAREN, ")")                                                                                   \
  S(LBRACKET, "[")                                                                                 \
  S(RBRACKET, "]")                                                                                 \
  S(LBRACE, "{")                                                                                   \
  S(RBRACE, "}")                                                                                   \
  S(COMMA, ",")                                                                                    \
  S(SEMICOLON, ";")                                                                                \
  S(COLON, ":")                                                                                    \
  S(DOT, ".")                                                                                      \
  S(AT, "@")                                                                                       \
  S(HASH, "#")

enum ir_lex_kind {
  LEX_END,
  LEX_BAD,     // something that is no token; `problem` says why
  LEX_NAME,    // identifier, plain or in backquotes
  LEX_STRING,  // "..."
  LEX_NUMBER,  // 0 .. 2^64-1
  LEX_MACHINE, // u8, i32!: a machine integer type
#define LEX_KIND(id, text) LEX_##id,
  LEX_WORDS(LEX_KIND) LEX_SIGNS(LEX_KIND)
#undef LEX_KIND
};

struct ir_lex_token {
  enum ir_lex_kind kind;
  struct span span;
  const char *start; // in the source
  size_t bytes;
  uint64_t number;     // NUMBER; MACHINE: its bits
  const char *problem; // BAD
};

struct ir_lex {
  const struct source *source;
  size_t at;
  uint32_t line, column;
};

void ir_lex_init(struct ir_lex *l, const struct source *s);
struct ir_lex_token ir_lex_next(struct ir_lex *l);
// What a NAME or STRING says, its escapes undone.
char *ir_lex_text(struct arena *a, const struct ir_lex_token *t);
// How a token of this kind is spelled, for messages.
const char *ir_lex_kind_name(enum ir_lex_kind k);

// Prints a name so that it reads back: plain where it can be, in backquotes otherwise.
void ir_lex_print_name(struct text *out, const char *name);
void ir_lex_print_string(struct text *out, const char *s);
