// SPDX-License-Identifier: Apache-2.0
// Types and variables. Every symbolic constant has one number in the whole model, far from the
// numbers that models count with, so that enumerations that share members compare as numbers.
#include "front/smv/lower.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CONSTANT (INT64_C(1) << 32)

// --- numbers ---

static void number_constant(struct smv_lower *w, const struct smv_symbol *s, int64_t *next) {
  if (!s || s->kind != SMV_CONSTANT || w->known->numbers[s->id]) return;
  w->known->numbers[s->id] = (*next)++;
}

static void number_constants(struct smv_lower *w) {
  const struct smv_flat *f = w->flat;
  int64_t next = FIRST_CONSTANT;
  w->known->numbers = ARENA_ARRAY(w->known->arena, int64_t, f->symbols.count + 1);
  for (size_t i = 0; i < f->symbols.count; i++) {
    const struct smv_type *t = f->symbols.data[i]->type;
    for (uint32_t k = 0; t && t->kind == SMV_TYPE_ENUM && k < t->member_count; k++)
      if (t->members[k].name) number_constant(w, smv_find(f, t->members[k].name), &next);
  }
  for (size_t i = 0; i < f->symbols.count; i++) number_constant(w, f->symbols.data[i], &next);
  if (next == FIRST_CONSTANT) return;
  const char **names = ARENA_ARRAY(w->arena, const char *, next - FIRST_CONSTANT);
  for (size_t i = 0; i < f->symbols.count; i++)
    if (w->known->numbers[i])
      names[w->known->numbers[i] - FIRST_CONSTANT] = f->symbols.data[i]->name;
  w->known->constants =
      ir_type_enum(w->m, FIRST_CONSTANT, names, (uint32_t)(next - FIRST_CONSTANT));
}

// --- enumerations ---

static int compare_numbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// The members' numbers, ascending, each once.
static uint32_t sort_members(struct smv_lower *w, const struct smv_type *t, int64_t *numbers) {
  for (uint32_t i = 0; i < t->member_count; i++) {
    const struct smv_member *x = &t->members[i];
    numbers[i] = x->name ? w->known->numbers[smv_find(w->flat, x->name)->id] : x->number;
  }
  qsort(numbers, t->member_count, sizeof *numbers, compare_numbers);
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->member_count; i++)
    if (n == 0 || numbers[i] != numbers[n - 1]) numbers[n++] = numbers[i];
  return n;
}

static const struct ir_type *remember(struct smv_lower *w, const struct ir_type *t) {
  VEC_PUSH(&w->made, t);
  return t;
}

// The type of the consecutive values lo..hi: of constants by their names.
static const struct ir_type *type_of_run(struct smv_lower *w, int64_t lo, int64_t hi) {
  bool named = lo >= FIRST_CONSTANT;
  enum ir_type_kind kind = named ? IR_TYPE_ENUM : IR_TYPE_RANGE;
  if (named && lo == w->known->constants->lo && hi == w->known->constants->hi)
    return w->known->constants;
  for (size_t i = 0; i < w->made.count; i++) {
    const struct ir_type *t = w->made.data[i];
    if (t->kind == kind && t->lo == lo && t->hi == hi) return t;
  }
  if (!named) return remember(w, ir_type_range(w->m, lo, hi));
  const char *const *names = w->known->constants->members + (lo - FIRST_CONSTANT);
  return remember(w, ir_type_enum(w->m, lo, names, (uint32_t)(hi - lo + 1)));
}

static const struct ir_type *union_of(struct smv_lower *w, const struct ir_type *const *parts,
                                      uint32_t n) {
  for (size_t i = 0; i < w->made.count; i++) {
    const struct ir_type *t = w->made.data[i];
    if (t->kind == IR_TYPE_UNION && t->part_count == n &&
        memcmp(t->parts, parts, n * sizeof *parts) == 0)
      return t;
  }
  return remember(w, ir_type_union(w->m, parts, n));
}

// Numbers below FIRST_CONSTANT and constants are never in one run: no model counts that far.
static const struct ir_type *enumeration(struct smv_lower *w, const struct smv_type *t) {
  int64_t *numbers = ARENA_ARRAY(w->arena, int64_t, t->member_count);
  const struct ir_type **parts = ARENA_ARRAY(w->arena, const struct ir_type *, t->member_count);
  uint32_t n = sort_members(w, t, numbers), runs = 0;
  for (uint32_t i = 0, first = 0; i < n; i++) {
    if (i + 1 < n && numbers[i + 1] == numbers[i] + 1 && numbers[i + 1] != FIRST_CONSTANT) continue;
    parts[runs++] = type_of_run(w, numbers[first], numbers[i]);
    first = i + 1;
  }
  return runs == 1 ? parts[0] : union_of(w, parts, runs);
}

const struct ir_type *smv_word_type(struct smv_lower *w, uint8_t bits, bool is_signed) {
  assert(bits >= 1 && bits <= 64);
  const struct ir_type **t = &w->words[is_signed][bits];
  if (!*t) *t = ir_type_int(w->m, bits, is_signed, false);
  return *t;
}

const struct ir_type *smv_kind_type(struct smv_lower *w, struct smv_kind k) {
  if (k.name == KIND_BOOL) return w->m->bool_type;
  return k.name == KIND_WORD ? smv_word_type(w, k.bits, k.is_signed) : w->m->int_type;
}

// --- variables ---

static const struct ir_type *type_of(struct smv_lower *w, const struct smv_symbol *s) {
  const struct smv_type *t = s->type;
  switch (t->kind) {
  case SMV_TYPE_BOOLEAN: return w->m->bool_type;
  case SMV_TYPE_RANGE: return type_of_run(w, t->lo, t->hi);
  case SMV_TYPE_ENUM: return enumeration(w, t);
  case SMV_TYPE_WORD: return smv_word_type(w, t->bits, t->is_signed);
  }
  return NULL;
}

// What of a type cannot be carried; NULL: nothing.
static const char *type_problem(const struct smv_type *t) {
  bool far = false;
  if (t->kind == SMV_TYPE_RANGE) far = t->lo <= -FIRST_CONSTANT || t->hi >= FIRST_CONSTANT;
  for (uint32_t i = 0; t->kind == SMV_TYPE_ENUM && i < t->member_count; i++) {
    int64_t n = t->members[i].name ? 0 : t->members[i].number;
    far = far || n <= -FIRST_CONSTANT || n >= FIRST_CONSTANT;
  }
  if (far) return "numbers of ranges and enumerations lie between -2^32 and 2^32; use a word";
  if (t->kind == SMV_TYPE_RANGE && t->lo > t->hi) return "the range is empty";
  if (t->kind == SMV_TYPE_ENUM && t->member_count == 0) return "the enumeration is empty";
  if (t->kind == SMV_TYPE_WORD && (t->bits < 1 || t->bits > 64))
    return "words have 1 to 64 bits here";
  return NULL;
}

void smv_lower_types(struct smv_lower *w) {
  const struct smv_flat *f = w->flat;
  number_constants(w);
  w->known->types = ARENA_ARRAY(w->known->arena, const struct ir_type *, f->symbols.count + 1);
  w->known->vars = ARENA_ARRAY(w->known->arena, const struct ir_var *, f->symbols.count + 1);
  for (size_t i = 0; i < f->symbols.count; i++) {
    const struct smv_symbol *s = f->symbols.data[i];
    if (!s->type) continue;
    const char *problem = type_problem(s->type);
    if (problem) diag_error(w->d, s->span, "%s: %s", s->name, problem);
    w->known->types[i] = problem ? w->m->bool_type : type_of(w, s);
    if (s->kind != SMV_INPUT)
      w->known->vars[i] = ir_var_new(w->m, s->name, w->known->types[i], s->span);
  }
}
