// SPDX-License-Identifier: Apache-2.0
// Several checks of one model side by side: what each of them found, read from its JSON result,
// whether they agree, and the table that shows it (`fathom compare`).
#pragma once

#include "report/report.h"

struct report_compared_property {
  char *name, *kind, *reason; // reason: NULL where there is none
  enum verdict verdict;
};

// One check.
struct report_compared {
  const char *engine, *search;
  const char *store;     // NULL: none
  const char *reduction; // "symmetry", "por"; NULL: all states
  bool shortest;         // its traces are
  char *problem;         // there is no result, and why; NULL: there is one
  bool wrong;            // and that should not be: it is a bug
  // The result.
  char *reason; // of an unknown verdict; NULL: none
  enum verdict verdict;
  bool reduced;   // the reduction was made
  bool complete;  // every state was seen
  char *states;   // as many, in digits
  int64_t length; // of the shortest trace to a bad state; -1: there is none
  uint64_t depth, bytes;
  double seconds;
  VEC(struct report_compared_property) properties;
};

// Fills in the result from what `check --json` wrote. False: that is none.
bool report_compared_read(struct report_compared *c, const char *json, size_t bytes);
void report_compared_clear(struct report_compared *c);

struct report_comparison {
  const struct report_compared *runs;
  size_t count;
};
// How they contradict each other, a line each; nothing where they do not. What one of them leaves
// open contradicts nothing. States are compared where all were seen, and not reduced.
void report_compare_judge(const struct report_comparison *c, struct text *lines);
// What they say together: violated if one of them shows it, holds if each property is shown by
// some.
enum verdict report_compare_verdict(const struct report_comparison *c);
// The table, the properties, and what judge said, if anything.
void report_compare_text(const struct report_text *t, const struct report_comparison *c,
                         const char *disagreements);
// The same as JSON, schema fathom-comparison/1.
bool report_compare_json(FILE *out, const struct report_run *run, const struct report_comparison *c,
                         const char *disagreements);
// "explicit bfs exact"
void report_compared_label(struct text *out, const struct report_compared *c);
