// SPDX-License-Identifier: Apache-2.0
// Claims of proofs checked again, each as one question that has to be answered with no.
#include "bmc/recheck.h"

#include <stdlib.h>

struct check {
  const struct prove_config *config;
  struct sat *sat;
  struct machine *machine;
};

static void check_clear(struct check *k) {
  if (k->machine) machine_free(k->machine);
  sat_free(k->sat);
}

// False: there was no time left to make a machine. (One was made before, for the proof.)
static bool check_init(struct check *k, const struct prove_config *c, size_t times) {
  struct text why = {0};
  k->config = c;
  k->sat = sat_new(&(struct sat_config){.goes_on = c->goes_on, .context = c->context});
  k->machine = machine_new(c->relation, k->sat, &why);
  text_clear(&why);
  if (!k->machine) {
    assert(!sat_goes_on(k->sat));
    check_clear(k);
    return false;
  }
  while (k->machine->times < times) machine_extend(k->machine);
  return true;
}

static lit bad_at(struct check *k, size_t time) {
  return k->config->goal.bad(k->machine, time, k->config->goal.context);
}

static lit literal_at(const struct check *k, size_t time, int32_t literal) {
  lit bit = machine_bit(k->machine, time, cube_bit(literal));
  return literal < 0 ? -bit : bit;
}

// The claim stands where the solver says no. Yes: never `holds`, whatever this build checks. When
// the run is over no answer counts: a circuit may have been left unfinished.
static enum recheck_answer settle(struct check *k, enum sat_answer answer) {
  if (!sat_goes_on(k->sat)) return RECHECK_STOPPED;
  if (answer == SAT_YES) abort();
  return answer == SAT_NO ? RECHECK_GOOD : RECHECK_STOPPED;
}

// --- invariants ---

// The state at this time is in a cube, or bad.
static void assert_outside(struct check *k, size_t time, const struct cubes *cubes) {
  VEC(lit) some = {0};
  VEC_PUSH(&some, bad_at(k, time));
  for (size_t i = 0; i < cubes->list.count; i++) {
    const struct cube *c = cubes->list.data[i];
    lit inside = sat_var(k->sat);
    for (size_t j = 0; j < c->count; j++)
      sat_clause2(k->sat, -inside, literal_at(k, time, c->lits[j]));
    VEC_PUSH(&some, inside);
  }
  sat_clause(k->sat, some.data, some.count);
  VEC_CLEAR(&some);
}

// It is in no cube, and not bad.
static void assert_inside(struct check *k, size_t time, const struct cubes *cubes) {
  VEC(lit) clause = {0};
  for (size_t i = 0; i < cubes->list.count; i++) {
    const struct cube *c = cubes->list.data[i];
    clause.count = 0;
    for (size_t j = 0; j < c->count; j++) VEC_PUSH(&clause, -literal_at(k, time, c->lits[j]));
    sat_clause(k->sat, clause.data, clause.count);
  }
  sat_clause1(k->sat, -bad_at(k, time));
  VEC_CLEAR(&clause);
}

static enum recheck_answer check_starts(const struct prove_config *c, const struct cubes *cubes) {
  struct check k;
  if (!check_init(&k, c, 1)) return RECHECK_STOPPED;
  sat_clause1(k.sat, machine_start(k.machine, 0));
  assert_outside(&k, 0, cubes);
  enum recheck_answer answer = settle(&k, sat_solve(k.sat, NULL, 0));
  check_clear(&k);
  return answer;
}

static enum recheck_answer check_step(const struct prove_config *c, const struct cubes *cubes) {
  struct check k;
  if (!check_init(&k, c, 2)) return RECHECK_STOPPED;
  assert_inside(&k, 0, cubes);
  assert_outside(&k, 1, cubes);
  enum recheck_answer answer = settle(&k, sat_solve(k.sat, NULL, 0));
  check_clear(&k);
  return answer;
}

enum recheck_answer recheck_invariant(const struct prove_config *c, const struct cubes *cubes) {
  enum recheck_answer answer = check_starts(c, cubes);
  return answer == RECHECK_GOOD ? check_step(c, cubes) : answer;
}

// --- induction ---

static enum recheck_answer check_path(const struct prove_config *c,
                                      const struct induction_proof *p) {
  struct check k;
  if (!check_init(&k, c, p->k + 1)) return RECHECK_STOPPED;
  for (size_t t = 0; t < p->k; t++) sat_clause1(k.sat, -bad_at(&k, t));
  sat_clause1(k.sat, bad_at(&k, p->k));
  for (size_t i = 0; i < p->apart.count; i++)
    sat_clause1(k.sat, -machine_same(k.machine, p->apart.data[i].a, p->apart.data[i].b));
  enum recheck_answer answer = settle(&k, sat_solve(k.sat, NULL, 0));
  check_clear(&k);
  return answer;
}

// Depth by depth: a path that ends without a successor is no path to a greater depth.
static enum recheck_answer check_base(const struct prove_config *c, size_t count, uint64_t clean,
                                      uint64_t *depth) {
  struct check k;
  enum recheck_answer answer = RECHECK_GOOD;
  if (!check_init(&k, c, 1)) return RECHECK_STOPPED;
  sat_clause1(k.sat, machine_start(k.machine, 0));
  for (size_t t = 0; t < count && answer == RECHECK_GOOD; t++) {
    if (t) machine_extend(k.machine);
    lit bad = bad_at(&k, t);
    enum sat_answer found = sat_solve(k.sat, &bad, 1);
    *depth = t;
    answer = found == SAT_YES && t >= clean ? RECHECK_VIOLATED : settle(&k, found);
    sat_clause1(k.sat, -bad);
  }
  check_clear(&k);
  return answer;
}

enum recheck_answer recheck_induction(const struct prove_config *c, const struct induction_proof *p,
                                      uint64_t clean, uint64_t *depth) {
  enum recheck_answer answer = check_path(c, p);
  return answer == RECHECK_GOOD ? check_base(c, p->k, clean, depth) : answer;
}
