// SPDX-License-Identifier: Apache-2.0
// Types and their values: constructors, counting, ranks, printing.
#include "ir/ir.h"

#include <inttypes.h>
#include <string.h>

// Leaf counts saturate here; ir_model_finish refuses such a model long before.
#define LEAVES_HUGE (UINT64_C(1) << 48)

static struct ir_type *type_new(struct ir_model *m, enum ir_type_kind kind) {
  struct ir_type *t = ARENA_NEW(m->arena, struct ir_type);
  t->kind = kind;
  t->id = (uint32_t)m->types.count;
  t->leaves = 1;
  VEC_PUSH(&m->types, t);
  return t;
}

struct ir_type *ir_type_range(struct ir_model *m, int64_t lo, int64_t hi) {
  assert(lo <= hi && lo != IR_UNDEF);
  struct ir_type *t = type_new(m, IR_TYPE_RANGE);
  t->lo = lo;
  t->hi = hi;
  return t;
}

struct ir_type *ir_type_enum(struct ir_model *m, int64_t lo, const char *const *members,
                             uint32_t n) {
  assert(n > 0);
  struct ir_type *t = type_new(m, IR_TYPE_ENUM);
  t->lo = lo;
  t->hi = lo + n - 1;
  t->members = ARENA_ARRAY(m->arena, const char *, n);
  for (uint32_t i = 0; i < n; i++) t->members[i] = arena_strdup(m->arena, members[i]);
  return t;
}

struct ir_type *ir_type_scalarset(struct ir_model *m, int64_t lo, uint64_t n) {
  assert(n > 0 && n <= INT32_MAX);
  struct ir_type *t = type_new(m, IR_TYPE_SCALARSET);
  t->lo = lo;
  t->hi = lo + (int64_t)n - 1;
  return t;
}

struct ir_type *ir_type_union(struct ir_model *m, const struct ir_type *const *parts, uint32_t n) {
  assert(n > 0);
  struct ir_type *t = type_new(m, IR_TYPE_UNION);
  t->parts = ARENA_ARRAY(m->arena, const struct ir_type *, n);
  t->part_count = n;
  t->lo = INT64_MAX;
  t->hi = INT64_MIN;
  for (uint32_t i = 0; i < n; i++) {
    t->parts[i] = parts[i];
    if (parts[i]->lo < t->lo) t->lo = parts[i]->lo;
    if (parts[i]->hi > t->hi) t->hi = parts[i]->hi;
  }
  return t;
}

struct ir_type *ir_type_int(struct ir_model *m, uint8_t bits, bool is_signed, bool traps) {
  assert(bits >= 1 && bits <= 64);
  struct ir_type *t = type_new(m, IR_TYPE_INT);
  t->bits = bits;
  t->is_signed = is_signed;
  t->traps = traps;
  uint64_t ones = ~UINT64_C(0) >> (64 - bits);
  t->lo = is_signed ? -(int64_t)(ones >> 1) - 1 : 0;
  t->hi = (int64_t)(is_signed ? ones >> 1 : ones);
  return t;
}

struct ir_type *ir_type_array(struct ir_model *m, const struct ir_type *index,
                              const struct ir_type *elem) {
  assert(ir_type_scalar(index));
  struct ir_type *t = type_new(m, IR_TYPE_ARRAY);
  t->index = index;
  t->elem = elem;
  uint64_t n = ir_type_count(index);
  bool huge = elem->leaves && n > LEAVES_HUGE / elem->leaves;
  t->leaves = huge ? LEAVES_HUGE : n * elem->leaves;
  return t;
}

struct ir_type *ir_type_record(struct ir_model *m, const struct ir_field *fields, uint32_t n) {
  struct ir_type *t = type_new(m, IR_TYPE_RECORD);
  t->fields = ARENA_ARRAY(m->arena, struct ir_field, n);
  t->field_count = n;
  t->leaves = 0;
  for (uint32_t i = 0; i < n; i++) {
    t->fields[i] = fields[i];
    t->fields[i].name = arena_strdup(m->arena, fields[i].name);
    t->fields[i].leaf = t->leaves;
    t->leaves += fields[i].type->leaves;
    if (t->leaves > LEAVES_HUGE) t->leaves = LEAVES_HUGE;
  }
  return t;
}

bool ir_type_scalar(const struct ir_type *t) {
  return t->kind != IR_TYPE_ARRAY && t->kind != IR_TYPE_RECORD;
}

uint64_t ir_type_count(const struct ir_type *t) {
  assert(ir_type_scalar(t));
  if (t->kind == IR_TYPE_UNION) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < t->part_count; i++) n += ir_type_count(t->parts[i]);
    return n;
  }
  uint64_t n = (uint64_t)t->hi - (uint64_t)t->lo;
  return n == UINT64_MAX ? n : n + 1;
}

uint64_t ir_type_rank(const struct ir_type *t, int64_t v) {
  if (t->kind != IR_TYPE_UNION) return (uint64_t)v - (uint64_t)t->lo;
  uint64_t before = 0;
  for (uint32_t i = 0; i < t->part_count; i++) {
    if (ir_type_has(t->parts[i], v)) return before + ir_type_rank(t->parts[i], v);
    before += ir_type_count(t->parts[i]);
  }
  assert(!"value outside its union");
  return 0;
}

int64_t ir_type_value(const struct ir_type *t, uint64_t rank) {
  if (t->kind != IR_TYPE_UNION) return (int64_t)((uint64_t)t->lo + rank);
  for (uint32_t i = 0; i < t->part_count; i++) {
    uint64_t n = ir_type_count(t->parts[i]);
    if (rank < n) return ir_type_value(t->parts[i], rank);
    rank -= n;
  }
  assert(!"rank outside its union");
  return t->lo;
}

bool ir_type_has(const struct ir_type *t, int64_t v) {
  if (t->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < t->part_count; i++)
      if (ir_type_has(t->parts[i], v)) return true;
    return false;
  }
  if (t->kind == IR_TYPE_INT && !t->is_signed) return (uint64_t)v <= (uint64_t)t->hi;
  return v >= t->lo && v <= t->hi;
}

static bool same_members(const struct ir_type *a, const struct ir_type *b) {
  for (int64_t i = 0; i <= a->hi - a->lo; i++)
    if (strcmp(a->members[i], b->members[i]) != 0) return false;
  return true;
}

static bool same_record(const struct ir_type *a, const struct ir_type *b) {
  if (a->field_count != b->field_count) return false;
  for (uint32_t i = 0; i < a->field_count; i++)
    if (strcmp(a->fields[i].name, b->fields[i].name) != 0 ||
        !ir_type_same(a->fields[i].type, b->fields[i].type))
      return false;
  return true;
}

static bool same_union(const struct ir_type *a, const struct ir_type *b) {
  if (a->part_count != b->part_count) return false;
  for (uint32_t i = 0; i < a->part_count; i++)
    if (!ir_type_same(a->parts[i], b->parts[i])) return false;
  return true;
}

bool ir_type_same(const struct ir_type *a, const struct ir_type *b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case IR_TYPE_ARRAY: return ir_type_same(a->index, b->index) && ir_type_same(a->elem, b->elem);
  case IR_TYPE_RECORD: return same_record(a, b);
  case IR_TYPE_UNION: return same_union(a, b);
  case IR_TYPE_INT:
    return a->bits == b->bits && a->is_signed == b->is_signed && a->traps == b->traps;
  case IR_TYPE_ENUM: return a->lo == b->lo && a->hi == b->hi && same_members(a, b);
  default: return a->lo == b->lo && a->hi == b->hi;
  }
}

void ir_type_print_value(struct text *out, const struct ir_type *t, int64_t v) {
  if (t->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < t->part_count; i++)
      if (ir_type_has(t->parts[i], v)) return ir_type_print_value(out, t->parts[i], v);
  }
  bool inside = ir_type_has(t, v);
  if (v == IR_UNDEF && t->kind != IR_TYPE_INT)
    text_add(out, "undefined");
  else if (t->kind == IR_TYPE_BOOL && inside)
    text_add(out, v ? "true" : "false");
  else if (t->members && inside && t->members[v - t->lo])
    text_add(out, t->members[v - t->lo]);
  else if (t->kind == IR_TYPE_SCALARSET && inside && t->name)
    text_printf(out, "%s_%" PRId64, t->name, v - t->lo + 1);
  else if (t->kind == IR_TYPE_SCALARSET && inside)
    text_printf(out, "#%" PRId64, v - t->lo + 1);
  else if (t->kind == IR_TYPE_INT && !t->is_signed)
    text_printf(out, "%" PRIu64, (uint64_t)v);
  else
    text_printf(out, "%" PRId64, v);
}
