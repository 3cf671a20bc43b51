// SPDX-License-Identifier: Apache-2.0
// Globals that nobody writes: neither is their address stored anywhere, nor used for anything but
// loads. What is loaded from a known place of them is known.
#include "front/c/flow.h"

struct constants {
  struct flow *w;
  struct flow_defs defs;
  bool *written;
};

// The object that a pointer is worked out from; none: FLOW_NONE.
static uint32_t root(const struct constants *c, struct c_value v) {
  const struct c_instruction *i = flow_def(&c->defs, &v);
  while (i && (i->op == C_GEP || i->op == C_BITCAST)) {
    v = i->args[0];
    i = flow_def(&c->defs, &v);
  }
  return v.kind == C_OBJECT ? v.index : FLOW_NONE;
}

static bool only_reads(const struct c_instruction *i, uint32_t k) {
  switch (i->op) {
  case C_LOAD: return true;
  case C_GEP:
  case C_BITCAST: return k == 0; // what uses the result is looked at
  case C_MEMCPY: return k == 1;
  case C_EQ:
  case C_NE: return true;
  default: return false;
  }
}

static void note(struct constants *c, struct c_value v) {
  uint32_t object = root(c, v);
  if (object != FLOW_NONE) c->written[object] = true;
}

static void look(struct constants *c) {
  const struct c_program *p = c->w->p;
  bool *used = flow_used_objects(c->w);
  for (size_t i = 0; i < p->objects.count; i++)
    for (uint64_t k = 0; used[i] && p->objects.data[i].initial && k < p->objects.data[i].scalars;
         k++)
      note(c, p->objects.data[i].initial[k]);
  mem_free(used);
  for (size_t k = 0; k < c->w->f->blocks.count; k++) {
    const struct c_block *b = &c->w->f->blocks.data[k];
    for (size_t i = 0; i < b->phis.count; i++)
      for (uint32_t a = 0; a < b->phis.data[i].count; a++) note(c, b->phis.data[i].values[a]);
    for (size_t i = 0; i < b->code.count; i++)
      for (uint32_t a = 0; a < b->code.data[i].arg_count; a++)
        if (!only_reads(&b->code.data[i], a)) note(c, b->code.data[i].args[a]);
  }
}

bool c_object_foreign(const struct c_object *o) {
  for (uint64_t k = 0; o->initial && k < o->scalars; k++)
    if (o->initial[k].kind != C_UNDEF) return false;
  return o->initial != NULL;
}

static void mark(struct constants *c) {
  for (size_t i = 0; i < c->w->p->objects.count; i++) {
    struct c_object *o = &c->w->p->objects.data[i];
    if (o->is_global && !c->written[i] && !c_object_foreign(o)) o->is_constant = true;
  }
}

static struct c_value initial(const struct c_object *o, const struct flow_leaf *leaf) {
  if (o->initial) return o->initial[flow_leaf_number(o->type, leaf)];
  return (struct c_value){.kind = leaf->type->kind == C_POINTER ? C_NULL : C_NUMBER,
                          .type = leaf->type};
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  const struct constants *c = context;
  struct flow_address a;
  struct flow_leaf leaf;
  if (i->op != C_LOAD || !flow_address(&c->defs, i->args[0], &a) || a.offset < 0) return false;
  const struct c_object *o = &out->w->p->objects.data[a.object];
  if (!o->is_constant || !flow_leaf_at(o->type, (uint64_t)a.offset, &leaf) ||
      leaf.offset != (uint64_t)a.offset || leaf.type != i->type)
    return false;
  struct c_value v = initial(o, &leaf);
  if (v.kind == C_UNDEF) return false;
  if (v.kind == C_OBJECT && !flow_part_pointer(out, v.index, v.number, i->type->to, &v))
    return false;
  flow_put_copy(out, i, v);
  return true;
}

bool flow_constant(struct flow *w) {
  struct constants c = {.w = w};
  flow_defs_init(&c.defs, w->f);
  c.written = mem_zalloc(w->p->objects.count + 1, sizeof *c.written);
  look(&c);
  mark(&c);
  bool changed = flow_rewrite(w, rewrite, &c);
  flow_defs_clear(&c.defs);
  mem_free(c.written);
  return changed;
}
