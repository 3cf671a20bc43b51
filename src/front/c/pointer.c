// SPDX-License-Identifier: Apache-2.0
// The analysis of pointers: every instruction passes facts on until there is nothing new.
#include "front/c/pointer.h"

#include <string.h>

static const struct c_function *only(const struct c_points *s) {
  return &s->p->functions.data[s->p->main];
}

uint32_t c_target_object(uint32_t object) { return C_TARGET_OBJECTS + object; }
uint32_t c_target_allocation(const struct c_points *s, uint32_t allocation) {
  return C_TARGET_OBJECTS + (uint32_t)s->p->objects.count + allocation;
}
uint32_t c_target_function(const struct c_points *s, uint32_t function) {
  return c_target_allocation(s, (uint32_t)s->allocations.count) + function;
}

const struct c_type *c_target_type(const struct c_points *s, uint32_t target) {
  if (target == C_TARGET_NULL) return NULL;
  target -= C_TARGET_OBJECTS;
  if (target < s->p->objects.count) return s->p->objects.data[target].type;
  target -= (uint32_t)s->p->objects.count;
  return target < s->allocations.count ? s->allocations.data[target].type : NULL;
}

// --- allocations ---

// What the pointer that it gives is used as.
static const struct c_type *element_of(const struct c_points *s, uint32_t reg) {
  const struct c_function *f = only(s);
  for (size_t b = 0; b < f->blocks.count; b++)
    for (size_t i = 0; i < f->blocks.data[b].code.count; i++) {
      const struct c_instruction *in = &f->blocks.data[b].code.data[i];
      if (in->op != C_BITCAST || in->args[0].kind != C_REGISTER || in->args[0].index != reg)
        continue;
      if (in->type->kind == C_POINTER && in->type->to) return in->type->to;
    }
  return NULL;
}

static bool known_bytes(const struct c_instruction *call, uint64_t *bytes) {
  *bytes = 1;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (call->args[i].kind != C_NUMBER || call->args[i].number < 0) return false;
    *bytes *= (uint64_t)call->args[i].number;
  }
  return true;
}

static const struct c_type *array_of(struct arena *a, const struct c_type *element, uint64_t n) {
  if (n == 1) return element;
  struct c_type *t = ARENA_NEW(a, struct c_type);
  *t = (struct c_type){.kind = C_ARRAY, .to = element, .count = n, .bytes = n * element->bytes};
  return t;
}

static void type_allocation(struct c_points *s, struct c_allocation *a) {
  const struct c_type *element = element_of(s, a->call->index), *bytes = a->call->type->to;
  uint64_t n;
  if (!element) element = bytes;
  if (!known_bytes(a->call, &n)) {
    a->unable = "memory of a size that is not fixed";
  } else if (!element || element->bytes == 0 || n == 0 || n % element->bytes || n > 1 << 20) {
    a->unable = "memory of this size";
  } else {
    a->type = array_of(s->p->arena, element, n / element->bytes);
  }
}

static bool allocates(const struct c_instruction *i) {
  return i->op == C_CALL && i->name && (!strcmp(i->name, "malloc") || !strcmp(i->name, "calloc"));
}

// Is there a way from the end of the block back to it?
static bool is_in_loop(const struct c_function *f, uint32_t block) {
  bool *seen = mem_zalloc(f->blocks.count, sizeof *seen);
  VEC(uint32_t) todo = {0};
  VEC_PUSH(&todo, block);
  while (todo.count && !seen[block]) {
    uint32_t at = VEC_POP(&todo);
    const struct c_instruction *last = &VEC_TOP(&f->blocks.data[at].code);
    for (uint32_t k = 0; k < last->target_count; k++) {
      if (seen[last->targets[k]]) continue;
      seen[last->targets[k]] = true;
      VEC_PUSH(&todo, last->targets[k]);
    }
  }
  bool loops = seen[block];
  mem_free(seen);
  VEC_CLEAR(&todo);
  return loops;
}

static void find_allocations(struct c_points *s) {
  const struct c_function *f = only(s);
  for (size_t b = 0; b < f->blocks.count; b++)
    for (size_t i = 0; i < f->blocks.data[b].code.count; i++) {
      struct c_allocation a = {.call = &f->blocks.data[b].code.data[i]};
      if (!allocates(a.call)) continue;
      a.is_repeated = is_in_loop(f, (uint32_t)b);
      type_allocation(s, &a);
      VEC_PUSH(&s->allocations, a);
    }
}

static uint32_t allocation_of(const struct c_points *s, const struct c_instruction *i) {
  uint32_t n = 0;
  while (s->allocations.data[n].call != i) n++;
  return n;
}

// --- passing facts on ---

void c_value_facts(const struct c_points *s, const struct c_value *v, struct c_facts *out) {
  switch (v->kind) {
  case C_REGISTER:
    for (size_t i = 0; i < s->registers[v->index].count; i++)
      c_facts_add(out, s->registers[v->index].data[i]);
    return;
  case C_OBJECT: {
    struct c_fact x = {c_target_object(v->index), 0, 0};
    if (v->number)
      x.rest = (int64_t)c_byte_scalar(s->p->objects.data[v->index].type, (uint64_t)v->number);
    c_facts_add(out, x);
    return;
  }
  case C_FUNCTION: c_facts_add(out, (struct c_fact){c_target_function(s, v->index), 0, 0}); return;
  default: c_facts_add(out, (struct c_fact){C_TARGET_NULL, 0, 0});
  }
}

static bool join(struct c_facts *to, const struct c_facts *from) {
  bool changed = false;
  for (size_t i = 0; i < from->count; i++) changed |= c_facts_add(to, from->data[i]);
  return changed;
}

static bool join_value(struct c_points *s, struct c_facts *to, const struct c_value *v) {
  struct c_facts f = {0};
  c_value_facts(s, v, &f);
  bool changed = join(to, &f);
  VEC_CLEAR(&f);
  return changed;
}

// Calls for each class of pointers that these facts may lead to.
typedef bool visit(struct c_facts *class, void *context);
static bool each_class(struct c_points *s, const struct c_facts *facts, visit *v, void *context) {
  bool changed = false;
  for (size_t i = 0; i < facts->count; i++) {
    struct c_fact x = facts->data[i];
    const struct c_type *t = c_target_type(s, x.target);
    int64_t n = t ? (int64_t)c_scalars(t) : 0;
    for (int64_t k = x.rest; k < n && k >= 0; k += x.modulus ? x.modulus : n) {
      if (c_scalar_type(t, (uint64_t)k)->kind != C_POINTER) continue;
      uint32_t class = s->first_class[x.target] + c_scalar_class(t, (uint64_t)k);
      changed |= v(&s->classes[class], context);
    }
  }
  return changed;
}

static bool into(struct c_facts *class, void *from) { return join(class, from); }
static bool out_of(struct c_facts *class, void *to) { return join(to, class); }

static bool load(struct c_points *s, const struct c_instruction *i) {
  struct c_facts at = {0};
  c_value_facts(s, &i->args[0], &at);
  bool changed = each_class(s, &at, out_of, &s->registers[i->index]);
  VEC_CLEAR(&at);
  return changed;
}

static bool store(struct c_points *s, const struct c_instruction *i) {
  struct c_facts at = {0}, what = {0};
  c_value_facts(s, &i->args[0], &what);
  c_value_facts(s, &i->args[1], &at);
  bool changed = each_class(s, &at, into, &what);
  VEC_CLEAR(&at);
  VEC_CLEAR(&what);
  return changed;
}

// All pointers behind one may come to stand behind the other.
static bool move(struct c_points *s, const struct c_instruction *i) {
  struct c_facts to = {0}, from = {0}, what = {0};
  c_value_facts(s, &i->args[0], &to);
  c_value_facts(s, &i->args[1], &from);
  for (size_t k = 0; k < from.count; k++) from.data[k].rest = 0, from.data[k].modulus = 1;
  for (size_t k = 0; k < to.count; k++) to.data[k].rest = 0, to.data[k].modulus = 1;
  each_class(s, &from, out_of, &what);
  bool changed = each_class(s, &to, into, &what);
  VEC_CLEAR(&to);
  VEC_CLEAR(&from);
  VEC_CLEAR(&what);
  return changed;
}

static bool clear(struct c_points *s, const struct c_instruction *i) {
  struct c_facts to = {0}, null = {0};
  c_value_facts(s, &i->args[0], &to);
  c_facts_add(&null, (struct c_fact){C_TARGET_NULL, 0, 0});
  for (size_t k = 0; k < to.count; k++) to.data[k].rest = 0, to.data[k].modulus = 1;
  bool changed = each_class(s, &to, into, &null);
  VEC_CLEAR(&to);
  VEC_CLEAR(&null);
  return changed;
}

static int64_t divisor(int64_t a, int64_t b) { return b ? divisor(b, a % b) : a; }

// By how much it moves: rest and modulus.
static struct c_fact gep_move(const struct c_instruction *i) {
  struct c_fact by = {0};
  const struct c_type *t = i->element;
  for (uint32_t k = 1; k < i->arg_count; k++) {
    const struct c_value *v = &i->args[k];
    if (k > 1 && t->kind == C_STRUCT) {
      by.rest += (int64_t)c_field_scalar(t, (uint32_t)v->number);
      t = t->fields[v->number].type;
      continue;
    }
    if (k > 1) t = t->to;
    int64_t n = (int64_t)c_scalars(t);
    if (v->kind == C_NUMBER)
      by.rest += v->number * n;
    else
      by.modulus = divisor(by.modulus, n);
  }
  return by;
}

static bool gep(struct c_points *s, const struct c_instruction *i) {
  struct c_facts f = {0};
  struct c_fact by = gep_move(i);
  bool changed = false;
  c_value_facts(s, &i->args[0], &f);
  for (size_t k = 0; k < f.count; k++) {
    struct c_fact x = f.data[k];
    x.rest += by.rest;
    x.modulus = divisor(x.modulus, by.modulus);
    changed |= c_facts_add(&s->registers[i->index], x);
  }
  VEC_CLEAR(&f);
  return changed;
}

static bool pass(struct c_points *s, const struct c_instruction *i) {
  struct c_facts *to = &s->registers[i->index];
  bool pointer = i->type && i->type->kind == C_POINTER;
  switch (i->op) {
  case C_BITCAST:
  case C_COPY:
  case C_INTTOPTR: return pointer && join_value(s, to, &i->args[0]);
  case C_PTRTOINT: return join_value(s, to, &i->args[0]);
  case C_SELECT:
    return pointer && (join_value(s, to, &i->args[1]) | join_value(s, to, &i->args[2]));
  case C_GEP: return gep(s, i);
  case C_LOAD: return pointer && load(s, i);
  case C_STORE: return i->args[0].type->kind == C_POINTER && store(s, i);
  case C_MEMCPY: return move(s, i);
  case C_MEMSET: return clear(s, i);
  case C_CALL:
    if (!allocates(i)) return false;
    return c_facts_add(to, (struct c_fact){c_target_allocation(s, allocation_of(s, i)), 0, 0});
  default: return false;
  }
}

static bool pass_block(struct c_points *s, const struct c_block *b) {
  bool changed = false;
  for (size_t i = 0; i < b->phis.count; i++)
    for (uint32_t k = 0; b->phis.data[i].type->kind == C_POINTER && k < b->phis.data[i].count; k++)
      changed |= join_value(s, &s->registers[b->phis.data[i].index], &b->phis.data[i].values[k]);
  for (size_t i = 0; i < b->code.count; i++) changed |= pass(s, &b->code.data[i]);
  return changed;
}

// --- what there is before ---

static void begin_object(struct c_points *s, uint32_t object) {
  const struct c_object *o = &s->p->objects.data[object];
  uint32_t first = s->first_class[c_target_object(object)];
  for (uint64_t k = 0; k < o->scalars && o->is_global; k++) {
    if (c_scalar_type(o->type, k)->kind != C_POINTER) continue;
    struct c_facts *f = &s->classes[first + c_scalar_class(o->type, k)];
    if (o->initial)
      join_value(s, f, &o->initial[k]);
    else
      c_facts_add(f, (struct c_fact){C_TARGET_NULL, 0, 0});
  }
}

// Pointers that nobody set are null: those allocated, and of locals that may be read before.
static void begin_target(struct c_points *s, uint32_t target) {
  const struct c_type *t = c_target_type(s, target);
  uint32_t object = target - C_TARGET_OBJECTS;
  if (!t || (object < s->p->objects.count && s->p->objects.data[object].is_global)) return;
  bool plain = object < s->p->objects.count && s->p->objects.data[object].plain;
  if (plain && !s->unset[object]) return;
  struct c_facts all = {0};
  c_facts_add(&all, (struct c_fact){target, 0, 1});
  struct c_facts null = {0};
  c_facts_add(&null, (struct c_fact){C_TARGET_NULL, 0, 0});
  each_class(s, &all, into, &null);
  VEC_CLEAR(&all);
  VEC_CLEAR(&null);
}

struct c_points *c_points_new(struct c_program *p, const bool *unset) {
  struct c_points *s = mem_zalloc(1, sizeof *s);
  s->p = p;
  s->unset = unset;
  find_allocations(s);
  uint32_t targets = c_target_allocation(s, (uint32_t)s->allocations.count);
  s->registers = mem_zalloc(only(s)->registers.count + 1, sizeof *s->registers);
  s->first_class = mem_zalloc(targets + 1, sizeof *s->first_class);
  for (uint32_t t = 0; t < targets; t++) {
    s->first_class[t] = s->class_count;
    const struct c_type *type = c_target_type(s, t);
    s->class_count += type ? c_classes(type) : 0;
  }
  s->classes = mem_zalloc(s->class_count + 1, sizeof *s->classes);
  for (uint32_t i = 0; i < p->objects.count; i++) begin_object(s, i);
  for (uint32_t t = C_TARGET_OBJECTS; t < targets; t++) begin_target(s, t);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 0; b < only(s)->blocks.count; b++)
      changed |= pass_block(s, &only(s)->blocks.data[b]);
  }
  return s;
}

void c_points_free(struct c_points *s) {
  if (!s) return;
  for (size_t i = 0; i < only(s)->registers.count; i++) VEC_CLEAR(&s->registers[i]);
  for (uint32_t i = 0; i < s->class_count; i++) VEC_CLEAR(&s->classes[i]);
  mem_free(s->registers);
  mem_free(s->classes);
  mem_free(s->first_class);
  VEC_CLEAR(&s->allocations);
  mem_free(s);
}
