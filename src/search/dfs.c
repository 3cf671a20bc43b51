// SPDX-License-Identifier: Apache-2.0
// Depth-first search with a stack of its own. The successors still to be visited of every state on
// the path lie one above the other in one buffer; the path is the trace. With several threads each
// has a stack, and who has nothing left gets something from the bottom of another's (share.c).
//
// A state first reached at the depth limit is not expanded, and not either when a shorter path
// comes to it later. So a search that cut anything says unknown(depth), and claims no depth as
// complete.
#include "search/dfs.h"

#include "reduce/reduce.h"
#include "search/workers.h"
#include "store/store.h"

#ifdef FATHOM_SMALL
enum { ALONE = 4 };
#else
enum { ALONE = 2000 }; // rounds before there are threads: many a model is done by then
#endif

// `at` counts the steps from the start; the state is that which frame `at - rise` is visiting.
static void dfs_path(struct search_worker *w, uint64_t at, struct trace *t) {
  const struct dfs *d = w->own;
  assert(at >= d->rise + d->bottom && at <= dfs_depth(d));
  t->steps.data = mem_alloc(at * sizeof *t->steps.data);
  t->steps.count = t->steps.capacity = at;
  path_copy(d->path, t);
  for (size_t i = d->bottom; i + d->rise <= at; i++) path_put(t, i + d->rise, dfs_step(d, i));
}

// --- visiting ---

static inline void keep(struct sys_out *o, size_t *kept, size_t i, size_t words) {
  if (*kept != i) {
    words_copy(o->words + *kept * words, o->words + i * words, words);
    o->steps[*kept] = o->steps[i];
  }
  ++*kept;
}

// Takes the faults out of the buffer from `begin` on; reports them unless told not to.
static bool sift_faults(struct search_worker *w, size_t begin, uint64_t at, bool quiet) {
  struct sys_out *o = &((struct dfs *)w->own)->out;
  size_t kept = begin, count = o->count;
  while (kept < count && !o->steps[kept].site) kept++; // mostly all
  for (size_t i = kept; i < count; i++) {
    if (!o->steps[i].site)
      keep(o, &kept, i, w->search->words);
    else if (!quiet)
      search_fault(w, &o->steps[i], at);
  }
  o->count = kept;
  return kept < count;
}

// Looks up which states of the buffer are known.
const uint64_t *dfs_seek(struct search_worker *w, size_t begin, size_t count) {
  struct dfs *d = w->own;
  if (count > d->capacity) {
    d->capacity = count + count / 2;
    d->ids = mem_realloc(d->ids, d->capacity * sizeof *d->ids);
  }
  store_seek_batch(w->writer, d->out.words + begin * w->search->words, count, d->ids);
  return d->ids;
}

// Takes out the successors that are known already; says how many.
static size_t sift_known(struct search_worker *w, size_t begin) {
  struct dfs *d = w->own;
  size_t count = d->out.count - begin, kept = begin;
  const uint64_t *ids = dfs_seek(w, begin, count);
  for (size_t i = 0; i < count; i++)
    if (ids[i] == STORE_ABSENT) keep(&d->out, &kept, begin + i, w->search->words);
  d->out.count = kept;
  return begin + count - kept;
}

// --- partial order reduction ---

// May the other steps of the state wait until this successor has been expanded? One that is not on
// the path, which the state itself is about to join, will be left before this state is; one that is
// not known is reached later than this state. Either way who waits for whom never goes round in a
// circle.
static bool leads_ahead(const struct dfs *d, size_t i, uint64_t id, size_t words) {
  const uint64_t *state = d->out.words + i * words;
  if (id == STORE_ABSENT) return true;
  return d->onpath && !words_same(state, d->state, words) && !onpath_has(d->onpath, state, words);
}

static void keep_group(struct search_worker *w, size_t begin, unsigned group) {
  struct sys_out *o = &((struct dfs *)w->own)->out;
  size_t kept = begin, count = o->count;
  for (size_t i = begin; i < count; i++)
    if (ample_has(w->search->config->ample, group, o->steps[i].instance))
      keep(o, &kept, i, w->search->words);
  o->count = kept;
  w->reduced += kept < count;
}

// Of the successors from `begin` on those of a group, if one of them leads ahead.
static void reduce(struct search_worker *w, size_t begin, uint64_t groups) {
  struct dfs *d = w->own;
  const uint64_t *ids = groups ? dfs_seek(w, begin, d->out.count - begin) : NULL;
  for (; groups; groups &= ~(UINT64_C(1) << ample_next(groups)))
    for (size_t i = begin; i < d->out.count; i++)
      if (ample_has(w->search->config->ample, ample_next(groups), d->out.steps[i].instance) &&
          leads_ahead(d, i, ids[i - begin], w->search->words))
        return keep_group(w, begin, ample_next(groups));
}

// Faults are still among the successors.
static uint64_t groups_of(struct search_worker *w, size_t begin) {
  struct dfs *d = w->own;
  const struct ample *a = w->search->config->ample;
  if (!a || d->out.count - begin < 2) return 0;
  return ample_groups(a, &d->out, begin, w->sys->ample(w->sys, d->state));
}

static void descend(struct search_worker *w, size_t begin) {
  struct dfs *d = w->own;
  if (d->onpath) onpath_add(d->onpath, d->state, w->search->words);
  VEC_PUSH(&d->frames, ((struct frame){begin, begin}));
}

// Leaves the top frame.
static void ascend(struct search_worker *w) {
  struct dfs *d = w->own;
  size_t words = w->search->words, top = dfs_top(d);
  d->out.count = d->frames.data[top].first;
  if (d->onpath && top > 0)
    onpath_remove(d->onpath, d->out.words + (d->frames.data[top - 1].next - 1) * words, words);
  d->frames.count--;
}

// --- expanding ---

// Expands the state being visited. At the depth limit it is only looked at: had it led to anything
// new, to a fault or a deadlock, the search was cut here.
static void expand(struct search_worker *w) {
  struct dfs *d = w->own;
  struct sys_out *o = &d->out;
  uint64_t limit = w->search->config->budget.depth_max;
  bool at_limit = limit && dfs_depth(d) == limit;
  size_t begin = o->count;
  o->first = begin; // the stack lies below
  o->fired = 0;
  o->moved = false;
  w->sys->expand(w->sys, d->state, o);
  uint64_t groups = at_limit ? 0 : groups_of(w, begin);
  bool faulty = sift_faults(w, begin, dfs_depth(d), at_limit);
  bool deadlock = search_is_deadlock(w, d->state, o->fired, o->moved, faulty);
  if (!at_limit) search_count_fired(w, o, begin, o->count);
  if (groups) reduce(w, begin, groups);
  size_t known = sift_known(w, begin);
  if (at_limit && (faulty || deadlock || o->count > begin)) {
    d->cut = true;
    o->count = begin;
    return;
  }
  if (at_limit) search_count_fired(w, o, begin, begin + known); // none was taken out, none moved
  w->expanded++;
  w->transitions += o->fired;
  w->revisits += known;
  search_covers(w, o->covers);
  if (deadlock) search_deadlock(w, dfs_depth(d));
  descend(w, begin);
}

static void visit(struct search_worker *w, size_t i) {
  struct dfs *d = w->own;
  uint64_t id;
  words_copy(d->state, d->out.words + i * w->search->words, w->search->words);
  enum store_answer answer;
  if (store_write_batch(w->writer, d->state, 1, &answer, &id) == 0) {
    search_full(w->search);
    return;
  }
  if (answer == STORE_OLD) {
    w->revisits += dfs_depth(d) > 0;
    return;
  }
  if (dfs_depth(d) > w->depth) w->depth = dfs_depth(d);
  search_count_fresh(w, &d->out.steps[i], dfs_depth(d) == 0, id);
  if (search_check(w, d->state, dfs_depth(d)) && !search_stopped(w->search)) expand(w);
}

// --- walking ---

bool dfs_look(struct search_worker *w) {
  struct dfs *d = w->own;
  size_t each = w->search->words * sizeof(uint64_t) + sizeof(struct sys_step);
  size_t stack = d->out.count * each + d->frames.count * sizeof(struct frame);
  if (stack > d->stack_bytes_most) d->stack_bytes_most = stack;
  w->buffer_bytes = d->stack_bytes_most; // what was never touched takes no memory
  if (d->onpath) w->buffer_bytes += onpath_bytes(d->onpath);
  if (d->steal && w->number == 0) w->buffer_bytes += d->steal->held;
  w->queue = d->out.count;
  return search_goes_on(w);
}

static bool goes_on(struct search_worker *w) {
  struct dfs *d = w->own;
  d->rounds++;
  if (search_stopped(w->search) || !search_pace_due(&d->pace)) return !search_stopped(w->search);
  return dfs_look(w);
}

static void walk(struct search_worker *w) {
  struct dfs *d = w->own;
  while (d->frames.count > d->bottom && d->rounds < d->rounds_max && goes_on(w)) {
    if (d->steal && steal_wanted(d->steal)) dfs_share(w);
    struct frame *f = &VEC_TOP(&d->frames);
    if (f->next == d->out.count)
      ascend(w);
    else
      visit(w, f->next++);
  }
}

// --- beginning and end ---

static void dfs_free(struct dfs *d, struct steal *s) {
  if (!d) return;
  if (d->path) path_drop(d->path, &s->held);
  if (d->parcel) dfs_drop(s, &d->parcel->base);
  sys_out_clear(&d->out);
  VEC_CLEAR(&d->frames);
  onpath_free(d->onpath);
  mem_free(d->state);
  mem_free(d->ids);
  mem_free(d);
}

static void dfs_clear(struct search *s) {
  for (unsigned i = 0; i < s->worker_count; i++) dfs_free(s->workers[i]->own, s->own);
  steal_free(s->own);
}

static struct dfs *dfs_new(struct search_worker *w) {
  struct dfs *d = mem_zalloc(1, sizeof *d);
  w->own = d;
  d->rounds_max = UINT64_MAX;
  search_out_init(w->search, &d->out);
  d->state = mem_alloc(w->search->words * sizeof *d->state);
  return d;
}

// What a worker writes to it allocates in its own thread, so that no two share a line of the cache.
static void work(struct search_worker *w) {
  struct dfs *d = w->own ? w->own : dfs_new(w);
  d->steal = w->search->own;
  d->rounds_max = UINT64_MAX;
  do walk(w);
  while (!search_stopped(w->search) && dfs_receive(w));
  if (search_stopped(w->search)) steal_end(d->steal);
}

// What lies on the path of one is no matter of course to the others: only states that are not known
// lead ahead from now on.
static void walk_together(struct search *s) {
  struct dfs *d = s->workers[0]->own;
  onpath_free(d->onpath);
  d->onpath = NULL;
  workers_start(s);
  s->own = steal_new(s->worker_count, dfs_drop);
  workers_together(s, work);
}

static bool any_cut(const struct search *s) {
  bool cut = false;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct dfs *d = s->workers[i]->own;
    cut |= d && d->cut;
  }
  return cut;
}

void search_dfs(struct search *s) {
  if (s->config->deterministic) s->threads = 1;
  s->own_clear = dfs_clear;
  s->found = search_report;
  s->path = dfs_path;
  struct search_worker *w = s->workers[0];
  struct dfs *d = dfs_new(w);
  if (s->config->ample) d->onpath = onpath_new();
  if (s->threads > 1) d->rounds_max = ALONE;
  search_starts(w, &d->out);
  sift_faults(w, 0, SEARCH_NOWHERE, false);
  VEC_PUSH(&d->frames, ((struct frame){0}));
  workers_alone(s, walk);
  if (d->frames.count > 0 && !search_stopped(s)) walk_together(s);
  if (any_cut(s)) search_stop(s, "depth");
  for (unsigned i = 0; i < s->worker_count; i++)
    if (s->workers[i]->own)
      s->result->stats.stack_bytes += ((const struct dfs *)s->workers[i]->own)->stack_bytes_most;
}
