// SPDX-License-Identifier: Apache-2.0
// Looking ahead: a breadth-first walk with the interpreter over the first states of a model, to see
// which processes get created. It stops at the first step that the plan does not foresee. Bounds
// are counted, not timed, so that the same model always gives the same plan.
#include "front/promela/plan.h"
#include "ir/eval.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_STATES 4000
#define LOOK_GUARDS 400000

struct look {
  struct promela_plan *plan;
  const struct ir_model *m;
  struct ir_eval *eval;
  size_t words;
  VEC(uint64_t) states; // one after the other: the queue, and all that was seen
  size_t count;
  uint32_t *table; // by hash: state + 1
  size_t slots;
  size_t guards;
  bool passing; // only through states that are passed through
  bool learnt;
  struct text *why;
};

static uint64_t *state_at(struct look *k, size_t i) { return k->states.data + i * k->words; }

static void add_state(struct look *k, const uint64_t *state) {
  size_t at = hash_words(state, k->words) & (k->slots - 1);
  for (; k->table[at]; at = (at + 1) & (k->slots - 1))
    if (memcmp(state_at(k, k->table[at] - 1), state, k->words * sizeof(*state)) == 0) return;
  if (k->count == LOOK_STATES) return;
  for (size_t i = 0; i < k->words; i++) VEC_PUSH(&k->states, state[i]);
  k->table[at] = (uint32_t)++k->count;
}

// "\nplan 3 5 17 2": proctype, pid, arguments.
static void learn(struct look *k) {
  const char *p = NULL, *next = ir_eval_prints(k->eval);
  while ((next = strstr(next, PLAN_MARK))) p = next += strlen(PLAN_MARK);
  if (!p) return;
  int64_t v[PLAN_PIDS + 2];
  uint32_t n = 0;
  for (char *end; n < PLAN_PIDS + 2; p = end) {
    v[n] = strtoll(p, &end, 10);
    if (end == p) break;
    n++;
  }
  assert(n >= 2);
  if (v[1] >= PLAN_PIDS) {
    if (k->why->count == 0)
      text_printf(k->why, "the model creates more than %d processes", PLAN_PIDS);
    return;
  }
  k->learnt |= plan_add(k->plan, (uint32_t)v[1], (uint32_t)v[0], v + 2, n - 2);
}

static bool passed_through(const struct look *k, const uint64_t *state) {
  if (!k->m->transient) return false;
  return ir_leaf_get(&k->m->layout->leaf[k->m->transient->first_leaf], state) != 0;
}

static void step(struct look *k, const struct ir_rule *r, const uint64_t *from, uint64_t *scratch) {
  k->guards++;
  if (ir_eval_guard(k->eval, r, NULL, NULL, from) != IR_OK) return;
  memcpy(scratch, from, k->words * sizeof(*from));
  enum ir_outcome o = ir_eval_body(k->eval, r, NULL, NULL, scratch);
  if (o == IR_OK && (!k->passing || passed_through(k, scratch))) add_state(k, scratch);
  if (o == IR_FAILED && k->m->sites.data[ir_eval_site(k->eval)].fault == IR_FAULT_PLAN) learn(k);
}

static void explore(struct look *k) {
  uint64_t *from = mem_alloc(k->words * sizeof(*from)), *to = mem_alloc(k->words * sizeof(*to));
  for (size_t i = 0; i < k->count && !k->learnt && k->guards < LOOK_GUARDS; i++) {
    memcpy(from, state_at(k, i), k->words * sizeof(*from));
    for (size_t r = 0; r < k->m->rules.count && !k->learnt; r++)
      step(k, k->m->rules.data[r], from, to);
  }
  mem_free(from);
  mem_free(to);
}

static void add_starts(struct look *k) {
  uint64_t *state = mem_zalloc(k->words + 1, sizeof(*state));
  for (size_t i = 0; i < k->m->starts.count; i++)
    if (ir_eval_body(k->eval, k->m->starts.data[i], NULL, NULL, state) == IR_OK)
      add_state(k, state);
  mem_free(state);
}

bool plan_look(struct promela_plan *p, const struct ir_model *m, const uint64_t *from,
               struct text *why) {
  struct look k = {.plan = p, .m = m, .eval = ir_eval_new(m), .passing = from != NULL, .why = why};
  k.words = m->layout->words;
  k.slots = LOOK_STATES * 4;
  while (k.slots & (k.slots - 1)) k.slots++;
  k.table = mem_zalloc(k.slots, sizeof(*k.table));
  ir_eval_collect_prints(k.eval, true);
  if (from)
    add_state(&k, from);
  else
    add_starts(&k);
  explore(&k);
  ir_eval_free(k.eval);
  mem_free(k.table);
  VEC_CLEAR(&k.states);
  return k.learnt;
}
