// SPDX-License-Identifier: Apache-2.0
// Constructors of the syntax tree, and the table of its names.
#include "front/smv/ast.h"

#include <inttypes.h>
#include <string.h>

static size_t slot_of(const struct ast_texts *t, const char *text, size_t n) {
  size_t i = hash_bytes(text, n, 0) & (t->capacity - 1);
  while (t->slots[i] && (strlen(t->slots[i]) != n || memcmp(t->slots[i], text, n) != 0))
    i = (i + 1) & (t->capacity - 1);
  return i;
}

static void grow(struct ast_texts *t) {
  struct ast_texts bigger = {.arena = t->arena, .count = t->count};
  bigger.capacity = t->capacity ? 2 * t->capacity : 256;
  bigger.slots = mem_zalloc(bigger.capacity, sizeof *bigger.slots);
  for (size_t i = 0; i < t->capacity; i++)
    if (t->slots[i]) bigger.slots[slot_of(&bigger, t->slots[i], strlen(t->slots[i]))] = t->slots[i];
  mem_free(t->slots);
  *t = bigger;
}

const char *smv_intern(struct ast_texts *t, const char *text, size_t n) {
  if (2 * t->count >= t->capacity) grow(t);
  size_t i = slot_of(t, text, n);
  if (!t->slots[i]) {
    t->slots[i] = arena_strndup(t->arena, text, n);
    t->count++;
  }
  return t->slots[i];
}

void smv_texts_clear(struct ast_texts *t) {
  mem_free(t->slots);
  t->slots = NULL;
  t->count = t->capacity = 0;
}

struct smv_expr *smv_ast_expr(struct arena *a, enum smv_op op, struct span span,
                              uint32_t arg_count) {
  struct smv_expr *e = ARENA_NEW(a, struct smv_expr);
  e->op = op;
  e->span = span;
  e->arg_count = arg_count;
  if (arg_count) e->args = ARENA_ARRAY(a, const struct smv_expr *, arg_count);
  return e;
}

struct smv_expr *smv_ast_unary(struct arena *a, enum smv_op op, const struct smv_expr *x,
                               struct span span) {
  struct smv_expr *e = smv_ast_expr(a, op, span, 1);
  e->args[0] = x;
  return e;
}

struct smv_expr *smv_ast_binary(struct arena *a, enum smv_op op, const struct smv_expr *x,
                                const struct smv_expr *y, struct span span) {
  struct smv_expr *e = smv_ast_expr(a, op, span, 2);
  e->args[0] = x;
  e->args[1] = y;
  return e;
}

struct smv_expr *smv_ast_listed(struct arena *a, enum smv_op op, const struct ast_list *list,
                                struct span span) {
  uint32_t count = 0;
  for (const struct ast_list *l = list; l; l = l->next) count++;
  struct smv_expr *e = smv_ast_expr(a, op, span, count);
  count = 0;
  for (const struct ast_list *l = list; l; l = l->next) e->args[count++] = l->expr;
  return e;
}

static void spell_part(struct text *out, const struct smv_expr *e) {
  switch (e->op) {
  case SMV_NAME: text_printf(out, "%s%s", e->arg_count ? "." : "", e->text); break;
  case SMV_SELF: text_add(out, "self"); break;
  case SMV_INDEX:
    if (e->args[1]->op == SMV_NUMBER)
      text_printf(out, "[%" PRId64 "]", e->args[1]->value);
    else
      text_add(out, "[?]");
    break;
  default: text_add(out, "?"); break;
  }
}

// From the front, without recursion: a path may have any number of parts.
void smv_ast_spell(struct text *out, const struct smv_expr *path) {
  VEC(const struct smv_expr *) parts = {0};
  for (const struct smv_expr *e = path; e;) {
    VEC_PUSH(&parts, e);
    bool goes_on = (e->op == SMV_NAME || e->op == SMV_INDEX) && e->arg_count > 0;
    e = goes_on ? e->args[0] : NULL;
  }
  while (parts.count) spell_part(out, VEC_POP(&parts));
  VEC_CLEAR(&parts);
}
