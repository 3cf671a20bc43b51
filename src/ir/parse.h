// SPDX-License-Identifier: Apache-2.0
// What the parts of the text form's parser share; private to this room.
//
// Recursive descent with one token of lookahead. An error puts the parser into panic: the lookahead
// becomes the end of the text, so that every loop and every rule runs out, nothing else is
// reported, and whoever knows a place to go on from (a statement, an item) calls ir_parser_resume.
// Functions that return a node return NULL in panic.
#pragma once

#include "ir/ir.h"
#include "ir/lex.h"
#include "ir/names.h"

enum {
  PARSE_DEPTH_MAX = 1000,  // of nested brackets, blocks and types
  PARSE_HEIGHT_MAX = 5000, // of an expression tree: a long chain of operators leans to the left
};

struct ir_parser {
  struct ir_model *model;
  struct diag *diag;
  struct ir_lex lex;         // just past the lookahead
  struct ir_lex_token token; // the lookahead
  struct ir_lex_token last;  // the token before it
  bool panic;
  bool over; // what was skipped has no end: nothing in this item is worth going on with
  uint32_t depth;
  uint32_t height;                    // of the expression parsed last
  bool annotated;                     // spans come from @line:column only
  bool given;                         // one expression over a finished model: no new types
  size_t source_first;                // first of the model's sources that a `source` line named
  struct ir_frame *frame;             // NULL where nothing can be bound
  VEC(struct ir_local *) scope;       // locals that can be named here, innermost last
  const struct ir_function *function; // whose body is parsed
  struct ir_names types, vars, members, functions; // by name
  struct ir_names plain_types; // machine integers and ranges without a name, by their text
  VEC(struct parse_cover {
    struct ir_stmt *stmt;
    const char *name;
    uint64_t nth; // of the properties with that name, from 1
    struct span span;
  })
  covers; // properties may come after the statements that cover them
};

// --- tokens (parse.c) ---
void ir_parser_fail(struct ir_parser *p, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ir_parser_expected(struct ir_parser *p, const char *what);
void ir_parser_advance(struct ir_parser *p);
bool ir_parser_accept(struct ir_parser *p, enum ir_lex_kind k);
bool ir_parser_expect(struct ir_parser *p, enum ir_lex_kind k);
bool ir_parser_at_word(const struct ir_parser *p,
                       const char *word); // plain, whether reserved or not
bool ir_parser_accept_word(struct ir_parser *p, const char *word);
char *ir_parser_text(struct ir_parser *p, enum ir_lex_kind k); // of a NAME or STRING
bool ir_parser_integer(struct ir_parser *p, int64_t *value);   // with its sign
bool ir_parser_natural(struct ir_parser *p, uint64_t max, uint64_t *value);
bool ir_parser_enter(struct ir_parser *p); // one level deeper; pair with p->depth--
struct span ir_parser_since(const struct ir_parser *p, struct span start); // start .. last token
// The @line:column that may stand here, or `own` where spans come from the text itself.
struct span ir_parser_annotation(struct ir_parser *p, struct span own);
// Leaves panic and goes on from a place that was saved.
void ir_parser_resume(struct ir_parser *p, struct ir_lex lex, struct ir_lex_token token);
void ir_parser_clear(struct ir_parser *p);
// Skips a statement or an item: to its semicolon or closing brace.
void ir_parser_skip(struct ir_parser *p);

// --- types and binders (parse_type.c) ---
const struct ir_type *ir_parse_type(struct ir_parser *p);
void ir_parse_type_item(struct ir_parser *p); // name : type ;
// "i : T [in ...]": a bound local, not yet in scope. Parameters keep the domain in the local.
struct ir_local *ir_parse_binder(struct ir_parser *p, bool parameter, struct ir_domain **domain);
// "name : T" for locals and parameters of functions.
struct ir_local *ir_parse_local(struct ir_parser *p, enum ir_local_kind kind);

// --- expressions (parse_expr.c), statements (parse_stmt.c) ---
struct ir_expr *ir_parse_value(struct ir_parser *p);
struct ir_expr *ir_parse_condition(struct ir_parser *p);
struct ir_expr *ir_parse_call(struct ir_parser *p); // with or without a value
struct ir_stmt *ir_parse_body(struct ir_parser *p); // { locals, statements }

// --- lines (parse_line.c) ---
void ir_parse_lines(struct ir_parser *p, struct ir_rule *r); // { "line" ... }; r's scope is entered

// --- computation tree logic and fairness (parse_ctl.c) ---
struct ir_ctl *ir_parse_ctl(struct ir_parser *p);
void ir_parse_fairness(struct ir_parser *p); // what follows the word "fairness"

// --- automata (parse_automaton.c) ---
// What follows the word "automaton".
const struct ir_automaton *ir_parse_automaton(struct ir_parser *p);
