// SPDX-License-Identifier: Apache-2.0
// From state to state: expanding, inserting, and the way back over parents. A parent leads to the
// state by some step; which one is found by expanding it again.
#include "search/ways.h"

size_t search_ways_payload(const struct search_config *c) {
  (void)c;
  return WAYS_PAYLOAD;
}

void ways_init(struct search_worker *w, struct ways *x) {
  search_out_init(w->search, &x->out);
  sys_out_init(&x->again, w->search->words, w->search->result->properties.count);
  x->state = mem_alloc(w->search->words * sizeof *x->state);
  const struct sys_renames *r = w->sys->renames;
  if (!r || !w->search->config->monitor) return;
  x->out.follow = true;
  x->ranks = mem_alloc(r->each * sizeof *x->ranks);
}

void ways_clear(struct ways *x) {
  sys_out_clear(&x->out);
  sys_out_clear(&x->again);
  VEC_CLEAR(&x->progress);
  VEC_CLEAR(&x->renamings);
  mem_free(x->ranks);
  mem_free(x->state);
  mem_free(x->ids);
  mem_free(x->fresh);
  mem_free(x->found);
  mem_free(x->answers);
  mem_free(x->chosen);
}

size_t ways_bytes(const struct ways *x) {
  size_t each = x->out.words_per_state * sizeof(uint64_t) + sizeof(struct sys_step);
  size_t own =
      sizeof *x->ids + sizeof *x->fresh + sizeof *x->found + sizeof *x->answers + sizeof *x->chosen;
  return (x->out.capacity + x->again.capacity) * each + x->capacity * own +
         x->progress.capacity * sizeof *x->progress.data;
}

static void reserve(struct ways *x, size_t count) {
  if (count <= x->capacity) return;
  x->capacity = count + count / 2;
  x->ids = mem_realloc(x->ids, x->capacity * sizeof *x->ids);
  x->fresh = mem_realloc(x->fresh, x->capacity * sizeof *x->fresh);
  x->found = mem_realloc(x->found, x->capacity * sizeof *x->found);
  x->answers = mem_realloc(x->answers, x->capacity * sizeof *x->answers);
  x->chosen = mem_realloc(x->chosen, x->capacity * sizeof *x->chosen);
}

// --- into the store ---

static uint32_t set_end(const struct sys_renames *r, size_t k) {
  return k + 1 < r->count ? r->set[k + 1].first : (uint32_t)r->each;
}

// How far the flows have got in a new state.
static void follow_flows(struct search_worker *w, struct ways *x, size_t i, uint64_t parent,
                         uint64_t id) {
  const struct sys_renames *r = w->sys->renames;
  uint32_t progress = 0;
  x->renamings.count = 0;
  for (size_t k = 0; r && k < r->count; k++)
    VEC_PUSH(&x->renamings, ((struct guide_renaming){r->set[k].type, x->ranks + r->set[k].first}));
  for (size_t k = 0; r && k < r->count; k++)
    for (uint32_t e = r->set[k].first; e < set_end(r, k); e++)
      x->ranks[e] = x->out.renames[i * r->each + e] - r->set[k].first;
  if (parent != UINT64_MAX)
    progress = guide_monitor_step(w->search->config->monitor, x->progress.data[parent],
                                  x->out.steps[i].instance, x->renamings.data, x->renamings.count);
  while (x->progress.count <= id) VEC_PUSH(&x->progress, 0);
  x->progress.data[id] = progress;
}

// A new state, number i of the buffer.
static void arrive(struct search_worker *w, struct ways *x, size_t i, uint64_t parent) {
  uint64_t id = x->ids[i];
  *ways_payload(w, id) = parent + 1;
  search_count_fresh(w, &x->out.steps[i], parent == UINT64_MAX, id);
  if (w->search->config->monitor) follow_flows(w, x, i, parent, id);
  x->fresh[i] = search_check(w, x->out.words + i * x->out.words_per_state, id);
  if (!x->fresh[i]) *ways_payload(w, id) |= WAY_BAD;
}

// The chosen ones next to each other, so that they go into the store at one stroke.
static const uint64_t *gather(struct ways *x, const uint32_t *chosen, size_t count) {
  size_t words = x->out.words_per_state, same = 0;
  while (same < count && chosen[same] == same) same++;
  if (same == count) return x->out.words;
  sys_out_reset(&x->again);
  sys_out_reserve(&x->again, count);
  for (size_t k = 0; k < count; k++)
    words_copy(x->again.words + k * words, x->out.words + chosen[k] * words, words);
  return x->again.words;
}

void ways_insert(struct search_worker *w, struct ways *x, uint64_t id, const uint32_t *chosen,
                 size_t count) {
  size_t kept = 0;
  for (size_t k = 0; k < count; k++) {
    uint32_t i = chosen ? chosen[k] : (uint32_t)k;
    if (!x->out.steps[i].site) x->chosen[kept++] = i;
  }
  const uint64_t *states = gather(x, x->chosen, kept);
  size_t done = store_write_batch(w->writer, states, kept, x->answers, x->found);
  for (size_t k = 0; k < done; k++) {
    size_t i = x->chosen[k];
    x->ids[i] = x->found[k];
    if (x->answers[k] == STORE_NEW)
      arrive(w, x, i, id);
    else
      w->revisits += id != UINT64_MAX;
  }
  if (done < kept) search_full(w->search);
}

static void forget(struct ways *x) {
  reserve(x, x->out.count);
  for (size_t i = 0; i < x->out.count; i++) {
    x->ids[i] = STORE_ABSENT;
    x->fresh[i] = false;
  }
}

void ways_starts(struct search_worker *w, struct ways *x) {
  sys_out_reset(&x->out);
  search_starts(w, &x->out);
  forget(x);
  for (size_t i = 0; i < x->out.count; i++)
    if (x->out.steps[i].site) search_fault(w, &x->out.steps[i], SEARCH_NOWHERE);
  ways_insert(w, x, UINT64_MAX, NULL, x->out.count);
}

// --- expanding ---

void ways_expand(struct search_worker *w, struct ways *x, uint64_t id) {
  store_get(w->search->store, id, x->state);
  sys_out_reset(&x->out);
  w->sys->expand(w->sys, x->state, &x->out);
  forget(x);
  uint64_t *payload = ways_payload(w, id);
  if (!(*payload & WAY_EXPANDED)) search_tell_expansion(w, &x->out, x->state, id);
  *payload |= WAY_EXPANDED;
}

bool ways_goes_on(struct search_worker *w, struct ways *x, size_t held, uint64_t queue) {
  if (search_stopped(w->search) || !search_pace_due(&x->pace)) return !search_stopped(w->search);
  w->buffer_bytes = ways_bytes(x) + held;
  w->queue = queue;
  return search_goes_on(w);
}

// --- the way back ---

// Ids from `at` back to the start.
static size_t ids_back(const struct search_worker *w, uint64_t at, uint64_t **ids) {
  VEC(uint64_t) back = {0};
  for (uint64_t before = at + 1; before; before = *ways_payload(w, at) & WAY_PARENT) {
    at = before - 1;
    VEC_PUSH(&back, at);
  }
  *ids = back.data;
  return back.count;
}

void ways_path(struct search_worker *w, uint64_t at, struct trace *t) {
  size_t words = w->search->words;
  uint64_t *ids, *from = mem_alloc(2 * words * sizeof *from), *to = from + words;
  size_t count = ids_back(w, at, &ids);
  struct sys_out o;
  sys_out_init(&o, words, w->search->result->properties.count);
  w->sys->starts(w->sys, &o);
  store_get(w->search->store, ids[count - 1], from);
  const struct sys_step *start = search_step_to(&o, from);
  assert(start);
  t->start_instance = start->instance;
  t->start_choice = start->choice;
  for (size_t i = count - 1; i-- > 0;) {
    sys_out_reset(&o);
    w->sys->expand(w->sys, from, &o);
    store_get(w->search->store, ids[i], to);
    const struct sys_step *step = search_step_to(&o, to);
    assert(step && "it was reached from there");
    VEC_PUSH(&t->steps, ((struct trace_step){step->instance, step->choice}));
    words_copy(from, to, words);
  }
  sys_out_clear(&o);
  mem_free(ids);
  mem_free(from);
}
