// SPDX-License-Identifier: Apache-2.0
// Fewer literals in a blocked cube: each is tried without (MIC). Where a state outside of the
// smaller cube leads into it, that counterexample to generalisation (CTG) is blocked itself if that
// is easily done, else the cube is widened to have it inside, if it still can be (Hassan, Bradley,
// Somenzi: Better generalization in IC3). That costs more than it is worth where a proof is easy,
// so it is done only when one has taken long already.
#include "bmc/pdr_own.h"

#include <stdlib.h>

#ifdef FATHOM_SMALL
enum { CTG_DEPTH = 1, CTG_COUNT = 3, CTG_AFTER = 20 };
#else
enum { CTG_DEPTH = 1, CTG_COUNT = 3, CTG_AFTER = 100000 }; // after: work
#endif

struct ranked {
  uint32_t activity;
  int32_t literal;
};

static int by_activity(const void *a, const void *b) {
  const struct ranked *x = a, *y = b;
  if (x->activity != y->activity) return x->activity < y->activity ? -1 : 1;
  return x->literal < y->literal ? -1 : x->literal > y->literal;
}

// Those that stand in few clauses go first.
static struct ranked *rank(const struct pdr *p, const struct cube *c) {
  struct ranked *order = mem_alloc(c->count * sizeof *order);
  for (size_t i = 0; i < c->count; i++) {
    int32_t a = c->lits[i];
    order[i] = (struct ranked){p->activity[2 * cube_bit(a) + (a < 0)], a};
  }
  if (c->count) qsort(order, c->count, sizeof *order, by_activity);
  return order;
}

static struct cube *generalise(struct pdr *p, struct cube *c, size_t level, unsigned depth);

// Blocks the states that lead into a cube, if their own predecessors allow; takes the cube.
static bool block_ctg(struct pdr *p, struct cube *c, size_t level, unsigned depth) {
  if (level == 0 || pdr_meets_start(p, c) || pdr_ask_step(p, level - 1, c) != SAT_NO) {
    cube_free(c);
    return false;
  }
  struct cube *part = pdr_core(p, c);
  cube_free(c);
  level = pdr_level_up(p, &part, level);
  pdr_block(p, generalise(p, part, level, depth + 1), level);
  return true;
}

// The literals that were tried and are needed are all still there.
static bool has_needed(const struct cube *before, const struct cube *now,
                       const struct ranked *order, size_t tried) {
  for (size_t i = 0; i < tried; i++)
    if (cube_has(before, order[i].literal) && !cube_has(now, order[i].literal)) return false;
  return true;
}

// Is some part of *c blocked at this level? Then *c is it.
static bool go_down(struct pdr *p, struct cube **c, size_t level, unsigned depth,
                    const struct ranked *order, size_t tried) {
  for (unsigned ctgs = 0; !p->stopped && !pdr_meets_start(p, *c);) {
    enum sat_answer answer = pdr_ask_step(p, level - 1, *c);
    struct cube *next, *state;
    if (answer == SAT_NO) {
      next = pdr_core(p, *c);
      cube_free(*c);
      *c = next;
      return true;
    }
    if (answer != SAT_YES || depth > CTG_DEPTH) return false;
    struct cube *like = pdr_predecessor(p, *c, &state);
    if (ctgs < CTG_COUNT && block_ctg(p, like, level - 1, depth)) {
      cube_free(state);
      ctgs++;
      continue;
    }
    if (ctgs >= CTG_COUNT) cube_free(like);
    ctgs = 0;
    next = cube_common(*c, state);
    cube_free(state);
    bool goes = next->count && next->count < (*c)->count && has_needed(*c, next, order, tried);
    cube_free(*c);
    *c = next;
    if (!goes) return false;
  }
  return false;
}

static struct cube *generalise(struct pdr *p, struct cube *c, size_t level, unsigned depth) {
  struct ranked *order = rank(p, c);
  size_t count = c->count;
  for (size_t i = 0; i < count && c->count > 1 && !p->stopped; i++) {
    if (!cube_has(c, order[i].literal)) continue;
    struct cube *less = cube_without(c, order[i].literal);
    if (go_down(p, &less, level, depth, order, i)) {
      cube_free(c);
      c = less;
    } else {
      cube_free(less);
    }
  }
  mem_free(order);
  return c;
}

struct cube *pdr_generalise(struct pdr *p, struct cube *c, size_t level) {
  return generalise(p, c, level, pdr_work(p) < CTG_AFTER ? CTG_DEPTH + 1 : 1);
}
