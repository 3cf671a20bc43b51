// SPDX-License-Identifier: Apache-2.0
// Types of memory in the IR: structures are records, pointers numbers of things, with an offset
// where they need one. What cannot be carried has a place, too, that nobody reads.
#include "front/c/memory.h"

// How far a pointer may move away from what it points into before that is an error: a whole
// object's length to both sides. C allows less.
const struct ir_type *c_memory_pointer_type(struct c_lower *w, const struct c_facts *f) {
  if (!c_facts_vary(f)) return w->pointer;
  uint64_t most = 1;
  for (size_t i = 0; i < f->count; i++) {
    const struct c_type *t = c_target_type(w->points, f->data[i].target);
    if (t && c_scalars(t) > most) most = c_scalars(t);
  }
  struct ir_field fields[2] = {
      {.name = "object", .type = w->pointer},
      {.name = "offset", .type = ir_type_range(w->m, -(int64_t)most, 2 * (int64_t)most)}};
  return ir_type_record(w->m, fields, 2);
}

struct typing {
  struct c_lower *w;
  uint32_t class; // the next
  bool set, is_unsigned;
};

static const struct ir_type *type_of(struct typing *y, const struct c_type *t);

static const struct ir_type *record_of(struct typing *y, const struct c_type *t) {
  struct ir_model *m = y->w->m;
  struct ir_field *fields = ARENA_ARRAY(m->arena, struct ir_field, t->field_count + 1);
  for (uint32_t i = 0; i < t->field_count; i++) {
    const char *name = t->fields[i].name;
    fields[i].name = name ? arena_strdup(m->arena, name) : arena_printf(m->arena, "f%u", i);
    y->is_unsigned = t->fields[i].is_unsigned;
    fields[i].type = type_of(y, t->fields[i].type);
  }
  return ir_type_record(m, fields, t->field_count);
}

// The IR knows no empty arrays and records: there is something in them, that nobody reads.
static const struct ir_type *type_of(struct typing *y, const struct c_type *t) {
  struct c_lower *w = y->w;
  if (t->kind == C_STRUCT) return t->field_count ? record_of(y, t) : w->m->bool_type;
  if (t->kind == C_ARRAY) {
    const struct ir_type *elem = type_of(y, t->to);
    int64_t last = t->count ? (int64_t)t->count - 1 : 0;
    return ir_type_array(w->m, ir_type_range(w->m, 0, last), elem);
  }
  const struct c_facts *f = &w->points->classes[y->class ++];
  if (y->set || t->kind == C_OTHER || t->kind == C_VOID) return w->m->bool_type;
  if (t->kind == C_POINTER) return c_memory_pointer_type(w, f);
  return t->bits > 64 ? w->m->bool_type : c_int_type(w, t->bits, !y->is_unsigned);
}

const struct ir_type *c_memory_type(struct c_lower *w, const struct c_thing *t, bool set) {
  struct typing y = {.w = w,
                     .class = w->points->first_class[t->target],
                     .set = set,
                     .is_unsigned = t->is_unsigned};
  return type_of(&y, t->type);
}

const struct c_facts *c_thing_facts(struct c_lower *w, const struct c_thing *t, uint64_t scalar) {
  uint32_t class = w->points->first_class[t->target] + c_scalar_class(t->type, scalar);
  return &w->points->classes[class];
}

// --- the numbers of things that pointers in memory may point to ---

static void name_facts(struct c_lower *w, const struct c_facts *f) {
  for (size_t i = 0; i < f->count; i++) {
    uint32_t n, first = c_target_things(w, f->data[i].target, &n);
    for (uint32_t k = 0; k < n; k++) w->things.data[first + k].id = 1;
  }
}

static void name_value(struct c_lower *w, const struct c_value *v) {
  struct c_facts f = {0};
  if (v->type && v->type->kind == C_POINTER) c_value_facts(w->points, v, &f);
  name_facts(w, &f);
  VEC_CLEAR(&f);
}

// Pointers are told apart by number where they are chosen, compared and subtracted.
static void name_operands(struct c_lower *w, const struct c_instruction *i) {
  bool tells = i->op == C_SELECT || i->op == C_PTRTOINT || (i->op >= C_EQ && i->op <= C_SGE);
  bool frees = i->op == C_CALL;
  for (uint32_t k = 0; (tells || frees) && k < i->arg_count; k++) name_value(w, &i->args[k]);
}

static void name_all(struct c_lower *w) {
  for (uint32_t i = 0; i < w->points->class_count; i++) name_facts(w, &w->points->classes[i]);
  for (size_t r = 0; r < w->f->registers.count; r++)
    if (w->crossing[r].crosses) name_facts(w, &w->points->registers[r]);
  for (size_t b = 0; b < w->f->blocks.count; b++)
    for (size_t i = 0; i < w->f->blocks.data[b].code.count; i++)
      name_operands(w, &w->f->blocks.data[b].code.data[i]);
}

void c_memory_pointer_names(struct c_lower *w) {
  name_all(w);
  uint32_t n = 0;
  const char **names = ARENA_ARRAY(w->m->arena, const char *, w->things.count + 1);
  names[n++] = "null";
  for (size_t i = 0; i < w->things.count; i++) {
    struct c_thing *t = &w->things.data[i];
    if (!t->id) continue;
    t->id = n;
    names[n++] = arena_printf(w->m->arena, "%s%s", t->type ? "&" : "", t->name);
  }
  struct ir_type *t = ir_type_range(w->m, 0, n - 1);
  t->members = names;
  w->pointer = t;
}
