// SPDX-License-Identifier: Apache-2.0
// What there is to choose from, what of it is built, and what may be combined with what.
#pragma once

#include "base/base.h"

struct ir_property;
struct options;

// The sets that options choose from.
enum capability_set {
  CAPABILITY_ENGINE,
  CAPABILITY_SEARCH,
  CAPABILITY_STORE,
  CAPABILITY_BOUNDING,
  CAPABILITY_FRONTIER,
  CAPABILITY_SYMMETRY,
  CAPABILITY_POR,
  CAPABILITY_SELECTION,
  CAPABILITY_FAIRNESS,
  CAPABILITY_MERGE,
  CAPABILITY_DEAD,
  CAPABILITY_NATIVE,
  CAPABILITY_DEADLOCK,
  CAPABILITY_LANGUAGE,
  CAPABILITY_TRACE,
  CAPABILITY_REORDER,
  CAPABILITY_CONE,
  CAPABILITY_PATTERN,
  CAPABILITY_PROOF,
  CAPABILITY_PARTITION,
  CAPABILITY_REACHED,
  CAPABILITY_SETS
};

// The values of a set that work today, in order; NULL past the last.
const char *capability_value(enum capability_set set, size_t i);
// "bfs, dfs"
void capability_list(struct text *out, enum capability_set set, const char *separator);
// Is it a value that is promised but not built?
bool capability_later(enum capability_set set, const char *value);
// Is it a value that this build leaves out, because a library was not there?
bool capability_left_out(enum capability_set set, const char *value);

// One allowed combination of a check.
struct capability {
  const char *engine, *search;
  const char *store; // NULL: none, sets of states are not kept one by one
  bool symmetry, por;
  uint64_t threads_max;
  uint64_t deterministic_max; // threads with which --deterministic can be kept
  uint32_t kinds;             // bit set over enum ir_property_kind: what it can check
  bool all_ctl;               // not only AG of a condition
};
// Is there a row of the table for them?
bool capability_fits(const struct options *o);
// Can these options go together, and does each of them mean something beside the others? If not, a
// sentence in why says what to do.
bool capability_admits(const struct options *o, struct text *why);
// The same for a model with C code of its own, once it is known (its threads are then 1).
bool capability_admits_foreign(const struct options *o, struct text *why);
// The engine for a model in that language (NULL: not known): what the user says, else the only one
// that has the search, else one that is made for the language, if it is built and nothing is asked
// for that it does not know.
const char *capability_engine(const struct options *o, const char *language);
// The combination for options that are admitted, and a state of that many bytes: what the user left
// open is picked.
const struct capability *capability_pick(const struct options *o, uint64_t state_bytes);
// The same for the search for cycles, or for what else needs all states kept, that a check makes
// beside it. A store that does not keep them is for the other search only.
const struct capability *capability_cycles(const struct options *o, uint64_t state_bytes);
// How many threads it gets: as many as asked for, else as there are cores.
uint64_t capability_threads(const struct capability *c, const struct options *o, uint64_t cores);
// Does that engine know the option? True of options that are not for one engine only.
bool capability_engine_knows(const char *engine, const char *option);
// Is it a search for cycles, and for nothing else?
bool capability_cycles_only(const char *search);
// Does that search know the option? True of options that are not for some searches only.
bool capability_knows(const char *search, const char *option);
bool capability_checks(const struct capability *c, const struct ir_property *p);
// --weights: a for what is left, b for what was gone. False: that is not two numbers.
bool capability_weights(const char *text, double *a, double *b);
#define CAPABILITY_WEIGHTS "2,1" // unless said
