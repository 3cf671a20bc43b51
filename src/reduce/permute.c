// SPDX-License-Identifier: Apache-2.0
// Permuting a state: every leaf indexed by elements moves, every element that a leaf holds is
// renamed, then multisets are put in order again.
#include "reduce/plan.h"

#include <string.h>

static void move_fields(const struct symmetry *y, const struct set *s, uint64_t *image) {
  const int32_t *shift = y->shift + s->first;
  for (uint32_t k = s->field_first; k < s->field_end; k++) {
    const struct field *f = &y->fields.data[k];
    const struct place *place = y->places.data + f->place;
    for (uint32_t i = 0; i < s->count; i++) {
      struct place to = place[(int32_t)i + shift[i]];
      image[to.word] |= symmetry_code(y->state, place[i], f->mask) << to.shift;
    }
  }
}

// A code whose meaning is shifted; codes that are no elements have shift 0.
static uint64_t renamed(const struct symmetry *y, const uint32_t *vertex, uint64_t code) {
  return code + (uint64_t)(int64_t)y->shift[vertex[code]];
}

static void rename_globals(const struct symmetry *y, uint64_t *image) {
  for (size_t i = 0; i < y->globals.count; i++) {
    const struct global *g = &y->globals.data[i];
    uint64_t code = symmetry_code(y->state, g->place, g->mask);
    image[g->place.word] |= renamed(y, g->vertex, code) << g->place.shift;
  }
}

// Where a cell goes. Slots stay: their order is made afterwards.
static uint32_t target(const struct symmetry *y, const struct relation *r, uint32_t cell) {
  const struct dimension *d = y->dimensions.data + r->dimension_first;
  const uint32_t *part = y->parts.data + r->part + cell * r->dimensions;
  int32_t to = (int32_t)cell;
  for (uint32_t i = 0; i < r->dimensions; i++)
    if (!d[i].slots) to += y->shift[part[i]] * (int32_t)d[i].cells;
  return (uint32_t)to;
}

static void move_simple(const struct symmetry *y, const struct relation *r, uint64_t *image) {
  const struct place *place = y->places.data + r->place;
  const int32_t *shift = y->shift + y->parts.data[r->part];
  for (uint32_t i = 0; i < r->cells; i++) {
    struct place to = place[(int32_t)i + shift[i]];
    image[to.word] |= renamed(y, r->vertex, symmetry_code(y->state, place[i], r->mask)) << to.shift;
  }
}

static void move_any(const struct symmetry *y, const struct relation *r, uint64_t *image) {
  const struct place *place = y->places.data + r->place;
  for (uint32_t i = 0; i < r->cells; i++) {
    uint64_t code = symmetry_code(y->state, place[i], r->mask);
    if (r->vertex) code = renamed(y, r->vertex, code);
    struct place to = place[target(y, r, i)];
    image[to.word] |= code << to.shift;
  }
}

void symmetry_apply(struct symmetry *y, uint64_t *image) {
  for (uint32_t i = 0; i < y->words; i++) image[i] = y->state[i] & y->fixed[i];
  for (size_t i = 0; i < y->sets.count; i++) move_fields(y, &y->sets.data[i], image);
  rename_globals(y, image);
  for (size_t i = 0; i < y->relations.count; i++) {
    const struct relation *r = &y->relations.data[i];
    if (r->simple)
      move_simple(y, r, image);
    else
      move_any(y, r, image);
  }
  symmetry_sort_slots(y, image);
}

// --- multisets ---

// Is the slot at leaf `a` greater than the codes in y->slot?
static bool greater(const struct symmetry *y, const uint64_t *state, uint64_t a, uint64_t each) {
  for (uint64_t i = 0; i < each; i++) {
    uint64_t code = ir_leaf_code(&y->layout->leaf[a + i], state);
    if (code != y->slot[i]) return code > y->slot[i];
  }
  return false;
}

// The order of IR_SORT: the codes of the leaves, one after the other.
static void sort_multiset(const struct symmetry *y, uint64_t *state, const struct multiset *s) {
  const struct ir_leaf *leaf = y->layout->leaf;
  for (uint32_t i = 1; i < s->slots; i++) {
    uint64_t at = s->leaf + i * s->each;
    for (uint64_t k = 0; k < s->each; k++) y->slot[k] = ir_leaf_code(&leaf[at + k], state);
    for (; at > s->leaf && greater(y, state, at - s->each, s->each); at -= s->each)
      for (uint64_t k = 0; k < s->each; k++)
        ir_leaf_set_code(&leaf[at + k], state, ir_leaf_code(&leaf[at + k - s->each], state));
    for (uint64_t k = 0; k < s->each; k++) ir_leaf_set_code(&leaf[at + k], state, y->slot[k]);
  }
}

void symmetry_sort_slots(struct symmetry *y, uint64_t *state) {
  for (size_t i = 0; i < y->multisets.count; i++) sort_multiset(y, state, &y->multisets.data[i]);
}

// --- exchanging two ---

void symmetry_decode(struct symmetry *y) {
  for (size_t k = 0; k < y->relations.count; k++) {
    const struct relation *r = &y->relations.data[k];
    const struct place *place = y->places.data + r->place;
    uint32_t *value = y->value + r->value;
    for (uint32_t i = 0; i < r->cells; i++) {
      uint64_t code = symmetry_code(y->state, place[i], r->mask);
      uint32_t v = r->vertex ? r->vertex[code] : y->vertices;
      value[i] = v < y->vertices ? v : y->vertices + (uint32_t)code;
    }
  }
}

static bool same_relation(const struct symmetry *y, const struct relation *r, uint32_t a,
                          uint32_t b) {
  const uint32_t *value = y->value + r->value;
  const int32_t *shift = y->shift + y->parts.data[r->part];
  for (uint32_t i = 0; i < r->cells; i++) {
    uint32_t v = value[i], to = r->simple ? (uint32_t)((int32_t)i + shift[i]) : target(y, r, i);
    v = v == a ? b : v == b ? a : v;
    if (value[to] != v) return false;
  }
  return true;
}

static bool same_fields(const struct symmetry *y, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < y->fields.count; i++) {
    const struct field *f = &y->fields.data[i];
    const struct place *place = y->places.data + f->place;
    if (f->element_first != y->set_first[a]) continue;
    uint32_t first = f->element_first;
    if (symmetry_code(y->state, place[a - first], f->mask) !=
        symmetry_code(y->state, place[b - first], f->mask))
      return false;
  }
  return true;
}

static bool no_global(const struct symmetry *y, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < y->globals.count; i++) {
    const struct global *g = &y->globals.data[i];
    uint32_t v = g->vertex[symmetry_code(y->state, g->place, g->mask)];
    if (v == a || v == b) return false;
  }
  return true;
}

static bool exchange_keeps(struct symmetry *y, uint32_t a, uint32_t b) {
  if (y->multisets.count) {
    symmetry_apply(y, y->image);
    return memcmp(y->image, y->state, y->words * sizeof *y->image) == 0;
  }
  if (!y->exact && !(same_fields(y, a, b) && no_global(y, a, b))) return false;
  for (size_t i = 0; i < y->relations.count; i++)
    if (!same_relation(y, &y->relations.data[i], a, b)) return false;
  return true;
}

bool symmetry_twins(struct symmetry *y, uint32_t a, uint32_t b) {
  y->shift[a] = (int32_t)b - (int32_t)a;
  y->shift[b] = -y->shift[a];
  bool same = exchange_keeps(y, a, b);
  y->shift[a] = y->shift[b] = 0;
  return same;
}
