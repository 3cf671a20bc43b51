// SPDX-License-Identifier: Apache-2.0
// Jobs of path-based reasoning: each an instance of its own (path.h) from one state-disjunct or
// from the starts, in this thread or in others. What a job knows of the run is a copy. Private to
// the room.
#pragma once

#include "hybrid/path.h"
#include "hybrid/states.h"

#include <stdatomic.h>

struct jobs; // threads that work, and what there is to do

struct job {
  const struct efsm *efsm;
  struct disjunct *from; // NULL: the starts
  struct plain plain;    // of it
  uint8_t *found;        // per control state
  size_t mem_bytes;
  bool lasts;     // it is taken up again until it has an answer
  uint64_t turn;  // when it was taken up last
  uint64_t bound; // steps to look ahead, at most
  double seconds; // for this time
  // Asked where it runs in its owner's thread.
  bool (*goes_on)(void *context);
  void *context;
  struct jobs *jobs;
  struct path *path;
  // What came out.
  enum path_answer answer;
  const char *why;     // STOPPED
  struct text problem; // there can be no instance
  struct path_run run; // ERROR
  uint32_t error;
  uint64_t depth, limits, queries;
  uint64_t told; // of the queries: counted already
  double used;   // seconds, in all
  // While it runs.
  double end;
  bool busy, apart;   // handed over and not back yet; in another thread
  atomic_bool orphan; // nobody waits for it any more
};

// Other threads than the caller's; 0: there are none, and jobs are done when they are handed over.
struct jobs *jobs_new(unsigned others);
void jobs_free(struct jobs *j); // ends those under way
void jobs_submit(struct jobs *j, struct job *job);
struct job *jobs_next(struct jobs *j);          // one that is done, or NULL
void jobs_wait(struct jobs *j, double seconds); // until one is done, but no longer
bool jobs_apart(const struct jobs *j);          // are there other threads?
unsigned jobs_idle(struct jobs *j);             // threads that have nothing to do
