// SPDX-License-Identifier: Apache-2.0
// Writing a search that ended early into a file. Order: the states come before the nodes, which
// name them by their places in that list.
#include "ir/ir.h"
#include "search/saved_file.h"

// --- what is left of a search ---

struct writing {
  struct search *search;
  struct saved_out out;
  struct saved_links links; // ids to places
  uint64_t *places;         // of the states of nodes: those that wait, then those that were made
  uint64_t states;          // written so far
  size_t key_words;
  uint64_t *last; // key
};

static struct bounder *bounder_at(const struct search *s, unsigned i) { return s->workers[i]->own; }

// Whoever comes to a state that is being explored, at whatever depth, is to explore it.
static void mark_undone(struct search *s) {
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounder *b = bounder_at(s, i);
    for (size_t k = 0; b && k < b->frames.count; k++)
      *payload_at(s, b->frames.data[k].id) = payload_of(THRESHOLD_UNDONE, false);
  }
}

// --- progress ---

static void sum_counts(const struct search *s, uint64_t *counts) {
  double seconds = 0;
  counts[SAVED_ITERATIONS] = s->result->stats.iterations;
  struct search_tally all = search_tally(s);
  counts[SAVED_DEPTH] = all.depth;
  counts[SAVED_TRANSITIONS] = all.transitions;
  counts[SAVED_REVISITS] = all.revisits;
  counts[SAVED_EXPANDED] = all.expanded;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounder *b = bounder_at(s, i);
    if (!b) continue;
    counts[SAVED_REEXPLORED] += b->reexplored;
    counts[SAVED_GETSTATE_CALLS] += b->getstate_calls;
    counts[SAVED_GETSTATE_STEPS] += b->getstate_steps;
    seconds += b->getstate_seconds;
  }
  counts[SAVED_GETSTATE_US] = (uint64_t)(seconds * 1e6);
}

static void put_covers(struct writing *w) {
  const struct search *s = w->search;
  saved_put64(&w->out, s->cover_words);
  for (size_t k = 0; k < s->cover_words; k++) {
    uint64_t open = UINT64_MAX;
    for (unsigned i = 0; i < s->worker_count; i++) open &= s->workers[i]->covers_open[k];
    saved_put64(&w->out, open);
  }
}

static void put_survey(struct writing *w) {
  const struct search *s = w->search;
  size_t rules = s->workers[0]->fired ? s->config->model->rules.count : 0;
  saved_put64(&w->out, rules);
  for (size_t k = 0; k < rules; k++) {
    uint64_t fired = 0, fresh = 0;
    for (unsigned i = 0; i < s->worker_count; i++) {
      fired += s->workers[i]->fired[k];
      fresh += s->workers[i]->fresh[k];
    }
    saved_put64(&w->out, fired);
    saved_put64(&w->out, fresh);
  }
}

static void put_progress(struct writing *w) {
  const struct bounded *all = w->search->own;
  uint64_t counts[SAVED_COUNTS] = {0};
  sum_counts(w->search, counts);
  saved_put64(&w->out, all->bound);
  saved_put64s(&w->out, counts, SAVED_COUNTS);
  put_covers(w);
  put_survey(w);
}

// --- states ---

static size_t made_count(const struct search *s) {
  size_t count = 0;
  for (unsigned i = 0; i < s->worker_count; i++)
    if (bounder_at(s, i)) count += bounder_at(s, i)->made.count;
  return count;
}

static uint64_t *link_places(struct writing *w, const struct generation *g, uint64_t *places) {
  for (size_t i = 0; i < g->count; i++) saved_links_add(&w->links, g->ids.data[i], places++);
  return places;
}

static void link_nodes(struct writing *w) {
  const struct search *s = w->search;
  const struct generation *last = nodes_last(&((const struct bounded *)s->own)->nodes);
  w->places = mem_alloc((last->count + made_count(s)) * sizeof *w->places);
  uint64_t *next = link_places(w, last, w->places);
  for (unsigned i = 0; i < s->worker_count; i++)
    if (bounder_at(s, i)) next = link_places(w, &bounder_at(s, i)->made, next);
  saved_links_sort(&w->links);
}

static bool put_state(void *context, uint64_t id, const uint64_t *key) {
  struct writing *w = context;
  saved_put_key(&w->out, key, w->last, w->key_words);
  saved_put32(&w->out, *payload_at(w->search, id));
  saved_links_note(&w->links, id, w->states++);
  return !w->out.error;
}

static void put_states(struct writing *w) {
  const struct search *s = w->search;
  w->key_words = store_key_words(s->store);
  w->last = mem_zalloc(w->key_words, sizeof *w->last);
  saved_put32(&w->out, (uint32_t)w->key_words);
  saved_put64(&w->out, store_count(s->store));
  bool all = store_each(s->store, put_state, w);
  assert(!all || w->states == store_count(s->store));
  (void)all;
}

// --- nodes ---

static void put_bits(struct saved_out *o, const struct bits *b) {
  saved_put64(o, b->count);
  saved_put64s(o, b->words.data, (b->count + 63) / 64);
}

// Returns the places that follow. NULL: nodes that nobody waits for have none.
static const uint64_t *put_generation(struct writing *w, const struct generation *g,
                                      const uint64_t *places) {
  const struct nodes *n = &((const struct bounded *)w->search->own)->nodes;
  saved_put64(&w->out, g->bound);
  saved_put64(&w->out, g->count);
  if (n->kind != FRONTIER_TRACES) saved_put32s(&w->out, g->parent.data, g->count);
  saved_put64s(&w->out, g->begin.data, g->count);
  put_bits(&w->out, &g->traces);
  if (!places) return NULL;
  saved_put64s(&w->out, places, g->count);
  if (n->kind == FRONTIER_STATES) saved_put64s(&w->out, g->states.data, g->count * n->words);
  return places + g->count;
}

static void put_nodes(struct writing *w) {
  const struct search *s = w->search;
  const struct nodes *n = &((const struct bounded *)s->own)->nodes;
  const uint64_t *places = w->places;
  saved_put64(&w->out, n->generations.count);
  for (size_t i = 0; i + 1 < n->generations.count; i++)
    put_generation(w, &n->generations.data[i], NULL);
  places = put_generation(w, nodes_last(n), places);
  uint64_t lists = 0;
  for (unsigned i = 0; i < s->worker_count; i++) lists += bounder_at(s, i) != NULL;
  saved_put64(&w->out, lists);
  for (unsigned i = 0; i < s->worker_count; i++)
    if (bounder_at(s, i)) places = put_generation(w, &bounder_at(s, i)->made, places);
}

// --- items ---

static void put_item(struct writing *w, const struct bounded_item *item) {
  saved_put64(&w->out, item->depth);
  saved_put32(&w->out, item->node);
  saved_put32(&w->out, item->instance);
  saved_put64(&w->out, item->node_bits);
  put_bits(&w->out, &item->trace);
  saved_put64s(&w->out, item->state, w->search->words);
}

static uint64_t put_items_from(struct writing *w, const struct bounded_parcel *p, size_t first,
                               bool put) {
  for (size_t i = first; put && i < p->count; i++) put_item(w, &p->items[i]);
  return p->count - first;
}

// All parcels; says how many items there are. The one that was visited last may not be done, or
// have found the store full.
static uint64_t put_parcels(struct writing *w, bool put) {
  const struct search *s = w->search;
  const struct steal *steal = ((const struct bounded *)s->own)->steal;
  uint64_t count = 0;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct bounded_parcel *p = bounder_at(s, i) ? bounder_at(s, i)->parcel : NULL;
    if (p) count += put_items_from(w, p, p->next > 0 ? p->next - 1 : 0, put);
  }
  for (const struct parcel *p = steal ? steal->oldest : NULL; p; p = p->next)
    count += put_items_from(w, (const struct bounded_parcel *)p, 0, put);
  return count;
}

static void put_items(struct writing *w) {
  saved_put64(&w->out, put_parcels(w, false));
  put_parcels(w, true);
}

// --- the file ---

static bool write_all(struct writing *w, struct text *why) {
  struct search *s = w->search;
  if (!saved_out_open(&w->out, s->config->save_path, why)) return false;
  mark_undone(s);
  link_nodes(w);
  saved_put_head(&w->out, s->config);
  put_progress(w);
  put_states(w);
  uint64_t nodes_at = w->out.at;
  put_nodes(w);
  put_items(w);
  saved_put64(&w->out, nodes_at);
  return saved_out_commit(&w->out, why);
}

static void writing_free(struct writing *w) {
  saved_out_close(&w->out);
  saved_links_clear(&w->links);
  mem_free(w->places);
  mem_free(w->last);
  mem_free(w);
}

bool saved_write(struct search *s, struct text *why) {
  const struct bounded *all = s->own;
  struct mem_boundary boundary;
  if (all->unwound || all->nodes.generations.count == 0) {
    text_add(why, all->unwound ? "a step was broken off: no memory, or in a long atomic sequence"
                               : "the search had not really begun");
    return false;
  }
  struct writing *w = mem_zalloc(1, sizeof *w); // on the heap: its fields survive the jump
  w->search = s;
  if (mem_boundary_enter(&boundary)) {
    writing_free(w);
    text_add(why, "there was no memory left to do it with");
    return false;
  }
  bool written = write_all(w, why);
  mem_boundary_leave(&boundary);
  writing_free(w);
  return written;
}
