// SPDX-License-Identifier: Apache-2.0
// Directed search: of the states that wait, the one that promises most is expanded next. astar adds
// the steps that led to it to what a heuristic says is left; greedy looks at the heuristic alone;
// random takes any. All of them end when nothing waits: then every state was explored.
#include "search/guided.h"
#include "search/heuristic.h"
#include "search/ways.h"
#include "search/workers.h"

// Of the states that wait. Those with equal promise come in the order in which they were found.
struct promise {
  int64_t cost;
  uint64_t number;
  uint64_t id;
  uint32_t steps; // from a start; astar: a state may wait again, with fewer
};

enum order { ORDER_ASTAR, ORDER_GREEDY, ORDER_RANDOM };

struct directed {
  struct ways ways;
  enum order order;
  struct heuristic heuristic;
  struct rng rng;
  VEC(struct promise) heap; // the least first
  uint64_t number;
};

// Beside each state, behind its way.
struct directed_payload {
  uint64_t way;
  uint32_t steps; // on the best way found so far
  uint32_t unused;
};

size_t search_directed_payload(const struct search_config *c) {
  (void)c;
  return sizeof(struct directed_payload);
}

static void directed_clear(struct search *s) {
  struct directed *d = s->own;
  ways_clear(&d->ways);
  heuristic_clear(&d->heuristic);
  VEC_CLEAR(&d->heap);
  mem_free(d);
}

static struct directed_payload *payload_of(const struct search_worker *w, uint64_t id) {
  return (struct directed_payload *)ways_payload(w, id);
}

// --- the heap ---

static bool before(const struct promise *a, const struct promise *b) {
  return a->cost != b->cost ? a->cost < b->cost : a->number < b->number;
}

static void put(struct directed *d, struct promise p) {
  VEC_PUSH(&d->heap, p);
  size_t i = d->heap.count - 1;
  for (size_t up; i > 0 && before(&p, &d->heap.data[up = (i - 1) / 2]); i = up)
    d->heap.data[i] = d->heap.data[up];
  d->heap.data[i] = p;
}

static struct promise take(struct directed *d) {
  struct promise first = d->heap.data[0], last = VEC_POP(&d->heap);
  size_t count = d->heap.count, i = 0;
  for (size_t down; (down = 2 * i + 1) < count; i = down) {
    if (down + 1 < count && before(&d->heap.data[down + 1], &d->heap.data[down])) down++;
    if (!before(&d->heap.data[down], &last)) break;
    d->heap.data[i] = d->heap.data[down];
  }
  if (count > 0) d->heap.data[i] = last;
  return first;
}

// --- searching ---

static int64_t cost_of(struct search_worker *w, struct directed *d, const uint64_t *state,
                       uint32_t steps) {
  if (d->order == ORDER_RANDOM) return (int64_t)(rng_next(&d->rng) >> 1);
  int64_t left = heuristic_value(&d->heuristic, w, state);
  if (d->order == ORDER_GREEDY) return left;
  return left > INT64_MAX - steps ? INT64_MAX : left + steps;
}

static void wait_for_turn(struct search_worker *w, struct directed *d, size_t i, uint32_t steps) {
  uint64_t id = d->ways.ids[i];
  const uint64_t *state = d->ways.out.words + i * w->search->words;
  payload_of(w, id)->steps = steps;
  put(d, (struct promise){cost_of(w, d, state, steps), d->number++, id, steps});
}

// A known state that was reached by fewer steps: it waits again, and its way goes here from now on.
static bool is_nearer(struct search_worker *w, const struct directed *d, uint64_t id,
                      uint32_t steps) {
  return d->order == ORDER_ASTAR && !ways_is(w, id, WAY_BAD) && steps < payload_of(w, id)->steps;
}

static bool goes_on(struct search_worker *w, struct directed *d) {
  size_t held = d->heap.capacity * sizeof *d->heap.data + heuristic_bytes(&d->heuristic);
  return ways_goes_on(w, &d->ways, held, d->heap.count);
}

static void keep(struct search_worker *w, struct directed *d, uint64_t from, uint32_t steps) {
  for (size_t i = 0; i < d->ways.out.count && goes_on(w, d); i++) { // each is weighed
    uint64_t id = d->ways.ids[i];
    if (id == STORE_ABSENT) continue;
    if (!d->ways.fresh[i]) {
      if (!is_nearer(w, d, id, steps)) continue;
      uint64_t *way = ways_payload(w, id);
      *way = (*way & ~WAY_PARENT) | (from + 1);
    }
    wait_for_turn(w, d, i, steps);
  }
}

static void run(struct search_worker *w) {
  struct directed *d = w->search->own;
  ways_starts(w, &d->ways);
  keep(w, d, UINT64_MAX, 0);
  while (d->heap.count > 0 && goes_on(w, d)) {
    struct promise p = take(d);
    if (p.steps > payload_of(w, p.id)->steps) continue; // it has had its turn, with fewer
    if (p.steps > w->depth) w->depth = p.steps;
    ways_expand(w, &d->ways, p.id);
    ways_insert(w, &d->ways, p.id, NULL, d->ways.out.count);
    keep(w, d, p.id, p.steps + 1);
  }
}

static void directed(struct search *s, enum order order) {
  struct directed *d = mem_zalloc(1, sizeof *d);
  s->own = d;
  s->own_clear = directed_clear;
  s->found = search_report;
  s->path = ways_path;
  d->order = order;
  rng_init(&d->rng, s->config->seed);
  if (order != ORDER_RANDOM) heuristic_init(&d->heuristic, s);
  ways_init(s->workers[0], &d->ways);
  workers_alone(s, run);
}

void search_astar(struct search *s) { directed(s, ORDER_ASTAR); }
void search_greedy(struct search *s) { directed(s, ORDER_GREEDY); }
void search_random(struct search *s) { directed(s, ORDER_RANDOM); }
