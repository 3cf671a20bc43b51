// SPDX-License-Identifier: Apache-2.0
// Nested depth-first search with several threads: CNDFS, Fig. 3 of Evangelista, Laarman, Petrucci
// and van de Pol, "Improved Multi-Core Nested Depth-First Search" (ATVA 2012). Each worker runs
// both searches over a stack of its own, in an order of its own; what a worker is done with, blue
// and red, is done with for all. States that a second search, dfs_red, has passed become red only
// when it is over, and when the accepting ones among them, its seed aside, were made red by others.
//
// As in nested.c, dfs_blue itself sees cycles that it closes through an accepting state; weak
// products need no more. (The first state of such a cycle to become blue had all its successors on
// the cycle on the stack of the worker that did it.)
#include "search/lasso.h"

#include "search/nested.h"
#include "search/workers.h"

#include <sched.h>

#ifdef FATHOM_SMALL
enum { ALONE = 4 };
#else
enum { ALONE = 2000 }; // rounds before there are threads: many a model is done by then
#endif

// Bits beside each state; of each worker's two more.
enum { VISITED, BLUE, RED, ACCEPTING, SHARED_BITS };
enum { WORKERS_MAX = 30 };

struct cndfs {
  struct lasso lasso; // first: lasso_path takes it for this
  unsigned cyan;      // bit: on this worker's stack
  unsigned pink;      // bit: in R, what the red search has passed
  VEC(uint64_t) R;
  struct rng rng;
  bool cut;                    // at the depth limit
  uint64_t rounds, rounds_max; // of the loop
  uint64_t red_states, red_transitions;
};

unsigned cndfs_workers(const struct search_config *c) {
  if (c->threads <= 1 || c->deterministic || c->ample) return 1;
  return c->threads < WORKERS_MAX ? c->threads : WORKERS_MAX;
}

size_t cndfs_payload(const struct search_config *c) {
  return (SHARED_BITS + 2 * cndfs_workers(c) + 7) / 8;
}

// --- bits ---

static uint8_t *byte_of(struct search_worker *w, uint64_t id, unsigned bit) {
  return (uint8_t *)store_payload(w->search->store, id & ~LASSO_PATH) + bit / 8;
}

static bool has(struct search_worker *w, uint64_t id, unsigned bit) {
  return __atomic_load_n(byte_of(w, id, bit), __ATOMIC_SEQ_CST) >> bit % 8 & 1;
}

// True: it was not set before.
static bool set(struct search_worker *w, uint64_t id, unsigned bit) {
  uint8_t mask = (uint8_t)(1u << bit % 8);
  return !(__atomic_fetch_or(byte_of(w, id, bit), mask, __ATOMIC_SEQ_CST) & mask);
}

static void unset(struct search_worker *w, uint64_t id, unsigned bit) {
  uint8_t mask = (uint8_t)(1u << bit % 8);
  __atomic_fetch_and(byte_of(w, id, bit), (uint8_t)~mask, __ATOMIC_SEQ_CST);
}

// --- the red search ---

static void red_enter(struct search_worker *w, struct cndfs *c) {
  struct lasso *l = &c->lasso;
  uint64_t id = lasso_top(l) & ~LASSO_PATH;
  set(w, id, c->pink);
  VEC_PUSH(&c->R, id);
  // It may be new: behind a state that another worker's blue search is still busy with.
  if (!has(w, id, VISITED) && w->sys->accepts(w->sys, l->state)) set(w, id, ACCEPTING);
  lasso_expand(w, l, true);
  c->red_states++;
  c->red_transitions += l->out.count;
  if (!lasso_insert(w, l, l->out.count)) return;
  for (size_t i = l->out.count; i-- > 0;) {
    uint64_t t = l->ids[i];
    if (l->answers[i] == STORE_NEW) search_count_fresh(w, &l->out.steps[i], false, t);
    if (has(w, t, c->cyan)) {
      lasso_report(w, l, i);
      if (lasso_found(w->search)) return;
    }
    if (!has(w, t, c->pink) && !has(w, t, RED))
      lasso_push(l, t, l->out.words + i * w->search->words);
  }
}

// Waits until the accepting states that the search from `seed` has passed were made red by others.
static void await_others(struct search_worker *w, struct cndfs *c, uint64_t seed) {
  for (size_t i = 0; i < c->R.count; i++) {
    uint64_t id = c->R.data[i];
    if (id == seed || !has(w, id, ACCEPTING)) continue;
    while (!has(w, id, RED) && lasso_goes_on(w, &c->lasso)) sched_yield();
  }
}

static void dfs_red(struct search_worker *w, struct cndfs *c) {
  struct lasso *l = &c->lasso;
  size_t base = l->stack.count;
  uint64_t seed = lasso_top(l) & ~LASSO_PATH, depth = l->depth;
  c->R.count = 0;
  l->depth--; // it is entered once more
  lasso_enter(w, l);
  red_enter(w, c);
  while (l->stack.count > base && !lasso_found(w->search) && lasso_goes_on(w, l)) {
    uint64_t top = lasso_top(l);
    if (top & LASSO_PATH) {
      lasso_leave(l);
    } else if (has(w, top, c->pink) || has(w, top, RED)) {
      lasso_drop(l);
    } else {
      lasso_enter(w, l);
      red_enter(w, c);
    }
  }
  l->stack.count = base;
  l->depth = depth;
  if (lasso_found(w->search)) return;
  await_others(w, c, seed);
  if (search_stopped(w->search)) return;
  for (size_t i = 0; i < c->R.count; i++) {
    set(w, c->R.data[i], RED);
    unset(w, c->R.data[i], c->pink);
  }
}

// --- the blue search ---

static void swap_successors(struct lasso *l, size_t i, size_t k) {
  size_t words = l->out.words_per_state;
  uint64_t *a = l->out.words + i * words, *b = l->out.words + k * words;
  struct sys_step step = l->out.steps[i];
  l->out.steps[i] = l->out.steps[k];
  l->out.steps[k] = step;
  for (size_t j = 0; j < words; j++) {
    uint64_t word = a[j];
    a[j] = b[j];
    b[j] = word;
  }
}

// Each worker takes successors in an order of its own, so that they part company.
static void shuffle(struct search_worker *w, struct cndfs *c) {
  struct lasso *l = &c->lasso;
  for (size_t i = l->out.count; w->number > 0 && i > 1; i--) {
    size_t k = (size_t)rng_below(&c->rng, i);
    if (k != i - 1) swap_successors(l, i - 1, k);
  }
}

static void push_successors(struct search_worker *w, struct cndfs *c, bool accepting, bool first) {
  struct lasso *l = &c->lasso;
  for (size_t i = l->out.count; i-- > 0;) {
    uint64_t t = l->ids[i];
    bool fresh = l->answers[i] == STORE_NEW, cyan = has(w, t, c->cyan);
    if (fresh) search_count_fresh(w, &l->out.steps[i], false, t);
    w->revisits += first && has(w, t, VISITED);
    if (cyan && (accepting || has(w, t, ACCEPTING)) && !lasso_found(w->search))
      lasso_report(w, l, i);
    if (!cyan && !has(w, t, BLUE)) lasso_push(l, t, l->out.words + i * w->search->words);
  }
}

// Nobody goes on from there.
static void give_up(struct search_worker *w, struct cndfs *c) {
  set(w, lasso_top(&c->lasso), RED);
  set(w, lasso_top(&c->lasso), BLUE);
}

static bool is_sound(struct search_worker *w, struct cndfs *c, bool first) {
  if (lasso_check(w, &c->lasso)) return true;
  w->pruned -= !first; // it counts once
  return false;
}

static bool at_limit(struct search_worker *w, struct cndfs *c) {
  struct lasso *l = &c->lasso;
  uint64_t limit = w->search->config->budget.depth_max;
  if (!limit || l->depth <= limit) return false;
  bool sound = lasso_expand(w, l, true);
  c->cut |= !sound || l->out.count > 0;
  return true;
}

static void blue_enter(struct search_worker *w, struct cndfs *c) {
  struct lasso *l = &c->lasso;
  uint64_t s = lasso_top(l);
  lasso_enter(w, l);
  bool accepting = w->sys->accepts(w->sys, l->state);
  if (accepting) set(w, s, ACCEPTING);
  set(w, s, c->cyan);
  bool first = set(w, s, VISITED);
  if (l->depth - 1 > w->depth) w->depth = l->depth - 1;
  if (!is_sound(w, c, first) || at_limit(w, c)) {
    give_up(w, c);
    return;
  }
  lasso_expand(w, l, !first);
  if (first) {
    w->expanded++;
    w->transitions += l->out.fired;
    search_count_fired(w, &l->out, 0, l->out.count);
    search_covers(w, l->out.covers);
  }
  shuffle(w, c);
  if (lasso_insert(w, l, l->out.count)) push_successors(w, c, accepting, first);
}

static void blue_leave(struct search_worker *w, struct cndfs *c) {
  struct lasso *l = &c->lasso;
  uint64_t s = lasso_top(l);
  set(w, s, BLUE);
  if (!lasso_weak(w) && has(w, s, ACCEPTING) && !has(w, s, RED) && !lasso_found(w->search))
    dfs_red(w, c);
  unset(w, s, c->cyan);
  lasso_leave(l);
}

static void dfs_blue(struct search_worker *w) {
  struct cndfs *c = w->own;
  struct lasso *l = &c->lasso;
  for (; l->stack.count > 0 && c->rounds < c->rounds_max && lasso_goes_on(w, l); c->rounds++) {
    uint64_t top = lasso_top(l);
    if (top & LASSO_PATH)
      blue_leave(w, c);
    else if (has(w, top, BLUE) || has(w, top, c->cyan))
      lasso_drop(l);
    else
      blue_enter(w, c);
  }
}

// --- beginning and end ---

static void cndfs_clear(struct search *s) {
  for (unsigned i = 0; i < s->worker_count; i++) {
    struct cndfs *c = s->workers[i]->own;
    if (!c) continue;
    lasso_clear(&c->lasso);
    VEC_CLEAR(&c->R);
    mem_free(c);
  }
}

static bool cndfs_begin(struct search_worker *w) {
  struct cndfs *c = mem_zalloc(1, sizeof *c);
  w->own = c;
  c->cyan = SHARED_BITS + 2 * w->number;
  c->pink = c->cyan + 1;
  c->rounds_max = UINT64_MAX;
  rng_init(&c->rng, w->number);
  lasso_init(&c->lasso, w);
  return lasso_starts(w, &c->lasso);
}

static void work(struct search_worker *w) {
  struct cndfs *c = w->own;
  if (c)
    c->rounds_max = UINT64_MAX;
  else if (!cndfs_begin(w))
    return;
  dfs_blue(w);
}

static void sum_up(struct search *s) {
  bool cut = false;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct cndfs *c = s->workers[i]->own;
    if (!c) continue;
    cut |= c->cut;
    s->result->stats.nested_states += c->red_states;
    s->result->stats.nested_transitions += c->red_transitions;
  }
  if (cut) search_stop(s, "depth");
}

void search_cndfs(struct search *s) {
  struct search_worker *w = s->workers[0];
  if (s->threads > cndfs_workers(s->config)) s->threads = cndfs_workers(s->config);
  s->own_clear = cndfs_clear;
  s->found = search_report;
  s->path = lasso_path;
  if (cndfs_begin(w)) {
    struct cndfs *c = w->own;
    c->rounds_max = ALONE;
    workers_alone(s, dfs_blue);
    if (c->lasso.stack.count > 0 && !search_stopped(s)) workers_together(s, work);
  }
  sum_up(s);
}
