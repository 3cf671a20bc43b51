// SPDX-License-Identifier: Apache-2.0
// What the commands share: exit codes, loading a model, messages, limits of the machine.
#pragma once

#include "cli/options.h"
#include "guide/guide.h"
#include "report/report.h"

struct ir_expr;
struct ir_frame;
struct ir_model;
struct ir_rule;
struct ltl;
struct ltl_factory;
struct promela_plan;
struct saved;
struct search_config;

enum cli_exit {
  CLI_HOLDS = 0, // also: did what was asked
  CLI_USAGE = 1,
  CLI_BAD_MODEL = 2,
  CLI_UNKNOWN = 5,
  CLI_BUG = 6,
  CLI_VIOLATED = 10,
};
enum cli_exit cli_exit_for(enum verdict v);

// A sentence to standard error, after "fathom: ". Returns the exit code for bad usage.
enum cli_exit cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Says that Fathom itself went wrong, and what to report. Returns the exit code for that.
enum cli_exit cli_bug(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Says that output was lost. Returns the exit code: the verdict's, but not that of success.
enum cli_exit cli_unwritten(enum cli_exit code, const char *what, const char *why);

// --- models (model.c) ---
struct cli_define { // -D
  char *name;
  const char *value;
};
// What is asked of a C program beside the program itself (program.c).
struct cli_program {
  unsigned checks; // C_CHECK_...
  struct report_program report;
  struct text checks_text, specification; // that it points into
  bool shows;                             // its blocks are to be shown
  struct text blocks;
};
struct cli_model {
  struct ir_model *model;
  const char *language;      // that its text is in
  uint64_t hash;             // of that text, and of what it includes
  struct promela_plan *plan; // by which it is laid out; NULL: another language
  struct text plan_text;     // of the last cli_run
  bool merge, dead;          // statements merged, dead variables reset
  // Of properties that are LTL formulas, by property; NULL: no formula, or not read.
  const struct ltl **formulas;
  struct ltl_factory *factory; // where they are
  struct cli_program program;  // C
};
// What to load and how.
struct cli_model_request {
  enum command command;
  const char *path;
  const char *language; // NULL: from the file's name
  struct option_list defines;
  uint64_t while_limit;
  struct option_list ltl; // formulas to be added
  // Promela
  const char *plan;         // of a saved result; NULL: to be found
  const char *merge, *dead; // "on", "off"; NULL: not said
  bool non_progress;        // there is to be a property about non-progress cycles
  bool graphs;              // are to be shown
  // C
  struct option_list check;
  const char *property_file; // NULL: none
  bool blocks;               // are to be shown
  uint64_t recursion, heap;  // 0: not said
};
// Reads and finishes a model. When that fails, the user has been told why, errors of the model have
// been written to json (when that is open), and the exit code comes back; else CLI_HOLDS.
enum cli_exit cli_model_load(struct cli_model *m, const struct cli_model_request *r,
                             struct report_file *json);
struct cli_model_request cli_model_request_of(const struct options *o);
void cli_model_free(struct cli_model *m);
// The model's language as the options or the file's name say; NULL: they do not.
const char *cli_language(const struct options *o);
// False: the trace does not show a violation, but that the model was laid out for fewer processes
// than it has.
bool cli_model_planned(const struct ir_model *m, const struct trace *t);
// Lays the model out anew, for the step that failed at `site` from state `before`, too: m->model is
// another one then. Otherwise the user has been told why not, and the exit code comes back.
enum cli_exit cli_model_learn(struct cli_model *m, const struct cli_model_request *r, uint32_t site,
                              const uint64_t *before, struct report_file *json);
// Everything the reports want to know about the run. Lives no longer than m, or the next call.
struct report_run cli_run(const struct options *o, struct cli_model *m);

// Can its steps be taken one by one? If not, a sentence in why says so, and what can.
bool cli_model_numbered(const struct ir_model *m, struct text *why);

// --- program.c: C programs ---
// Reads what is to be checked, and the limits. False: the user was told what is wrong with it, or
// that the model is not a C program.
bool cli_program_init(struct cli_program *p, const char *language,
                      const struct cli_model_request *r);
struct ir_model *cli_program_load(struct cli_program *p, const struct cli_define *defines,
                                  size_t count, struct source *s, struct diag *d);
void cli_program_clear(struct cli_program *p);

// --- formulas.c: LTL ---
// Adds the given formulas to the model's properties, and reads those that it has. When one is wrong
// the user has been told, and the exit code comes back; else CLI_HOLDS.
enum cli_exit cli_formulas_read(struct cli_model *m, const struct option_list *given);
void cli_formulas_clear(struct cli_model *m);
// The formula of a property that has one.
void cli_formula_print(struct text *out, const struct cli_model *m, uint32_t property);
// Is the formula, if the trace is about one, false of the run? By its definition, without any
// automaton. Explains how; false: replay->problem.
bool cli_formula_violated(const struct cli_model *m, const struct trace *t, struct replay *replay);
// Reads one expression of the model's language; the model, or d, then owns the source.
struct ir_expr *cli_expr(const struct cli_model *m, struct source *s, int want,
                         const struct ir_rule *scope, struct ir_frame *frame, struct diag *d);

// --- liveness.c ---
// Is it the trace of a liveness property?
bool cli_is_liveness(const struct ir_model *m, const struct trace *t);
// Replays it: from its last state no state can be reached any more in which the property holds.
bool cli_liveness_replay(const struct report_run *run, const struct trace *t, struct replay *r);

// --- files.c ---
// The files that --json and --html ask for; each is closed (out == NULL) when not asked for.
struct cli_files {
  struct report_file json, html;
  struct report_file witness, test; // of a violated C program
  const char *test_path;            // as the user named it
  struct report_file order;         // of --write-order
  bool alone;                       // one of them is standard output: no text there
  char *save_path;                  // of --save-frontier, links followed; NULL: not asked for
};
// False, and the user was told, when one cannot be written, is also read, or is there twice.
bool cli_files_open(struct cli_files *f, const struct options *o);
// Writes the result into them; *code is success no more when that fails.
void cli_files_write(struct cli_files *f, const struct report_run *run, const struct result *r,
                     const struct replay *replays, enum cli_exit *code);
void cli_files_discard(struct cli_files *f);

// --- what several commands do (common.c) ---
struct report_text cli_text(const struct options *o);
// Can the trace of that model be shown as --trace says? If not, the user has been told.
bool cli_text_possible(const struct options *o, const struct cli_model *m);
int cli_deadlock(const struct options *o, const struct ir_model *m);
// Which properties --property selects, per property; NULL when a name is unknown (the user was
// told).
uint8_t *cli_properties_on(const struct options *o, const struct ir_model *m,
                           const struct capability *c);
// Is it the name of what is checked besides whatever --property selects?
bool cli_is_always_on(const char *name);
// Says that the model has no such property, and which it has.
void cli_refuse_property(const char *name, const struct ir_model *m);
// Replays a trace, and explains how it ends in the terms of its language. False: r->problem.
bool cli_replay_one(const struct cli_model *m, const struct report_run *run,
                    const struct trace *trace, struct replay *r);
// Replays every trace of r into a new array; NULL when one does not replay: our bug, reported.
struct replay *cli_replay_all(const struct cli_model *m, const struct report_run *run,
                              const struct result *r);
void cli_replays_free(struct replay *replays, size_t count);

// --- bounded.c: what --search bounded adds to a check ---
struct cli_bounded {
  struct report_bounded report;
  struct text meaning;
  struct saved *saved; // what --resume read; NULL: not asked for
};
void cli_bounded_init(struct cli_bounded *b, const struct options *o);
// Notes all that decides, beside the model, which states there are and what is said of them: a
// saved search goes on only under the same.
void cli_bounded_mean(struct cli_bounded *b, const struct report_run *run, bool symmetry_proved,
                      const uint8_t *property_on);
// The plan of a Promela model's processes in what --resume names, to be freed; NULL: there is none.
char *cli_bounded_plan(const struct options *o);
void cli_bounded_fill(const struct cli_bounded *b, struct search_config *config);
// Reads what --resume names, if anything, for a config that is filled in. False: the user was told.
bool cli_bounded_resume(struct cli_bounded *b, const struct search_config *config);
void cli_bounded_clear(struct cli_bounded *b);

// --- hints.c: what marks, flows and heuristics add to a check ---
struct cli_hints {
  struct report_hints report;
  struct guide_agents agents;
  struct guide_marks *marks;     // NULL: the search uses none
  struct guide_flows *flows;     // NULL: not asked for
  struct guide_monitor *monitor; // of the search that runs, or ran last
  struct ir_expr *expr;          // of --heuristic; NULL: a word, or not asked for
  struct ir_frame *frame;
  struct text marked;
};
// Reads all hints for that search, before anything evaluates the model. When they are wrong the
// user has been told, and the exit code comes back; else CLI_HOLDS.
enum cli_exit cli_hints_init(struct cli_hints *h, const struct options *o, const char *search,
                             const struct cli_model *m);
// For a new search, once.
void cli_hints_fill(struct cli_hints *h, struct search_config *config, const struct options *o);
// What it saw of the flows, into the report.
void cli_hints_count(struct cli_hints *h);
void cli_hints_clear(struct cli_hints *h);

// --- race.c ---
// Which searches take part: as many as there are threads, but two.
void cli_race_init(struct report_race *r, bool marked, uint64_t threads);
void cli_race_run(struct report_race *r, const struct search_config *config, struct result *result);

// --- shorten.c ---
// Makes the traces of a search shorter, as --shrink says. Under symmetry: before they become real.
void cli_shorten(struct result *r, const struct search_config *c, const struct options *o);

// --- depend.c: models as terms ---
// The cones of the properties that are asked for (none: all), as tables or as graphs for dot.
// False, with a sentence's end in why: the model cannot be said in terms.
bool cli_dependencies(struct text *out, const struct ir_model *m, const struct option_list *asked,
                      bool dot, struct text *why);
bool cli_relation(struct text *out, const struct ir_model *m, struct text *why);
bool cli_efsm(struct text *out, const struct ir_model *m, struct text *why);

// --- limits.c: what the machine and its control groups allow ---
size_t cli_memory_there(void); // that the process could ever have
size_t cli_memory_limit(void); // three quarters of it, or what is free
uint64_t cli_cores(void);      // cores that this process may run on; at least 1

// --- crash.c: a failed assertion or a wild access ends with a sentence and exit code 6 ---
void cli_crash_install(void);

// --- commands ---
#define COMMAND(name, ...) enum cli_exit cli_##name(const struct options *o);
#define COMMAND_LATER(name, summary)
#include "cli/commands.def"
#undef COMMAND
#undef COMMAND_LATER

// --- help.c, manual.c, complete.c: all from the tables ---
void cli_help_overview(FILE *out);
void cli_help_command(FILE *out, enum command c);
void cli_manual(FILE *out);
void cli_complete_bash(FILE *out);
void cli_complete_zsh(FILE *out);
