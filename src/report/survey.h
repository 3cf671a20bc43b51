// SPDX-License-Identifier: Apache-2.0
// A survey (--stats) put in order for people: rules by cost, leaves in groups. Private to the room.
#pragma once

#include "trace/trace.h"

struct report_run;
struct report_text;

// Leaves that differ by array indices only: "Cache[*].State".
struct report_group {
  char *name;
  uint64_t leaves;
  uint64_t least, most; // values that one of them takes
};

struct report_survey {
  size_t *rules; // all of them, the costliest first (without times: those that fire most)
  size_t rule_count;
  VEC(struct report_group) groups; // those with most values first; empty: not counted
  bool complete;                   // the search was: what never fired never does
};
// Where representatives were searched, the names of scalarset elements that a variable holds tell
// nothing, and are left out.
void report_survey_init(struct report_survey *v, const struct report_run *run,
                        const struct result *r);
void report_survey_clear(struct report_survey *v);

// "7", "3..4", "65,536 or more" values
void report_group_values(struct text *out, const struct report_group *g);

// Several levels of a search as one: the first and last of them, and the states new in them.
struct report_levels {
  uint64_t first, last, states;
};
// Level number `i` of at most REPORT_LEVELS_MAX; false past the last.
#define REPORT_LEVELS_MAX 20
bool report_survey_levels(const struct survey *s, size_t i, struct report_levels *l);

void report_survey_text(const struct report_text *t, const struct report_run *run,
                        const struct result *r);
