// SPDX-License-Identifier: Apache-2.0
// BoundedDfs (Fig 6; with --bounding depth Fig 5), without recursion and for several threads.
//
// Why it explores every state within the bound, whatever the threads do: a threshold only ever
// falls, so what is read of a successor is never less than what it ends with. Hence at the end of
// an iteration, for every state S that was explored and every successor T of it, Threshold(S) >=
// Threshold(T) - 1; and a state on outFrontier has the bound for a threshold. If the shortest path
// to a state that was left on outFrontier were shorter than the bound, the thresholds along it,
// from its end to the start, would fall by one at a time, and the start's would be positive; but a
// start is explored at depth 0.
#include "search/bounded.h"

#include <sched.h>

void bounded_reserve(struct bounder *b, size_t count) {
  if (count <= b->capacity) return;
  b->capacity = count + count / 2;
  b->ids = mem_realloc(b->ids, b->capacity * sizeof *b->ids);
  b->answers = mem_realloc(b->answers, b->capacity * sizeof *b->answers);
}

// --- thresholds ---

// A state that another thread has just put into the store has none for a moment. PAYLOAD_UNSET: the
// search was stopped meanwhile.
static uint32_t payload_when_set(struct search *s, _Atomic uint32_t *payload) {
  for (;;) {
    uint32_t p = atomic_load_explicit(payload, memory_order_acquire);
    if (p != PAYLOAD_UNSET || search_stopped(s)) return p;
    sched_yield();
  }
}

static void set_threshold(struct search *s, uint64_t id, int64_t threshold, bool frontier) {
  atomic_store_explicit(payload_at(s, id), payload_of(threshold, frontier), memory_order_release);
}

// mustExplore of a state that is known. True: it is to be explored at this depth, and its threshold
// says so; `first`: for the first time. False: the threshold says why not.
static bool must_explore(struct search *s, uint64_t id, int64_t depth, int64_t *threshold,
                         bool *first) {
  _Atomic uint32_t *payload = payload_at(s, id);
  uint32_t p = payload_when_set(s, payload);
  do {
    *threshold = payload_threshold(p);
    *first = p & PAYLOAD_FRONTIER;
    if (p == PAYLOAD_UNSET || depth >= *threshold) return false;
  } while (!atomic_compare_exchange_weak(payload, &p, payload_of(depth, false)));
  return true;
}

// A node that waits has its depth for a threshold, and is explored at that.
static bool must_explore_node(struct search *s, uint64_t id, int64_t depth, bool *first) {
  _Atomic uint32_t *payload = payload_at(s, id);
  uint32_t p = payload_when_set(s, payload);
  do {
    *first = p & PAYLOAD_FRONTIER;
    if (p == PAYLOAD_UNSET || (!*first && depth >= payload_threshold(p))) return false;
  } while (!atomic_compare_exchange_weak(payload, &p, payload_of(depth, false)));
  return true;
}

// Lowers a threshold; returns what it is then.
static int64_t lower(struct search *s, uint64_t id, int64_t threshold) {
  _Atomic uint32_t *payload = payload_at(s, id);
  uint32_t p = atomic_load(payload);
  while (payload_threshold(p) > threshold)
    if (atomic_compare_exchange_weak(payload, &p, payload_of(threshold, false))) return threshold;
  return payload_threshold(p);
}

// --- what an expansion gives ---

bool bounded_is_settled(struct search_worker *w, struct bounded_frame *f, uint64_t id,
                        int64_t depth) {
  if (id == STORE_ABSENT) return false;
  uint32_t p = atomic_load_explicit(payload_at(w->search, id), memory_order_acquire);
  if (p == PAYLOAD_UNSET || depth < payload_threshold(p)) return false;
  bounded_learn(f, payload_threshold(p));
  return true;
}

// Leaves the numbers of the successors that are to be visited in b->kept.
static void sift(struct search_worker *w, struct bounded_frame *f, int64_t depth) {
  struct bounder *b = w->own;
  const struct sys_out *o = &b->out;
  bounded_reserve(b, o->count);
  store_seek_batch(w->writer, o->words, o->count, b->ids);
  b->kept.count = 0;
  for (size_t i = 0; i < o->count; i++) {
    if (o->steps[i].site) continue;
    if (bounded_is_settled(w, f, b->ids[i], depth))
      w->revisits++;
    else
      VEC_PUSH(&b->kept, (uint32_t)i);
  }
}

// The successors in b->kept as changes of the state.
static void push_pending(struct search_worker *w) {
  struct bounder *b = w->own;
  size_t words = w->search->words;
  const uint64_t *from = b->path.state;
  for (size_t k = 0; k < b->kept.count; k++) {
    uint32_t i = b->kept.data[k];
    const uint64_t *to = b->out.words + i * words;
    size_t head = b->pending.count;
    VEC_PUSH(&b->pending, ((struct delta){0, 0}));
    for (size_t j = 0; j < words; j++)
      if (to[j] != from[j]) VEC_PUSH(&b->pending, ((struct delta){to[j], (uint32_t)j}));
    uint32_t changed = (uint32_t)(b->pending.count - head - 1);
    b->pending.data[head] = pending_head(i, changed, b->out.steps[i].instance);
  }
}

// --- at the bound ---

static void add_node(struct search_worker *w, uint64_t id, const uint64_t *state) {
  struct bounder *b = w->own;
  const struct nodes *n = &bounded_of(w)->nodes;
  nodes_sift(n, &b->made, bounded_waits, w->search);
  nodes_add(n, &b->made, b->node, id, state);
  uint64_t begin = n->kind == FRONTIER_TRACES ? 0 : b->node_bits;
  bits_append(&b->made.traces, &b->trace, begin, b->trace.count);
}

// A new state at the bound, where the trace leads.
static void add_frontier(struct search_worker *w, uint64_t id, const uint64_t *state,
                         uint64_t depth) {
  if (depth > w->depth) w->depth = depth;
  bool right = search_check(w, state, depth);
  if (right) add_node(w, id, state);
  set_threshold(w->search, id, right ? (int64_t)depth : -1, right);
}

// Moves the successors in b->kept to the front of the buffer; says how many there are.
static size_t gather_kept(struct search_worker *w) {
  struct bounder *b = w->own;
  size_t words = w->search->words;
  for (size_t k = 0; k < b->kept.count; k++)
    if (b->kept.data[k] != k)
      words_copy(b->out.words + k * words, b->out.words + b->kept.data[k] * words, words);
  return b->kept.count;
}

// What is known at the bound stays as it is, wherever it is.
static void learn_known(struct search_worker *w, struct bounded_frame *f, uint64_t id,
                        int64_t bound) {
  uint32_t p = payload_when_set(w->search, payload_at(w->search, id));
  int64_t threshold = payload_threshold(p);
  w->revisits++;
  bounded_learn(f, p == PAYLOAD_UNSET || threshold > bound ? bound : threshold);
}

// The successors lie at the bound: none of them is explored now, so all are written at once.
static void visit_bound(struct search_worker *w, struct bounded_frame *f, uint64_t depth) {
  struct bounder *b = w->own;
  size_t count = gather_kept(w), words = w->search->words;
  size_t done = store_write_batch(w->writer, b->out.words, count, b->answers, b->ids);
  for (size_t k = 0; k < done; k++) {
    if (b->answers[k] == STORE_OLD) {
      learn_known(w, f, b->ids[k], (int64_t)depth);
      continue;
    }
    uint32_t i = b->kept.data[k];
    bits_push(&b->trace, i, f->width);
    search_count_fresh(w, &b->out.steps[i], false, b->ids[k]);
    add_frontier(w, b->ids[k], b->out.words + k * words, depth);
    bits_cut(&b->trace, f->bits);
    bounded_learn(f, (int64_t)depth);
  }
  if (done < count) search_full(w->search);
}

// --- exploring ---

// Puts the state at the end of the path on the stack.
static void explore(struct search_worker *w, uint64_t id, bool first) {
  struct bounder *b = w->own;
  struct sys_out *o = &b->out;
  int64_t depth = (int64_t)bounder_depth(b) + 1;
  sys_out_reset(o);
  w->sys->expand(w->sys, b->path.state, o);
  if (first) search_tell_expansion(w, o, b->path.state, bounder_depth(b));
  b->reexplored += !first;
  struct bounded_frame f = {.id = id,
                            .first = b->pending.count,
                            .next = b->pending.count,
                            .bits = b->trace.count,
                            .width = bits_for(o->count),
                            .threshold = -1};
  sift(w, &f, depth);
  if ((uint64_t)depth == bounded_of(w)->bound)
    visit_bound(w, &f, (uint64_t)depth);
  else
    push_pending(w);
  VEC_PUSH(&b->frames, f);
}

// Visits the state at the end of the path. True: it is on the stack; false: with its threshold.
static bool arrive(struct search_worker *w, uint32_t instance, int64_t *threshold) {
  struct bounder *b = w->own;
  struct search *s = w->search;
  int64_t depth = (int64_t)bounder_depth(b);
  enum store_answer answer;
  uint64_t id;
  bool first = true;
  *threshold = depth;
  if (store_write_batch(w->writer, b->path.state, 1, &answer, &id) == 0) {
    search_full(s);
    return false;
  }
  if (answer == STORE_OLD) {
    w->revisits++;
    if (!must_explore(s, id, depth, threshold, &first)) return false;
  } else {
    if ((uint64_t)depth > w->depth) w->depth = (uint64_t)depth;
    search_count_fresh(w, &(struct sys_step){.instance = instance}, false, id);
    *threshold = search_check(w, b->path.state, (uint64_t)depth) ? depth : -1;
    set_threshold(s, id, *threshold, false);
    if (*threshold < 0) return false;
  }
  explore(w, id, first);
  return true;
}

void bounded_visit(struct search_worker *w, uint32_t instance) {
  int64_t threshold;
  arrive(w, instance, &threshold);
}

void bounded_explore_node(struct search_worker *w) {
  struct bounder *b = w->own;
  uint64_t id = nodes_last(&bounded_of(w)->nodes)->ids.data[b->node];
  bool first;
  if (must_explore_node(w->search, id, (int64_t)bounder_depth(b), &first)) explore(w, id, first);
}

void bounded_start(struct search_worker *w, size_t i) {
  struct bounder *b = w->own;
  const struct bounded *all = bounded_of(w);
  enum store_answer answer;
  uint64_t id;
  words_copy(b->path.state, all->starts.words + i * w->search->words, w->search->words);
  if (store_write_batch(w->writer, b->path.state, 1, &answer, &id) == 0) {
    search_full(w->search);
    return;
  }
  if (answer == STORE_OLD) return;
  bits_push(&b->trace, i, all->starts_width);
  search_count_fresh(w, NULL, true, id);
  add_frontier(w, id, b->path.state, 0);
  bits_cut(&b->trace, 0);
}

bool bounded_leads_on(struct search_worker *w) {
  struct bounder *b = w->own;
  struct sys_out *o = &b->replay; // what it covers does not count
  sys_out_reset(o);
  w->sys->expand(w->sys, b->path.state, o);
  for (size_t i = 0; i < o->count; i++)
    if (o->steps[i].site) return true;
  if (search_is_deadlock(w, b->path.state, o->fired, o->moved, false)) return true;
  bounded_reserve(b, o->count);
  store_seek_batch(w->writer, o->words, o->count, b->ids);
  for (size_t i = 0; i < o->count; i++)
    if (b->ids[i] == STORE_ABSENT) return true;
  return false;
}

// --- walking ---

enum { SAVING_BYTES = 32 }; // a node that is being saved

static size_t stack_bytes(const struct bounder *b) {
  return deltas_bytes(&b->path) + bits_bytes(&b->trace) +
         b->frames.capacity * sizeof *b->frames.data +
         b->pending.capacity * sizeof *b->pending.data;
}

bool bounded_look(struct search_worker *w) {
  struct bounder *b = w->own;
  struct bounded *all = bounded_of(w);
  size_t each = w->search->words * sizeof(uint64_t) + sizeof(struct sys_step);
  size_t stack = stack_bytes(b);
  if (stack > b->stack_bytes_most) b->stack_bytes_most = stack;
  // nodes are copied when they are sifted and at the end of an iteration; saving lists them
  size_t made = 2 * generation_bytes(&b->made);
  if (w->search->config->save_path) made += b->made.count * SAVING_BYTES;
  w->buffer_bytes = stack + made + (b->out.capacity + b->replay.capacity) * each;
  if (w->number == 0) w->buffer_bytes += nodes_bytes(&all->nodes);
  if (w->number == 0 && w->search->config->save_path)
    w->buffer_bytes += nodes_last(&all->nodes)->count * SAVING_BYTES;
  if (w->number == 0 && all->steal) w->buffer_bytes += all->steal->held;
  w->queue = b->made.count;
  return search_goes_on(w);
}

static bool goes_on(struct search_worker *w) {
  struct bounder *b = w->own;
  b->rounds++;
  if (search_pace_due(&b->pace)) return bounded_look(w);
  return !search_stopped(w->search);
}

// Back to the state of the top frame.
static void step_back(struct bounder *b) {
  const struct bounded_frame *f = &VEC_TOP(&b->frames);
  deltas_back(&b->path, deltas_length(&b->path) - 1);
  bits_cut(&b->trace, f->bits);
}

static void visit_next(struct search_worker *w) {
  struct bounder *b = w->own;
  struct bounded_frame *f = &VEC_TOP(&b->frames);
  const struct delta *head = &b->pending.data[f->next];
  size_t top = b->frames.count - 1;
  int64_t threshold;
  f->next += 1 + pending_words(head);
  deltas_change(&b->path, head + 1, pending_words(head));
  bits_push(&b->trace, pending_step(head), f->width);
  if (arrive(w, head->word, &threshold)) return;
  step_back(b);
  bounded_learn(&b->frames.data[top], threshold);
}

// The top frame's state has been explored.
static void leave(struct search_worker *w) {
  struct bounder *b = w->own;
  struct bounded_frame f = VEC_POP(&b->frames);
  bool by_depth = w->search->config->bounding == BOUNDING_DEPTH;
  int64_t threshold = lower(w->search, f.id, by_depth ? (int64_t)bounder_depth(b) : f.threshold);
  b->pending.count = f.first;
  if (b->frames.count == 0) return;
  step_back(b);
  bounded_learn(&VEC_TOP(&b->frames), threshold);
}

void bounded_walk(struct search_worker *w) {
  struct bounder *b = w->own;
  const struct steal *steal = bounded_of(w)->steal;
  while (b->frames.count > 0 && b->rounds < b->rounds_max && goes_on(w)) {
    if (steal && steal_wanted(steal)) bounded_share(w);
    if (VEC_TOP(&b->frames).next == b->pending.count)
      leave(w);
    else
      visit_next(w);
  }
}
