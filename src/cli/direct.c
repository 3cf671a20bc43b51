// SPDX-License-Identifier: Apache-2.0
// Cycles without progress, searched directly (Fig. 5 of the paper, search/progress.c): by an
// automaton of one state, that tells progress from none. What it finds is told as the property's
// own automaton (Fig. 6) sees it, so that it is replayed, shortened and shown as all cycles are.
#include "cli/check.h"

#include "ir/ir.h"
#include "search/search.h"
#include "sys/sys.h"

#include <string.h>

void check_direct_init(struct check_direct *d, const struct ir_automaton *two) {
  d->edge = (struct ir_automaton_edge){.to = 0};
  d->state = (struct ir_automaton_state){.accepting = true, .edges = &d->edge, .edge_count = 1};
  uint64_t none = two->states[1].edges[0].yes; // the atom: no progress
  d->automaton = (struct ir_automaton){
      .states = &d->state, .count = 1, .accept_atom = __builtin_ctzll(none), .stuck_ends = true};
}

// --- the same run of another system ---

struct walk {
  struct sys *from, *to;
  uint64_t *at_from, *at_to; // states; NULL: before the start
  struct sys_out out_from, out_to;
};

static void walk_init(struct walk *w, struct sys *from, struct sys *to) {
  *w = (struct walk){.from = from, .to = to};
  size_t properties = from->model->properties.count;
  sys_out_init(&w->out_from, from->words, properties);
  sys_out_init(&w->out_to, to->words, properties);
}

static void walk_clear(struct walk *w) {
  sys_out_clear(&w->out_from);
  sys_out_clear(&w->out_to);
  mem_free(w->at_from);
  mem_free(w->at_to);
}

static void expand(struct sys *s, const uint64_t *at, struct sys_out *out) {
  sys_out_reset(out);
  if (at != NULL)
    s->expand(s, at, out);
  else
    s->starts(s, out);
}

static void go(uint64_t **at, const struct sys_out *out, size_t i) {
  size_t bytes = out->words_per_state * sizeof **at;
  if (*at == NULL) *at = mem_alloc(bytes);
  memcpy(*at, out->words + i * out->words_per_state, bytes);
}

static size_t find_step(const struct sys_out *o, const struct trace_step *step) {
  for (size_t i = 0; i < o->count; i++) {
    const struct sys_step *s = &o->steps[i];
    if (s->instance == step->instance && s->choice == step->choice && s->site == 0) return i;
  }
  return o->count;
}

// The step to the same state of the model, after which the automaton stands there.
static size_t find_state(const struct walk *w, uint32_t claim) {
  const struct sys_out *o = &w->out_to;
  for (size_t i = 0; i < o->count; i++) {
    const uint64_t *state = o->words + i * o->words_per_state;
    if (o->steps[i].site == 0 && w->to->claim(w->to, state) == claim &&
        memcmp(state, w->at_from, w->from->model->layout->bytes) == 0)
      return i;
  }
  return o->count;
}

// One step of both; it becomes the other one's. False: there is none.
static bool walk_step(struct walk *w, struct trace_step *step, uint32_t claim) {
  expand(w->from, w->at_from, &w->out_from);
  expand(w->to, w->at_to, &w->out_to);
  size_t i = find_step(&w->out_from, step);
  if (i == w->out_from.count) return false;
  go(&w->at_from, &w->out_from, i);
  size_t k = find_state(w, claim);
  if (k == w->out_to.count) return false;
  go(&w->at_to, &w->out_to, k);
  *step = (struct trace_step){w->out_to.steps[k].instance, w->out_to.steps[k].choice};
  return true;
}

// The automaton leaves its first state in the first state of the cycle, so that the cycle it goes
// round begins with the next one.
static void enter_later(struct trace *t) {
  struct trace_step again = t->steps.data[t->loop_start];
  VEC_PUSH(&t->steps, again);
  t->loop_start++;
  t->claims.count = 0;
  for (size_t i = 0; i <= t->steps.count; i++) VEC_PUSH(&t->claims, i >= t->loop_start);
}

static bool translate(struct trace *t, struct sys *from, struct sys *to) {
  struct walk w;
  struct trace_step start = {t->start_instance, t->start_choice};
  walk_init(&w, from, to);
  bool good = walk_step(&w, &start, t->claims.data[0]);
  t->start_instance = start.instance;
  t->start_choice = start.choice;
  for (size_t i = 0; good && i < t->steps.count; i++)
    good = walk_step(&w, &t->steps.data[i], t->claims.data[i + 1]);
  walk_clear(&w);
  return good;
}

void check_direct_tell(struct result *part, const struct search_config *direct,
                       struct sys *product) {
  for (size_t k = 0; k < part->traces.count; k++) {
    struct trace *t = &part->traces.data[k];
    if (t->end != TRACE_PROPERTY || t->id != direct->cycle_property) continue;
    enter_later(t);
    // One that cannot be told so does not replay, and that is said as our mistake.
    if (!translate(t, direct->sys, product)) t->claims.count = 0;
  }
}
