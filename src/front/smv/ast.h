// SPDX-License-Identifier: Apache-2.0
// The syntax tree of an SMV text: modules and their declarations, names unresolved. Expressions are
// smv_expr with NAME and SELF in them. All of it lives in the flat model's arena.
#pragma once

#include "front/smv/flat.h"

enum ast_type_kind {
  AST_BOOLEAN,
  AST_RANGE,   // lo .. hi
  AST_ENUM,    // members: NUMBER, TRUE, FALSE, NAME
  AST_WORD,    // lo: its bits
  AST_ARRAY,   // lo .. hi, elem
  AST_MODULE,  // name, members: the actual parameters
  AST_REFUSED, // an error has been told
};

struct ast_type {
  enum ast_type_kind kind;
  struct span span;
  const char *name;
  bool is_process, is_signed;
  struct smv_expr *lo, *hi;
  struct ast_type *elem;
  struct ast_list *members;
};

struct ast_list { // of expressions; of parameters (NAME)
  const struct smv_expr *expr;
  struct ast_list *next;
};

struct ast_items { // of a DEFINE in brackets: one expression, or several items
  struct span span;
  struct smv_expr *expr;
  struct ast_items *parts, *next;
};

enum ast_decl_kind {
  AST_VAR,       // kind_of_var, target, type
  AST_DEFINE,    // target, expr or items
  AST_CONSTANTS, // list
  AST_ASSIGN,    // when, target, expr
  AST_INIT,
  AST_TRANS,
  AST_INVAR,
  AST_FAIRNESS, // expr; COMPASSION: other, too
  AST_SPEC,     // spec, expr; perhaps target: its name, other: in whose scope
  AST_ISA,      // target
};

struct ast_decl {
  enum ast_decl_kind kind;
  struct span span;
  struct smv_expr *target, *expr, *other;
  struct ast_type *type;
  struct ast_items *items;
  struct ast_list *list;
  enum smv_symbol_kind variable;
  enum smv_when when;
  enum smv_spec_kind spec;
  struct ast_decl *next;
};

enum ast_progress { AST_FRESH, AST_BUSY, AST_DONE };

struct ast_module {
  const char *name;
  struct span span;
  enum ast_progress isa; // have its ISA declarations been replaced?
  struct ast_list *params;
  struct ast_decl *decls;
  struct ast_module *next;
};

// Lists are built as rings, held by their last item. (As in Murphi's tree.)
#define AST_APPEND(ring, item)                                                                     \
  ({                                                                                               \
    __typeof__(item) item_ = (item), ring_ = (ring);                                               \
    item_->next = ring_ ? ring_->next : item_;                                                     \
    if (ring_) ring_->next = item_;                                                                \
    item_;                                                                                         \
  })
#define AST_CLOSE(ring)                                                                            \
  ({                                                                                               \
    __typeof__(ring) ring_ = (ring), first_ = ring_ ? ring_->next : NULL;                          \
    if (ring_) ring_->next = NULL;                                                                 \
    first_;                                                                                        \
  })

// Names, each spelling once, so that equal names are equal pointers.
struct ast_texts {
  struct arena *arena;
  const char **slots;
  size_t count, capacity;
};
const char *smv_intern(struct ast_texts *t, const char *text, size_t n);
void smv_texts_clear(struct ast_texts *t);

struct smv_expr *smv_ast_expr(struct arena *a, enum smv_op op, struct span span,
                              uint32_t arg_count);
struct smv_expr *smv_ast_unary(struct arena *a, enum smv_op op, const struct smv_expr *x,
                               struct span span);
struct smv_expr *smv_ast_binary(struct arena *a, enum smv_op op, const struct smv_expr *x,
                                const struct smv_expr *y, struct span span);
struct smv_expr *smv_ast_listed(struct arena *a, enum smv_op op, const struct ast_list *list,
                                struct span span); // the list's items are its args
// "a.b[2]": what a name says, as text. Indices that are not numbers show as "?".
void smv_ast_spell(struct text *out, const struct smv_expr *path);
