// SPDX-License-Identifier: Apache-2.0
// Depth-first search with a stack of its own. The successors still to be visited of every state on
// the path lie one above the other in one buffer; the path is the trace.
//
// A state first reached at the depth limit is not expanded, and not either when a shorter path
// comes to it later. So a search that cut anything says unknown(depth), and claims no depth as
// complete.
#include "search/common.h"

#include "store/store.h"
#include "sys/sys.h"

enum { LOOK_EVERY = 64 }; // visits between two looks at the budget

// A state on the path: its successors are first, first + 1, ... up to those of the frame above. The
// one before `next` is the state of the frame above, or is being visited.
struct frame {
  size_t first, next;
};

struct dfs {
  struct sys_out out;       // all frames' successors
  VEC(struct frame) frames; // [0]: the start states
  uint64_t *state;          // being visited
  uint64_t *ids;
  size_t capacity; // of ids
  uint64_t rounds; // of the loop
  bool cut;
};

static void dfs_clear(struct search *s) {
  struct dfs *d = s->own;
  sys_out_clear(&d->out);
  VEC_CLEAR(&d->frames);
  mem_free(d->state);
  mem_free(d->ids);
  mem_free(d);
}

// `at` counts the steps from the start; the state is that which frame `at` is visiting.
static void dfs_path(struct search *s, uint64_t at, struct trace *t) {
  struct dfs *d = s->own;
  assert(at < d->frames.count);
  const struct sys_step *start = &d->out.steps[d->frames.data[0].next - 1];
  t->start_instance = start->instance;
  t->start_choice = start->choice;
  for (uint64_t i = 1; i <= at; i++) {
    const struct sys_step *step = &d->out.steps[d->frames.data[i].next - 1];
    VEC_PUSH(&t->steps, ((struct trace_step){step->instance, step->choice}));
  }
}

static uint64_t depth(const struct dfs *d) { return d->frames.count - 1; }

static void keep(struct sys_out *o, size_t *kept, size_t i, size_t words) {
  if (*kept != i) {
    search_copy(o->words + *kept * words, o->words + i * words, words);
    o->steps[*kept] = o->steps[i];
  }
  ++*kept;
}

// Takes the faults out of the buffer from `begin` on; reports them unless told not to.
static bool sift_faults(struct search *s, size_t begin, uint64_t at, bool quiet) {
  struct dfs *d = s->own;
  size_t kept = begin, count = d->out.count;
  for (size_t i = begin; i < count; i++) {
    if (!d->out.steps[i].site)
      keep(&d->out, &kept, i, s->words);
    else if (!quiet)
      search_fault(s, &d->out.steps[i], at);
  }
  d->out.count = kept;
  return kept < count;
}

// Takes out the successors that are known already; says how many.
static size_t sift_known(struct search *s, size_t begin) {
  struct dfs *d = s->own;
  size_t count = d->out.count - begin, kept = begin;
  if (count > d->capacity) {
    d->capacity = count + count / 2;
    d->ids = mem_realloc(d->ids, d->capacity * sizeof *d->ids);
  }
  store_find_batch(s->store, d->out.words + begin * s->words, count, d->ids);
  for (size_t i = 0; i < count; i++)
    if (d->ids[i] == STORE_ABSENT) keep(&d->out, &kept, begin + i, s->words);
  d->out.count = kept;
  return begin + count - kept;
}

// Expands the state being visited. At the depth limit it is only looked at: had it led to anything
// new, to a fault or a deadlock, the search was cut here.
static void expand(struct search *s) {
  struct dfs *d = s->own;
  struct sys_out *o = &d->out;
  uint64_t limit = s->config->budget.depth_max;
  bool at_limit = limit && depth(d) == limit;
  size_t begin = o->count;
  o->fired = 0;
  o->moved = false;
  s->sys->expand(s->sys, d->state, o);
  bool faulty = sift_faults(s, begin, depth(d), at_limit);
  bool deadlock = search_is_deadlock(s, d->state, o->fired, o->moved, faulty);
  size_t known = sift_known(s, begin);
  if (at_limit && (faulty || deadlock || o->count > begin)) {
    d->cut = true;
    o->count = begin;
    return;
  }
  s->expanded++;
  s->result->stats.transitions += o->fired;
  s->result->stats.revisits += known;
  search_covers(s, o->covers);
  if (deadlock) search_deadlock(s, depth(d));
  VEC_PUSH(&d->frames, ((struct frame){begin, begin}));
}

static void visit(struct search *s, size_t i) {
  struct dfs *d = s->own;
  uint64_t id;
  search_copy(d->state, d->out.words + i * s->words, s->words);
  switch (store_insert(s->store, d->state, &id)) {
  case STORE_FULL: search_full(s); return;
  case STORE_OLD: s->result->stats.revisits += depth(d) > 0; return;
  case STORE_NEW: break;
  }
  if (depth(d) > s->result->stats.depth) s->result->stats.depth = depth(d);
  if (search_check(s, d->state, depth(d)) && !s->stop) expand(s);
}

static bool goes_on(struct search *s) {
  struct dfs *d = s->own;
  if (s->stop || d->rounds++ % LOOK_EVERY != 0) return !s->stop;
  size_t each = s->words * sizeof(uint64_t) + sizeof(struct sys_step);
  s->buffer_bytes = d->out.capacity * each + d->frames.capacity * sizeof(struct frame);
  s->queue = d->out.count;
  return search_goes_on(s);
}

static void dfs_init(struct search *s) {
  struct dfs *d = mem_zalloc(1, sizeof *d);
  s->own = d;
  s->own_clear = dfs_clear;
  s->path = dfs_path;
  sys_out_init(&d->out, s->words, s->result->properties.count);
  d->state = mem_alloc(s->words * sizeof *d->state);
}

void search_dfs(struct search *s) {
  dfs_init(s);
  struct dfs *d = s->own;
  search_starts(s, &d->out);
  sift_faults(s, 0, SEARCH_NOWHERE, false);
  VEC_PUSH(&d->frames, ((struct frame){0, 0}));
  while (d->frames.count > 0 && goes_on(s)) {
    struct frame *top = &VEC_TOP(&d->frames);
    if (top->next == d->out.count) {
      d->out.count = top->first;
      d->frames.count--;
    } else {
      visit(s, top->next++);
    }
  }
  if (d->cut) search_stop(s, "depth");
}
