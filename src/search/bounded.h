// SPDX-License-Identifier: Apache-2.0
// Depth-bounded search after "Efficient depth bounding in explicit-state model checking": its
// parts, by file:
//   bounded.c       IterBoundedDfs and BoundedDfsFromFrontier (Fig 2), threads, the last bound
//   bounded_dfs.c   mustExplore and BoundedDfs (Fig 5, Fig 6)
//   getstate.c      getState (Fig 8), the trace of a violation
//   bounded_share.c how a worker gives away what it has not visited yet
//   nodes.c         FrontierNodes; deltas.c: state deltas; saved.c: a search in a file
// Private to the room.
#pragma once

#include "search/common.h"
#include "search/deltas.h"
#include "search/nodes.h"
#include "search/steal.h"
#include "store/store.h"
#include "sys/sys.h"

// What a worker gives away: a state that it has not visited, `depth` steps from a start.
struct bounded_item {
  uint64_t depth;
  uint32_t node;      // of the last generation: where the path comes from
  uint32_t instance;  // that led here (for the survey)
  uint64_t node_bits; // length of the trace to that node
  struct bits trace;  // the whole trace, as far as this kind of frontier has it on the path
  uint64_t *state;
};

// The search as a whole. Changed while the workers rest, but for the atomics.
struct bounded {
  struct nodes nodes;
  uint64_t bound;        // of the iteration that runs
  struct sys_out starts; // the start states, as `starts` of sys gives them
  unsigned starts_width; // bits that name one of them
  struct steal *steal;   // NULL: worker 0 is alone
  size_t chunk;          // nodes that a worker takes at a time
  _Atomic size_t next;   // the first node that nobody has taken
  bool resumed;          // the next iteration goes on with what was found in a file: to `bound`
  _Atomic bool leads_on; // the probe found something behind the last bound
  bool pruned;           // a state was left out that violates an invariant
  bool unwound;          // a worker was left in the middle of a step: what it did cannot be saved
  uint64_t nodes_most, nodes_bytes_most;
  uint64_t lassos_at; // states that there were when lassos were looked for
};

// Of a product: looks for lassos among the states that are stored, if it is time to, or if this is
// the last time. While the workers rest.
void bounded_lassos(struct search *s, bool last);

// A state on the stack: on the path from the node (or the parcel) that is explored.
struct bounded_frame {
  uint64_t id;        // in the store
  size_t first, next; // successors to be visited: in `pending`, up to those of the frame above
  uint64_t bits;      // length of the trace to it
  uint32_t width;     // of a step from it in the trace
  int64_t threshold;  // the paper's myThreshold
};

// A successor to be visited is a head, then the words that it changes. The head's value is the step
// in the trace (low half) and the number of words; its word is the rule instance.
static inline struct delta pending_head(uint32_t step, uint32_t words, uint32_t instance) {
  return (struct delta){(uint64_t)words << 32 | step, instance};
}
static inline uint32_t pending_step(const struct delta *head) { return (uint32_t)head->value; }
static inline size_t pending_words(const struct delta *head) { return head->value >> 32; }

struct bounded_parcel {
  struct parcel base;
  size_t count, next;
  struct bounded_item items[];
};

// A worker's part of it.
struct bounder {
  // The path: from a start (FRONTIER_STATES, or after a parcel: from where that began) to the state
  // being visited.
  struct deltas path;
  uint64_t rise;               // depth of the state where it begins
  struct bits trace;           // of the path; from a start, but for FRONTIER_STATES
  VEC(uint32_t) ancestors;     // nodes on the path, by generation (FRONTIER_TREE)
  VEC(uint64_t) ancestor_bits; // lengths of the traces to them
  uint32_t node;               // that is being explored
  uint64_t node_bits;          // length of the trace to it

  VEC(struct bounded_frame) frames;
  VEC(struct delta) pending;
  struct sys_out out;    // successors of one state
  struct sys_out replay; // likewise, for getState and traces
  VEC(uint32_t) lineage; // of a node to be explored; scratch
  VEC(uint32_t) kept;    // numbers of the successors that are kept; scratch
  uint64_t *ids;         // of successors; scratch
  enum store_answer *answers;
  size_t capacity;
  uint64_t *state; // scratch

  struct generation made;        // nodes that this worker added to outFrontier
  struct bounded_parcel *parcel; // being worked through; NULL: none
  size_t chunk_next, chunk_end;  // nodes that it has taken
  uint64_t rounds, rounds_max;   // of its loop
  struct search_pace pace;
  uint64_t give_from; // no use looking for something to give away before that round
  bool working;       // in the middle of a step
  uint64_t reexplored, getstate_calls, getstate_steps;
  size_t stack_bytes_most;
  double getstate_seconds;
};

static inline struct bounded *bounded_of(const struct search_worker *w) { return w->search->own; }
static inline uint64_t bounder_depth(const struct bounder *b) {
  return b->rise + deltas_length(&b->path);
}

// --- thresholds: the payload of a state ---

// 0: not set yet. Else the threshold + 2 (-1: never again), and whether it is on outFrontier.
#define PAYLOAD_FRONTIER (UINT32_C(1) << 31)
#define PAYLOAD_UNSET    UINT32_C(0)
#define THRESHOLD_UNDONE INT64_C(0x7ffffffd) // left in the middle of its exploration (saved.c)
static inline uint32_t payload_of(int64_t threshold, bool frontier) {
  return (uint32_t)(threshold + 2) | (frontier ? PAYLOAD_FRONTIER : 0);
}
static inline int64_t payload_threshold(uint32_t payload) {
  return (int64_t)(payload & ~PAYLOAD_FRONTIER) - 2;
}
// Does a node at this depth wait to be explored (again)?
static inline bool payload_waits(uint32_t payload, uint64_t depth) {
  return payload & PAYLOAD_FRONTIER || payload_threshold(payload) > (int64_t)depth;
}
static inline _Atomic uint32_t *payload_at(struct search *s, uint64_t id) {
  return store_payload(s->store, id);
}

// Is the state on outFrontier? The context is the search.
static inline bool bounded_waits(void *context, uint64_t id) {
  return *payload_at(context, id) & PAYLOAD_FRONTIER;
}

// A successor's threshold becomes known to the frame of a state.
static inline void bounded_learn(struct bounded_frame *f, int64_t threshold) {
  if (threshold - 1 > f->threshold) f->threshold = threshold - 1;
}

// --- bounded_dfs.c ---

// Is there no need to visit this successor (STORE_ABSENT: not in the store) at this depth? Then the
// frame knows its threshold.
bool bounded_is_settled(struct search_worker *w, struct bounded_frame *f, uint64_t id,
                        int64_t depth);

// Explores a node of the last generation, where the path is, unless that was done already.
void bounded_explore_node(struct search_worker *w);
// Visits the state at the end of the path (given away by another worker).
void bounded_visit(struct search_worker *w, uint32_t instance);
// Until the stack is empty, the search stops, or its rounds are used up.
void bounded_walk(struct search_worker *w);
// Puts a start state into the store and, if it is new and right, on the frontier.
void bounded_start(struct search_worker *w, size_t i);
// Would expanding the state at the end of the path bring anything new?
bool bounded_leads_on(struct search_worker *w);
// Sets what search_goes_on wants to know, and asks it.
bool bounded_look(struct search_worker *w);
// Room for that many ids and answers.
void bounded_reserve(struct bounder *b, size_t count);

// --- getstate.c ---

// Moves the path to a node of the last generation. False: the search is stopped, perhaps because
// the frontier does not fit the model.
bool bounded_getstate(struct search_worker *w, uint32_t node);
// Takes the steps of a trace from the end of the path. False likewise.
bool bounded_replay(struct search_worker *w, const struct bits *trace, uint64_t begin,
                    uint64_t steps);
void bounded_path(struct search_worker *w, uint64_t at, struct trace *t);

// --- bounded_share.c ---

void bounded_share(struct search_worker *w);
bool bounded_receive(struct search_worker *w);
// Goes to the next state of the parcel, and visits it. False: there is none.
bool bounded_next_item(struct search_worker *w);
void bounded_drop(struct steal *s, struct parcel *p); // s NULL: worker 0 is alone
