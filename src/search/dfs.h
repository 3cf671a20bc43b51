// SPDX-License-Identifier: Apache-2.0
// A worker's part of a depth-first search: its stack, and how something from the bottom of it goes
// to another worker. Private to the room.
#pragma once

#include "search/common.h"
#include "search/dfs_onpath.h"
#include "search/path.h"
#include "search/steal.h"
#include "sys/sys.h"

// A state on the path of a depth-first search: its successors are first, first + 1, ... up to those
// of the frame above. The one before `next` is the state of the frame above, or is being visited.
struct frame {
  size_t first, next;
};

// A stack: frames with the successors that they have to visit, and the path to the lowest.
struct dfs_parcel {
  struct parcel base;
  struct path *path;
  size_t count, frame_count;
  struct frame *frames;
  struct sys_step *steps;
  uint64_t words[];
};

struct dfs {
  // The stack. What lies below `bottom`, and below what was given to this worker, is in the path.
  struct sys_out out;       // all frames' successors
  VEC(struct frame) frames; // the lowest of the first worker: the start states
  size_t bottom;            // frames below it are not in use
  size_t spent;             // frames below it have nothing to visit
  struct path *path;        // to the state whose successors frame `bottom` has; NULL: starts
  uint64_t rise;            // the successors of frame i are i + rise steps from a start

  uint64_t *state; // being visited
  uint64_t *ids;
  size_t capacity;             // of ids
  uint64_t rounds, rounds_max; // of the loop
  size_t stack_bytes_most;
  struct search_pace pace;
  bool cut;                  // at the depth limit
  struct steal *steal;       // NULL: alone
  struct dfs_parcel *parcel; // being unpacked
  struct onpath *onpath;     // partial order reduction by one thread; NULL: none
};

static inline size_t dfs_top(const struct dfs *d) { return d->frames.count - 1; }
static inline uint64_t dfs_depth(const struct dfs *d) { return dfs_top(d) + d->rise; }

// Where the successors of a frame end.
static inline size_t dfs_end(const struct dfs *d, size_t i) {
  return i < dfs_top(d) ? d->frames.data[i + 1].first : d->out.count;
}

// The step from a frame's state to that of the frame above, or to the one being visited.
static inline struct trace_step dfs_step(const struct dfs *d, size_t i) {
  const struct sys_step *step = &d->out.steps[d->frames.data[i].next - 1];
  return (struct trace_step){step->instance, step->choice};
}

// Which states of the buffer are known: valid until the next call.
const uint64_t *dfs_seek(struct search_worker *w, size_t begin, size_t count);
// Sets what search_goes_on wants to know, and asks it.
bool dfs_look(struct search_worker *w);

void dfs_drop(struct steal *s, struct parcel *p);
// Another worker waits: gives it something, if there is enough for two.
void dfs_share(struct search_worker *w);
// With an empty stack: waits for something. False: there is nothing left anywhere, or the search
// was stopped.
bool dfs_receive(struct search_worker *w);
