// SPDX-License-Identifier: Apache-2.0
// Breadth-first search. The store is the queue: ids follow the order of discovery, a level is a
// range of ids. A batch of states is expanded into one buffer, and the buffer goes into the store
// at one stroke.
//
// No state has a parent link. Ids follow the order in which parents were expanded, so the parent's
// id grows with the state's id: one mark per MARK_EVERY states, the parent of the first of them, is
// enough to find any parent again by expanding those between two marks.
#include "search/common.h"

#include "search/recent.h"
#include "store/store.h"
#include "sys/sys.h"

#ifdef FATHOM_SMALL
enum { SOURCES = 3, SUCCESSORS = 8 };
#else
enum { SOURCES = 256, SUCCESSORS = 2048 };
#endif
enum { MARK_EVERY = 64, BUFFER_BYTES = 1 << 16 };

struct fault {
  size_t before; // it came before this successor in the buffer
  struct sys_step step;
};

struct origin {
  size_t end;        // its successors end here in the buffer
  size_t faults_end; // and its faults there
  bool skipped;      // violates an invariant: not expanded
  bool deadlock;
};

struct bfs {
  struct sys_out out;   // successors of a batch, faults and states seen just before taken out
  struct sys_out again; // of one state, when a path is rebuilt
  struct recent recent;
  size_t successors_max;
  uint64_t known; // taken out of the buffer as known
  uint64_t first; // id of the batch's first source
  size_t count;   // sources in the batch
  uint64_t *states;
  struct origin *sources;
  VEC(struct fault) faults;
  enum store_answer *answers;
  uint64_t *ids;
  size_t capacity; // of answers and ids
  VEC(uint64_t) marks;
  VEC(uint64_t) bad; // ids of states that violate an invariant, ascending
  size_t bad_next;   // the first of them not below the next source
  uint64_t bad_depth;
  uint64_t start_count;
  uint64_t depth; // of the level being expanded
};

static void bfs_clear(struct search *s) {
  struct bfs *b = s->own;
  sys_out_clear(&b->out);
  sys_out_clear(&b->again);
  recent_clear(&b->recent);
  mem_free(b->states);
  mem_free(b->sources);
  VEC_CLEAR(&b->faults);
  mem_free(b->answers);
  mem_free(b->ids);
  VEC_CLEAR(&b->marks);
  VEC_CLEAR(&b->bad);
  mem_free(b);
}

// --- the way back ---

// The first step in b->again that leads to `state`.
static const struct sys_step *step_to(const struct search *s, const uint64_t *state) {
  const struct sys_out *o = &((struct bfs *)s->own)->again;
  for (size_t i = 0; i < o->count; i++)
    if (!o->steps[i].site && search_same(o->words + i * s->words, state, s->words))
      return &o->steps[i];
  return NULL;
}

static bool is_bad(const struct bfs *b, uint64_t id) {
  size_t low = 0, high = b->bad.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (b->bad.data[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < b->bad.count && b->bad.data[low] == id;
}

// The step by which state `*id` was found; *id becomes its parent's.
static struct trace_step step_back(struct search *s, uint64_t *id, uint64_t *state,
                                   uint64_t *parent) {
  struct bfs *b = s->own;
  store_get(s->store, *id, state);
  for (uint64_t p = b->marks.data[*id / MARK_EVERY];; p++) {
    assert(p < *id);
    if (is_bad(b, p)) continue;
    store_get(s->store, p, parent);
    sys_out_reset(&b->again);
    s->sys->expand(s->sys, parent, &b->again);
    const struct sys_step *step = step_to(s, state);
    if (!step) continue;
    *id = p;
    return (struct trace_step){step->instance, step->choice};
  }
}

static void bfs_path(struct search *s, uint64_t id, struct trace *t) {
  struct bfs *b = s->own;
  uint64_t *state = mem_alloc(2 * s->words * sizeof *state);
  while (id >= b->start_count) VEC_PUSH(&t->steps, step_back(s, &id, state, state + s->words));
  for (size_t i = 0, j = t->steps.count; i + 1 < j; i++) {
    struct trace_step last = t->steps.data[--j];
    t->steps.data[j] = t->steps.data[i];
    t->steps.data[i] = last;
  }
  store_get(s->store, id, state);
  sys_out_reset(&b->again);
  s->sys->starts(s->sys, &b->again);
  const struct sys_step *start = step_to(s, state);
  assert(start);
  t->start_instance = start->instance;
  t->start_choice = start->choice;
  mem_free(state);
}

// --- a batch ---

static void batch_begin(struct bfs *b, uint64_t first) {
  sys_out_reset(&b->out);
  b->faults.count = 0;
  b->known = 0;
  b->first = first;
  b->count = 0;
}

// Inlined for each number of words, which is then a constant.
__attribute__((always_inline)) static inline void sift_as(struct bfs *b, size_t begin,
                                                          const uint64_t *source, size_t words) {
  struct sys_out *o = &b->out;
  size_t kept = begin;
  for (size_t i = begin; i < o->count; i++) {
    const uint64_t *state = o->words + i * words;
    if (o->steps[i].site) {
      VEC_PUSH(&b->faults, ((struct fault){kept, o->steps[i]}));
    } else if ((source && search_same(state, source, words)) ||
               recent_seen(&b->recent, state, words)) {
      b->known++;
    } else {
      search_copy(o->words + kept * words, state, words);
      kept++;
    }
  }
  o->count = kept;
}

// Takes faults, self-loops (source NULL: there are none) and what was seen just before out of the
// buffer from `begin` on. The steps stay where they are: nobody asks for them again.
static void sift(struct search *s, size_t begin, const uint64_t *source) {
  switch (s->words) {
  case 1: sift_as(s->own, begin, source, 1); break;
  case 2: sift_as(s->own, begin, source, 2); break;
  default: sift_as(s->own, begin, source, s->words); break;
  }
}

static bool skips(struct bfs *b, uint64_t id) {
  if (b->bad_next == b->bad.count || b->bad.data[b->bad_next] != id) return false;
  b->bad_next++;
  return true;
}

static void expand_source(struct search *s, const uint64_t *state, struct origin *source) {
  struct bfs *b = s->own;
  struct sys_out *o = &b->out;
  size_t begin = o->count, faults = b->faults.count;
  uint64_t fired = o->fired;
  o->moved = false;
  s->sys->expand(s->sys, state, o);
  sift(s, begin, state);
  bool faulty = b->faults.count > faults;
  source->deadlock = search_is_deadlock(s, state, o->fired - fired, o->moved, faulty);
}

// Expands states from `first` on into the buffer: as many as a batch holds, none past `end`.
static void gather(struct search *s, uint64_t first, uint64_t end) {
  struct bfs *b = s->own;
  size_t most = end - first < SOURCES ? end - first : SOURCES;
  batch_begin(b, first);
  store_get_batch(s->store, first, most, b->states);
  while (b->count < most && b->out.count < b->successors_max) {
    struct origin *source = &b->sources[b->count];
    *source = (struct origin){.skipped = skips(b, first + b->count)};
    if (!source->skipped) expand_source(s, b->states + b->count * s->words, source);
    source->end = b->out.count;
    source->faults_end = b->faults.count;
    b->count++;
  }
}

static void reserve_answers(struct bfs *b) {
  if (b->out.count <= b->capacity) return;
  b->capacity = b->out.count + b->out.count / 2;
  b->answers = mem_realloc(b->answers, b->capacity * sizeof *b->answers);
  b->ids = mem_realloc(b->ids, b->capacity * sizeof *b->ids);
}

// A successor (or start) that was not known.
static void arrive(struct search *s, size_t i, uint64_t parent, uint64_t depth) {
  struct bfs *b = s->own;
  uint64_t id = b->ids[i];
  if (id % MARK_EVERY == 0) {
    assert(b->marks.count == id / MARK_EVERY);
    VEC_PUSH(&b->marks, parent);
  }
  if (search_check(s, b->out.words + i * s->words, id)) return;
  if (b->bad.count == 0) b->bad_depth = depth;
  VEC_PUSH(&b->bad, id);
}

// Reports the faults of a source that came before successor `i`.
static void faults_before(struct search *s, size_t *next, size_t end, size_t i, uint64_t at) {
  struct bfs *b = s->own;
  for (; *next < end && b->faults.data[*next].before <= i; ++*next)
    search_fault(s, &b->faults.data[*next].step, at);
}

// Goes through one source's successors in order, as far as they are in the store.
static void settle_source(struct search *s, size_t k, size_t done) {
  struct bfs *b = s->own;
  const struct origin *source = &b->sources[k];
  size_t i = k ? source[-1].end : 0, fault = k ? source[-1].faults_end : 0;
  uint64_t id = b->first + k;
  for (; i < source->end && i < done && !s->stop; i++) {
    faults_before(s, &fault, source->faults_end, i, id);
    if (b->answers[i] == STORE_NEW)
      arrive(s, i, id, b->depth + 1);
    else
      s->result->stats.revisits++;
  }
  if (i < source->end || source->skipped) return;
  faults_before(s, &fault, source->faults_end, SIZE_MAX, id);
  if (source->deadlock) search_deadlock(s, id);
  s->expanded++;
}

// The buffer into the store; then what is new is checked, in the order in which it was found.
static void absorb(struct search *s) {
  struct bfs *b = s->own;
  reserve_answers(b);
  size_t done = store_insert_batch(s->store, b->out.words, b->out.count, b->answers, b->ids);
  for (size_t k = 0; k < b->count && !s->stop; k++) settle_source(s, k, done);
  if (done < b->out.count) search_full(s);
  s->result->stats.transitions += b->out.fired;
  s->result->stats.revisits += b->known;
  search_covers(s, b->out.covers);
}

// --- levels ---

static bool goes_on(struct search *s) {
  const struct bfs *b = s->own;
  size_t each = s->words * sizeof(uint64_t) + sizeof(struct sys_step);
  s->buffer_bytes = b->out.capacity * each + b->capacity * (sizeof *b->answers + sizeof *b->ids) +
                    (b->marks.capacity + b->bad.capacity) * sizeof(uint64_t);
  s->queue = store_count(s->store) - b->first;
  return search_goes_on(s);
}

static void expand_level(struct search *s, uint64_t first, uint64_t end) {
  struct bfs *b = s->own;
  while (first < end && goes_on(s)) {
    gather(s, first, end);
    first += b->count;
    absorb(s);
  }
}

// Does the batch in the buffer lead anywhere that is not known?
static bool leads_on(struct search *s) {
  struct bfs *b = s->own;
  if (b->faults.count > 0) return true;
  for (size_t k = 0; k < b->count; k++)
    if (b->sources[k].deadlock) return true;
  reserve_answers(b);
  store_find_batch(s->store, b->out.words, b->out.count, b->ids);
  for (size_t i = 0; i < b->out.count; i++)
    if (b->ids[i] == STORE_ABSENT) return true;
  return false;
}

// The level at the depth limit is looked at, not expanded: only if it leads to nothing new, no
// fault and no deadlock was the search complete all the same.
static void probe_level(struct search *s, uint64_t first, uint64_t end) {
  struct bfs *b = s->own;
  uint64_t expanded = 0, fired = 0, known = 0;
  while (first < end && goes_on(s)) {
    gather(s, first, end);
    if (leads_on(s)) search_stop(s, "depth");
    first += b->count;
    for (size_t k = 0; k < b->count; k++) expanded += !b->sources[k].skipped;
    fired += b->out.fired;
    known += b->known + b->out.count;
  }
  if (s->stop) return;
  s->expanded += expanded;
  s->result->stats.transitions += fired;
  s->result->stats.revisits += known;
  search_covers(s, b->out.covers);
}

static bool insert_starts(struct search *s) {
  struct bfs *b = s->own;
  batch_begin(b, 0);
  search_starts(s, &b->out);
  sift(s, 0, NULL);
  reserve_answers(b);
  size_t done = store_insert_batch(s->store, b->out.words, b->out.count, b->answers, b->ids);
  b->start_count = store_count(s->store);
  size_t fault = 0;
  for (size_t i = 0; i < done; i++) {
    faults_before(s, &fault, b->faults.count, i, SEARCH_NOWHERE);
    if (b->answers[i] == STORE_NEW) arrive(s, i, 0, 0);
  }
  faults_before(s, &fault, b->faults.count, SIZE_MAX, SEARCH_NOWHERE);
  if (done < b->out.count) search_full(s);
  if (done > 0) recent_init(&b->recent, s->words, b->out.words);
  return done > 0 && done == b->out.count;
}

static void search_levels(struct search *s) {
  struct bfs *b = s->own;
  uint64_t first = 0, end = b->start_count, limit = s->config->budget.depth_max;
  while (first < end && !s->stop) {
    if (limit && b->depth == limit) {
      probe_level(s, first, end);
      return;
    }
    expand_level(s, first, end);
    first = end;
    end = store_count(s->store);
    if (end > first) s->result->stats.depth = b->depth + 1;
    if (end > first && !s->stop) b->depth++;
  }
}

static void bfs_init(struct search *s) {
  struct bfs *b = mem_zalloc(1, sizeof *b);
  s->own = b;
  s->own_clear = bfs_clear;
  s->path = bfs_path;
  size_t properties = s->result->properties.count;
  sys_out_init(&b->out, s->words, properties);
  sys_out_init(&b->again, s->words, properties);
  size_t fit = BUFFER_BYTES / (s->words * sizeof(uint64_t));
  b->successors_max = fit < 1 ? 1 : fit < SUCCESSORS ? fit : SUCCESSORS;
  b->states = mem_alloc(SOURCES * s->words * sizeof *b->states);
  b->sources = mem_alloc(SOURCES * sizeof *b->sources);
}

void search_bfs(struct search *s) {
  bfs_init(s);
  struct bfs *b = s->own;
  bool all = insert_starts(s);
  search_levels(s);
  s->result->depth_known = all;
  s->result->depth_complete = b->bad.count && b->bad_depth < b->depth ? b->bad_depth : b->depth;
}
