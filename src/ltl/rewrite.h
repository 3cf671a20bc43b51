// SPDX-License-Identifier: Apache-2.0
// What is told from the looks of a formula in normal form: negations at atoms only, of the
// operators AND OR NEXT EVENTUALLY ALWAYS UNTIL RELEASE, and those of the past, about which nothing
// is told: to the rest, what is under one of them is as good as an atom.
#pragma once

#include "ltl/formula.h"

// A formula is eventual if it is true now whenever it is true later (x = F x), and universal if it
// is true for ever once it is true (x = G x).
struct ltl_looks {
  bool eventual, universal;
};

struct ltl_list {
  const struct ltl **data;
  size_t count, capacity;
};

struct ltl_rewriter {
  struct ltl_factory *factory;
  VEC(struct ltl_looks) looks; // by id, as far as asked for
  struct ltl_list direct;      // by id: the formula rewritten, NULL: not yet
  struct ltl_list negated;     // by id: its negation rewritten
  // Pairs of ids about which ltl_implies knows something, open addressing: key + 1, answer.
  uint64_t *pairs;
  bool *answers;
  size_t pair_size, pair_count;
};

struct ltl_looks ltl_looks_of(struct ltl_rewriter *r, const struct ltl *x);
// Does a certainly imply b? False: that is not seen.
bool ltl_implies(struct ltl_rewriter *r, const struct ltl *a, const struct ltl *b);
void ltl_implies_clear(struct ltl_rewriter *r);

// The same formula, with ORs as deep inside as possible. (gather.c)
const struct ltl *ltl_gather(struct ltl_factory *f, const struct ltl *x);
