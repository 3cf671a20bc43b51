// SPDX-License-Identifier: Apache-2.0
// Loads and stores of scalars. Through an address that may be of several places each is a case.
#include "front/c/memory.h"

static const struct span nowhere;

// --- reading ---

// Was it set? That is to be told, or else it must be.
static void find_set(struct c_lower *w, const struct c_ways *ways, struct ir_expr **set,
                     struct span span) {
  struct ir_expr *all = NULL;
  const char *name = "";
  for (size_t i = 0; i < ways->count; i++) {
    const struct c_way *y = &ways->data[i];
    if (!w->things.data[y->thing].set) continue;
    struct ir_expr *is_set = c_way_place(w, y, true);
    if (y->when) is_set = ir_binary(w->m, IR_IMPLIES, c_copy(w, y->when), is_set, nowhere);
    all = c_and(w, all, is_set);
    name = w->things.data[y->thing].name;
  }
  if (set)
    *set = all;
  else if (all)
    c_check(w, C_CHECK_UNINIT, all, span, "\"%s\" is read before it is set", name);
}

struct ir_expr *c_memory_read(struct c_lower *w, struct c_address *a, const struct c_type *t,
                              struct ir_expr **set, struct span span) {
  struct c_ways ways = {0};
  c_memory_ways(w, a, t, span, &ways);
  struct ir_expr *e = NULL;
  find_set(w, &ways, set, span);
  for (size_t i = ways.count; i-- > 0;) {
    struct ir_expr *place = c_way_place(w, &ways.data[i], false);
    e = !e ? place
           : ir_ite(w->m, c_copy(w, ways.data[i].when), c_as(w, place, e->type), e, e->type,
                    nowhere);
  }
  VEC_CLEAR(&ways);
  return e ? e : c_number(w, c_int_type(w, t->bits > 64 ? 64 : t->bits, true), 0);
}

static struct c_address *pointer_in(struct c_lower *w, const struct c_way *y) {
  const struct c_thing *t = &w->things.data[y->thing];
  const struct c_type *type = t->type;
  uint64_t scalar = 0; // of any element: they are all one class
  for (uint32_t i = 0; i < y->step_count; i++) {
    if (!y->steps[i].index) scalar += c_field_scalar(type, y->steps[i].field);
    type = c_step_type(type, &y->steps[i]);
  }
  return c_memory_get_pointer(w, c_way_place(w, y, false), c_thing_facts(w, t, scalar));
}

struct c_address *c_memory_read_pointer(struct c_lower *w, struct c_address *a,
                                        const struct c_facts *f, const struct c_type *t,
                                        struct ir_expr **set, struct span span) {
  struct c_ways ways = {0};
  c_memory_ways(w, a, t, span, &ways);
  struct c_address *r = NULL;
  find_set(w, &ways, set, span);
  for (size_t i = ways.count; i-- > 0;) {
    struct c_address *p = pointer_in(w, &ways.data[i]);
    r = r ? c_memory_select(w, c_copy(w, ways.data[i].when), p, r, f) : p;
  }
  VEC_CLEAR(&ways);
  struct c_value null = {.kind = C_NULL};
  return r ? r : c_memory_address(w, &null);
}

void c_memory_load(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *a = c_pointer(w, &i->args[0]);
  if (i->type->kind == C_POINTER) {
    const struct c_facts *f = &w->points->registers[i->index];
    c_give_address(w, i->index, c_memory_read_pointer(w, a, f, i->type, NULL, i->span));
  } else if (i->type->kind == C_INT && i->type->bits <= 64) {
    c_give(w, i->index, c_memory_read(w, a, i->type, NULL, i->span));
  } else {
    c_unable(w, i->span, "%s", i->type->name ? i->type->name : "a value of this type");
  }
}

// --- writing ---

static void write_way(struct c_lower *w, const struct c_way *y, const struct c_type *t,
                      const struct c_written *v, struct span span) {
  struct ir_expr *place = c_way_place(w, y, false);
  if (t->kind == C_POINTER)
    c_memory_put_pointer(w, place, v->pointer, span);
  else
    c_add(w, ir_assign(w->m, place, c_as(w, c_copy(w, v->expr), place->type), span));
  if (!w->things.data[y->thing].set) return;
  struct ir_expr *set = v->set ? c_copy(w, v->set) : ir_bool(w->m, true, nowhere);
  c_add(w, ir_assign(w->m, c_way_place(w, y, true), set, nowhere));
}

void c_memory_write(struct c_lower *w, struct c_address *a, const struct c_type *t,
                    struct c_written v, struct span span) {
  struct c_ways ways = {0};
  c_memory_ways(w, a, t, span, &ways);
  if (v.expr && ways.count > 1) v.expr = c_stored(w, v.expr);
  for (size_t i = 0; i < ways.count; i++) {
    struct c_way *y = &ways.data[i];
    struct ir_chain body = {0}, *out = w->out;
    if (y->when) w->out = &body;
    write_way(w, y, t, &v, span);
    w->out = out;
    if (y->when) c_add(w, ir_if(w->m, c_copy(w, y->when), body.first, NULL, span));
  }
  VEC_CLEAR(&ways);
}

// Conditions of places are over what is stored already: writing one does not change another's.
void c_memory_store(struct c_lower *w, const struct c_instruction *i) {
  const struct c_type *t = i->args[0].type;
  struct c_address *pointer = t->kind == C_POINTER ? c_pointer(w, &i->args[0]) : NULL;
  struct ir_expr *e = t->kind == C_INT && t->bits <= 64 ? c_value(w, &i->args[0]) : NULL;
  struct c_address *a = c_pointer(w, &i->args[1]);
  if (!pointer && !e) return c_unable(w, i->span, "%s", t->name ? t->name : "a value of this type");
  c_settle(w);
  c_memory_write(w, a, t, (struct c_written){.expr = e, .pointer = pointer}, i->span);
}
