// SPDX-License-Identifier: Apache-2.0
// Type expressions to IR types, and what goes together. Enums and scalarsets number their values
// through the whole model, so the parts of a union never share one.
#include "front/murphi/lower.h"

#include <inttypes.h>
#include <string.h>

bool murphi_is_bool(const struct ir_type *t) { return t->kind == IR_TYPE_BOOL; }

bool murphi_is_integer(const struct ir_type *t) {
  return t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_INT;
}

static bool is_named_value(const struct ir_type *t) {
  return t->kind == IR_TYPE_ENUM || t->kind == IR_TYPE_SCALARSET || t->kind == IR_TYPE_UNION;
}

bool murphi_is_multiset(const struct lower *w, const struct ir_type *t) {
  for (size_t i = 0; i < w->known->multisets.count; i++)
    if (w->known->multisets.data[i] == t) return true;
  return false;
}

bool murphi_has_multiset(const struct lower *w, const struct ir_type *t) {
  if (w->known->multisets.count == 0 || ir_type_scalar(t)) return false;
  if (murphi_is_multiset(w, t)) return true;
  if (t->kind == IR_TYPE_ARRAY) return murphi_has_multiset(w, t->elem);
  for (uint32_t i = 0; i < t->field_count; i++)
    if (murphi_has_multiset(w, t->fields[i].type)) return true;
  return false;
}

static bool overlap(const struct ir_type *a, const struct ir_type *b) {
  if (a->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < a->part_count; i++)
      if (overlap(a->parts[i], b)) return true;
    return false;
  }
  if (b->kind == IR_TYPE_UNION) return overlap(b, a);
  return a->kind == b->kind && a->lo == b->lo;
}

bool murphi_compatible(const struct ir_type *a, const struct ir_type *b) {
  if (murphi_is_integer(a) && murphi_is_integer(b)) return true;
  if (is_named_value(a) && is_named_value(b)) return overlap(a, b);
  return ir_type_same(a, b);
}

bool murphi_contained(const struct ir_type *inner, const struct ir_type *outer) {
  if (inner->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < inner->part_count; i++)
      if (!murphi_contained(inner->parts[i], outer)) return false;
    return true;
  }
  if (outer->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < outer->part_count; i++)
      if (murphi_contained(inner, outer->parts[i])) return true;
    return false;
  }
  return !ir_type_scalar(inner) || (inner->lo >= outer->lo && inner->hi <= outer->hi);
}

const char *murphi_type_name(struct lower *w, const struct ir_type *t) {
  struct arena *a = w->tree;
  if (t == w->m->int_type) return "an integer";
  if (murphi_is_bool(t)) return "a boolean";
  if (t->name) return arena_printf(a, "a value of type %s", t->name);
  if (murphi_is_multiset(w, t)) return "a multiset";
  switch (t->kind) {
  case IR_TYPE_RANGE: return arena_printf(a, "an integer of %" PRId64 "..%" PRId64, t->lo, t->hi);
  case IR_TYPE_ENUM: return arena_printf(a, "a value of enum {%s ...}", t->members[0]);
  case IR_TYPE_SCALARSET: return "a value of a scalarset";
  case IR_TYPE_UNION: return "a value of a union";
  case IR_TYPE_ARRAY: return "an array";
  case IR_TYPE_RECORD: return "a record";
  default: return "an integer";
  }
}

// --- the kinds of type expressions ---

static struct ir_type *range_type(struct lower *w, struct ast_type *t) {
  int64_t lo, hi;
  bool ok = murphi_const_integer(w, t->lo, "the lower bound of a range", &lo);
  ok &= murphi_const_integer(w, t->hi, "the upper bound of a range", &hi);
  if (!ok) return NULL;
  if (lo > hi) {
    murphi_error(w, t->span,
                 "the range %" PRId64 "..%" PRId64
                 " is empty; expected a lower bound that is not above the upper one",
                 lo, hi);
    return NULL;
  }
  if (lo == IR_UNDEF || hi == INT64_MAX) {
    murphi_error(w, t->span,
                 "the range is too wide; expected bounds between %" PRId64 " and %" PRId64,
                 IR_UNDEF + 1, INT64_MAX - 1);
    return NULL;
  }
  return ir_type_range(w->m, lo, hi);
}

static void declare_members(struct lower *w, struct ast_type *t) {
  int64_t value = t->ir->lo;
  for (struct ast_name *n = t->names; n; n = n->next) {
    struct symbol *s = murphi_declare(w, SYMBOL_CONST, n);
    s->type = t->ir;
    s->value = value++;
  }
}

static struct ir_type *enum_type(struct lower *w, struct ast_type *t) {
  VEC(const char *) names = {0};
  for (struct ast_name *n = t->names; n; n = n->next) VEC_PUSH(&names, n->ident->text);
  struct ir_type *r = NULL;
  if ((int64_t)names.count > MURPHI_VALUES_MAX)
    murphi_error(w, t->span, "the enumeration has %zu members; expected at most %" PRId64,
                 names.count, MURPHI_VALUES_MAX);
  else
    r = ir_type_enum(w->m, w->next_value, names.data, (uint32_t)names.count);
  w->next_value += (int64_t)names.count;
  VEC_CLEAR(&names);
  return r;
}

static struct ir_type *scalarset_type(struct lower *w, struct ast_type *t) {
  int64_t n;
  if (!murphi_const_integer(w, t->lo, "the size of a scalarset", &n)) return NULL;
  if (n < 1 || n > MURPHI_VALUES_MAX) {
    murphi_error(w, t->lo->span, "a scalarset of %" PRId64 " values; expected 1 to %" PRId64, n,
                 MURPHI_VALUES_MAX);
    return NULL;
  }
  struct ir_type *r = ir_type_scalarset(w->m, w->next_value, (uint64_t)n);
  w->next_value += n;
  return r;
}

static bool add_part(struct lower *w, const struct ir_type **parts, uint32_t *count, uint32_t room,
                     const struct ir_type *p, struct span span) {
  for (uint32_t i = 0; i < *count; i++) {
    if (!overlap(parts[i], p)) continue;
    murphi_error(w, span, "this part is already in the union; expected each part once");
    return false;
  }
  assert(*count < room);
  parts[(*count)++] = p;
  return true;
}

// The parts of a union that is itself a part are taken in its place.
static struct ir_type *union_type(struct lower *w, struct ast_type *t) {
  uint32_t room = 0, count = 0;
  bool ok = true;
  for (struct ast_type *p = t->parts; p; p = p->next) {
    const struct ir_type *r = murphi_type(w, p);
    ok &= r != NULL;
    if (r && !is_named_value(r)) {
      murphi_error(w, p->span, "expected the name of an enumeration or a scalarset in a union");
      ok = false;
    }
    if (r) room += r->kind == IR_TYPE_UNION ? r->part_count : 1;
  }
  if (!ok) return NULL;
  const struct ir_type **parts = ARENA_ARRAY(w->tree, const struct ir_type *, room);
  for (struct ast_type *p = t->parts; p && ok; p = p->next) {
    const struct ir_type *r = p->kind == AST_TYPE_NAME ? p->names->ident->symbol->type : p->ir;
    for (uint32_t i = 0; ok && r->kind == IR_TYPE_UNION && i < r->part_count; i++)
      ok = add_part(w, parts, &count, room, r->parts[i], p->span);
    if (ok && r->kind != IR_TYPE_UNION) ok = add_part(w, parts, &count, room, r, p->span);
  }
  return ok ? ir_type_union(w->m, parts, count) : NULL;
}

static bool leaves_fit(struct lower *w, struct span span, uint64_t leaves) {
  if (leaves <= (uint64_t)MURPHI_LEAVES_MAX) return true;
  murphi_error(w, span, "the type holds more than %" PRId64 " scalars; expected fewer",
               MURPHI_LEAVES_MAX);
  return false;
}

static struct ir_type *array_type(struct lower *w, struct ast_type *t) {
  const struct ir_type *index = murphi_type(w, t->index), *elem = murphi_type(w, t->elem);
  if (!index || !elem) return NULL;
  if (!ir_type_scalar(index)) {
    murphi_error(w, t->index->span,
                 "an array is indexed by a range, boolean, enumeration, "
                 "scalarset or union, not by %s",
                 murphi_type_name(w, index));
    return NULL;
  }
  uint64_t n = ir_type_count(index);
  if (n > (uint64_t)MURPHI_VALUES_MAX) {
    murphi_error(w, t->index->span, "an array of %" PRIu64 " elements; expected at most %" PRId64,
                 n, MURPHI_VALUES_MAX);
    return NULL;
  }
  return leaves_fit(w, t->span, n * elem->leaves) ? ir_type_array(w->m, index, elem) : NULL;
}

static struct ir_type *record_type(struct lower *w, struct ast_type *t) {
  VEC(struct ir_field) fields = {0};
  bool ok = true;
  uint64_t leaves = 0;
  for (struct ast_decl *d = t->fields; d; d = d->next) {
    const struct ir_type *type = murphi_type(w, d->type);
    ok &= type != NULL;
    for (struct ast_name *n = d->names; n; n = n->next) {
      for (size_t i = 0; i < fields.count; i++) {
        if (fields.data[i].name != n->ident->text) continue;
        murphi_error(w, n->span, "the record already has a field '%s'; expected another name",
                     n->ident->text);
      }
      if (type) VEC_PUSH(&fields, ((struct ir_field){.name = n->ident->text, .type = type}));
      if (type) leaves += type->leaves;
      if (leaves > (uint64_t)MURPHI_LEAVES_MAX) break;
    }
  }
  ok = ok && leaves_fit(w, t->span, leaves);
  struct ir_type *r = ok ? ir_type_record(w->m, fields.data, (uint32_t)fields.count) : NULL;
  VEC_CLEAR(&fields);
  return r;
}

static struct ir_type *multiset_type(struct lower *w, struct ast_type *t) {
  int64_t n;
  const struct ir_type *elem = murphi_type(w, t->elem);
  if (!murphi_const_integer(w, t->lo, "the size of a multiset", &n) || !elem) return NULL;
  if (n < 1 || n > MURPHI_VALUES_MAX) {
    murphi_error(w, t->lo->span, "a multiset of %" PRId64 " slots; expected 1 to %" PRId64, n,
                 MURPHI_VALUES_MAX);
    return NULL;
  }
  if (!leaves_fit(w, t->span, (uint64_t)n * (elem->leaves + 1))) return NULL;
  return (struct ir_type *)murphi_multiset_type(w, n, elem);
}

static const struct ir_type *named_type(struct lower *w, struct ast_type *t) {
  struct symbol *s = murphi_lookup(w, t->names, "a type");
  if (!s || s->kind == SYMBOL_WRONG) return NULL;
  if (s->kind == SYMBOL_TYPE) return s->type;
  murphi_error(w, t->span, "'%s' is not a type; expected the name of a type",
               t->names->ident->text);
  return NULL;
}

static struct ir_type *build(struct lower *w, struct ast_type *t) {
  if (w->given && t->kind != AST_TYPE_RANGE) {
    murphi_error(w, t->span,
                 "expected a range or the name of a type: types are declared in the "
                 "model, not in an expression");
    return NULL;
  }
  switch (t->kind) {
  case AST_TYPE_RANGE: return range_type(w, t);
  case AST_TYPE_ENUM: return enum_type(w, t);
  case AST_TYPE_SCALARSET: return scalarset_type(w, t);
  case AST_TYPE_UNION: return union_type(w, t);
  case AST_TYPE_ARRAY: return array_type(w, t);
  case AST_TYPE_RECORD: return record_type(w, t);
  case AST_TYPE_MULTISET: return multiset_type(w, t);
  default: return NULL; // real: the parser has told
  }
}

// The names of enumerations inside a type become known wherever the type is written.
static void declare_inside(struct lower *w, struct ast_type *t) {
  if (t->kind == AST_TYPE_ENUM) declare_members(w, t);
  if (t->kind == AST_TYPE_ARRAY) declare_inside(w, t->index);
  if (t->kind == AST_TYPE_ARRAY || t->kind == AST_TYPE_MULTISET) declare_inside(w, t->elem);
  for (struct ast_type *p = t->parts; p; p = p->next) declare_inside(w, p);
  for (struct ast_decl *d = t->fields; d; d = d->next) declare_inside(w, d->type);
}

const struct ir_type *murphi_type(struct lower *w, struct ast_type *t) {
  if (t->kind == AST_TYPE_BOOLEAN) return w->m->bool_type;
  if (t->kind == AST_TYPE_NAME) return named_type(w, t);
  if (t->failed) return NULL;
  if (t->ir) return declare_inside(w, t), t->ir;
  if (!murphi_enter(w, t->span)) return NULL;
  t->ir = build(w, t);
  t->failed = t->ir == NULL;
  if (t->ir) t->ir->span = t->span;
  if (t->ir && t->kind == AST_TYPE_ENUM) declare_members(w, t);
  murphi_leave(w);
  return t->ir;
}
