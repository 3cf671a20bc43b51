// SPDX-License-Identifier: Apache-2.0
// What was found wrong, each thing once, and the verdicts drawn from it at the end: the same as the
// explicit searches draw (search/search.c). For the engines that reason.
#pragma once

#include "trace/trace.h"

struct judge_config {
  const struct ir_model *model;
  int deadlock;               // enum ir_deadlock
  uint64_t max_errors;        // 0 = no limit
  bool settle;                // when the last property of the model is found violated it ends
  const uint8_t *property_on; // per property: checked? NULL = all
};

struct judge {
  struct judge_config config;
  struct result *result;
  const char *stop;                         // why the run ends before everything is known, or NULL
  bool explored;                            // all reachable states were found
  uint8_t *property_seen, *property_faulty; // violated; evaluating it failed somewhere
  uint8_t *property_may_fail;               // evaluating it may, for all that is known
  uint8_t *property_holds;                  // of those that need all states: it was found to hold
  uint8_t *site_seen;
  bool deadlock_seen;
  bool faults; // some step fails
  uint64_t violations;
  uint64_t *covers; // reached: a bit set over properties
  // A run in parts, each for some properties (judge_begin). Per property, then for errors of steps,
  // then for deadlock: its part has ended, all states found; and why it ended before that.
  const struct judge_part *part;
  bool parts; // there was one
  uint8_t *done;
  const char **why;
  const char *first_stop; // of all parts
};

struct judge_part {
  uint8_t *property_on;
  bool errors, deadlock; // all errors of steps are to be found; deadlocks are
};

void judge_init(struct judge *j, const struct judge_config *c, struct result *r);
void judge_clear(struct judge *j);

// Is it to be checked? While a part is run: in it?
bool judge_on(const struct judge *j, size_t property);
// What follows, up to judge_end, speaks of this part only. A run that is not in parts has neither.
void judge_begin(struct judge *j, const struct judge_part *part);
// Its verdicts stay open if it stopped. False: the whole run is to end: there is no time left, the
// errors that were asked for are found, or the like. What ends one part only is forgotten.
bool judge_end(struct judge *j);
// A goal of no part needs no run: nothing of the kind can happen.
void judge_settle_errors(struct judge *j);
// Of a run that is neither in parts nor finds all states: this goal has ended by itself. It holds,
// or nothing is known, and why; static.
void judge_settle(struct judge *j, size_t goal, const char *why);
// Is a trace that ends so wanted? Not if the same was found before, or there are enough.
bool judge_wants(const struct judge *j, enum trace_end end, uint32_t id);
// It was found. The last one that was asked for stops the run.
void judge_claim(struct judge *j, enum trace_end end, uint32_t id);
// Why nothing is known of a property that was to be checked after all states were found; static.
void judge_unknown(struct judge *j, size_t property, const char *reason, const char *detail);

// The verdict of every property, and that of the run.
void judge_draw(struct judge *j);
