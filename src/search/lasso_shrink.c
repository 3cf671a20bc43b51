// SPDX-License-Identifier: Apache-2.0
// Shrinking a lasso, by breadth-first searches in the product: the shortest cycles through
// accepting states of the one that was found, then the shortest way from a start to the best of
// them; on that way accepting states are met, and for those that were met first it is tried whether
// a cycle through them makes an even shorter lasso. A way to the end of an automaton is just a
// shortest one. Everything is real edges of the product, and a search that time or memory ends
// brings nothing.
#include "search/lasso_shrink.h"

#include "search/common.h"
#include "search/terrain.h"
#include "trace/trace.h"

enum { TRIES_CYCLE = 8, TRIES_NEAR = 64, MEMORY_PARTS = 4 };

// States one after the other.
struct way {
  uint64_t *words;
  size_t count, capacity;
};

struct lasso_shrinker {
  const struct shrink_config *config;
  struct trace *trace;
  struct terrain_tools tools;
  size_t words;
  struct way found;         // the trace's own states, the first of the cycle's once more at its end
  struct way prefix, cycle; // the best so far: the cycle begins and ends where the prefix ends
  struct way next, before;  // being made
  struct trace made;        // likewise
  struct store *states;     // of a search
  struct store *on_cycle;   // the states of the cycle
  const uint64_t *target;
  struct store *seen; // by the search from the starts,
  VEC(uint64_t) near; // and the accepting states among them that it met first: ids, in order
};

// --- ways ---

static void way_add(struct way *w, const uint64_t *state, size_t words) {
  if (w->count == w->capacity) {
    size_t capacity = w->capacity ? 2 * w->capacity : 64;
    w->words = mem_realloc(w->words, capacity * words * sizeof *w->words);
    w->capacity = capacity;
  }
  words_copy(w->words + w->count++ * words, state, words);
}

static const uint64_t *way_at(const struct lasso_shrinker *x, const struct way *w, size_t i) {
  return w->words + i * x->words;
}

static void way_swap(struct way *a, struct way *b) {
  struct way c = *a;
  *a = *b;
  *b = c;
}

static void way_reverse(struct lasso_shrinker *x, struct way *w) {
  for (size_t i = 0, k = w->count; i + 1 < k--; i++)
    for (size_t j = 0; j < x->words; j++) {
      uint64_t word = w->words[i * x->words + j];
      w->words[i * x->words + j] = w->words[k * x->words + j];
      w->words[k * x->words + j] = word;
    }
}

// --- breadth first ---

static struct store *store_for(const struct lasso_shrinker *x) {
  const struct sys *sys = x->config->sys;
  struct store_config c = {.kind = "exact",
                           .words = sys->words,
                           .bytes = sys->bytes,
                           .payload_bytes = sizeof(uint64_t),
                           .mem_bytes_max = x->config->mem_bytes / MEMORY_PARTS};
  return store_new(&c);
}

typedef bool goal_is(struct lasso_shrinker *x, const uint64_t *state);

static bool is_target(struct lasso_shrinker *x, const uint64_t *state) {
  return words_same(state, x->target, x->words);
}

static bool is_on_cycle(struct lasso_shrinker *x, const uint64_t *state) {
  uint64_t id;
  return store_find(x->on_cycle, state, &id);
}

static bool is_end(struct lasso_shrinker *x, const uint64_t *state) {
  struct sys *sys = x->config->sys;
  struct sys_fault f = sys->check(sys, state);
  return f.kind == SYS_PROPERTY && f.id == x->trace->id;
}

// The successors in the buffer, of state `source` (its id plus one; 0: of none). The id of the
// first that is the goal, or STORE_ABSENT.
static uint64_t take_in(struct lasso_shrinker *x, uint64_t source, goal_is *is_goal, bool *full) {
  struct terrain_tools *u = &x->tools;
  for (size_t i = 0; i < u->out.count; i++) {
    const uint64_t *state = u->out.words + i * x->words;
    uint64_t id;
    if (u->out.steps[i].site) continue;
    enum store_answer answer = store_insert(x->states, state, &id);
    if (answer == STORE_FULL) *full = true;
    if (answer != STORE_NEW) continue;
    *(uint64_t *)store_payload(x->states, id) = source;
    if (is_goal(x, state)) return id;
  }
  return STORE_ABSENT;
}

static void note_near(struct lasso_shrinker *x, uint64_t id) {
  struct sys *sys = x->config->sys;
  if (x->near.count < TRIES_NEAR && sys->accepts(sys, x->tools.state)) VEC_PUSH(&x->near, id);
}

// From what is in the buffer, at most so many steps (those to what is in the buffer are none): the
// id of the goal in x->states, or STORE_ABSENT. Ids are the queue.
static uint64_t look(struct lasso_shrinker *x, goal_is *is_goal, size_t steps_max, bool notes) {
  bool full = false;
  store_free(x->states);
  x->states = store_for(x);
  uint64_t end = take_in(x, 0, is_goal, &full), level = store_count(x->states), depth = 0;
  for (uint64_t next = 0; end == STORE_ABSENT && next < store_count(x->states); next++) {
    if (next == level) {
      level = store_count(x->states);
      depth++;
    }
    if (depth == steps_max || full || !terrain_goes_on(&x->tools)) return STORE_ABSENT;
    store_get(x->states, next, x->tools.state);
    if (notes) note_near(x, next);
    terrain_expand(&x->tools);
    end = take_in(x, next + 1, is_goal, &full);
  }
  return end;
}

// The way by which a state was reached in a search, into x->next; `before` (if given) leads to its
// first state.
static void read_way(struct lasso_shrinker *x, struct store *states, uint64_t id,
                     const uint64_t *before) {
  x->next.count = 0;
  for (uint64_t at = id + 1; at; at = *(uint64_t *)store_payload(states, at - 1)) {
    store_get(states, at - 1, x->tools.state);
    way_add(&x->next, x->tools.state, x->words);
  }
  if (before) way_add(&x->next, before, x->words);
  way_reverse(x, &x->next);
}

// A cycle from this state of fewer steps than so many, into x->next.
static bool find_cycle(struct lasso_shrinker *x, const uint64_t *state, size_t below) {
  if (below < 2) return false;
  words_copy(x->tools.state, state, x->words);
  terrain_expand(&x->tools);
  x->target = state;
  uint64_t end = look(x, is_target, below - 2, false);
  if (end == STORE_ABSENT) return false;
  read_way(x, x->states, end, state);
  return true;
}

// --- the found one ---

// The successor (or start) in the buffer to which a step leads, with the automaton in that state;
// SIZE_MAX: there is none. If edges, not states, accept there may be two: one that accepts.
static size_t step_to(struct lasso_shrinker *x, struct trace_step step, uint32_t claim) {
  struct sys *sys = x->config->sys;
  const struct sys_out *o = &x->tools.out;
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < o->count; i++) {
    const struct sys_step *s = &o->steps[i];
    const uint64_t *state = o->words + i * x->words;
    if (s->site || s->instance != step.instance || s->choice != step.choice) continue;
    if (sys->claim(sys, state) != claim) continue;
    if (sys->accepts(sys, state)) return i;
    found = i;
  }
  return found;
}

// Goes along the trace. False: it does not lead where it says, or time is up.
static bool walk(struct lasso_shrinker *x) {
  struct terrain_tools *u = &x->tools;
  const struct trace *t = x->trace;
  struct trace_step step = {t->start_instance, t->start_choice};
  terrain_starts(u);
  for (size_t i = 0; i <= t->steps.count; i++) {
    size_t k = step_to(x, step, t->claims.data[i]);
    if (k == SIZE_MAX || !terrain_goes_on(u)) return false;
    way_add(&x->found, u->out.words + k * x->words, x->words);
    words_copy(u->state, way_at(x, &x->found, i), x->words);
    if (i == t->steps.count) break;
    step = t->steps.data[i];
    terrain_expand(u);
  }
  return words_same(way_at(x, &x->found, t->loop_start), u->state, x->words);
}

static void use_found(struct lasso_shrinker *x, size_t at) {
  size_t first = x->trace->loop_start, last = x->trace->steps.count;
  x->prefix.count = x->cycle.count = 0;
  for (size_t i = 0; i <= at; i++) way_add(&x->prefix, way_at(x, &x->found, i), x->words);
  for (size_t i = at; i <= last; i++) way_add(&x->cycle, way_at(x, &x->found, i), x->words);
  for (size_t i = first + 1; i <= at; i++) way_add(&x->cycle, way_at(x, &x->found, i), x->words);
}

// The shortest of the cycles through some accepting states of the one that was found.
static void shorten_cycle(struct lasso_shrinker *x) {
  struct sys *sys = x->config->sys;
  size_t first = x->trace->loop_start, last = x->trace->steps.count;
  size_t stride = (last - first + TRIES_CYCLE - 1) / TRIES_CYCLE, due = first;
  use_found(x, first);
  for (size_t i = first; i < last; i++) {
    const uint64_t *state = way_at(x, &x->found, i);
    if (i < due || !sys->accepts(sys, state)) continue;
    due = i + stride;
    if (!find_cycle(x, state, x->cycle.count - 1)) continue;
    use_found(x, i);
    way_swap(&x->cycle, &x->next);
  }
}

// --- the way there ---

static void hold_cycle(struct lasso_shrinker *x) {
  uint64_t id;
  x->on_cycle = store_for(x);
  for (size_t i = 0; i < x->cycle.count; i++)
    store_insert(x->on_cycle, way_at(x, &x->cycle, i), &id);
}

// Turns the cycle so that it begins with the last state of the prefix.
static void turn_cycle(struct lasso_shrinker *x) {
  const uint64_t *last = way_at(x, &x->prefix, x->prefix.count - 1);
  size_t steps = x->cycle.count - 1, at = 0;
  while (!words_same(way_at(x, &x->cycle, at), last, x->words)) at++;
  x->next.count = 0;
  for (size_t i = 0; i <= steps; i++)
    way_add(&x->next, way_at(x, &x->cycle, (at + i) % steps), x->words);
  way_swap(&x->cycle, &x->next);
}

static void shorten_prefix(struct lasso_shrinker *x) {
  hold_cycle(x);
  x->near.count = 0;
  terrain_starts(&x->tools);
  uint64_t end = look(x, is_on_cycle, x->prefix.count - 1, true);
  x->seen = x->states;
  x->states = NULL;
  if (end == STORE_ABSENT) return;
  read_way(x, x->seen, end, NULL);
  way_swap(&x->prefix, &x->next);
  turn_cycle(x);
}

static size_t length(const struct lasso_shrinker *x) {
  return x->prefix.count + x->cycle.count - 2;
}

// Accepting states near the starts may have cycles that make up for all.
static void try_near(struct lasso_shrinker *x) {
  for (size_t i = 0; i < x->near.count; i++) {
    read_way(x, x->seen, x->near.data[i], NULL);
    way_swap(&x->before, &x->next);
    size_t steps = x->before.count - 1;
    if (steps >= length(x)) return;
    if (!find_cycle(x, way_at(x, &x->before, steps), length(x) - steps)) continue;
    way_swap(&x->cycle, &x->next);
    way_swap(&x->prefix, &x->before);
  }
}

// --- as a trace ---

static void put_step(struct lasso_shrinker *x, const uint64_t *to, bool start) {
  struct sys *sys = x->config->sys;
  struct trace *t = &x->made;
  if (start)
    terrain_starts(&x->tools);
  else
    terrain_expand(&x->tools);
  const struct sys_step *step = search_step_to(&x->tools.out, to);
  assert(step && "ways have real edges");
  if (start) {
    t->start_instance = step->instance;
    t->start_choice = step->choice;
  } else {
    VEC_PUSH(&t->steps, ((struct trace_step){step->instance, step->choice}));
  }
  VEC_PUSH(&t->claims, sys->claim(sys, to));
  words_copy(x->tools.state, to, x->words);
}

// The trace stays as it is until the new one is complete.
static void take(struct lasso_shrinker *x) {
  struct trace *t = x->trace, old = *t;
  x->tools.until = 0; // what is found is kept
  for (size_t i = 0; i < x->prefix.count; i++) put_step(x, way_at(x, &x->prefix, i), i == 0);
  for (size_t i = 1; i < x->cycle.count; i++) put_step(x, way_at(x, &x->cycle, i), false);
  if (!t->found_steps) t->found_steps = t->steps.count;
  if (t->has_loop) t->loop_start = x->prefix.count - 1;
  t->start_instance = x->made.start_instance;
  t->start_choice = x->made.start_choice;
  t->steps = x->made.steps;
  t->claims = x->made.claims;
  x->made = old;
}

static void shrink_cycle(struct lasso_shrinker *x) {
  if (!walk(x)) return;
  shorten_cycle(x);
  shorten_prefix(x);
  try_near(x);
  if (length(x) < x->trace->steps.count) take(x);
}

static void shrink_end(struct lasso_shrinker *x) {
  size_t steps = x->trace->steps.count;
  terrain_starts(&x->tools);
  uint64_t end = steps > 0 ? look(x, is_end, steps - 1, false) : STORE_ABSENT;
  if (end == STORE_ABSENT) return;
  read_way(x, x->states, end, NULL);
  way_swap(&x->prefix, &x->next);
  if (x->prefix.count - 1 < steps) take(x);
}

static void shrinker_free(struct lasso_shrinker *x) {
  terrain_tools_clear(&x->tools);
  store_free(x->states);
  store_free(x->on_cycle);
  store_free(x->seen);
  trace_clear(&x->made);
  mem_free(x->before.words);
  mem_free(x->found.words);
  mem_free(x->prefix.words);
  mem_free(x->cycle.words);
  mem_free(x->next.words);
  VEC_CLEAR(&x->near);
  mem_free(x);
}

void lasso_shrink(struct trace *t, const struct shrink_config *c) {
  assert(c->sys->accepts && t->claims.count == t->steps.count + 1);
  struct lasso_shrinker *x = mem_zalloc(1, sizeof *x); // on the heap: its fields survive the jump
  x->config = c;
  x->trace = t;
  x->words = c->sys->words;
  struct mem_boundary boundary;
  if (!mem_boundary_enter(&boundary)) { // else: out of memory, the lasso is as short as it is
    if (c->seconds > 0) x->tools.until = clock_seconds() + c->seconds;
    terrain_tools_init(&x->tools, c->sys, NULL);
    if (t->has_loop)
      shrink_cycle(x);
    else
      shrink_end(x);
    mem_boundary_leave(&boundary);
  }
  shrinker_free(x);
}
