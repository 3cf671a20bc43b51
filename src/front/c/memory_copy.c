// SPDX-License-Identifier: Apache-2.0
// memset and memcpy of typed memory: scalar by scalar. How many bytes must be known, and be whole
// elements of what the pointers point to.
#include "front/c/memory.h"

enum { SCALARS_MAX = 4096 };

// Of types that begin where a path ends: the largest of which so many bytes are whole elements.
static const struct c_type *element_at(struct c_lower *w, const struct c_address *a,
                                       uint64_t bytes) {
  const struct c_type *t = c_address_root(w, a), *found = NULL;
  for (uint32_t i = 0;; i++) {
    uint32_t k = i; // is it the first of what is in there from here on?
    while (k < a->step_count && c_is_first_step(&a->steps[k])) k++;
    bool here = k >= a->step_count;
    if (here && !found && t->bytes && t->bytes <= bytes && bytes % t->bytes == 0) found = t;
    if (i >= a->step_count) break;
    t = c_step_type(t, &a->steps[i]);
  }
  while (!found && !c_is_scalar(t) && c_scalars(t) > 0) {
    t = t->kind == C_ARRAY ? t->to : t->fields[0].type;
    if (t->bytes && t->bytes <= bytes && bytes % t->bytes == 0) found = t;
  }
  return found;
}

// What all that it may point to is made of.
static const struct c_type *element_of(struct c_lower *w, const struct c_address *a) {
  const struct c_type *t = NULL;
  for (size_t i = 0; i < a->facts->count; i++) {
    const struct c_type *u = c_target_type(w->points, a->facts->data[i].target);
    if (u && u->kind == C_ARRAY) u = u->to;
    if (u && t && u != t) return NULL;
    if (u) t = u;
  }
  return t;
}

// How many elements that many bytes are, and of which type; 0: that is not known.
static uint64_t elements(struct c_lower *w, const struct c_address *a, const struct c_value *bytes,
                         const struct c_type **t) {
  if (bytes->kind != C_NUMBER || bytes->number <= 0) return 0;
  uint64_t n = (uint64_t)bytes->number;
  *t = a->path || a->root ? element_at(w, a, n) : a->hint ? a->hint : element_of(w, a);
  if (!*t || (*t)->bytes == 0 || n % (*t)->bytes) return 0;
  uint64_t count = n / (*t)->bytes;
  return count * c_scalars(*t) <= SCALARS_MAX ? count : 0;
}

// An integer of so many equal bytes: the byte times 0x01...01.
static struct ir_expr *repeated(struct c_lower *w, const struct ir_expr *byte,
                                const struct c_type *t) {
  const struct ir_type *u = c_int_type(w, t->bits, false);
  uint64_t ones = 0;
  for (uint32_t i = 0; i < t->bits; i += 8) ones = ones << 8 | 1;
  struct ir_expr *e = c_as(w, c_as(w, c_copy(w, byte), c_int_type(w, 8, false)), u);
  return ones == 1 ? e : c_binary(w, IR_MUL, e, c_number(w, u, (int64_t)ones));
}

static void set_scalar(struct c_lower *w, struct c_address *a, const struct c_type *t,
                       const struct ir_expr *byte, struct span span) {
  struct c_value null = {.kind = C_NULL};
  if (t->kind == C_POINTER && c_is_number(byte, 0))
    c_memory_write(w, a, t, (struct c_written){.pointer = c_memory_address(w, &null)}, span);
  else if (t->kind == C_INT && t->bits <= 64)
    c_memory_write(w, a, t, (struct c_written){.expr = repeated(w, byte, t)}, span);
  else
    c_unable(w, span, "memset of what is no integer");
}

// The address is asked for again and again.
static void keep_address(struct c_lower *w, struct c_address *a) {
  for (uint32_t i = 0; i < a->step_count; i++)
    if (a->steps[i].index) a->steps[i].index = c_stored(w, a->steps[i].index);
  if (a->object) a->object = c_stored(w, a->object);
  if (a->offset) a->offset = c_stored(w, a->offset);
}

void c_memory_set(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *a = c_pointer(w, &i->args[0]);
  if (a->unable) return c_unable(w, i->span, "%s", a->unable);
  const struct c_type *t;
  struct ir_expr *byte = c_stored(w, c_value(w, &i->args[1]));
  if (i->args[2].kind == C_NUMBER && i->args[2].number == 0) return;
  uint64_t n = elements(w, a, &i->args[2], &t);
  if (n == 0) return c_unable(w, i->span, "memset of this size");
  c_settle(w);
  keep_address(w, a);
  for (uint64_t e = 0; e < n; e++)
    for (uint64_t k = 0; k < c_scalars(t); k++)
      set_scalar(w, c_memory_part(w, a, t, e, k), c_scalar_type(t, k), byte, i->span);
}

// --- memcpy, memmove ---

// What the pointer in there may point to: anything that what stands behind the address holds.
static const struct c_facts *facts_of(struct c_lower *w, const struct c_address *a) {
  struct c_facts *f = ARENA_NEW(w->arena, struct c_facts), all = {0};
  for (size_t i = 0; i < a->facts->count; i++) {
    uint32_t target = a->facts->data[i].target;
    const struct c_type *t = c_target_type(w->points, target);
    for (uint32_t k = 0; t && k < c_classes(t); k++) {
      const struct c_facts *c = &w->points->classes[w->points->first_class[target] + k];
      for (size_t j = 0; j < c->count; j++) c_facts_add(&all, c->data[j]);
    }
  }
  f->data = ARENA_ARRAY(w->arena, struct c_fact, all.count + 1);
  f->count = f->capacity = all.count;
  for (size_t j = 0; j < all.count; j++) f->data[j] = all.data[j];
  VEC_CLEAR(&all);
  return f;
}

static struct c_written read_scalar(struct c_lower *w, struct c_address *a, const struct c_type *t,
                                    struct span span) {
  struct c_written r = {0};
  if (t->kind == C_POINTER) {
    r.pointer = c_memory_read_pointer(w, a, facts_of(w, a), t, &r.set, span);
    keep_address(w, r.pointer);
  } else if (t->kind == C_INT && t->bits <= 64) {
    r.expr = c_stored(w, c_memory_read(w, a, t, &r.set, span));
  }
  if (r.set) r.set = c_stored(w, r.set);
  return r;
}

void c_memory_move(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *to = c_pointer(w, &i->args[0]), *from = c_pointer(w, &i->args[1]);
  if (to->unable || from->unable)
    return c_unable(w, i->span, "%s", to->unable ? to->unable : from->unable);
  if (i->args[2].kind == C_NUMBER && i->args[2].number == 0) return;
  const struct c_type *t;
  uint64_t n = elements(w, to->path || !from->path ? to : from, &i->args[2], &t);
  if (n == 0) return c_unable(w, i->span, "memcpy of this size");
  c_settle(w);
  keep_address(w, to);
  keep_address(w, from);
  uint64_t scalars = c_scalars(t);
  struct c_written *read = ARENA_ARRAY(w->arena, struct c_written, n * scalars + 1);
  for (uint64_t k = 0; k < n * scalars; k++)
    read[k] = read_scalar(w, c_memory_part(w, from, t, k / scalars, k % scalars),
                          c_scalar_type(t, k % scalars), i->span);
  for (uint64_t k = 0; k < n * scalars; k++) {
    if (!read[k].expr && !read[k].pointer) continue; // nobody reads what cannot be carried
    c_memory_write(w, c_memory_part(w, to, t, k / scalars, k % scalars),
                   c_scalar_type(t, k % scalars), read[k], i->span);
  }
}
