// SPDX-License-Identifier: Apache-2.0
// The hybrid engine (paper 003, HMC): state traversal by Presburger sets and decision diagrams, and
// reasoning about paths by SMT, by turns; or one of them alone. Errors of steps and invariants, on
// every model that relation can carry.
#pragma once

#include "base/base.h"

struct ir_model;
struct result;

enum hybrid_mode {
  HYBRID_HMC, // Algorithm 1
  HYBRID_ST,  // state traversal alone: one frontier, breadth first (the paper's MIX)
  HYBRID_PR,  // path-based reasoning alone: bounded model checking from the starts
};
enum hybrid_search { HYBRID_DFS, HYBRID_GLH }; // HMC's priorities; ST and PR are breadth first

struct hybrid_progress { // about ten times a second at most
  const char *phase;     // "traversal", "paths", "lighthouses"
  uint64_t depth;
  uint64_t disjuncts; // in the frontier
  uint64_t images, switches;
  double seconds;
  size_t mem_bytes;
};

struct hybrid_config {
  const struct ir_model *model;
  struct budget budget; // depth_max: 0 = until an answer
  double started;
  uint64_t max_errors;        // 0 = no limit
  const uint8_t *property_on; // per property: checked? NULL = all
  enum hybrid_mode mode;
  enum hybrid_search search;
  bool partition; // off: the paper's HMC-no-part
  bool reached;   // what was reached is kept too, while memory allows: loops end
  // 0: the paper's figures, HYBRID_TSIZE...
  uint64_t tsize, isize, fsize;
  uint64_t path_depth; // PR to ST after so many steps
  double path_seconds; // or after so long
  double glh_seconds;  // for the lighthouses
  uint64_t polyhedra;  // K of Pre+
  unsigned threads;    // 0: 1
  void (*progress)(void *context, const struct hybrid_progress *p);
  void *progress_context;
};
#define HYBRID_TSIZE        10
#define HYBRID_ISIZE        10
#define HYBRID_FSIZE        30
#define HYBRID_PATH_DEPTH   30
#define HYBRID_PATH_SECONDS 100
#define HYBRID_GLH_SECONDS  60
#define HYBRID_POLYHEDRA    1

// Runs it. Fills in verdict, reason, properties, traces (not replayed yet) and stats (depth,
// switches, images, disjuncts: the largest frontier, partitions; path_queries), as bmc_run does.
// Reasons as there, and "nonlinear", "operations" (a set took too much work), "no trace" (an error
// can be reached, but the way to it was not found), "unsupported: WHAT (FILE:LINE)" (recursion and
// heap past their bounds, too). A property is `holds` only if everything was looked at: what
// IR_FAULT_LIMIT ends is not.
void hybrid_run(const struct hybrid_config *c, struct result *r);
