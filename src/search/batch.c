// SPDX-License-Identifier: Apache-2.0
// A batch of a breadth-first search. What is cheap to know as known already never gets to the
// store: self-loops, and states seen a moment ago.
#include "search/batch.h"

#include "reduce/reduce.h"

enum { BUFFER_BYTES = 1 << 16 };
#ifdef FATHOM_SMALL
enum { SIFT_TOGETHER = 3, LOOK_FOR_LOOPS = 4 };
#else
enum {
  SIFT_TOGETHER = 256, // successors: they fit into the first cache
  LOOK_FOR_LOOPS = 64, // times
};
#endif
#define BATCH_SECONDS 0.04       // and no longer, about
#define LEFT_OUT      UINT32_MAX // the site of a step that is not taken

void batch_init(struct batch *b, const struct search *s, bool keeps_steps) {
  *b = (struct batch){.keeps_steps = keeps_steps};
  search_out_init(s, &b->out);
  size_t fit = BUFFER_BYTES / (s->words * sizeof(uint64_t));
  b->successors_most = fit < 1 ? 1 : fit < BATCH_SUCCESSORS ? fit : BATCH_SUCCESSORS;
  b->successors_max = b->successors_most;
  b->reads = BATCH_SOURCES;
  b->states = mem_alloc(BATCH_SOURCES * s->words * sizeof *b->states);
  b->sources = mem_alloc(BATCH_SOURCES * sizeof *b->sources);
}

void batch_clear(struct batch *b) {
  sys_out_clear(&b->out);
  recent_clear(&b->recent);
  mem_free(b->states);
  mem_free(b->sources);
  VEC_CLEAR(&b->faults);
  mem_free(b->answers);
  mem_free(b->ids);
  mem_free(b->fresh);
  mem_free(b->before);
}

size_t batch_bytes(const struct batch *b) {
  size_t each = b->out.words_per_state * sizeof(uint64_t) + sizeof(struct sys_step);
  return b->out.capacity * each +
         b->capacity * (sizeof *b->answers + sizeof *b->ids + 2 * sizeof *b->fresh);
}

// Batches that take long are made smaller, so that the budget is looked at often enough.
static void set_pace(struct batch *b) {
  double now = clock_seconds(), took = now - b->begun;
  bool slow = b->begun > 0 && took > BATCH_SECONDS;
  if (slow && b->successors_max > 1)
    b->successors_max /= 2;
  else if (took < BATCH_SECONDS / 4 && b->successors_max < b->successors_most)
    b->successors_max = 2 * b->successors_max;
  b->begun = now;
}

void batch_begin(struct batch *b, size_t most) {
  assert(most <= BATCH_SOURCES);
  set_pace(b);
  sys_out_reset(&b->out);
  b->faults.count = 0;
  b->known = 0;
  b->count = 0;
  b->deadlocks = false;
  memset(b->sources, 0, most * sizeof *b->sources);
}

// --- into the buffer ---

// Whether a state is known cannot be foretold, so there is no branch: it is kept, and the next one
// written over it.

// The successors of one source (NULL: there is none) from `begin` up to `end`, behind those that
// were kept; returns how many are then.
static size_t sift_source(struct batch *b, const uint64_t *source, size_t begin, size_t end,
                          size_t kept) {
  struct sys_out *o = &b->out;
  size_t words = o->words_per_state;
  for (size_t i = begin; i < end; i++) {
    const uint64_t *state = o->words + i * words;
    if (o->steps[i].site) {
      if (o->steps[i].site != LEFT_OUT) VEC_PUSH(&b->faults, ((struct fault){kept, o->steps[i]}));
      continue;
    }
    bool loop = source && words_same(state, source, words);
    bool known = recent_seen(&b->recent, state, words) | loop;
    b->loops += loop;
    words_copy(o->words + kept * words, state, words);
    if (b->keeps_steps && !known) {
      o->steps[kept] = o->steps[i];
      o->steps[kept].site = (uint32_t)(i - begin);
    }
    kept += !known;
    b->known += known;
  }
  return kept;
}

// The successors of the sources from `first` on, where none is a fault and no steps are kept:
// across sources, since where the successors of one end cannot be foretold either. Where there are
// many self-loops sources are noted as recent states; else the store finds them. A step tells how
// many successors were kept before its own. Inlined for each number of words, which is a constant.
__attribute__((always_inline)) static inline void sift_flat(struct batch *b, size_t first,
                                                            size_t begin, size_t words) {
  struct sys_out *o = &b->out;
  struct recent recent = b->recent;
  size_t kept = begin;
  for (size_t k = first; b->has_loops && k < b->count; k++)
    recent_seen(&recent, b->states + k * words, words);
  for (size_t i = begin; i < o->count; i++) {
    const uint64_t *state = o->words + i * words;
    bool known = recent_seen(&recent, state, words);
    o->steps[i].instance = (uint32_t)kept;
    words_copy(o->words + kept * words, state, words);
    kept += !known;
  }
  for (size_t k = first; k < b->count; k++) {
    struct origin *source = &b->sources[k];
    source->end = source->end < o->count ? o->steps[source->end].instance : kept;
    source->faults_end = b->faults.count;
  }
  b->known += o->count - kept;
  o->count = kept;
}

static bool any_fault(const struct sys_out *o, size_t begin) {
  uint32_t sites = 0;
  for (size_t i = begin; i < o->count; i++) sites |= o->steps[i].site;
  return sites;
}

static void sift_sources(struct batch *b, size_t first, size_t begin) {
  size_t kept = begin, words = b->out.words_per_state;
  b->loops = 0;
  for (size_t k = first; k < b->count; k++) {
    struct origin *source = &b->sources[k];
    size_t end = source->end;
    kept = sift_source(b, b->states + k * words, begin, end, kept);
    source->end = kept;
    source->faults_end = b->faults.count;
    begin = end;
  }
  b->out.count = kept;
  b->has_loops = 2 * b->loops > b->count - first;
}

// Takes faults, self-loops and what was seen just before out of the buffer, from the successors of
// the source `first` on, which begin at `begin`. Now and then by sources, to learn of self-loops.
static void sift(struct batch *b, size_t first, size_t begin) {
  bool flat = !b->keeps_steps && b->recent.states && b->sifted++ % LOOK_FOR_LOOPS;
  if (!flat || any_fault(&b->out, begin)) return sift_sources(b, first, begin);
  switch (b->out.words_per_state) {
  case 1: sift_flat(b, first, begin, 1); break;
  case 2: sift_flat(b, first, begin, 2); break;
  case 3: sift_flat(b, first, begin, 3); break;
  default: sift_flat(b, first, begin, b->out.words_per_state); break;
  }
}

// --- partial order reduction ---

// Is some state that the group leads to still to be expanded? Then its other steps can wait until
// then. Who waits for whom never goes round in a circle: levels grow on the way.
static bool leads_ahead(struct search_worker *w, const struct batch *b, size_t begin,
                        unsigned group) {
  const struct sys_out *o = &b->out;
  for (size_t i = begin; i < o->count; i++) {
    uint64_t id;
    if (!ample_has(w->search->config->ample, group, o->steps[i].instance)) continue;
    store_seek_batch(w->writer, o->words + i * o->words_per_state, 1, &id);
    if (id >= b->closed) return true; // or absent
  }
  return false;
}

// Marks the steps of others to be left out; faults stay, since they are there.
static void take_alone(struct search_worker *w, struct batch *b, size_t begin, unsigned group) {
  bool others = false;
  for (size_t i = begin; i < b->out.count; i++) {
    struct sys_step *step = &b->out.steps[i];
    if (step->site || ample_has(w->search->config->ample, group, step->instance)) continue;
    step->site = LEFT_OUT;
    others = true;
  }
  w->reduced += others;
}

static void reduce(struct search_worker *w, struct batch *b, const uint64_t *state, size_t begin) {
  const struct ample *a = w->search->config->ample;
  if (b->out.count - begin < 2) return;
  uint64_t groups = ample_groups(a, &b->out, begin, w->sys->ample(w->sys, state));
  for (; groups; groups &= ~(UINT64_C(1) << ample_next(groups)))
    if (leads_ahead(w, b, begin, ample_next(groups)))
      return take_alone(w, b, begin, ample_next(groups));
}

static void expand_source(struct search_worker *w, struct batch *b, struct origin *source) {
  struct sys_out *o = &b->out;
  const uint64_t *state = b->states + b->count * o->words_per_state;
  size_t begin = o->count;
  uint64_t fired = o->fired;
  o->moved = false;
  w->sys->expand(w->sys, state, o);
  search_count_fired(w, o, begin, o->count);
  if (search_is_stuck(w, o->fired - fired, o->moved))
    source->deadlock =
        search_is_deadlock(w, state, o->fired - fired, o->moved, any_fault(o, begin));
  b->deadlocks |= source->deadlock;
  if (w->search->config->ample) reduce(w, b, state, begin);
}

// Sources that were read and not expanded, because the buffer was full, are read again: the next
// batch reads a few more than this one expanded.
static void set_reads(struct batch *b, size_t most) {
  if (b->count < most)
    b->reads = b->count + b->count / 8 + 1;
  else if (most == b->reads)
    b->reads += b->reads / 4 + 1;
  if (b->reads > BATCH_SOURCES) b->reads = BATCH_SOURCES;
}

// Reduction asks the store for successors, so it comes before they are sifted.
void batch_expand(struct search_worker *w, struct batch *b, size_t most) {
  size_t first = 0, begin = 0; // not sifted yet
  assert(b->count == 0 && b->out.count == 0);
  while (b->count < most && b->out.count < b->successors_max) {
    struct origin *source = &b->sources[b->count];
    if (!source->skipped) expand_source(w, b, source);
    source->end = b->out.count;
    b->count++;
    if (b->out.count - begin < SIFT_TOGETHER) continue;
    sift(b, first, begin);
    first = b->count;
    begin = b->out.count;
  }
  if (first < b->count) sift(b, first, begin);
  set_reads(b, most);
}

void batch_starts(struct search_worker *w, struct batch *b) {
  struct sys_out *o = &b->out;
  batch_begin(b, 1);
  memset(b->states, 0, o->words_per_state * sizeof *b->states);
  search_starts(w, o);
  o->count = sift_source(b, NULL, 0, o->count, 0);
  b->sources[0].faults_end = b->faults.count;
}

// --- out of the buffer ---

static void reserve_answers(struct batch *b) {
  if (b->out.count < b->capacity) return;
  b->capacity = b->out.count + b->out.count / 2 + 1;
  b->answers = mem_realloc(b->answers, b->capacity * sizeof *b->answers);
  b->ids = mem_realloc(b->ids, b->capacity * sizeof *b->ids);
  b->fresh = mem_realloc(b->fresh, b->capacity * sizeof *b->fresh);
  b->before = mem_realloc(b->before, b->capacity * sizeof *b->before);
}

size_t batch_write(struct search_worker *w, struct batch *b) {
  reserve_answers(b);
  return store_write_batch(w->writer, b->out.words, b->out.count, b->answers, b->ids);
}

// Which are new cannot be foretold: no branch.
size_t batch_find_fresh(struct batch *b) {
  size_t count = 0;
  for (size_t i = 0; i < b->out.count; i++) {
    b->fresh[count] = (uint32_t)i;
    b->before[i] = (uint32_t)count;
    count += b->answers[i] == STORE_NEW;
  }
  b->before[b->out.count] = (uint32_t)count;
  return count;
}

bool batch_leads_on(struct search_worker *w, struct batch *b) {
  if (b->faults.count > 0 || b->deadlocks) return true;
  reserve_answers(b);
  store_seek_batch(w->writer, b->out.words, b->out.count, b->ids);
  for (size_t i = 0; i < b->out.count; i++)
    if (b->ids[i] == STORE_ABSENT) return true;
  return false;
}
