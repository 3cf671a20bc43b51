// SPDX-License-Identifier: Apache-2.0
// Private to the guided searches: a goal, and the search for it. Sets of states are kept by depth:
// what was expanded there leads, in one step (a chain of steps, if some states are passed through),
// to all that is deeper by one; traces are read off that.
#pragma once

#include "symbolic/database.h"
#include "symbolic/reach.h"

enum goal_kind {
  GOAL_VIOLATION, // of a property
  GOAL_FAULT,     // the property cannot be evaluated
  GOAL_COVER,     // a cover goal's states
  GOAL_STATEMENT, // a step passes a COVER statement
  GOAL_FAILING,   // a step fails
  GOAL_DEADLOCK
};

struct goal {
  enum goal_kind kind;
  uint32_t id; // the property
  uint32_t site;
  dd states;
  bool inside; // it counts in states that are passed through
  bool steps;  // it is about steps out of a state: not looked at in states at the depth limit
};

struct guided_depth {
  dd expanded;
  dd_list inner; // passed through behind it, step by step
  dd waiting;    // ida: reached, not expanded yet: too far for the bound
  uint64_t next; // ida: no bound below this lets any of them pass
  size_t clear;  // ida: none of them is in as many layers of the end
  dd seen;       // ida, when it forgets: reached in this iteration
};

struct choice {         // of a database
  uint32_t *strength;   // per leaf
  uint64_t depth;       // abstracted from, in the last one begun
  uint64_t reflected;   // and in the last one that was done
  uint32_t least;       // the farthest that starts were told to be
  unsigned doubts;      // how much less work than the search's own they may take, as a power of two
  bool ended;           // no other is to come
  struct database next; // being built, not as good as the base yet
  bool own;             // the base is being built
  uint64_t end_work;    // nodes made for the end, before its turn came
  bool other;        // it is another one than it was, and not only larger; whoever asks clears it
  uint64_t work;     // nodes of diagrams made for all of them
  size_t move_nodes; // about as much takes it to make an abstraction
};

struct guided {
  struct reach *x;
  struct goal goal;
  dd starts;
  struct abstraction whole;           // the model's steps, nothing being weak
  struct abstraction abstractions[2]; // that of the database, if it is another; room for a second
  // What tells h, the larger of the two: how near the goal is in the model itself, where that is
  // known, and the database of an abstraction, if there is one (base.of).
  struct database end, base;
  struct choice choice;
  size_t depth_max; // 0: none
  VEC(struct guided_depth) depths;
  dd unexpanded;  // all but what was: the opposite of a diagram costs as much as the diagram
  bool found;     // the goal was reached: where
  size_t depth;   // found: behind so many steps,
  size_t inner;   // in the states that are passed through behind them (1: the first), 0: not there
  dd reached;     // and these are they
  dd left;        // at the depth limit: they are not expanded
  bool limited;   // something may be behind it
  bool undecided; // some goal is, for that
  VEC(struct piece {
    uint64_t g;
    uint32_t h;
    dd states;
  })
  open; // ida: a stack; astar: in no order
  // ida: nodes that are kept; they were too many, so that iterations begin anew, this one at once;
  // again too many; the lowest bound of what was cut
  size_t kept;
  bool forgets, restarts, careless;
  uint64_t next;
  uint64_t made_before; // ida: all nodes made until it began
  bool by_kinds; // images have become large: they are made by kinds of steps (split.h), if any
  uint64_t images, iterations;
  uint64_t work;   // nodes made for them
  uint64_t recent; // ida: of these, by the last iteration; 0: not told
  struct {         // ida, when the database last told the starts to be farther:
    uint32_t least;
    uint64_t bound, images;
    bool wrong; // the way is far longer than that
  } told;
  // ida: what waits has states in a layer of the end; one of them is being followed to the goal;
  // that was in vain, since others that lead there are known already, or it is behind the depth
  // limit
  bool in_sight, chases, chased;
  struct pause simpler; // ida: without a search for a simpler set of states
};

// The starts, and nothing else yet. It is x->guided, and freed with x.
struct guided *guided_new(struct reach *x);
// The room for what is known of this depth.
struct guided_depth *guided_at(struct guided *g, size_t depth);
// Is the goal among these states at this depth? Then it is found.
bool guided_meets(struct guided *g, size_t depth, dd states);
// Successors of states at this depth, none of which was expanded before; at the depth limit there
// are none. May find the goal on the way.
dd guided_expand(struct guided *g, size_t depth, dd states);
void guided_forget(struct guided *g); // all about depths

// Searches for g->goal, and tells what it finds. True: it was reached.
bool guided_pursue(struct guided *g);
// All goals of the run, one after the other (guided_goals.c).
void guided_goals(struct guided *g);
// Sets g->goal to all of them that are about states and steps, at once.
void guided_any_goal(struct guided *g);
// It was reached in this ring of x->rings.
void guided_tell(struct guided *g, size_t ring);
void guided_note(struct guided *g); // what led the search, or proved that there is nothing

// The searches: they end when the goal is found, when there is nothing left (it cannot be reached,
// unless g->limited), or when the judge says stop.
void guided_ida(struct guided *g);
void guided_astar(struct guided *g, double weight_g, double weight_h);

// Which abstraction, and its database: the first one, and perhaps a better one when the search has
// done more work. True: h is another one now. When that proves that the goal cannot be reached, the
// search may end.
void guided_choose(struct guided *g);
bool guided_improve(struct guided *g);
void guided_choose_clear(struct guided *g);

// h (guided_told.c): the states of a set that are this far from the goal at most; the least
// distance in a set that is not empty, which is not below `from`.
dd guided_within(const struct guided *g, dd set, uint32_t distance);
uint32_t guided_least(const struct guided *g, dd set, uint32_t from);
size_t guided_layers(const struct guided *g);    // so many distances are told apart
uint32_t guided_outside(const struct guided *g); // the distance of states in no layer, at least
uint32_t guided_told(const struct guided *g);    // of starts
bool guided_proves(const struct guided *g);      // the goal cannot be reached
// The one that tells most.
const struct database *guided_base(const struct guided *g);
