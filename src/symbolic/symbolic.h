// SPDX-License-Identifier: Apache-2.0
// The BDD engine. It checks invariants, assertions and errors, deadlock, cover goals, liveness, CTL
// and LTL with the model's fairness, on every model that relation can carry; and counts states.
#pragma once

#include "base/base.h"

struct ir_model;
struct result;

// What it tells of itself, about ten times a second at most.
struct symbolic_progress {
  uint64_t depth;
  double states;     // found so far, about
  size_t nodes;      // in use
  size_t ring_nodes; // of the last frontier
  const char *phase; // "relation", "reachable states", "AG (p -> AF q)"
  size_t mem_bytes;
  double seconds;
};

// bfs: all reachable states. The others look for what is wrong, one goal after the other, by the
// distance that an abstraction of the model tells (paper 004).
enum symbolic_search { SYMBOLIC_BFS, SYMBOLIC_IDA, SYMBOLIC_ASTAR, SYMBOLIC_WASTAR };

enum symbolic_reorder { SYMBOLIC_REORDER_AUTO, SYMBOLIC_REORDER_ON, SYMBOLIC_REORDER_OFF };

struct symbolic_config {
  const struct ir_model *model;
  struct budget budget;
  double started;
  int deadlock;               // enum ir_deadlock
  uint64_t max_errors;        // 0 = no limit
  bool settle;                // when the last property of the model is found violated it ends
  const uint8_t *property_on; // per property: checked? NULL = all
  const char *const *order;   // of variables, from a file; NULL: our own
  size_t order_count;
  enum symbolic_reorder reorder;
  unsigned reorder_every; // tests: after so many operations; 0: as `reorder` says
  bool cone;              // of influence, per property
  enum symbolic_search search;
  double weight_g, weight_h; // wastar: b and a of the paper's b*g + a*h
  int64_t abstract_depth;    // leaves with D(v) >= this are abstracted from; -1: chosen by itself
  const int64_t *strength;   // per leaf: the user's own D(v) (-1: not said); NULL
  bool forward_pattern;      // the pattern database is built forward
  size_t pattern_nodes;      // of the abstraction's diagrams at most; 0: a default
  size_t remember_nodes;     // ida: of states that it remembers; 0: by the limit of memory
  void (*progress)(void *context, const struct symbolic_progress *p);
  void *progress_context;
  struct text *order_out; // the order at the end, in the format of order files; NULL: not asked for
};

// Runs it, in parts (goals.h): with `cone` goals that depend on the same leaves together, each part
// on the slice of the relation that has these leaves; guided searches take goals one by one. A part
// (part.c) makes its diagrams, searches (reach_run, or guided_run), and checks what needs all
// states. Traces are of the whole model whatever the slice was. Fills in verdict, reason,
// properties, traces (not replayed yet), stats (states, depth: of the last ring, nodes), as
// search_run does; result->states_exact where states do not fit. stats.cone_leaves: of the largest
// slice; of guided searches stats.pattern_leaves, _layers, _nodes. Reasons as there, and "cannot:
// WHY" where the model is not for this engine.
void symbolic_run(const struct symbolic_config *c, struct result *r);
