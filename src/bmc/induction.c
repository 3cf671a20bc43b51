// SPDX-License-Identifier: Apache-2.0
// k-induction with simple-path constraints made when needed (Een, Sorensson: Temporal induction by
// incremental SAT solving). One solver for all k: the states before the last are not bad for good,
// the last is bad by assumption. Conflicts per question are limited, so that a hard k keeps nobody
// waiting: what was learnt is still there when it is asked again.
#include "bmc/induction.h"

#include <string.h>

#ifdef FATHOM_SMALL
enum { CONFLICTS_FIRST = 5, CONFLICTS_MOST = 50000 };
#else
enum { CONFLICTS_FIRST = 2000, CONFLICTS_MOST = 50000 };
#endif

struct induction {
  struct prove_config config;
  struct sat *sat;
  struct machine *machine;
  struct induction_proof proof;
  lit bad; // at time k
  uint32_t limit;
};

struct induction *induction_new(const struct prove_config *c, struct text *why) {
  struct induction *x = mem_zalloc(1, sizeof *x);
  x->config = *c;
  x->limit = CONFLICTS_FIRST;
  x->sat = sat_new(&(struct sat_config){.goes_on = c->goes_on, .context = c->context});
  x->machine = machine_new(c->relation, x->sat, why);
  if (!x->machine) {
    induction_free(x);
    return NULL;
  }
  x->bad = c->goal.bad(x->machine, 0, c->goal.context);
  return x;
}

void induction_free(struct induction *x) {
  if (!x) return;
  if (x->machine) machine_free(x->machine);
  sat_free(x->sat);
  VEC_CLEAR(&x->proof.apart);
  mem_free(x);
}

const struct induction_proof *induction_proof(const struct induction *x) { return &x->proof; }
uint64_t induction_work(const struct induction *x) { return sat_work(x->sat); }
const struct sat *induction_sat(const struct induction *x) { return x->sat; }

// --- simple paths ---

static void read_states(const struct induction *x, uint64_t *states, size_t words) {
  for (size_t t = 0; t < x->machine->times; t++)
    for (size_t b = 0; b < x->machine->bits; b++)
      if (sat_value(x->sat, machine_bit(x->machine, t, b)))
        states[t * words + b / 64] |= UINT64_C(1) << b % 64;
}

// Tells the states that the path repeats to differ; false: there are none.
static bool part_repeated(struct induction *x) {
  size_t words = x->machine->bits / 64 + 1, times = x->machine->times;
  size_t before = x->proof.apart.count;
  uint64_t *states = mem_zalloc(times * words, sizeof *states);
  read_states(x, states, words);
  for (size_t b = 1; b < times; b++)
    for (size_t a = 0; a < b; a++)
      if (!memcmp(states + a * words, states + b * words, words * sizeof *states))
        VEC_PUSH(&x->proof.apart, ((struct induction_pair){a, b}));
  mem_free(states);
  for (size_t i = before; i < x->proof.apart.count; i++) {
    struct induction_pair pair = x->proof.apart.data[i];
    sat_clause1(x->sat, -machine_same(x->machine, pair.a, pair.b));
  }
  return x->proof.apart.count > before;
}

// --- one k after the other ---

static void next_k(struct induction *x) {
  sat_clause1(x->sat, -x->bad);
  machine_extend(x->machine);
  x->proof.k++;
  x->bad = x->config.goal.bad(x->machine, x->proof.k, x->config.goal.context);
}

enum prove_answer induction_step(struct induction *x) {
  for (;;) {
    sat_limit(x->sat, x->limit);
    switch (sat_solve(x->sat, &x->bad, 1)) {
    case SAT_NO: return PROVE_HOLDS;
    case SAT_STOPPED: return PROVE_STOPPED;
    case SAT_LIMIT:
      if (x->limit < CONFLICTS_MOST) x->limit += x->limit / 2;
      return PROVE_OPEN;
    case SAT_YES:
      if (part_repeated(x)) continue;
      next_k(x);
      return PROVE_OPEN;
    }
  }
}
