// SPDX-License-Identifier: Apache-2.0
// What a user gets to see of a run: text, JSON, progress. Engines fill in a struct result; only
// this room and cli print.
#pragma once

#include "trace/trace.h"

#include <stdio.h>

struct guide_flow_report;
struct ir_model;
struct ir_type;
struct json_t;
struct bmc_progress;
struct hybrid_progress;
struct search_progress;
struct symbolic_progress;

// Settings of the bounded search.
struct report_bounded {
  uint64_t increment; // 0: as it pays
  uint64_t depth_max; // 0: no last bound
  const char *bounding, *frontier;
  const char *save_path; // as the user named it; NULL: nothing is to be saved
  const char *resume;    // likewise: what it goes on from
  uint64_t resume_depth; // to which that was complete
};

// Several searches at once.
#define REPORT_RACE_MAX 8
struct report_race {
  const char *searches[REPORT_RACE_MAX];
  size_t count;           // 0: no race
  const char *winner;     // NULL: none had an answer
  const char *figures_of; // the search that the result is of
};

// Settings of abstractions: how much is left out, and how their states are explored.
struct report_guided {
  int64_t abstract_depth; // -1: picked
  const char *strength;   // a file, as the user named it; NULL: computed
  size_t strengths;       // leaves that it tells of
  const char *pattern;    // "backward", "forward"
  uint64_t pattern_nodes; // 0: picked
  double weight_h, weight_g;
  bool weighted; // by these
};

// The distances that an abstraction knows, for a search of another engine. What came out of it is
// filled in when it was made.
struct report_pattern {
  const struct report_guided *settings;
  const char *described; // "23 of 41 leaves, 12 layers"; NULL: there is none
  const char *aside;     // why not
  double seconds;        // that it took
  bool shortest;         // the first trace is, by what it says
  bool proves;           // there was nothing left to search
};

// Settings of searches that follow hints, and what they saw of flows.
struct report_hints {
  bool uses_marks;
  const char *marks;                    // what is marked, in words; NULL: nothing
  const char *heuristic;                // "marked", "auto", an expression; NULL: not such a search
  const struct report_pattern *pattern; // NULL: not such a heuristic
  uint64_t bias_limit;                  // 0: not such a search
  uint64_t agents;                      // likewise
  bool random;                          // by report_run.seed
  struct report_race race;
  const char *flows_path; // NULL: no flows
  struct guide_flow_report *flows;
  size_t flow_count;
  uint64_t flows_lost; // steps that were not followed
};

// Searches for properties that the main one cannot check.
struct report_cycles {
  const char *search; // for cycles; NULL: there are no properties of infinite runs
  const char *store;
  uint64_t threads;
  size_t cyclic, liveness; // properties
  bool fair;               // of the runs only those that are weakly fair
  bool alone;              // there is no other search
};

// Settings of the engine over decision diagrams.
struct report_bdd {
  const char *reorder;    // "auto", "on", "off"
  uint64_t reorder_every; // operations; 0: as `reorder` says
  const char *order;      // a file, as the user named it; NULL: an order of our own
  size_t names, names_unknown;
  const char *order_out;              // a file; NULL: the order is not to be written
  bool cone;                          // of influence, per property
  const struct report_guided *guided; // NULL: all states, level by level
};

// Settings of the engine over formulas.
struct report_bmc {
  const char *proof; // "auto", "induction", "pdr", "none"
  bool cone;
  uint64_t depth_max; // 0: until there is an answer
};

// Settings of the engines that traverse sets of states and reason about paths.
struct report_hybrid {
  bool traverses, reasons; // hybrid: both
  bool glh;
  bool partition, reached;
  uint64_t tsize, isize, fsize, path_depth, polyhedra;
  double path_seconds, glh_seconds;
  uint64_t depth_max; // 0: until there is an answer
};

// What was asked of a C program beside the program itself.
struct report_program {
  const char *checks;        // "bounds,div"; "": only reach_error and assert
  uint64_t recursion, heap;  // limits
  const char *specification; // of a property file, in one line; NULL: there was none
};

// What was run: everything that a reader, or `fathom replay`, needs beside the result.
struct report_run {
  const char *version;  // Fathom's own
  const char *command;  // "check", "simulate", "replay"
  const char *path;     // of the model, as the user named it
  const char *language; // that its text is in
  const struct ir_model *model;
  uint64_t model_hash;
  const char *const *defines; // NAME=VALUE
  size_t define_count;
  uint64_t while_limit;
  const char *const *ltl; // formulas that were added
  size_t ltl_count;
  bool non_progress; // Promela: there is a property about non-progress cycles, whatever the labels
  const char *plan;  // of the front end, by which the model was laid out; NULL: there is none
  bool merge, dead;  // Promela: statements merged, dead variables reset
  int deadlock;      // enum ir_deadlock
  uint64_t seed;
  bool native;                // native code ran at the end
  bool symmetry;              // one state of each symmetric class was searched
  bool symmetry_trusted;      // asked for: with the scalarsets of which it could not be shown, too
  const char *symmetry_aside; // what stayed out and why, or was not shown; NULL: nothing to say
  uint64_t threads;           // that might search; 0: not a search
  bool deterministic;
  bool stats;                           // the survey is shown
  size_t mem_bytes;                     // the memory limit, 0 = none
  size_t mem_there;                     // memory that there is, 0 = not known
  const struct report_bounded *bounded; // NULL: another search
  const struct report_hints *hints;     // NULL: a search without
  const struct report_cycles *cycles;   // NULL: there are none
  const struct report_bdd *bdd;         // NULL: another engine
  const struct report_bmc *bmc;         // NULL: another engine
  const struct report_hybrid *hybrid;   // NULL: another engine
  const struct report_program *program; // NULL: another language
  bool por;                             // partial order reduction
  const char *por_aside;                // why not, though asked for; or what is to be said of it
};
const char *report_deadlock(int deadlock); // "off", "stuck", "stuttering"
// What goes before symmetry_aside.
static inline const char *report_symmetry(const struct report_run *run) {
  return !run->symmetry ? "off" : run->symmetry_trusted ? "on" : "in part";
}

// --- text -------------------------------------------------------------------------------------

enum report_trace { REPORT_TRACE_DIFF, REPORT_TRACE_FULL, REPORT_TRACE_OFF, REPORT_TRACE_MSC };
// Do its rules say which statements of which processes they are? Then traces read like SPIN's, and
// there are charts (REPORT_TRACE_MSC).
bool report_has_lines(const struct ir_model *m);

// Where a process is, and what it could do there.
struct report_where {
  const char *process;
  int32_t agent;
  uint32_t place;
  struct span span;
  bool may_end; // being stuck there is no mistake
  const char *const *waits;
  uint32_t wait_count;
};
// "proc  1 (sender:1) model.pml:34 (state 5) waits for [toR!msg]"
void report_where(struct text *out, const struct report_where *w);

struct report_text {
  FILE *out;
  bool colour;
  bool quiet; // verdicts and traces only
  enum report_trace trace;
  size_t columns; // of the terminal; 0: there is none
};

// May colours be written there? Only to a terminal, and never when NO_COLOR is set.
bool report_colour(FILE *out);
// The width of the terminal there; 0 when it is none or does not tell.
size_t report_columns(FILE *out);
// Before a search: what was picked for this model.
void report_text_plan(const struct report_text *t, const struct report_run *run,
                      const struct result *picked);
// Before another search, of a model that was laid out anew for other processes than foreseen.
void report_text_again(const struct report_text *t, const struct report_run *run);
// After it. replays[i] belongs to r->traces.data[i].
void report_text_result(const struct report_text *t, const struct report_run *run,
                        const struct result *r, const struct replay *replays);
// "violated: invariant "mutex" (peterson.m:30:1)", then the steps and why.
void report_text_violation(const struct report_text *t, const struct report_run *run,
                           const struct trace *trace, const struct replay *replay);
// The steps alone, as --trace asks.
void report_text_steps(const struct report_text *t, const struct report_run *run,
                       const struct trace *trace, const struct replay *replay);

// --- JSON, schema fathom-result/1, and HTML ----------------------------------------------------

// Writes a whole result; false when the file could not be written.
bool report_json_result(FILE *out, const struct report_run *run, const struct result *r,
                        const struct replay *replays);
// Writes the errors of a model that could not be read.
bool report_json_errors(FILE *out, const struct report_run *run, const struct diag *d);

// The same result as one HTML page.
bool report_html_result(FILE *out, const struct report_run *run, const struct result *r,
                        const struct replay *replays);

// --- what comes of a violated C program --------------------------------------------------------

// A value that the program was given, in the order of the calls.
struct report_input {
  const char *function; // that it calls for it: "__VERIFIER_nondet_int"
  const char *variable; // that holds it first; NULL: none that has a name
  const struct ir_type *type;
  int64_t value;
  struct span span; // of the call
  size_t step;      // in which it is called; REPORT_INPUT_START: before the first
};
#define REPORT_INPUT_START SIZE_MAX
struct report_inputs {
  VEC(struct report_input) list;
};
void report_inputs_init(struct report_inputs *in, const struct ir_model *m, const struct trace *t);
void report_inputs_clear(struct report_inputs *in);

// The violation as a witness, format 2.0 of SV-COMP.
bool report_witness(FILE *out, const struct report_run *run, const struct trace *t);
// A C file that gives the program these inputs, so that it fails for real.
// `path` is its own name, for the comment that says how to compile it.
bool report_test(FILE *out, const struct report_run *run, const struct trace *t, const char *path);

// A result read back, for `fathom replay`.
struct report_saved {
  char *version, *path, *language;
  char *plan; // NULL: none
  bool merge, dead;
  uint64_t model_hash, while_limit;
  int deadlock;
  VEC(char *) defines, ltl;
  bool non_progress;
  char *checks;             // C: "bounds,div"; NULL: none
  uint64_t recursion, heap; // 0: not said
  VEC(struct trace) traces;
  struct json_t *document; // the file itself, for report_json_agrees
};
// False when the text is no result of ours; *why then says what is wrong (to be freed).
bool report_json_read(const struct source *s, struct report_saved *saved, char **why);
void report_saved_clear(struct report_saved *saved);
// Is what the file says of that trace (rules, values, what was printed) what the replay did? False
// and a sentence in *why (to be freed) when not.
bool report_json_agrees(const struct report_saved *saved, size_t trace, const struct ir_model *m,
                        const struct replay *replay, char **why);

// --- files written whole or not at all --------------------------------------------------------

// Opened before a run, so that an unwritable place is known before the work is done; appears under
// its name only when committed. Path "-" is standard output. A link is followed to what it points
// to; a file that may not be written is refused, though its folder would allow to replace it.
struct report_file {
  FILE *out;       // NULL: closed
  char *path;      // links followed; NULL: standard output
  char *temporary; // NULL: a device or pipe, written directly
};
bool report_file_open(struct report_file *f, const char *path, const char **why);
// Would committing replace that file, by this or another name? Path "-" is descriptor `standard`.
bool report_file_replaces(const struct report_file *f, const char *path, int standard);
// Would both be written to one place?
bool report_file_same(const struct report_file *f, const struct report_file *g);
bool report_file_commit(struct report_file *f, const char **why);
const char *report_write_problem(int error); // errno, or 0: it is not known
void report_file_discard(struct report_file *f);

// --- progress ---------------------------------------------------------------------------------

struct report_progress {
  FILE *out;     // NULL: silent
  bool terminal; // one line, redrawn; else a line every ten seconds
  bool drawn;
  double said; // run time at the last line
};
void report_progress_init(struct report_progress *p, FILE *out, bool quiet);
void report_progress_tell(void *progress, const struct search_progress *now);
void report_progress_symbolic(void *progress, const struct symbolic_progress *now);
void report_progress_bmc(void *progress, const struct bmc_progress *now);
void report_progress_hybrid(void *progress, const struct hybrid_progress *now);
void report_progress_end(struct report_progress *p); // takes the line off the terminal
