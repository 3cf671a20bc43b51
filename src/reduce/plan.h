// SPDX-License-Identifier: Apache-2.0
// Private to the room: what symmetry knows of a model's leaves, and its scratch memory.
//
// The elements of all symmetric scalarsets are numbered through: vertices 0 .. elements-1. The
// slots of multisets whose order depends on elements are vertices too, elements .. vertices-1: they
// are never permuted by us (sorting does that), but tell elements apart.
//
// Leaves that differ only in symmetric indices form a block: Cache[p].Line[a] over all p and a.
#pragma once

#include "ir/ir.h"
#include "reduce/reduce.h"

enum { SYMMETRY_ELEMENTS_MAX = 4096 };

struct set { // a symmetric scalarset
  const struct ir_type *type;
  uint32_t first, count; // its vertices
  uint32_t field_first, field_end;
};

struct place { // of a leaf in the packed state
  uint32_t word;
  uint32_t shift;
};

// A type whose values may be elements. vertex[code]: the element, or `vertices` for other values.
struct decoder {
  const struct ir_type *type;
  bool undef;
  uint64_t codes;
  uint32_t *vertex;
};

struct dimension {
  uint32_t first;  // vertex of index 0; of slots: of index 0 in all dimensions so far
  uint32_t count;  // indices
  uint64_t leaves; // from one index to the next
  uint32_t cells;  // of the block, from one index to the next
  bool slots;
};

// A block indexed by one scalarset, with values that are not elements.
struct field {
  uint64_t mask;
  uint32_t width;
  uint32_t offset;        // in an exact signature
  uint32_t element_first; // of its set
  uint32_t place;         // first of the set's `count` in places
};

// A leaf without symmetric index whose value may be an element.
struct global {
  struct place place;
  uint64_t mask;
  const uint32_t *vertex;
  uint64_t mark; // in the element's signature
};

// Any other block that has to do with elements.
struct relation {
  uint64_t mask;
  uint64_t seed;          // for mixing
  const uint32_t *vertex; // decoder of its values; NULL: they are not elements
  uint32_t dimension_first, dimensions;
  uint32_t cells;
  uint32_t place; // first of the cells in places
  uint32_t value; // first of the cells in value
  uint32_t part;  // first in parts: `dimensions` vertices per cell
  bool simple;    // one scalarset index, values may be elements
};

struct multiset { // one array whose slots are kept sorted
  uint64_t leaf;  // its first
  uint64_t each;  // leaves of a slot
  uint32_t slots;
};

struct partition { // an ordered partition of the elements
  uint32_t *order; // position -> element; the positions of a set are its vertices' numbers
  bool *begins;    // does a cell begin at this position?
  uint64_t *colour;
};

struct node { // of the search's tree, on the way to the leaf being looked at
  struct partition saved;
  uint64_t *first; // image of the first leaf below
  bool has_first;
  uint32_t branch; // which branch is being looked at
};

// States seen just before and their representatives: neighbours share successors, and many steps
// lead back to where they came from. A state has one place; the latest stays.
struct memo {
  uint32_t bits;       // 2^bits places
  bool *known;         // per place
  uint64_t *pairs;     // per place: the words of the state, then of its representative
  uint32_t *renamings; // per place: what each element has become; NULL: nobody asks
};

struct symmetry {
  const struct ir_model *model;
  const struct ir_layout *layout;
  uint32_t words, elements, vertices;
  uint32_t values;     // cells of all relations
  uint32_t *set_first; // per element: first of its set
  uint32_t patience;   // rounds without a split after which colours count as stable
  VEC(struct set) sets;
  VEC(struct decoder) decoders;
  VEC(struct field) fields;
  VEC(struct global) globals;
  VEC(struct relation) relations;
  VEC(struct dimension) dimensions; // of relations
  VEC(struct place) places;
  VEC(uint32_t) parts;
  VEC(struct multiset) multisets; // inner ones first
  struct sys_renames *renames;    // the sets, for others
  uint64_t *fixed;                // the bits of the state that no permutation touches
  bool exact;                     // signatures hold all fields and all references by globals
  bool trivial_ties;              // equal signatures: exchanging the two changes nothing
  // scratch, per state
  const struct sys_asking *asking; // NULL: nobody is to be asked
  uint64_t work;                   // cells looked at since it was asked
  const uint64_t *state;
  uint64_t *signature; // per element; in order while sorting
  uint64_t *sum;       // per vertex
  int32_t *shift;      // per vertex and one more: new position - old
  uint32_t *value;     // per relation cell: vertex, or vertices + code + 1
  uint32_t *twin;      // per element: the first that it can be exchanged with
  uint64_t *image, *best;
  uint32_t *best_order; // that gives it
  uint64_t *slot;       // codes of one slot
  bool has_best;
  struct memo memo;
  struct memo followed; // with renamings; made when first asked for
  struct partition now;
  VEC(struct node) nodes; // of the search, by depth
};

// Which scalarsets are used in a way that their elements' names cannot matter; per type id of the
// model. Why not goes to `why`, if given.
bool *symmetry_sets(const struct ir_model *m, bool trust, struct text *why);
// Arrays that hold elements of the sets and are sorted by some statement, per type id: multisets.
bool *symmetry_sorted(const struct ir_model *m, const bool *sets);
// Does a value of this type name, or an index in it range over, elements of the sets?
bool symmetry_depends(const bool *sets, const struct ir_type *t);

// The image of y->state when each element moves by y->shift.
void symmetry_apply(struct symmetry *y, uint64_t *image);
// Puts the slots of multisets into order.
void symmetry_sort_slots(struct symmetry *y, uint64_t *state);
// The same with relation cells decoded: does exchanging a and b (of one set, with equal signatures)
// leave y->state as it is?
bool symmetry_twins(struct symmetry *y, uint32_t a, uint32_t b);
void symmetry_decode(struct symmetry *y);
// The memo that knows renamings.
struct memo *symmetry_followed(struct symmetry *y);
// Memory for the node at this depth.
struct node *symmetry_node(struct symmetry *y, uint32_t depth);

static inline uint64_t symmetry_mix(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 29;
}
static inline uint64_t symmetry_code(const uint64_t *state, struct place p, uint64_t mask) {
  return state[p.word] >> p.shift & mask;
}
