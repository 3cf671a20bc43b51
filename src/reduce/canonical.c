// SPDX-License-Identifier: Apache-2.0
// The representative of a state. Elements are put in order by a signature: their fields, and which
// globals name them. Ties are split by colour refinement (Weisfeiler and Leman) through the leaves
// that join elements. What is still tied is tried out: one of the tied elements is put first,
// colours are refined again, and so on (individualisation and refinement, McKay 1981); of all the
// states that this gives the smallest is taken.
//
// All decisions depend on colours and never on names, so symmetric states see the same tree and
// get the same smallest state; a collision of hashes costs time, nothing else. Two prunings keep
// the tree small. Elements whose exchange changes nothing (twins) need no trying: one stands for
// all. And when a leaf gives the state that an earlier leaf below the same node gave, some
// symmetry of the state maps the earlier branch of that node to this one: the rest is skipped.
#include "reduce/plan.h"

#include "sys/sys.h"

#include <string.h>

#ifdef FATHOM_SMALL
enum { ASK_EVERY = 1000 };
#else
enum { ASK_EVERY = 1 << 21 }; // cells: that takes some milliseconds
#endif

#define SEED_INDEX UINT64_C(0x9e3779b97f4a7c15)
#define SEED_VALUE UINT64_C(0xc2b2ae3d27d4eb4f)
#define SEED_SELF  UINT64_C(0x165667b19e3779f9)

// --- long work ---

void symmetry_ask(struct symmetry *y, const struct sys_asking *asking) { y->asking = asking; }

// So many cells more are looked at.
static void work(struct symmetry *y, uint64_t cells) {
  y->work += cells;
  if (y->work < ASK_EVERY) return;
  y->work = 0;
  const struct sys_asking *a = y->asking;
  if (a && a->goes_on && !a->goes_on(a->context)) mem_exhausted(0);
}

// --- signatures ---

static void sign_exactly(const struct symmetry *y, const struct set *s) {
  uint64_t *signature = y->signature + s->first;
  for (uint32_t k = s->field_first; k < s->field_end; k++) {
    const struct field *f = &y->fields.data[k];
    const struct place *place = y->places.data + f->place;
    for (uint32_t i = 0; i < s->count; i++)
      signature[i] |= symmetry_code(y->state, place[i], f->mask) << f->offset;
  }
}

static void sign_by_hash(const struct symmetry *y, const struct set *s) {
  uint64_t *signature = y->signature + s->first;
  for (uint32_t k = s->field_first; k < s->field_end; k++) {
    const struct field *f = &y->fields.data[k];
    const struct place *place = y->places.data + f->place;
    for (uint32_t i = 0; i < s->count; i++)
      signature[i] = symmetry_mix(signature[i] * SEED_INDEX +
                                  symmetry_code(y->state, place[i], f->mask) + k + 1);
  }
}

static void sign(const struct symmetry *y) {
  memset(y->signature, 0, y->elements * sizeof *y->signature);
  for (size_t i = 0; i < y->sets.count; i++) {
    if (y->exact)
      sign_exactly(y, &y->sets.data[i]);
    else
      sign_by_hash(y, &y->sets.data[i]);
  }
  for (size_t i = 0; i < y->globals.count; i++) {
    const struct global *g = &y->globals.data[i];
    uint32_t v = g->vertex[symmetry_code(y->state, g->place, g->mask)];
    if (v < y->elements) y->signature[v] += g->mark;
  }
}

// --- cells ---

// Sorts the positions first .. end-1 by the keys of the elements there, and marks where a new cell
// begins. True: there is more than one.
static bool split(struct partition *p, const uint64_t *key, uint32_t first, uint32_t end) {
  for (uint32_t i = first + 1; i < end; i++) {
    uint32_t v = p->order[i], j = i;
    for (; j > first && key[p->order[j - 1]] > key[v]; j--) p->order[j] = p->order[j - 1];
    p->order[j] = v;
  }
  bool several = false;
  for (uint32_t i = first + 1; i < end; i++)
    if (key[p->order[i - 1]] != key[p->order[i]]) several = p->begins[i] = true;
  return several;
}

static uint32_t cell_end(const struct symmetry *y, uint32_t first) {
  uint32_t end = first + 1;
  while (end < y->elements && !y->now.begins[end]) end++;
  return end;
}

static bool is_discrete(const struct symmetry *y) {
  for (uint32_t i = 0; i < y->elements; i++)
    if (!y->now.begins[i]) return false;
  return true;
}

static void order_by_signature(struct symmetry *y) {
  struct partition *p = &y->now;
  memset(p->begins, 0, y->elements * sizeof *p->begins);
  for (uint32_t i = 0; i < y->elements; i++) p->order[i] = i;
  for (size_t i = 0; i < y->sets.count; i++) {
    const struct set *s = &y->sets.data[i];
    p->begins[s->first] = true;
    split(p, y->signature, s->first, s->first + s->count);
  }
}

// --- refinement ---

// a[i] holds j: that tells about i and about j.
static void sum_simple(const struct symmetry *y, const struct relation *r) {
  const uint64_t *colour = y->now.colour;
  const uint32_t *value = y->value + r->value, *part = y->parts.data + r->part;
  for (uint32_t k = 0; k < r->cells; k++) {
    uint32_t i = part[k], j = value[k];
    if (j >= y->vertices) {
      y->sum[i] += symmetry_mix(r->seed + (j - y->vertices) * SEED_VALUE);
    } else if (i == j) {
      y->sum[i] += r->seed ^ SEED_SELF;
    } else {
      y->sum[i] += symmetry_mix(r->seed + SEED_VALUE + colour[j]);
      y->sum[j] += symmetry_mix(r->seed + SEED_INDEX + colour[i]);
    }
  }
}

// Any number of indices: the colours of all that meet in a cell, which of them are the same, and
// its value tell about each of them.
static uint64_t cell_hash(const struct symmetry *y, const struct relation *r, const uint32_t *part,
                          uint32_t value) {
  const uint64_t *colour = y->now.colour;
  uint64_t h = r->seed;
  bool element = value < y->vertices;
  h += element ? symmetry_mix(SEED_VALUE + colour[value]) : (value - y->vertices) * SEED_SELF;
  for (uint32_t i = 0; i < r->dimensions; i++) {
    h = symmetry_mix(h * SEED_INDEX + colour[part[i]]);
    if (part[i] == value) h += SEED_SELF;
    for (uint32_t k = 0; k < i; k++)
      if (part[k] == part[i]) h += (k + 1) * SEED_VALUE;
  }
  return h;
}

static void sum_any(const struct symmetry *y, const struct relation *r) {
  const uint32_t *part = y->parts.data + r->part;
  for (uint32_t k = 0; k < r->cells; k++, part += r->dimensions) {
    uint32_t value = y->value[r->value + k];
    uint64_t h = cell_hash(y, r, part, value);
    for (uint32_t i = 0; i < r->dimensions; i++)
      y->sum[part[i]] += symmetry_mix(h + (i + 1) * SEED_INDEX);
    if (value < y->vertices) y->sum[value] += symmetry_mix(h + SEED_VALUE);
  }
}

static void recolour(struct symmetry *y) {
  work(y, y->values + y->vertices);
  memset(y->sum, 0, y->vertices * sizeof *y->sum);
  for (size_t i = 0; i < y->relations.count; i++) {
    const struct relation *r = &y->relations.data[i];
    if (r->simple)
      sum_simple(y, r);
    else
      sum_any(y, r);
  }
  for (uint32_t i = 0; i < y->vertices; i++)
    y->now.colour[i] = symmetry_mix(y->now.colour[i] * SEED_INDEX + y->sum[i]);
}

// Splits cells until colours are stable.
static void refine(struct symmetry *y) {
  for (uint32_t idle = 0; idle < y->patience && !is_discrete(y);) {
    bool several = false;
    recolour(y);
    for (uint32_t i = 0, end; i < y->elements; i = end) {
      end = cell_end(y, i);
      if (end - i > 1) several |= split(&y->now, y->now.colour, i, end);
    }
    idle = several ? 0 : idle + 1;
  }
}

// Slots begin alike: what they hold colours them.
static void first_colours(struct symmetry *y) {
  for (uint32_t i = 0; i < y->elements; i++)
    y->now.colour[i] = symmetry_mix(y->signature[i] + y->set_first[i] * SEED_INDEX);
  for (uint32_t i = y->elements; i < y->vertices; i++) y->now.colour[i] = SEED_SELF;
}

// --- trying out what is tied ---

// For each element of a cell the first one there that is its twin.
static void find_twins(struct symmetry *y, uint32_t first, uint32_t end) {
  const uint32_t *order = y->now.order;
  for (uint32_t i = first; i < end; i++) {
    y->twin[order[i]] = order[i];
    for (uint32_t k = first; k < i; k++) {
      if (y->twin[order[k]] != order[k]) continue;
      work(y, y->values);
      if (!symmetry_twins(y, order[k], order[i])) continue;
      y->twin[order[i]] = order[k];
      break;
    }
  }
}

static bool all_twins(const struct symmetry *y, uint32_t first, uint32_t end) {
  const uint32_t *order = y->now.order;
  for (uint32_t i = first + 1; i < end; i++)
    if (y->twin[order[i]] != y->twin[order[first]]) return false;
  return true;
}

// The first cell with elements that are not twins; false: there is none.
static bool find_mixed(const struct symmetry *y, uint32_t *first, uint32_t *end) {
  for (*first = 0; *first < y->elements; *first = *end) {
    *end = cell_end(y, *first);
    if (!all_twins(y, *first, *end)) return true;
  }
  return false;
}

static void copy_partition(const struct symmetry *y, struct partition *to,
                           const struct partition *from) {
  memcpy(to->order, from->order, y->elements * sizeof *to->order);
  memcpy(to->begins, from->begins, y->elements * sizeof *to->begins);
  memcpy(to->colour, from->colour, y->vertices * sizeof *to->colour);
}

static bool smaller(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

// The image under the order that there is now. True: that is the state itself.
static bool make_image(struct symmetry *y, uint64_t *image) {
  uint32_t moved = 0;
  for (uint32_t i = 0; i < y->elements; i++) {
    uint32_t v = y->now.order[i];
    y->shift[v] = (int32_t)i - (int32_t)v;
    moved |= i ^ v;
  }
  if (!moved) return true;
  symmetry_apply(y, image);
  memset(y->shift, 0, y->elements * sizeof *y->shift);
  return false;
}

static uint32_t parent(uint32_t depth) { return depth ? depth - 1 : 0; }

// A leaf of the tree. Returns the depth of the node to go on at: the parent, or a node above it
// whose first branch gave the same image.
static uint32_t visit_leaf(struct symmetry *y, uint32_t depth) {
  work(y, y->places.count);
  size_t bytes = y->words * sizeof *y->image;
  if (make_image(y, y->image)) memcpy(y->image, y->state, bytes);
  if (!y->has_best || smaller(y->image, y->best, y->words)) {
    memcpy(y->best, y->image, bytes);
    memcpy(y->best_order, y->now.order, y->elements * sizeof *y->best_order);
  }
  y->has_best = true;
  for (uint32_t i = 0; i < depth; i++) {
    struct node *n = &y->nodes.data[i];
    if (n->branch > 0 && memcmp(n->first, y->image, bytes) == 0) return i;
    if (!n->has_first) memcpy(n->first, y->image, bytes);
    n->has_first = true;
  }
  return parent(depth);
}

// Puts the element at position `at` first in the cell that begins at `first`, a cell of its own.
static void individualise(struct partition *p, uint32_t first, uint32_t at) {
  uint32_t v = p->order[at];
  p->order[at] = p->order[first];
  p->order[first] = v;
  p->begins[first + 1] = true;
  p->colour[v] = symmetry_mix(p->colour[v] + SEED_SELF);
}

// Has an earlier element of the cell the same twin?
static bool stood_for(const struct symmetry *y, const uint32_t *order, uint32_t first,
                      uint32_t at) {
  for (uint32_t i = first; i < at; i++)
    if (y->twin[order[i]] == y->twin[order[at]]) return true;
  return false;
}

// Goes through the tree below a refined partition. Returns the depth of the node to go on at.
static uint32_t try_out(struct symmetry *y, uint32_t depth) {
  uint32_t first, end;
  if (!find_mixed(y, &first, &end)) return visit_leaf(y, depth);
  struct node *n = symmetry_node(y, depth);
  n->has_first = false;
  n->branch = 0;
  copy_partition(y, &n->saved, &y->now);
  for (uint32_t i = first; i < end; i++) {
    n = &y->nodes.data[depth];
    if (stood_for(y, n->saved.order, first, i)) continue;
    copy_partition(y, &y->now, &n->saved);
    individualise(&y->now, first, i);
    refine(y);
    uint32_t back = try_out(y, depth + 1);
    if (back < depth) return back;
    y->nodes.data[depth].branch++;
  }
  return parent(depth);
}

// --- the whole ---

static void keep_image(struct symmetry *y, uint64_t *state) {
  if (!make_image(y, y->image)) memcpy(state, y->image, y->words * sizeof *state);
}

static void break_ties(struct symmetry *y, uint64_t *state) {
  symmetry_decode(y);
  first_colours(y);
  refine(y);
  if (is_discrete(y)) return keep_image(y, state);
  for (uint32_t i = 0, end; i < y->elements; i = end) {
    end = cell_end(y, i);
    find_twins(y, i, end);
  }
  y->has_best = false;
  try_out(y, 0);
  memcpy(state, y->best, y->words * sizeof *state);
  memcpy(y->now.order, y->best_order, y->elements * sizeof *y->best_order);
}

// The order that there is in the end is the one that gives it.
static void find_representative(struct symmetry *y, uint64_t *state) {
  y->state = state;
  work(y, y->places.count);
  sign(y);
  order_by_signature(y);
  if (y->trivial_ties || is_discrete(y))
    keep_image(y, state);
  else
    break_ties(y, state);
}

static uint32_t memo_place(const struct symmetry *y, const struct memo *m, const uint64_t *state) {
  uint64_t h = 0;
  for (uint32_t i = 0; i < y->words; i++) h = symmetry_mix(h * SEED_INDEX + state[i]);
  return (uint32_t)(h >> (64 - m->bits));
}

// How the order that there is now renames elements.
static void tell(const struct symmetry *y, uint32_t *renaming) {
  for (uint32_t i = 0; i < y->elements; i++) renaming[y->now.order[i]] = i;
}

// Makes the state canonical. Returns the place that knows about it now.
__attribute__((always_inline)) static inline uint32_t look_up(struct symmetry *y, struct memo *m,
                                                              uint64_t *state) {
  size_t bytes = y->words * sizeof *state;
  uint32_t place = memo_place(y, m, state);
  uint64_t *before = m->pairs + 2 * (size_t)place * y->words, *after = before + y->words;
  if (!m->known[place] || memcmp(before, state, bytes) != 0) {
    m->known[place] = false; // it may unwind
    memcpy(before, state, bytes);
    find_representative(y, state);
    memcpy(after, state, bytes);
    m->known[place] = true;
    if (m->renamings) tell(y, m->renamings + (size_t)place * y->elements);
  } else {
    memcpy(state, after, bytes);
  }
  return place;
}

void symmetry_canonical(struct symmetry *y, uint64_t *state) { look_up(y, &y->memo, state); }

void symmetry_follow(struct symmetry *y, uint64_t *state, uint32_t *renaming) {
  struct memo *m = symmetry_followed(y);
  const uint32_t *told = m->renamings + (size_t)look_up(y, m, state) * y->elements;
  memcpy(renaming, told, y->elements * sizeof *renaming);
}
