// SPDX-License-Identifier: Apache-2.0
// Inside of PDR: frames, the questions asked about them, obligations.
//
// Frame i is what is known of states within i steps of a start. Frame 0 is the starts themselves.
// Each cube stands only in the last frame it is known to be blocked in (delta encoding): the
// clauses of frame i are those at levels i and above. In the solver each level has a literal that
// switches its clauses on. No frame has a bad state in it: that is asserted once, at time 0.
#pragma once

#include "bmc/pdr.h"

struct obligation {
  size_t level;   // the cube has to be blocked in this frame
  uint64_t depth; // steps from its states to a bad one
  uint64_t order; // of coming in
  struct cube *cube;
};

struct pdr {
  struct prove_config config;

  struct sat *sat;
  struct machine *machine; // loose, two states
  lit valid, start, bad;   // the step exists; time 0 is a start; time 1 is bad
  VEC(lit) switches;       // per level; of level 0: the start
  uint64_t dead;           // clauses in the solver that no frame has any more
  uint64_t work_before;    // of solvers that were closed
  uint32_t limit;          // conflicts per question

  struct sat *start_sat; // asked of starts only
  struct machine *start_machine;
  int8_t *start_value; // per bit: 1 or -1 where all starts agree on it, else 0
  bool one_start;      // they agree on all

  VEC(struct cubes) frames;     // by level; the last is the frontier
  VEC(struct obligation) queue; // a heap: the lowest level first
  uint64_t obligations;
  uint32_t *activity; // per literal: how often it was in a blocked cube

  size_t propagating; // the level whose clauses are pushed on next; 0: none
  uint64_t depth_max;
  struct cubes invariant;
  bool opened;           // starts were looked at
  bool stopped, limited; // a question was cut short: by goes_on, by conflicts

  VEC(lit) assumed, clause; // of the question being put together
  VEC(int32_t) lits;        // of the cube being put together
};

static inline size_t pdr_frontier(const struct pdr *p) { return p->frames.count - 1; }

// --- pdr_query.c ---
// A solver with all frames in it, in the place of the one before.
bool pdr_open(struct pdr *p, struct text *why);
bool pdr_open_starts(struct pdr *p, struct text *why);
enum sat_answer pdr_ask_starts(struct pdr *p); // is one of them bad? To be asked first
void pdr_close(struct pdr *p);
void pdr_tell(struct pdr *p, const struct cube *c, size_t level); // it is blocked there
// Is there a step from this frame to a bad state?
enum sat_answer pdr_ask_bad(struct pdr *p, size_t level);
// And into the cube, from outside of it?
enum sat_answer pdr_ask_step(struct pdr *p, size_t level, const struct cube *c);
// After no: the part of the cube that was needed, and that no start is in.
struct cube *pdr_core(struct pdr *p, const struct cube *c);
// After yes: states all of which lead into the cube (NULL: to a bad state), with that before the
// step among them; it alone as a cube, too, where `state` is not NULL.
struct cube *pdr_predecessor(struct pdr *p, const struct cube *target, struct cube **state);
// Some start is in the cube.
bool pdr_meets_start(struct pdr *p, const struct cube *c);

// --- pdr_generalise.c ---
// A part of the cube that is as well blocked at this level; takes the cube.
struct cube *pdr_generalise(struct pdr *p, struct cube *c, size_t level);

// --- pdr_frames.c ---
size_t pdr_level_up(struct pdr *p, struct cube **c, size_t level); // the last it is blocked in
void pdr_block(struct pdr *p, struct cube *c, size_t level);       // takes the cube
bool pdr_is_blocked(const struct pdr *p, const struct cube *c, size_t level);
// Clauses of this level that hold one step later go up; true: all of them did.
bool pdr_propagate(struct pdr *p, size_t level);
void pdr_owe(struct pdr *p, struct cube *c, size_t level, uint64_t depth); // takes the cube
struct obligation pdr_due(struct pdr *p); // the next obligation, which is taken out
