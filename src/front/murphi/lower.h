// SPDX-License-Identifier: Apache-2.0
// Resolving, type checking and lowering share one walk over the tree and one context. A function
// that finds an error reports it and gives back NULL; who gets NULL stays silent, so that one
// mistake is told once.
#pragma once

#include "front/murphi/ast.h"
#include "front/murphi/murphi.h"
#include "ir/ir.h"

// Limits that turn what would be a hang or an overflow into a sentence.
#define MURPHI_NESTING_MAX   1000
#define MURPHI_LEAVES_MAX    (INT64_C(1) << 24)
#define MURPHI_VALUES_MAX    (INT64_C(1) << 24) // of a scalarset, an enum, an array index, a loop
#define MURPHI_INSTANCES_MAX (INT64_C(1) << 24)
#define MURPHI_WEIGHT_MAX    (UINT64_C(1) << 22) // nodes after aliases are put in their places

enum symbol_kind {
  SYMBOL_WRONG, // its declaration has an error: uses are silent
  SYMBOL_CONST,
  SYMBOL_TYPE,
  SYMBOL_VAR,
  SYMBOL_LOCAL,
  SYMBOL_ALIAS,
  SYMBOL_FUNCTION,
};

// What running a body can change besides its own locals.
struct effects {
  bool state;    // writes a state variable
  bool refs;     // writes through a parameter
  bool drops;    // holds an assume or a cover
  bool multiset; // changes some multiset, so that it must be sorted
  bool slot;     // writes into a slot, which may be free by then
};

struct symbol {
  enum symbol_kind kind;
  struct ident *ident;
  struct span span;
  uint32_t depth;
  struct symbol *shadowed; // the ident's outer meaning
  struct symbol *below;    // declared before this one
  const struct ir_type *type;
  int64_t value;
  const struct ir_var *var;
  const struct ir_local *local;
  struct ir_expr *expr; // ALIAS
  uint64_t weight;      // ALIAS: nodes in expr
  bool fixed;           // ALIAS: of a value or of something read-only
  struct ir_expr *set;  // LOCAL: the multiset whose slots it runs over, if it does
  struct ir_function *function;
  struct effects effects; // FUNCTION: known once its body is lowered
  bool open;              // FUNCTION: its body is being lowered
  struct span nested;     // FUNCTION: a call of itself inside an expression, if there is one
};

// A rule after lowering, kept for priorities.
struct lowered_rule {
  struct ast_rule *ast;
  struct ir_rule *ir;
  struct ast_rule **around; // a copy of what was around it
  size_t around_count;
};

// What outlives the lowering: expressions over the finished model are read with it.
struct known {
  struct ident_table idents;             // each with its global meaning
  VEC(const struct ir_type *) multisets; // those among the model's types
  VEC(struct slot {
    const struct ir_local *local; // a rule's parameter, by choose
    struct ir_expr *set;          // the multiset whose slots it runs over
  })
  slots;
};
struct known *murphi_known_new(void);
void murphi_known_free(void *known);

struct lower {
  struct ir_model *m;
  struct diag *d;
  const struct source *source;
  struct known *known;
  struct arena *tree;
  bool given; // an expression over a finished model, which declares nothing
  const struct murphi_define *defines;
  size_t define_count;
  bool *define_used;
  uint64_t while_limit;
  int64_t next_value;         // enums and scalarsets take their values from one counter
  const struct source *lined; // whose lines are known
  VEC(const char *) lines;    // where they begin
  // scopes
  struct symbol *last;
  uint32_t depth;
  // where the walk is
  struct ir_frame *frame;
  struct effects *effects;
  struct ir_chain *pre;          // statements that must run before the expression; NULL: none may
  const char *pure;              // set where calls must not change anything: "a guard"
  uint32_t conditional;          // inside operands that may be skipped
  const struct ast_expr *direct; // the call that may stand as it is
  struct symbol *function;       // the one whose body this is, or NULL
  bool returned;
  VEC(struct ir_stmt *) returns; // of the rule's body
  uint32_t nesting;
  uint64_t weight;
  bool gave_up;                  // one of the two was too much, and it was told
  VEC(struct ast_rule *) around; // rulesets, aliases and chooses around the current rule
  VEC(struct lowered_rule) lowered;
  bool priorities;                                                 // some rule has one
  uint32_t rules, starts, invariants, assumes, covers, livenesses; // seen so far
};

// --- scope.c ---
void murphi_error(struct lower *w, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void murphi_scope_open(struct lower *w);
void murphi_scope_close(struct lower *w);
// Makes the name mean something here; says so when it already does, in this very scope.
struct symbol *murphi_declare(struct lower *w, enum symbol_kind kind, const struct ast_name *name);
// What the name means; NULL with an error when nothing.
struct symbol *murphi_lookup(struct lower *w, const struct ast_name *name, const char *wanted);
bool murphi_enter(struct lower *w, struct span span); // false, with an error: nested too deeply
void murphi_leave(struct lower *w);
const char *murphi_source_text(struct lower *w, struct span span); // on one line

// --- types.c ---
const struct ir_type *murphi_type(struct lower *w, struct ast_type *t);
bool murphi_is_integer(const struct ir_type *t);
bool murphi_is_bool(const struct ir_type *t);
bool murphi_is_multiset(const struct lower *w, const struct ir_type *t);
bool murphi_has_multiset(const struct lower *w, const struct ir_type *t);
// May a value of the one stand where the other is wanted?
bool murphi_compatible(const struct ir_type *a, const struct ir_type *b);
// Is every value of the one a value of the other?
bool murphi_contained(const struct ir_type *inner, const struct ir_type *outer);
const char *murphi_type_name(struct lower *w, const struct ir_type *t); // for messages

// --- consts.c ---
// The value of a constant expression. False when it is not one; *why is then NULL, or says what
// is wrong with it (overflow, division by zero).
bool murphi_const_value(const struct ir_expr *e, int64_t *value, const char **why);
// Lowers a constant integer; false with an error when it is none.
bool murphi_const_integer(struct lower *w, struct ast_expr *e, const char *what, int64_t *value);

// --- lower_expr.c ---
struct ir_expr *murphi_value(struct lower *w, struct ast_expr *e);
struct ir_expr *murphi_condition(struct lower *w, struct ast_expr *e, const char *what);
struct ir_expr *murphi_integer(struct lower *w, struct ast_expr *e, const char *what);
// Only operands that are always evaluated may have calls with effects: what is between skips.
struct ir_expr *murphi_skippable(struct lower *w, struct ast_expr *e);
bool murphi_writable(struct lower *w, struct ast_expr *e); // says why it is not
bool murphi_fixed(const struct ast_expr *e);               // rooted in something read-only

// --- call.c ---
struct ir_expr *murphi_call(struct lower *w, struct ast_expr *e, bool statement);
void murphi_wrote(struct lower *w, const struct ir_expr *target); // notes the effect
// A fresh local, and the statement that gives it the value.
struct ir_expr *murphi_temporary(struct lower *w, const char *name, const struct ir_type *type,
                                 struct ir_expr *value, struct ir_chain *out, struct span span);

// --- quant.c ---
// Makes the variable of a quantifier known. Constant bounds only where constant.
struct ir_local *murphi_quant(struct lower *w, struct ast_quant *q, bool constant,
                              struct ir_domain **domain);
// The same for a variable that runs over the slots of a multiset; set is NULL after an error.
struct ir_local *murphi_slot(struct lower *w, struct ast_name *name, struct ir_expr *set,
                             struct ir_domain **domain);
bool murphi_undefined_word(
    const struct ast_expr *e); // the bare name undefined, meaning nothing else

// --- multiset.c ---
const struct ir_type *murphi_multiset_type(struct lower *w, int64_t size,
                                           const struct ir_type *elem);
struct ir_expr *murphi_multiset_expr(struct lower *w, struct ast_expr *e);
// A slot variable can only index its own multiset, be removed from it, and be compared with
// another.
bool murphi_is_slot(const struct ast_expr *e);
struct ir_expr *murphi_slot_of(struct lower *w, struct ast_expr *slot, const struct ir_expr *set);
struct ir_expr *murphi_slot_valid(struct lower *w, struct ir_expr *set, const struct ir_local *slot,
                                  struct span span);
struct ir_expr *murphi_slot_elem(struct lower *w, struct ir_expr *set, struct ir_expr *slot,
                                 struct span span);
struct ir_expr *murphi_multiset_count(struct lower *w, struct ast_expr *e);
void murphi_multiset_add(struct lower *w, struct ast_stmt *s, struct ir_chain *out);
void murphi_multiset_remove(struct lower *w, struct ast_stmt *s, struct ir_chain *out);
void murphi_multiset_remove_where(struct lower *w, struct ast_stmt *s, struct ir_chain *out);
void murphi_multiset_empty(struct lower *w, struct ir_expr *target, struct ir_chain *out);
void murphi_multiset_tidy(struct lower *w, struct ir_expr *target, struct ir_chain *out);
void murphi_multiset_sort(struct lower *w, struct ir_expr *target, struct ir_chain *out);

// --- lower_stmt.c ---
void murphi_stmts(struct lower *w, struct ast_stmt *s, struct ir_chain *out);

// --- alias.c ---
// Makes aliases known. With out, in a body: what they depend on is evaluated there and then;
// without, in guards and properties: they stand for their expressions.
void murphi_aliases(struct lower *w, struct ast_decl *decls, struct ir_chain *out);
// The place as it is now: indices that could change are evaluated into locals.
struct ir_expr *murphi_freeze(struct lower *w, struct ir_expr *place, const char *name,
                              struct ir_chain *out);

// --- lower_decl.c ---
void murphi_decls(struct lower *w, struct ast_decl *decls); // of the model
void murphi_local_decls(struct lower *w, struct ast_decl *decls, struct ir_chain *out);
void murphi_function(struct lower *w, struct ast_function *f);

// --- lower_rule.c ---
void murphi_rule(struct lower *w, struct ast_rule *r);
// "The rule is enabled for some instance", in the current frame; w->around says what is around it.
struct ir_expr *murphi_rule_enabled(struct lower *w, struct ast_rule *r);

// --- priority.c ---
// Gives guards what priorities demand; after all rules are lowered.
void murphi_priorities(struct lower *w);
