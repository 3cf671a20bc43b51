// SPDX-License-Identifier: Apache-2.0
// A batch of a breadth-first search. What is cheap to know as known already never gets to the
// store: self-loops, and states seen a moment ago.
#include "search/batch.h"

#include "reduce/reduce.h"

enum { BUFFER_BYTES = 1 << 16 };
#define BATCH_SECONDS 0.04       // and no longer, about
#define LEFT_OUT      UINT32_MAX // the site of a step that is not taken

void batch_init(struct batch *b, const struct search *s, bool keeps_steps) {
  *b = (struct batch){.keeps_steps = keeps_steps};
  b->shape = keeps_steps ? 0 : s->words < 4 ? (unsigned)s->words : 4;
  sys_out_init(&b->out, s->words, s->result->properties.count);
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
}

size_t batch_bytes(const struct batch *b) {
  size_t each = b->out.words_per_state * sizeof(uint64_t) + sizeof(struct sys_step);
  return b->out.capacity * each + b->capacity * (sizeof *b->answers + sizeof *b->ids);
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
  memset(b->sources, 0, most * sizeof *b->sources);
}

// --- into the buffer ---

// Inlined for each number of words, which is then a constant. Whether a state is known cannot be
// foretold, so there is no branch: it is kept, and the next one written over it.
__attribute__((always_inline)) static inline void
sift_as(struct batch *b, size_t begin, const uint64_t *source, size_t words, bool keeps_steps) {
  struct sys_out *o = &b->out;
  size_t kept = begin;
  for (size_t i = begin; i < o->count; i++) {
    const uint64_t *state = o->words + i * words;
    if (o->steps[i].site) {
      if (o->steps[i].site != LEFT_OUT) VEC_PUSH(&b->faults, ((struct fault){kept, o->steps[i]}));
      continue;
    }
    bool known =
        (source && words_same(state, source, words)) | recent_seen(&b->recent, state, words);
    words_copy(o->words + kept * words, state, words);
    if (keeps_steps && !known) {
      o->steps[kept] = o->steps[i];
      o->steps[kept].site = (uint32_t)(i - begin);
    }
    kept += !known;
    b->known += known;
  }
  o->count = kept;
}

// Takes faults, self-loops (source NULL: there are none) and what was seen just before out of the
// buffer from `begin` on.
static void sift(struct batch *b, size_t begin, const uint64_t *source) {
  switch (b->shape) {
  case 0: sift_as(b, begin, source, b->out.words_per_state, true); break;
  case 1: sift_as(b, begin, source, 1, false); break;
  case 2: sift_as(b, begin, source, 2, false); break;
  case 3: sift_as(b, begin, source, 3, false); break;
  default: sift_as(b, begin, source, b->out.words_per_state, false); break;
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
  size_t begin = o->count, faults = b->faults.count;
  uint64_t fired = o->fired;
  o->moved = false;
  w->sys->expand(w->sys, state, o);
  search_count_fired(w, o, begin, o->count);
  if (w->search->config->ample) reduce(w, b, state, begin);
  sift(b, begin, state);
  source->deadlock =
      search_is_deadlock(w, state, o->fired - fired, o->moved, b->faults.count > faults);
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

void batch_expand(struct search_worker *w, struct batch *b, size_t most) {
  while (b->count < most && b->out.count < b->successors_max) {
    struct origin *source = &b->sources[b->count];
    if (!source->skipped) expand_source(w, b, source);
    source->end = b->out.count;
    source->faults_end = b->faults.count;
    b->count++;
  }
  set_reads(b, most);
}

void batch_starts(struct search_worker *w, struct batch *b) {
  batch_begin(b, 1);
  memset(b->states, 0, b->out.words_per_state * sizeof *b->states);
  search_starts(w, &b->out);
  sift(b, 0, NULL);
  b->sources[0].faults_end = b->faults.count;
}

// --- out of the buffer ---

static void reserve_answers(struct batch *b) {
  if (b->out.count <= b->capacity) return;
  b->capacity = b->out.count + b->out.count / 2;
  b->answers = mem_realloc(b->answers, b->capacity * sizeof *b->answers);
  b->ids = mem_realloc(b->ids, b->capacity * sizeof *b->ids);
}

size_t batch_write(struct search_worker *w, struct batch *b) {
  reserve_answers(b);
  return store_write_batch(w->writer, b->out.words, b->out.count, b->answers, b->ids);
}

bool batch_leads_on(struct search_worker *w, struct batch *b) {
  if (b->faults.count > 0) return true;
  for (size_t k = 0; k < b->count; k++)
    if (b->sources[k].deadlock) return true;
  reserve_answers(b);
  store_seek_batch(w->writer, b->out.words, b->out.count, b->ids);
  for (size_t i = 0; i < b->out.count; i++)
    if (b->ids[i] == STORE_ABSENT) return true;
  return false;
}
