// SPDX-License-Identifier: Apache-2.0
// Things: the objects of the program that its code uses, and those that allocations may give. Each
// is a variable; one that is read unset has another that says what is set (--check uninit).
#include "front/c/memory.h"

#include <string.h>

static const struct span nowhere;

// --- which are used ---

static bool is_lifetime(const struct c_instruction *i) {
  return i->op == C_ENTER || i->op == C_LEAVE || (i->op == C_CALL && c_call_ignored(i->name));
}

static void use_value(struct c_lower *w, const struct c_value *v) {
  if (v->kind == C_OBJECT) w->things.data[v->index].is_used = true;
}

static void find_used(struct c_lower *w) {
  for (size_t b = 0; b < w->f->blocks.count; b++) {
    const struct c_block *block = &w->f->blocks.data[b];
    for (size_t i = 0; i < block->phis.count; i++)
      for (uint32_t k = 0; k < block->phis.data[i].count; k++)
        use_value(w, &block->phis.data[i].values[k]);
    for (size_t i = 0; i < block->code.count; i++)
      for (uint32_t k = 0; k < block->code.data[i].arg_count; k++)
        if (!is_lifetime(&block->code.data[i])) use_value(w, &block->code.data[i].args[k]);
  }
  for (uint32_t i = 0; i < w->points->class_count; i++)
    for (size_t k = 0; k < w->points->classes[i].count; k++) {
      uint32_t n, first = c_target_things(w, w->points->classes[i].data[k].target, &n);
      for (uint32_t j = 0; j < n; j++) w->things.data[first + j].is_used = true;
    }
}

// --- the list of things ---

static uint32_t heap_count(const struct c_lower *w, uint32_t allocation) {
  if (!w->points->allocations.data[allocation].is_repeated) return 1;
  return w->config->heap ? w->config->heap : C_HEAP;
}

uint32_t c_target_things(struct c_lower *w, uint32_t target, uint32_t *count) {
  uint32_t objects = (uint32_t)w->p->objects.count, i = target - C_TARGET_OBJECTS;
  uint32_t allocations = (uint32_t)w->points->allocations.count;
  *count = target == C_TARGET_NULL ? 0 : 1;
  if (target == C_TARGET_NULL || i < objects) return i;
  i -= objects;
  uint32_t thing = objects;
  for (uint32_t k = 0; k < i && k < allocations; k++) thing += heap_count(w, k);
  if (i >= allocations) return thing + (i - allocations);
  *count = heap_count(w, i);
  return thing;
}

static void list_allocation(struct c_lower *w, uint32_t number) {
  const struct c_allocation *a = &w->points->allocations.data[number];
  for (uint32_t k = 0; k < heap_count(w, number); k++) {
    const char *name = arena_printf(w->m->arena, "%s@%u", a->call->name, a->call->span.line);
    if (a->is_repeated) name = arena_printf(w->m->arena, "%s#%u", name, k + 1);
    VEC_PUSH(&w->things, ((struct c_thing){.name = name,
                                           .type = a->type,
                                           .span = a->call->span,
                                           .target = c_target_allocation(w->points, number),
                                           .is_heap = true,
                                           .is_used = a->type != NULL}));
  }
}

static void list_things(struct c_lower *w) {
  for (uint32_t i = 0; i < w->p->objects.count; i++) {
    const struct c_object *o = &w->p->objects.data[i];
    VEC_PUSH(&w->things, ((struct c_thing){.name = o->name,
                                           .type = o->type,
                                           .span = o->span,
                                           .target = c_target_object(i),
                                           .is_unsigned = o->is_unsigned,
                                           .object = o}));
  }
  for (uint32_t i = 0; i < w->points->allocations.count; i++) list_allocation(w, i);
  for (uint32_t i = 0; i < w->p->functions.count; i++)
    VEC_PUSH(&w->things, ((struct c_thing){.name = w->p->functions.data[i].name,
                                           .span = w->p->functions.data[i].span,
                                           .target = c_target_function(w->points, i)}));
}

// --- variables ---

// Names of locals of functions that are called more than once come more than once.
static struct ir_var *declare(struct c_lower *w, const char *name, const struct ir_type *t,
                              struct span span) {
  return ir_var_new(w->m, c_name_unique(&w->names, w->arena, name), t, span);
}

// May it be used when it is not there?
static bool comes_and_goes(const struct c_lower *w, const struct c_thing *t) {
  return t->is_heap || w->used_gone[t->object - w->p->objects.data];
}

static bool can_be_unset(const struct c_lower *w, const struct c_thing *t) {
  if (!(w->config->checks & C_CHECK_UNINIT)) return false;
  if (t->is_heap) return true;
  if (t->object->is_global) return false;
  return !t->object->plain || w->unset[t->object - w->p->objects.data];
}

static void declare_thing(struct c_lower *w, struct c_thing *t) {
  if (!t->type || !t->is_used) return;
  t->var = declare(w, t->name, c_memory_type(w, t, false), t->span);
  if (can_be_unset(w, t)) {
    const char *name = arena_printf(w->arena, "%s is set", t->name);
    t->set = declare(w, name, c_memory_type(w, t, true), nowhere);
    t->set->hidden = true;
  }
  if (!comes_and_goes(w, t)) return;
  t->status = declare(w, arena_printf(w->arena, "%s is", t->name), w->status, nowhere);
  t->status->hidden = !t->is_heap;
}

static const struct ir_type *status_type(struct c_lower *w) {
  static const char *const names[] = {"unused", "allocated", "freed"};
  struct ir_type *t = ir_type_range(w->m, C_STATUS_NONE, C_STATUS_FREED);
  t->members = ARENA_ARRAY(w->m->arena, const char *, 3);
  memcpy(t->members, names, sizeof names);
  return t;
}

void c_memory_declare(struct c_lower *w) {
  w->status = status_type(w);
  list_things(w);
  find_used(w);
  c_memory_pointer_names(w);
  for (size_t i = 0; i < w->things.count; i++) declare_thing(w, &w->things.data[i]);
}

// --- what they hold at the start ---

static struct ir_expr *first_of(struct c_lower *w, const struct ir_type *t) {
  return t->kind == IR_TYPE_INT ? c_number(w, t, 0)
                                : ir_const(w->m, t, t->lo < 0 ? 0 : t->lo, nowhere);
}

// Every scalar in there is 0: false, null, unused.
static void start_zero(struct c_lower *w, struct ir_expr *place) {
  const struct ir_type *t = place->type;
  if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      start_zero(w, ir_field(w->m, c_copy(w, place), i, nowhere));
  } else if (t->kind == IR_TYPE_ARRAY) {
    struct ir_local *l =
        ir_local_new(w->m, &w->rule->frame, IR_LOCAL_BOUND, "i", t->index, nowhere);
    struct ir_chain body = {0}, *out = w->out;
    w->out = &body;
    start_zero(w, ir_index(w->m, place, ir_local_ref(w->m, l, nowhere), nowhere));
    w->out = out;
    c_add(w, ir_for(w->m, l, ir_domain_type(w->m, t->index), body.first, nowhere));
  } else {
    c_add(w, ir_assign(w->m, place, first_of(w, t), nowhere));
  }
}

static bool is_zero(const struct c_value *v) {
  return v->kind == C_NULL || v->kind == C_UNDEF || (v->kind == C_NUMBER && v->number == 0);
}

static void start_scalar(struct c_lower *w, const struct c_thing *t, uint64_t scalar) {
  const struct c_value *v = &t->object->initial[scalar];
  struct c_way y = {.thing = (uint32_t)(t - w->things.data)};
  const struct c_type *type = c_scalar_type(t->type, scalar);
  if (is_zero(v) || type->kind == C_OTHER) return;
  y.step_count = c_scalar_steps(w, t->type, scalar, &y.steps);
  struct ir_expr *place = c_way_place(w, &y, false);
  if (type->kind == C_INT)
    c_add(w, ir_assign(w->m, place, c_number(w, place->type, v->number), nowhere));
  else
    c_memory_put_pointer(w, place, c_memory_address(w, v), nowhere);
}

void c_memory_start(struct c_lower *w) {
  for (size_t i = 0; i < w->m->vars.count; i++)
    start_zero(w, ir_var_ref(w->m, w->m->vars.data[i], nowhere));
  for (size_t i = 0; i < w->things.count; i++) {
    const struct c_thing *t = &w->things.data[i];
    if (!t->var || !t->object || !t->object->initial) continue;
    for (uint64_t k = 0; k < t->object->scalars; k++) start_scalar(w, t, k);
  }
}
