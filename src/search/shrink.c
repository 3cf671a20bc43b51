// SPDX-License-Identifier: Apache-2.0
// Shrinking a trace, by two searches that take turns, each turn longer than the one before.
//
// Far: breadth first from the starts; when it comes to an end of the wanted kind, or has gone as
// far as the trace is long, no trace is shorter, and all is done.
// Near: a plan neighbourhood graph search (Nakhost and Mueller, "Action Elimination and Plan
// Neighborhood Graph Search", ICAPS 2010). A store takes the states of the trace, then those near
// them: successors of all of them, of those, and so on. The shortest way through all these, and
// some more near the start, is the trace of the next turn. So loops and detours go at once,
// wherever they are, and the new way need not come back to the old one.
#include "search/shrink.h"

#include "search/lasso_shrink.h"
#include "search/terrain.h"

#ifdef FATHOM_SMALL
enum { TURN_FIRST = 8 };
#else
enum { TURN_FIRST = 4096 };
#endif
enum {
  TURN_GROWTH = 2,
  FAR_PER_NEAR = 3
};                       // a turn near the trace expands a state up to three times
#define FAR_SHARE    0.4 // of the time that is left may go to this turn's search from the starts;
#define SPREAD_SHARE 0.6 // after so much of it nothing more is taken in near the trace,
#define ADD_SHARE    0.8 // and on the way through it
enum { FAR_MEMORY = 3, NEAR_MEMORY = 6 }; // one part in so many, the rest: queues

struct shrinker {
  const struct shrink_config *config;
  struct trace *trace; // the shortest so far
  struct trace next;   // being made
  struct ending ending;
  struct terrain_tools tools;
  struct terrain far, near;
  bool done;     // no trace is shorter
  bool too_long; // the trace does not fit into memory: nothing can be done near it
};

// When that share of the time that is left has passed.
static double share_of_time(const struct shrinker *x, double share) {
  if (x->tools.until == 0) return 0;
  double now = clock_seconds();
  return now + share * (x->tools.until - now);
}

// An end that is nearer than the trace's lies at most one step behind these; a deadlock is seen
// when its state is expanded.
static uint64_t depths(const struct trace *t) {
  return t->steps.count - (t->end != TRACE_DEADLOCK);
}

static void take(struct shrinker *x, struct terrain *r) {
  struct trace *t = x->trace, *next = &x->next, before = *t;
  next->steps.count = 0;
  terrain_way(r, next);
  assert(next->steps.count < t->steps.count);
  if (!t->found_steps) t->found_steps = t->steps.count;
  t->start_instance = next->start_instance;
  t->start_choice = next->start_choice;
  t->steps = next->steps;
  next->steps = before.steps;
}

// --- the trace ---

// Goes to the successor (or start) in the buffer that a step names.
static bool follow(struct terrain_tools *u, uint32_t instance, uint32_t choice) {
  for (size_t i = 0; i < u->out.count; i++) {
    const struct sys_step *s = &u->out.steps[i];
    if (s->site || s->instance != instance || s->choice != choice) continue;
    words_copy(u->state, u->out.words + i * u->sys->words, u->sys->words);
    return true;
  }
  return false;
}

// All steps were taken but one that fails.
static bool ends_right(struct shrinker *x) {
  struct terrain_tools *u = &x->tools;
  const struct trace *t = x->trace;
  if (t->end != TRACE_DEADLOCK && !ending_in_step(t))
    return ending_marks(&x->ending, u->state) & ENDING_IS;
  terrain_expand(u);
  if (t->end == TRACE_DEADLOCK) return ending_deadlock(&x->ending, u->state, &u->out);
  const struct trace_step *last = &VEC_TOP(&t->steps);
  for (size_t i = 0; i < u->out.count; i++) {
    const struct sys_step *s = &u->out.steps[i];
    if (s->instance == last->instance && s->choice == last->choice) return s->site == t->id;
  }
  return false;
}

static bool pass(struct shrinker *x, struct terrain *r) {
  if (!r) return true;
  return terrain_goes_on(&x->tools) && terrain_put(r, x->tools.state) != STORE_ABSENT;
}

// Walks along the trace; its states go to `r` (NULL: nowhere). False: it does not lead where it
// says, there was no room or no time.
static bool walk(struct shrinker *x, struct terrain *r) {
  const struct trace *t = x->trace;
  size_t steps = t->steps.count - ending_in_step(t);
  terrain_starts(&x->tools);
  if (!follow(&x->tools, t->start_instance, t->start_choice) || !pass(x, r)) return false;
  for (size_t i = 0; i < steps; i++) {
    const struct trace_step *s = &t->steps.data[i];
    terrain_expand(&x->tools);
    if (!follow(&x->tools, s->instance, s->choice) || !pass(x, r)) return false;
  }
  return ends_right(x);
}

// --- turns ---

// Takes in so many states more.
static void look_far(struct shrinker *x, uint64_t size) {
  struct terrain *r = &x->far;
  if (r->full) return;
  r->room += size;
  enum terrain_rest rest = terrain_search(r, depths(x->trace), true, share_of_time(x, FAR_SHARE));
  // a cut level may hide a shorter way
  if (rest == TERRAIN_PAUSED || (r->cut && r->end == STORE_ABSENT)) return;
  if (r->end != STORE_ABSENT) take(x, r);
  x->done = true;
}

// True: the trace is shorter.
static bool look_near(struct shrinker *x, uint64_t size) {
  struct terrain *r = &x->near;
  terrain_clear(r);
  terrain_init(r, &x->tools, x->config->mem_bytes / NEAR_MEMORY);
  double spread_until = share_of_time(x, SPREAD_SHARE), add_until = share_of_time(x, ADD_SHARE);
  if (!walk(x, r)) {
    x->too_long = r->full;
    x->tools.stopped |= !r->full;
    return false;
  }
  r->room = store_count(r->store) + size;
  terrain_spread(r, spread_until);
  r->room = store_count(r->store) + size;
  terrain_begin(r);
  terrain_search(r, depths(x->trace), false, add_until);
  if (r->end == STORE_ABSENT) return false;
  take(x, r);
  return true;
}

// Until no trace is shorter, or memory is used up and what fits brings nothing more.
static void take_turns(struct shrinker *x) {
  uint64_t size = TURN_FIRST, length = x->trace->steps.count;
  terrain_init(&x->far, &x->tools, x->config->mem_bytes / FAR_MEMORY);
  terrain_begin(&x->far);
  // to walk along a long trace takes as long as to look at so many states
  look_far(x, length > FAR_PER_NEAR * size ? length : FAR_PER_NEAR * size);
  while (!x->done && !x->tools.stopped) {
    bool shorter = !x->too_long && look_near(x, size);
    if (x->tools.stopped || (x->near.full && x->far.full && !shorter)) return;
    if (!x->near.full) size *= TURN_GROWTH;
    look_far(x, FAR_PER_NEAR * size);
  }
}

// --- the whole ---

static void shrinker_free(struct shrinker *x) {
  terrain_clear(&x->far);
  terrain_clear(&x->near);
  terrain_tools_clear(&x->tools);
  ending_clear(&x->ending);
  trace_clear(&x->next);
  mem_free(x);
}

void shrink_trace(struct trace *t, const struct shrink_config *c) {
  if (t->steps.count == 0 || t->end == TRACE_WITNESS || interrupt_pending()) return;
  if (t->claims.count > 0) {
    lasso_shrink(t, c);
    return;
  }
  // A loop without claims: nobody says what is wrong with it. A step of a product does not tell
  // where the automaton goes, so that a failure found there cannot be walked to.
  if (t->has_loop || c->sys->accepts) return;
  struct shrinker *x = mem_zalloc(1, sizeof *x); // on the heap: its fields survive the jump
  x->config = c;
  x->trace = t;
  struct mem_boundary boundary;
  if (!mem_boundary_enter(&boundary)) { // else: out of memory, the trace is as short as it is
    if (c->seconds > 0) x->tools.until = clock_seconds() + c->seconds;
    ending_init(&x->ending, c, t);
    terrain_tools_init(&x->tools, c->sys, &x->ending);
    take_turns(x);
    bool leads_there = !t->found_steps || walk(x, NULL);
    assert(leads_there && "a shorter trace ends as the one that was found");
    (void)leads_there;
    mem_boundary_leave(&boundary);
  }
  shrinker_free(x);
}
