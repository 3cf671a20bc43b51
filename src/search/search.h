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
  void (*progress)(void *context, const struct search_progress *p);
  void *progress_context;
};

struct search_strategy {
  const char *name;
  const char *help;
  bool exhaustive; // may say `holds`
  bool shortest;   // its traces are shortest
  void (*run)(struct search *s);
};
extern const struct search_strategy search_strategies[];
extern const size_t search_strategy_count;
const struct search_strategy *search_strategy_find(const char *name);

// Runs it: the one boundary for out-of-memory. Fills in verdict, reason, properties, traces (not
// replayed yet), stats. The result comes in zeroed.
//
// Reasons of an unknown verdict: "lossy, p <= P" (complete, but the store may have left states out
// with probability P), "time", "memory", "depth", "states", "interrupted", "no start
// state", "not checked: NAMES". A property may also be unknown because of "lossy" (as above),
// "errors" (the search ended at, or did not look behind, states that violate others), "fault"
// (evaluating it failed somewhere), "not checked" (its kind is not), "not selected".
void search_run(const struct search_strategy *s, const struct search_config *c, struct result *r);
