// SPDX-License-Identifier: Apache-2.0
// States in a store, and a breadth-first search from the starts through them. Ids are consecutive
// in order of insertion, so that the store is the queue of terrain_spread; the search, which also
// comes to states that were there before it, has one of its own.
#include "search/terrain.h"

#include "ir/ir.h"

// --- tools ---

// Asked in the middle of a long expansion, which then ends the whole.
static bool expansion_goes_on(void *tools) {
  const struct terrain_tools *u = tools;
  return !interrupt_pending() && (u->until == 0 || clock_seconds() < u->until);
}

void terrain_tools_init(struct terrain_tools *u, struct sys *sys, struct ending *e) {
  u->sys = sys;
  u->ending = e;
  u->state = mem_zalloc(sys->words, sizeof *u->state);
  sys_out_init(&u->out, sys->words, sys->model->properties.count);
  if (sys->asking) *sys->asking = (struct sys_asking){expansion_goes_on, u};
}

void terrain_tools_clear(struct terrain_tools *u) {
  if (u->sys && u->sys->asking) u->sys->asking->goes_on = NULL;
  sys_out_clear(&u->out);
  mem_free(u->state);
  mem_free(u->ids);
  mem_free(u->answers);
}

static bool is_past(const struct terrain_tools *u, double until) {
  return until > 0 && u->now >= until;
}

bool terrain_goes_on(struct terrain_tools *u) {
  if (!search_pace_due(&u->pace)) return !u->stopped;
  sys_poll(u->sys);
  u->now = u->pace.last;
  u->stopped = u->stopped || interrupt_pending() || is_past(u, u->until);
  return !u->stopped;
}

void terrain_starts(struct terrain_tools *u) {
  sys_out_reset(&u->out);
  u->sys->starts(u->sys, &u->out);
}

void terrain_expand(struct terrain_tools *u) {
  sys_out_reset(&u->out);
  u->sys->expand(u->sys, u->state, &u->out);
}

// Takes those that fail out of the buffer, and makes room for the ids of the others.
static void sift(struct terrain_tools *u) {
  struct sys_out *o = &u->out;
  size_t words = u->sys->words, kept = 0;
  for (size_t i = 0; i < o->count; i++) {
    if (o->steps[i].site) continue;
    if (kept != i) words_copy(o->words + kept * words, o->words + i * words, words);
    o->steps[kept++] = o->steps[i];
  }
  o->count = kept;
  if (u->capacity >= o->capacity) return;
  u->capacity = 0;
  u->ids = mem_realloc(u->ids, o->capacity * sizeof *u->ids);
  u->answers = mem_realloc(u->answers, o->capacity * sizeof *u->answers);
  u->capacity = o->capacity;
}

// --- states ---

void terrain_init(struct terrain *r, struct terrain_tools *u, size_t mem_bytes) {
  *r = (struct terrain){.tools = u, .end = STORE_ABSENT};
  struct store_config c = {.kind = "exact",
                           .words = u->sys->words,
                           .bytes = u->sys->bytes,
                           .payload_bytes = sizeof(uint64_t),
                           .mem_bytes_max = mem_bytes};
  r->store = store_new(&c);
}

void terrain_clear(struct terrain *r) {
  store_free(r->store);
  VEC_CLEAR(&r->queue);
  *r = (struct terrain){0};
}

static uint64_t *payload(struct terrain *r, uint64_t id) { return store_payload(r->store, id); }

static bool has_room(const struct terrain *r) { return store_count(r->store) < r->room; }

uint64_t terrain_put(struct terrain *r, const uint64_t *state) {
  uint64_t id;
  switch (store_insert(r->store, state, &id)) {
  case STORE_NEW: *payload(r, id) = ending_marks(r->tools->ending, state); return id;
  case STORE_OLD: return id;
  case STORE_FULL: break;
  }
  r->full = true;
  return STORE_ABSENT;
}

// All that is in the buffer; ids say which.
static void put_all(struct terrain *r) {
  struct terrain_tools *u = r->tools;
  sift(u);
  size_t count = u->out.count, words = u->sys->words;
  size_t done = store_insert_batch(r->store, u->out.words, count, u->answers, u->ids);
  for (size_t i = 0; i < done; i++)
    if (u->answers[i] == STORE_NEW)
      *payload(r, u->ids[i]) = ending_marks(u->ending, u->out.words + i * words);
  if (done == count) return;
  r->full = true;
  store_find_batch(r->store, u->out.words + done * words, count - done, u->ids + done);
}

// Those that are here already.
static void find_all(struct terrain *r) {
  struct terrain_tools *u = r->tools;
  sift(u);
  store_find_batch(r->store, u->out.words, u->out.count, u->ids);
}

void terrain_spread(struct terrain *r, double until) {
  struct terrain_tools *u = r->tools;
  for (uint64_t id = 0; id < store_count(r->store) && has_room(r) && !r->full; id++) {
    if (!terrain_goes_on(u) || is_past(u, until)) return;
    if (*payload(r, id) & ENDING_BAD) continue;
    store_get(r->store, id, u->state);
    terrain_expand(u);
    put_all(r);
  }
}

// --- the search ---

// Those in the buffer were reached.
static void reach_all(struct terrain *r, uint64_t parent) {
  const struct terrain_tools *u = r->tools;
  for (size_t i = 0; i < u->out.count && r->end == STORE_ABSENT; i++) {
    uint64_t id = u->ids[i];
    if (id == STORE_ABSENT) {
      r->cut = true;
      continue;
    }
    uint64_t *marks = payload(r, id);
    if (*marks & TERRAIN_PARENT) continue;
    *marks |= (parent == STORE_ABSENT ? id : parent) + 1;
    if (*marks & ENDING_IS) r->end = id;
    if (!(*marks & ENDING_BAD)) VEC_PUSH(&r->queue, id);
  }
}

void terrain_begin(struct terrain *r) {
  terrain_starts(r->tools);
  put_all(r);
  reach_all(r, STORE_ABSENT);
  r->level_end = r->queue.count;
}

// Does the trace end at the state that was just expanded?
static bool ends_here(struct terrain *r, uint64_t id) {
  struct terrain_tools *u = r->tools;
  const struct sys_step *s = ending_step(u->ending, &u->out);
  if (!s && !ending_deadlock(u->ending, u->state, &u->out)) return false;
  r->end = id;
  r->has_step = s != NULL;
  if (s) r->step = (struct trace_step){s->instance, s->choice};
  return true;
}

static void visit(struct terrain *r, uint64_t id, bool adds) {
  store_get(r->store, id, r->tools->state);
  terrain_expand(r->tools);
  if (ends_here(r, id)) return;
  if (adds)
    put_all(r);
  else
    find_all(r);
  reach_all(r, id);
}

enum terrain_rest terrain_search(struct terrain *r, uint64_t depths, bool pauses, double until) {
  struct terrain_tools *u = r->tools;
  while (r->end == STORE_ABSENT && r->next < r->queue.count && r->depth < depths) {
    if (!terrain_goes_on(u)) return TERRAIN_PAUSED;
    bool adds = has_room(r) && !r->full && !is_past(u, until);
    if (!adds && pauses) return TERRAIN_PAUSED;
    visit(r, r->queue.data[r->next++], adds);
    if (r->next < r->level_end) continue;
    r->level_end = r->queue.count;
    r->depth++;
  }
  return TERRAIN_DONE;
}

// --- the way that it found ---

// The step in the buffer that leads to a state that is here.
static struct trace_step step_to(struct terrain *r, uint64_t id) {
  struct terrain_tools *u = r->tools;
  size_t words = u->sys->words, i = 0;
  store_get(r->store, id, u->state);
  while (u->out.steps[i].site || !words_same(u->out.words + i * words, u->state, words)) {
    i++;
    assert(i < u->out.count && "it was reached over one");
  }
  return (struct trace_step){u->out.steps[i].instance, u->out.steps[i].choice};
}

// The queue is used for the states of the way, from its end on.
void terrain_way(struct terrain *r, struct trace *t) {
  uint64_t id = r->end, parent;
  r->queue.count = 0;
  while ((parent = (*payload(r, id) & TERRAIN_PARENT) - 1) != id) {
    VEC_PUSH(&r->queue, id);
    id = parent;
  }
  terrain_starts(r->tools);
  struct trace_step start = step_to(r, id);
  t->start_instance = start.instance;
  t->start_choice = start.choice;
  while (r->queue.count > 0) {
    terrain_expand(r->tools);
    VEC_PUSH(&t->steps, step_to(r, VEC_POP(&r->queue)));
  }
  if (r->has_step) VEC_PUSH(&t->steps, r->step);
}
