// SPDX-License-Identifier: Apache-2.0
// Objects that come and go: locals, and what malloc and calloc give. Each allocation in the program
// has a fixed number of objects; one that was freed comes again only if nobody checks pointers,
// since a stale pointer to it would seem to be a good one.
#include "front/c/memory.h"

#include <string.h>

static const struct span nowhere;

enum { ANY_MAX = 1024 };

static struct ir_expr *status_is(struct c_lower *w, const struct c_thing *t, int64_t status) {
  return c_binary(w, IR_EQ, ir_var_ref(w->m, t->status, nowhere),
                  ir_const(w->m, w->status, status, nowhere));
}

static void set_status(struct c_lower *w, const struct c_thing *t, int64_t status) {
  if (!t->status) return;
  c_add(w, ir_assign(w->m, ir_var_ref(w->m, t->status, nowhere),
                     ir_const(w->m, w->status, status, nowhere), nowhere));
}

// --- what nobody set ---

static bool clears(const struct c_instruction *i) {
  return i->op == C_CALL && !strcmp(i->name, "calloc");
}

static const struct c_thing *thing_of(struct c_lower *w, const struct c_instruction *i) {
  uint32_t n, target;
  if (i->op == C_ENTER || i->op == C_LEAVE) {
    target = c_target_object(i->args[0].index);
  } else {
    target = w->points->registers[i->index].data[0].target;
  }
  return &w->things.data[c_target_things(w, target, &n)];
}

// Does it give the address of the object itself?
static bool is_address(const struct c_instruction *i, uint32_t object) {
  if (i->args[0].kind != C_OBJECT || i->args[0].index != object) return false;
  if (i->op != C_GEP) return i->op == C_BITCAST;
  for (uint32_t k = 1; k < i->arg_count; k++)
    if (i->args[k].kind != C_NUMBER || i->args[k].number != 0) return false;
  return true;
}

// Is all of it set later in the same block, before anything else is done with it?
static bool is_filled(struct c_lower *w, const struct c_instruction *i) {
  const struct c_instruction *end = w->block->code.data + w->block->code.count;
  uint32_t object = i->args[0].index, reg = UINT32_MAX;
  for (const struct c_instruction *k = i + 1; k < end; k++) {
    bool to = k->arg_count && k->args[0].kind == C_REGISTER && k->args[0].index == reg;
    if ((k->op == C_MEMSET || k->op == C_MEMCPY) && to)
      return k->args[2].kind == C_NUMBER &&
             (uint64_t)k->args[2].number == w->things.data[object].type->bytes;
    for (uint32_t a = 0; a < k->arg_count; a++) {
      if (k->args[a].kind != C_OBJECT || k->args[a].index != object) continue;
      if (!is_address(k, object)) return false;
      reg = k->index;
    }
  }
  return false;
}

// Does it hold anything, or rather nothing, from here on? Where that is checked it does not matter.
static bool begins_unset(struct c_lower *w, const struct c_instruction *i) {
  const struct c_thing *t = thing_of(w, i);
  if (!t->var || clears(i)) return false;
  if (i->op == C_ENTER && t->object->is_global) return true; // somebody else has set it
  if (w->config->checks & C_CHECK_UNINIT) return false;
  if (i->op != C_ENTER) return true;
  return (!t->object->plain || w->unset[i->args[0].index]) && !is_filled(w, i);
}

// Nobody sets it, and it has too many scalars for each to be any.
static bool is_large_unset(struct c_lower *w, const struct c_instruction *i) {
  return begins_unset(w, i) && c_scalars(thing_of(w, i)->type) > ANY_MAX;
}
static const char too_large[] = "more than 1024 values that begin unset";

uint64_t c_memory_any_count(struct c_lower *w, const struct c_instruction *i) {
  const struct c_thing *t = thing_of(w, i);
  if (!begins_unset(w, i)) return 0;
  uint64_t n = 0, all = c_scalars(t->type);
  if (all > ANY_MAX) return 0;
  for (uint64_t k = 0; k < all; k++) n += c_scalar_type(t->type, k)->kind == C_INT;
  return n;
}

static struct ir_expr *scalar_place(struct c_lower *w, const struct c_thing *t, uint64_t scalar) {
  struct c_way y = {.thing = (uint32_t)(t - w->things.data)};
  y.step_count = c_scalar_steps(w, t->type, scalar, &y.steps);
  return c_way_place(w, &y, false);
}

const struct ir_type *c_memory_any_type(struct c_lower *w, const struct c_instruction *i,
                                        uint64_t number) {
  const struct c_thing *t = thing_of(w, i);
  uint64_t k = 0;
  for (;; k++) {
    if (c_scalar_type(t->type, k)->kind != C_INT) continue;
    if (number-- == 0) return scalar_place(w, t, k)->type;
  }
}

static void forget_set(struct c_lower *w, const struct c_thing *t, bool is_set) {
  for (uint64_t k = 0; t->set && k < c_scalars(t->type); k++) {
    struct c_way y = {.thing = (uint32_t)(t - w->things.data)};
    y.step_count = c_scalar_steps(w, t->type, k, &y.steps);
    c_add(w, ir_assign(w->m, c_way_place(w, &y, true), ir_bool(w->m, is_set, nowhere), nowhere));
  }
}

static void put_null(struct c_lower *w, struct ir_expr *place) {
  struct c_value null = {.kind = C_NULL};
  c_memory_put_pointer(w, place, c_memory_address(w, &null), nowhere);
}

// Integers get these values; none: 0. Pointers are null.
static void begin_life(struct c_lower *w, const struct c_thing *t, struct ir_expr **any,
                       uint64_t count) {
  uint64_t next = 0;
  set_status(w, t, C_STATUS_HERE);
  for (uint64_t k = 0; k < c_scalars(t->type); k++) {
    struct ir_expr *place = scalar_place(w, t, k);
    const struct c_type *type = c_scalar_type(t->type, k);
    if (type->kind == C_POINTER) put_null(w, place);
    if (type->kind != C_INT || place->type->kind != IR_TYPE_INT) continue;
    struct ir_expr *v = next < count ? c_copy(w, any[next++]) : c_number(w, place->type, 0);
    c_add(w, ir_assign(w->m, place, v, nowhere));
  }
}

static struct ir_expr **take_any(struct c_lower *w, uint64_t n) {
  struct ir_expr **any = ARENA_ARRAY(w->arena, struct ir_expr *, n + 1);
  for (uint64_t k = 0; k < n; k++) any[k] = c_next_choice(w);
  return any;
}

static bool is_stream(const char *name) {
  return strcmp(name, "stdin") == 0 || strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0;
}

// What another file holds may be any number, but not anything: that pointers point to, that is too
// large, or of an unknown length. (Streams are only ever handed to functions that print.)
static void begin_foreign(struct c_lower *w, const struct c_thing *t) {
  uint64_t n = c_scalars(t->type), numbers = 0;
  for (uint64_t k = 0; k < n && n <= ANY_MAX; k++)
    numbers += c_scalar_type(t->type, k)->kind == C_INT;
  if (n > 0 && numbers == n)
    diag_warning(w->d, t->span, "%s is defined elsewhere: it begins with any value", t->name);
  else if (!is_stream(t->name))
    c_unable(w, t->span, "%s, which is defined elsewhere", t->name);
}

void c_memory_enter(struct c_lower *w, const struct c_instruction *i) {
  const struct c_thing *t = thing_of(w, i);
  if (!t->var) return;
  c_settle(w);
  if (t->object->is_global) begin_foreign(w, t);
  if (!w->is_dead && is_large_unset(w, i)) c_unable(w, i->span, "%s", too_large);
  if (w->is_dead) return;
  uint64_t n = c_memory_any_count(w, i);
  if (begins_unset(w, i))
    begin_life(w, t, take_any(w, n), n);
  else
    set_status(w, t, C_STATUS_HERE);
  forget_set(w, t, false);
}

void c_memory_leave(struct c_lower *w, const struct c_instruction *i) {
  const struct c_thing *t = thing_of(w, i);
  if (t->var) set_status(w, t, C_STATUS_NONE);
}

// --- malloc, calloc, free ---

static bool checks_pointers(const struct c_lower *w) {
  return w->config->checks & (C_CHECK_NULL | C_CHECK_BOUNDS);
}

struct allocation {
  struct c_thing *first;
  uint32_t count;
  struct ir_expr **any;
  uint64_t any_count;
  struct ir_local *object;
  const struct c_instruction *call;
};

static void allocate(struct c_lower *w, const struct allocation *a, const struct c_thing *t) {
  c_add(w, ir_assign(w->m, ir_local_ref(w->m, a->object, nowhere),
                     ir_const(w->m, w->pointer, t->id, nowhere), nowhere));
  begin_life(w, t, a->any, a->any_count);
  forget_set(w, t, clears(a->call));
}

// The first object of this allocation, from the k-th on, that is not in use.
static void allocate_from(struct c_lower *w, const struct allocation *a, uint32_t k) {
  if (k == a->count)
    return c_beyond(w, a->call->span, "more than %u objects of one allocation", a->count);
  const struct c_thing *t = &a->first[k];
  struct ir_chain here = {0}, next = {0}, *out = w->out;
  w->out = &here;
  allocate(w, a, t);
  w->out = &next;
  allocate_from(w, a, k + 1);
  w->out = out;
  c_add(w, ir_if(w->m, status_is(w, t, C_STATUS_NONE), here.first, next.first, nowhere));
}

void c_memory_allocate(struct c_lower *w, const struct c_instruction *i) {
  uint32_t target = w->points->registers[i->index].data[0].target;
  const struct c_allocation *site =
      &w->points->allocations.data[target - c_target_allocation(w->points, 0)];
  struct c_address *p = ARENA_NEW(w->arena, struct c_address);
  struct allocation a = {.call = i};
  p->facts = &w->points->registers[i->index];
  const char *unable = site->unable ? site->unable : is_large_unset(w, i) ? too_large : NULL;
  if (unable) {
    c_unable(w, i->span, "%s", unable);
    p->unable = unable;
    p->object = ir_const(w->m, w->pointer, 0, nowhere);
    return c_give_address(w, i->index, p);
  }
  c_settle(w);
  a.first = &w->things.data[c_target_things(w, target, &a.count)];
  a.any_count = c_memory_any_count(w, i);
  a.any = take_any(w, a.any_count);
  a.object = c_temporary(w, w->pointer);
  if (site->is_repeated)
    allocate_from(w, &a, 0);
  else
    allocate(w, &a, a.first);
  p->object = ir_local_ref(w->m, a.object, nowhere);
  c_give_address(w, i->index, p);
}

// What is freed was allocated, is there, and begins here.
static void check_free(struct c_lower *w, const struct c_address *a, const struct ir_expr *object,
                       const struct ir_expr *offset, struct span span) {
  struct ir_expr *given = NULL, *here = NULL;
  for (size_t k = 0; k < a->facts->count; k++) {
    uint32_t n, first = c_target_things(w, a->facts->data[k].target, &n);
    for (uint32_t j = first; j < first + n; j++) {
      const struct c_thing *t = &w->things.data[j];
      struct ir_expr *other =
          c_binary(w, IR_NE, c_copy(w, object), ir_const(w->m, w->pointer, t->id, nowhere));
      if (!t->is_heap)
        given = c_and(w, given, other);
      else if (t->var)
        here =
            c_and(w, here, ir_binary(w->m, IR_OR, other, status_is(w, t, C_STATUS_HERE), nowhere));
    }
  }
  if (given) c_check(w, C_CHECK_NULL, given, span, "memory is freed that was not allocated");
  if (here) c_check(w, C_CHECK_NULL, here, span, "memory is freed twice");
  struct ir_expr *begins = c_binary(w, IR_EQ, c_copy(w, offset), c_number(w, offset->type, 0));
  c_check(w, C_CHECK_NULL, begins, span, "what is freed is not the beginning of memory");
}

static void free_thing(struct c_lower *w, const struct c_thing *t, const struct ir_expr *object) {
  struct ir_chain body = {0}, *out = w->out;
  if (!t->is_heap || !t->var) return;
  w->out = &body;
  set_status(w, t, checks_pointers(w) ? C_STATUS_FREED : C_STATUS_NONE);
  w->out = out;
  struct ir_expr *id = ir_const(w->m, w->pointer, t->id, nowhere);
  c_add(w, ir_if(w->m, c_binary(w, IR_EQ, c_copy(w, object), id), body.first, NULL, nowhere));
}

void c_memory_free(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *a = c_pointer(w, &i->args[0]);
  if (a->unable) return c_unable(w, i->span, "%s", a->unable);
  c_settle(w);
  if (a->object) a->object = c_stored(w, a->object);
  struct ir_expr *object = c_stored(w, c_address_object(w, a));
  struct ir_expr *offset = c_stored(w, c_address_offset(w, a));
  check_free(w, a, object, offset, i->span);
  for (size_t k = 0; k < a->facts->count; k++) {
    uint32_t n, first = c_target_things(w, a->facts->data[k].target, &n);
    for (uint32_t j = 0; j < n; j++) free_thing(w, &w->things.data[first + j], object);
  }
}

void c_memory_leaks(struct c_lower *w, struct span span) {
  if (!(w->config->checks & C_CHECK_LEAK)) return;
  for (uint32_t k = 0; k < w->points->allocations.count; k++) {
    uint32_t n, first = c_target_things(w, c_target_allocation(w->points, k), &n);
    struct ir_expr *freed = NULL;
    for (uint32_t j = 0; j < n && w->things.data[first + j].var; j++)
      freed = c_and(w, freed, c_not(w, status_is(w, &w->things.data[first + j], C_STATUS_HERE)));
    if (freed)
      c_check(w, C_CHECK_LEAK, freed, span, "memory allocated in line %u is never freed",
              w->things.data[first].span.line);
  }
}
