// SPDX-License-Identifier: Apache-2.0
// Cycles that consist of accepting states only, such as those without progress: Fig. 5 of Holzmann,
// Peled and Yannakakis, "On Nested Depth First Search" (1996). When the first search, dfs, leaves a
// state, the second, ndfs, goes from there through accepting states alone, and looks for a cycle on
// its own stack. It does without the two states of Fig. 6's automaton, and so with up to half the
// states; partial order reduction it refuses: where the second search meets the first one's stack
// there need not be a way back through accepting states.
#include "search/lasso.h"
#include "search/workers.h"

// Beside each state: Statespace has {s,0} and {s,1} as bits.
enum {
  VISITED = 1,   // {s,0}: by dfs
  ACCEPTING = 2, // if visited; in the paper: no progress state
  NESTED = 4,    // {s,1}: by ndfs
  STACK = 8,     // on the stack of ndfs
  PRUNED = 16,   // it violates something, or lies at the depth limit: not gone behind
};

struct progress {
  struct lasso lasso; // first: lasso_path takes it for this
  bool cut;           // at the depth limit
  uint64_t nested_states, nested_transitions;
};

size_t search_progress_payload(const struct search_config *c) {
  (void)c;
  return 1;
}

static uint8_t *marks_of(struct search_worker *w, uint64_t id) {
  return store_payload(w->search->store, id & ~LASSO_PATH);
}

// At the depth limit a state is only looked at: had it led anywhere, the search was cut here.
static bool at_limit(struct search_worker *w, struct progress *p) {
  struct lasso *l = &p->lasso;
  uint64_t limit = w->search->config->budget.depth_max;
  if (!limit || l->depth <= limit) return false;
  bool sound = lasso_expand(w, l, true);
  p->cut |= !sound || l->out.count > 0;
  return true;
}

// --- the second search ---

// It may be ahead of dfs, beside the states on the stack of which the paths branch off.
static bool accepts(struct search_worker *w, struct lasso *l, size_t i) {
  uint8_t marks = *marks_of(w, l->ids[i]);
  if (marks & VISITED) return marks & ACCEPTING;
  return w->sys->accepts(w->sys, l->out.words + i * w->search->words);
}

static void ndfs_step(struct search_worker *w, struct lasso *l, size_t i) {
  uint8_t marks = *marks_of(w, l->ids[i]);
  if (l->answers[i] == STORE_NEW) search_count_fresh(w, &l->out.steps[i], false, l->ids[i]);
  if (lasso_found(w->search) || marks & PRUNED || !accepts(w, l, i)) return;
  if (marks & STACK)
    lasso_report(w, l, i);
  else if (!(marks & NESTED))
    lasso_push(l, l->ids[i], l->out.words + i * w->search->words);
}

static void ndfs_enter(struct search_worker *w, struct progress *p) {
  struct lasso *l = &p->lasso;
  lasso_enter(w, l);
  *marks_of(w, lasso_top(l)) |= NESTED | STACK;
  p->nested_states++;
  if (at_limit(w, p)) return;
  lasso_expand(w, l, true);
  p->nested_transitions += l->out.count;
  if (!lasso_insert(w, l, l->out.count)) return;
  for (size_t i = l->out.count; i-- > 0;) ndfs_step(w, l, i);
}

static void ndfs_leave(struct search_worker *w, struct lasso *l) {
  *marks_of(w, lasso_top(l)) &= (uint8_t)~STACK;
  lasso_leave(l);
}

// From the state on top of the stack of dfs, which stays there.
static void ndfs(struct search_worker *w, struct progress *p) {
  struct lasso *l = &p->lasso;
  size_t seed = l->stack.count;
  uint64_t depth = l->depth;
  l->depth--; // it is entered once more
  ndfs_enter(w, p);
  while (l->stack.count > seed && !lasso_found(w->search) && lasso_goes_on(w, l)) {
    if (lasso_top(l) & LASSO_PATH)
      ndfs_leave(w, l);
    else if (*marks_of(w, lasso_top(l)) & NESTED)
      lasso_drop(l);
    else
      ndfs_enter(w, p);
  }
  *marks_of(w, l->stack.data[seed - 1]) &= (uint8_t)~STACK;
  l->stack.count = seed;
  l->depth = depth;
}

// --- the first search ---

static void push_successors(struct search_worker *w, struct lasso *l) {
  for (size_t i = l->out.count; i-- > 0;) {
    if (l->answers[i] == STORE_NEW) search_count_fresh(w, &l->out.steps[i], false, l->ids[i]);
    if (*marks_of(w, l->ids[i]) & VISITED)
      w->revisits++;
    else
      lasso_push(l, l->ids[i], l->out.words + i * w->search->words);
  }
}

static void dfs_enter(struct search_worker *w, struct progress *p) {
  struct lasso *l = &p->lasso;
  lasso_enter(w, l);
  bool accepting = w->sys->accepts(w->sys, l->state);
  *marks_of(w, lasso_top(l)) |= VISITED | (accepting ? ACCEPTING : 0);
  if (l->depth - 1 > w->depth) w->depth = l->depth - 1;
  if (!lasso_check(w, l) || at_limit(w, p)) {
    *marks_of(w, lasso_top(l)) |= PRUNED;
    return;
  }
  lasso_expand(w, l, false);
  w->expanded++;
  w->transitions += l->out.fired;
  search_count_fired(w, &l->out, 0, l->out.count);
  search_covers(w, l->out.covers);
  if (lasso_insert(w, l, l->out.count)) push_successors(w, l);
}

static void dfs_leave(struct search_worker *w, struct progress *p) {
  struct lasso *l = &p->lasso;
  uint8_t marks = *marks_of(w, lasso_top(l));
  bool begins = (marks & (ACCEPTING | NESTED | PRUNED)) == ACCEPTING;
  if (begins && !lasso_found(w->search)) ndfs(w, p);
  lasso_leave(l);
}

static void dfs(struct search_worker *w) {
  struct progress *p = w->own;
  struct lasso *l = &p->lasso;
  while (l->stack.count > 0 && lasso_goes_on(w, l)) {
    if (lasso_top(l) & LASSO_PATH) {
      dfs_leave(w, p);
    } else if (*marks_of(w, lasso_top(l)) & VISITED) {
      lasso_drop(l);
      w->revisits += l->depth > 0;
    } else {
      dfs_enter(w, p);
    }
  }
}

// --- beginning and end ---

static void progress_clear(struct search *s) {
  struct progress *p = s->workers[0]->own;
  if (!p) return;
  lasso_clear(&p->lasso);
  mem_free(p);
}

void search_progress(struct search *s) {
  assert(!s->config->ample);
  struct search_worker *w = s->workers[0];
  struct progress *p = mem_zalloc(1, sizeof *p);
  w->own = p;
  s->threads = 1;
  s->own_clear = progress_clear;
  s->found = search_report;
  s->path = lasso_path;
  lasso_init(&p->lasso, w);
  if (lasso_starts(w, &p->lasso)) workers_alone(s, dfs);
  if (p->cut) search_stop(s, "depth");
  s->result->stats.nested_states = p->nested_states;
  s->result->stats.nested_transitions = p->nested_transitions;
}
