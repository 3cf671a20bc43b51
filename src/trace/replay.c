// SPDX-License-Identifier: Apache-2.0
// Replays a trace through the interpreter, step by step, and checks that it ends as it says. It
// trusts nothing in the trace: instances and choices may come from a file.
#include "trace/player.h"

#include "sys/sys.h"

#include <string.h>

bool player_refuse(struct player *p, const char *format, ...) {
  struct text t = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  mem_free(p->out->problem);
  p->out->problem = mem_strdup(text_str(&t));
  text_clear(&t);
  return false;
}

void player_explain(struct player *p, struct text *t) {
  mem_free(p->out->explanation);
  p->out->explanation = mem_strdup(text_str(t));
  text_clear(t);
}

// --- one step ---

void player_describe_fault(struct player *p, struct text *t) {
  const struct ir_site *site = &p->model->sites.data[ir_eval_site(p->eval)];
  const char *detail = ir_eval_detail(p->eval);
  text_add(t, ir_fault_name(site->fault));
  if (site->message && *site->message) text_printf(t, ": %s", site->message);
  if (detail && *detail) text_printf(t, " (%s)", detail);
}

// A step failed: is that how the trace ends?
static bool accept_fault(struct player *p, size_t step) {
  const struct trace *t = p->trace;
  uint32_t site = ir_eval_site(p->eval);
  struct text sentence = {0};
  player_describe_fault(p, &sentence);
  bool expected =
      t->end == TRACE_SITE && !t->in_property && step == t->steps.count && site == t->id;
  if (!expected) {
    player_refuse(p, "step %zu fails: %s", step, text_str(&sentence));
    text_clear(&sentence);
    return false;
  }
  p->faulted = true;
  player_explain(p, &sentence);
  return true;
}

// Assumptions must hold after each step; to fail while one is evaluated is a fault of the step.
static bool assumptions(struct player *p, size_t step, const uint64_t *state) {
  for (size_t i = 0; i < p->model->properties.count; i++) {
    const struct ir_property *a = p->model->properties.data[i];
    if (a->kind != IR_PROP_ASSUME) continue;
    bool value = false;
    if (ir_eval_bool(p->eval, &a->frame, a->expr, state, &value) == IR_FAILED)
      return accept_fault(p, step);
    if (!value)
      return player_refuse(p, "after step %zu assumption \"%s\" does not hold", step, a->name);
  }
  return true;
}

// The values of a step's choices go into p->choices.
static bool take_choices(struct player *p, size_t step, const struct ir_rule *r, uint32_t choice) {
  size_t named = p->trace->values.count;
  if (r->choices > 0 && choice >= r->choices)
    return player_refuse(p, "step %zu names choice %u of %u", step, choice, r->choices);
  if (r->choices == 0 && (choice > named || named - choice < r->choice_count))
    return player_refuse(p, "step %zu does not tell the values of its choices", step);
  trace_choices(p->trace, r, choice, p->choices);
  for (uint32_t i = 0; i < r->choice_count; i++) {
    const struct ir_local *l = r->frame.locals[r->param_count + i];
    if (ir_domain_has(l->domain, p->choices[i])) continue;
    return player_refuse(p, "step %zu: %s cannot be %lld", step, l->name, (long long)p->choices[i]);
  }
  return true;
}

static const struct ir_rule *rule_of(struct player *p, size_t step, struct trace_step s) {
  bool start = step == 0;
  uint32_t instances = start ? p->model->start_instances : p->model->rule_instances;
  if (s.instance >= instances) {
    player_refuse(p, "step %zu names rule instance %u of %u", step, s.instance, instances);
    return NULL;
  }
  const struct ir_rule *r = ir_instance(p->model, start, s.instance, p->params);
  return take_choices(p, step, r, s.choice) ? r : NULL;
}

static void keep_prints(struct player *p, size_t step) {
  const char *prints = ir_eval_prints(p->eval);
  if (prints && *prints) p->out->states[step].prints = mem_strdup(prints);
}

// Nothing moves: only an automaton's run goes on like that, and only where nothing can move.
static bool play_stutter(struct player *p, size_t step) {
  p->out->count = step + 1;
  if (!player_stutters(p))
    return player_refuse(p, "in step %zu nothing moves, and no automaton goes on", step);
  return player_stuck(p, p->out->states[step].words) ||
         player_refuse(p, "in step %zu nothing moves, but something can", step);
}

// Plays step number `step` (0: the start) on out->states[step], which holds the state before it.
static bool play_step(struct player *p, size_t step, struct trace_step s) {
  uint64_t *state = p->out->states[step].words;
  if (step > 0 && s.instance == SYS_STUTTER) return play_stutter(p, step);
  const struct ir_rule *r = rule_of(p, step, s);
  if (!r) return false;
  p->out->count = step + 1;
  // starts have no guard
  enum ir_outcome outcome = step ? ir_eval_guard(p->eval, r, p->params, p->choices, state) : IR_OK;
  if (outcome == IR_OK) {
    outcome = ir_eval_body(p->eval, r, p->params, p->choices, state);
    keep_prints(p, step);
  } else if (outcome == IR_DISABLED) {
    return player_refuse(p, "step %zu: the guard of \"%s\" is false", step, r->name);
  }
  if (outcome == IR_FAILED) return accept_fault(p, step);
  if (outcome != IR_OK)
    return player_refuse(p, "step %zu: \"%s\" breaks an assumption", step, r->name);
  return assumptions(p, step, state);
}

static bool play_steps(struct player *p) {
  const struct trace *t = p->trace;
  if (!play_step(p, 0, (struct trace_step){t->start_instance, t->start_choice})) return false;
  for (size_t i = 0; i < t->steps.count; i++) {
    memcpy(p->out->states[i + 1].words, p->out->states[i].words, p->words * sizeof(uint64_t));
    if (!play_step(p, i + 1, t->steps.data[i])) return false;
  }
  return true;
}

// --- the end ---

static bool end_property(struct player *p) {
  if (p->trace->id >= p->model->properties.count)
    return player_refuse(p, "the trace names property %u, which there is not", p->trace->id);
  const struct ir_property *q = p->model->properties.data[p->trace->id];
  if (ir_prop_cyclic(q->kind)) return player_end_cyclic(p, q);
  if (q->kind == IR_PROP_CTL) return player_end_ctl(p, q);
  if (q->kind != IR_PROP_INVARIANT)
    return player_refuse(p, "property \"%s\" is no invariant: one state cannot violate it",
                         q->name);
  bool value = true;
  if (ir_eval_bool(p->eval, &q->frame, q->expr, player_last(p), &value) == IR_FAILED)
    return player_refuse(p, "evaluating \"%s\" on the last state fails", q->name);
  if (value) return player_refuse(p, "\"%s\" holds in the last state", q->name);
  struct text t = {0};
  ir_explain(&t, p->eval, &q->frame, q->expr, player_last(p));
  player_explain(p, &t);
  return true;
}

// The fault arose while a property (invariant or cover) was evaluated on the last state.
static bool end_fault_in_property(struct player *p) {
  if (p->trace->property >= p->model->properties.count)
    return player_refuse(p, "the trace names property %u, which there is not", p->trace->property);
  const struct ir_property *q = p->model->properties.data[p->trace->property];
  if (ir_prop_cyclic(q->kind)) return player_end_atom(p, q);
  if (q->kind == IR_PROP_CTL) return player_end_ctl_fault(p, q);
  bool value;
  if (!q->expr || ir_eval_bool(p->eval, &q->frame, q->expr, player_last(p), &value) != IR_FAILED)
    return player_refuse(p, "evaluating \"%s\" on the last state does not fail", q->name);
  if (ir_eval_site(p->eval) != p->trace->id)
    return player_refuse(p, "evaluating \"%s\" on the last state fails elsewhere", q->name);
  struct text t = {0};
  text_printf(&t, "while \"%s\" was evaluated: ", q->name);
  player_describe_fault(p, &t);
  player_explain(p, &t);
  return true;
}

static bool end_site(struct player *p) {
  if (p->trace->in_property) return end_fault_in_property(p);
  if (!p->faulted) return player_refuse(p, "the last step does not fail");
  return true;
}

struct census {
  uint64_t disabled, stuttering, moving, failing; // rule instances
};

// Tries an instance with p->choices; *keep: how many choices, from the first on, must differ for
// another outcome. What it leads to is in p->scratch.
static enum ir_outcome try_choice(struct player *p, const struct ir_rule *r, const uint64_t *state,
                                  uint32_t *keep) {
  *keep = r->choice_count;
  memcpy(p->scratch, state, p->words * sizeof *state);
  enum ir_outcome o = ir_eval_guard(p->eval, r, p->params, p->choices, state);
  if (o == IR_DISABLED && !r->guard_chooses) *keep = 0;
  if (o != IR_OK) return o;
  o = ir_eval_body(p->eval, r, p->params, p->choices, p->scratch);
  if (o == IR_DROPPED) *keep = ir_eval_prunes(p->eval);
  return o;
}

// Choices that are not numbered may be too many to be tried: then what was found so far must do.
enum { TRIES_MAX = 1 << 20 };

// What an instance does in a state, over all its choices.
static void count_instance(struct player *p, uint32_t instance, const uint64_t *state,
                           struct census *c) {
  bool stutters = false, moves = false, fails = false;
  const struct ir_rule *r = ir_instance(p->model, false, instance, p->params);
  uint32_t keep, tries = 0;
  ir_choice_first(r, p->choices);
  do {
    enum ir_outcome o = try_choice(p, r, state, &keep);
    bool same = memcmp(p->scratch, state, p->words * sizeof *state) == 0;
    fails |= o == IR_FAILED;
    stutters |= o == IR_OK && same;
    moves |= o == IR_OK && !same;
    if (r->choices == 0 && ++tries == TRIES_MAX) break;
  } while (ir_choice_next(r, keep, p->choices, NULL));
  if (fails)
    c->failing++;
  else if (moves)
    c->moving++;
  else if (stutters)
    c->stuttering++;
  else
    c->disabled++;
}

// What a step leads to is no state if a global assumption does not hold there.
static bool exists(struct player *p, const uint64_t *state) {
  for (size_t i = 0; i < p->model->properties.count; i++) {
    const struct ir_property *a = p->model->properties.data[i];
    bool value = false;
    if (a->kind != IR_PROP_ASSUME) continue;
    if (ir_eval_bool(p->eval, &a->frame, a->expr, state, &value) == IR_OK && !value) return false;
  }
  return true;
}

static bool instance_stuck(struct player *p, uint32_t instance, const uint64_t *state) {
  const struct ir_rule *r = ir_instance(p->model, false, instance, p->params);
  uint32_t keep, tries = 0;
  ir_choice_first(r, p->choices);
  do {
    enum ir_outcome o = try_choice(p, r, state, &keep);
    if (o == IR_FAILED || (o == IR_OK && exists(p, p->scratch))) return false;
    if (r->choices == 0 && ++tries == TRIES_MAX) break;
  } while (ir_choice_next(r, keep, p->choices, NULL));
  return true;
}

bool player_stuck(struct player *p, const uint64_t *state) {
  for (uint32_t i = 0; i < p->model->rule_instances; i++)
    if (!instance_stuck(p, i, state)) return false;
  return true;
}

bool player_leads_on(struct player *p, const uint64_t *state) {
  struct census c = {0};
  for (uint32_t i = 0; i < p->model->rule_instances && !c.moving && !c.failing; i++)
    count_instance(p, i, state, &c);
  return c.moving || c.failing;
}

static bool valid_end(struct player *p) {
  bool value = false;
  if (!p->model->valid_end) return false;
  struct ir_frame none = {0};
  return ir_eval_bool(p->eval, &none, p->model->valid_end, player_last(p), &value) == IR_OK &&
         value;
}

static bool end_deadlock(struct player *p) {
  if (p->deadlock == IR_DEADLOCK_OFF) return player_refuse(p, "deadlocks are not looked for");
  struct census c = {0};
  for (uint32_t i = 0; i < p->model->rule_instances; i++) count_instance(p, i, player_last(p), &c);
  if (c.moving || c.failing || (c.stuttering && p->deadlock == IR_DEADLOCK_STUCK))
    return player_refuse(p, "the last state is no deadlock: %llu rules can fire",
                         (unsigned long long)(c.moving + c.failing + c.stuttering));
  if (valid_end(p)) return player_refuse(p, "the last state is a valid end");
  struct text t = {0};
  if (c.stuttering)
    text_printf(&t,
                "no rule leads to another state: %llu rule instances are disabled, %llu fire "
                "without changing anything",
                (unsigned long long)c.disabled, (unsigned long long)c.stuttering);
  else
    text_printf(&t, "no rule can fire: all %llu rule instances are disabled",
                (unsigned long long)c.disabled);
  player_explain(p, &t);
  return true;
}

static bool check_loop(struct player *p) {
  const struct trace *t = p->trace;
  if (!t->has_loop) return true;
  if (t->loop_start + 1 >= p->out->count)
    return player_refuse(p, "the cycle begins at state %zu of %zu", t->loop_start, p->out->count);
  const uint64_t *first = p->out->states[t->loop_start].words;
  if (memcmp(first, player_last(p), p->words * sizeof *first) != 0)
    return player_refuse(p, "the last state is not the one at which the cycle begins");
  return true;
}

static bool check_end(struct player *p) {
  if (!check_loop(p)) return false;
  switch (p->trace->end) {
  case TRACE_PROPERTY: return end_property(p);
  case TRACE_SITE: return end_site(p);
  case TRACE_DEADLOCK: return end_deadlock(p);
  case TRACE_WITNESS: return true;
  }
  return player_refuse(p, "the trace does not say how it ends");
}

// --- the whole ---

static void player_init(struct player *p) {
  size_t params, choices, states = p->trace->steps.count + 1;
  const struct ir_model *m = p->model;
  ir_widest(m, &params, &choices);
  p->words = m->layout->words;
  p->params = mem_zalloc(params + 1, sizeof *p->params);
  p->choices = mem_zalloc(choices + 1, sizeof *p->choices);
  p->scratch = mem_zalloc(p->words + 1, sizeof *p->scratch);
  p->out->states = mem_zalloc(states, sizeof *p->out->states);
  uint64_t *slab = mem_zalloc(states * p->words + 1, sizeof *slab); // freed as states[0].words
  for (size_t i = 0; i < states; i++) p->out->states[i].words = slab + i * p->words;
  p->eval = ir_eval_new(m);
  ir_eval_collect_prints(p->eval, true);
}

bool trace_replay(const struct trace *t, const struct ir_model *m, int deadlock, struct replay *r) {
  *r = (struct replay){0};
  struct player p = {.trace = t, .model = m, .deadlock = (enum ir_deadlock)deadlock, .out = r};
  player_init(&p);
  bool ok = play_steps(&p) && check_end(&p);
  assert(ok == !r->problem);
  ir_eval_free(p.eval);
  mem_free(p.params);
  mem_free(p.choices);
  mem_free(p.scratch);
  return ok;
}

void replay_clear(struct replay *r) {
  if (r->states) {
    for (size_t i = 0; i < r->count; i++) mem_free(r->states[i].prints);
    mem_free(r->states[0].words);
  }
  mem_free(r->states);
  mem_free(r->explanation);
  mem_free(r->problem);
  *r = (struct replay){0};
}
