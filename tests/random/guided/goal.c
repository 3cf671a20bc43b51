// SPDX-License-Identifier: Apache-2.0
// Models of a hunt, and what it looks for: an invariant that says what holds in a state far from
// the start, or nowhere; deadlocks; nothing but errors of steps.
#include "random/generate.h"
#include "random/guided/hunt.h"
#include "random/guided/smv_model.h"
#include "random/ltl/formula.h"
#include "random/ltl/graph.h"
#include "random/ltl/trial.h"
#include "random/symbolic/states.h"

#define ATOMS   8
#define NOWHERE ((struct span){0})

bool hunt_wrong(struct hunt *h, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(&h->why, format, args);
  va_end(args);
  return false;
}

static struct ir_model *wild_model(uint64_t seed, const bool *cut, uint32_t *parts) {
  struct generate_size size;
  struct generate_cut some = {.rules = cut, .rule_count = UINT32_MAX};
  struct ir_model *m = generate_model(2 * seed + 1, cut ? &some : NULL, &size);
  struct diag d = {0};
  bool good = ir_model_finish(m, &d);
  diag_clear(&d);
  *parts = size.rules;
  if (good) return m;
  ir_model_free(m);
  return NULL;
}

// Half of them are SMV's.
static struct ir_model *any_model(uint64_t seed, const bool *cut, uint32_t *parts) {
  if (seed % 2 == 0) return smv_model(seed, cut, parts);
  return (seed % 8 == 1 ? wild_model : trial_model)(seed, cut, parts);
}

struct ir_model *hunt_model(uint64_t seed, const bool *cut, uint32_t *parts) {
  struct rng r;
  struct ir_model *m = any_model(seed, cut, parts);
  if (m && m->leaves == 0) {
    ir_model_free(m);
    return NULL;
  }
  rng_init(&r, seed);
  if (m) m->atoms.count = 0;
  if (m) formula_atoms(m, &r, ATOMS);
  return m;
}

// --- goals ---

static struct ir_expr *both(struct ir_model *m, struct ir_expr *a, struct ir_expr *b) {
  return a ? ir_binary(m, IR_AND, a, b, NOWHERE) : b;
}

// What some of the atoms say: bit k of `values` is what atom k is.
static struct ir_expr *signature(struct ir_model *m, uint64_t which, uint64_t values) {
  struct ir_expr *e = NULL;
  for (uint32_t k = 0; k < ATOMS; k++) {
    if (!(which >> k & 1)) continue;
    struct ir_expr *atom = m->atoms.data[k]->expr;
    e = both(m, e, values >> k & 1 ? atom : ir_unary(m, IR_NOT, atom, NOWHERE));
  }
  return e;
}

static struct ir_expr *is_state(struct ir_model *m, const struct graph *g, uint32_t state) {
  struct states one = {.count = 1, .words = g->words, .packed = g->packed + state * g->words};
  const states_set all = {true};
  return states_condition(&one, m, all);
}

// Late states are far from the start.
static uint32_t far_state(struct hunt *h, const struct graph *g) {
  uint64_t from_end = rng_below(&h->rng, rng_below(&h->rng, g->count) + 1);
  return g->count - 1 - (uint32_t)from_end;
}

// Some of what holds in a far state, or in none.
static struct ir_expr *condition(struct hunt *h) {
  uint64_t all = (1 << ATOMS) - 1, which = 1 + rng_below(&h->rng, all);
  if (!h->graph || rng_below(&h->rng, 5) == 0)
    return signature(h->m, which, rng_below(&h->rng, all + 1));
  uint32_t state = far_state(h, h->graph);
  if (rng_below(&h->rng, 3) == 0) return is_state(h->m, h->graph, state);
  return signature(h->m, rng_below(&h->rng, 3) ? all : which, h->graph->atoms[state]);
}

void hunt_goal(struct hunt *h) {
  static const int deadlocks[] = {IR_DEADLOCK_OFF, IR_DEADLOCK_STUCK, IR_DEADLOCK_STUTTERING};
  rng_init(&h->rng, h->seed * 1000003 + h->number);
  h->property = -1;
  h->deadlock = IR_DEADLOCK_OFF;
  if ((h->seed / 2 + h->number) % 4 == 3) {
    h->deadlock = deadlocks[rng_below(&h->rng, 3)];
    return;
  }
  struct ir_property *p = ir_property_new(h->m, IR_PROP_INVARIANT, "goal", NOWHERE);
  p->expr = ir_unary(h->m, IR_NOT, condition(h), NOWHERE);
  h->property = p->id;
}
