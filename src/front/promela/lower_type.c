// SPDX-License-Identifier: Apache-2.0
// Types: what a variable of Promela can hold, and how a value is cut to fit into it, as C does it
// for SPIN: bits and unsigned fields keep their low bits, the others wrap round.
#include "front/promela/lower.h"

#include <string.h>

void lower_types(struct lower *w) {
  w->bit = ir_type_range(w->m, 0, 1);
  w->u8 = ir_type_int(w->m, 8, false, false);
  w->i16 = ir_type_int(w->m, 16, true, false);
  w->i32 = ir_type_int(w->m, 32, true, false);
  for (int bits = 0; bits < 32; bits++) VEC_PUSH(&w->unsigneds, NULL);
  for (size_t i = 0; i < w->prog->structs.count; i++) VEC_PUSH(&w->records, NULL);
}

static bool same_set(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

// A byte whose values are shown by the names of the set.
static const struct ir_type *mtype_type(struct lower *w, const char *set) {
  for (size_t i = 0; i < w->mtypes.count; i++)
    if (same_set(w->mtype_sets.data[i], set)) return w->mtypes.data[i];
  struct ir_type *t = ir_type_int(w->m, 8, false, false);
  t->members = ARENA_ARRAY(w->m->arena, const char *, 256);
  for (size_t i = 0; i < w->prog->mtypes.count; i++) {
    const struct pml_mtype *n = &w->prog->mtypes.data[i];
    if (same_set(n->set, set) && n->value >= 0 && n->value < 256)
      t->members[n->value] = arena_strdup(w->m->arena, n->name);
  }
  VEC_PUSH(&w->mtypes, t);
  VEC_PUSH(&w->mtype_sets, set);
  return t;
}

static const struct ir_type *unsigned_type(struct lower *w, uint32_t bits) {
  if (bits >= 32) return w->i32;
  if (bits == 1) return w->bit;
  if (!w->unsigneds.data[bits])
    w->unsigneds.data[bits] = ir_type_range(w->m, 0, (INT64_C(1) << bits) - 1);
  return w->unsigneds.data[bits];
}

static const struct ir_type *record_type(struct lower *w, const struct pml_struct *s) {
  size_t at = 0;
  while (w->prog->structs.data[at] != s) at++;
  if (w->records.data[at]) return w->records.data[at];
  struct ir_field *fields = mem_zalloc(s->field_count, sizeof(*fields));
  for (uint32_t i = 0; i < s->field_count; i++)
    fields[i] =
        (struct ir_field){.name = s->fields[i]->name, .type = lower_symbol_type(w, s->fields[i])};
  struct ir_type *t = ir_type_record(w->m, fields, s->field_count);
  mem_free(fields);
  t->name = arena_strdup(w->m->arena, s->name);
  w->records.data[at] = t;
  return t;
}

const struct ir_type *lower_scalar_type(struct lower *w, const struct pml_type *t) {
  switch (t->base) {
  case AST_BIT: return w->bit;
  case AST_BYTE:
  case AST_PID:
  case AST_CHAN: return w->u8;
  case AST_MTYPE: return mtype_type(w, t->mtype_set);
  case AST_SHORT: return w->i16;
  case AST_INT: return w->i32;
  case AST_UNSIGNED: return unsigned_type(w, t->bits);
  case AST_STRUCT: return record_type(w, t->fields);
  }
  return w->i32;
}

// SPIN keeps arrays of bits as bytes, and does not mask them.
const struct pml_type *lower_element(const struct pml_symbol *s) {
  static const struct pml_type byte = {.base = AST_BYTE};
  return s->is_array && s->type.base == AST_BIT ? &byte : &s->type;
}

const struct ir_type *lower_symbol_type(struct lower *w, const struct pml_symbol *s) {
  const struct ir_type *t = lower_scalar_type(w, lower_element(s));
  if (!s->is_array) return t;
  return ir_type_array(w->m, ir_type_range(w->m, 0, (int64_t)s->length - 1), t);
}

// --- cutting values to fit ---

int64_t lower_fit_value(const struct pml_type *t, int64_t v) {
  switch (t->base) {
  case AST_BIT: return v & 1;
  case AST_BYTE:
  case AST_PID:
  case AST_CHAN:
  case AST_MTYPE: return (uint8_t)v;
  case AST_SHORT: return (int16_t)v;
  case AST_UNSIGNED: return t->bits >= 32 ? (int32_t)v : v & ((INT64_C(1) << t->bits) - 1);
  case AST_INT:
  case AST_STRUCT: return (int32_t)v;
  }
  return v;
}

struct ir_expr *lower_fit(struct lower *w, const struct pml_type *t, struct ir_expr *x) {
  const struct ir_type *to = lower_scalar_type(w, t);
  if (x->op == IR_CONST) return lower_const(w, to, lower_fit_value(t, x->value), x->span);
  if (x->type->lo >= to->lo && x->type->hi <= to->hi) return x;
  if (to->kind == IR_TYPE_INT) return ir_cast(w->m, to, x, x->span);
  struct ir_expr *mask = lower_number(w, to->hi, x->span);
  return lower_binary(w, IR_BITAND, x, mask, x->span);
}

// --- zero ---

static bool lowest_is_zero(const struct ir_type *t) {
  if (ir_type_scalar(t)) return t->lo == 0;
  if (t->kind == IR_TYPE_ARRAY) return lowest_is_zero(t->elem);
  for (uint32_t i = 0; i < t->field_count; i++)
    if (!lowest_is_zero(t->fields[i].type)) return false;
  return true;
}

void lower_zero(struct lower *w, struct ir_expr *place, struct ir_chain *out, struct span span) {
  const struct ir_type *t = place->type;
  if (ir_type_scalar(t)) {
    lower_assign(w, place, lower_const(w, t, 0, span), out, span);
  } else if (lowest_is_zero(t)) {
    ir_chain_add(out, ir_clear(w->m, place, span));
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      lower_zero(w, ir_field(w->m, place, i, span), out, span);
  } else {
    const char *name = arena_printf(w->m->arena, "i%u", ++w->temporaries);
    struct ir_local *l = ir_local_new(w->m, w->frame, IR_LOCAL_BOUND, name, t->index, span);
    struct ir_chain body = {0};
    lower_zero(w, ir_index(w->m, place, ir_local_ref(w->m, l, span), span), &body, span);
    ir_chain_add(out, ir_for(w->m, l, ir_domain_type(w->m, t->index), body.first, span));
  }
}
