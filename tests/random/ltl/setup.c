// SPDX-License-Identifier: Apache-2.0
// What a trial is about: the model of a seed, its atoms, its formula or automaton.
#include "random/generate.h"
#include "random/ltl/formula.h"
#include "random/ltl/processes.h"
#include "random/ltl/reference.h"
#include "random/ltl/trial.h"

#include <string.h>

#define TEMPORAL_MAX 4 // operators in a formula

// Every fourth model has rules of any kind, the others are processes.
static struct ir_model *plain_model(uint64_t seed, const bool *cut, uint32_t *rules) {
  if (seed % 4 != 0) return processes_model(seed, cut, rules);
  struct generate_size size;
  struct generate_cut some = {.rules = cut, .rule_count = UINT32_MAX};
  struct ir_model *m = generate_model(2 * seed, cut ? &some : NULL, &size);
  m->atoms.count = 0;
  *rules = size.rules;
  return m;
}

struct ir_model *trial_model(uint64_t seed, const bool *cut, uint32_t *rules) {
  struct ir_model *m = plain_model(seed, cut, rules);
  struct diag d = {0};
  struct rng r;
  rng_init(&r, seed ^ UINT64_C(0x5eed));
  bool good = ir_model_finish(m, &d);
  diag_clear(&d);
  if (good && m->leaves > 0) {
    formula_atoms(m, &r, TRIAL_ATOMS);
    return m;
  }
  ir_model_free(m);
  return NULL;
}

static void make_formula(struct trial *t, struct rng *r) {
  bool next = rng_below(r, 4) == 0, on_edges = rng_below(r, 3) == 0;
  t->formula = formula_random(t->factory, r, TRIAL_ATOMS, TEMPORAL_MAX, next);
  const struct ltl *negated = ltl_make(t->factory, LTL_NOT, t->formula, NULL);
  struct ir_automaton *a = ltl_automaton(t->factory, negated, on_edges, t->m->arena);
  a->stutters = !ltl_uses_next(t->formula);
  t->automaton = a;
}

void trial_property(struct trial *t) {
  struct rng r;
  rng_init(&r, t->seed * 1000003 + t->number);
  struct ir_property *p = ir_property_new(t->m, IR_PROP_LTL, "cyclic", (struct span){0});
  struct text text = {0};
  t->property = p->id;
  t->formula = NULL;
  if (rng_below(&r, 4) > 0) {
    make_formula(t, &r);
    ltl_print(&text, t->formula, formula_names(t->m));
  } else {
    t->automaton = formula_automaton(t->m->arena, &r, TRIAL_ATOMS);
    p->kind = t->automaton->accept_atom >= 0 ? IR_PROP_ACCEPTANCE : IR_PROP_NEVER;
  }
  p->text = arena_printf(t->m->arena, "%s", text_str(&text));
  p->automaton = t->automaton;
  text_clear(&text);
}

bool trial_wrong(struct trial *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(&t->why, format, args);
  va_end(args);
  return false;
}
