// SPDX-License-Identifier: Apache-2.0
// The way to an error as a trace. Back from a state through the ancestors of its disjunct, some
// steps at a time: one question to the solver for each stretch. At the start the interpreter goes
// through it once more, and has the last word.
#include "hybrid/hmc.h"
#include "hybrid/path.h"
#include "ir/eval.h"
#include "relation/cone.h"

#include <string.h>

typedef VEC(struct disjunct *) sets;

struct way {
  struct hmc *h;
  VEC(struct path_step) back; // from the error to the start
  // Where it has come back to: a state in this control state, with these values of leaves that
  // matter there (NULL: any). It is in one of the sets, which are all of one depth, or (at first)
  // in the image of their parents.
  sets in;
  uint32_t control;
  int64_t *leaves;
};

static void way_clear(struct way *w) {
  for (size_t i = 0; i < w->back.count; i++) mem_free(w->back.data[i].choices);
  VEC_CLEAR(&w->back);
  VEC_CLEAR(&w->in);
  mem_free(w->leaves);
}

// --- ancestors ---

static void add_once(sets *s, struct disjunct *d) {
  for (size_t i = 0; i < s->count; i++)
    if (s->data[i] == d) return;
  VEC_PUSH(s, d);
}

static void parents_of(const sets *of, sets *out) {
  for (size_t i = 0; i < of->count; i++)
    for (uint32_t k = 0; k < of->data[i]->parent_count; k++) add_once(out, of->data[i]->parents[k]);
}

// So many generations back; none where there are no more: at the starts.
static void ancestors(const struct way *w, uint64_t generations, sets *out) {
  sets now = {0}, next = {0};
  parents_of(&w->in, out);
  for (uint64_t i = 1; i < generations; i++) {
    now = *out;
    next = (sets){0};
    parents_of(&now, &next);
    *out = next;
    VEC_CLEAR(&now);
  }
}

struct plains {
  VEC(struct plain) each;
  struct plain all; // their sets
};

static void plains_clear(struct plains *p) {
  for (size_t i = 0; i < p->each.count; i++) plain_clear(&p->each.data[i]);
  VEC_CLEAR(&p->each);
  VEC_CLEAR(&p->all.sets);
}

static bool plains_init(struct plains *p, struct hmc *h, const sets *of) {
  *p = (struct plains){0};
  for (size_t i = 0; i < of->count; i++) {
    struct plain one = {0};
    if (!states_plain(h->states, of->data[i], &one)) return false;
    VEC_PUSH(&p->each, one);
    for (size_t k = 0; k < one.sets.count; k++) VEC_PUSH(&p->all.sets, one.sets.data[k]);
  }
  return true;
}

// --- a stretch ---

static void take_over(struct way *w, struct path_run *run) {
  while (run->steps.count) VEC_PUSH(&w->back, VEC_POP(&run->steps)); // with their choices
  mem_free(w->leaves);
  w->leaves = run->first;
  run->first = NULL;
  w->control = run->control;
  path_run_clear(run);
}

// So many steps from these sets (none: from the entry).
static bool stretch_from(struct way *w, const sets *from, uint64_t steps, double seconds) {
  struct plains plains;
  struct path_run run;
  struct back b = {.steps = steps, .to = w->control, .leaves = w->leaves, .seconds = seconds};
  bool good = plains_init(&plains, w->h, from);
  if (from->count) b.from = &plains.all;
  good = good && back_ask(w->h, &b, &run);
  plains_clear(&plains);
  if (good) take_over(w, &run);
  return good;
}

#define STRETCH         12 // steps, at most
#define STRETCH_SECONDS 2  // then shorter ones are tried

// One stretch back; false: there is none of this many steps.
static bool stretch(struct way *w, uint64_t steps) {
  uint64_t depth = w->in.data[0]->depth;
  sets from = {0};
  if (steps < depth) ancestors(w, steps, &from);
  double seconds = steps > 1 ? STRETCH_SECONDS : 0;
  bool good = stretch_from(w, &from, steps < depth ? steps : depth + 1, seconds);
  if (good) {
    VEC_CLEAR(&w->in);
    w->in = from;
  } else {
    VEC_CLEAR(&from);
  }
  return good;
}

// Back to a start. False: the way is lost.
static bool go_back(struct way *w) {
  while (w->in.count > 0) {
    uint64_t steps = STRETCH;
    while (!stretch(w, steps)) {
      if (steps == 1 || w->h->ended) return false;
      steps /= 2;
    }
  }
  return true;
}

// --- as a trace ---

// Choices that the slice does not speak of get values with which the step exists.
static void complete(struct hmc *h, const struct relation_rule *r, bool start, int64_t *choices) {
  if (h->slice == h->relation) return;
  const struct ir_layout *l = h->model->layout;
  for (uint64_t i = 0; !start && i < l->count; i++)
    h->leaves[i] = ir_leaf_get(&l->leaf[i], h->state);
  const struct relation_rule *own =
      start ? &h->slice->starts.data[r->instance] : &h->slice->rules.data[r->instance];
  relation_complete(h->relation, h->slice, own, start ? NULL : h->leaves, choices);
}

static enum ir_outcome begin(struct hmc *h, const struct path_step *s, struct trace *t) {
  const struct relation_rule *rule = h->efsm->edges.data[s->edge].rule;
  const struct ir_rule *r = ir_instance(h->model, true, rule->instance, h->params);
  complete(h, rule, true, s->choices);
  t->start_instance = rule->instance;
  t->start_choice = trace_keep_choices(t, r, s->choices);
  return ir_eval_body(h->eval, r, h->params, s->choices, h->state);
}

static enum ir_outcome go(struct hmc *h, const struct path_step *s, struct trace *t) {
  const struct relation_rule *rule = h->efsm->edges.data[s->edge].rule;
  if (!rule) return IR_OK; // the state itself is looked at
  const struct ir_rule *r = ir_instance(h->model, false, rule->instance, h->params);
  complete(h, rule, false, s->choices);
  struct trace_step step = {rule->instance, trace_keep_choices(t, r, s->choices)};
  VEC_PUSH(&t->steps, step);
  enum ir_outcome o = ir_eval_guard(h->eval, r, h->params, s->choices, h->state);
  if (o == IR_OK) o = ir_eval_body(h->eval, r, h->params, s->choices, h->state);
  return o;
}

// The first property whose evaluation fails at the site, in the last state.
static void blame_property(struct hmc *h, struct trace *t) {
  const struct ir_model *m = h->model;
  t->in_property = true;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    bool value;
    if (!h->property_on[i]) continue;
    if (ir_eval_bool(h->eval, &p->frame, p->expr, h->state, &value) != IR_FAILED) continue;
    if (ir_eval_site(h->eval) != t->id) continue;
    t->property = (uint32_t)i;
    h->judge.property_faulty[i] = 1;
    return;
  }
  assert(!"the interpreter has the last word");
}

static void end(struct hmc *h, uint32_t control, enum ir_outcome o, struct trace *t) {
  const struct efsm_state *s = &h->efsm->states.data[control];
  t->end = s->error == EFSM_INVARIANT ? TRACE_PROPERTY : TRACE_SITE;
  t->id = s->id;
  assert((o == IR_FAILED || o == IR_OK) && "the interpreter has the last word");
  if (o == IR_FAILED)
    t->id = ir_eval_site(h->eval);
  else if (t->end == TRACE_SITE)
    blame_property(h, t);
  if (o == IR_FAILED) h->judge.faults = true;
}

static void tell(struct hmc *h, struct trace *t) {
  struct stats *stats = &h->judge.result->stats;
  if (t->steps.count > stats->depth) stats->depth = t->steps.count;
  if (judge_wants(&h->judge, t->end, t->id)) {
    judge_claim(&h->judge, t->end, t->id);
    VEC_PUSH(&h->judge.result->traces, *t);
    *t = (struct trace){0};
  }
  trace_clear(t);
}

// The whole way, forward, and then the steps ahead.
static void write_down(struct way *w, const struct path_run *ahead, uint32_t control) {
  struct hmc *h = w->h;
  struct trace t = {0};
  enum ir_outcome o = IR_OK;
  size_t count = w->back.count, more = ahead ? ahead->steps.count : 0;
  for (size_t i = 0; i < count + more; i++) {
    const struct path_step *s =
        i < count ? &w->back.data[count - 1 - i] : &ahead->steps.data[i - count];
    assert(o == IR_OK && "the interpreter has the last word");
    o = i == 0 ? begin(h, s, &t) : go(h, s, &t);
  }
  end(h, control, o, &t);
  tell(h, &t);
}

// It was told, or cannot be: nobody looks for it again.
static void finish(struct hmc *h, uint32_t control, bool found) {
  h->found[control] = 1;
  h->tracing = false;
  priority_distances(h);
  if (found || hmc_over(h)) return;
  h->judge.stop = "no trace";
  text_printf(&h->note, "an error can be reached (%s), but the solver did not find the way",
              h->efsm->states.data[control].name);
}

void witness_image(struct hmc *h, struct disjunct *d, uint32_t control) {
  struct way w = {.h = h, .control = control};
  h->tracing = true;
  VEC_PUSH(&w.in, d);
  bool found = go_back(&w);
  if (found) write_down(&w, NULL, control);
  way_clear(&w);
  finish(h, control, found);
}

void witness_run(struct hmc *h, struct disjunct *from, const struct path_run *run,
                 uint32_t control) {
  struct way w = {.h = h, .control = run->control};
  bool found = true;
  h->tracing = true;
  if (from) {
    size_t bytes = h->efsm->leaves * sizeof *w.leaves;
    w.leaves = mem_alloc(bytes + 1);
    memcpy(w.leaves, run->first, bytes);
    VEC_PUSH(&w.in, from);
    found = go_back(&w);
  }
  if (found) write_down(&w, run, control);
  way_clear(&w);
  finish(h, control, found);
}
