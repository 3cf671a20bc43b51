// SPDX-License-Identifier: Apache-2.0
// Structs as values, as clang hands back small ones: a load is one of each field, and a store or a
// field taken out uses those. What is left of them cannot be carried.
#include "front/c/flow.h"

struct tuples {
  struct c_value **fields; // of each register that is a struct; NULL: not known
  size_t count;
  bool last; // whatever is left
};

static bool is_scalar(const struct c_type *t) { return t->kind == C_INT || t->kind == C_POINTER; }

static bool is_flat(const struct c_type *t) {
  for (uint32_t k = 0; k < t->field_count; k++)
    if (!is_scalar(t->fields[k].type)) return false;
  return true;
}

static struct c_value field_pointer(struct flow_out *out, struct c_value whole,
                                    const struct c_type *t, uint32_t k) {
  struct c_program *p = out->w->p;
  struct c_instruction *i = flow_put(out, C_GEP, flow_pointer_to(p, t->fields[k].type), 3);
  i->element = t;
  i->args[0] = whole;
  i->args[1] = (struct c_value){.kind = C_NUMBER, .type = flow_integer(p, 32)};
  i->args[2] = (struct c_value){.kind = C_NUMBER, .type = flow_integer(p, 32), .number = k};
  return flow_give(out, i);
}

static bool load(struct tuples *t, struct flow_out *out, const struct c_instruction *i) {
  const struct c_type *type = i->type;
  if (!is_flat(type) || i->index >= t->count) return false;
  struct c_value *fields = ARENA_ARRAY(out->w->p->arena, struct c_value, type->field_count + 1);
  for (uint32_t k = 0; k < type->field_count; k++) {
    struct c_value pointer = field_pointer(out, i->args[0], type, k);
    struct c_instruction *c = flow_put(out, C_LOAD, type->fields[k].type, 1);
    c->args[0] = pointer;
    c->moves = true;
    fields[k] = flow_give(out, c);
  }
  t->fields[i->index] = fields;
  flow_put_copy(out, i, (struct c_value){.kind = C_UNDEF, .type = type});
  return true;
}

static const struct c_value *fields_of(const struct tuples *t, const struct c_value *v) {
  return v->kind == C_REGISTER && v->index < t->count ? t->fields[v->index] : NULL;
}

static bool store(struct tuples *t, struct flow_out *out, const struct c_instruction *i) {
  const struct c_type *type = i->args[0].type;
  const struct c_value *fields = fields_of(t, &i->args[0]);
  if (!fields) return false;
  for (uint32_t k = 0; k < type->field_count; k++) {
    struct c_value pointer = field_pointer(out, i->args[1], type, k);
    struct c_instruction *c = flow_put(out, C_STORE, out->w->p->nothing, 2);
    c->args[0] = fields[k];
    c->args[1] = pointer;
  }
  return true;
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  struct tuples *t = context;
  bool done = false, concerned = true;
  if (i->op == C_LOAD && i->type->kind == C_STRUCT) {
    done = load(t, out, i);
  } else if (i->op == C_STORE && i->args[0].type->kind == C_STRUCT) {
    done = store(t, out, i);
  } else if (i->op == C_PART) {
    const struct c_value *fields = fields_of(t, &i->args[0]);
    if (fields) flow_put_copy(out, i, fields[i->args[1].number]);
    done = fields != NULL;
  } else {
    concerned = false;
  }
  if (concerned && !done && t->last) {
    flow_put_unable(out, i, "a struct as a value");
    done = true;
  }
  return done;
}

bool flow_tuple(struct flow *w, bool last) {
  struct tuples t = {.count = w->f->registers.count, .last = last};
  t.fields = mem_zalloc(t.count + 1, sizeof *t.fields);
  bool changed = flow_rewrite(w, rewrite, &t);
  mem_free(t.fields);
  return changed;
}
