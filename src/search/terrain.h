// SPDX-License-Identifier: Apache-2.0
// States in a store, and a breadth-first search from the starts through them. Private to the room.
#pragma once

#include "search/common.h"
#include "search/ending.h"
#include "store/store.h"
#include "sys/sys.h"

// Beside each state: the marks of ending.h, and the state from which it was reached (its id plus
// one; of a start: its own); 0: it was not reached.
#define TERRAIN_PARENT (ENDING_IS - 1)

// What several of them use by turns.
struct terrain_tools {
  struct sys *sys;
  struct ending *ending;
  uint64_t *state; // that was expanded last
  struct sys_out out;
  uint64_t *ids; // of the successors, without those that fail
  enum store_answer *answers;
  size_t capacity; // of both
  double until;    // 0: no limit
  double now;      // about
  bool stopped;    // time is up, or an interrupt came
  struct search_pace pace;
};

void terrain_tools_init(struct terrain_tools *u, struct sys *sys, struct ending *e);
void terrain_tools_clear(struct terrain_tools *u);
// Is there time? Once per state that is expanded.
bool terrain_goes_on(struct terrain_tools *u);
// The starts, or the successors of u->state, into u->out.
void terrain_starts(struct terrain_tools *u);
void terrain_expand(struct terrain_tools *u);

struct terrain {
  struct terrain_tools *tools;
  struct store *store;
  uint64_t room;       // for about so many states
  bool full;           // there is no memory for more
  bool cut;            // the search met states that are not here
  VEC(uint64_t) queue; // ids, in the order in which the search reached them
  size_t next;         // of the queue, to be expanded
  size_t level_end;
  uint64_t depth; // of the next one
  uint64_t end;   // where the search found an end, or STORE_ABSENT
  bool has_step;  // that step from there is the one that fails
  struct trace_step step;
};

void terrain_init(struct terrain *r, struct terrain_tools *u, size_t mem_bytes);
void terrain_clear(struct terrain *r);
// The id of a state, which is taken in; STORE_ABSENT: there is no room.
uint64_t terrain_put(struct terrain *r, const uint64_t *state);
// Takes in successors of the states that are here, breadth first, up to r->room or that time.
void terrain_spread(struct terrain *r, double until);

// Begins the search.
void terrain_begin(struct terrain *r);
// Goes on with it, until r->end is known, or all are expanded that are less than `depths` steps
// from a start. The states that it meets are taken in up to r->room; then it pauses, or goes on
// with those that are here.
enum terrain_rest { TERRAIN_DONE, TERRAIN_PAUSED };
enum terrain_rest terrain_search(struct terrain *r, uint64_t depths, bool pauses, double until);
// The way to r->end, into a trace that has none. Ends the search.
void terrain_way(struct terrain *r, struct trace *t);
