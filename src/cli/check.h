// SPDX-License-Identifier: Apache-2.0
// A check that is under way: what check.c and cycles.c share.
#pragma once

#include "cli/cli.h"

#include "ir/ir.h"

struct ample;
struct pattern;
struct search_config;
struct source;
struct symbolic_config;
struct sys;

// Searches by an abstraction.
struct check_guided {
  struct report_guided report;
  int64_t *strength; // per leaf, -1: not said; NULL: computed
};

struct check {
  const struct options *options;
  const struct capability *capability;
  double started;
  struct cli_files files;
  struct cli_model model;
  struct report_run run;
  struct result result;
  uint8_t *property_on;
  uint8_t *states_on; // of these the ones that a search for states checks
  bool states;        // such a search is made
  struct cli_bounded bounded;
  struct cli_hints hints;
  struct text aside; // on symmetry: what stays out of it and why
  bool again;        // it was laid out anew for more processes
  bool unreal;       // a trace of representatives is no execution: the model is not symmetric
  // Partial order reduction; NULL: none.
  struct ample *ample;
  struct text ample_aside; // why not
  // Decision diagrams.
  bool symbolic;
  struct report_bdd bdd;
  struct source *order_file; // NULL: not asked for
  VEC(const char *) order;   // its names
  struct text order_out;     // the order at the end, if it is to be written
  struct check_guided guided;
  // Distances for the explicit engine's astar and greedy.
  struct pattern *pattern; // NULL: none
  struct report_pattern pattern_report;
  struct text pattern_text; // what it says of itself, or why there is none
  // Formulas.
  struct report_bmc bmc;
  // Sets of states and paths by turns.
  struct report_hybrid hybrid;
  bool hidden; // steps that come to what the front end could not carry do not exist (unable.c)
  // Properties that need a search of their own.
  const struct capability *cycles_capability; // NULL: there is none
  struct report_cycles cycles;
};

// What every search of the check has in common.
struct search_config check_config(const struct check *c, struct sys *sys,
                                  struct report_progress *progress);
// NuSMV's users get a verdict on every specification; others the first violation, unless said.
bool check_settles(const struct check *c);
uint64_t check_max_errors(const struct check *c);
// Traces of chains become traces of the model's own steps. One that does not does not replay.
void check_unfold(struct result *r, struct sys *chains);

// --- cycles.c: properties of infinite runs, and liveness ---
// Which properties are searched together, by states, and which each by itself. False: the user was
// told why that cannot be.
bool check_pick_cycles(struct check *c);
// Which of them partial order reduction would not keep, in words; nothing where there are none.
void check_unreduced(const struct check *c, struct text *out);
// Searches for them, one property after the other, and puts what comes out beside what is known
// already.
void check_cycles(struct check *c, struct sys *sys, struct report_progress *progress);

// --- direct.c: cycles without progress, by an automaton of one state ---
struct check_direct {
  struct ir_automaton automaton;
  struct ir_automaton_state state;
  struct ir_automaton_edge edge;
};
// `two` is the property's own.
void check_direct_init(struct check_direct *d, const struct ir_automaton *two);
// The cycles that were found in direct->sys, a product with that automaton, become those of a
// product with the property's own.
void check_direct_tell(struct result *part, const struct search_config *direct,
                       struct sys *product);

// --- guided.c: abstractions ---
// Reads --strength, if it is given. False: the user was told what is wrong.
bool check_guided_init(struct check_guided *g, const struct options *o, const struct ir_model *m);
void check_guided_fill(const struct check_guided *g, struct symbolic_config *config);
void check_guided_clear(struct check_guided *g);

// --- pattern.c: a pattern database for the explicit engine ---
// Is the search one that goes by it? Then its settings are read. False: the user was told what is
// wrong with them.
bool check_pick_pattern(struct check *c);
// Makes it, once, if the search goes by it and the model is one of which it can be made. The rest
// of the report on it is filled in.
void check_pattern(struct check *c, struct search_config *config, struct report_progress *progress);
// Is there nothing left to search, since no state of the abstraction leads from a start to an
// error? Then this is the result.
bool check_pattern_proves(struct check *c, const struct search_config *config);
void check_pattern_clear(struct check *c);

// --- bmc.c: the engine over formulas ---
void check_pick_bmc(struct check *c);
void check_bmc(struct check *c, struct report_progress *progress);

// --- hybrid.c: the engines that traverse sets of states and reason about paths ---
bool check_is_hybrid(const char *engine);
void check_pick_hybrid(struct check *c);
void check_hybrid(struct check *c, struct report_progress *progress);

// --- unable.c: programs of which the front end could not carry everything ---
// Before the first search.
void check_hide(struct check *c);
// After a search. Traces that end there are no violations: they go, and nothing holds any more.
// True: the search is to be made again.
bool check_unable(struct check *c);

// --- symbolic.c: the engine over decision diagrams ---
// Reads the order of the variables, if one is given, and what guides a search. False: the user was
// told what is wrong.
bool check_pick_order(struct check *c);
// Says of properties that the search does not check who does.
void check_explain_unchecked(struct check *c, const char *who);
// Checks everything that is selected, in one go.
void check_symbolic(struct check *c, struct report_progress *progress);
// The order that came out into its file, which was asked for; none if there is none.
void check_write_order(struct check *c);
void check_symbolic_clear(struct check *c);
