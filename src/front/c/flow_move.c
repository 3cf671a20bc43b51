// SPDX-License-Identifier: Apache-2.0
// Copies of memory whose ends are known: if the types at both ends differ, or one end is a struct
// of the compiler's own, scalar by scalar. All are read before any is written.
#include "front/c/flow.h"

enum { SCALARS_MAX = 64 };

struct move {
  struct flow_address to, from;
  uint64_t bytes;
};

static const struct c_object *object(const struct flow *w, const struct flow_address *a) {
  return &w->p->objects.data[a->object];
}

static bool inside(const struct flow *w, const struct flow_address *a, uint64_t bytes) {
  uint64_t size = object(w, a)->type->bytes;
  return a->offset >= 0 && (uint64_t)a->offset <= size && bytes <= size - (uint64_t)a->offset;
}

// The scalars that the copy writes; false: there are too many, or not the whole of one.
static bool find_leaves(const struct flow *w, const struct move *m, struct flow_leaf *leaves,
                        uint32_t *count) {
  uint64_t at = (uint64_t)m->to.offset, end = at + m->bytes;
  *count = 0;
  for (; at < end; at++) {
    struct flow_leaf *leaf = &leaves[*count];
    if (!flow_leaf_at(object(w, &m->to)->type, at, leaf)) continue;
    uint64_t after = leaf->offset + flow_bytes(leaf->type);
    if (leaf->offset != at || after > end || ++*count == SCALARS_MAX) return false;
    at = after - 1;
  }
  return true;
}

// Is every scalar that is written one of the same type where it is read?
static bool is_alike(const struct flow *w, const struct move *m, const struct flow_leaf *leaves,
                     uint32_t count) {
  struct flow_leaf from;
  for (uint32_t k = 0; k < count; k++) {
    uint64_t at = leaves[k].offset - (uint64_t)m->to.offset + (uint64_t)m->from.offset;
    if (!flow_leaf_at(object(w, &m->from)->type, at, &from) || from.offset != at ||
        from.type != leaves[k].type)
      return false;
  }
  return true;
}

static bool put_scalars(struct flow_out *out, const struct move *m, const struct flow_leaf *leaves,
                        uint32_t count) {
  struct c_value values[SCALARS_MAX];
  for (uint32_t k = 0; k < count; k++) {
    uint64_t at = leaves[k].offset - (uint64_t)m->to.offset + (uint64_t)m->from.offset;
    if (!flow_pun_load(out, m->from.object, at, leaves[k].type, &values[k])) return false;
  }
  for (uint32_t k = 0; k < count; k++)
    if (!flow_pun_store(out, m->to.object, leaves[k].offset, values[k])) return false;
  return true;
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  const struct flow_defs *d = context;
  struct flow_leaf leaves[SCALARS_MAX];
  struct move m;
  uint32_t count;
  if (i->op != C_MEMCPY || i->args[2].kind != C_NUMBER || !flow_address(d, i->args[0], &m.to) ||
      !flow_address(d, i->args[1], &m.from))
    return false;
  m.bytes = (uint64_t)i->args[2].number;
  if (!inside(out->w, &m.to, m.bytes) || !inside(out->w, &m.from, m.bytes) ||
      !find_leaves(out->w, &m, leaves, &count))
    return false;
  if (!object(out->w, &m.to)->is_temporary && !object(out->w, &m.from)->is_temporary &&
      is_alike(out->w, &m, leaves, count))
    return false;
  size_t kept = out->code.count;
  bool done = put_scalars(out, &m, leaves, count);
  if (!done) out->code.count = kept;
  return done;
}

bool flow_move(struct flow *w) {
  struct flow_defs d;
  flow_defs_init(&d, w->f);
  bool changed = flow_rewrite(w, rewrite, &d);
  flow_defs_clear(&d);
  return changed;
}
