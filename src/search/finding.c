// SPDX-License-Identifier: Apache-2.0
// What a breadth-first search finds wrong. It is told at the end of a level, while the workers
// rest: a trace goes back over states of all of them. A deterministic search finishes the level,
// and of what is wrong in the same way tells the smallest state.
#include "search/bfs.h"

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

// Is it the same that is wrong?
static int compare_kinds(const struct search_found *a, const struct search_found *b) {
  // the trace of a deadlock is shorter
  int by = compare_numbers(a->end != TRACE_DEADLOCK, b->end != TRACE_DEADLOCK);
  if (!by) by = compare_numbers(a->end, b->end);
  return by ? by : compare_numbers(a->id, b->id);
}

static int compare(const struct search_found *a, const uint64_t *a_state,
                   const struct search_found *b, const uint64_t *b_state, size_t words) {
  int by = compare_kinds(a, b);
  for (size_t i = 0; !by && i < words; i++) by = compare_numbers(a_state[i], b_state[i]);
  if (!by) by = compare_numbers(a->step.instance, b->step.instance);
  return by ? by : compare_numbers(a->step.choice, b->step.choice);
}

void finding_keep(struct search_worker *w, const struct search_found *f) {
  struct explorer *x = w->own;
  if (search_claim(w->search, f)) VEC_PUSH(&x->found, *f);
}

void finding_keep_smallest(struct search_worker *w, const struct search_found *f) {
  struct explorer *x = w->own;
  size_t words = w->search->words, i = 0;
  while (i < x->found.count && compare_kinds(f, &x->found.data[i]) != 0) i++;
  if (i == x->found.count) {
    VEC_PUSH(&x->found, *f);
    for (size_t k = 0; k < words; k++) VEC_PUSH(&x->found_states, x->state[k]);
  } else if (compare(f, x->state, &x->found.data[i], x->found_states.data + i * words, words) < 0) {
    x->found.data[i] = *f;
    words_copy(x->found_states.data + i * words, x->state, words);
  }
}

// The smallest of those that have not been claimed; NULL: there is none.
static const struct search_found *smallest(const struct search *s) {
  const struct search_found *best = NULL;
  const uint64_t *best_state = NULL;
  for (unsigned k = 0; k < s->worker_count; k++) {
    const struct explorer *x = bfs_explorer(s, k);
    for (size_t i = 0; x && i < x->found.count; i++) {
      const struct search_found *f = &x->found.data[i];
      const uint64_t *state = x->found_states.data + i * s->words;
      if (search_claimed(s, f)) continue;
      if (best && compare(f, state, best, best_state, s->words) >= 0) continue;
      best = f;
      best_state = state;
    }
  }
  return best;
}

static void tell_smallest(struct search *s) {
  for (const struct search_found *f; (f = smallest(s)) != NULL;)
    if (search_claim(s, f)) search_add_trace(s->workers[0], f);
}

static void tell_claimed(struct search *s) {
  for (unsigned k = 0; k < s->worker_count; k++) {
    const struct explorer *x = bfs_explorer(s, k);
    for (size_t i = 0; x && i < x->found.count; i++)
      search_add_trace(s->workers[0], &x->found.data[i]);
  }
}

void finding_tell(struct search *s) {
  if (s->config->deterministic)
    tell_smallest(s);
  else
    tell_claimed(s);
  for (unsigned k = 0; k < s->worker_count; k++) {
    struct explorer *x = bfs_explorer(s, k);
    if (!x) continue;
    x->found.count = 0;
    x->found_states.count = 0;
  }
}
