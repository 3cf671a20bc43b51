// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, level by level, by one worker or several. The workers take chunks of the
// level, expand them a batch at a time, and keep what is new to the store for the next level; they
// meet at its end. So all states of a level have the same distance from the start, and traces are
// shortest, whatever the workers do.
//
// Where the store keeps states it is the queue: ids follow the order of discovery, a level is a few
// ranges of ids. No state has a parent link (lineage.h).
#include "search/bfs.h"

#include "search/workers.h"
#include "sys/sys.h"

#include <time.h>

#ifdef FATHOM_SMALL
enum { ALONE = 2, CHUNK_LEAST = 1, CHUNK_MOST = 4, CHUNKS_EACH = 4 };
#else
enum {
  ALONE = 256, // a level of fewer states is not worth waking the others
  CHUNK_LEAST = 32,
  CHUNK_MOST = 512,
  CHUNKS_EACH = 32, // per worker, so that all are done at about the same time
};
#endif

static struct bfs *bfs_of(const struct search_worker *w) { return w->search->own; }

// --- setting up ---

static struct explorer *explorer_new(struct search_worker *w) {
  const struct search *s = w->search;
  struct explorer *x = mem_zalloc(1, sizeof *x);
  w->own = x;
  batch_init(&x->batch, s, bfs_of(w)->frontier.packs || w->fired);
  sys_out_init(&x->again, s->words, s->result->properties.count);
  x->parent_state = mem_alloc(s->words * sizeof *x->parent_state);
  return x;
}

static void explorer_free(struct explorer *x) {
  if (!x) return;
  batch_clear(&x->batch);
  lineage_clear(&x->lineage);
  frontier_next_clear(&x->next);
  mem_free(x->chunk.packed);
  VEC_CLEAR(&x->found);
  VEC_CLEAR(&x->found_states);
  sys_out_clear(&x->again);
  mem_free(x->parent_state);
  mem_free(x);
}

static void bfs_clear(struct search *s) {
  struct bfs *b = s->own;
  for (unsigned i = 0; i < s->worker_count; i++) explorer_free(bfs_explorer(s, i));
  frontier_clear(&b->frontier);
  retract_clear(&b->before);
  VEC_CLEAR(&b->levels);
  mem_free(b);
}

// The smallest source of a state can only be found where states are kept; without, a deterministic
// search has one worker. With several a partial order reduction may take a state for one of a
// former level, and take more steps than it has to.
static void bfs_init(struct search *s) {
  struct bfs *b = mem_zalloc(1, sizeof *b);
  s->own = b;
  s->own_clear = bfs_clear;
  frontier_init(&b->frontier, s);
  bool smallest = s->config->deterministic && !b->frontier.packs;
  if (s->config->deterministic && (!smallest || s->config->ample)) s->threads = 1;
  s->found = s->config->deterministic ? finding_keep_smallest : finding_keep;
  s->path = smallest ? trail_smallest_path : trail_path;
  b->width = smallest ? s->threads : 0;
  explorer_new(s->workers[0]);
}

// Their tables of recent states begin with some state that is in the store.
static void add_explorers(struct search *s) {
  struct frontier *f = &((struct bfs *)s->own)->frontier;
  workers_start(s);
  for (unsigned i = 1; i < s->worker_count; i++) {
    if (bfs_explorer(s, i)) continue;
    struct explorer *x = explorer_new(s->workers[i]);
    frontier_read(f, s->store, &f->pieces.data[0], 0, 1, x->batch.states);
    recent_init(&x->batch.recent, s->words, x->batch.states);
  }
}

// --- sharing out ---

static uint64_t chunk_size(const struct search *s, uint64_t states) {
  uint64_t size = states / (s->worker_count * CHUNKS_EACH);
  return size < CHUNK_LEAST ? CHUNK_LEAST : size > CHUNK_MOST ? CHUNK_MOST : size;
}

void bfs_share(struct search *s, void (*work)(struct search_worker *w)) {
  struct frontier *f = &((struct bfs *)s->own)->frontier;
  bool alone = s->threads == 1 || f->count < ALONE;
  if (!alone) add_explorers(s);
  frontier_cut(f, alone ? UINT64_MAX : chunk_size(s, f->count));
  if (alone)
    workers_alone(s, work);
  else
    workers_together(s, work);
}

// Worker 0 answers for what belongs to nobody.
static bool goes_on(struct search_worker *w) {
  const struct explorer *x = w->own;
  const struct bfs *b = bfs_of(w);
  w->buffer_bytes = batch_bytes(&x->batch) + lineage_bytes(&x->lineage);
  if (w->number == 0)
    w->buffer_bytes += frontier_bytes(&b->frontier) + b->levels.capacity * sizeof *b->levels.data;
  w->queue = x->lineage.count - w->expanded - w->pruned;   // summed over all workers
  if (w->number == 0 && !w->search->config->deterministic) // it depends on who is how far
    store_waiting(w->search->store, search_queue(w->search));
  return search_goes_on(w);
}

// --- a batch ---

static void skip_bad(struct search_worker *w, uint64_t place, size_t count) {
  struct explorer *x = w->own;
  const struct lineage *of = &bfs_explorer(w->search, place_worker(place))->lineage;
  uint64_t first = place_number(place);
  for (size_t i = lineage_bad_before(of, first); i < of->bad.count; i++) {
    if (of->bad.data[i] >= first + count) return;
    x->batch.sources[of->bad.data[i] - first].skipped = true;
  }
}

// Expands states of the chunk from `first` on into the buffer: as many as a batch holds.
static void gather(struct search_worker *w, uint64_t first) {
  struct explorer *x = w->own;
  struct batch *a = &x->batch;
  a->closed = bfs_of(w)->closed;
  uint64_t left = x->chunk.count - first;
  size_t most = left < a->reads ? left : a->reads;
  batch_begin(a, most);
  frontier_read(&bfs_of(w)->frontier, w->search->store, &x->chunk, first, most, a->states);
  skip_bad(w, x->chunk.place + first, most);
  batch_expand(w, a, most);
}

// A successor of the source in work (or a start) that was not known.
__attribute__((always_inline)) static inline void arrive(struct search_worker *w,
                                                         struct explorer *x, size_t i) {
  struct batch *a = &x->batch;
  struct frontier *f = &bfs_of(w)->frontier;
  uint64_t place = place_of(w->number, x->lineage.count);
  x->state = a->out.words + i * a->out.words_per_state;
  lineage_add(&x->lineage, 1);
  if (f->packs) {
    lineage_way(&x->lineage, a->out.steps[i].site);
    frontier_pack(f, &x->next, x->state, place);
  } else {
    search_new_id(w, a->ids[i]);
  }
  if (!search_check(w, x->state, place)) lineage_bad(&x->lineage, place_number(place));
}

// Reports the faults of source `k` that came before successor `i`.
static void faults_before(struct search_worker *w, size_t k, size_t *next, size_t i, uint64_t at) {
  struct explorer *x = w->own;
  const struct batch *a = &x->batch;
  x->state = a->states + k * w->search->words;
  for (; *next < a->sources[k].faults_end && a->faults.data[*next].before <= i; ++*next)
    search_fault(w, &a->faults.data[*next].step, at);
}

static void deadlock(struct search_worker *w, size_t k, uint64_t at) {
  struct explorer *x = w->own;
  x->state = x->batch.states + k * w->search->words;
  search_deadlock(w, at);
}

static void count_fresh(struct search_worker *w, size_t i) {
  const struct batch *a = &((struct explorer *)w->own)->batch;
  w->fresh[w->search->rule_of[a->out.steps[i].instance]]++;
}

// Goes through one source's successors in order, as far as they are in the store.
static void settle_source(struct search_worker *w, struct explorer *x, size_t k, size_t done,
                          uint64_t place) {
  const struct search *s = w->search;
  const struct batch *a = &x->batch;
  const struct origin *source = &a->sources[k];
  size_t i = k ? source[-1].end : 0, fault = k ? source[-1].faults_end : 0;
  lineage_from(&x->lineage, place);
  for (; i < source->end && i < done && !search_stopped(s); i++) {
    if (fault < source->faults_end) faults_before(w, k, &fault, i, place);
    if (a->answers[i] == STORE_OLD) {
      w->revisits++;
      continue;
    }
    arrive(w, x, i);
    if (w->fresh) count_fresh(w, i);
  }
  if (i < source->end || source->skipped) return;
  if (fault < source->faults_end) faults_before(w, k, &fault, SIZE_MAX, place);
  if (source->deadlock) deadlock(w, k, place);
  w->expanded++;
}

// Where nothing but new states can come of a batch, and the store has their ids: first all
// arrive, then they are checked.
static bool is_plain(const struct search_worker *w, const struct batch *a, size_t done) {
  return done == a->out.count && a->faults.count == 0 && !a->deadlocks && !w->fresh &&
         !bfs_of(w)->frontier.packs;
}

static bool has_checks(const struct search *s) { return s->has_invariants || s->has_state_covers; }

static void check_fresh(struct search_worker *w, struct explorer *x, uint64_t first, size_t count) {
  const struct batch *a = &x->batch;
  for (size_t i = 0; i < count && !search_stopped(w->search); i++) {
    x->state = a->out.words + a->fresh[i] * a->out.words_per_state;
    if (!search_check(w, x->state, place_of(w->number, first + i)))
      lineage_bad(&x->lineage, first + i);
  }
}

static void settle_plain(struct search_worker *w, struct explorer *x, uint64_t place) {
  struct batch *a = &x->batch;
  size_t count = batch_find_fresh(a), before = 0;
  uint64_t first = x->lineage.count;
  for (size_t k = 0; k < a->count; k++) {
    size_t with = a->before[a->sources[k].end];
    lineage_from(&x->lineage, place + k);
    lineage_add(&x->lineage, with - before);
    before = with;
    w->expanded += !a->sources[k].skipped;
  }
  for (size_t i = 0; i < count; i++) search_new_id(w, a->ids[a->fresh[i]]);
  w->revisits += a->out.count - count;
  if (has_checks(w->search)) check_fresh(w, x, first, count);
}

static void settle_sources(struct search_worker *w, struct explorer *x, uint64_t place,
                           size_t done) {
  const struct batch *a = &x->batch;
  for (size_t k = 0; k < a->count && !search_stopped(w->search); k++)
    settle_source(w, x, k, done, place + k);
  if (done < a->out.count) search_full(w->search);
}

// The buffer into the store; then what is new is checked, in the order in which it was found.
static void absorb(struct search_worker *w, uint64_t place) {
  struct explorer *x = w->own;
  struct batch *a = &x->batch;
  size_t done = batch_write(w, a);
  if (is_plain(w, a, done))
    settle_plain(w, x, place);
  else
    settle_sources(w, x, place, done);
  w->transitions += a->out.fired;
  w->revisits += a->known;
  search_covers(w, a->out.covers);
}

// --- a level ---

// Leaves the core to the compiler, to whose code all will go over: interpreted, a worker does in
// that time what it does compiled in a tenth of it.
static void make_way(struct search_worker *w) {
  const struct timespec pause = {.tv_nsec = 500000};
  while (worker_in_the_way(w) && frontier_left(&bfs_of(w)->frontier) &&
         !search_stopped(w->search)) {
    nanosleep(&pause, NULL);
    sys_poll(w->sys);
  }
}

// The next chunk; false: there is none, or none is wanted.
static bool next_chunk(struct search_worker *w) {
  struct explorer *x = w->own;
  make_way(w);
  if (search_stopped(w->search)) return false;
  frontier_drop(&bfs_of(w)->frontier, &x->chunk);
  return frontier_take(&bfs_of(w)->frontier, w->number, &x->empty, &x->chunk);
}

static void expand_level(struct search_worker *w) {
  struct explorer *x = w->own;
  x->empty = 0;
  while (next_chunk(w)) {
    lineage_stretch(&x->lineage, x->chunk.place, x->chunk.place + x->chunk.count);
    for (uint64_t i = 0; i < x->chunk.count && goes_on(w); i += x->batch.count) {
      gather(w, i);
      absorb(w, x->chunk.place + i);
    }
  }
}

// The level at the depth limit is looked at, not expanded: only if it leads to nothing new, no
// fault and no deadlock was the search complete all the same.
static void probe_level(struct search_worker *w) {
  struct explorer *x = w->own;
  struct batch *a = &x->batch;
  x->empty = 0;
  while (next_chunk(w))
    for (uint64_t i = 0; i < x->chunk.count && goes_on(w); i += a->count) {
      gather(w, i);
      if (batch_leads_on(w, a)) search_stop(w->search, "depth");
      for (size_t k = 0; k < a->count; k++) x->probed.expanded += !a->sources[k].skipped;
      x->probed.fired += a->out.fired;
      x->probed.known += a->known + a->out.count;
    }
}

static void probe(struct search *s) {
  struct bfs *b = s->own;
  if (s->config->survey) retract_note(&b->before, s);
  bfs_share(s, probe_level);
  if (s->config->survey && search_stopped(s)) retract_to(&b->before, s);
  for (unsigned i = 0; i < s->worker_count && !search_stopped(s); i++) {
    struct search_worker *w = s->workers[i];
    const struct explorer *x = w->own;
    if (!x) continue;
    w->expanded += x->probed.expanded;
    w->transitions += x->probed.fired;
    w->revisits += x->probed.known;
    search_covers(w, x->batch.out.covers);
  }
}

// --- levels ---

static uint64_t ids_closed(const struct search *s) {
  uint64_t closed = 0;
  if (((const struct bfs *)s->own)->frontier.packs) return STORE_ABSENT;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct search_worker *w = s->workers[i];
    if (w->id_count && w->id_count + w->id_shift > closed) closed = w->id_count + w->id_shift;
  }
  return closed;
}

// What arrives from now on is of the level behind the one in work.
static void begin_level(struct search *s) {
  struct bfs *b = s->own;
  b->closed = ids_closed(s);
  for (unsigned i = 0; i < s->worker_count; i++)
    if (bfs_explorer(s, i)) bfs_explorer(s, i)->level_first = bfs_explorer(s, i)->lineage.count;
  for (unsigned i = 0; i < b->width; i++) {
    bool there = i < s->worker_count && bfs_explorer(s, i);
    VEC_PUSH(&b->levels, there ? bfs_explorer(s, i)->level_first : 0);
  }
}

// What arrived is the level to expand next, which is at this depth.
static void end_level(struct search *s, uint64_t depth) {
  struct bfs *b = s->own;
  frontier_begin(&b->frontier);
  for (unsigned i = 0; i < s->worker_count; i++) {
    struct explorer *x = bfs_explorer(s, i);
    if (!x) continue;
    if (b->frontier.packs)
      frontier_add_packed(&b->frontier, &x->next);
    else
      frontier_add_runs(&b->frontier, s->workers[i], x->level_first, x->lineage.count);
    if (!lineage_level(&x->lineage) || b->has_bad) continue;
    b->has_bad = true;
    b->bad_depth = depth;
  }
  if (b->frontier.count == 0) return;
  s->workers[0]->depth = depth;
  if (s->config->survey) VEC_PUSH(&s->result->survey.levels, b->frontier.count);
}

static bool insert_starts(struct search *s) {
  struct search_worker *w = s->workers[0];
  struct bfs *b = s->own;
  struct explorer *x = w->own;
  struct batch *a = &x->batch;
  begin_level(s);
  batch_starts(w, a);
  size_t done = batch_write(w, a), fault = 0;
  for (size_t i = 0; i < done; i++) {
    faults_before(w, 0, &fault, i, SEARCH_NOWHERE);
    if (a->answers[i] == STORE_NEW) arrive(w, x, i);
  }
  faults_before(w, 0, &fault, SIZE_MAX, SEARCH_NOWHERE);
  b->start_count = x->lineage.count;
  if (done < a->out.count) search_full(s);
  if (done > 0) recent_init(&a->recent, s->words, a->out.words);
  finding_tell(s);
  end_level(s, 0);
  return done > 0 && done == a->out.count;
}

static void search_levels(struct search *s) {
  struct bfs *b = s->own;
  uint64_t limit = s->config->budget.depth_max;
  while (b->frontier.count > 0 && !search_stopped(s)) {
    if (limit && b->depth == limit) {
      b->closed = ids_closed(s);
      probe(s);
      return;
    }
    if (s->config->deterministic) retract_note(&b->before, s);
    begin_level(s);
    bfs_share(s, expand_level);
    if (s->config->deterministic && s->full) {
      retract_to(&b->before, s);
      return;
    }
    finding_tell(s);
    end_level(s, b->depth + 1);
    if (b->frontier.count > 0 && !search_stopped(s)) b->depth++;
  }
}

void search_bfs(struct search *s) {
  bfs_init(s);
  struct bfs *b = s->own;
  bool all = insert_starts(s);
  search_levels(s);
  s->result->depth_known = all && !s->config->ample;
  s->result->depth_complete = b->has_bad && b->bad_depth < b->depth ? b->bad_depth : b->depth;
}
