// SPDX-License-Identifier: Apache-2.0
// Constructors of the syntax tree, and the table of its names.
#include "front/murphi/ast.h"

#include <string.h>

static void table_grow(struct ident_table *t) {
  size_t count = t->bucket_count ? t->bucket_count * 2 : 256;
  struct ident **buckets = mem_zalloc(count, sizeof(*buckets));
  for (size_t b = 0; b < t->bucket_count; b++) {
    for (struct ident *id = t->buckets[b], *next; id; id = next) {
      next = id->chain;
      size_t slot = hash_bytes(id->text, strlen(id->text), 0) & (count - 1);
      id->chain = buckets[slot];
      buckets[slot] = id;
    }
  }
  mem_free(t->buckets);
  t->buckets = buckets;
  t->bucket_count = count;
}

struct ident *murphi_ident(struct ident_table *t, struct arena *texts, const char *text, size_t n) {
  if (t->count >= t->bucket_count) table_grow(t);
  size_t slot = hash_bytes(text, n, 0) & (t->bucket_count - 1);
  for (struct ident *id = t->buckets[slot]; id; id = id->chain)
    if (strlen(id->text) == n && memcmp(id->text, text, n) == 0) return id;
  struct ident *id = ARENA_NEW(texts, struct ident);
  id->text = arena_strndup(texts, text, n);
  id->chain = t->buckets[slot];
  t->buckets[slot] = id;
  t->count++;
  return id;
}

void murphi_ident_clear(struct ident_table *t) {
  mem_free(t->buckets);
  *t = (struct ident_table){0};
}

struct ast_name *murphi_ast_name(struct arena *a, struct ident *id, struct span span) {
  struct ast_name *n = ARENA_NEW(a, struct ast_name);
  n->ident = id;
  n->span = span;
  return n;
}

struct ast_type *murphi_ast_type(struct arena *a, enum ast_type_kind kind, struct span span) {
  struct ast_type *t = ARENA_NEW(a, struct ast_type);
  t->kind = kind;
  t->span = span;
  return t;
}

struct ast_decl *murphi_ast_decl(struct arena *a, enum ast_decl_kind kind, struct ast_name *names,
                                 struct span span) {
  struct ast_decl *d = ARENA_NEW(a, struct ast_decl);
  d->kind = kind;
  d->names = names;
  d->span = span;
  return d;
}

struct ast_expr *murphi_ast_expr(struct arena *a, enum ast_expr_kind kind, struct span span) {
  struct ast_expr *e = ARENA_NEW(a, struct ast_expr);
  e->kind = kind;
  e->span = span;
  return e;
}

struct ast_expr *murphi_ast_unary(struct arena *a, enum ast_op op, struct ast_expr *left,
                                  struct span span) {
  struct ast_expr *e = murphi_ast_expr(a, AST_UNARY, span);
  e->op = op;
  e->left = left;
  return e;
}

struct ast_expr *murphi_ast_binary(struct arena *a, enum ast_op op, struct ast_expr *left,
                                   struct ast_expr *right, struct span span) {
  struct ast_expr *e = murphi_ast_expr(a, AST_BINARY, span);
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

struct ast_stmt *murphi_ast_stmt(struct arena *a, enum ast_stmt_kind kind, struct span span) {
  struct ast_stmt *s = ARENA_NEW(a, struct ast_stmt);
  s->kind = kind;
  s->span = span;
  return s;
}

struct ast_rule *murphi_ast_rule(struct arena *a, enum ast_rule_kind kind, struct span span) {
  struct ast_rule *r = ARENA_NEW(a, struct ast_rule);
  r->kind = kind;
  r->span = span;
  return r;
}
