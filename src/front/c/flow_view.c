// SPDX-License-Identifier: Apache-2.0
// Memory that is accessed as another type than it has at a place that is not known: bytes of a
// header in a loop, a union of a word and an array. A view of the object is made for it: an array
// of the type of the access, which the object is copied to before, and from after a store.
#include "front/c/flow.h"

enum { BYTES_MAX = 64 };

struct view {
  uint32_t object;   // that is viewed
  uint64_t bytes;    // of one element
  struct c_value at; // the element, if `found`
  bool found;
  int64_t constant; // and elements beside
  uint32_t array;   // the object that is the view
};

// --- the place ---

static void add_term(struct flow_out *out, struct view *v, struct c_value index, int64_t scale) {
  const struct c_type *wide = flow_integer(out->w->p, 64);
  if (index.type != wide) index = flow_unary(out, C_SEXT, wide, index);
  if (scale != 1) index = flow_binary(out, C_MUL, index, scale);
  if (v->found) {
    struct c_instruction *i = flow_put(out, C_ADD, wide, 2);
    i->args[0] = v->at;
    i->args[1] = index;
    index = flow_give(out, i);
  }
  v->at = index;
  v->found = true;
}

// An index moves by so many bytes; false: not by whole elements.
static bool add_index(struct flow_out *out, struct view *v, struct c_value index, uint64_t bytes) {
  if (index.kind == C_NUMBER && index.number == 0) return true;
  if (bytes % v->bytes != 0 || index.type->kind != C_INT || index.type->bits > 64) return false;
  int64_t scale = (int64_t)(bytes / v->bytes);
  if (index.kind == C_NUMBER)
    v->constant += index.number * scale;
  else
    add_term(out, v, index, scale);
  return true;
}

static bool add_element(struct flow_out *out, struct view *v, const struct c_instruction *gep) {
  const struct c_type *t = gep->element;
  if (!add_index(out, v, gep->args[1], t->bytes)) return false;
  for (uint32_t k = 2; k < gep->arg_count; k++) {
    if (t->kind == C_STRUCT) {
      const struct c_field *f = &t->fields[gep->args[k].number];
      if (f->offset % v->bytes != 0) return false;
      v->constant += (int64_t)(f->offset / v->bytes);
      t = f->type;
    } else {
      t = t->to;
      if (!add_index(out, v, gep->args[k], t->bytes)) return false;
    }
  }
  return true;
}

// Works out the element from the steps of an address; false: it is none of a known object.
static bool find_element(struct flow_out *out, const struct flow_defs *d, struct c_value address,
                         struct view *v) {
  bool casts = false;
  for (unsigned steps = 0; steps < 64 && address.kind != C_OBJECT; steps++) {
    const struct c_instruction *i = flow_def(d, &address);
    if (!i || (i->op != C_GEP && i->op != C_BITCAST)) return false;
    if (i->op == C_GEP && !add_element(out, v, i)) return false;
    casts |= i->op == C_BITCAST;
    address = i->args[0];
  }
  v->object = address.index;
  return address.kind == C_OBJECT && casts && v->found;
}

// --- the view ---

// Integers only, and not all of the type that it is viewed as.
static bool is_fit(const struct flow *w, const struct view *v, const struct c_type *type) {
  const struct c_object *o = &w->p->objects.data[v->object];
  bool other = false;
  struct flow_leaf leaf;
  if (o->type->bytes > BYTES_MAX || o->type->bytes % v->bytes != 0) return false;
  for (uint64_t k = 0; k < o->type->bytes; k++) {
    if (!flow_leaf_at(o->type, k, &leaf)) continue;
    if (leaf.type->kind != C_INT) return false;
    other |= leaf.type != type;
  }
  return other;
}

static void add_array(struct flow *w, struct view *v, const struct c_type *type) {
  const struct c_object *o = &w->p->objects.data[v->object];
  uint64_t count = o->type->bytes / v->bytes;
  struct c_object array = {.name = arena_printf(w->p->arena, "%s.view", o->name),
                           .type = flow_array(w->p, type, count),
                           .span = o->span,
                           .is_temporary = true,
                           .is_unsigned = true,
                           .scalars = count};
  v->array = (uint32_t)w->p->objects.count;
  VEC_PUSH(&w->p->objects, array);
}

static void fill(struct flow_out *out, const struct view *v, const struct c_type *type) {
  uint64_t bytes = out->w->p->objects.data[v->object].type->bytes;
  for (uint64_t at = 0; at < bytes; at += v->bytes) {
    struct c_value part = {.kind = C_NUMBER, .type = type}; // between fields: nothing
    flow_pun_load(out, v->object, at, type, &part);
    flow_pun_store(out, v->array, at, part);
  }
}

static void write_back(struct flow_out *out, const struct view *v, const struct c_type *type) {
  uint64_t bytes = out->w->p->objects.data[v->object].type->bytes;
  for (uint64_t at = 0; at < bytes; at += v->bytes) {
    struct c_value part;
    flow_pun_load(out, v->array, at, type, &part);
    flow_pun_store(out, v->object, at, part);
  }
}

static struct c_value element(struct flow_out *out, const struct view *v,
                              const struct c_type *type) {
  struct c_program *p = out->w->p;
  const struct c_type *array = p->objects.data[v->array].type;
  struct c_value at = v->constant ? flow_binary(out, C_ADD, v->at, v->constant) : v->at;
  struct c_instruction *i = flow_put(out, C_GEP, flow_pointer_to(p, type), 3);
  i->element = array;
  i->args[0] =
      (struct c_value){.kind = C_OBJECT, .type = flow_pointer_to(p, array), .index = v->array};
  i->args[1] = (struct c_value){.kind = C_NUMBER, .type = at.type};
  i->args[2] = at;
  return flow_give(out, i);
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  const struct flow_defs *d = context;
  size_t kept = out->code.count;
  if (i->op != C_LOAD && i->op != C_STORE) return false;
  const struct c_type *type = i->op == C_LOAD ? i->type : i->args[0].type;
  if (type->kind != C_INT || type->bits % 8 != 0) return false;
  struct view v = {.bytes = flow_bytes(type)};
  if (!find_element(out, d, i->args[i->op == C_STORE], &v) || !is_fit(out->w, &v, type)) {
    out->code.count = kept;
    return false;
  }
  add_array(out->w, &v, type);
  fill(out, &v, type);
  struct c_instruction access = *i;
  access.args = ARENA_ARRAY(out->w->p->arena, struct c_value, i->arg_count);
  access.args[0] = i->args[0];
  access.args[i->op == C_STORE] = element(out, &v, type);
  flow_push(out, &access);
  if (i->op == C_STORE) write_back(out, &v, type);
  return true;
}

bool flow_view(struct flow *w) {
  struct flow_defs d;
  flow_defs_init(&d, w->f);
  bool changed = flow_rewrite(w, rewrite, &d);
  flow_defs_clear(&d);
  return changed;
}
