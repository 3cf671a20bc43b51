// SPDX-License-Identifier: Apache-2.0
// Explicit-state searches: one file per strategy, one row per strategy in the table.
#pragma once

#include "base/base.h"

struct sys;
struct result;
struct ir_model;
struct search; // a running search; private to the room

// What a running search tells about itself, about ten times a second at most.
struct search_progress {
  uint64_t states, transitions, depth, queue;
  size_t mem_bytes;
  double seconds;
};

// The bounded search: when a known state is explored again, and how its frontier is kept.
enum search_bounding { BOUNDING_THRESHOLD, BOUNDING_DEPTH };
enum search_frontier { FRONTIER_TREE, FRONTIER_TRACES, FRONTIER_STATES };
#define SEARCH_INCREMENT 1           // of its bound, to begin with, unless said
#define SEARCH_BOUND_MAX 2000000000u // its depths are counted in 31 bits

// Directed searches: what tells how much a state promises.
enum search_heuristic { HEURISTIC_MARKED, HEURISTIC_EXPR, HEURISTIC_AUTO, HEURISTIC_TABLE };
#define SEARCH_NEVER      UINT32_MAX // of a table: nothing wrong can be reached from there
#define SEARCH_BIAS_LIMIT 5 // biased-bfs: states from which marked steps go ahead, per level
#define SEARCH_AGENTS     2 // biased-dfs: agents that can take a marked step, to explore in depth

struct ample;
struct guide_agents;
struct guide_marks;
struct guide_monitor;
struct ir_expr;
struct ir_frame;
struct saved; // a bounded search from a file (search/saved.h)

struct search_config {
  struct sys *sys;
  const struct ir_model *model;
  const char *store; // store kind
  struct budget budget;
  double started;      // clock_seconds() at the start of the run: the time budget counts from it
  int deadlock;        // enum ir_deadlock
  uint64_t max_errors; // 0 = no limit
  const uint8_t *property_on; // per property: checked? NULL = all
  unsigned threads;           // 0 = 1
  bool deterministic;         // same counts and traces whatever the threads do
  bool survey;                // fill in result->survey
  unsigned hash_bits, hashes; // of the stores that hash (store_config)
  // of the bounded search
  uint64_t increment; // of its bound; 0 = SEARCH_INCREMENT first, then as it pays
  enum search_bounding bounding;
  enum search_frontier frontier;
  const char *save_path;      // write what is left to this file when it ends early; NULL: don't
  const struct saved *resume; // go on from there; NULL: from the start
  const char *meaning;        // what else decides which states there are ("symmetry on, ..."):
                              // a saved search goes on only under the same; NULL = ""
  // of the searches that follow hints
  const struct guide_marks *marks;   // NULL: none
  const struct guide_agents *agents; // biased-dfs, context: never NULL
  struct guide_monitor *monitor;     // what is seen of flows; NULL: not asked for
  uint64_t bias_limit;               // 0 = SEARCH_BIAS_LIMIT
  uint64_t agents_marked;            // 0 = SEARCH_AGENTS
  enum search_heuristic heuristic;
  const struct ir_expr *heuristic_expr; // HEURISTIC_EXPR: an integer
  const struct ir_frame *heuristic_frame;
  // HEURISTIC_TABLE: how many steps lead at least from a state to something wrong. Where that is
  // never too much astar finds a shortest trace first.
  uint32_t (*heuristic_table)(const void *context, const uint64_t *state);
  const void *heuristic_context;
  uint64_t seed; // of random
  // of the searches for cycles: sys is a product (sys->accepts)
  uint32_t cycle_property; // what a cycle through accepting states violates
  // Partial order reduction: of a state's steps those of one agent, where these suffice. NULL: all.
  const struct ample *ample;
  bool selection_numbers; // ndfs: tries every agent, and keeps which one it was instead of a bit
  void (*progress)(void *context, const struct search_progress *p);
  void *progress_context;
  // of a race (search/race.h)
  const _Atomic bool *cancel; // set when another search has won; NULL: there is none
  size_t mem_others;          // what others may hold of the process's memory beside this one
};

struct search_strategy {
  const char *name;
  const char *help;
  bool exhaustive; // may say `holds`
  bool shortest;   // its traces are shortest
  // Bytes that it keeps beside each state; NULL: none.
  size_t (*payload_bytes)(const struct search_config *c);
  void (*run)(struct search *s);
};
extern const struct search_strategy search_strategies[];
extern const size_t search_strategy_count;
const struct search_strategy *search_strategy_find(const char *name);

// Runs it: the one boundary for out-of-memory. Fills in verdict, reason, properties, traces (not
// replayed yet), stats. The result comes in zeroed.
//
// Reasons of an unknown verdict: "lossy, p <= P" (complete, but the store may have left states out
// with probability P), "time", "memory", "depth", "states", "interrupted", "cancelled",
// "no start state", "not checked: NAMES". A property may also be unknown because of "lossy" (as
// above), "errors" (the search ended at, or did not look behind, states that violate others),
// "fault" (evaluating it failed somewhere), "not checked" (its kind is not), "not selected".
void search_run(const struct search_strategy *s, const struct search_config *c, struct result *r);

// The same for liveness properties (IR_PROP_LIVENESS), which no strategy checks: can a state in
// which each holds be reached from every reachable state? One thread, a store that keeps states; no
// symmetry. A violation's trace leads to a state from which it cannot. (liveness.c)
void search_liveness(const struct search_config *c, struct result *r);
