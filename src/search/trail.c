// SPDX-License-Identifier: Apache-2.0
// The way back from a state of a breadth-first search to a start. Where the store keeps states, the
// sources between two marks are expanded until one leads to the state. Where it does not, the ways
// say which successor of which state it was, and the path is walked from its start. A deterministic
// search looks among all states of the level before for the smallest that leads there.
#include "search/bfs.h"

// --- states and steps ---

static void reverse(struct trace *t) {
  for (size_t i = 0, j = t->steps.count; i + 1 < j; i++) {
    struct trace_step last = t->steps.data[--j];
    t->steps.data[j] = t->steps.data[i];
    t->steps.data[i] = last;
  }
}

static uint64_t id_of(const struct search *s, uint64_t place) {
  const struct search_worker *w = s->workers[place_worker(place)];
  uint64_t number = place_number(place);
  assert(w->runs.count && number < w->id_count);
  const size_t stride = sizeof(struct search_run) / sizeof(uint64_t);
  const struct search_run *run =
      &w->runs.data[words_last(&w->runs.data->number, w->runs.count, stride, number)];
  return run->id + (number - run->number);
}

static void state_at(const struct search *s, uint64_t place, uint64_t *state) {
  store_get(s->store, id_of(s, place), state);
}

static bool is_start(const struct search *s, uint64_t place) {
  return place < ((const struct bfs *)s->own)->start_count; // worker 0's
}

static const struct sys_step *expand_to(struct search_worker *w, const uint64_t *from,
                                        const uint64_t *to) {
  struct explorer *x = w->own;
  sys_out_reset(&x->again);
  w->sys->expand(w->sys, from, &x->again);
  return search_step_to(&x->again, to);
}

static void begin_at(struct search_worker *w, const uint64_t *state, struct trace *t) {
  struct explorer *x = w->own;
  sys_out_reset(&x->again);
  w->sys->starts(w->sys, &x->again);
  const struct sys_step *start = search_step_to(&x->again, state);
  assert(start);
  t->start_instance = start->instance;
  t->start_choice = start->choice;
}

// --- over marks ---

// The step by which the state at *place was found; *place becomes its source, *state that one's.
static struct trace_step step_back(struct search_worker *w, uint64_t *place, uint64_t *state,
                                   uint64_t *source) {
  const struct search *s = w->search;
  const struct lineage *l = &bfs_explorer(s, place_worker(*place))->lineage;
  for (uint64_t p = lineage_source_least(l, place_number(*place));; p++) {
    const struct lineage *of = &bfs_explorer(s, place_worker(p))->lineage;
    assert(place_number(p) < of->count && p != *place);
    if (lineage_is_bad(of, place_number(p))) continue;
    state_at(s, p, source);
    const struct sys_step *step = expand_to(w, source, state);
    if (!step) continue;
    *place = p;
    words_copy(state, source, s->words);
    return (struct trace_step){step->instance, step->choice};
  }
}

static void path_by_marks(struct search_worker *w, uint64_t place, struct trace *t) {
  size_t words = w->search->words;
  uint64_t *state = mem_alloc(2 * words * sizeof *state);
  state_at(w->search, place, state);
  while (!is_start(w->search, place))
    VEC_PUSH(&t->steps, step_back(w, &place, state, state + words));
  reverse(t);
  begin_at(w, state, t);
  mem_free(state);
}

// --- over ways ---

// The numbers of the successors to take: steps[i].choice stands for them. Says which start it was.
static uint64_t ways_back(const struct search *s, uint64_t place, struct trace *t) {
  uint64_t successor;
  for (;;) {
    const struct lineage *l = &bfs_explorer(s, place_worker(place))->lineage;
    uint64_t source = lineage_source(l, place_number(place), &successor);
    if (is_start(s, place)) break;
    VEC_PUSH(&t->steps, ((struct trace_step){.choice = (uint32_t)successor}));
    place = source;
  }
  reverse(t);
  return successor;
}

static void path_by_ways(struct search_worker *w, uint64_t place, struct trace *t) {
  struct sys_out *o = &((struct explorer *)w->own)->again;
  size_t words = w->search->words;
  uint64_t *state = mem_alloc(words * sizeof *state);
  uint64_t taken = ways_back(w->search, place, t);
  sys_out_reset(o);
  w->sys->starts(w->sys, o);
  t->start_instance = o->steps[taken].instance;
  t->start_choice = o->steps[taken].choice;
  for (size_t i = 0; i < t->steps.count; i++) {
    words_copy(state, o->words + taken * words, words);
    sys_out_reset(o);
    w->sys->expand(w->sys, state, o);
    taken = t->steps.data[i].choice;
    assert(taken < o->count && !o->steps[taken].site);
    t->steps.data[i] = (struct trace_step){o->steps[taken].instance, o->steps[taken].choice};
  }
  mem_free(state);
}

void trail_path(struct search_worker *w, uint64_t place, struct trace *t) {
  if (((struct bfs *)w->search->own)->frontier.packs)
    path_by_ways(w, place, t);
  else
    path_by_marks(w, place, t);
}

// --- over the smallest sources ---

static int compare(const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t i = 0; i < words; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static void look_at(struct search_worker *w, uint64_t place, const uint64_t *state) {
  struct explorer *x = w->own;
  size_t words = w->search->words;
  if (x->parent.found && compare(state, x->parent_state, words) >= 0) return;
  const struct sys_step *step = expand_to(w, state, ((struct bfs *)w->search->own)->target);
  if (!step) return;
  words_copy(x->parent_state, state, words);
  x->parent = (struct parent){true, place, {step->instance, step->choice}};
}

static void look_for_parent(struct search_worker *w) {
  struct explorer *x = w->own;
  struct frontier *f = &((struct bfs *)w->search->own)->frontier;
  x->parent.found = false;
  for (x->empty = 0; frontier_take(f, w->number, &x->empty, &x->chunk);) {
    const struct lineage *of = &bfs_explorer(w->search, place_worker(x->chunk.place))->lineage;
    for (uint64_t i = 0; i < x->chunk.count; i++) {
      frontier_read(f, w->search->store, &x->chunk, i, 1, x->batch.states);
      if (!lineage_is_bad(of, place_number(x->chunk.place + i)))
        look_at(w, x->chunk.place + i, x->batch.states);
    }
  }
}

// The level that the frontier becomes is complete.
static void set_level(struct search *s, uint64_t level) {
  struct bfs *b = s->own;
  const uint64_t *first = b->levels.data + level * b->width, *end = first + b->width;
  frontier_begin(&b->frontier);
  for (unsigned i = 0; i < s->worker_count; i++)
    frontier_add_runs(&b->frontier, s->workers[i], first[i], end[i]);
}

static uint64_t level_of(const struct search *s, uint64_t place) {
  const struct bfs *b = s->own;
  const uint64_t *first = b->levels.data + place_worker(place);
  return words_last(first, b->levels.count / b->width, b->width, place_number(place));
}

// Of those that the workers saw; its state into `state`.
static struct parent smallest(const struct search *s, uint64_t *state) {
  const struct explorer *best = NULL;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct explorer *x = bfs_explorer(s, i);
    if (!x->parent.found) continue;
    if (!best || compare(x->parent_state, best->parent_state, s->words) < 0) best = x;
  }
  if (!best) mem_exhausted(0); // one of them ran out of memory while it was looking
  words_copy(state, best->parent_state, s->words);
  return best->parent;
}

void trail_smallest_path(struct search_worker *w, uint64_t place, struct trace *t) {
  struct search *s = w->search;
  struct bfs *b = s->own;
  uint64_t *state = mem_alloc(s->words * sizeof *state);
  state_at(s, place, state);
  b->target = state;
  for (uint64_t level = level_of(s, place); level > 0; level--) {
    set_level(s, level - 1);
    for (unsigned i = 0; i < s->worker_count; i++) bfs_explorer(s, i)->parent.found = false;
    bfs_share(s, look_for_parent);
    VEC_PUSH(&t->steps, smallest(s, state).step);
  }
  reverse(t);
  begin_at(w, state, t);
  mem_free(state);
}
