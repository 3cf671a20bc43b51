// SPDX-License-Identifier: Apache-2.0
// The stack of a search for cycles. It keeps no steps and, where the store does, no states: to read
// a lasso off it every state on it is expanded once more, so that each of its edges is a real one.
#include "search/lasso.h"

#include "ir/ir.h"

static const struct ir_automaton *automaton_of(const struct search *s) {
  return s->config->model->properties.data[s->config->cycle_property]->automaton;
}

static bool has_final(const struct ir_automaton *a) {
  for (uint32_t i = 0; a && i < a->count; i++)
    if (a->states[i].final) return true;
  return false;
}

void lasso_init(struct lasso *l, struct search_worker *w) {
  const struct search *s = w->search;
  assert(w->sys->accepts &&
         ir_prop_cyclic(s->config->model->properties.data[s->config->cycle_property]->kind));
  *l = (struct lasso){.closing = STORE_ABSENT, .has_final = has_final(automaton_of(s))};
  if (!store_keeps_states(s->store)) {
    l->capacity = 64;
    l->words = mem_alloc(l->capacity * s->words * sizeof *l->words);
  }
  l->state = mem_zalloc(s->words, sizeof *l->state);
  search_out_init(s, &l->out);
  sys_out_init(&l->again, s->words, s->result->properties.count);
}

void lasso_clear(struct lasso *l) {
  VEC_CLEAR(&l->stack);
  mem_free(l->words);
  mem_free(l->state);
  sys_out_clear(&l->out);
  sys_out_clear(&l->again);
  mem_free(l->answers);
  mem_free(l->ids);
}

// --- the stack ---

void lasso_push(struct lasso *l, uint64_t id, const uint64_t *state) {
  size_t words = l->out.words_per_state;
  if (l->words) {
    if (l->stack.count == l->capacity) {
      l->words = mem_realloc(l->words, 2 * l->capacity * words * sizeof *l->words);
      l->capacity *= 2;
    }
    words_copy(l->words + l->stack.count * words, state, words);
  }
  l->ready = state;
  l->ready_at = l->stack.count;
  VEC_PUSH(&l->stack, id);
}

static void state_at(const struct search *s, const struct lasso *l, size_t i, uint64_t *state) {
  if (l->words)
    words_copy(state, l->words + i * s->words, s->words);
  else
    store_get(s->store, l->stack.data[i] & ~LASSO_PATH, state);
}

void lasso_enter(struct search_worker *w, struct lasso *l) {
  if (l->ready && l->ready_at == l->stack.count - 1)
    words_copy(l->state, l->ready, w->search->words);
  else
    state_at(w->search, l, l->stack.count - 1, l->state);
  VEC_TOP(&l->stack) |= LASSO_PATH;
  l->depth++;
}

void lasso_leave(struct lasso *l) {
  assert(lasso_top(l) & LASSO_PATH);
  l->stack.count--;
  l->depth--;
}

// --- successors ---

static bool sift_faults(struct search_worker *w, struct lasso *l, uint64_t at, bool quiet) {
  struct sys_out *o = &l->out;
  size_t kept = 0, words = w->search->words;
  while (kept < o->count && !o->steps[kept].site) kept++; // mostly all
  if (kept == o->count) return true;
  for (size_t i = kept; i < o->count; i++) {
    if (!o->steps[i].site) {
      words_copy(o->words + kept * words, o->words + i * words, words);
      o->steps[kept++] = o->steps[i];
    } else if (!quiet) {
      search_fault(w, &o->steps[i], at);
    }
  }
  o->count = kept;
  return false;
}

bool lasso_expand(struct search_worker *w, struct lasso *l, bool quiet) {
  l->ready = NULL;
  sys_out_reset(&l->out);
  w->sys->expand(w->sys, l->state, &l->out);
  return sift_faults(w, l, l->depth, quiet);
}

static void reserve_ids(struct lasso *l, size_t count) {
  if (count <= l->ids_capacity) return;
  l->ids_capacity = count + count / 2;
  l->ids = mem_realloc(l->ids, l->ids_capacity * sizeof *l->ids);
  l->answers = mem_realloc(l->answers, l->ids_capacity * sizeof *l->answers);
}

bool lasso_insert(struct search_worker *w, struct lasso *l, size_t count) {
  reserve_ids(l, count);
  if (store_write_batch(w->writer, l->out.words, count, l->answers, l->ids) == count) return true;
  search_full(w->search);
  return false;
}

// The tree store looks up faster what may be new.
bool lasso_again(struct search_worker *w, struct lasso *l, size_t count) {
  bool inserted = lasso_insert(w, l, count);
  for (size_t i = 0; inserted && i < count; i++)
    assert(l->answers[i] == STORE_OLD || store_lossy(w->search->store));
  return inserted;
}

void lasso_seek(struct search_worker *w, struct lasso *l, size_t count) {
  reserve_ids(l, count);
  store_seek_batch(w->writer, l->out.words, count, l->ids);
}

bool lasso_starts(struct search_worker *w, struct lasso *l) {
  sys_out_reset(&l->out);
  search_starts(w, &l->out);
  sift_faults(w, l, SEARCH_NOWHERE, w->number > 0);
  if (search_stopped(w->search) || !lasso_insert(w, l, l->out.count)) return false;
  for (size_t i = l->out.count; i-- > 0;) {
    if (l->answers[i] == STORE_NEW) search_count_fresh(w, &l->out.steps[i], true, l->ids[i]);
    lasso_push(l, l->ids[i], l->out.words + i * w->search->words);
  }
  return true;
}

// --- violations ---

static bool claim_ended(struct search_worker *w, struct lasso *l) {
  uint32_t property = w->search->config->cycle_property;
  struct sys_fault f = w->sys->check(w->sys, l->state);
  if (f.kind != SYS_PROPERTY || f.id != property) return false;
  search_report(w, &(struct search_found){.end = TRACE_PROPERTY, .id = property, .at = l->depth});
  w->pruned++;
  return true;
}

bool lasso_check(struct search_worker *w, struct lasso *l) {
  if (l->has_final && claim_ended(w, l)) return false;
  return search_check(w, l->state, l->depth);
}

// Where a state is on the path; the last time, if a second search has passed it once more.
static size_t path_find(const struct lasso *l, uint64_t id) {
  size_t i = l->stack.count - 1;
  while (l->stack.data[i] != (id | LASSO_PATH)) i--;
  return i;
}

static bool really_closes(struct search_worker *w, struct lasso *l, size_t i) {
  size_t words = w->search->words;
  if (!l->words) return true;
  const uint64_t *on_path = l->words + path_find(l, l->ids[i]) * words;
  return words_same(on_path, l->out.words + i * words, words);
}

void lasso_report(struct search_worker *w, struct lasso *l, size_t i) {
  if (!really_closes(w, l, i)) return;
  l->closing = l->ids[i];
  search_report(w, &(struct search_found){.end = TRACE_PROPERTY,
                                          .id = w->search->config->cycle_property,
                                          .at = l->depth});
  l->closing = STORE_ABSENT;
}

bool lasso_weak(const struct search_worker *w) {
  return w->sys->weak && (w->sys->chains || !w->sys->model->transient);
}

bool lasso_found(const struct search *s) { return s->property_seen[s->config->cycle_property]; }

// --- the path ---

struct reader {
  struct search_worker *worker;
  struct lasso *lasso;
  struct trace *trace;
  uint64_t *from, *to; // states
  bool started, claims;
};

// The next state of the path is r->to.
static void go_on(struct reader *r) {
  struct sys *sys = r->worker->sys;
  struct sys_out *o = &r->lasso->again;
  sys_out_reset(o);
  if (r->started)
    sys->expand(sys, r->from, o);
  else
    sys->starts(sys, o);
  const struct sys_step *step = search_step_to(o, r->to);
  assert(step && "a path has real edges");
  if (r->started) {
    VEC_PUSH(&r->trace->steps, ((struct trace_step){step->instance, step->choice}));
  } else {
    r->trace->start_instance = step->instance;
    r->trace->start_choice = step->choice;
  }
  r->started = true;
  if (r->claims) VEC_PUSH(&r->trace->claims, sys->claim(sys, r->to));
  words_copy(r->from, r->to, r->worker->search->words);
}

static void close_cycle(struct reader *r) {
  const struct lasso *l = r->lasso;
  size_t at = path_find(l, l->closing), before = 0;
  for (size_t i = 0; i < at; i++) before += (l->stack.data[i] & LASSO_PATH) != 0;
  r->trace->has_loop = true;
  r->trace->loop_start = before;
  state_at(r->worker->search, l, at, r->to);
  go_on(r);
}

void lasso_path(struct search_worker *w, uint64_t at, struct trace *t) {
  (void)at; // it is always the end of the path
  struct lasso *l = w->own;
  size_t words = w->search->words;
  struct reader r = {.worker = w, .lasso = l, .trace = t};
  r.claims = t->end == TRACE_PROPERTY && t->id == w->search->config->cycle_property;
  r.from = mem_alloc(2 * words * sizeof *r.from);
  r.to = r.from + words;
  for (size_t i = 0; i < l->stack.count; i++) {
    if (!(l->stack.data[i] & LASSO_PATH)) continue;
    state_at(w->search, l, i, r.to);
    go_on(&r);
  }
  if (l->closing != STORE_ABSENT) close_cycle(&r);
  mem_free(r.from);
}

// --- budget ---

bool lasso_goes_on(struct search_worker *w, struct lasso *l) {
  if (search_stopped(w->search)) return false;
  if (!search_pace_due(&l->pace)) return true;
  size_t each = w->search->words * sizeof(uint64_t);
  w->buffer_bytes = l->stack.capacity * sizeof(uint64_t) + (l->words ? l->capacity * each : 0) +
                    l->out.capacity * (each + sizeof(struct sys_step));
  w->queue = l->stack.count - l->depth;
  return search_goes_on(w);
}
