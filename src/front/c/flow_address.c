// SPDX-License-Identifier: Apache-2.0
// Addresses that are known: the byte of an object that a pointer points to, and the scalar that is
// there.
#include "front/c/flow.h"

static const struct c_type *step_into(const struct c_type *t, int64_t k, int64_t *offset) {
  if (t->kind == C_STRUCT) {
    if (k < 0 || k >= (int64_t)t->field_count) return NULL;
    *offset += (int64_t)t->fields[k].offset;
    return t->fields[k].type;
  }
  if (t->kind != C_ARRAY) return NULL;
  *offset += k * (int64_t)t->to->bytes;
  return t->to;
}

// The bytes that a C_GEP with constant indices moves by; false: they are not constant.
static bool constant_move(const struct c_instruction *i, int64_t *offset) {
  const struct c_type *t = i->element;
  for (uint32_t k = 1; k < i->arg_count; k++)
    if (i->args[k].kind != C_NUMBER || i->args[k].number > INT32_MAX ||
        i->args[k].number < INT32_MIN)
      return false;
  *offset += i->args[1].number * (int64_t)t->bytes;
  for (uint32_t k = 2; k < i->arg_count && t; k++) t = step_into(t, i->args[k].number, offset);
  return t != NULL;
}

bool flow_address(const struct flow_defs *d, struct c_value v, struct flow_address *out) {
  *out = (struct flow_address){0};
  for (unsigned steps = 0; steps < 64; steps++) {
    const struct c_instruction *i = flow_def(d, &v);
    if (v.kind == C_OBJECT) {
      out->object = v.index;
      return true;
    }
    if (!i || (i->op != C_GEP && i->op != C_BITCAST)) return false;
    if (i->op == C_GEP && !constant_move(i, &out->offset)) return false;
    out->casts |= i->op == C_BITCAST;
    out->steps++;
    v = i->args[0];
  }
  return false;
}

uint64_t flow_bytes(const struct c_type *t) {
  return t->kind == C_INT ? (t->bits + 7) / 8 : t->bytes;
}

uint64_t flow_scalars(const struct c_type *t) {
  uint64_t n = 0;
  if (t->kind == C_ARRAY) return t->count * flow_scalars(t->to);
  if (t->kind != C_STRUCT) return 1;
  for (uint32_t k = 0; k < t->field_count; k++) n += flow_scalars(t->fields[k].type);
  return n;
}

bool flow_leaf_at(const struct c_type *t, uint64_t at, struct flow_leaf *out) {
  *out = (struct flow_leaf){0};
  while (t->kind == C_STRUCT || t->kind == C_ARRAY) {
    uint32_t k = 0;
    if (at - out->offset >= t->bytes || out->depth == FLOW_DEPTH) return false;
    if (t->kind == C_ARRAY) {
      k = (uint32_t)((at - out->offset) / t->to->bytes);
      out->offset += k * t->to->bytes;
      t = t->to;
    } else {
      while (k < t->field_count &&
             out->offset + t->fields[k].offset + t->fields[k].type->bytes <= at)
        k++;
      if (k == t->field_count || out->offset + t->fields[k].offset > at) return false;
      out->offset += t->fields[k].offset;
      t = t->fields[k].type;
    }
    out->path[out->depth++] = k;
  }
  out->type = t;
  return at - out->offset < flow_bytes(t);
}

uint32_t flow_leaf_number(const struct c_type *t, const struct flow_leaf *leaf) {
  uint32_t n = 0;
  for (uint32_t d = 0; d < leaf->depth; d++) {
    const struct c_type *next = t->kind == C_STRUCT ? t->fields[leaf->path[d]].type : t->to;
    if (t->kind == C_ARRAY)
      n += leaf->path[d] * (uint32_t)flow_scalars(t->to);
    else
      for (uint32_t k = 0; k < leaf->path[d]; k++) n += (uint32_t)flow_scalars(t->fields[k].type);
    t = next;
  }
  return n;
}

struct c_value flow_leaf_pointer(struct flow_out *out, uint32_t object,
                                 const struct flow_leaf *leaf) {
  struct c_program *p = out->w->p;
  const struct c_type *type = p->objects.data[object].type;
  struct c_value base = {.kind = C_OBJECT, .type = flow_pointer_to(p, type), .index = object};
  if (leaf->depth == 0) return base;
  struct c_instruction *i = flow_put(out, C_GEP, flow_pointer_to(p, leaf->type), leaf->depth + 2);
  const struct c_type *number = flow_integer(p, 64);
  i->element = type;
  i->args[0] = base;
  i->args[1] = (struct c_value){.kind = C_NUMBER, .type = number};
  for (uint32_t k = 0; k < leaf->depth; k++)
    i->args[k + 2] = (struct c_value){.kind = C_NUMBER, .type = number, .number = leaf->path[k]};
  return flow_give(out, i);
}

// The part of that type at that byte of it, which need not be a scalar.
static bool find_part(const struct c_type *t, uint64_t at, const struct c_type *wanted,
                      struct flow_leaf *out) {
  struct flow_leaf leaf;
  *out = (struct flow_leaf){0};
  if (!flow_leaf_at(t, at, &leaf)) return false;
  while (t != wanted || out->offset != at) {
    if (out->depth == leaf.depth) return false;
    uint32_t k = leaf.path[out->depth];
    out->path[out->depth++] = k;
    out->offset += t->kind == C_STRUCT ? t->fields[k].offset : k * t->to->bytes;
    t = t->kind == C_STRUCT ? t->fields[k].type : t->to;
  }
  out->type = t;
  return true;
}

bool flow_part_pointer(struct flow_out *out, uint32_t object, int64_t at, const struct c_type *type,
                       struct c_value *pointer) {
  struct flow_leaf part;
  if (at < 0 || !find_part(out->w->p->objects.data[object].type, (uint64_t)at, type, &part))
    return false;
  *pointer = flow_leaf_pointer(out, object, &part);
  return true;
}
