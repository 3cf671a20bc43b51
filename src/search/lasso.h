// SPDX-License-Identifier: Apache-2.0
// The stack of a search for cycles, and the lasso that is read off it. A number per state: those on
// the path are marked; above each lie those of its successors that wait to be visited. The second
// search goes on where the first stands, so that the marked ones together are the way from a start
// through the first search's stack to where the second search is. Private to the room.
#pragma once

#include "search/common.h"
#include "store/store.h"
#include "sys/sys.h"

#define LASSO_PATH (UINT64_C(1) << 63) // beside the id of a state on the path

struct lasso {
  VEC(uint64_t) stack;   // ids
  uint64_t *words;       // the states, where the store does not keep them; else NULL
  size_t capacity;       // states that there is room for in words
  uint64_t depth;        // marked ones
  uint64_t *state;       // being visited
  const uint64_t *ready; // the state that was pushed last, still in the buffer; NULL: it is not
  size_t ready_at;       // its place on the stack
  struct sys_out out;    // its successors
  struct sys_out again;  // for paths
  enum store_answer *answers;
  uint64_t *ids; // of the successors
  size_t ids_capacity;
  uint64_t closing; // the state on the path to which the last one leads back; or STORE_ABSENT
  bool has_final;   // the automaton may come to an end
  struct search_pace pace;
};

void lasso_init(struct lasso *l, struct search_worker *w);
void lasso_clear(struct lasso *l);

void lasso_push(struct lasso *l, uint64_t id, const uint64_t *state);
static inline uint64_t lasso_top(const struct lasso *l) { return VEC_TOP(&l->stack); }
// Goes to the state on top of the stack, which is from now on on the path.
void lasso_enter(struct search_worker *w, struct lasso *l);
// Takes the state on top, which is on the path, off the stack.
void lasso_leave(struct lasso *l);
static inline void lasso_drop(struct lasso *l) { l->stack.count--; }

// The successors of l->state into l->out; those that fail are reported (unless told not to) and
// taken out. False: some did.
bool lasso_expand(struct search_worker *w, struct lasso *l, bool quiet);
// All starts onto the stack, in order: the first on top. False: the search was stopped.
bool lasso_starts(struct search_worker *w, struct lasso *l);
// The first `count` successors are in the store from now on, and l->ids are theirs. False: there
// was no room.
bool lasso_insert(struct search_worker *w, struct lasso *l, size_t count);
// The same of states that are in the store already.
bool lasso_again(struct search_worker *w, struct lasso *l, size_t count);
// l->ids are those of the first `count` successors, as far as they are in the store.
void lasso_seek(struct search_worker *w, struct lasso *l, size_t count);

// A new state: invariants, cover goals, the end of the automaton. False: it must not be expanded.
bool lasso_check(struct search_worker *w, struct lasso *l);
// Successor number i of the last state on the path is that state of the path, too: a cycle. (A
// store that is lossy may be wrong there: then nothing happens.)
void lasso_report(struct search_worker *w, struct lasso *l, size_t i);
// Is every cycle through accepting states, of those that the search sees, made of them alone?
bool lasso_weak(const struct search_worker *w);
// Is it known already that there is a cycle?
bool lasso_found(const struct search *s);

// For struct search: the path from a start to the last state on the path, and the cycle if one is
// being reported.
void lasso_path(struct search_worker *w, uint64_t at, struct trace *t);

// Looks at the budget now and then. False: stop.
bool lasso_goes_on(struct search_worker *w, struct lasso *l);
