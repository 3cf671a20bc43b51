// SPDX-License-Identifier: Apache-2.0
// The questions PDR asks. One loose machine of two states serves all of them: a step is asked about
// by assuming that it exists; a predecessor is lifted by assuming its bits and inputs and asking
// for a way not to get there. Negated cubes are clauses for one call, so that nothing is left
// behind.
#include "bmc/pdr_own.h"

static lit literal_at(const struct machine *m, size_t time, int32_t literal) {
  lit bit = machine_bit(m, time, cube_bit(literal));
  return literal < 0 ? -bit : bit;
}

// --- open and close ---

static struct sat *solver_new(const struct pdr *p) {
  return sat_new(&(struct sat_config){
      .goes_on = p->config.goes_on, .context = p->config.context, .many = true});
}

void pdr_close(struct pdr *p) {
  if (p->sat) p->work_before += sat_work(p->sat);
  if (p->machine) machine_free(p->machine);
  sat_free(p->sat);
  p->machine = NULL;
  p->sat = NULL;
}

static lit bad_at(struct pdr *p, struct machine *m, size_t time) {
  return p->config.goal.bad(m, time, p->config.goal.context);
}

bool pdr_open(struct pdr *p, struct text *why) {
  pdr_close(p);
  p->sat = solver_new(p);
  p->machine = machine_new(p->config.relation, p->sat, why);
  if (!p->machine) return false;
  p->machine->loose = true;
  p->start = machine_start(p->machine, 0);
  sat_clause1(p->sat, -bad_at(p, p->machine, 0));
  machine_extend(p->machine);
  p->valid = machine_valid(p->machine, 0);
  p->bad = bad_at(p, p->machine, 1);
  p->switches.count = 0;
  p->dead = 0;
  VEC_PUSH(&p->switches, p->start);
  for (size_t level = 1; level < p->frames.count; level++)
    for (size_t i = 0; i < p->frames.data[level].list.count; i++)
      pdr_tell(p, p->frames.data[level].list.data[i], level);
  return true;
}

void pdr_tell(struct pdr *p, const struct cube *c, size_t level) {
  while (p->switches.count <= level) VEC_PUSH(&p->switches, sat_var(p->sat));
  p->clause.count = 0;
  VEC_PUSH(&p->clause, -p->switches.data[level]);
  for (size_t i = 0; i < c->count; i++)
    VEC_PUSH(&p->clause, -literal_at(p->machine, 0, c->lits[i]));
  sat_clause(p->sat, p->clause.data, p->clause.count);
}

// --- starts ---

static enum sat_answer ask_starts(struct pdr *p, const lit *assumed, size_t count) {
  enum sat_answer answer = sat_solve(p->start_sat, assumed, count);
  if (answer == SAT_STOPPED) p->stopped = true;
  return answer;
}

// Bits on which all starts agree: those of the first one that no other has otherwise.
static void find_values(struct pdr *p) {
  const struct machine *m = p->start_machine;
  if (ask_starts(p, NULL, 0) != SAT_YES) return;
  for (size_t b = 0; b < m->bits; b++)
    p->start_value[b] = sat_value(p->start_sat, machine_bit(m, 0, b)) ? 1 : -1;
  p->one_start = true;
  for (size_t b = 0; b < m->bits && !p->stopped; b++) {
    lit other = -p->start_value[b] * machine_bit(m, 0, b);
    if (!p->start_value[b] || ask_starts(p, &other, 1) == SAT_NO) continue;
    p->one_start = false;
    p->start_value[b] = 0;
    if (p->stopped) return;
    for (size_t i = b + 1; i < m->bits; i++)
      if (sat_value(p->start_sat, machine_bit(m, 0, i)) != (p->start_value[i] > 0))
        p->start_value[i] = 0;
  }
}

bool pdr_open_starts(struct pdr *p, struct text *why) {
  p->start_sat = solver_new(p);
  p->start_machine = machine_new(p->config.relation, p->start_sat, why);
  if (!p->start_machine) return false;
  sat_clause1(p->start_sat, machine_start(p->start_machine, 0));
  p->start_value = mem_zalloc(p->start_machine->bits, sizeof *p->start_value);
  return true;
}

enum sat_answer pdr_ask_starts(struct pdr *p) {
  lit bad = bad_at(p, p->start_machine, 0);
  enum sat_answer answer = ask_starts(p, &bad, 1);
  if (answer == SAT_NO) find_values(p);
  return answer;
}

// A literal of the cube that no start has; 0: none by itself.
static int32_t apart_from_starts(const struct pdr *p, const struct cube *c) {
  for (size_t i = 0; i < c->count; i++) {
    int8_t value = p->start_value[cube_bit(c->lits[i])];
    if (value && (value > 0) != (c->lits[i] > 0)) return c->lits[i];
  }
  return 0;
}

bool pdr_meets_start(struct pdr *p, const struct cube *c) {
  if (apart_from_starts(p, c)) return false;
  if (p->one_start) return true;
  p->assumed.count = 0;
  for (size_t i = 0; i < c->count; i++)
    VEC_PUSH(&p->assumed, literal_at(p->start_machine, 0, c->lits[i]));
  return ask_starts(p, p->assumed.data, p->assumed.count) != SAT_NO;
}

// --- steps ---

static enum sat_answer ask(struct pdr *p) {
  sat_limit(p->sat, p->limit);
  enum sat_answer answer = sat_solve(p->sat, p->assumed.data, p->assumed.count);
  if (answer == SAT_STOPPED) p->stopped = true;
  if (answer == SAT_LIMIT) p->limited = true;
  return answer;
}

// A step that exists, from this frame.
static void assume_step(struct pdr *p, size_t level) {
  p->assumed.count = 0;
  VEC_PUSH(&p->assumed, p->valid);
  size_t end = level == 0 ? 1 : p->switches.count;
  for (size_t i = level; i < end; i++) VEC_PUSH(&p->assumed, p->switches.data[i]);
}

enum sat_answer pdr_ask_bad(struct pdr *p, size_t level) {
  assume_step(p, level);
  VEC_PUSH(&p->assumed, p->bad);
  return ask(p);
}

enum sat_answer pdr_ask_step(struct pdr *p, size_t level, const struct cube *c) {
  assume_step(p, level);
  p->clause.count = 0;
  for (size_t i = 0; i < c->count; i++) {
    VEC_PUSH(&p->assumed, literal_at(p->machine, 1, c->lits[i]));
    VEC_PUSH(&p->clause, -literal_at(p->machine, 0, c->lits[i]));
  }
  sat_clause_once(p->sat, p->clause.data, p->clause.count);
  return ask(p);
}

// --- what answers show ---

static struct cube *cube_of_lits(const struct pdr *p) {
  return cube_new(p->lits.data, p->lits.count);
}

// What keeps the whole cube apart from all starts is added to its part.
static struct cube *part_from_starts(struct pdr *p, struct cube *part, const struct cube *whole) {
  if (!pdr_meets_start(p, part)) return part;
  int32_t apart = apart_from_starts(p, whole);
  p->lits.count = 0;
  if (apart) {
    VEC_PUSH(&p->lits, apart);
  } else if (pdr_meets_start(p, whole)) { // only when stopped: no use, but right
    for (size_t i = 0; i < whole->count; i++) VEC_PUSH(&p->lits, whole->lits[i]);
  } else {
    for (size_t i = 0; i < whole->count; i++)
      if (sat_failed(p->start_sat, literal_at(p->start_machine, 0, whole->lits[i])))
        VEC_PUSH(&p->lits, whole->lits[i]);
  }
  struct cube *more = cube_of_lits(p), *both = cube_union(part, more);
  cube_free(part);
  cube_free(more);
  return both;
}

struct cube *pdr_core(struct pdr *p, const struct cube *c) {
  p->lits.count = 0;
  for (size_t i = 0; i < c->count; i++)
    if (sat_failed(p->sat, literal_at(p->machine, 1, c->lits[i]))) VEC_PUSH(&p->lits, c->lits[i]);
  return part_from_starts(p, cube_of_lits(p), c);
}

static struct cube *state_of(struct pdr *p) {
  p->lits.count = 0;
  for (size_t b = 0; b < p->machine->bits; b++) {
    int32_t literal = (int32_t)b + 1;
    VEC_PUSH(&p->lits, sat_value(p->sat, machine_bit(p->machine, 0, b)) ? literal : -literal);
  }
  return cube_of_lits(p);
}

// Inputs of the step, and those with which the state after it is bad.
static void read_inputs(struct pdr *p) {
  p->assumed.count = 0;
  for (size_t time = 0; time < 2; time++) {
    const lit *inputs;
    size_t count = machine_inputs(p->machine, time, &inputs);
    for (size_t i = 0; i < count; i++)
      VEC_PUSH(&p->assumed, sat_value(p->sat, inputs[i]) ? inputs[i] : -inputs[i]);
  }
}

// There is a state like that (p->assumed has the inputs) whose step does not exist or leads
// elsewhere: if not, the bits that this took are what matters of the state.
static struct cube *lift(struct pdr *p, const struct cube *state, const struct cube *target) {
  p->clause.count = 0;
  VEC_PUSH(&p->clause, -p->valid);
  if (!target) VEC_PUSH(&p->clause, -p->bad);
  for (size_t i = 0; target && i < target->count; i++)
    VEC_PUSH(&p->clause, -literal_at(p->machine, 1, target->lits[i]));
  for (size_t i = 0; i < state->count; i++)
    VEC_PUSH(&p->assumed, literal_at(p->machine, 0, state->lits[i]));
  sat_clause_once(p->sat, p->clause.data, p->clause.count);
  if (ask(p) != SAT_NO) return cube_copy(state);
  p->lits.count = 0;
  for (size_t i = 0; i < state->count; i++)
    if (sat_failed(p->sat, literal_at(p->machine, 0, state->lits[i])))
      VEC_PUSH(&p->lits, state->lits[i]);
  return cube_of_lits(p);
}

struct cube *pdr_predecessor(struct pdr *p, const struct cube *target, struct cube **state) {
  struct cube *whole = state_of(p);
  read_inputs(p);
  struct cube *part = lift(p, whole, target);
  if (state)
    *state = whole;
  else
    cube_free(whole);
  return part;
}
