// SPDX-License-Identifier: Apache-2.0
// Path-based reasoning (paper 003, III.A, V.C): bounded model checking of the machine from a set of
// states on, each instance built of the edges that control state reachability leaves (UBC).
#pragma once

#include "hybrid/efsm.h"
#include "hybrid/smt.h"

struct plain;
struct trace;

enum path_answer {
  PATH_ERROR,   // an error is reachable: the trace tells how
  PATH_DEAD,    // every way ends in SINK or LIMIT within the steps that were looked at
  PATH_BOUNDED, // there is more to see behind the bound
  PATH_STOPPED, // path_why tells: "time", "memory", "interrupted", "nonlinear"
};

struct path; // an instance that grows
// How integers are encoded: as bit vectors, or unbounded with explicit modulo where it is linear.
enum path_numbers { PATH_AUTO, PATH_LINEAR, PATH_BITS };
struct path_config {
  const struct efsm *efsm;
  const struct plain *from; // NULL: the starts. (Plain: an instance may live in another thread.)
  enum path_numbers numbers;
  double seconds; // at most; 0: no limit
  bool (*goes_on)(void *context);
  void *context;
  size_t mem_bytes;
  // Ways that come to a control state at one depth are always joined, as in the paper. Otherwise
  // not where they bring different values for what decides the next branches (path_split.c).
  bool joined;
  const uint8_t *found; // per control state: an error that needs no second trace; NULL
  bool errors_only;     // nobody asks whether a way goes on (each time takes a solver of its own)
};
struct path *path_unroll(const struct path_config *c, struct text *why);
void path_free(struct path *p);
// One step deeper: error check and completeness check there. BOUNDED: it can go on. After ERROR it
// looks at the same depth again, for another error that `found` (read again) does not have.
enum path_answer path_deepen(struct path *p);
// Steps looked at so far: of the starts, making one is the first step; coming to a violated
// invariant is one more.
uint64_t path_depth(const struct path *p);
uint64_t path_limits(const struct path *p); // EFSM_LIMIT states among those it can come to
uint32_t path_error(const struct path *p);  // after PATH_ERROR: the control state
const char *path_why(const struct path *p);
uint64_t path_queries(const struct path *p);

// After PATH_ERROR: values along the path. States count from 0, the first (of `from`).
struct path_step {
  uint32_t edge;    // of the efsm
  int64_t *choices; // of its rule
};
struct path_run {
  int64_t *first;   // values of all leaves in its first state (IR_UNDEF: undefined); of leaves that
                    // don't matter there: any
  uint32_t control; // there
  VEC(struct path_step) steps; // the last one leads to the error; begins with a start if from NULL
};
void path_run(struct path *p, struct path_run *out);
void path_run_clear(struct path_run *r);
