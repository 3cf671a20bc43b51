// SPDX-License-Identifier: Apache-2.0
// getState (Fig 8): from one frontier node to the next by way of their lowest common ancestor. What
// lies below it stays; undo records take the path back to it, and traces are replayed from there.
#include "search/bounded.h"

static const char does_not_fit[] = "frontier does not replay";

// --- replaying ---

static const uint64_t *successor(struct search_worker *w, const uint64_t *state,
                                 const struct bits *trace, uint64_t *at, struct sys_step *step) {
  struct bounder *b = w->own;
  struct sys_out *o = &b->replay;
  sys_out_reset(o);
  w->sys->expand(w->sys, state, o);
  unsigned width = bits_for(o->count);
  if (*at + width > trace->count) return NULL;
  uint64_t i = bits_read(trace, *at, width);
  if (i >= o->count || o->steps[i].site) return NULL;
  *at += width;
  *step = o->steps[i];
  return o->words + i * w->search->words;
}

bool bounded_replay(struct search_worker *w, const struct bits *trace, uint64_t at,
                    uint64_t steps) {
  struct bounder *b = w->own;
  struct sys_step step;
  for (uint64_t i = 0; i < steps; i++) {
    if (search_pace_due(&b->pace) && !bounded_look(w)) return false;
    uint64_t begin = at;
    const uint64_t *to = successor(w, b->path.state, trace, &at, &step);
    if (!to) {
      search_stop(w->search, does_not_fit);
      return false;
    }
    deltas_step(&b->path, to);
    bits_append(&b->trace, trace, begin, at);
  }
  b->getstate_steps += steps;
  return true;
}

// --- getState ---

// The node and those it comes from, by generation, down to the lowest that the path goes through
// as well (`from`: those of the path that count). Says how many generations are in common. A
// frontier of plain traces has but one.
static size_t find_lineage(struct search_worker *w, uint32_t node, size_t from) {
  struct bounder *b = w->own;
  const struct nodes *n = &bounded_of(w)->nodes;
  while (b->lineage.count < n->generations.count) VEC_PUSH(&b->lineage, 0);
  for (size_t i = n->generations.count; i-- > 0;) {
    if (i < from && b->ancestors.data[i] == node) return i + 1;
    b->lineage.data[i] = node;
    if (i > 0) node = n->generations.data[i].parent.data[node];
  }
  return 0;
}

static bool begin_at_start(struct search_worker *w, const struct bits *trace, uint64_t at) {
  struct bounder *b = w->own;
  const struct bounded *all = bounded_of(w);
  bits_cut(&b->trace, 0);
  b->rise = 0;
  bool whole = at + all->starts_width <= trace->count;
  uint64_t i = whole ? bits_read(trace, at, all->starts_width) : all->starts.count;
  if (i >= all->starts.count) {
    search_stop(w->search, does_not_fit);
    return false;
  }
  deltas_begin(&b->path, all->starts.words + i * w->search->words);
  bits_push(&b->trace, i, all->starts_width);
  return true;
}

// The step from generation k - 1 to generation k of the lineage; to the start first.
static bool replay_generation(struct search_worker *w, size_t k) {
  struct bounder *b = w->own;
  const struct nodes *n = &bounded_of(w)->nodes;
  const struct generation *g = &n->generations.data[k];
  uint64_t at = g->begin.data[b->lineage.data[k]];
  if (k == 0) {
    if (!begin_at_start(w, &g->traces, at)) return false;
    at += bounded_of(w)->starts_width;
  }
  if (!bounded_replay(w, &g->traces, at, g->bound - bounder_depth(b))) return false;
  VEC_PUSH(&b->ancestors, b->lineage.data[k]);
  VEC_PUSH(&b->ancestor_bits, b->trace.count);
  return true;
}

static bool replay_lineage(struct search_worker *w, uint32_t node) {
  struct bounder *b = w->own;
  const struct nodes *n = &bounded_of(w)->nodes;
  size_t common = find_lineage(w, node, n->kind == FRONTIER_TREE ? b->ancestors.count : 0);
  b->ancestors.count = b->ancestor_bits.count = common;
  if (common > 0) { // UnwindTo the lowest common ancestor
    deltas_back(&b->path, n->generations.data[common - 1].bound - b->rise);
    bits_cut(&b->trace, b->ancestor_bits.data[common - 1]);
  }
  for (size_t k = common; k < n->generations.count; k++) // ExecuteTrace
    if (!replay_generation(w, k)) return false;
  return true;
}

bool bounded_getstate(struct search_worker *w, uint32_t node) {
  struct bounder *b = w->own;
  const struct nodes *n = &bounded_of(w)->nodes;
  const struct generation *last = nodes_last(n);
  double begun = clock_seconds();
  bool there = true;
  if (n->kind == FRONTIER_STATES) {
    deltas_begin(&b->path, last->states.data + (size_t)node * n->words);
    bits_cut(&b->trace, 0);
    b->rise = last->bound;
  } else {
    there = replay_lineage(w, node);
  }
  b->node = node;
  b->node_bits = b->trace.count;
  b->getstate_calls++;
  b->getstate_seconds += clock_seconds() - begun;
  return there;
}

// --- the trace of a violation ---

// The trace of the path from a start on.
static void whole_trace(struct search_worker *w, struct bits *whole) {
  struct bounder *b = w->own;
  const struct nodes *n = &bounded_of(w)->nodes;
  if (n->kind == FRONTIER_STATES && n->generations.count > 0) {
    find_lineage(w, b->node, 0);
    for (size_t k = 0; k < n->generations.count; k++) {
      const struct generation *g = &n->generations.data[k];
      size_t i = b->lineage.data[k];
      bits_append(whole, &g->traces, g->begin.data[i], generation_end(g, i));
    }
  }
  bits_append(whole, &b->trace, 0, b->trace.count);
}

// `at` counts the steps from the start.
void bounded_path(struct search_worker *w, uint64_t at, struct trace *t) {
  struct bounder *b = w->own;
  const struct bounded *all = bounded_of(w);
  struct bits whole = {0};
  whole_trace(w, &whole);
  uint64_t place = all->starts_width, start = bits_read(&whole, 0, all->starts_width);
  t->start_instance = all->starts.steps[start].instance;
  t->start_choice = all->starts.steps[start].choice;
  words_copy(b->state, all->starts.words + start * w->search->words, w->search->words);
  for (uint64_t i = 0; i < at; i++) {
    struct sys_step step;
    const uint64_t *to = successor(w, b->state, &whole, &place, &step);
    assert(to && "the path was walked before");
    VEC_PUSH(&t->steps, ((struct trace_step){step.instance, step.choice}));
    words_copy(b->state, to, w->search->words);
  }
  bits_clear(&whole);
}
