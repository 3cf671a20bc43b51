// SPDX-License-Identifier: Apache-2.0
// What every explicit search shares. sys->check says fast whether anything is wrong with a state;
// only then does the interpreter say what exactly, so that properties which are switched off or
// were reported before need no place in compiled code.
#include "search/common.h"

#include "ir/eval.h"
#include "store/store.h"
#include "sys/sys.h"

// --- violations ---

bool search_property_on(const struct search *s, size_t i) {
  return !s->config->property_on || s->config->property_on[i];
}

// As many violations as were asked for: what a batch holds beyond them is not reported.
static bool enough(const struct search *s) {
  return s->config->max_errors && s->violations >= s->config->max_errors;
}

// Adds the pending trace, its end filled in, to the result.
static void report(struct search *s, uint64_t at, const struct sys_step *last) {
  struct trace *t = &s->pending;
  if (at != SEARCH_NOWHERE) s->path(s, at, t);
  if (last && at == SEARCH_NOWHERE) {
    t->start_instance = last->instance;
    t->start_choice = last->choice;
  } else if (last) {
    VEC_PUSH(&t->steps, ((struct trace_step){last->instance, last->choice}));
  }
  VEC_PUSH(&s->result->traces, *t);
  *t = (struct trace){0};
  s->violations++;
  if (enough(s)) search_stop(s, "errors");
}

void search_fault(struct search *s, const struct sys_step *step, uint64_t at) {
  assert(step->site && step->site < s->config->model->sites.count);
  if (s->site_seen[step->site] || enough(s)) return;
  s->site_seen[step->site] = 1;
  s->pending = (struct trace){.end = TRACE_SITE, .id = step->site};
  report(s, at, step);
}

static void violated(struct search *s, size_t property, uint64_t at) {
  if (s->property_seen[property] || enough(s)) return;
  s->property_seen[property] = 1;
  s->invariants_open--;
  s->pending = (struct trace){.end = TRACE_PROPERTY, .id = (uint32_t)property};
  report(s, at, NULL);
}

static void property_fault(struct search *s, size_t property, uint32_t site, uint64_t at) {
  s->property_faulty[property] = 1;
  if (s->site_seen[site] || enough(s)) return;
  s->site_seen[site] = 1;
  s->pending = (struct trace){
      .end = TRACE_SITE, .id = site, .in_property = true, .property = (uint32_t)property};
  report(s, at, NULL);
}

// --- deadlock ---

static bool valid_end(struct search *s, const uint64_t *state) {
  const struct ir_model *m = s->config->model;
  struct ir_frame none = {0};
  bool value = false;
  return m->valid_end && ir_eval_bool(s->eval, &none, m->valid_end, state, &value) == IR_OK &&
         value;
}

bool search_is_deadlock(struct search *s, const uint64_t *state, uint64_t fired, bool moved,
                        bool faulty) {
  if (s->config->deadlock == IR_DEADLOCK_OFF || faulty) return false;
  bool stuck = s->config->deadlock == IR_DEADLOCK_STUTTERING ? !moved : fired == 0;
  return stuck && !valid_end(s, state);
}

void search_deadlock(struct search *s, uint64_t at) {
  if (s->deadlock_seen || enough(s)) return;
  s->deadlock_seen = true;
  s->pending = (struct trace){.end = TRACE_DEADLOCK};
  report(s, at, NULL);
}

// --- properties of one state ---

// Evaluates the properties of one kind that are switched on. True: some invariant is violated, or
// some property cannot be evaluated.
static bool evaluate(struct search *s, enum ir_property_kind kind, const uint64_t *state,
                     uint64_t at) {
  const struct ir_model *m = s->config->model;
  bool wrong = false;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (p->kind != kind || !p->expr || !search_property_on(s, i)) continue;
    bool value = false;
    if (ir_eval_bool(s->eval, &p->frame, p->expr, state, &value) == IR_FAILED) {
      property_fault(s, i, ir_eval_site(s->eval), at);
      wrong = true;
    } else if (kind == IR_PROP_INVARIANT && !value) {
      violated(s, i, at);
      wrong = true;
    } else if (kind == IR_PROP_COVER && value) {
      s->covers_found[i / 64] |= UINT64_C(1) << (i % 64);
    }
  }
  return wrong;
}

static bool invariants_fail(struct search *s, const uint64_t *state, uint64_t at) {
  struct sys_fault f = s->sys->check(s->sys, state);
  if (f.kind == SYS_NO_FAULT) return false;
  if (f.kind == SYS_PROPERTY && s->invariants_open == 0 && search_property_on(s, f.id)) return true;
  return evaluate(s, IR_PROP_INVARIANT, state, at);
}

static bool cover_goals_fail(struct search *s, const uint64_t *state, uint64_t at) {
  for (size_t i = 0; i < s->cover_words; i++) s->covers_found[i] = 0;
  bool wrong = false;
  if (s->sys->covers(s->sys, state, s->covers_found).kind != SYS_NO_FAULT)
    wrong = evaluate(s, IR_PROP_COVER, state, at);
  search_covers(s, s->covers_found);
  return wrong;
}

bool search_check(struct search *s, const uint64_t *state, uint64_t at) {
  bool wrong = s->has_invariants && invariants_fail(s, state, at);
  if (!wrong && s->has_state_covers) wrong = cover_goals_fail(s, state, at);
  s->pruned += wrong;
  return !wrong;
}

void search_covers(struct search *s, const uint64_t *bits) {
  if (!s->has_open_covers) return;
  uint64_t left = 0;
  for (size_t i = 0; i < s->cover_words; i++) left |= s->covers_open[i] &= ~bits[i];
  s->has_open_covers = left != 0;
}

// --- budget ---

void search_stop(struct search *s, const char *reason) {
  if (!s->stop) s->stop = reason;
}

void search_full(struct search *s) {
  uint64_t most = s->config->budget.states_max;
  search_stop(s, most && store_count(s->store) >= most ? "states" : "memory");
}

static void tell_progress(struct search *s, double now, size_t bytes) {
  const struct search_config *c = s->config;
  if (!c->progress || now < s->progress_next) return;
  s->progress_next = now + 0.1;
  struct search_progress p = {.states = store_count(s->store),
                              .transitions = s->result->stats.transitions,
                              .depth = s->result->stats.depth,
                              .queue = s->queue,
                              .mem_bytes = bytes,
                              .seconds = now - c->started};
  c->progress(c->progress_context, &p);
}

bool search_goes_on(struct search *s) {
  const struct budget *b = &s->config->budget;
  double now = clock_seconds();
  size_t bytes = store_memory(s->store) + s->buffer_bytes;
  sys_poll(s->sys);
  if (interrupt_pending()) search_stop(s, "interrupted");
  if (b->seconds > 0 && now - s->config->started >= b->seconds) search_stop(s, "time");
  if (b->mem_bytes && bytes > b->mem_bytes) search_stop(s, "memory");
  tell_progress(s, now, bytes);
  return !s->stop;
}

void search_starts(struct search *s, struct sys_out *out) {
  s->sys->starts(s->sys, out);
  search_covers(s, out->covers);
  for (size_t i = 0; i < out->count; i++)
    if (!out->steps[i].site) return;
  search_stop(s, "no start state");
}
