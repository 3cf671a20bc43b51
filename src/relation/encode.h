// SPDX-License-Identifier: Apache-2.0
// From terms to bits: Boolean terms directly, numbers as words (word.h). Each term is made once
// and kept until it is forgotten; comparisons of a leaf or choice with a constant are made on its
// code. Where leaves and choices have their bits is up to the engine.
#pragma once

#include "relation/code.h"
#include "relation/relation.h"

struct encode_made { // of one term
  bool done;
  struct word *word; // NULL: Boolean
  bit truth;
};

struct encode {
  const struct bits *bits;
  const struct terms *terms;
  struct code (*leaf)(void *context, uint64_t leaf); // as terms mean it: before the step
  struct code (*next)(void *context, uint64_t leaf); // after it; for cuts only
  struct code (*choice)(void *context, uint32_t choice);
  void *context;
  // private
  struct encode_made *made; // by the term's id
  uint64_t *cut;            // by the term's id: the leaf that it is read from and 1, or 0
  size_t capacity;          // of both
  VEC(uint32_t) used;       // ids of which made is done
  VEC(uint32_t) cuts;
};
void encode_clear(struct encode *e);
void encode_forget(struct encode *e); // drops all bits kept for terms, and cuts
// From now on the term, which some leaf is to hold next, is read from that leaf's next code, unless
// it is read from another already.
void encode_cut(struct encode *e, const struct term *t, uint64_t leaf);

bit encode_truth(struct encode *e, const struct term *t);
struct word encode_number(struct encode *e, const struct term *t);
// This code, which has a type, is that of what the write says.
bit encode_written(struct encode *e, const struct code *to, const struct relation_write *w);
// The bits of that code: out has room for to->count. Right where the value is one of the type's.
void encode_value(struct encode *e, const struct code *to, const struct relation_write *w,
                  bit *out);

// Where a choice of the rule ranges.
const struct ir_domain *encode_domain(const struct relation_rule *r, uint32_t k);
// Which leaves hold, after the rule's step, just what a choice is, and can hold all it can be: the
// leaf of each choice, or ENCODE_NONE. The caller's to free.
uint64_t *encode_choice_leaves(const struct ir_model *m, const struct relation_rule *r);
#define ENCODE_NONE UINT64_MAX
