// SPDX-License-Identifier: Apache-2.0
// Inside the hybrid engine's run (paper 003, VI): the frontier set F, what is known of it, and what
// the parts of Algorithm 1 ask of each other. Private to the room.
#pragma once

#include "hybrid/efsm.h"
#include "hybrid/hybrid.h"
#include "hybrid/states.h"
#include "ir/ir.h"
#include "trace/judge.h"

struct ir_eval;
struct job;
struct jobs;

// One state-disjunct of F.
struct front {
  struct disjunct *set;
  uint64_t order;    // later ones have larger numbers
  uint64_t looked;   // PR has looked so many steps ahead of it
  uint32_t nearest;  // fewest edges to an error
  uint32_t distance; // the same, or glh's abstract distance
  bool stuck;        // ST cannot take it on: PR has to
  struct job *job;   // PR is at it; NULL: it is not
};

struct hmc {
  const struct hybrid_config *config;
  const struct ir_model *model;
  struct judge judge;
  struct text why, note;
  uint8_t *property_on;              // invariants that are checked
  struct relation *relation, *slice; // of the model; what of it matters, perhaps the same
  struct efsm *efsm;
  struct states *states; // NULL: nobody needs them
  bool paths_only;       // there is no F
  // F, and the sizes of Algorithm 1
  VEC(struct front) F;
  uint64_t size; // of all in F
  uint64_t tsize, isize, fsize;
  bool partition;
  uint64_t orders;
  // What was reached, per control state (reached.c).
  struct reached *reached;
  // Per control state: fewest edges to an error that is still looked for, or to a LIMIT; EFSM_FAR.
  uint32_t *distance;
  uint8_t *found;               // per control state: an error that was told
  VEC(struct disjunct *) light; // BR_0 .. (priority.c)
  bool light_all;               // from outside of them no error can be reached
  // PR (hmc_paths.c, threads.c)
  struct jobs *jobs;
  VEC(struct job *) all_jobs;
  struct job *root; // from the starts; NULL: it has come to its end
  bool root_last;   // whose turn it was last, its or one of F's
  uint64_t turn;
  double st_seconds, pr_seconds, turn_began;
  double image_seconds; // of ST's, for images
  // Why not everything was looked at; NULL: it was. Beside judge.stop.
  const char *gap;
  uint32_t limit; // the site of a LIMIT that can be reached; 0: none
  bool proved;    // PR from the starts has seen the end of all runs
  uint64_t dead;  // disjuncts that PR has seen the end of
  // For traces.
  struct ir_eval *eval;
  uint64_t *state; // packed
  int64_t *params, *leaves;
  // The budget.
  struct hybrid_progress shown;
  double progress_next, memory_next;
  size_t resident; // as it was a moment ago
  bool tracing;    // what was found is being written down: the run goes on meanwhile
  bool ended;      // the budget is used up, or somebody interrupts
};

// The budget; a struct hmc. In one thread at a time: that of the run, or one that it waits for.
bool hmc_goes_on(void *context);
static inline bool hmc_over(const struct hmc *h) { return h->judge.stop != NULL; }
void hmc_gap(struct hmc *h, const char *why);    // something is not looked at
void hmc_limit(struct hmc *h, uint32_t control); // a LIMIT can be reached
void hmc_phase(struct hmc *h, const char *phase, uint64_t depth);

// Algorithm 1 (hmc.c).
void hmc_run(struct hmc *h, struct disjunct *I); // takes it over

// --- ST (traverse.c) ---
// Adds what of a set is new to F, partitioned; tells errors in it. Takes it over.
void traverse_add(struct hmc *h, struct disjunct *d);
// Subprocedure ST: until it is PR's turn, F is empty or has only what is stuck, or the run is over.
void traverse_turn(struct hmc *h);
void traverse_alone(struct hmc *h);          // one frontier, breadth first
void traverse_drop(struct hmc *h, size_t i); // F without its i-th
bool traverse_can(const struct hmc *h);      // has F anything that ST can take on?

// --- state decomposition (partition.c) ---
// Of an image in parts, each in one control state: the disjuncts that it becomes, one if it needs
// no partition. The parts are taken over; out takes the disjuncts.
typedef VEC(struct disjunct *) parts;
void partition(struct hmc *h, parts *p, parts *out);
// Two that are smaller than one, which is in one control state. False: there are none.
bool partition_halve(struct hmc *h, struct disjunct *d, struct disjunct *half[2]);
void partition_group(struct hmc *h, uint64_t depth); // Group, among those of F of this depth

// --- state prioritization (priority.c) ---
void priority_distances(struct hmc *h); // anew: errors were found
void priority_lighthouses(struct hmc *h);
void priority_clear(struct hmc *h);
void priority_set(struct hmc *h, struct front *f);
// The one with the highest priority that ST can take on; F.count: none.
size_t priority_pick(const struct hmc *h);
// Is a's higher than b's?
bool priority_before(const struct hmc *h, const struct front *a, const struct front *b);

// --- what was reached (reached.c) ---
struct reached *reached_new(const struct hmc *h);
void reached_free(struct hmc *h);
// What of this, which is in one control state, was not reached before; that is reached from now
// on. Takes it over. NULL: nothing.
struct disjunct *reached_fresh(struct hmc *h, struct disjunct *d, uint32_t control);

// --- PR (hmc_paths.c) ---
void paths_open(struct hmc *h);
void paths_close(struct hmc *h);
void paths_turn(struct hmc *h);    // subprocedure PR
void paths_alone(struct hmc *h);   // from the starts, to the end
void paths_harvest(struct hmc *h); // what other threads have found out meanwhile
void paths_leave(struct hmc *h,
                 struct front *f); // it leaves F, and what PR does for it is forgotten

// --- traces (witness.c, hmc_back.c) ---
struct path_run;
// Is there a way of at most so many steps from a state in `from` (NULL: the entry) to the state
// `to` with these values of leaves that matter (NULL: any)? False: there is none, or nobody can
// tell.
struct back {
  const struct plain *from;
  uint64_t steps;
  uint32_t to;
  const int64_t *leaves;
  double seconds; // at most; 0: no limit
};
bool back_ask(struct hmc *h, const struct back *b, struct path_run *out);
// The error `control` is in the image of d's parents (a part of an image in an error state).
void witness_image(struct hmc *h, struct disjunct *d, uint32_t control);
// A run from a state of `from` (NULL: from a start) to the error.
void witness_run(struct hmc *h, struct disjunct *from, const struct path_run *run,
                 uint32_t control);
