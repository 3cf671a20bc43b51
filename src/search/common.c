// SPDX-License-Identifier: Apache-2.0
// What every explicit search shares. sys->check says fast whether anything is wrong with a state;
// only then does the interpreter say what exactly, so that properties which are switched off or
// were reported before need no place in compiled code.
#include "search/common.h"

#include "ir/eval.h"
#include "search/workers.h"
#include "store/store.h"
#include "sys/sys.h"

#define OUT_LEAST_BYTES ((size_t)1 << 20) // that successors of one state may always take

// --- violations ---

bool search_property_on(const struct search *s, size_t i) {
  return !s->config->property_on || s->config->property_on[i];
}

// As many violations as were asked for: what a batch holds beyond them is not reported.
static bool enough(const struct search *s) {
  return s->config->max_errors && s->violations >= s->config->max_errors;
}

static bool seen(const struct search *s, const struct search_found *f) {
  switch (f->end) {
  case TRACE_PROPERTY: return s->property_seen[f->id];
  case TRACE_SITE: return s->site_seen[f->id];
  default: return s->deadlock_seen;
  }
}

static void see(struct search *s, const struct search_found *f) {
  switch (f->end) {
  case TRACE_PROPERTY: s->property_seen[f->id] = 1; break;
  case TRACE_SITE: s->site_seen[f->id] = 1; break;
  default: s->deadlock_seen = true; break;
  }
}

bool search_claimed(const struct search *s, const struct search_found *f) {
  return seen(s, f) || enough(s);
}

static bool is_invariant(const struct search *s, uint32_t property) {
  return s->config->model->properties.data[property]->kind == IR_PROP_INVARIANT;
}

bool search_claim(struct search *s, const struct search_found *f) {
  workers_lock(s);
  bool first = !search_claimed(s, f);
  if (first) {
    see(s, f);
    s->invariants_open -= f->end == TRACE_PROPERTY && is_invariant(s, f->id);
    s->violations++;
    if (enough(s)) search_stop(s, "errors");
  }
  workers_unlock(s);
  return first;
}

// Expansions on the way to what was found are finished, however long they take: they were before.
static void find_path(struct search_worker *w, uint64_t at, struct trace *t) {
  w->search->tracing = true;
  w->search->path(w, at, t);
  w->search->tracing = false;
}

void search_add_trace(struct search_worker *w, const struct search_found *f) {
  struct search *s = w->search;
  struct trace *t = &s->pending;
  *t = (struct trace){
      .end = f->end, .id = f->id, .in_property = f->in_property, .property = f->property};
  if (f->at != SEARCH_NOWHERE) find_path(w, f->at, t);
  if (f->has_step && f->at == SEARCH_NOWHERE) {
    t->start_instance = f->step.instance;
    t->start_choice = f->step.choice;
  } else if (f->has_step) {
    VEC_PUSH(&t->steps, f->step);
  }
  VEC_PUSH(&s->result->traces, *t);
  *t = (struct trace){0};
}

void search_report(struct search_worker *w, const struct search_found *f) {
  if (!search_claim(w->search, f)) return;
  workers_lock(w->search);
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    w->search->tracing = false; // here: another worker that stops meanwhile must not end this
    workers_unlock(w->search);
    mem_exhausted(0);
  }
  search_add_trace(w, f);
  mem_boundary_leave(&boundary);
  workers_unlock(w->search);
}

static void found(struct search_worker *w, const struct search_found *f) {
  if (!search_claimed(w->search, f)) w->search->found(w, f);
}

// Where nothing moves an automaton could not look at the state. (Inside of a chain it is unfolding
// the trace that shows whether it was so.)
void search_fault(struct search_worker *w, const struct sys_step *step, uint64_t at) {
  assert(step->site && step->site < w->search->config->model->sites.count);
  bool looking = step->instance == SYS_STUTTER;
  found(w, &(struct search_found){.end = TRACE_SITE,
                                  .id = step->site,
                                  .in_property = looking,
                                  .property = w->search->config->cycle_property,
                                  .has_step = !looking,
                                  .step = {step->instance, step->choice},
                                  .at = at});
}

void search_deadlock(struct search_worker *w, uint64_t at) {
  found(w, &(struct search_found){.end = TRACE_DEADLOCK, .at = at});
}

static void violated(struct search_worker *w, size_t property, uint64_t at) {
  found(w, &(struct search_found){.end = TRACE_PROPERTY, .id = (uint32_t)property, .at = at});
}

static void property_fault(struct search_worker *w, size_t property, uint64_t at) {
  w->search->property_faulty[property] = 1;
  found(w, &(struct search_found){.end = TRACE_SITE,
                                  .id = ir_eval_site(w->eval),
                                  .in_property = true,
                                  .property = (uint32_t)property,
                                  .at = at});
}

// --- deadlock ---

bool search_is_stuck(const struct search_worker *w, uint64_t fired, bool moved) {
  int kind = w->search->config->deadlock;
  return kind == IR_DEADLOCK_STUTTERING ? !moved : fired == 0 && kind != IR_DEADLOCK_OFF;
}

bool search_is_deadlock(struct search_worker *w, const uint64_t *state, uint64_t fired, bool moved,
                        bool faulty) {
  return !faulty && search_is_stuck(w, fired, moved) && !w->sys->may_end(w->sys, state);
}

// --- properties of one state ---

// Evaluates the properties of one kind that are switched on. True: some invariant is violated, or
// some property cannot be evaluated.
static bool evaluate(struct search_worker *w, enum ir_property_kind kind, const uint64_t *state,
                     uint64_t at) {
  const struct ir_model *m = w->search->config->model;
  bool wrong = false;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (p->kind != kind || !p->expr || !search_property_on(w->search, i)) continue;
    bool value = false;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, state, &value) == IR_FAILED) {
      property_fault(w, i, at);
      wrong = true;
    } else if (kind == IR_PROP_INVARIANT && !value) {
      violated(w, i, at);
      wrong = true;
    } else if (kind == IR_PROP_COVER && value) {
      w->covers_found[i / 64] |= UINT64_C(1) << (i % 64);
    }
  }
  return wrong;
}

static bool invariants_fail(struct search_worker *w, const uint64_t *state, uint64_t at) {
  struct sys_fault f = w->sys->check(w->sys, state);
  if (f.kind == SYS_NO_FAULT) return false;
  const struct search *s = w->search;
  if (f.kind == SYS_PROPERTY && s->invariants_open == 0 && search_property_on(s, f.id)) return true;
  return evaluate(w, IR_PROP_INVARIANT, state, at);
}

static bool cover_goals_fail(struct search_worker *w, const uint64_t *state, uint64_t at) {
  for (size_t i = 0; i < w->search->cover_words; i++) w->covers_found[i] = 0;
  bool wrong = false;
  if (w->sys->covers(w->sys, state, w->covers_found).kind != SYS_NO_FAULT)
    wrong = evaluate(w, IR_PROP_COVER, state, at);
  search_covers(w, w->covers_found);
  return wrong;
}

bool search_check(struct search_worker *w, const uint64_t *state, uint64_t at) {
  bool wrong = w->search->has_invariants && invariants_fail(w, state, at);
  if (!wrong && w->search->has_state_covers) wrong = cover_goals_fail(w, state, at);
  w->pruned += wrong;
  return !wrong;
}

void search_covers(struct search_worker *w, const uint64_t *bits) {
  if (!w->has_open_covers) return;
  uint64_t left = 0;
  for (size_t i = 0; i < w->search->cover_words; i++) left |= w->covers_open[i] &= ~bits[i];
  w->has_open_covers = left != 0;
}

void search_count_fired(struct search_worker *w, const struct sys_out *o, size_t begin,
                        size_t end) {
  if (!w->fired) return;
  const struct sys_chains *c = w->sys->chains;
  for (size_t i = 0; c && i < c->fired.count; i++) w->fired[w->search->rule_of[c->fired.data[i]]]++;
  for (size_t i = begin; !c && i < end; i++)
    if (!o->steps[i].site && o->steps[i].instance != SYS_STUTTER)
      w->fired[w->search->rule_of[o->steps[i].instance]]++;
}

void search_count_fresh(struct search_worker *w, const struct sys_step *step, bool start,
                        uint64_t id) {
  if (!w->fresh) return;
  if (!start && step->instance != SYS_STUTTER) w->fresh[w->search->rule_of[step->instance]]++;
  if (store_keeps_states(w->search->store)) search_new_id(w, id);
}

void search_tell_expansion(struct search_worker *w, const struct sys_out *o, const uint64_t *state,
                           uint64_t at) {
  bool faulty = false;
  search_count_fired(w, o, 0, o->count); // a trace takes expansions of its own
  for (size_t i = 0; i < o->count; i++) {
    if (!o->steps[i].site) continue;
    search_fault(w, &o->steps[i], at);
    faulty = true;
  }
  if (search_is_deadlock(w, state, o->fired, o->moved, faulty)) search_deadlock(w, at);
  search_covers(w, o->covers);
  w->expanded++;
  w->transitions += o->fired;
}

// One of so many parts of what may be taken; 0: there is no limit.
static size_t out_bytes(const struct search *s, unsigned parts) {
  size_t share = s->mem_bytes_max / parts;
  return s->mem_bytes_max && share < OUT_LEAST_BYTES ? OUT_LEAST_BYTES : share;
}

void search_out_init(const struct search *s, struct sys_out *o) {
  sys_out_init(o, s->words, s->result->properties.count);
  o->bytes_max = out_bytes(s, 4 * s->threads);
}

const struct sys_step *search_step_to(const struct sys_out *o, const uint64_t *state) {
  size_t words = o->words_per_state;
  for (size_t i = 0; i < o->count; i++)
    if (!o->steps[i].site && words_same(o->words + i * words, state, words)) return &o->steps[i];
  return NULL;
}

struct search_tally search_tally(const struct search *s) {
  struct search_tally t = {0};
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct search_worker *w = s->workers[i];
    t.transitions += w->transitions;
    t.revisits += w->revisits;
    t.expanded += w->expanded;
    t.pruned += w->pruned;
    t.reduced += w->reduced;
    if (w->depth > t.depth) t.depth = w->depth;
  }
  return t;
}

// --- budget ---

enum { PACE_STEPS = 64 }; // at most between two looks,
#define PACE_SECONDS 0.02 // and about so long

void search_stop(struct search *s, const char *reason) {
  const char *none = NULL;
  atomic_compare_exchange_strong(&s->stop, &none, reason);
}

// Which of its limits that was is asked when all rest: until then its count is not exact.
void search_full(struct search *s) {
  s->full = true;
  search_stop(s, "memory");
}

// The bytes of chains are looked at in the middle of an expansion, too.
static size_t bytes_of(const struct search_worker *w) {
  return w->buffer_bytes + (w->sys->chains ? w->sys->chains->bytes : 0);
}

static void show(struct search_worker *w) {
  atomic_store_explicit(&w->shown.transitions, w->transitions, memory_order_relaxed);
  atomic_store_explicit(&w->shown.depth, w->depth, memory_order_relaxed);
  atomic_store_explicit(&w->shown.queue, w->queue, memory_order_relaxed);
  atomic_store_explicit(&w->shown.buffer_bytes, bytes_of(w), memory_order_relaxed);
}

static size_t buffers_used(const struct search *s) {
  size_t bytes = 0;
  for (unsigned i = 0; i < s->worker_count; i++)
    bytes += atomic_load_explicit(&s->workers[i]->shown.buffer_bytes, memory_order_relaxed);
  return bytes;
}

uint64_t search_queue(const struct search *s) {
  uint64_t states = 0;
  for (unsigned i = 0; i < s->worker_count; i++)
    states += atomic_load_explicit(&s->workers[i]->shown.queue, memory_order_relaxed);
  return (int64_t)states > 0 ? states : 0; // one may be ahead of the other
}

// A store that grows takes a quarter more at once, near the limit, and does so between two looks.
// (One whose states become wider may take more, and looks itself: store_beside.)
static bool memory_used_up(const struct search *s, size_t store, size_t buffers) {
  size_t grown = store > s->store_bytes_first ? store + store / 4 : store;
  if (grown > s->store_bytes_max) grown = s->store_bytes_max;
  return s->mem_bytes_max && (store > grown ? store : grown) + buffers > s->mem_bytes_max;
}

static void tell_progress(struct search *s, double now, size_t bytes) {
  const struct search_config *c = s->config;
  if (!c->progress || now < s->progress_next) return;
  s->progress_next = now + 0.1;
  struct search_progress p = {.states = store_count(s->store),
                              .queue = search_queue(s),
                              .mem_bytes = bytes,
                              .seconds = now - c->started};
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct search_worker *w = s->workers[i];
    uint64_t depth = w->shown.depth;
    p.transitions += w->shown.transitions;
    if (depth > p.depth) p.depth = depth;
  }
  c->progress(c->progress_context, &p);
}

// The process as a whole, now and then: asking takes some microseconds.
static bool process_too_large(struct search *s, double now) {
  if (!s->resident_max || now < s->resident_next) return false;
  s->resident_next = now + 0.02;
  return mem_resident() > s->resident_max + s->config->mem_others;
}

void search_pace_ask(struct search_pace *p) {
  double now = clock_seconds(), took = now - p->last;
  unsigned every = p->every ? p->every : 1;
  if (took > PACE_SECONDS)
    every = every * PACE_SECONDS > took ? (unsigned)(every * PACE_SECONDS / took) : 1;
  else if (took < PACE_SECONDS / 4 && every < PACE_STEPS)
    every = 2 * every;
  *p = (struct search_pace){.left = every - 1, .every = every, .last = now};
}

#define RELEASE_BYTES (256 << 10)
#define RELEASE_STEP  (128 << 10)

// What read the model and compiled it stays resident, a megabyte or two, long after it was used. To
// give it back interrupts all threads.
static void release_code(struct search *s, size_t store) {
  if (store < (s->release_at ? s->release_at : RELEASE_BYTES)) return;
  size_t step = s->threads > 1 ? store : store / 32;
  s->release_at = store + (step > RELEASE_STEP ? step : RELEASE_STEP);
  mem_release_code();
}

bool search_goes_on(struct search_worker *w) {
  struct search *s = w->search;
  show(w);
  sys_poll(w->sys);
  const struct budget *b = &s->config->budget;
  double now = clock_seconds();
  if (interrupt_pending()) search_stop(s, "interrupted");
  const _Atomic bool *cancel = s->config->cancel;
  if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) search_stop(s, "cancelled");
  if (b->seconds > 0 && now - s->config->started >= b->seconds) search_stop(s, "time");
  if (w->number > 0) return !search_stopped(s);
  size_t store = store_memory(s->store), buffers = buffers_used(s);
  store_beside(s->store, buffers);
  if (memory_used_up(s, store, buffers)) search_stop(s, "memory");
  if (process_too_large(s, now)) search_stop(s, "memory");
  release_code(s, store);
  tell_progress(s, now, store + buffers);
  return !search_stopped(s);
}

bool search_expansion_goes_on(void *worker) {
  struct search_worker *w = worker;
  return w->search->tracing || search_goes_on(w);
}

void search_new_run(struct search_worker *w, uint64_t id) {
  VEC_PUSH(&w->runs, ((struct search_run){w->id_count, id}));
  w->id_shift = id - w->id_count;
}

void search_starts(struct search_worker *w, struct sys_out *out) {
  size_t most = out->bytes_max;
  out->bytes_max = out_bytes(w->search, 2); // nobody else has anything yet
  w->sys->starts(w->sys, out);
  out->bytes_max = most;
  search_covers(w, out->covers);
  for (size_t i = 0; i < out->count; i++)
    if (!out->steps[i].site) return;
  search_stop(w->search, "no start state");
}
