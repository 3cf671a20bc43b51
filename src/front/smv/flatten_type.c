// SPDX-License-Identifier: Apache-2.0
// Symbols: of variables, an array with all of its elements; of DEFINEs, whose expressions come
// later; of constants.
#include "front/smv/flatten.h"

#include <inttypes.h>
#include <string.h>

struct smv_symbol *smv_symbol(struct smv_names *n, enum smv_symbol_kind kind, const char *name,
                              struct span span, const struct instance *home) {
  struct smv_flat *f = n->flat;
  if (f->symbols.count >= SYMBOLS_MAX) {
    smv_too_large(n, span, "names", SYMBOLS_MAX);
    return NULL;
  }
  struct smv_symbol *s = ARENA_NEW(f->arena, struct smv_symbol);
  s->kind = kind;
  s->name = smv_intern(&n->texts, name, strlen(name));
  s->span = span;
  s->id = (uint32_t)f->symbols.count;
  s->process = home ? home->process : 0;
  VEC_PUSH(&f->symbols, s);
  VEC_PUSH(&n->bodies, (struct body){0});
  if (kind != SMV_CONSTANT || !smv_table_get(&n->symbols, s->name, NULL))
    smv_table_put(&n->symbols, s->name, NULL, s);
  return s;
}

void smv_declare_constant(struct smv_names *n, const char *name, struct span span) {
  if (smv_table_get(&n->constants, name, NULL)) return;
  struct smv_symbol *s = smv_symbol(n, SMV_CONSTANT, name, span, NULL);
  if (s) smv_table_put(&n->constants, name, NULL, s);
}

static const char *full_name(struct smv_names *n, const struct entry *e) {
  const char *home = e->home->name;
  return *home ? arena_printf(n->flat->arena, "%s.%s", home, e->name) : e->name;
}

static const char *element_name(struct smv_names *n, const struct smv_symbol *array, int64_t i) {
  return arena_printf(n->flat->arena, "%s[%" PRId64 "]", array->name, i);
}

// --- types ---

static bool range(struct smv_names *n, const struct instance *scope, const struct ast_type *t,
                  int64_t *lo, int64_t *hi) {
  const char *what = t->kind == AST_ARRAY ? "a bound of an array" : "a bound of a range";
  bool low = smv_known_here(n, scope, t->lo, what, lo);
  if (!smv_known_here(n, scope, t->hi, what, hi) || !low) return false;
  if (*lo <= *hi) return true;
  smv_error(n, t->span, "the range %" PRId64 "..%" PRId64 " is empty; expected its bounds in order",
            *lo, *hi);
  return false;
}

static bool word(struct smv_names *n, const struct instance *scope, const struct ast_type *t,
                 struct smv_type *to) {
  int64_t bits;
  if (!smv_known_here(n, scope, t->lo, "the size of a word", &bits)) return false;
  if (bits < 1 || bits > 64) {
    smv_error(n, t->lo->span, "a word of %" PRId64 " bits; expected 1 to 64", bits);
    return false;
  }
  to->bits = (uint8_t)bits;
  to->is_signed = t->is_signed;
  return true;
}

// {FALSE, TRUE} is boolean; next to other values they have no place.
static bool truth_values(struct smv_names *n, const struct ast_type *t, bool *are_all) {
  bool seen[2] = {false, false};
  const struct smv_expr *other = NULL, *truth = NULL;
  for (const struct ast_list *l = t->members; l; l = l->next) {
    bool is = l->expr->op == SMV_TRUE || l->expr->op == SMV_FALSE;
    if (is) seen[l->expr->op == SMV_TRUE] = true;
    *(is ? &truth : &other) = l->expr;
  }
  *are_all = truth && !other && seen[0] && seen[1];
  if (!truth || *are_all) return true;
  smv_error(n, truth->span,
            "TRUE and FALSE as members of an enumeration are not supported: expected "
            "names and numbers, or boolean");
  return false;
}

static bool enumeration(struct smv_names *n, const struct ast_type *t, struct smv_type *to) {
  bool boolean;
  if (!truth_values(n, t, &boolean)) return false;
  if (boolean) {
    to->kind = SMV_TYPE_BOOLEAN;
    return true;
  }
  uint32_t count = 0;
  for (const struct ast_list *l = t->members; l; l = l->next) count++;
  struct smv_member *members = ARENA_ARRAY(n->flat->arena, struct smv_member, count);
  struct table seen = {0};
  for (const struct ast_list *l = t->members; l; l = l->next) {
    const void *key = l->expr->text ? (const void *)l->expr->text : (const void *)n;
    const void *number = (const void *)(uintptr_t)l->expr->value;
    if (smv_table_get(&seen, key, number)) continue; // said twice is said
    smv_table_put(&seen, key, number, n);
    members[to->member_count++] =
        (struct smv_member){.name = l->expr->text, .number = l->expr->value};
  }
  smv_table_clear(&seen);
  to->members = members;
  return true;
}

static const struct smv_type *scalar(struct smv_names *n, const struct instance *scope,
                                     const struct ast_type *t) {
  struct smv_type *to = ARENA_NEW(n->flat->arena, struct smv_type);
  bool good = true;
  switch (t->kind) {
  case AST_BOOLEAN: to->kind = SMV_TYPE_BOOLEAN; break;
  case AST_RANGE:
    to->kind = SMV_TYPE_RANGE;
    good = range(n, scope, t, &to->lo, &to->hi);
    break;
  case AST_ENUM:
    to->kind = SMV_TYPE_ENUM;
    good = enumeration(n, t, to);
    break;
  case AST_WORD:
    to->kind = SMV_TYPE_WORD;
    good = word(n, scope, t, to);
    break;
  default: good = false; break; // told when it was read or declared
  }
  return good ? to : NULL;
}

// --- variables ---

struct made { // what all elements of a variable share
  struct smv_names *n;
  const struct entry *entry;
  const struct smv_type *type;
  VEC(int64_t) bounds; // lo, hi, lo, hi
};

// All bounds before the first element: an array that is too large is refused at once.
static bool dimensions(struct made *m, const struct ast_type **t) {
  uint64_t total = 1;
  for (; (*t)->kind == AST_ARRAY; *t = (*t)->elem) {
    int64_t lo, hi;
    uint64_t size;
    if (!range(m->n, m->entry->scope, *t, &lo, &hi)) return false;
    size = (uint64_t)hi - (uint64_t)lo + 1;
    if (size == 0 || size > SYMBOLS_MAX || (total *= size) > SYMBOLS_MAX) {
      smv_error(m->n, (*t)->span, "the array is too large; expected at most %d elements",
                (int)SYMBOLS_MAX);
      return false;
    }
    if (m->bounds.count >= 2 * INSTANCE_NESTING_MAX) {
      smv_error(m->n, (*t)->span, "nested too deeply: more than %d levels",
                (int)INSTANCE_NESTING_MAX);
      return false;
    }
    VEC_PUSH(&m->bounds, lo);
    VEC_PUSH(&m->bounds, hi);
  }
  return true;
}

static struct smv_symbol *variable(struct made *m, const char *name, size_t level) {
  bool array = level < m->bounds.count;
  struct smv_symbol *s = smv_symbol(m->n, array ? SMV_ARRAY : m->entry->decl->variable, name,
                                    m->entry->span, m->entry->home);
  if (!s || !array) {
    if (s) s->type = m->type;
    return s;
  }
  s->lo = m->bounds.data[level];
  s->hi = m->bounds.data[level + 1];
  uint64_t size = (uint64_t)(s->hi - s->lo + 1);
  s->elements = ARENA_ARRAY(m->n->flat->arena, const struct smv_symbol *, size);
  for (uint64_t i = 0; i < size; i++) {
    s->elements[i] = variable(m, element_name(m->n, s, s->lo + (int64_t)i), level + 2);
    if (!s->elements[i]) return NULL;
  }
  return s;
}

bool smv_make_variable(struct smv_names *n, struct entry *e) {
  struct made m = {.n = n, .entry = e};
  const struct ast_type *t = e->decl->type;
  if (dimensions(&m, &t)) m.type = scalar(n, e->scope, t);
  if (m.type) e->thing.symbol = variable(&m, full_name(n, e), 0);
  VEC_CLEAR(&m.bounds);
  return e->thing.symbol != NULL;
}

// --- DEFINEs ---

static struct smv_symbol *define(struct smv_names *n, const struct entry *e, const char *name,
                                 const struct smv_expr *expr, const struct ast_items *items) {
  struct smv_symbol *s = smv_symbol(n, items ? SMV_ARRAY : SMV_DEFINE, name, e->span, e->home);
  if (!s || !smv_enter(n, e->span)) return NULL;
  n->bodies.data[s->id] = (struct body){.expr = expr, .scope = e->scope};
  uint32_t count = 0;
  for (const struct ast_items *i = items; i; i = i->next) count++;
  if (count) s->elements = ARENA_ARRAY(n->flat->arena, const struct smv_symbol *, count);
  s->hi = count ? count - 1 : 0;
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++, items = items->next) {
    s->elements[i] = define(n, e, element_name(n, s, i), items->expr, items->parts);
    good = s->elements[i] != NULL;
  }
  smv_leave(n);
  return good ? s : NULL;
}

bool smv_make_define(struct smv_names *n, struct entry *e) {
  if (smv_other_name(n, e, &e->thing)) return true;
  e->thing.symbol = define(n, e, full_name(n, e), e->decl->expr, e->decl->items);
  return e->thing.symbol != NULL;
}
