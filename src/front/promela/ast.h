// SPDX-License-Identifier: Apache-2.0
// Promela as it is written: what the parser (parse.y) makes of a preprocessed text, with inline
// calls already expanded. resolve.c fills in the symbols; nobody else changes the tree.
#pragma once

#include "base/base.h"

struct pml_symbol;
struct pml_type;

// ---------------------------------------------------------------------------------------------
// Expressions

enum ast_op {
  AST_CONST,  // value; mtype names come as AST_REF and are resolved to constants
  AST_STRING, // printf's format: name
  AST_REF,    // name [index]? ( . field-ref )?: args[0] index or NULL, args[1] AST_REF of the field
  // unary: args[0]
  AST_NOT,
  AST_NEG,
  AST_BITNOT,
  // binary: args[0], args[1]
  AST_ADD,
  AST_SUB,
  AST_MUL,
  AST_DIV,
  AST_MOD,
  AST_BITAND,
  AST_BITOR,
  AST_BITXOR,
  AST_SHL,
  AST_SHR,
  AST_LT,
  AST_LE,
  AST_GT,
  AST_GE,
  AST_EQ,
  AST_NE,
  AST_AND,
  AST_OR,
  AST_COND, // (args[0] -> args[1] : args[2])
  AST_RUN,  // name(args); priority in value, 0: not given
  // of a channel: args[0] is its AST_REF
  AST_LEN,
  AST_FULL,
  AST_NFULL,
  AST_EMPTY,
  AST_NEMPTY,
  AST_POLL, // chan ? [ ... ]: args[0] the channel, then the pattern; random: ??
  AST_EVAL, // in patterns only: eval(args[0])
  AST_ENABLED,
  AST_PC_VALUE,
  AST_GET_PRIORITY,
  AST_TIMEOUT,
  AST_NP,         // np_
  AST_REMOTE_LAB, // name[args[0]]@label; args[0] NULL: the only process of that type
  AST_REMOTE_VAR, // name[args[0]]:args[1]
  AST_C_EXPR,     // text in name
  // ltl blocks only
  AST_LTL_UNTIL,
  AST_LTL_RELEASE,
  AST_LTL_WEAK,
  AST_LTL_IMPLIES,
  AST_LTL_EQUIV,
  AST_LTL_NEXT,
  AST_LTL_ALWAYS,
  AST_LTL_EVENTUALLY,
};

enum { AST_DEPTH_MAX = 4000 };

struct ast_expr {
  enum ast_op op;
  struct span span;
  int64_t value;
  const char *name;
  const char *label; // REMOTE_LAB
  struct ast_expr **args;
  uint32_t arg_count;
  bool random;    // POLL
  bool in_parens; // written in parentheses
  uint32_t depth; // of the tree: at most AST_DEPTH_MAX, so that it can be walked by recursion
  // by resolve.c
  const struct pml_symbol *sym; // REF: the variable, or the field of the structure before it
  const struct pml_type *type;  // of a REF as far as it is written here, without what follows a dot
  uint32_t index; // RUN, REMOTE: the proctype's number; REMOTE_LAB: the state's number
};

// ---------------------------------------------------------------------------------------------
// Declarations

enum ast_base {
  AST_BIT, // and bool
  AST_BYTE,
  AST_PID,
  AST_SHORT,
  AST_INT,
  AST_UNSIGNED,
  AST_MTYPE,
  AST_CHAN,
  AST_STRUCT,
};
struct ast_type {
  enum ast_base base;
  const char *name; // STRUCT: the typedef's; MTYPE: its set's, or NULL
  struct span span;
};

enum ast_visibility { AST_PLAIN, AST_HIDDEN, AST_LOCAL, AST_SHOW };

struct ast_channel { // [capacity] of { types }
  struct ast_expr *capacity;
  struct ast_type *types;
  uint32_t type_count;
};

struct ast_decl { // one variable
  struct ast_type type;
  const char *name;
  struct span span; // of the name
  enum ast_visibility visibility;
  struct ast_expr *bits;   // unsigned x : 3
  struct ast_expr *length; // of an array; NULL: scalar
  struct ast_expr **init;  // one; several for an array; none
  uint32_t init_count;
  struct ast_channel *channel; // = [2] of { byte }
  struct ast_decl *next;
};

// ---------------------------------------------------------------------------------------------
// Statements

enum ast_stmt_kind {
  AST_DECLS,   // decls
  AST_EXPR,    // a condition: expr
  AST_ASSIGN,  // lhs = expr; increments too (how: '+', '-', else '=')
  AST_SEND,    // lhs ! args, or !! (sorted)
  AST_RECEIVE, // lhs ? args; random: ??; keep: <...>
  AST_ELSE,
  AST_ASSERT,       // expr
  AST_PRINTF,       // args[0] is the AST_STRING
  AST_PRINTM,       // expr
  AST_SET_PRIORITY, // args[0], args[1]
  AST_C_CODE,       // text in name, condition [ ... ] in label
  AST_GOTO,         // name
  AST_BREAK,
  AST_IF, // options
  AST_DO,
  AST_ATOMIC, // body
  AST_D_STEP,
  AST_BLOCK,
  AST_UNLESS, // body unless other
  AST_FOR,    // lhs : args[0] .. args[1] { body }; lhs in args[0] { body } (arg_count 1)
  AST_SELECT, // lhs : args[0] .. args[1]
  AST_LABEL,  // name: body (body is one statement; NULL where nothing follows: a skip)
  AST_XR,     // args: channels; xs (sorted: true means xs)
  AST_RETURN, // only inside an inline that is used for its value: parse.y turns it into ASSIGN
};

struct ast_option {
  struct ast_stmt *body;
  struct span span; // of the ::
  struct ast_option *next;
};

struct ast_stmt {
  enum ast_stmt_kind kind;
  struct span span;
  struct ast_stmt *next; // in its sequence
  const char *name, *label;
  struct ast_expr *lhs, *expr;
  struct ast_expr **args;
  uint32_t arg_count;
  char how;
  bool sorted, random, keep;
  struct ast_decl *decls;
  struct ast_stmt *body, *other;
  struct ast_option *options;
};

// ---------------------------------------------------------------------------------------------
// Units

enum ast_unit_kind {
  AST_UNIT_DECLS,    // global variables: decls
  AST_UNIT_MTYPE,    // names of a set (name, or NULL), in the order written
  AST_UNIT_TYPEDEF,  // name, decls
  AST_UNIT_PROCTYPE, // name, params in decls, body
  AST_UNIT_INIT,     // body
  AST_UNIT_NEVER,    // name or NULL, body
  AST_UNIT_TRACE,    // body
  AST_UNIT_NOTRACE,
  AST_UNIT_LTL,     // name or NULL, expr; text of the formula
  AST_UNIT_C_CODE,  // c_code outside of proctypes, c_decl: text; is_decl
  AST_UNIT_C_STATE, // text, label: the strings of c_state and c_track; is_decl: c_track
};

struct ast_unit {
  enum ast_unit_kind kind;
  struct span span;
  const char *name, *text;
  const char **names; // MTYPE; strings of C_STATE, C_TRACK
  struct span *name_spans;
  uint32_t name_count;
  struct ast_decl *decls;
  struct ast_stmt *body;
  struct ast_expr *expr;
  // proctypes
  bool is_active;
  struct ast_expr *active;   // how many; NULL: 1
  struct ast_expr *priority; // NULL: none
  struct ast_expr *provided; // NULL: none
  bool is_d_proctype;        // D_proctype
  bool is_decl;
  struct ast_unit *next;
};

// As SPIN writes them in traces: "toR!msg,2", "(x==0)", "x = (x+1)", "printf('...')".
void ast_print_expr(struct text *out, const struct ast_expr *e);
void ast_print_stmt(struct text *out, const struct ast_stmt *s);
