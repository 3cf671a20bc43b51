// SPDX-License-Identifier: Apache-2.0
// IterBoundedDfs (Fig 2): explores all states within a bound, then those behind its frontier within
// the next bound, and so on. Workers take the nodes of a frontier by the chunk; an iteration ends
// when nobody has anything left. The result is complete to the bound of the last iteration that
// ended.
#include "search/bounded.h"

#include "search/saved_file.h"
#include "search/workers.h"

#ifdef FATHOM_SMALL
enum { ALONE = 4, CHUNK_MOST = 2 };
#else
enum {
  ALONE = 500,     // rounds of an iteration before others take part: many a one is over by then
  CHUNK_MOST = 64, // nodes taken at a time: neighbours have most of their path in common
};
#endif

enum { INCREMENT_MOST = 1 << 20, WIDE = 4 }; // that is picked; growth of the frontier

// --- workers ---

static struct bounder *bounder_new(struct search_worker *w) {
  struct bounder *b = mem_zalloc(1, sizeof *b);
  size_t words = w->search->words;
  w->own = b;
  b->rounds_max = UINT64_MAX;
  deltas_init(&b->path, words);
  search_out_init(w->search, &b->out);
  sys_out_init(&b->replay, words, w->search->result->properties.count);
  b->state = mem_alloc(words * sizeof *b->state);
  return b;
}

static void bounder_free(struct bounder *b, struct steal *steal) {
  if (!b) return;
  if (b->parcel) bounded_drop(steal, &b->parcel->base);
  deltas_clear(&b->path);
  bits_clear(&b->trace);
  sys_out_clear(&b->out);
  sys_out_clear(&b->replay);
  generation_clear(&b->made);
  VEC_CLEAR(&b->ancestors);
  VEC_CLEAR(&b->ancestor_bits);
  VEC_CLEAR(&b->frames);
  VEC_CLEAR(&b->pending);
  VEC_CLEAR(&b->lineage);
  VEC_CLEAR(&b->kept);
  mem_free(b->ids);
  mem_free(b->answers);
  mem_free(b->state);
  mem_free(b);
}

static void bounded_clear(struct search *s) {
  struct bounded *all = s->own;
  for (unsigned i = 0; i < s->worker_count; i++) bounder_free(s->workers[i]->own, all->steal);
  steal_free(all->steal);
  nodes_clear(&all->nodes);
  sys_out_clear(&all->starts);
  mem_free(all);
}

// --- the nodes of a frontier ---

static bool take_chunk(struct search_worker *w) {
  struct bounder *b = w->own;
  struct bounded *all = bounded_of(w);
  size_t count = nodes_last(&all->nodes)->count;
  if (all->next >= count) return false;
  size_t first = atomic_fetch_add(&all->next, all->chunk);
  b->chunk_next = first;
  b->chunk_end = first + all->chunk < count ? first + all->chunk : count;
  return first < count;
}

// Goes to the next node that waits. False: there is none, or the search is over.
static bool next_node(struct search_worker *w) {
  struct bounder *b = w->own;
  const struct generation *last = nodes_last(&bounded_of(w)->nodes);
  while (b->chunk_next < b->chunk_end || take_chunk(w)) {
    uint32_t node = (uint32_t)b->chunk_next++;
    if (payload_waits(*payload_at(w->search, last->ids.data[node]), last->bound))
      return bounded_getstate(w, node);
  }
  return false;
}

// Goes to the next node and explores it.
static bool explore_next(struct search_worker *w) {
  if (!next_node(w)) return false;
  bounded_explore_node(w);
  return true;
}

static bool may_go_on(const struct search_worker *w) {
  const struct bounder *b = w->own;
  return !search_stopped(w->search) && b->rounds < b->rounds_max;
}

// A worker's part of BoundedDfsFromFrontier.
static void work(struct search_worker *w) {
  struct bounder *b = w->own ? w->own : bounder_new(w);
  struct bounded *all = bounded_of(w);
  b->working = true;
  do {
    bounded_walk(w);
    while (may_go_on(w) && (bounded_next_item(w) || explore_next(w))) bounded_walk(w);
  } while (all->steal && !search_stopped(w->search) && bounded_receive(w));
  if (all->steal && search_stopped(w->search)) steal_end(all->steal);
  b->working = false;
}

static bool anything_left(const struct search_worker *w) {
  const struct bounder *b = w->own;
  const struct bounded *all = bounded_of(w);
  return b->frames.count > 0 || b->parcel || b->chunk_next < b->chunk_end ||
         all->next < nodes_last(&all->nodes)->count;
}

// --- iterations ---

static void begin_iteration(struct search *s, uint64_t bound) {
  struct bounded *all = s->own;
  size_t nodes = nodes_last(&all->nodes)->count, chunk = nodes / (s->threads * 16);
  all->bound = bound;
  all->next = 0;
  all->chunk = chunk < 1 ? 1 : chunk < CHUNK_MOST ? chunk : CHUNK_MOST;
}

static void note_sizes(struct search *s) {
  struct bounded *all = s->own;
  uint64_t count = nodes_count(&all->nodes), bytes = nodes_bytes(&all->nodes);
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounder *b = s->workers[i]->own;
    if (!b) continue;
    count += b->made.count;
    bytes += generation_bytes(&b->made);
  }
  if (count > all->nodes_most) all->nodes_most = count;
  if (bytes > all->nodes_bytes_most) all->nodes_bytes_most = bytes;
}

static void note_unwound(struct search *s) {
  struct bounded *all = s->own;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounder *b = s->workers[i]->own;
    all->unwound |= b && b->working;
  }
}

// What was given away and not taken, when the search was stopped, stays in all->steal.
static void together(struct search *s) {
  struct bounded *all = s->own;
  workers_start(s);
  all->steal = steal_new(s->worker_count, bounded_drop);
  workers_together(s, work);
  if (search_stopped(s)) return;
  steal_free(all->steal);
  all->steal = NULL;
}

// BoundedDfsFromFrontier.
static void from_frontier(struct search *s) {
  struct bounder *b = s->workers[0]->own;
  bool several = s->threads > 1;
  b->rounds_max = several ? b->rounds + ALONE : UINT64_MAX;
  workers_alone(s, work);
  b->rounds_max = UINT64_MAX;
  if (!search_stopped(s) && several && anything_left(s->workers[0])) together(s);
  note_unwound(s);
  note_sizes(s);
}

// The paths of the workers go through nodes that have another number now.
static void moved(void *context, size_t generation, const uint32_t *number) {
  struct search *s = context;
  for (unsigned i = 0; i < s->worker_count; i++) {
    struct bounder *b = s->workers[i]->own;
    if (!b || b->ancestors.count <= generation) continue;
    uint32_t *node = &b->ancestors.data[generation];
    *node = number[*node];
    if (*node == NODES_DROPPED) b->ancestors.count = b->ancestor_bits.count = generation;
  }
}

// The new frontier becomes the frontier.
static void advance(struct search *s) {
  struct bounded *all = s->own;
  struct generation **made = mem_alloc(s->worker_count * sizeof *made);
  size_t lists = 0;
  for (unsigned i = 0; i < s->worker_count; i++) {
    struct bounder *b = s->workers[i]->own;
    if (b) made[lists++] = &b->made;
  }
  struct nodes_advance how = {bounded_waits, moved, s};
  nodes_advance(&all->nodes, all->bound, made, lists, how);
  mem_free(made);
  note_sizes(s);
}

// Explores to this bound. False: the search was stopped on the way.
static bool iterate(struct search *s, uint64_t bound) {
  begin_iteration(s, bound);
  from_frontier(s);
  if (search_stopped(s)) return false;
  advance(s);
  return true;
}

// What lies behind a state that violates an invariant was not looked at. Such a state is farther
// than the bound before; how much is not known.
static void note_complete(struct search *s, uint64_t bound) {
  struct bounded *all = s->own;
  struct result *r = s->result;
  bool pruned = search_tally(s).pruned > 0;
  if (!all->pruned) r->depth_complete = pruned && bound > 0 ? r->depth_complete + 1 : bound;
  all->pruned = pruned;
  r->depth_known = true;
}

// --- at the last bound ---

static void probe(struct search_worker *w) {
  struct bounder *b = w->own ? w->own : bounder_new(w);
  struct bounded *all = bounded_of(w);
  while (!all->leads_on && bounded_look(w) && next_node(w))
    if (bounded_leads_on(w)) all->leads_on = true;
  b->chunk_next = b->chunk_end = 0;
}

// Does anything lie behind the last bound? If not, the frontier may be explored: the search is
// complete then.
static void end_at_bound(struct search *s, uint64_t bound) {
  struct bounded *all = s->own;
  begin_iteration(s, bound);
  workers_alone(s, probe);
  if (all->leads_on) search_stop(s, "depth");
  if (!search_stopped(s)) iterate(s, bound + 1);
}

// What iterations cost: the less they add to the bound, the more steps are replayed; the more they
// add, the more states are explored again.
struct cost {
  uint64_t expanded, reexplored, replayed;
  uint64_t waiting; // nodes
};

static struct cost cost_so_far(const struct search *s) {
  const struct bounded *all = s->own;
  struct cost c = {.waiting = nodes_last(&all->nodes)->count, .expanded = search_tally(s).expanded};
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounder *b = s->workers[i]->own;
    if (!b) continue;
    c.reexplored += b->reexplored;
    c.replayed += b->getstate_steps;
  }
  return c;
}

// The next increment, where the user gave none. Where the frontier grows fast an iteration that is
// too long would end with nothing to say.
static uint64_t adapt(uint64_t increment, struct cost before, struct cost after) {
  uint64_t fresh = after.expanded - before.expanded;
  bool wide = after.waiting / WIDE > before.waiting;
  if (wide || after.reexplored - before.reexplored > fresh / 2) return (increment + 1) / 2;
  bool grows = after.replayed - before.replayed > fresh / 2 && after.waiting / 2 <= before.waiting;
  return grows && increment < INCREMENT_MOST ? 2 * increment : increment;
}

static void iter_bounded_dfs(struct search *s) {
  struct bounded *all = s->own;
  bool fixed = s->config->increment > 0;
  uint64_t step = fixed ? s->config->increment : SEARCH_INCREMENT;
  uint64_t most = s->config->budget.depth_max ? s->config->budget.depth_max : SEARCH_BOUND_MAX;
  if (most > SEARCH_BOUND_MAX) most = SEARCH_BOUND_MAX;
  while (nodes_last(&all->nodes)->count > 0) {
    uint64_t bound = nodes_last(&all->nodes)->bound;
    if (bound >= most && !all->resumed) {
      end_at_bound(s, bound);
      return;
    }
    bound = most > bound && step < most - bound ? bound + step : most;
    if (all->resumed) bound = all->bound;
    all->resumed = false;
    struct cost before = cost_so_far(s);
    if (!iterate(s, bound)) return;
    if (!fixed) step = adapt(step, before, cost_so_far(s));
    s->result->stats.iterations++;
    note_complete(s, bound);
    bounded_lassos(s, false);
    if (search_stopped(s)) return;
  }
}

// --- beginning and end ---

static void resume(struct search *s) {
  struct bounded *all = s->own;
  if (!saved_restore(s)) return;
  all->resumed = all->bound > nodes_last(&all->nodes)->bound;
  note_sizes(s);
  note_complete(s, nodes_last(&all->nodes)->bound);
}

// The start states are the first frontier.
static void begin(struct search_worker *w) {
  struct search *s = w->search;
  struct sys_out *o = &bounded_of(w)->starts;
  search_out_init(s, o);
  search_starts(w, o);
  bounded_of(w)->starts_width = bits_for(o->count);
  if (s->config->resume) {
    resume(s);
    return;
  }
  for (size_t i = 0; i < o->count; i++) {
    if (o->steps[i].site)
      search_fault(w, &o->steps[i], SEARCH_NOWHERE);
    else
      bounded_start(w, i);
  }
  if (!s->full) note_complete(s, 0);
  if (!search_stopped(s)) advance(s);
}

static void fill_stats(struct search *s) {
  const struct bounded *all = s->own;
  struct stats *t = &s->result->stats;
  t->frontier_nodes = all->nodes_most;
  t->frontier_bytes = all->nodes_bytes_most;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounder *b = s->workers[i]->own;
    if (!b) continue;
    t->reexplored += b->reexplored;
    t->getstate_calls += b->getstate_calls;
    t->getstate_steps += b->getstate_steps;
    t->getstate_seconds += b->getstate_seconds;
    t->stack_bytes += b->stack_bytes_most;
  }
}

// Into a file, when it ended early.
static void save(struct search *s) {
  if (!s->config->save_path || !search_stopped(s)) return;
  struct text why = {0};
  if (s->result->traces.count > 0 || search_tally(s).pruned > 0)
    text_add(&why, "something was found wrong, and is not searched behind");
  else
    s->result->saved = saved_write(s, &why);
  if (!s->result->saved) s->result->save_problem = mem_strdup(text_str(&why));
  text_clear(&why);
}

size_t search_bounded_payload(const struct search_config *c) {
  (void)c;
  return sizeof(uint32_t);
}

void search_bounded(struct search *s) {
  if (s->config->deterministic) s->threads = 1;
  struct bounded *all = mem_zalloc(1, sizeof *all);
  s->own = all;
  s->own_clear = bounded_clear;
  s->found = search_report;
  s->path = bounded_path;
  nodes_init(&all->nodes, s->config->frontier, s->words);
  bounder_new(s->workers[0]);
  workers_alone(s, begin);
  if (!search_stopped(s)) iter_bounded_dfs(s);
  bounded_lassos(s, true);
  fill_stats(s);
  save(s);
}
