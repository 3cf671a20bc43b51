// SPDX-License-Identifier: Apache-2.0
// What there is to say of engines that reason (decision diagrams, SAT, SMT), in words. Private to
// the room.
#pragma once

#include "report/report.h"

// Is it a run of such an engine?
static inline bool reasoning(const struct report_run *run) {
  return run->bdd != NULL || run->bmc != NULL || run->hybrid != NULL;
}
// Was nothing searched, since an abstraction was a proof?
static inline bool reasoning_only(const struct report_run *run) {
  return run->hints != NULL && run->hints->pattern != NULL && run->hints->pattern->proves;
}
// "bfs search, reordering auto"
void reasoning_head(struct text *out, const struct report_run *run, const struct result *picked);
// Settings, and figures, a line each: nothing where there is nothing to say.
enum { REASONING_LINES = 3 };
void reasoning_plan(struct text *out, const struct report_run *run, int line);
void reasoning_figures(struct text *out, const struct report_run *run, const struct result *r,
                       int line);
// What it means that everything holds; NULL: that every reachable state was checked.
const char *reasoning_holds(const struct report_run *run, const struct result *r);
// Does a counter with that help count anything in this run? Its first words tell whose it is.
bool reasoning_counts(const char *help, const struct report_run *run);

// --- the database of an abstraction, for a search of another engine ---
void reasoning_pattern_plan(struct text *out, const struct report_pattern *p);
// traced: something was found.
void reasoning_pattern_figures(struct text *out, const struct report_pattern *p, bool traced);
