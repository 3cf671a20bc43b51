// SPDX-License-Identifier: Apache-2.0
// Within a block, a load from a plain object is what was stored to it before.
#include "front/c/flow.h"

struct last {
  uint32_t block; // number + 1 that the rest is of
  bool is_set;
  struct c_value value;
};

// True: the instruction is a copy now.
static bool forward(struct flow *w, struct last *last, uint32_t block, struct c_instruction *i) {
  uint32_t k = i->op == C_STORE ? 1 : 0;
  bool touches = i->op == C_STORE || i->op == C_LOAD || i->op == C_ENTER || i->op == C_LEAVE;
  if (!touches || i->args[k].kind != C_OBJECT || !w->p->objects.data[i->args[k].index].plain)
    return false;
  struct last *l = &last[i->args[k].index];
  bool known = l->block == block + 1 && l->is_set;
  if (i->op == C_LOAD && known) {
    i->op = C_COPY;
    i->args[0] = l->value;
    return true;
  }
  if (i->op != C_LOAD)
    *l = (struct last){.block = block + 1, .is_set = i->op == C_STORE, .value = i->args[0]};
  return false;
}

bool flow_forward(struct flow *w) {
  struct last *last = mem_zalloc(w->p->objects.count + 1, sizeof *last);
  bool changed = false;
  for (uint32_t k = 0; k < w->f->blocks.count; k++)
    for (size_t i = 0; i < w->f->blocks.data[k].code.count; i++)
      changed |= forward(w, last, k, &w->f->blocks.data[k].code.data[i]);
  mem_free(last);
  return changed;
}

// --- stores that nobody loads ---

static bool *find_loaded(const struct flow *w) {
  bool *loaded = mem_zalloc(w->p->objects.count + 1, sizeof *loaded);
  for (size_t k = 0; k < w->f->blocks.count; k++)
    for (size_t i = 0; i < w->f->blocks.data[k].code.count; i++) {
      const struct c_instruction *c = &w->f->blocks.data[k].code.data[i];
      if (c->op == C_LOAD && c->args[0].kind == C_OBJECT) loaded[c->args[0].index] = true;
    }
  return loaded;
}

static bool is_main_argument(const struct flow_defs *d, const struct c_value *v) {
  const struct c_instruction *i = flow_def(d, v);
  return i && flow_is_main_argument(i);
}

// Variables of the user's are kept, but for pointers: those read well by what they point to.
static bool is_idle_store(const struct flow *w, const struct flow_defs *d,
                          const struct c_instruction *i, const bool *loaded) {
  if (i->op != C_STORE || i->args[1].kind != C_OBJECT || loaded[i->args[1].index]) return false;
  const struct c_object *o = &w->p->objects.data[i->args[1].index];
  return o->plain &&
         (o->is_temporary || o->type->kind == C_POINTER || is_main_argument(d, &i->args[0]));
}

bool flow_idle_stores(struct flow *w) {
  bool *loaded = find_loaded(w), changed = false;
  struct flow_defs d;
  flow_defs_init(&d, w->f);
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    struct c_block *b = &w->f->blocks.data[k];
    size_t kept = 0;
    for (size_t i = 0; i < b->code.count; i++)
      if (!is_idle_store(w, &d, &b->code.data[i], loaded)) b->code.data[kept++] = b->code.data[i];
    changed |= kept < b->code.count;
    b->code.count = kept;
  }
  flow_defs_clear(&d);
  mem_free(loaded);
  return changed;
}
