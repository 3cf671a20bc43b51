// SPDX-License-Identifier: Apache-2.0
// Memory that is accessed as another type than it has, at a known place: structs handed over in
// integer registers, unions, bit-fields. The first byte is the lowest (little endian).
#include "front/c/flow.h"

static bool inside(const struct flow *w, uint32_t object, uint64_t at, uint64_t bytes) {
  uint64_t size = w->p->objects.data[object].type->bytes;
  return at <= size && bytes <= size - at;
}

// Is it part of a copy, which need not be set?
static bool is_move(const struct flow_out *out) {
  return out->like->op == C_MEMCPY || out->like->moves;
}

static struct c_value load_leaf(struct flow_out *out, uint32_t object, const struct flow_leaf *leaf,
                                bool moves) {
  struct c_value pointer = flow_leaf_pointer(out, object, leaf);
  struct c_instruction *i = flow_put(out, C_LOAD, leaf->type, 1);
  i->args[0] = pointer;
  i->moves = moves;
  return flow_give(out, i);
}

static void store_leaf(struct flow_out *out, uint32_t object, const struct flow_leaf *leaf,
                       struct c_value v) {
  struct c_value pointer = flow_leaf_pointer(out, object, leaf);
  struct c_instruction *i = flow_put(out, C_STORE, out->w->p->nothing, 2);
  i->args[0] = v;
  i->args[1] = pointer;
}

// A scalar as another type of the same size; false: it cannot be.
static bool reinterpret(struct flow_out *out, struct c_value *v, const struct c_type *type) {
  const struct c_type *from = v->type;
  if (from == type) return true;
  bool pointers = from->kind == C_POINTER || type->kind == C_POINTER;
  bool scalars = (from->kind == C_POINTER || from->kind == C_INT) &&
                 (type->kind == C_POINTER || type->kind == C_INT);
  if (!pointers || !scalars || flow_bytes(from) != flow_bytes(type)) return false;
  enum c_op op = from->kind == type->kind ? C_BITCAST
                 : type->kind == C_INT    ? C_PTRTOINT
                                          : C_INTTOPTR;
  *v = flow_unary(out, op, type, *v);
  return true;
}

// An integer as a wider or narrower one.
static struct c_value resize(struct flow_out *out, struct c_value v, const struct c_type *type) {
  if (v.type == type) return v;
  return flow_unary(out, v.type->bits > type->bits ? C_TRUNC : C_ZEXT, type, v);
}

// All scalars from byte `at` on are integers?
static bool all_integers(const struct flow *w, uint32_t object, uint64_t at, uint64_t bytes) {
  const struct c_type *type = w->p->objects.data[object].type;
  struct flow_leaf leaf;
  for (uint64_t k = at; k < at + bytes; k++)
    if (flow_leaf_at(type, k, &leaf) && leaf.type->kind != C_INT) return false;
  return true;
}

// --- loads ---

static bool load_parts(struct flow_out *out, uint32_t object, uint64_t at,
                       const struct c_type *type, struct c_value *value) {
  const struct c_type *whole = out->w->p->objects.data[object].type;
  uint64_t end = at + flow_bytes(type);
  bool found = false;
  struct flow_leaf leaf;
  for (uint64_t k = at; k < end; k++) {
    if (!flow_leaf_at(whole, k, &leaf)) continue;
    struct c_value part = load_leaf(out, object, &leaf, is_move(out));
    if (k > leaf.offset) part = flow_binary(out, C_LSHR, part, (int64_t)(k - leaf.offset) * 8);
    part = resize(out, part, type);
    if (k > at) part = flow_binary(out, C_SHL, part, (int64_t)(k - at) * 8);
    if (found) {
      struct c_instruction *i = flow_put(out, C_ADD, type, 2);
      i->args[0] = *value;
      i->args[1] = part;
      part = flow_give(out, i);
    }
    *value = part;
    found = true;
    k = leaf.offset + flow_bytes(leaf.type) - 1;
  }
  return found;
}

bool flow_pun_load(struct flow_out *out, uint32_t object, uint64_t at, const struct c_type *type,
                   struct c_value *value) {
  struct flow_leaf leaf;
  if (!inside(out->w, object, at, flow_bytes(type))) return false;
  if (flow_leaf_at(out->w->p->objects.data[object].type, at, &leaf) && leaf.offset == at &&
      (leaf.type == type || leaf.type->kind == C_POINTER || type->kind == C_POINTER)) {
    if (flow_bytes(leaf.type) != flow_bytes(type)) return false;
    *value = load_leaf(out, object, &leaf, is_move(out));
    return reinterpret(out, value, type);
  }
  return type->kind == C_INT && all_integers(out->w, object, at, flow_bytes(type)) &&
         load_parts(out, object, at, type, value);
}

// --- stores ---

// Bits of an integer that is `at` bytes into the leaf, or (at < 0) begins before it.
static void store_part(struct flow_out *out, uint32_t object, const struct flow_leaf *leaf,
                       int64_t at, struct c_value v) {
  int64_t bytes = (int64_t)flow_bytes(v.type), room = (int64_t)flow_bytes(leaf->type);
  if (at < 0) v = flow_binary(out, C_LSHR, v, -at * 8);
  v = resize(out, v, leaf->type);
  int64_t from = at > 0 ? at : 0, to = at + bytes < room ? at + bytes : room;
  if (from > 0 || to < room) {
    uint64_t mask = (((uint64_t)1 << ((to - from) * 8)) - 1) << (from * 8);
    if (from > 0) v = flow_binary(out, C_SHL, v, from * 8);
    v = flow_binary(out, C_AND, v, flow_sign_extend(mask, leaf->type->bits));
    struct c_value old = load_leaf(out, object, leaf, true);
    old = flow_binary(out, C_AND, old, flow_sign_extend(~mask, leaf->type->bits));
    struct c_instruction *i = flow_put(out, C_ADD, leaf->type, 2);
    i->args[0] = old;
    i->args[1] = v;
    v = flow_give(out, i);
  }
  store_leaf(out, object, leaf, v);
}

bool flow_pun_store(struct flow_out *out, uint32_t object, uint64_t at, struct c_value v) {
  const struct c_type *whole = out->w->p->objects.data[object].type;
  uint64_t bytes = flow_bytes(v.type);
  struct flow_leaf leaf;
  if (!inside(out->w, object, at, bytes)) return false;
  if (flow_leaf_at(whole, at, &leaf) && leaf.offset == at &&
      (leaf.type == v.type || leaf.type->kind == C_POINTER || v.type->kind == C_POINTER)) {
    if (flow_bytes(leaf.type) != bytes || !reinterpret(out, &v, leaf.type)) return false;
    store_leaf(out, object, &leaf, v);
    return true;
  }
  if (v.type->kind != C_INT || !all_integers(out->w, object, at, bytes)) return false;
  for (uint64_t k = at; k < at + bytes; k++) {
    if (!flow_leaf_at(whole, k, &leaf)) continue;
    store_part(out, object, &leaf, (int64_t)at - (int64_t)leaf.offset, v);
    k = leaf.offset + flow_bytes(leaf.type) - 1;
  }
  return true;
}

// --- all of them ---

// Has the access nothing odd about it? Then it is left as it is.
static bool is_plain_access(const struct flow *w, const struct flow_address *a,
                            const struct c_type *type) {
  const struct c_object *o = &w->p->objects.data[a->object];
  if (o->is_temporary && a->steps > 1) return false;
  return !a->casts && (a->steps > 0 || o->type == type);
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  const struct flow_defs *d = context;
  struct flow_address a;
  size_t kept = out->code.count;
  if (i->op != C_LOAD && i->op != C_STORE) return false;
  const struct c_type *type = i->op == C_LOAD ? i->type : i->args[0].type;
  if (type->kind != C_INT && type->kind != C_POINTER) return false;
  if (!flow_address(d, i->args[i->op == C_STORE], &a) || a.offset < 0 ||
      is_plain_access(out->w, &a, type))
    return false;
  struct c_value v = {0};
  bool done = i->op == C_LOAD ? flow_pun_load(out, a.object, (uint64_t)a.offset, type, &v)
                              : flow_pun_store(out, a.object, (uint64_t)a.offset, i->args[0]);
  if (!done)
    out->code.count = kept;
  else if (i->op == C_LOAD)
    flow_put_copy(out, i, v);
  return done;
}

bool flow_pun(struct flow *w) {
  struct flow_defs d;
  flow_defs_init(&d, w->f);
  bool changed = flow_rewrite(w, rewrite, &d);
  flow_defs_clear(&d);
  return changed;
}
