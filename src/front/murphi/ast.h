// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a Murphi model, as the parser leaves it: names unresolved, types unchecked.
// Nodes live in one arena until lowering is over; texts that the IR keeps live in the model's.
#pragma once

#include "base/base.h"

struct ir_type;
struct symbol;

// One spelling. Names are interned, so that equal names are equal pointers and a name's innermost
// meaning (scope.c) is one load away.
struct ident {
  const char *text;
  struct symbol *symbol; // what it means here and now, or NULL
  struct ident *chain;   // of its hash bucket
};

struct ast_name {
  struct ident *ident;
  struct span span;
  struct ast_name *next;
};

enum ast_type_kind {
  AST_TYPE_NAME,
  AST_TYPE_BOOLEAN,
  AST_TYPE_RANGE,     // lo .. hi
  AST_TYPE_ENUM,      // names
  AST_TYPE_SCALARSET, // lo: its size
  AST_TYPE_UNION,     // parts
  AST_TYPE_ARRAY,     // index, elem
  AST_TYPE_MULTISET,  // lo: its size, elem
  AST_TYPE_RECORD,    // fields
  AST_TYPE_REAL,
};

struct ast_type {
  enum ast_type_kind kind;
  struct span span;
  struct ast_name *names; // NAME: one; ENUM: the members
  struct ast_expr *lo, *hi;
  struct ast_type *index, *elem;
  struct ast_type *parts;  // UNION
  struct ast_decl *fields; // RECORD
  struct ast_type *next;   // in a union
  struct ir_type *ir;      // once resolved
  bool failed;             // resolved, and wrong
};

enum ast_decl_kind { AST_CONST, AST_TYPE, AST_VAR };

struct ast_decl { // also a record's field, a parameter, an alias
  enum ast_decl_kind kind;
  struct span span;
  struct ast_name *names;
  struct ast_expr *value; // CONST, alias
  struct ast_type *type;  // TYPE, VAR
  bool is_var;            // a parameter by reference
  struct ast_decl *next;
};

struct ast_quant { // x : type, or x := from to to by step
  struct ast_name *name;
  struct span span;
  struct ast_type *type;
  struct ast_expr *from, *to, *step;
  struct ast_quant *next;
};

enum ast_expr_kind {
  AST_ID,
  AST_NUMBER,
  AST_INDEX,   // left[right]
  AST_FIELD,   // left.name
  AST_CALL,    // name(args)
  AST_UNARY,   // op left
  AST_BINARY,  // left op right
  AST_TERNARY, // left ? right : third
  AST_FORALL,  // quants, left
  AST_EXISTS,
  AST_ISUNDEFINED,   // left
  AST_ISMEMBER,      // left, type
  AST_MULTISETCOUNT, // name : left, right
};

enum ast_op {
  AST_NOT,
  AST_NEG,
  AST_PLUS,
  AST_BITNOT,
  AST_AND, // && and its kin: Booleans only
  AST_OR,
  AST_AMP, // & and |: Booleans or integers
  AST_PIPE,
  AST_XOR,
  AST_IMPLIES,
  AST_EQ,
  AST_NE,
  AST_LT,
  AST_LE,
  AST_GT,
  AST_GE,
  AST_SHL,
  AST_SHR,
  AST_ADD,
  AST_SUB,
  AST_MUL,
  AST_DIV,
  AST_MOD,
};

struct ast_expr {
  enum ast_expr_kind kind;
  enum ast_op op;
  struct span span;
  int64_t value;
  struct ast_name *name;
  struct ast_expr *left, *right, *third;
  struct ast_expr *args; // CALL, chained by next
  struct ast_quant *quants;
  struct ast_type *type;
  struct ast_expr *next;
};

enum ast_property_kind { AST_ASSERT, AST_ASSUME, AST_COVER, AST_LIVENESS };

struct ast_case {
  struct ast_expr *values; // NULL: else
  struct ast_stmt *body;
  struct span span;
  struct ast_case *next;
};

struct ast_clause { // of an if; cond NULL: else
  struct ast_expr *cond;
  struct ast_stmt *body;
  struct span span;
  struct ast_clause *next;
};

enum ast_stmt_kind {
  AST_ASSIGN, // target := expr
  AST_IF,     // clauses
  AST_SWITCH, // expr, cases
  AST_FOR,    // quants, body
  AST_WHILE,  // expr, body
  AST_ALIAS,  // decls, body
  AST_CALL_STMT,
  AST_CLEAR,              // target
  AST_UNDEFINE,           // target
  AST_ERROR,              // text
  AST_PROPERTY,           // property, expr, text
  AST_PUT,                // text or expr
  AST_RETURN,             // expr or NULL
  AST_MULTISETADD,        // expr into target
  AST_MULTISETREMOVE,     // expr (an index) from target
  AST_MULTISETREMOVEPRED, // name : target, expr
};

struct ast_stmt {
  enum ast_stmt_kind kind;
  enum ast_property_kind property;
  struct span span;
  struct ast_expr *target, *expr;
  struct ast_name *name;
  const char *text;
  struct ast_clause *clauses;
  struct ast_case *cases;
  struct ast_quant *quants;
  struct ast_decl *decls;
  struct ast_stmt *body;
  struct ast_stmt *next;
};

enum ast_rule_kind {
  AST_RULE,
  AST_START,
  AST_RULE_PROPERTY,
  AST_RULESET,    // quants, rules
  AST_RULE_ALIAS, // decls, rules
  AST_CHOOSE,     // choose: its name; expr: the multiset; rules
};

struct ast_rule {
  enum ast_rule_kind kind;
  enum ast_property_kind property;
  struct span span;
  const char *name;      // or NULL
  int64_t priority;      // RULE: it fires only where no rule with a smaller one is enabled
  struct ast_expr *expr; // guard, property, multiset
  struct ast_name *choose;
  struct ast_quant *quants;
  struct ast_decl *decls; // locals, or aliases
  struct ast_stmt *body;
  struct ast_rule *rules;
  struct ast_rule *next;
};

struct ast_function {
  struct ast_name *name;
  struct span span;
  struct ast_decl *params;
  struct ast_type *result; // NULL: a procedure
  struct ast_decl *decls;
  struct ast_stmt *body;
};

struct ast_node { // one of the three
  struct ast_decl *decls;
  struct ast_function *function;
  struct ast_rule *rule;
  struct ast_node *next;
};

// All names of a model.
struct ident_table {
  struct ident **buckets;
  size_t bucket_count, count;
};

// Lists are built at their end: a list under construction is its last item, whose next is the
// first.
#define AST_APPEND(last, item)                                                                     \
  ({                                                                                               \
    __typeof__(last) append_last = (last), append_item = (item);                                   \
    append_item->next = append_last ? append_last->next : append_item;                             \
    if (append_last) append_last->next = append_item;                                              \
    append_item;                                                                                   \
  })
#define AST_CLOSE(last)                                                                            \
  ({                                                                                               \
    __typeof__(last) close_last = (last), close_first = close_last ? close_last->next : NULL;      \
    if (close_last) close_last->next = NULL;                                                       \
    close_first;                                                                                   \
  })

struct ident *murphi_ident(struct ident_table *t, struct arena *texts, const char *text, size_t n);
void murphi_ident_clear(struct ident_table *t);

struct ast_name *murphi_ast_name(struct arena *a, struct ident *id, struct span span);
struct ast_type *murphi_ast_type(struct arena *a, enum ast_type_kind kind, struct span span);
struct ast_decl *murphi_ast_decl(struct arena *a, enum ast_decl_kind kind, struct ast_name *names,
                                 struct span span);
struct ast_expr *murphi_ast_expr(struct arena *a, enum ast_expr_kind kind, struct span span);
struct ast_expr *murphi_ast_unary(struct arena *a, enum ast_op op, struct ast_expr *left,
                                  struct span span);
struct ast_expr *murphi_ast_binary(struct arena *a, enum ast_op op, struct ast_expr *left,
                                   struct ast_expr *right, struct span span);
struct ast_stmt *murphi_ast_stmt(struct arena *a, enum ast_stmt_kind kind, struct span span);
struct ast_rule *murphi_ast_rule(struct arena *a, enum ast_rule_kind kind, struct span span);
