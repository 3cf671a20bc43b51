// SPDX-License-Identifier: Apache-2.0
// Reading a saved search back. Everything that is an index somewhere is compared with what it is an
// index of; nothing is made larger than the bytes in the file account for.
#include "ir/ir.h"
#include "search/saved_file.h"

// As many items of a list as were read.
#define ROOM(v, n)                                                                                 \
  do {                                                                                             \
    (v)->data = mem_alloc((n) * sizeof *(v)->data);                                                \
    (v)->count = (v)->capacity = (n);                                                              \
  } while (0)

static bool fail(struct saved_in *in) {
  in->failed = true;
  return false;
}

// --- nodes ---

static bool get_bits(struct saved_in *in, struct bits *b) {
  uint64_t count = saved_get64(in), words = count / 64 + (count % 64 > 0);
  if (in->failed || words > (in->end - in->at) / sizeof(uint64_t)) return fail(in);
  b->count = count;
  ROOM(&b->words, words);
  saved_get64s(in, b->words.data, words);
  return !in->failed;
}

// Traces follow each other.
static bool begins_fit(const struct generation *g) {
  uint64_t last = 0;
  for (size_t i = 0; i < g->count; i++) {
    if (g->begin.data[i] < last || g->begin.data[i] > g->traces.count) return false;
    last = g->begin.data[i];
  }
  return true;
}

static bool parents_fit(const struct generation *g, const struct generation *before) {
  for (size_t i = 0; before && i < g->parent.count; i++)
    if (g->parent.data[i] >= before->count) return false;
  return true;
}

static bool places_fit(const struct generation *g, uint64_t states) {
  for (size_t i = 0; i < g->ids.count; i++)
    if (g->ids.data[i] >= states) return false;
  return true;
}

// Of nodes that wait: the places of their states, and, if the frontier keeps them, these.
static bool get_waiting(struct saved_in *in, const struct saved_body *b, struct generation *g) {
  size_t each = b->nodes->kind == FRONTIER_STATES ? b->words : 0;
  if (g->count > (in->end - in->at) / ((1 + each) * sizeof(uint64_t))) return fail(in);
  ROOM(&g->ids, g->count);
  saved_get64s(in, g->ids.data, g->count);
  if (each) ROOM(&g->states, g->count * each);
  saved_get64s(in, g->states.data, g->states.count);
  return places_fit(g, b->states) || fail(in);
}

static bool get_generation(struct saved_in *in, const struct saved_body *b, struct generation *g,
                           const struct generation *before, bool waits) {
  bool parents = b->nodes->kind != FRONTIER_TRACES;
  g->bound = saved_get64(in);
  g->count = saved_get_count(in, sizeof(uint64_t) + (parents ? sizeof(uint32_t) : 0));
  if (in->failed || g->count > NODES_GENERATION_MAX) return fail(in);
  if (parents) ROOM(&g->parent, g->count);
  saved_get32s(in, g->parent.data, g->parent.count);
  ROOM(&g->begin, g->count);
  saved_get64s(in, g->begin.data, g->count);
  if (!get_bits(in, &g->traces)) return false;
  if (!begins_fit(g) || !parents_fit(g, before)) return fail(in);
  return !waits || get_waiting(in, b, g);
}

static bool get_generations(struct saved_in *in, const struct saved_body *b) {
  struct nodes *n = b->nodes;
  size_t count = saved_get_count(in, 3 * sizeof(uint64_t));
  if (count == 0 || (n->kind == FRONTIER_TRACES && count > 1)) return fail(in);
  for (size_t i = 0; i < count; i++) {
    VEC_PUSH(&n->generations, ((struct generation){0}));
    struct generation *g = nodes_last(n), *before = i > 0 ? g - 1 : NULL;
    if (!get_generation(in, b, g, before, i + 1 == count)) return false;
    if (g->bound > SEARCH_BOUND_MAX || (before && before->bound >= g->bound)) return fail(in);
  }
  return nodes_last(n)->bound <= b->bound || fail(in);
}

// The nodes of a list go to those that there are.
static void append(const struct nodes *n, struct generation *to, const struct generation *from) {
  for (size_t i = 0; i < from->count; i++) {
    const uint64_t *state = from->states.data ? from->states.data + i * n->words : NULL;
    uint32_t parent = from->parent.data ? from->parent.data[i] : 0;
    nodes_add(n, to, parent, from->ids.data[i], state);
    bits_append(&to->traces, &from->traces, from->begin.data[i], generation_end(from, i));
  }
}

static bool get_made(struct saved_in *in, const struct saved_body *b) {
  size_t lists = saved_get_count(in, 3 * sizeof(uint64_t));
  for (size_t i = 0; i < lists && !in->failed; i++) {
    struct generation g = {0};
    if (get_generation(in, b, &g, nodes_last(b->nodes), true)) append(b->nodes, b->made, &g);
    generation_clear(&g);
  }
  return !in->failed;
}

// --- items ---

static bool item_fits(const struct saved_body *b, const struct bounded_item *item) {
  const struct generation *last = nodes_last(b->nodes);
  return item->depth >= last->bound && item->depth <= b->bound && item->node < last->count &&
         item->instance < b->instances && item->node_bits <= item->trace.count;
}

static bool get_items(struct saved_in *in, struct saved_body *b) {
  size_t state = b->words * sizeof(uint64_t), count = saved_get_count(in, 32 + state);
  for (size_t i = 0; i < count; i++) {
    VEC_PUSH(&b->items, ((struct bounded_item){0}));
    struct bounded_item *item = &VEC_TOP(&b->items);
    item->depth = saved_get64(in);
    item->node = saved_get32(in);
    item->instance = saved_get32(in);
    item->node_bits = saved_get64(in);
    if (!get_bits(in, &item->trace) || !item_fits(b, item)) return fail(in);
    item->state = mem_alloc(state);
    saved_get64s(in, item->state, b->words);
  }
  return !in->failed;
}

// --- all of it ---

static bool get_progress(struct saved_in *in, struct saved_body *b) {
  b->bound = saved_get64(in);
  saved_get64s(in, b->counts, SAVED_COUNTS);
  size_t covers = saved_get_count(in, sizeof(uint64_t));
  ROOM(&b->covers, covers);
  saved_get64s(in, b->covers.data, covers);
  size_t rules = saved_get_count(in, 2 * sizeof(uint64_t));
  if (b->bound > SEARCH_BOUND_MAX + UINT64_C(1) || (rules && rules != b->rules)) return fail(in);
  ROOM(&b->fired, rules);
  ROOM(&b->fresh, rules);
  for (size_t i = 0; i < rules; i++) {
    b->fired.data[i] = saved_get64(in);
    b->fresh.data[i] = saved_get64(in);
  }
  return !in->failed;
}

static bool pass_states(struct saved_in *in, struct saved_body *b) {
  b->key_words = saved_get32(in);
  b->states = saved_get_count(in, 1 + sizeof(uint32_t));
  b->states_at = in->at;
  if (in->failed || in->end - in->at < sizeof(uint64_t)) return fail(in);
  in->at = in->end - sizeof(uint64_t);
  b->nodes_at = saved_get64(in);
  if (b->nodes_at < b->states_at || b->nodes_at > in->end) return fail(in);
  in->at = b->nodes_at;
  return !in->failed;
}

bool saved_read_body(struct saved_in *in, struct saved_body *b) {
  return get_progress(in, b) && pass_states(in, b) && get_generations(in, b) && get_made(in, b) &&
         get_items(in, b) && in->end - in->at == sizeof(uint64_t);
}

static void item_clear(struct bounded_item *item) {
  bits_clear(&item->trace);
  mem_free(item->state);
}

void saved_body_clear(struct saved_body *b) {
  for (size_t i = 0; i < b->items.count; i++) item_clear(&b->items.data[i]);
  VEC_CLEAR(&b->items);
  VEC_CLEAR(&b->covers);
  VEC_CLEAR(&b->fired);
  VEC_CLEAR(&b->fresh);
}

// --- into a search ---

static void link_ids(struct saved_links *l, struct generation *g) {
  for (size_t i = 0; i < g->count; i++) saved_links_add(l, g->ids.data[i], &g->ids.data[i]);
}

// False: the store is full, or the file is not what it was.
static bool restore_states(struct search_worker *w, struct saved_in *in, const struct saved_body *b,
                           struct saved_links *links, uint64_t *key) {
  struct search *s = w->search;
  if (b->key_words != store_key_words(s->store)) return fail(in);
  in->at = b->states_at;
  for (uint64_t i = 0; i < b->states; i++) {
    uint64_t id;
    saved_get_key(in, key, b->key_words);
    uint32_t payload = saved_get32(in);
    if (in->failed || payload == PAYLOAD_UNSET) return fail(in);
    enum store_answer answer = store_put_key(w->writer, key, &id);
    if (answer == STORE_FULL) return false;
    if (answer == STORE_OLD) return fail(in);
    *payload_at(s, id) = payload;
    if (w->fired && store_keeps_states(s->store)) search_new_id(w, id);
    saved_links_note(links, i, id);
  }
  return in->at == b->nodes_at || fail(in);
}

static void restore_progress(struct search_worker *w, const struct saved_body *b) {
  struct search *s = w->search;
  struct bounder *own = w->own;
  const uint64_t *c = b->counts;
  s->result->stats.iterations = c[SAVED_ITERATIONS];
  w->depth = c[SAVED_DEPTH];
  w->transitions = c[SAVED_TRANSITIONS];
  w->revisits = c[SAVED_REVISITS];
  w->expanded = c[SAVED_EXPANDED];
  own->reexplored = c[SAVED_REEXPLORED];
  own->getstate_calls = c[SAVED_GETSTATE_CALLS];
  own->getstate_steps = c[SAVED_GETSTATE_STEPS];
  own->getstate_seconds = (double)c[SAVED_GETSTATE_US] / 1e6;
  for (size_t i = 0; w->fired && i < b->fired.count; i++) {
    w->fired[i] = b->fired.data[i];
    w->fresh[i] = b->fresh.data[i];
  }
  uint64_t left = 0;
  for (size_t i = 0; i < s->cover_words; i++) left |= w->covers_open[i] &= b->covers.data[i];
  w->has_open_covers = w->has_open_covers && left != 0;
}

// The items become a parcel for the worker.
static void restore_items(struct search_worker *w, struct saved_body *b) {
  struct bounder *own = w->own;
  if (b->items.count == 0) return;
  struct bounded_parcel *p = mem_alloc(sizeof *p + b->items.count * sizeof *p->items);
  *p = (struct bounded_parcel){.count = b->items.count}; // of no bytes to those who count them
  memcpy(p->items, b->items.data, b->items.count * sizeof *p->items);
  b->items.count = 0;
  own->parcel = p;
}

static bool restore(struct search_worker *w, struct saved_in *in, struct saved_body *b,
                    struct saved_links *links, uint64_t *key) {
  struct search *s = w->search;
  struct bounded *all = s->own;
  if (!saved_read_body(in, b) || b->covers.count != s->cover_words) return fail(in);
  link_ids(links, nodes_last(b->nodes));
  link_ids(links, b->made);
  saved_links_sort(links);
  if (!restore_states(w, in, b, links, key)) return false;
  restore_items(w, b);
  restore_progress(w, b);
  all->bound = b->bound;
  s->result->depth_complete = nodes_last(b->nodes)->bound;
  s->result->depth_known = true;
  return true;
}

// A part of a search must not be saved.
static void give_up(struct search *s, bool unreadable) {
  struct bounded *all = s->own;
  nodes_clear(&all->nodes);
  generation_clear(&((struct bounder *)s->workers[0]->own)->made);
  if (unreadable)
    search_stop(s, "the saved search cannot be read any more");
  else
    search_full(s);
}

bool saved_restore(struct search *s) {
  const struct saved *f = s->config->resume;
  struct search_worker *w = s->workers[0];
  struct bounded *all = s->own;
  struct saved_in in = f->in;
  in.at = f->body;
  in.count = 0; // what is in the block may be another part of the file
  struct saved_body b = {.words = s->words,
                         .rules = s->config->model->rules.count,
                         .instances = s->config->model->rule_instances,
                         .nodes = &all->nodes,
                         .made = &((struct bounder *)w->own)->made};
  struct saved_links links = {0};
  uint64_t *key = mem_zalloc(store_key_words(s->store), sizeof *key);
  all->unwound = true; // unless it comes back
  bool restored = restore(w, &in, &b, &links, key);
  all->unwound = false;
  if (!restored) give_up(s, in.failed);
  mem_free(key);
  saved_links_clear(&links);
  saved_body_clear(&b);
  return restored;
}
