// SPDX-License-Identifier: Apache-2.0
// Addresses: made of objects, compared, subtracted, kept in memory.
#include "front/c/memory.h"

static const struct span nowhere;

static const struct ir_type *wide(struct c_lower *w) { return c_int_type(w, 64, true); }

struct c_address *c_address_new(struct c_lower *w) {
  return ARENA_NEW(w->arena, struct c_address);
}

static const struct c_facts *only_fact(struct c_lower *w, struct c_fact x) {
  struct c_facts *f = ARENA_NEW(w->arena, struct c_facts);
  f->data = ARENA_NEW(w->arena, struct c_fact);
  f->data[0] = x;
  f->count = f->capacity = 1;
  return f;
}

static struct c_address *unable(struct c_lower *w, const char *why) {
  struct c_address *a = c_address_new(w);
  a->unable = why;
  a->facts = only_fact(w, (struct c_fact){C_TARGET_NULL, 0, 0});
  a->object = ir_const(w->m, w->pointer, 0, nowhere);
  return a;
}

static struct c_address *null_address(struct c_lower *w) {
  struct c_address *a = unable(w, NULL);
  return a;
}

static struct c_address *path_to(struct c_lower *w, uint32_t thing, uint64_t scalar) {
  struct c_address *a = c_address_new(w);
  const struct c_type *t = w->things.data[thing].type;
  a->path = true;
  a->thing = thing;
  a->type = t;
  a->facts = only_fact(w, (struct c_fact){w->things.data[thing].target, (int64_t)scalar, 0});
  if (scalar == 0) return a;
  a->step_count = c_scalar_steps(w, t, scalar, &a->steps);
  a->type = c_scalar_type(t, scalar);
  return a;
}

// One past the end has no path.
static struct c_address *object_address(struct c_lower *w, const struct c_value *v) {
  struct c_fact x = {c_target_object(v->index), 0, 0};
  const struct c_type *t = w->things.data[v->index].type;
  if (v->number) x.rest = (int64_t)c_byte_scalar(t, (uint64_t)v->number);
  if (x.rest == 0 || x.rest < (int64_t)c_scalars(t)) return path_to(w, v->index, (uint64_t)x.rest);
  struct c_address *a = c_address_new(w);
  a->facts = only_fact(w, x);
  return a;
}

struct c_address *c_memory_address(struct c_lower *w, const struct c_value *v) {
  uint32_t n;
  switch (v->kind) {
  case C_OBJECT: return object_address(w, v);
  case C_FUNCTION:
    return path_to(w, c_target_things(w, c_target_function(w->points, v->index), &n), 0);
  case C_NUMBER: return v->number ? unable(w, "a number used as a pointer") : null_address(w);
  default: return null_address(w);
  }
}

// --- object and offset ---

static struct ir_expr *id_of(struct c_lower *w, uint32_t thing) {
  assert(w->things.data[thing].id);
  return ir_const(w->m, w->pointer, w->things.data[thing].id, nowhere);
}

struct ir_expr *c_address_object(struct c_lower *w, const struct c_address *a) {
  if (a->path) return id_of(w, a->thing);
  if (a->object) return c_copy(w, a->object);
  uint32_t n, thing = c_target_things(w, a->facts->data[0].target, &n);
  return n ? id_of(w, thing) : ir_const(w->m, w->pointer, 0, nowhere);
}

struct ir_expr *c_sum(struct c_lower *w, struct ir_expr *a, struct ir_expr *b) {
  if (!a || c_is_number(a, 0)) return b;
  if (c_is_number(b, 0)) return a;
  return c_binary(w, IR_ADD, a, b);
}

struct ir_expr *c_times(struct c_lower *w, struct ir_expr *a, uint64_t n) {
  return n == 1 ? a : c_binary(w, IR_MUL, a, c_number(w, wide(w), (int64_t)n));
}

const struct c_type *c_address_root(struct c_lower *w, const struct c_address *a) {
  return a->path ? w->things.data[a->thing].type : a->root;
}

// From the root on.
static struct ir_expr *path_offset(struct c_lower *w, const struct c_address *a, bool bytes) {
  const struct c_type *t = c_address_root(w, a);
  struct ir_expr *e = c_number(w, wide(w), 0);
  for (uint32_t i = 0; i < a->step_count; i++) {
    const struct c_step *s = &a->steps[i];
    if (s->index) {
      uint64_t n = bytes ? t->to->bytes : c_scalars(t->to);
      e = c_sum(w, e, c_times(w, c_copy(w, s->index), n));
    } else {
      uint64_t n = bytes ? t->fields[s->field].offset : c_field_scalar(t, s->field);
      e = c_sum(w, e, c_number(w, wide(w), (int64_t)n));
    }
    t = c_step_type(t, s);
  }
  return e;
}

// Is the object one of those that the target stands for?
static struct ir_expr *is_target(struct c_lower *w, const struct ir_expr *object, uint32_t target) {
  uint32_t n, first = c_target_things(w, target, &n);
  if (n == 0) return c_binary(w, IR_EQ, c_copy(w, object), ir_const(w->m, w->pointer, 0, nowhere));
  if (n == 1) return c_binary(w, IR_EQ, c_copy(w, object), id_of(w, first));
  return c_and(w, c_binary(w, IR_GE, c_copy(w, object), id_of(w, first)),
               c_binary(w, IR_LE, c_copy(w, object), id_of(w, first + n - 1)));
}

// Where facts say exactly where each pointer is, and that is not the same place in all.
static struct ir_expr *offset_by_object(struct c_lower *w, const struct c_address *a) {
  const struct c_facts *f = a->facts;
  if (f->count == 0) return c_number(w, wide(w), 0);
  struct ir_expr *e = c_number(w, wide(w), f->data[f->count - 1].rest);
  for (size_t i = f->count - 1; i-- > 0;) {
    if (c_is_number(e, f->data[i].rest)) continue;
    e = ir_ite(w->m, is_target(w, a->object, f->data[i].target),
               c_number(w, wide(w), f->data[i].rest), e, wide(w), nowhere);
  }
  return e;
}

struct ir_expr *c_address_offset(struct c_lower *w, const struct c_address *a) {
  if (a->path) return path_offset(w, a, false);
  struct ir_expr *base = a->offset ? c_copy(w, a->offset) : offset_by_object(w, a);
  return c_sum(w, base, path_offset(w, a, false));
}

// --- pointers in memory ---

static bool is_one_place(struct c_lower *w, const struct c_facts *f, uint32_t *thing) {
  uint32_t n;
  if (f->count != 1 || f->data[0].modulus) return false;
  const struct c_type *t = c_target_type(w->points, f->data[0].target);
  *thing = c_target_things(w, f->data[0].target, &n);
  if (n != 1) return false;
  int64_t at = f->data[0].rest;
  return t ? at >= 0 && at < (int64_t)c_scalars(t) : true;
}

struct c_address *c_memory_get_pointer(struct c_lower *w, struct ir_expr *place,
                                       const struct c_facts *f) {
  uint32_t thing;
  if (f->count == 0) return null_address(w);
  if (is_one_place(w, f, &thing)) return path_to(w, thing, (uint64_t)f->data[0].rest);
  struct c_address *a = c_address_new(w);
  a->facts = f;
  bool record = place->type->kind == IR_TYPE_RECORD;
  a->object = record ? ir_field(w->m, c_copy(w, place), 0, nowhere) : place;
  a->offset = record ? c_as(w, ir_field(w->m, place, 1, nowhere), wide(w)) : NULL;
  return a;
}

void c_memory_put_pointer(struct c_lower *w, struct ir_expr *place, const struct c_address *a,
                          struct span span) {
  if (a->unable) return c_unable(w, span, "%s", a->unable);
  if (place->type->kind != IR_TYPE_RECORD) {
    c_add(w, ir_assign(w->m, place, c_address_object(w, a), span));
    return;
  }
  struct ir_expr *offset = c_stored(w, c_address_offset(w, a));
  const struct ir_type *t = place->type->fields[1].type;
  int64_t v;
  if (!ir_expr_const(offset, &v) || !ir_type_has(t, v))
    c_check(w, C_CHECK_BOUNDS, ir_ismember(w->m, c_copy(w, offset), t, span), span,
            "the pointer leaves what it points into");
  struct ir_expr *object = c_stored(w, c_address_object(w, a));
  c_add(w, ir_assign(w->m, ir_field(w->m, c_copy(w, place), 0, span), object, span));
  c_add(w, ir_assign(w->m, ir_field(w->m, place, 1, span), offset, span));
}

struct c_address *c_memory_select(struct c_lower *w, struct ir_expr *c, struct c_address *a,
                                  struct c_address *b, const struct c_facts *f) {
  uint32_t thing;
  if (a->unable) return a;
  if (b->unable) return b;
  if (is_one_place(w, f, &thing)) return path_to(w, thing, (uint64_t)f->data[0].rest);
  struct c_address *r = c_address_new(w);
  struct ir_expr *p = c_address_offset(w, a), *q = c_address_offset(w, b);
  r->facts = f;
  r->object = ir_ite(w->m, c, c_address_object(w, a), c_address_object(w, b), w->pointer, nowhere);
  if (c_facts_vary(f)) r->offset = ir_ite(w->m, c_copy(w, c), p, q, wide(w), nowhere);
  return r;
}

// --- comparing ---

struct ir_expr *c_memory_compare(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *a = c_pointer(w, &i->args[0]), *b = c_pointer(w, &i->args[1]);
  if (a->unable || b->unable) c_unable(w, i->span, "%s", a->unable ? a->unable : b->unable);
  struct ir_expr *p = c_address_object(w, a), *q = c_address_object(w, b);
  struct ir_expr *x = c_address_offset(w, a), *y = c_address_offset(w, b);
  struct ir_expr *same = c_binary(w, IR_EQ, p, q);
  if (i->op == C_EQ || i->op == C_NE) {
    bool null = c_is_number(p, 0) || c_is_number(q, 0);
    struct ir_expr *e = null ? same : c_and(w, same, c_binary(w, IR_EQ, x, y));
    return i->op == C_EQ ? e : c_not(w, e);
  }
  static const enum ir_op ops[] = {IR_LT, IR_LE, IR_GT, IR_GE};
  bool is_signed = i->op >= C_SLT;
  struct ir_expr *order = c_binary(w, ops[i->op - (is_signed ? C_SLT : C_ULT)], x, y);
  c_check(w, C_CHECK_BOUNDS, same, i->span, "pointers into different objects are compared");
  return order;
}

// --- differences, in bytes ---

// Bytes into a target, so many scalars into it; NULL: its facts do not tell.
static struct ir_expr *target_bytes(struct c_lower *w, const struct c_fact *x,
                                    const struct ir_expr *offset) {
  const struct c_type *t = c_target_type(w->points, x->target);
  if (!t) return c_number(w, wide(w), 0);
  if (x->modulus == 0) return c_number(w, wide(w), (int64_t)c_scalar_bytes(t, (uint64_t)x->rest));
  if (c_type_unit(t)) return c_times(w, c_copy(w, offset), c_type_unit(t));
  int64_t n = t->kind == C_ARRAY ? (int64_t)c_scalars(t->to) : 0;
  if (n == 0 || x->modulus % n) return NULL;
  struct ir_expr *first = c_sum(w, c_copy(w, offset), c_number(w, wide(w), -(x->rest % n)));
  struct ir_expr *element = c_binary(w, IR_DIV, first, c_number(w, wide(w), n));
  uint64_t at = c_scalar_bytes(t->to, (uint64_t)(x->rest % n));
  return c_sum(w, c_times(w, element, t->to->bytes), c_number(w, wide(w), (int64_t)at));
}

static struct ir_expr *byte_offset(struct c_lower *w, struct c_address *a) {
  if (a->path) return path_offset(w, a, true);
  a = c_memory_flat(w, a);
  if (a->object) a->object = c_stored(w, a->object);
  struct ir_expr *offset = c_stored(w, c_address_offset(w, a)), *e = NULL;
  for (size_t i = a->facts->count; i-- > 0;) {
    struct ir_expr *b = target_bytes(w, &a->facts->data[i], offset);
    if (!b) return NULL;
    e = e ? ir_ite(w->m, is_target(w, a->object, a->facts->data[i].target), b, e, wide(w), nowhere)
          : b;
  }
  return e;
}

struct ir_expr *c_memory_difference(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *a = c_pointer(w, &i->args[0]), *b = c_pointer(w, &i->args[1]);
  struct ir_expr *x = a->unable ? NULL : byte_offset(w, a);
  struct ir_expr *y = b->unable ? NULL : byte_offset(w, b);
  if (!x || !y) {
    c_unable(w, i->span, "a pointer used as a number");
    return c_number(w, wide(w), 0);
  }
  struct ir_expr *same = c_binary(w, IR_EQ, c_address_object(w, a), c_address_object(w, b));
  c_check(w, C_CHECK_BOUNDS, same, i->span, "pointers into different objects are subtracted");
  return c_binary(w, IR_SUB, x, y);
}
