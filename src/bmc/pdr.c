// SPDX-License-Identifier: Apache-2.0
// PDR's loop, cut into pieces so that it can be left and taken up again: block what is owed, else
// ask whether the frontier leads to a bad state, else open a new frame and push clauses on.
#include "bmc/pdr_own.h"

#ifdef FATHOM_SMALL
enum { CONFLICTS_FIRST = 5, CONFLICTS_MOST = 50000, DEAD_MAX = 5 };
#else
enum { CONFLICTS_FIRST = 5000, CONFLICTS_MOST = 50000, DEAD_MAX = 2000 };
#endif

struct pdr *pdr_new(const struct prove_config *c, struct text *why) {
  struct pdr *p = mem_zalloc(1, sizeof *p);
  p->config = *c;
  p->limit = CONFLICTS_FIRST;
  VEC_PUSH(&p->frames, (struct cubes){0});
  if (!pdr_open(p, why) || !pdr_open_starts(p, why)) {
    pdr_free(p);
    return NULL;
  }
  p->activity = mem_zalloc(2 * p->machine->bits, sizeof *p->activity);
  return p;
}

void pdr_free(struct pdr *p) {
  if (!p) return;
  pdr_close(p);
  if (p->start_machine) machine_free(p->start_machine);
  sat_free(p->start_sat);
  for (size_t i = 0; i < p->frames.count; i++) cubes_clear(&p->frames.data[i]);
  for (size_t i = 0; i < p->queue.count; i++) cube_free(p->queue.data[i].cube);
  cubes_clear(&p->invariant);
  VEC_CLEAR(&p->frames);
  VEC_CLEAR(&p->queue);
  VEC_CLEAR(&p->switches);
  VEC_CLEAR(&p->assumed);
  VEC_CLEAR(&p->clause);
  VEC_CLEAR(&p->lits);
  mem_free(p->start_value);
  mem_free(p->activity);
  mem_free(p);
}

uint64_t pdr_depth_min(const struct pdr *p) { return p->opened ? p->frames.count : 0; }
uint64_t pdr_depth_max(const struct pdr *p) { return p->depth_max; }
const struct cubes *pdr_invariant(const struct pdr *p) { return &p->invariant; }
const struct sat *pdr_sat(const struct pdr *p) { return p->sat; }

uint64_t pdr_work(const struct pdr *p) {
  return p->work_before + sat_work(p->sat) + sat_work(p->start_sat);
}

// --- obligations ---

// States that lead to a bad one in so many steps have to be blocked; unless one is a start.
static enum prove_answer owe(struct pdr *p, struct cube *c, size_t level, uint64_t depth) {
  if (!pdr_meets_start(p, c)) {
    assert(level > 0 || p->stopped);
    pdr_owe(p, c, level, depth);
    return PROVE_OPEN;
  }
  cube_free(c);
  if (p->stopped) return PROVE_STOPPED;
  p->depth_max = depth;
  return PROVE_VIOLATED;
}

// It is blocked, and further up if it goes; then it is asked about in the next frame.
static void block(struct pdr *p, struct obligation *o) {
  struct cube *c = pdr_core(p, o->cube);
  c = pdr_generalise(p, c, o->level);
  size_t level = pdr_level_up(p, &c, o->level);
  pdr_block(p, c, level);
  o->level = level;
}

static void owe_later(struct pdr *p, struct obligation o) {
  if (o.level < pdr_frontier(p))
    pdr_owe(p, o.cube, o.level + 1, o.depth);
  else
    cube_free(o.cube);
}

static enum prove_answer discharge(struct pdr *p) {
  struct obligation o = pdr_due(p);
  if (pdr_is_blocked(p, o.cube, o.level)) {
    owe_later(p, o);
    return PROVE_OPEN;
  }
  enum sat_answer answer = pdr_ask_step(p, o.level - 1, o.cube);
  if (answer == SAT_NO) {
    block(p, &o);
    owe_later(p, o);
    return PROVE_OPEN;
  }
  pdr_owe(p, o.cube, o.level, o.depth);
  if (answer != SAT_YES) return PROVE_OPEN;
  return owe(p, pdr_predecessor(p, o.cube, NULL), o.level - 1, o.depth + 1);
}

// --- frames ---

static enum prove_answer look_ahead(struct pdr *p) {
  size_t level = pdr_frontier(p);
  enum sat_answer answer = pdr_ask_bad(p, level);
  if (answer == SAT_YES) return owe(p, pdr_predecessor(p, NULL, NULL), level, 1);
  if (answer != SAT_NO) return PROVE_OPEN;
  VEC_PUSH(&p->frames, (struct cubes){0});
  p->propagating = level ? 1 : 0;
  return PROVE_OPEN;
}

// What is above an empty level is inductive.
static enum prove_answer close_invariant(struct pdr *p, size_t level) {
  for (size_t l = level + 1; l < p->frames.count; l++)
    for (size_t i = 0; i < p->frames.data[l].list.count; i++)
      VEC_PUSH(&p->invariant.list, cube_copy(p->frames.data[l].list.data[i]));
  return PROVE_HOLDS;
}

static enum prove_answer propagate(struct pdr *p) {
  size_t level = p->propagating++;
  if (p->propagating == pdr_frontier(p)) p->propagating = 0;
  return pdr_propagate(p, level) && !p->stopped ? close_invariant(p, level) : PROVE_OPEN;
}

// --- the loop ---

static enum prove_answer look_at_starts(struct pdr *p) {
  enum sat_answer answer = pdr_ask_starts(p);
  p->opened = answer == SAT_NO;
  return answer == SAT_YES ? PROVE_VIOLATED : PROVE_OPEN;
}

// What was blocked better since is a burden in the solver: it is made anew then.
static void clean_up(struct pdr *p) {
  uint64_t live = 0;
  for (size_t i = 1; i < p->frames.count; i++) live += p->frames.data[i].list.count;
  if (p->dead <= DEAD_MAX + 2 * live) return;
  struct text why = {0};
  if (!pdr_open(p, &why)) p->stopped = true; // it could be made before
  text_clear(&why);
}

static enum prove_answer advance(struct pdr *p) {
  if (!p->opened) return look_at_starts(p);
  if (p->propagating) return propagate(p);
  if (p->queue.count) return discharge(p);
  return look_ahead(p);
}

enum prove_answer pdr_step(struct pdr *p, uint64_t effort) {
  uint64_t end = pdr_work(p) + effort;
  enum prove_answer answer;
  do {
    clean_up(p);
    p->limited = false;
    answer = p->stopped ? PROVE_STOPPED : advance(p);
    if (p->limited && p->limit < CONFLICTS_MOST) p->limit += p->limit / 2;
  } while (answer == PROVE_OPEN && !p->stopped && pdr_work(p) < end);
  return p->stopped ? PROVE_STOPPED : answer;
}
