// SPDX-License-Identifier: Apache-2.0
// What the steps of flattening share. Names are given their meaning in this order: all instances
// are made (flatten_instance.c), then the symbols of all declarations (flatten_type.c), then what
// stands in expressions (flatten_expr.c, flatten_decl.c). What is needed earlier is made when asked
// for; whoever is asked again while still at work depends on himself.
#pragma once

#include "front/smv/ast.h"

enum {
  SYMBOLS_MAX = 1000000, // with instances and parameters
  EXPRS_MAX = 5000000,   // nodes
  PROCESSES_MAX = 10000,
  INSTANCE_NESTING_MAX = 200,      // instances in instances
  CALLS_MAX = 3 * SMV_NESTING_MAX, // of C functions within each other
};

// A map from pairs of pointers.
struct table_slot {
  const void *a, *b;
  void *value; // NULL: free
};

struct table {
  struct table_slot *slots;
  size_t count, capacity;
};
void *smv_table_get(const struct table *t, const void *a, const void *b);
void smv_table_put(struct table *t, const void *a, const void *b, void *value);
void smv_table_clear(struct table *t);

struct instance {
  const struct ast_module *module;
  const struct instance *parent; // NULL: main
  const char *name;              // whole; of main ""
  uint32_t process, depth;
};

// What a name or an expression leads to: one of these.
struct thing {
  const struct instance *instance;
  const struct smv_symbol *symbol;
  const struct smv_expr *expr;
};

enum progress { FRESH, BUSY, DONE, FAILED };
enum entry_kind { ENTRY_PARAM, ENTRY_INSTANCE, ENTRY_VAR, ENTRY_DEFINE };

struct entry { // what is declared in an instance
  enum entry_kind kind;
  enum progress state;
  const char *name;
  struct span span;
  const struct instance *home;  // in whose scope it is found
  const struct instance *scope; // in whose scope its text is read
  const struct ast_decl *decl;  // VAR, DEFINE
  const struct smv_expr *expr;  // PARAM: the actual
  struct thing thing;           // when DONE
};

struct body { // of a symbol that is a DEFINE
  const struct smv_expr *expr;
  const struct instance *scope;
  enum progress state;
};

struct known { // of an expression: is it constant?
  enum progress state;
  int64_t value;
};

struct smv_names { // also what smv_flatten works on
  struct smv_flat *flat;
  struct diag *d;
  struct ast_texts texts;
  const struct instance *main;
  struct table modules;   // of (name, NULL)
  struct table entries;   // of (instance, name)
  struct table constants; // smv_symbol of (name, NULL)
  struct table symbols;   // of (whole name, NULL)
  struct table assigned;  // spans: flatten_decl.c
  VEC(struct entry *) declared;
  VEC(const struct instance *) instances;
  VEC(struct smv_symbol *) running; // of processes
  VEC(struct body) bodies;          // by symbol
  VEC(struct known) known;          // by expression
  const char *running_name;
  bool dotted;  // there are names with dots or brackets in them: an already flat text
  bool gave_up; // the limits were passed, and told
  uint32_t calls;
};

// --- flatten.c ---
// Modules are instantiated many times; an error is told once.
void smv_error(struct smv_names *n, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Around recursion. False, with an error: too deep.
bool smv_enter(struct smv_names *n, struct span span);
void smv_leave(struct smv_names *n);
// The model is too large: says so once.
void smv_too_large(struct smv_names *n, struct span span, const char *what, uint32_t most);

// --- flatten_module.c ---
void smv_know_modules(struct smv_names *n, struct ast_module *modules);
struct ast_module *smv_module(const struct smv_names *n, const char *name);
void smv_no_module(struct smv_names *n, struct span span, const char *name);
// Puts the declarations of others in place of ISA; false: it has been told why not.
bool smv_expand_isa(struct smv_names *n, struct ast_module *m);

// --- flatten_instance.c ---
void smv_instantiate(struct smv_names *n, const struct ast_module *main);

// --- flatten_name.c ---
struct entry *smv_entry(const struct smv_names *n, const struct instance *home, const char *name);
// Leads a path or any other expression to what it stands for; false: it has been told why not.
bool smv_thing(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
               struct thing *t);
bool smv_entry_thing(struct smv_names *n, struct entry *e, struct thing *t); // t: or NULL
// The instance that a path of names leads to; NULL, without a word: none.
const struct instance *smv_path_instance(struct smv_names *n, const struct instance *scope,
                                         const struct smv_expr *path);
// Is the DEFINE just another name of an instance or an array?
bool smv_other_name(struct smv_names *n, const struct entry *define, struct thing *t);

// --- flatten_type.c ---
struct smv_symbol *smv_symbol(struct smv_names *n, enum smv_symbol_kind kind, const char *name,
                              struct span span, const struct instance *home);
void smv_declare_constant(struct smv_names *n, const char *name, struct span span);
bool smv_make_variable(struct smv_names *n, struct entry *e);
bool smv_make_define(struct smv_names *n, struct entry *e);

// --- flatten_const.c ---
bool smv_known(struct smv_names *n, const struct smv_expr *e, int64_t *value);
bool smv_known_here(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
                    const char *what, int64_t *value);

// --- flatten_expr.c ---
// NULL: errors were told.
const struct smv_expr *smv_flat_expr(struct smv_names *n, const struct instance *scope,
                                     const struct smv_expr *e);
// A new node like another, its args to be filled in; then it is finished.
struct smv_expr *smv_flat_node(struct smv_names *n, const struct smv_expr *like,
                               uint32_t arg_count);
const struct smv_expr *smv_flat_finish(struct smv_names *n, struct smv_expr *e);
const struct smv_expr *smv_flat_symbol(struct smv_names *n, const struct smv_symbol *s,
                                       const struct smv_expr *use);
// The array that the values of an expression are, or NULL.
const struct smv_symbol *smv_array_of(const struct smv_expr *e);
void smv_flat_define(struct smv_names *n, const struct smv_symbol *s);

// --- flatten_decl.c ---
void smv_flat_decls(struct smv_names *n);

// --- flatten_order.c ---
void smv_check_dependencies(struct smv_names *n);
