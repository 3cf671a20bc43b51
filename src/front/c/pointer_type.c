// SPDX-License-Identifier: Apache-2.0
// Scalars of C types, numbered depth first. In classes all elements of an array are one.
#include "front/c/pointer.h"

bool c_is_scalar(const struct c_type *t) { return t->kind != C_ARRAY && t->kind != C_STRUCT; }

uint64_t c_scalars(const struct c_type *t) {
  if (t->kind == C_ARRAY) return t->count * c_scalars(t->to);
  if (t->kind != C_STRUCT) return 1;
  return c_field_scalar(t, t->field_count);
}

uint64_t c_field_scalar(const struct c_type *t, uint32_t field) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < field; i++) n += c_scalars(t->fields[i].type);
  return n;
}

// The field that a scalar of a structure is in; the scalar's number in there.
static const struct c_field *field_of(const struct c_type *t, uint64_t *scalar) {
  uint32_t i = 0;
  for (uint64_t n; *scalar >= (n = c_scalars(t->fields[i].type)); i++) *scalar -= n;
  assert(i < t->field_count);
  return &t->fields[i];
}

const struct c_type *c_scalar_type(const struct c_type *t, uint64_t scalar) {
  while (!c_is_scalar(t)) {
    if (t->kind == C_ARRAY) {
      t = t->to;
      scalar %= c_scalars(t);
    } else {
      t = field_of(t, &scalar)->type;
    }
  }
  return t;
}

uint64_t c_scalar_bytes(const struct c_type *t, uint64_t scalar) {
  uint64_t at = 0;
  if (scalar >= c_scalars(t)) return t->bytes;
  while (!c_is_scalar(t)) {
    if (t->kind == C_ARRAY) {
      t = t->to;
      at += scalar / c_scalars(t) * t->bytes;
      scalar %= c_scalars(t);
    } else {
      const struct c_field *f = field_of(t, &scalar);
      at += f->offset;
      t = f->type;
    }
  }
  return at;
}

uint64_t c_byte_scalar(const struct c_type *t, uint64_t byte) {
  uint64_t n = c_scalars(t), k = 0;
  while (k < n && c_scalar_bytes(t, k) < byte) k++;
  return k;
}

uint32_t c_classes(const struct c_type *t) {
  if (t->kind == C_ARRAY) return c_classes(t->to);
  if (t->kind != C_STRUCT) return 1;
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->field_count; i++) n += c_classes(t->fields[i].type);
  return n;
}

uint32_t c_scalar_class(const struct c_type *t, uint64_t scalar) {
  uint32_t at = 0;
  while (!c_is_scalar(t)) {
    if (t->kind == C_ARRAY) {
      t = t->to;
      scalar %= c_scalars(t);
    } else {
      const struct c_field *f = field_of(t, &scalar);
      for (const struct c_field *g = t->fields; g < f; g++) at += c_classes(g->type);
      t = f->type;
    }
  }
  return at;
}

uint64_t c_type_unit(const struct c_type *t) {
  uint64_t n = c_scalars(t), bytes = n ? c_scalar_type(t, 0)->bytes : 0;
  if (bytes == 0 || n > 1 << 20 || t->bytes != n * bytes) return 0;
  uint64_t k = t->kind == C_ARRAY ? c_scalars(t->to) : n; // all elements are the same
  for (uint64_t i = 1; i < k; i++)
    if (c_scalar_type(t, i)->bytes != bytes) return 0;
  return bytes;
}

static bool contains(const struct c_type *t, const struct c_type *element) {
  if (t == element) return true;
  if (t->kind == C_ARRAY) return contains(t->to, element);
  for (uint32_t i = 0; t->kind == C_STRUCT && i < t->field_count; i++)
    if (contains(t->fields[i].type, element)) return true;
  return false;
}

bool c_type_holds(const struct c_type *t, const struct c_type *element) {
  return contains(t, element) || (c_type_unit(t) && c_type_unit(t) == c_type_unit(element));
}
