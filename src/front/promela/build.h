// SPDX-License-Identifier: Apache-2.0
// Private to the parser of Promela: what the grammar's actions build the tree with. Lists are rings
// while they grow: a pointer to the last item, whose next is the first.
#pragma once

#include "front/promela/scan.h"

struct pml_exprs {
  struct ast_expr **data;
  uint32_t count, capacity;
};
struct pml_names {
  const char **data;
  struct span *spans;
  uint32_t count, capacity;
};
struct pml_types {
  struct ast_type *data;
  uint32_t count, capacity;
};

#define PML_APPEND(last, item)                                                                     \
  ({                                                                                               \
    __typeof__(item) item_ = (item), last_ = (last);                                               \
    item_->next = last_ ? last_->next : item_;                                                     \
    if (last_) last_->next = item_;                                                                \
    item_;                                                                                         \
  })
#define PML_JOIN(left, right)                                                                      \
  ({                                                                                               \
    __typeof__(right) left_ = (left), right_ = (right), first_ = left_->next;                      \
    left_->next = right_->next;                                                                    \
    right_->next = first_;                                                                         \
    right_;                                                                                        \
  })
#define PML_CLOSE(last)                                                                            \
  ({                                                                                               \
    __typeof__(last) close_ = (last), first_ = close_ ? close_->next : NULL;                       \
    if (close_) close_->next = NULL;                                                               \
    first_;                                                                                        \
  })

struct span pml_span(const struct span *first, const struct span *last);
struct span pml_span_behind(const struct span *before);
// The user's text between two tokens, blanks and line ends as single blanks.
const char *pml_text_between(struct pml_build *b, const struct span *open,
                             const struct span *close);

struct ast_expr *pml_expr(struct pml_build *b, enum ast_op op, struct span at);
struct ast_expr *pml_const(struct pml_build *b, int64_t value, struct span at);
struct ast_expr *pml_expr1(struct pml_build *b, enum ast_op op, struct ast_expr *x, struct span at);
struct ast_expr *pml_expr2(struct pml_build *b, enum ast_op op, struct ast_expr *x,
                           struct ast_expr *y, struct span at);
struct ast_expr *pml_expr3(struct pml_build *b, enum ast_op op, struct ast_expr *x,
                           struct ast_expr *y, struct ast_expr *z, struct span at);
struct ast_expr *pml_list_expr(struct pml_build *b, enum ast_op op, const struct pml_exprs *args,
                               struct span at);
struct ast_expr *pml_not(struct pml_build *b, struct ast_expr *x, struct span at);
struct ast_expr *pml_ref(struct pml_build *b, const char *name, struct ast_expr *index,
                         struct span at);
struct ast_expr *pml_field(struct pml_build *b, struct ast_expr *ref, struct ast_expr *field,
                           struct span at);
struct ast_expr *pml_poll(struct pml_build *b, struct ast_expr *channel,
                          const struct pml_exprs *args, bool random, struct span at);
struct ast_expr *pml_remote_label(struct pml_build *b, const char *proc, struct ast_expr *pid,
                                  const char *label, struct span at);
struct ast_expr *pml_remote_var(struct pml_build *b, const char *proc, struct ast_expr *pid,
                                struct ast_expr *var, struct span at);

struct pml_exprs *pml_expr_add(struct pml_build *b, struct pml_exprs *list, struct ast_expr *e);
struct pml_exprs *pml_exprs_join(struct pml_build *b, struct pml_exprs *list,
                                 const struct pml_exprs *more);
struct pml_names *pml_name_add(struct pml_build *b, struct pml_names *list, const char *name,
                               struct span at);
struct pml_types *pml_type_add(struct pml_build *b, struct pml_types *list, struct ast_type t);

struct ast_type pml_type(struct pml_build *b, int64_t base, const char *name, struct span at);
void pml_no_unsigned(struct pml_build *b, const struct ast_type *t);
struct ast_decl *pml_decl(struct pml_build *b, const char *name, struct span at);
// Gives all variables of a ring their type.
struct ast_decl *pml_typed(struct pml_build *b, struct ast_decl *vars, int64_t base,
                           const char *name, int64_t visibility, struct span at);
void pml_initial(struct pml_build *b, struct ast_decl *d, const struct pml_exprs *values);
struct ast_channel *pml_channel(struct pml_build *b, struct ast_expr *capacity,
                                const struct pml_types *types);

struct ast_stmt *pml_stmt(struct pml_build *b, enum ast_stmt_kind kind, struct span at);
void pml_args(struct pml_build *b, struct ast_stmt *s, const struct pml_exprs *args);
struct ast_stmt *pml_receive(struct pml_build *b, struct ast_expr *channel,
                             const struct pml_exprs *args, bool random, bool keep, struct span at);
struct ast_stmt *pml_send(struct pml_build *b, struct ast_expr *channel,
                          const struct pml_exprs *args, bool sorted, struct span at);
struct ast_stmt *pml_assign(struct pml_build *b, struct ast_expr *lhs, struct ast_expr *value,
                            char how, struct span at);
struct ast_stmt *pml_step(struct pml_build *b, struct ast_expr *lhs, char how,
                          struct span at); // x++, x--
struct ast_stmt *pml_range(struct pml_build *b, enum ast_stmt_kind kind, struct ast_expr *lhs,
                           struct ast_expr *lo, struct ast_expr *hi, struct span at);
struct ast_stmt *pml_select(struct pml_build *b, bool in_inline, struct ast_expr *lhs,
                            struct ast_expr *lo, struct ast_expr *hi, struct span at);
struct ast_stmt *pml_printf(struct pml_build *b, const char *format, struct span format_at,
                            const struct pml_exprs *args, struct span at);
struct ast_stmt *pml_return(struct pml_build *b, struct ast_expr *value, struct span at);

struct ast_unit *pml_unit(struct pml_build *b, enum ast_unit_kind kind, struct span at);
struct ast_unit *pml_named_unit(struct pml_build *b, enum ast_unit_kind kind, const char *name,
                                const struct pml_names *names, struct span at);
struct ast_unit *pml_mtype(struct pml_build *b, int64_t base, const char *set,
                           const struct pml_names *names, struct span at);
