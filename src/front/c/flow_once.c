// SPDX-License-Identifier: Apache-2.0
// Pointers that are set once, such as parameters: where they are loaded, what they were set to is
// put in its place (of numbers: constants only). That is an address worked out from objects and
// registers; it is worked out anew at the load, so that the pointer itself need not be kept. Right
// if the one store is on every way to the load: the registers it was worked out from have not
// changed then (they are set once each time, before the store).
#include "front/c/flow.h"

struct place {
  uint32_t block, at;
};

struct once {
  struct flow *w;
  uint32_t *stores;      // of each object: how many
  struct place *store;   // the last of them
  struct c_value *value; // what that stores
  struct flow_defs defs;
  uint32_t *dominators;
};

static void note(struct once *o, uint32_t block, uint32_t k) {
  const struct c_instruction *i = &o->w->f->blocks.data[block].code.data[k];
  if (i->op != C_STORE || i->args[1].kind != C_OBJECT) return;
  uint32_t object = i->args[1].index;
  o->stores[object]++;
  o->store[object] = (struct place){block, k};
  o->value[object] = i->args[0];
}

static void look(struct once *o) {
  const struct c_function *f = o->w->f;
  for (uint32_t k = 0; k < f->blocks.count; k++)
    for (uint32_t i = 0; i < f->blocks.data[k].code.count; i++) note(o, k, i);
}

// Is it an address that can be worked out again: from an object, a function, null, or a register
// that holds a number?
static bool can_repeat(const struct once *o, struct c_value v, unsigned depth) {
  if (v.kind != C_REGISTER || v.type->kind != C_POINTER) return true;
  const struct c_instruction *i = flow_def(&o->defs, &v);
  if (!i || depth == 0 || (i->op != C_GEP && i->op != C_BITCAST)) return false;
  return can_repeat(o, i->args[0], depth - 1);
}

static bool comes_before(const struct once *o, struct place x, struct place y) {
  if (x.block == y.block) return x.at < y.at;
  return flow_dominates(o->dominators, x.block, y.block);
}

// Is the load to be replaced by what the object was set to?
static bool is_settled(const struct once *o, struct place where, const struct c_instruction *i) {
  if (i->op != C_LOAD || i->args[0].kind != C_OBJECT) return false;
  const struct c_object *object = &o->w->p->objects.data[i->args[0].index];
  uint32_t k = i->args[0].index;
  bool simple = object->type->kind == C_POINTER || o->value[k].kind == C_NUMBER;
  return object->plain && simple && o->stores[k] == 1 && comes_before(o, o->store[k], where) &&
         can_repeat(o, o->value[k], 16);
}

// The address once more, for a load; the registers on the way are new ones.
static struct c_value repeat(struct once *o, struct flow_out *out, struct c_value v) {
  if (v.kind != C_REGISTER || v.type->kind != C_POINTER) return v;
  const struct c_instruction *from = flow_def(&o->defs, &v);
  struct c_value first = repeat(o, out, from->args[0]);
  struct c_instruction *i = flow_put(out, from->op, from->type, from->arg_count);
  i->element = from->element;
  for (uint32_t k = 0; k < from->arg_count; k++) i->args[k] = k == 0 ? first : from->args[k];
  return flow_give(out, i);
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  struct once *o = context;
  if (!is_settled(o, (struct place){out->block, out->at}, i)) return false;
  flow_put_copy(out, i, repeat(o, out, o->value[i->args[0].index]));
  return true;
}

bool flow_once(struct flow *w) {
  size_t objects = w->p->objects.count + 1;
  struct once o = {.w = w,
                   .stores = mem_zalloc(objects, sizeof *o.stores),
                   .store = mem_zalloc(objects, sizeof *o.store),
                   .value = mem_zalloc(objects, sizeof *o.value),
                   .dominators = flow_dominators(w->f)};
  flow_defs_init(&o.defs, w->f);
  look(&o);
  bool changed = flow_rewrite(w, rewrite, &o);
  flow_defs_clear(&o.defs);
  mem_free(o.stores);
  mem_free(o.store);
  mem_free(o.value);
  mem_free(o.dominators);
  return changed;
}
