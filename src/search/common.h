// SPDX-License-Identifier: Apache-2.0
// What every explicit search shares: its workers, checks of new states, violations, budget,
// progress. Private to the room.
#pragma once

#include "search/search.h"
#include "trace/trace.h"

#include <stdatomic.h>
#include <string.h>

struct ir_eval;
struct search_team;
struct search_worker;
struct store;
struct store_writer;
struct sys_out;
struct sys_step;

// Something that is wrong, and where. `at` is a place that the strategy understands.
struct search_found {
  enum trace_end end;
  uint32_t id; // property or site
  bool in_property;
  uint32_t property;      // in_property: of this one
  bool has_step;          // the step from `at` failed
  struct trace_step step; // (of a start, if `at` is SEARCH_NOWHERE)
  uint64_t at;
};

// The `at` of what happens before there is a state.
#define SEARCH_NOWHERE UINT64_MAX

// A running search. What is not atomic is written by worker 0 alone, while the others rest, or
// under the lock that search_report holds.
struct search {
  const struct search_config *config;
  struct result *result;
  struct store *store;
  size_t words;               // of a state
  _Atomic(const char *) stop; // why the search ends before it is complete, or NULL
  _Atomic bool full;          // the store took no more

  unsigned threads;               // as many workers as there may be
  unsigned worker_count;          // there are: one, until workers_start was called
  struct search_worker **workers; // [0] works in the caller's thread
  struct search_team *team;

  size_t mem_bytes_max;     // of the store and all buffers; 0: no limit
  size_t store_bytes_max;   // of the store
  size_t store_bytes_first; // of the store when it was empty
  size_t resident_max;      // of the process; 0: no limit
  double resident_next, progress_next;
  size_t release_at; // bytes of the store at which code that is not in use is given back

  bool has_invariants, has_covers;
  bool has_state_covers;          // evaluated on every state, reached or not: that can fail
  _Atomic size_t invariants_open; // not violated so far
  _Atomic uint8_t *property_seen, *site_seen; // claimed already
  _Atomic uint8_t *property_faulty;           // evaluating it failed somewhere
  _Atomic bool deadlock_seen;
  _Atomic uint64_t violations; // claimed
  size_t cover_words;
  // When the search has ended: what its workers counted together.
  uint64_t expanded, pruned;
  uint64_t states_counted; // those that count, if not all that are in the store; else 0
  uint64_t *covers_open;   // by none of them reached
  bool lossy;              // the store may have left states out, with this probability at most
  double omission;
  uint32_t *rule_of;    // per instance, for the survey; NULL: there is none
  struct trace pending; // a trace being built
  _Atomic bool tracing; // likewise: the way to its end is looked for

  // A strategy keeps its own things here, and behind the workers' `own`, so that they are freed
  // even when it is left by unwinding. The threads have ended then.
  void *own;
  void (*own_clear)(struct search *s);
  // Takes what a worker found: search_report, or something of the strategy's own.
  void (*found)(struct search_worker *w, const struct search_found *f);
  // Fills in start and steps of a trace to `at`, as worker `w` understands it.
  void (*path)(struct search_worker *w, uint64_t at, struct trace *t);
};

// A worker's new states from number `number` on have the ids from `id` on, up to the next run.
struct search_run {
  uint64_t number, id;
};

// One thread's share of a search. Used by that thread alone while it works, by worker 0 while the
// others rest.
struct search_worker {
  struct search *search;
  unsigned number;
  struct sys *sys;             // its own
  struct store_writer *writer; // its own
  struct ir_eval *eval;        // its own
  // Counted by this worker; summed (depth: the greatest) when the search ends.
  uint64_t transitions, revisits, expanded;
  uint64_t pruned;  // states that violate an invariant, not expanded
  uint64_t reduced; // states of which one agent's steps alone were taken
  uint64_t depth;
  uint64_t *fired, *fresh; // per rule, for the survey; NULL: not counted
  // The ids of its new states (search_new_id), in runs.
  VEC(struct search_run) runs;
  uint64_t id_count;
  uint64_t id_shift; // of the last run: from number to id
  // Cover goals that this worker has not reached yet, as a bit set over properties.
  uint64_t *covers_open, *covers_found; // (the second is scratch)
  bool has_open_covers;
  // Set before search_goes_on is called.
  size_t buffer_bytes; // held by this worker's part of the strategy
  uint64_t queue;      // for progress
  // What worker 0 may see of this worker while it works.
  struct {
    _Atomic uint64_t transitions, depth, queue;
    _Atomic size_t buffer_bytes;
  } shown;
  void *own;      // of the strategy
  char apart[64]; // no two workers share a line of the cache
};

void search_bfs(struct search *s);
void search_dfs(struct search *s);
void search_bounded(struct search *s);
void search_biased_bfs(struct search *s);
void search_biased_dfs(struct search *s);
void search_astar(struct search *s);
void search_greedy(struct search *s);
void search_random(struct search *s);
void search_nested(struct search *s);
void search_progress(struct search *s);
size_t search_bounded_payload(const struct search_config *c);
size_t search_ways_payload(const struct search_config *c);
size_t search_biased_payload(const struct search_config *c);
size_t search_directed_payload(const struct search_config *c);
size_t search_nested_payload(const struct search_config *c);
size_t search_progress_payload(const struct search_config *c);

// --- violations ---

bool search_property_on(const struct search *s, size_t property);
// Checks a new state: invariants and cover goals. False: it must not be expanded.
bool search_check(struct search_worker *w, const uint64_t *state, uint64_t at);
// A step from `at` (SEARCH_NOWHERE: a start) failed at its site.
void search_fault(struct search_worker *w, const struct sys_step *step, uint64_t at);
// Did an expansion lead nowhere, in the model's sense? False when nobody wants to know.
bool search_is_stuck(const struct search_worker *w, uint64_t fired, bool moved);
// Is a state with these outcomes of its expansion a deadlock?
bool search_is_deadlock(struct search_worker *w, const uint64_t *state, uint64_t fired, bool moved,
                        bool faulty);
void search_deadlock(struct search_worker *w, uint64_t at);
// Cover statements that an expansion passed.
void search_covers(struct search_worker *w, const uint64_t *bits);
// The first expansion of a state at `at` into an empty buffer: reports its faults and a deadlock,
// counts.
void search_tell_expansion(struct search_worker *w, const struct sys_out *o, const uint64_t *state,
                           uint64_t at);
// For the survey, if there is one: the rules that fired, of these successors, which are those of
// the last expansion; a new state.
void search_count_fired(struct search_worker *w, const struct sys_out *o, size_t begin, size_t end);
void search_count_fresh(struct search_worker *w, const struct sys_step *step, bool start,
                        uint64_t id);
// For successors. Those of one state may take a quarter of a worker's share of the memory limit:
// with more the search is out of memory. Buffers in which a trace is found again need no limit:
// what is in them was in others before.
void search_out_init(const struct search *s, struct sys_out *o);
// The first of the successors that is `state`, or NULL.
const struct sys_step *search_step_to(const struct sys_out *o, const uint64_t *state);

// What all workers have counted together. While they rest.
struct search_tally {
  uint64_t transitions, revisits, expanded, pruned, reduced;
  uint64_t depth; // the greatest
};
struct search_tally search_tally(const struct search *s);

// Whoever claims a violation first, of those that are asked for, reports it; the last one that is
// asked for stops the search. Any thread.
bool search_claim(struct search *s, const struct search_found *f);
// Has it been claimed, or are there enough?
bool search_claimed(const struct search *s, const struct search_found *f);
// Builds the trace of a violation that was claimed. One thread at a time; search_report sees to it.
void search_add_trace(struct search_worker *w, const struct search_found *f);
// Claims a violation and adds its trace at once, by s->path: for strategies whose workers can tell
// the path to their own states while others work. Any thread.
void search_report(struct search_worker *w, const struct search_found *f);

// --- going on ---

// When a worker that goes step by step should ask search_goes_on: every so many steps, fewer if
// they take long.
struct search_pace {
  unsigned left, every; // steps
  double last;          // when it asked
};
void search_pace_ask(struct search_pace *p); // it asks now
static inline bool search_pace_due(struct search_pace *p) {
  if (p->left > 0) {
    p->left--;
    return false;
  }
  search_pace_ask(p);
  return true;
}

// Once per batch. Everybody looks at the clock and for an interrupt, and takes compiled code over;
// worker 0 looks at the memory, reports progress, looks after the compiler. False: stop.
bool search_goes_on(struct search_worker *w);
// The same in the middle of a long expansion (sys_asking).
bool search_expansion_goes_on(void *worker);
// How many states all workers' queues had then, about.
uint64_t search_queue(const struct search *s);
// Ends the search for this reason, unless it ends for another one already. Any thread.
void search_stop(struct search *s, const char *reason);
static inline const char *search_stopped(const struct search *s) {
  return atomic_load_explicit(&s->stop, memory_order_relaxed);
}
// The store took no more.
void search_full(struct search *s);
void search_new_run(struct search_worker *w, uint64_t id);
// Notes the id of a new state of this worker's. Where the store keeps states: breadth first for all
// states, other strategies when there is a survey.
static inline void search_new_id(struct search_worker *w, uint64_t id) {
  if (id - w->id_count != w->id_shift) search_new_run(w, id);
  w->id_count++;
}
// All start states into out; their firings do not count as transitions. Stops the search when there
// is none (some may have failed).
void search_starts(struct search_worker *w, struct sys_out *out);
