// SPDX-License-Identifier: Apache-2.0
// What the files of the breadth-first search share. Private to them.
#pragma once

#include "search/batch.h"
#include "search/frontier.h"
#include "search/lineage.h"
#include "search/retract.h"

// The search as a whole. Changed while the workers rest, but for the frontier's atomics.
struct bfs {
  struct frontier frontier;
  uint64_t depth;     // of the level being expanded
  bool has_bad;       // some state violates an invariant,
  uint64_t bad_depth; // the first one here
  uint64_t start_count;
  // Deterministic: `width` numbers per level, of the first state that each worker has in it.
  size_t width;
  VEC(uint64_t) levels;
  const uint64_t *target; // the state to which a source is looked for
  struct retract before;  // what was counted before the level in work; deterministic
  uint64_t closed; // ids below this one are of states up to the level in work; STORE_ABSENT: all
};

// A source that leads to the target; found = false: there is none.
struct parent {
  bool found;
  uint64_t place;
  struct trace_step step;
};

// One worker's part.
struct explorer {
  struct batch batch;
  struct lineage lineage;
  struct frontier_next next;
  uint64_t level_first;  // number of its first state behind the level in work
  struct piece chunk;    // being expanded
  unsigned empty;        // of frontier_take
  const uint64_t *state; // which is being checked
  // What it found in this level, and (deterministic) the states that go with it.
  VEC(struct search_found) found;
  VEC(uint64_t) found_states;
  struct sys_out again; // successors of one state, when a path is rebuilt
  struct parent parent; // the smallest one it saw
  uint64_t *parent_state;
  struct { // of a level that is only looked at
    uint64_t expanded, fired, known;
  } probed;
  char apart[64]; // no two workers share a line of the cache
};

static inline struct explorer *bfs_explorer(const struct search *s, unsigned worker) {
  return s->workers[worker]->own;
}

// Shares the frontier's states out: among all workers, or to worker 0 alone if they are few.
void bfs_share(struct search *s, void (*work)(struct search_worker *w));

// Takes what a worker found wrong, for search->found; deterministic: the smallest of each kind.
void finding_keep(struct search_worker *w, const struct search_found *f);
void finding_keep_smallest(struct search_worker *w, const struct search_found *f);
// At the end of a level, while the workers rest: adds the traces.
void finding_tell(struct search *s);

// The way to a state, for search->path: over the sources as they came, or (deterministic) over the
// smallest ones.
void trail_path(struct search_worker *w, uint64_t place, struct trace *t);
void trail_smallest_path(struct search_worker *w, uint64_t place, struct trace *t);
