// SPDX-License-Identifier: Apache-2.0
// What is in the file of a saved search, and the search that writes it and goes on from it. Private
// to the room.
//
// After the mark (saved_io.h):
//   head      version, hash of the model, store, bounding, frontier, meaning, size of a state
//   progress  the bound of the iteration that was begun, enum saved_count, cover goals left, survey
//   states    how many; of each what the store keeps of it (store_each), and its payload
//   nodes     the generations; with those that wait the places of their states in the list above
//   made      nodes of the iteration that was begun, likewise, a list for each worker
//   items     states that were on their way from one worker to another, or had been
//   and where the nodes begin
// Of states that were being explored nothing is kept but that their exploration was not finished
// (THRESHOLD_UNDONE). They are reached again from the nodes and items where it had begun.
#pragma once

#include "search/bounded.h"
#include "search/saved.h"
#include "search/saved_io.h"

// To be counted up when the format changes, or the order in which a state's successors come.
#define SAVED_VERSION 1

enum saved_count {
  SAVED_ITERATIONS,
  SAVED_DEPTH,
  SAVED_TRANSITIONS,
  SAVED_REVISITS,
  SAVED_EXPANDED,
  SAVED_REEXPLORED,
  SAVED_GETSTATE_CALLS,
  SAVED_GETSTATE_STEPS,
  SAVED_GETSTATE_US,
  SAVED_COUNTS
};

// The search as it is, into s->config->save_path: while the workers rest, and for the last time,
// since states that are being explored are marked. False, with a sentence in why: it could not be
// written; what was there before is there still.
bool saved_write(struct search *s, struct text *why);
// Puts what is in s->config->resume into a search that has worker 0, its bounder, and nothing else:
// nodes, `bound` (if that is more than the bound of the last generation, an iteration was begun: it
// is to go on to that bound), nodes that were made, a parcel for worker 0, states, counters. False,
// and the search is stopped: there is no room for it, or it cannot be read any more.
bool saved_restore(struct search *s);

// --- the parts of it ---

void saved_put_head(struct saved_out *o, const struct search_config *c);
// False, with a sentence in why: this is not what the search would go on from.
bool saved_check_head(struct saved_in *in, const struct search_config *c, struct text *why);

// `last`: the key before, zero before the first; then this one.
void saved_put_key(struct saved_out *o, const uint64_t *key, uint64_t *last, size_t words);
// `key`: likewise.
void saved_get_key(struct saved_in *in, uint64_t *key, size_t words);

// Numbers (ids, places) that stand for others, which become known one by one.
struct saved_link {
  uint64_t number;
  uint64_t *other;
};
struct saved_links {
  VEC(struct saved_link) list;
  size_t next; // where the last number would go
};
void saved_links_add(struct saved_links *l, uint64_t number, uint64_t *other);
void saved_links_sort(struct saved_links *l); // when all have been added
void saved_links_note(struct saved_links *l, uint64_t number, uint64_t other);
void saved_links_clear(struct saved_links *l);

// What follows the head, but for the states.
struct saved_body {
  size_t words;   // of a state
  uint64_t rules; // of the model, and their instances
  uint64_t instances;
  struct nodes *nodes; // empty; gets the generations; ids: places of states
  struct generation *made;
  uint64_t bound;
  uint64_t counts[SAVED_COUNTS];
  VEC(uint64_t) covers, fired, fresh;
  VEC(struct bounded_item) items;
  uint64_t states, states_at, nodes_at; // how many; where they begin, and end
  size_t key_words;
};
// False: something is in it that cannot be.
bool saved_read_body(struct saved_in *in, struct saved_body *b);
void saved_body_clear(struct saved_body *b); // but for nodes and made

struct saved {
  struct saved_in in;
  uint64_t body;  // where it begins
  uint64_t depth; // complete to here
  uint64_t bound; // of the iteration that was begun
  bool surveyed;  // it has what --stats counts
};
