// SPDX-License-Identifier: Apache-2.0
// What symmetry needs to know of a model, drawn from its types: which leaves are indexed by
// elements, which hold elements, and where all of them sit. Types are walked once per block: a
// symmetric index is a dimension, any other index is gone through value by value.
#include "reduce/plan.h"

#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

#ifdef FATHOM_SMALL
enum { MEMO_BITS = 2 };
#else
enum { MEMO_BITS = 12 };
#endif
enum { MEMO_BYTES = 1 << 17 }; // stays in the second-level cache

struct planner {
  struct symmetry *y;
  bool *sets;    // per type id: a symmetric scalarset
  bool *sorted;  // per type id: an array that some statement sorts, with elements in it
  uint32_t *set; // per type id: which of y->sets
  VEC(struct dimension) dimensions; // of the block being walked
  uint32_t slot_depth;
};

// --- sets and decoders ---

static void number_elements(struct planner *p) {
  struct symmetry *y = p->y;
  for (size_t i = 0; i < y->model->types.count; i++) {
    const struct ir_type *t = y->model->types.data[i];
    if (!p->sets[i]) continue;
    p->set[i] = (uint32_t)y->sets.count;
    struct set s = {.type = t, .first = y->elements, .count = (uint32_t)ir_type_count(t)};
    VEC_PUSH(&y->sets, s);
    y->elements += s.count;
  }
  y->vertices = y->elements;
  y->set_first = mem_zalloc(y->elements, sizeof *y->set_first);
  for (size_t i = 0; i < y->sets.count; i++)
    for (uint32_t k = 0; k < y->sets.data[i].count; k++)
      y->set_first[y->sets.data[i].first + k] = y->sets.data[i].first;
}

// Elements among the values of t, from code `at` on; returns the code after them.
static uint64_t fill_decoder(struct planner *p, const struct ir_type *t, uint64_t at,
                             uint32_t *vertex) {
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    at = fill_decoder(p, t->parts[i], at, vertex);
  if (t->kind == IR_TYPE_UNION) return at;
  uint64_t n = ir_type_count(t);
  for (uint64_t i = 0; t->kind == IR_TYPE_SCALARSET && p->sets[t->id] && i < n; i++)
    vertex[at + i] = p->y->sets.data[p->set[t->id]].first + (uint32_t)i;
  return at + n;
}

static const uint32_t NO_VERTEX = UINT32_MAX; // until the number of vertices is known

static const uint32_t *decoder_of(struct planner *p, const struct ir_leaf *leaf) {
  struct symmetry *y = p->y;
  for (size_t i = 0; i < y->decoders.count; i++)
    if (y->decoders.data[i].type == leaf->type && y->decoders.data[i].undef == leaf->undef)
      return y->decoders.data[i].vertex;
  uint64_t codes = UINT64_C(1) << leaf->width;
  struct decoder d = {.type = leaf->type, .undef = leaf->undef, .codes = codes};
  d.vertex = mem_alloc(codes * sizeof *d.vertex);
  for (uint64_t i = 0; i < codes; i++) d.vertex[i] = NO_VERTEX;
  fill_decoder(p, leaf->type, leaf->undef ? 1 : 0, d.vertex);
  VEC_PUSH(&y->decoders, d);
  return d.vertex;
}

static void finish_decoders(struct symmetry *y) {
  for (size_t i = 0; i < y->decoders.count; i++)
    for (uint64_t k = 0; k < y->decoders.data[i].codes; k++)
      if (y->decoders.data[i].vertex[k] == NO_VERTEX) y->decoders.data[i].vertex[k] = y->vertices;
}

// --- blocks ---

static uint64_t mask_of(const struct ir_leaf *leaf) {
  return leaf->width ? ~UINT64_C(0) >> (64 - leaf->width) : 0;
}

// The leaf's place; its bits no longer count as fixed.
static struct place take_place(struct symmetry *y, uint64_t number) {
  const struct ir_leaf *leaf = &y->layout->leaf[number];
  y->fixed[leaf->word] &= ~(mask_of(leaf) << leaf->shift);
  return (struct place){leaf->word, leaf->shift};
}

static void add_global(struct planner *p, uint64_t number) {
  struct symmetry *y = p->y;
  const struct ir_leaf *leaf = &y->layout->leaf[number];
  struct global g = {.mask = mask_of(leaf), .vertex = decoder_of(p, leaf)};
  g.place = take_place(y, number);
  VEC_PUSH(&y->globals, g);
}

static void add_field(struct planner *p, uint64_t number, const struct dimension *d) {
  struct symmetry *y = p->y;
  const struct ir_leaf *leaf = &y->layout->leaf[number];
  struct field f = {.mask = mask_of(leaf),
                    .width = leaf->width,
                    .element_first = d->first,
                    .place = (uint32_t)y->places.count};
  for (uint32_t i = 0; i < d->count; i++)
    VEC_PUSH(&y->places, take_place(y, number + i * d->leaves));
  VEC_PUSH(&y->fields, f);
}

// Adds one cell, given by its number in the block: its place and its vertices.
static void add_cell(struct planner *p, const struct relation *r, uint64_t number, uint32_t cell) {
  struct symmetry *y = p->y;
  uint64_t leaf = number;
  for (uint32_t i = 0, rest = cell; i < r->dimensions; i++) {
    const struct dimension *d = &p->dimensions.data[i];
    uint32_t index = rest / d->cells;
    rest %= d->cells;
    leaf += index * d->leaves;
    VEC_PUSH(&y->parts, d->first + (d->slots ? cell / d->cells : index));
  }
  VEC_PUSH(&y->places, take_place(y, leaf));
}

// Row-major strides of the dimensions; returns the number of cells.
static uint32_t stride(struct planner *p) {
  uint32_t cells = 1;
  for (size_t i = p->dimensions.count; i-- > 0;) {
    p->dimensions.data[i].cells = cells;
    cells *= p->dimensions.data[i].count;
  }
  return cells;
}

static void add_relation(struct planner *p, uint64_t number, const uint32_t *vertex) {
  struct symmetry *y = p->y;
  uint32_t n = (uint32_t)p->dimensions.count;
  struct relation r = {.mask = mask_of(&y->layout->leaf[number]),
                       .seed = symmetry_mix(y->relations.count + 1),
                       .vertex = vertex,
                       .dimension_first = (uint32_t)y->dimensions.count,
                       .dimensions = n,
                       .cells = stride(p),
                       .place = (uint32_t)y->places.count,
                       .value = y->values,
                       .part = (uint32_t)y->parts.count,
                       .simple = n == 1 && vertex && !p->slot_depth};
  for (uint32_t i = 0; i < n; i++) VEC_PUSH(&y->dimensions, p->dimensions.data[i]);
  for (uint32_t i = 0; i < r.cells; i++) add_cell(p, &r, number, i);
  y->values += r.cells;
  VEC_PUSH(&y->relations, r);
}

static void add_block(struct planner *p, uint64_t number) {
  const struct ir_leaf *leaf = &p->y->layout->leaf[number];
  bool named = symmetry_depends(p->sets, leaf->type);
  size_t n = p->dimensions.count;
  if (leaf->width == 0 || (n == 0 && !named)) return;
  if (n == 0)
    add_global(p, number);
  else if (n == 1 && !named && !p->slot_depth)
    add_field(p, number, &p->dimensions.data[0]);
  else
    add_relation(p, number, named ? decoder_of(p, leaf) : NULL);
}

static void walk(struct planner *p, const struct ir_type *t, uint64_t leaf);

// One multiset for each combination of the indices around it.
static void add_multisets(struct planner *p, const struct ir_type *t, uint64_t leaf) {
  uint32_t cells = stride(p);
  for (uint32_t cell = 0; cell < cells; cell++) {
    struct multiset s = {leaf, t->elem->leaves, (uint32_t)ir_type_count(t->index)};
    for (uint32_t i = 0, rest = cell; i < p->dimensions.count; i++) {
      const struct dimension *d = &p->dimensions.data[i];
      s.leaf += rest / d->cells * d->leaves;
      rest %= d->cells;
    }
    VEC_PUSH(&p->y->multisets, s);
  }
}

static void walk_slots(struct planner *p, const struct ir_type *t, uint64_t leaf) {
  uint32_t around = stride(p);
  struct dimension d = {.first = p->y->vertices,
                        .count = (uint32_t)ir_type_count(t->index),
                        .leaves = t->elem->leaves,
                        .slots = true};
  p->y->vertices += around * d.count;
  VEC_PUSH(&p->dimensions, d);
  p->slot_depth++;
  if (p->slot_depth + 1 > p->y->patience) p->y->patience = p->slot_depth + 1;
  walk(p, t->elem, leaf);
  p->slot_depth--;
  p->dimensions.count--;
  add_multisets(p, t, leaf);
}

// The elements of an array whose index is of type t or has it as a part; returns the leaf after.
static uint64_t walk_indices(struct planner *p, const struct ir_type *t, const struct ir_type *elem,
                             uint64_t leaf) {
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    leaf = walk_indices(p, t->parts[i], elem, leaf);
  if (t->kind == IR_TYPE_UNION) return leaf;
  uint64_t n = ir_type_count(t);
  if (t->kind == IR_TYPE_SCALARSET && p->sets[t->id]) {
    const struct set *s = &p->y->sets.data[p->set[t->id]];
    struct dimension d = {.first = s->first, .count = s->count, .leaves = elem->leaves};
    VEC_PUSH(&p->dimensions, d);
    walk(p, elem, leaf);
    p->dimensions.count--;
  } else {
    for (uint64_t i = 0; i < n; i++) walk(p, elem, leaf + i * elem->leaves);
  }
  return leaf + n * elem->leaves;
}

static void walk(struct planner *p, const struct ir_type *t, uint64_t leaf) {
  if (t->leaves == 0) return;
  if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      walk(p, t->fields[i].type, leaf + t->fields[i].leaf);
  } else if (t->kind != IR_TYPE_ARRAY) {
    add_block(p, leaf);
  } else if (p->sorted[t->id]) {
    walk_slots(p, t, leaf);
  } else if (p->dimensions.count || symmetry_depends(p->sets, t)) {
    walk_indices(p, t->index, t->elem, leaf);
  }
}

// --- signatures ---

static int by_set(const void *a, const void *b) {
  const struct field *f = a, *g = b;
  if (f->element_first != g->element_first) return f->element_first < g->element_first ? -1 : 1;
  return f->place < g->place ? -1 : f->place > g->place;
}

// Fields below, one bit per global above; if they do not fit, signatures are hashed.
static void plan_signatures(struct symmetry *y) {
  if (y->fields.count) qsort(y->fields.data, y->fields.count, sizeof *y->fields.data, by_set);
  y->exact = true;
  uint32_t at = 0;
  for (size_t i = 0; i < y->sets.count; i++) {
    struct set *s = &y->sets.data[i];
    uint64_t bits = 0;
    s->field_first = at;
    for (; at < y->fields.count && y->fields.data[at].element_first == s->first; at++) {
      y->fields.data[at].offset = (uint32_t)bits;
      bits += y->fields.data[at].width;
    }
    s->field_end = at;
    y->exact = y->exact && bits + y->globals.count <= 64;
  }
  for (size_t i = 0; i < y->globals.count; i++)
    y->globals.data[i].mark = y->exact ? UINT64_C(1) << (63 - i) : symmetry_mix(i + 1);
  y->trivial_ties = y->exact && y->relations.count == 0;
}

// --- the whole ---

static void make_partition(struct partition *p, const struct symmetry *y) {
  p->order = mem_zalloc(y->elements, sizeof *p->order);
  p->begins = mem_zalloc(y->elements + 1, sizeof *p->begins);
  p->colour = mem_zalloc(y->vertices, sizeof *p->colour);
}

static void make_scratch(struct symmetry *y) {
  y->signature = mem_zalloc(y->elements, sizeof *y->signature);
  y->sum = mem_zalloc(y->vertices, sizeof *y->sum);
  y->shift = mem_zalloc(y->vertices + 1, sizeof *y->shift);
  y->value = mem_zalloc(y->values + 1, sizeof *y->value);
  y->twin = mem_zalloc(y->elements, sizeof *y->twin);
  y->image = mem_zalloc(y->words, sizeof *y->image);
  y->best = mem_zalloc(y->words, sizeof *y->best);
  y->best_order = mem_zalloc(y->elements, sizeof *y->best_order);
  uint64_t widest = 1;
  for (size_t i = 0; i < y->multisets.count; i++)
    if (y->multisets.data[i].each > widest) widest = y->multisets.data[i].each;
  y->slot = mem_zalloc(widest, sizeof *y->slot);
  make_partition(&y->now, y);
}

// renamed: elements whose renaming is kept.
static void make_memo(struct memo *m, uint32_t words, uint32_t renamed) {
  size_t each = 2 * words * sizeof *m->pairs + renamed * sizeof *m->renamings;
  m->bits = MEMO_BITS;
  while (m->bits > 1 && each << m->bits > MEMO_BYTES) m->bits--;
  m->known = mem_zalloc((size_t)1 << m->bits, sizeof *m->known);
  m->pairs = mem_zalloc((size_t)2 << m->bits, words * sizeof *m->pairs);
  if (renamed) m->renamings = mem_zalloc((size_t)1 << m->bits, renamed * sizeof *m->renamings);
}

struct memo *symmetry_followed(struct symmetry *y) {
  if (!y->followed.known) make_memo(&y->followed, y->words, y->elements);
  return &y->followed;
}

static void describe_renames(struct symmetry *y) {
  struct sys_renames *r = mem_alloc(sizeof *r + y->sets.count * sizeof *r->set);
  r->each = y->elements;
  r->count = y->sets.count;
  for (size_t i = 0; i < y->sets.count; i++) {
    r->set[i].type = y->sets.data[i].type;
    r->set[i].first = y->sets.data[i].first;
  }
  y->renames = r;
}

const struct sys_renames *symmetry_renames(const struct symmetry *y) { return y->renames; }

// Takes the sets.
static struct symmetry *make_plan(const struct ir_model *m, bool *sets) {
  struct symmetry *y = mem_zalloc(1, sizeof *y);
  y->model = m;
  y->layout = m->layout;
  y->words = m->layout->words;
  y->patience = 1;
  y->fixed = mem_alloc(y->words * sizeof *y->fixed);
  memset(y->fixed, 0xff, y->words * sizeof *y->fixed);
  struct planner p = {.y = y, .sets = sets};
  p.sorted = symmetry_sorted(m, p.sets);
  p.set = mem_zalloc(m->types.count + 1, sizeof *p.set);
  number_elements(&p);
  describe_renames(y);
  for (size_t i = 0; i < m->vars.count; i++)
    walk(&p, m->vars.data[i]->type, m->vars.data[i]->first_leaf);
  finish_decoders(y);
  plan_signatures(y);
  make_scratch(y);
  make_memo(&y->memo, y->words, 0);
  mem_free(p.sets);
  mem_free(p.sorted);
  mem_free(p.set);
  VEC_CLEAR(&p.dimensions);
  return y;
}

struct symmetry *symmetry_new(const struct ir_model *m, bool trust) {
  return make_plan(m, symmetry_sets(m, trust, NULL));
}

struct symmetry *symmetry_clone(const struct symmetry *y) {
  bool *sets = mem_zalloc(y->model->types.count + 1, sizeof *sets);
  for (size_t i = 0; i < y->sets.count; i++) sets[y->sets.data[i].type->id] = true;
  return make_plan(y->model, sets);
}

struct node *symmetry_node(struct symmetry *y, uint32_t depth) {
  while (y->nodes.count <= depth) {
    struct node n = {.first = mem_zalloc(y->words, sizeof *n.first)};
    make_partition(&n.saved, y);
    VEC_PUSH(&y->nodes, n);
  }
  return &y->nodes.data[depth];
}

static void clear_partition(struct partition *p) {
  mem_free(p->order);
  mem_free(p->begins);
  mem_free(p->colour);
}

static void clear_memo(struct memo *m) {
  mem_free(m->known);
  mem_free(m->pairs);
  mem_free(m->renamings);
}

void symmetry_free(struct symmetry *y) {
  if (!y) return;
  clear_partition(&y->now);
  clear_memo(&y->memo);
  clear_memo(&y->followed);
  for (size_t i = 0; i < y->nodes.count; i++) {
    clear_partition(&y->nodes.data[i].saved);
    mem_free(y->nodes.data[i].first);
  }
  for (size_t i = 0; i < y->decoders.count; i++) mem_free(y->decoders.data[i].vertex);
  VEC_CLEAR(&y->nodes);
  VEC_CLEAR(&y->decoders);
  VEC_CLEAR(&y->sets);
  VEC_CLEAR(&y->fields);
  VEC_CLEAR(&y->globals);
  VEC_CLEAR(&y->relations);
  VEC_CLEAR(&y->dimensions);
  VEC_CLEAR(&y->places);
  VEC_CLEAR(&y->parts);
  VEC_CLEAR(&y->multisets);
  void *scratch[] = {y->fixed, y->set_first, y->signature, y->sum,  y->shift,   y->value,
                     y->twin,  y->image,     y->best,      y->slot, y->renames, y->best_order};
  for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) mem_free(scratch[i]);
  mem_free(y);
}
