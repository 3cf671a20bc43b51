// SPDX-License-Identifier: Apache-2.0
// Types, mtype values and constants. Values of an mtype set are numbered as SPIN does: within one
// declaration from the last name to the first, and later declarations of the set go on from there.
#include "front/promela/resolve.h"

#include <inttypes.h>
#include <string.h>

#define MTYPE_MAX 255

static const struct pml_struct *find_struct(const struct resolve *r, const char *name) {
  for (size_t i = 0; i < r->p->structs.count; i++)
    if (strcmp(r->p->structs.data[i]->name, name) == 0) return r->p->structs.data[i];
  return NULL;
}

bool types_of(struct resolve *r, const struct ast_type *t, struct pml_type *out) {
  *out = (struct pml_type){.base = t->base};
  if (t->base == AST_MTYPE && t->name) out->mtype_set = arena_strdup(r->p->arena, t->name);
  if (t->base != AST_STRUCT) return true;
  out->fields = find_struct(r, t->name);
  if (!out->fields) diag_error(r->diag, t->span, "there is no type %s", t->name);
  return out->fields != NULL;
}

const char *types_name(const struct pml_type *t) {
  static const char *const names[] = {
      [AST_BIT] = "bit",     [AST_BYTE] = "byte", [AST_PID] = "pid",
      [AST_SHORT] = "short", [AST_INT] = "int",   [AST_UNSIGNED] = "unsigned",
      [AST_MTYPE] = "mtype", [AST_CHAN] = "chan", [AST_STRUCT] = "a structure",
  };
  return names[t->base];
}

// ---------------------------------------------------------------------------------------------
// mtype

static bool same_set(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

const struct pml_mtype *types_mtype(const struct resolve *r, const char *name) {
  for (size_t i = 0; i < r->p->mtypes.count; i++)
    if (strcmp(r->p->mtypes.data[i].name, name) == 0) return &r->p->mtypes.data[i];
  return NULL;
}

static int64_t set_size(const struct resolve *r, const char *set) {
  int64_t size = 0;
  for (size_t i = 0; i < r->p->mtypes.count; i++) size += same_set(r->p->mtypes.data[i].set, set);
  return size;
}

void types_add_mtypes(struct resolve *r, const struct ast_unit *u) {
  int64_t value = set_size(r, u->name);
  const char *set = u->name ? arena_strdup(r->p->arena, u->name) : NULL;
  for (uint32_t i = u->name_count; i-- > 0;) {
    if (types_mtype(r, u->names[i]) || resolve_find(r, u->names[i])) {
      diag_error(r->diag, u->name_spans[i], "%s is declared already", u->names[i]);
      continue;
    }
    struct pml_mtype m = {
        .name = arena_strdup(r->p->arena, u->names[i]), .set = set, .value = ++value};
    VEC_PUSH(&r->p->mtypes, m);
  }
  if (value > MTYPE_MAX)
    diag_error(r->diag, u->span, "an mtype set can have at most %d names", MTYPE_MAX);
}

// ---------------------------------------------------------------------------------------------
// Structures and channels

const struct pml_symbol *types_field(const struct pml_struct *s, const char *name) {
  for (uint32_t i = 0; i < s->field_count; i++)
    if (strcmp(s->fields[i]->name, name) == 0) return s->fields[i];
  return NULL;
}

uint32_t types_leaf_count(const struct pml_symbol *s) {
  if (s->type.base != AST_STRUCT) return s->length;
  uint32_t count = 0;
  if (s->type.fields)
    for (uint32_t i = 0; i < s->type.fields->field_count; i++)
      count += types_leaf_count(s->type.fields->fields[i]);
  return count * s->length;
}

typedef VEC(struct pml_type) type_list;

static void flatten(struct resolve *r, const struct pml_type *t, uint32_t length, bool is_array,
                    struct span span, type_list *out) {
  if (t->base != AST_STRUCT) {
    for (uint32_t i = 0; i < length; i++) VEC_PUSH(out, *t);
    return;
  }
  if (is_array) diag_error(r->diag, span, "an array of structures cannot be sent in a message");
  if (!t->fields) return;
  for (uint32_t i = 0; i < t->fields->field_count; i++) {
    const struct pml_symbol *f = t->fields->fields[i];
    flatten(r, &f->type, f->length, f->is_array, span, out);
  }
}

const struct pml_channel *types_channel(struct resolve *r, const struct ast_channel *c,
                                        struct span span) {
  struct pml_channel *out = ARENA_NEW(r->p->arena, struct pml_channel);
  int64_t capacity = 0;
  out->span = span;
  resolve_expr(r, c->capacity);
  if (!pml_constant(c->capacity, &capacity) || capacity < 0 || capacity > 255)
    diag_error(r->diag, c->capacity->span, "the capacity of a channel is a number from 0 to 255");
  else
    out->capacity = (uint32_t)capacity;
  type_list fields = {0};
  for (uint32_t i = 0; i < c->type_count; i++) {
    struct pml_type t;
    if (c->types[i].base == AST_UNSIGNED)
      diag_error(r->diag, c->types[i].span, "unsigned cannot be the type of a message field");
    else if (types_of(r, &c->types[i], &t))
      flatten(r, &t, 1, false, c->types[i].span, &fields);
  }
  out->field_count = (uint32_t)fields.count;
  if (fields.count == 1 && fields.data[0].base == AST_BIT)
    fields.data[0].base = AST_BYTE; // a uchar in pan
  out->fields = ARENA_ARRAY(r->p->arena, struct pml_type, fields.count);
  if (fields.count > 0) memcpy(out->fields, fields.data, fields.count * sizeof *fields.data);
  VEC_CLEAR(&fields);
  return out;
}

// ---------------------------------------------------------------------------------------------
// Constants

static bool binary(enum ast_op op, int64_t a, int64_t b, int64_t *value) {
  int32_t x = (int32_t)a, y = (int32_t)b;
  if ((op == AST_DIV || op == AST_MOD) && y == 0) return false;
  switch (op) {
  case AST_ADD: *value = (int32_t)((uint32_t)x + (uint32_t)y); return true;
  case AST_SUB: *value = (int32_t)((uint32_t)x - (uint32_t)y); return true;
  case AST_MUL: *value = (int32_t)((uint32_t)x * (uint32_t)y); return true;
  case AST_DIV: *value = (int32_t)((int64_t)x / y); return true;
  case AST_MOD: *value = (int32_t)((int64_t)x % y); return true;
  case AST_BITAND: *value = x & y; return true;
  case AST_BITOR: *value = x | y; return true;
  case AST_BITXOR: *value = x ^ y; return true;
  case AST_SHL: *value = (int32_t)((uint32_t)x << (y & 31)); return true;
  case AST_SHR: *value = x >> (y & 31); return true;
  case AST_LT: *value = x < y; return true;
  case AST_LE: *value = x <= y; return true;
  case AST_GT: *value = x > y; return true;
  case AST_GE: *value = x >= y; return true;
  case AST_EQ: *value = x == y; return true;
  case AST_NE: *value = x != y; return true;
  case AST_AND: *value = x && y; return true;
  case AST_OR: *value = x || y; return true;
  default: return false;
  }
}

bool pml_constant(const struct ast_expr *e, int64_t *value) {
  int64_t a, b;
  switch (e->op) {
  case AST_CONST: *value = e->value; return true;
  case AST_NOT:
  case AST_NEG:
  case AST_BITNOT:
    if (!pml_constant(e->args[0], &a)) return false;
    *value = e->op == AST_NOT ? !a : (int32_t)(e->op == AST_NEG ? -a : ~a);
    return true;
  case AST_COND: return pml_constant(e->args[0], &a) && pml_constant(e->args[a ? 1 : 2], value);
  default: break;
  }
  if (e->op < AST_ADD || e->op > AST_OR) return false;
  return pml_constant(e->args[0], &a) && pml_constant(e->args[1], &b) && binary(e->op, a, b, value);
}

static int64_t truncated(const struct pml_type *t, int64_t v) {
  switch (t->base) {
  case AST_BIT: return v & 1;
  case AST_BYTE:
  case AST_PID:
  case AST_MTYPE:
  case AST_CHAN: return (uint8_t)v;
  case AST_SHORT: return (int16_t)v;
  case AST_UNSIGNED: return v & ((INT64_C(1) << t->bits) - 1);
  default: return v;
  }
}

static void check_set(struct resolve *r, const struct pml_type *t, const struct ast_expr *e) {
  if (e->op != AST_CONST || !e->type || t->base != AST_MTYPE) return;
  if (!same_set(t->mtype_set, e->type->mtype_set))
    diag_warning(r->diag, e->span, "%s belongs to another mtype", e->name);
}

void types_check_constant(struct resolve *r, const struct pml_type *t, const struct ast_expr *e) {
  int64_t value;
  check_set(r, t, e);
  if (!pml_constant(e, &value) || truncated(t, value) == value) return;
  diag_warning(r->diag, e->span, "%" PRId64 " does not fit into %s: it is truncated to %" PRId64,
               value, types_name(t), truncated(t, value));
}
