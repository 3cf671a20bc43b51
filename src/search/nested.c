// SPDX-License-Identifier: Apache-2.0
// Nested depth-first search for cycles through accepting states: Fig. 4 of Holzmann, Peled and
// Yannakakis, "On Nested Depth First Search" (1996). When the first search, dfs, is about to leave
// an accepting state, the second, ndfs, looks for a way from there to a state on the first one's
// stack; such a state leads to where the second search began.
//
// Beyond the paper: dfs itself sees cycles that it closes through an accepting state (Schwoon and
// Esparza, "A Note on On-The-Fly Verification Algorithms", 2005). In a product that is weak all
// accepting cycles are of that kind, and there is no second search.
//
// Successors go into the store when they are generated, so that each is looked up once. A state
// that dfs does not expand, because it violates something or lies at the depth limit, is marked as
// if ndfs had been there.
#include "search/nested.h"

#include "reduce/reduce.h"
#include "search/lasso.h"
#include "search/workers.h"

// Beside each state: Statespace has {s,0} and {s,1} as bits.
enum {
  VISITED = 1,   // {s,0}: by dfs
  STACK = 2,     // on the stack of dfs
  ACCEPTING = 4, // if visited
  NESTED = 8,    // {s,1}: by ndfs
  SELECTED = 16, // dfs took some of its successors only (5.2)
};

struct nested {
  struct lasso lasso; // first: lasso_path takes it for this
  bool numbers;       // beside its marks each state has the number of its selection
  bool cut;           // at the depth limit
  uint64_t nested_states, nested_transitions;
};

size_t search_nested_payload(const struct search_config *c) {
  if (cndfs_workers(c) > 1) return cndfs_payload(c);
  return 1 + (c->ample && c->selection_numbers);
}

static uint8_t *marks_of(struct search_worker *w, uint64_t id) {
  return store_payload(w->search->store, id & ~LASSO_PATH);
}

// --- selection: partial order reduction ---

// Is one of the first successors on the stack? They go into the store, unless others may be
// selected instead of them.
static bool closes_cycle(struct search_worker *w, struct nested *n, size_t count) {
  struct lasso *l = &n->lasso;
  if (n->numbers)
    lasso_seek(w, l, count);
  else if (!lasso_insert(w, l, count))
    return true;
  for (size_t i = 0; i < count; i++)
    if (l->ids[i] != STORE_ABSENT && *marks_of(w, l->ids[i]) & STACK) return true;
  return false;
}

// Brings a selection of the successors to the front that suffices, and says how many they are; all
// if there is none. With one bit for it the second search can only be told of the first one.
static size_t select_successors(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  const struct ample *ample = w->search->config->ample;
  uint8_t number = 1;
  uint64_t groups = ample ? w->sys->ample(w->sys, l->state) : 0;
  for (; groups && number <= (n->numbers ? UINT8_MAX : 1); number++) {
    size_t count = ample_select(ample, &l->out, 0, &groups);
    if (count == 0) break;
    if (count == l->out.count || closes_cycle(w, n, count)) continue;
    uint8_t *marks = marks_of(w, lasso_top(l));
    marks[0] |= SELECTED;
    if (n->numbers) marks[1] = number;
    return count;
  }
  return l->out.count;
}

// The same selection.
static size_t select_again(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  const uint8_t *marks = marks_of(w, lasso_top(l));
  size_t count = l->out.count;
  if (!(marks[0] & SELECTED)) return count;
  uint64_t groups = w->sys->ample(w->sys, l->state);
  for (unsigned i = 0; i < (n->numbers ? marks[1] : 1); i++)
    count = ample_select(w->search->config->ample, &l->out, 0, &groups);
  assert(count > 0);
  return count;
}

// --- the second search ---

static void ndfs_enter(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  lasso_expand(w, l, true);
  size_t count = select_again(w, n);
  *marks_of(w, lasso_top(l)) |= NESTED;
  n->nested_states++;
  n->nested_transitions += count;
  if (!lasso_again(w, l, count)) return;
  for (size_t i = count; i-- > 0;) {
    uint8_t marks = *marks_of(w, l->ids[i]);
    if (marks & STACK) {
      lasso_report(w, l, i);
      if (lasso_found(w->search)) return;
    }
    if (!(marks & NESTED)) lasso_push(l, l->ids[i], l->out.words + i * w->search->words);
  }
}

// From the state on top of the stack of dfs, which stays there.
static void ndfs(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  size_t seed = l->stack.count;
  uint64_t depth = l->depth;
  l->depth--; // it is entered once more
  lasso_enter(w, l);
  ndfs_enter(w, n);
  while (l->stack.count > seed && !lasso_found(w->search) && lasso_goes_on(w, l)) {
    if (lasso_top(l) & LASSO_PATH) {
      lasso_leave(l);
    } else if (*marks_of(w, lasso_top(l)) & NESTED) {
      lasso_drop(l);
    } else {
      lasso_enter(w, l);
      ndfs_enter(w, n);
    }
  }
  l->stack.count = seed;
  l->depth = depth;
}

// --- the first search ---

// What there is to do with a new state's successors: all are in the store.
static void push_successors(struct search_worker *w, struct nested *n, size_t count,
                            bool accepting) {
  struct lasso *l = &n->lasso;
  for (size_t i = count; i-- > 0;) {
    uint8_t marks = *marks_of(w, l->ids[i]);
    if (l->answers[i] == STORE_NEW) search_count_fresh(w, &l->out.steps[i], false, l->ids[i]);
    if (marks & STACK && (accepting || marks & ACCEPTING) && !lasso_found(w->search))
      lasso_report(w, l, i);
    if (marks & VISITED)
      w->revisits++;
    else
      lasso_push(l, l->ids[i], l->out.words + i * w->search->words);
  }
}

// At the depth limit a state is only looked at: had it led anywhere, the search was cut here.
static bool at_limit(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  uint64_t limit = w->search->config->budget.depth_max;
  if (!limit || l->depth <= limit) return false;
  bool sound = lasso_expand(w, l, true);
  n->cut |= !sound || l->out.count > 0;
  return true;
}

static void dfs_enter(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  lasso_enter(w, l);
  bool accepting = w->sys->accepts(w->sys, l->state);
  *marks_of(w, lasso_top(l)) |= VISITED | STACK | (accepting ? ACCEPTING : 0);
  if (l->depth - 1 > w->depth) w->depth = l->depth - 1;
  if (!lasso_check(w, l) || at_limit(w, n)) {
    *marks_of(w, lasso_top(l)) |= NESTED;
    return;
  }
  bool sound = lasso_expand(w, l, false);
  size_t count = sound ? select_successors(w, n) : l->out.count;
  w->expanded++;
  w->transitions += count < l->out.count ? count : l->out.fired;
  search_count_fired(w, &l->out, 0, count);
  search_covers(w, l->out.covers);
  bool inserted = count < l->out.count && !n->numbers;
  if (inserted || lasso_insert(w, l, count)) push_successors(w, n, count, accepting);
}

static void dfs_leave(struct search_worker *w, struct nested *n) {
  struct lasso *l = &n->lasso;
  uint8_t marks = *marks_of(w, lasso_top(l));
  if (marks & ACCEPTING && !(marks & NESTED) && !lasso_weak(w) && !lasso_found(w->search))
    ndfs(w, n);
  *marks_of(w, lasso_top(l)) &= (uint8_t)~STACK;
  lasso_leave(l);
}

static void dfs(struct search_worker *w) {
  struct nested *n = w->own;
  struct lasso *l = &n->lasso;
  while (l->stack.count > 0 && lasso_goes_on(w, l)) {
    if (lasso_top(l) & LASSO_PATH) {
      dfs_leave(w, n);
    } else if (*marks_of(w, lasso_top(l)) & VISITED) {
      lasso_drop(l);
      w->revisits += l->depth > 0;
    } else {
      dfs_enter(w, n);
    }
  }
}

// --- beginning and end ---

static void nested_clear(struct search *s) {
  struct nested *n = s->workers[0]->own;
  if (!n) return;
  lasso_clear(&n->lasso);
  mem_free(n);
}

void search_nested(struct search *s) {
  if (cndfs_workers(s->config) > 1) {
    search_cndfs(s);
    return;
  }
  struct search_worker *w = s->workers[0];
  struct nested *n = mem_zalloc(1, sizeof *n);
  w->own = n;
  s->threads = 1;
  s->own_clear = nested_clear;
  s->found = search_report;
  s->path = lasso_path;
  n->numbers = search_nested_payload(s->config) > 1;
  lasso_init(&n->lasso, w);
  if (lasso_starts(w, &n->lasso)) workers_alone(s, dfs);
  if (n->cut) search_stop(s, "depth");
  s->result->stats.nested_states = n->nested_states;
  s->result->stats.nested_transitions = n->nested_transitions;
}
