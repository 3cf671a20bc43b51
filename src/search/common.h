// SPDX-License-Identifier: Apache-2.0
// What every explicit search shares: checks of new states, violations, budget, progress. Private to
// the room.
#pragma once

#include "search/search.h"
#include "trace/trace.h"

#include <string.h>

struct ir_eval;
struct store;
struct sys_out;
struct sys_step;

// A running search. A strategy keeps its own things behind `own`, so that they are freed even when
// it is left by unwinding.
struct search {
  const struct search_config *config;
  struct result *result;
  struct sys *sys;
  struct store *store;
  struct ir_eval *eval;
  size_t words;     // of a state
  const char *stop; // why the search ends before it is complete, or NULL
  uint64_t expanded;
  uint64_t pruned;     // states that violate an invariant, not expanded
  uint64_t queue;      // for progress
  size_t buffer_bytes; // of the strategy, beside the store
  bool has_invariants;
  size_t invariants_open; // of those, not violated so far
  uint64_t *covers_open;  // bit set over properties: cover goals not reached yet
  uint64_t *covers_found; // scratch of the same size
  size_t cover_words;
  bool has_open_covers;
  bool has_state_covers;              // evaluated on every state, reached or not: that can fail
  uint8_t *property_seen, *site_seen; // reported already
  uint8_t *property_faulty;           // evaluating it failed somewhere
  bool deadlock_seen;
  uint64_t violations;
  struct trace pending; // a trace being built
  double progress_next;
  void *own;
  void (*own_clear)(struct search *s);
  // Fills in start and steps of a trace to `at`, whatever that means to the strategy.
  void (*path)(struct search *s, uint64_t at, struct trace *t);
};

// The `at` of what happens before there is a state.
#define SEARCH_NOWHERE UINT64_MAX

void search_bfs(struct search *s);
void search_dfs(struct search *s);

bool search_property_on(const struct search *s, size_t property);
// Checks a new state: invariants and cover goals. False: it must not be expanded.
bool search_check(struct search *s, const uint64_t *state, uint64_t at);
// A step from `at` (SEARCH_NOWHERE: a start) failed at its site.
void search_fault(struct search *s, const struct sys_step *step, uint64_t at);
// Is a state with these outcomes of its expansion a deadlock?
bool search_is_deadlock(struct search *s, const uint64_t *state, uint64_t fired, bool moved,
                        bool faulty);
void search_deadlock(struct search *s, uint64_t at);
// Cover statements that an expansion passed.
void search_covers(struct search *s, const uint64_t *bits);
// The store took no more.
void search_full(struct search *s);
// Once per batch: looks at the budget, reports progress, lets compiled code take over. False: stop.
bool search_goes_on(struct search *s);
// Ends the search for this reason, unless it ends for another one already.
void search_stop(struct search *s, const char *reason);
// All start states into out; their firings do not count as transitions. Stops the search when there
// is none (some may have failed).
void search_starts(struct search *s, struct sys_out *out);

// Most states have one or two words: no call for them.
static inline bool search_same(const uint64_t *a, const uint64_t *b, size_t words) {
  if (words <= 2) return ((a[0] ^ b[0]) | (a[words - 1] ^ b[words - 1])) == 0;
  return memcmp(a, b, words * sizeof *a) == 0;
}
static inline void search_copy(uint64_t *to, const uint64_t *from, size_t words) {
  uint64_t first = from[0], last = from[words - 1];
  if (words > 2 && to != from) memcpy(to, from, words * sizeof *to);
  to[0] = first;
  to[words - 1] = last;
}
