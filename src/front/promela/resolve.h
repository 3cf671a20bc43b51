// SPDX-License-Identifier: Apache-2.0
// Resolving names: what the files resolve*.c and types.c share.
#pragma once

#include "front/promela/program.h"

struct binding {
  struct pml_symbol *sym;
  struct binding *next;
};
struct scope { // SPIN's: a pair of braces
  struct scope *up;
  struct binding *bindings;
};

struct resolve {
  struct pml_program *p;
  struct arena *arena; // of the tree; what stays is in p->arena
  struct diag *diag;
  struct scope *scope;   // the outermost has the globals
  struct pml_proc *proc; // NULL: outside of processes
  bool may_initialise;   // declarations are still initial ones, not assignments
  bool in_d_step;
  bool is_read;                   // references count as reads (not in printf)
  uint32_t runs;                  // in the statement at hand
  VEC(struct ast_expr *) remotes; // to be resolved when all processes are
};

// types.c
bool types_of(struct resolve *r, const struct ast_type *t, struct pml_type *out);
const struct pml_mtype *types_mtype(const struct resolve *r, const char *name);
void types_add_mtypes(struct resolve *r, const struct ast_unit *u);
uint32_t types_leaf_count(const struct pml_symbol *s); // of scalars, arrays element by element
const struct pml_channel *types_channel(struct resolve *r, const struct ast_channel *c,
                                        struct span span);
const struct pml_symbol *types_field(const struct pml_struct *s, const char *name);
const char *types_name(const struct pml_type *t);
void types_check_constant(struct resolve *r, const struct pml_type *t, const struct ast_expr *e);

// resolve_decl.c
struct pml_symbol *resolve_declare(struct resolve *r, struct ast_decl *d,
                                   enum pml_symbol_kind kind);
void resolve_typedef(struct resolve *r, struct ast_unit *u);
struct ast_stmt *resolve_late_decls(struct resolve *r, struct ast_decl *decls);
struct ast_expr *resolve_hidden_counter(struct resolve *r, struct span span, uint32_t max);
void resolve_enter(struct resolve *r);
void resolve_leave(struct resolve *r);
struct pml_symbol *resolve_find(const struct resolve *r, const char *name);

// resolve_expr.c
void resolve_expr(struct resolve *r, struct ast_expr *e);
bool resolve_variable(struct resolve *r, struct ast_expr *e); // a place, not to be read here
void resolve_channel(struct resolve *r, struct ast_expr *e);
void resolve_pattern(struct resolve *r, struct ast_expr ***args, uint32_t *count, bool is_poll);
void resolve_check_fields(struct resolve *r, const struct ast_expr *channel, uint32_t count,
                          struct span span, bool may_be_fewer);
// Resolves arguments, and replaces structures by their fields.
void resolve_args(struct resolve *r, struct ast_expr ***args, uint32_t *count);
void resolve_expand(struct resolve *r, struct ast_expr ***args, uint32_t *count);
const struct ast_expr *resolve_end(const struct ast_expr *ref); // the last field of a reference
struct ast_expr *resolve_ref_to(struct resolve *r, struct pml_symbol *s, struct span span);
void resolve_remotes(struct resolve *r);
uint32_t resolve_proc(struct resolve *r, const char *name, struct span span);

// resolve_stmt.c
void resolve_sequence(struct resolve *r, struct ast_stmt *first);
