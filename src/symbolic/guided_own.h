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
  struct database base;               // tells h
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
// done more work. True: h is another one now. When the base then proves that the goal cannot be
// reached, the search may end.
void guided_choose(struct guided *g);
bool guided_improve(struct guided *g);
void guided_choose_clear(struct guided *g);
