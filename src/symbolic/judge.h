// SPDX-License-Identifier: Apache-2.0
// What was found wrong, each thing once, and the verdicts drawn from it at the end: the same as the
// explicit searches draw (search/search.c). Private to the room.
#pragma once

#include "symbolic/symbolic.h"
#include "trace/trace.h"

struct judge {
  const struct symbolic_config *config;
  struct result *result;
  const char *stop;                         // why the run ends before everything is known, or NULL
  bool explored;                            // all reachable states were found
  uint8_t *property_seen, *property_faulty; // violated; evaluating it failed somewhere
  uint8_t *property_holds;                  // of those that need all states: it was found to hold
  uint8_t *site_seen;
  bool deadlock_seen;
  bool faults; // some step fails
  uint64_t violations;
  uint64_t *covers; // reached: a bit set over properties
};

void judge_init(struct judge *j, const struct symbolic_config *c, struct result *r);
void judge_clear(struct judge *j);

bool judge_on(const struct judge *j, size_t property); // is it to be checked?
// Is a trace that ends so wanted? Not if the same was found before, or there are enough.
bool judge_wants(const struct judge *j, enum trace_end end, uint32_t id);
// It was found. The last one that was asked for stops the run.
void judge_claim(struct judge *j, enum trace_end end, uint32_t id);
// Why nothing is known of a property that was to be checked after all states were found; static.
void judge_unknown(struct judge *j, size_t property, const char *reason, const char *detail);

// The verdict of every property, and that of the run.
void judge_draw(struct judge *j);
