// SPDX-License-Identifier: Apache-2.0
// fathom compare: checks one model by every engine and search that can, each in a process of its
// own with a budget of its own, one after the other, and looks whether they agree.
#define _GNU_SOURCE // memfd_create
#include "cli/check.h"

#include "base/child.h"
#include "ir/ir.h"
#include "reduce/reduce.h"
#include "report/compare.h"
#include "search/search.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_UNLESS_SAID 60
// A run that does not end by itself is ended: its budget, and so much more.
#define SECONDS_OF_GRACE 20
#define PROBLEM_BYTES    2000

// Which runs there are, and what a model must have for them. WHOLE: nothing is left out; CONE: what
// properties do not depend on is.
enum need { ALWAYS, SYMMETRY, REDUCTION, CYCLES, PROGRESS, WHOLE, CONE };
static const struct row {
  const char *engine, *search, *store;
  enum need need;
  bool shortest; // its traces are
} rows[] = {
    {"explicit", "bfs", "exact", ALWAYS, true},
    {"explicit", "bfs", "tree", ALWAYS, true},
    {"explicit", "bfs", "exact", SYMMETRY, true},
    {"explicit", "bfs", "exact", REDUCTION, true},
    {"explicit", "dfs", "exact", ALWAYS, false},
    {"explicit", "bounded", "exact", ALWAYS, false},
    {"explicit", "context", "exact", ALWAYS, false},
    {"explicit", "astar", "exact", ALWAYS, false}, // or true: that depends on its heuristic
    {"explicit", "greedy", "tree", ALWAYS, false},
    {"explicit", "random", "exact", ALWAYS, false},
    {"explicit", "ndfs", "tree", CYCLES, false},
    {"explicit", "progress", "exact", PROGRESS, false},
    {"bdd", "bfs", NULL, WHOLE, true},
    {"bdd", "bfs", NULL, CONE, true},
    {"bdd", "ida", NULL, ALWAYS, true},
    {"bdd", "astar", NULL, ALWAYS, true},
    {"bdd", "wastar", NULL, ALWAYS, false},
    {"bmc", "deepening", NULL, ALWAYS, true},
    {"hybrid", "dfs", NULL, ALWAYS, false},
    {"hybrid", "glh", NULL, ALWAYS, false},
    {"st", "bfs", NULL, ALWAYS, true},
    {"smt", "deepening", NULL, ALWAYS, true},
};
#define ROWS (sizeof rows / sizeof *rows)

struct comparison {
  const struct options *options;
  struct cli_model model;
  struct arena *arena;
  size_t cyclic; // properties of infinite runs
  bool symmetric;
  VEC(struct report_compared) runs;
};

// ---------------------------------------------------------------------------------------------
// Which runs apply

static bool has_need(const struct comparison *c, enum need need) {
  const struct options *o = c->options;
  switch (need) {
  case ALWAYS:
  case WHOLE:
  case CONE: return true;
  case SYMMETRY: return c->symmetric;
  case REDUCTION: return o->fairness == NULL || strcmp(o->fairness, "weak") != 0;
  case CYCLES: return c->cyclic > 0;
  case PROGRESS:
    return o->non_progress && o->ltl.count == 0 && has_need(c, REDUCTION) &&
           search_strategy_find("progress") != NULL;
  }
  return false;
}

// Why the engine cannot be asked at all; nothing: it can.
static void find_obstacle(const struct comparison *c, const char *engine, struct text *why) {
  const struct options *o = c->options;
  bool explicit = strcmp(engine, "explicit") == 0;
  if (explicit)
    cli_model_numbered(c->model.model, why);
  else if (capability_left_out(CAPABILITY_ENGINE, engine))
    text_add(why, "it is not in this build");
  else if (o->fairness != NULL && strcmp(o->fairness, "weak") == 0)
    text_add(why, "it does not know --fairness weak");
  else if (check_is_hybrid(engine) && cli_deadlock(o, c->model.model) != IR_DEADLOCK_OFF)
    text_add(why, "it does not look for deadlocks (--deadlock off)");
  else if (check_is_hybrid(engine) && (o->ltl.count > 0 || o->non_progress))
    text_add(why, "it does not look at infinite runs");
}

// What is not about one property: several searches make one run of it.
static size_t count_cyclic(const struct comparison *c) {
  size_t n = 0;
  const struct ir_model *m = c->model.model;
  for (size_t i = 0; i < m->properties.count; i++) {
    enum ir_property_kind k = m->properties.data[i]->kind;
    n += ir_prop_cyclic(k) && (k != IR_PROP_PROGRESS || c->options->non_progress);
  }
  return m->fairness.count == 0 ? n : 0;
}

// ---------------------------------------------------------------------------------------------
// One run

static void add_given(const struct comparison *c, const char *engine, struct option_list *list) {
  for (size_t i = 0; i < option_row_count; i++) {
    const struct option_row *r = &option_rows[i];
    static const char *const ours[] = {"json", "quiet", "time"};
    bool own = !option_offered(r, COMMAND_compare) || !option_offered(r, COMMAND_check);
    for (size_t k = 0; !own && k < sizeof ours / sizeof *ours; k++)
      own = strcmp(r->name, ours[k]) == 0;
    if (!own && capability_engine_knows(engine, r->name))
      options_words(c->options, r, list, c->arena);
  }
}

static double seconds_of(const struct options *o) {
  return o->time > 0 ? o->time : SECONDS_UNLESS_SAID;
}

static void add_two(struct option_list *list, const char *option, const char *value) {
  VEC_PUSH(list, option);
  VEC_PUSH(list, value);
}

static void add_words(const struct comparison *c, const struct row *r, struct option_list *list) {
  const char *time = arena_printf(c->arena, "%.17g", seconds_of(c->options));
  const char *const fixed[] = {"fathom",  "check",  "--quiet", "--json",       "-", "--engine",
                               r->engine, "--time", time,      "--max-errors", "0"};
  bool unreduced = r->need == CYCLES || r->need == PROGRESS;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) VEC_PUSH(list, fixed[i]);
  if (strcmp(r->search, "deepening") != 0) add_two(list, "--search", r->search);
  if (r->store != NULL) add_two(list, "--store", r->store);
  if (r->store != NULL && !unreduced) {
    add_two(list, "--symmetry", r->need == SYMMETRY ? "on" : "off");
    add_two(list, "--por", r->need == REDUCTION ? "on" : "off");
  }
  if (r->need == WHOLE) add_two(list, "--cone", "off");
  if (check_is_hybrid(r->engine)) add_two(list, "--deadlock", "off"); // or it is not asked
  add_given(c, r->engine, list);
  VEC_PUSH(list, "--");
  VEC_PUSH(list, c->options->operands.data[0]);
  VEC_PUSH(list, NULL);
}

// Waits for the process until it ends, or must be ended. Gives its status as waitpid does.
static int wait_for(pid_t pid, double seconds) {
  double until = clock_seconds() + seconds + SECONDS_OF_GRACE;
  struct timespec pause = {0, 1000000};
  int status = 0;
  bool told = false;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (interrupt_pending() && !told) {
      kill(pid, SIGINT);
      told = true;
      until = clock_seconds() + SECONDS_OF_GRACE;
    }
    if (clock_seconds() > until) kill(pid, SIGKILL);
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 20000000) pause.tv_nsec *= 2;
  }
  return status;
}

static void take(int file, struct text *t) {
  char buffer[65536];
  lseek(file, 0, SEEK_SET);
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;) text_add_n(t, buffer, (size_t)n);
  close(file);
}

// The first line of what it said, without our name; warnings about the model may come before that.
static char *first_line(const struct text *said, const char *unless) {
  static const char ours[] = "\nfathom: ";
  const char *s = text_str(said), *later = strstr(s, ours);
  if (strncmp(s, ours + 1, sizeof ours - 2) == 0)
    s += sizeof ours - 2;
  else if (later != NULL)
    s = later + sizeof ours - 1;
  size_t length = strcspn(s, "\n");
  if (length == 0) return mem_strdup(unless);
  if (length > PROBLEM_BYTES) length = PROBLEM_BYTES;
  struct text line = {0};
  text_add_n(&line, s, length);
  return line.data;
}

// A run that was refused says so; one that has no result though it should have one is a bug.
static void take_result(struct report_compared *r, int status, const struct text *out,
                        const struct text *err) {
  static const char cannot[] = "cannot: ";
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  bool known = code == CLI_HOLDS || code == CLI_VIOLATED || code == CLI_UNKNOWN;
  if (known && report_compared_read(r, text_str(out), out->count)) {
    if (r->reason == NULL || strncmp(r->reason, cannot, sizeof cannot - 1) != 0) return;
    r->problem = mem_strdup(r->reason + sizeof cannot - 1);
    return;
  }
  bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  r->problem =
      first_line(err, killed ? "it did not end in time, and was ended" : "it said nothing");
  r->wrong = !killed && code != CLI_USAGE && code != CLI_BAD_MODEL && code != CLI_UNKNOWN;
}

static void run_one(const struct comparison *c, const struct row *row, struct report_compared *r) {
  struct option_list list = {0};
  struct text out = {0}, err = {0};
  struct child child = {.program = "/proc/self/exe", .in = -1};
  add_words(c, row, &list);
  child.argv = (char *const *)list.data;
  child.out = memfd_create("out", MFD_CLOEXEC);
  child.err = memfd_create("err", MFD_CLOEXEC);
  pid_t pid = child.out >= 0 && child.err >= 0 ? child_start(&child) : -1;
  if (pid < 0) {
    r->problem = mem_strdup(strerror(errno));
    r->wrong = true;
  } else {
    int status = wait_for(pid, seconds_of(c->options));
    take(child.out, &out);
    take(child.err, &err);
    take_result(r, status, &out, &err);
  }
  text_clear(&out);
  text_clear(&err);
  VEC_CLEAR(&list);
}

// ---------------------------------------------------------------------------------------------
// All runs

static void tell(const struct comparison *c, const struct report_compared *r) {
  if (c->options->quiet || isatty(STDERR_FILENO) != 1) return;
  struct text label = {0};
  if (r != NULL) report_compared_label(&label, r);
  fprintf(stderr, "\r%s%s\033[K", text_str(&label), r != NULL ? " ..." : "");
  fflush(stderr);
  text_clear(&label);
}

static const char *reduction_of(enum need need) {
  if (need == CONE) return "cone";
  return need == SYMMETRY ? "symmetry" : need == REDUCTION ? "por" : NULL;
}

// Engines that reason about paths count steps inside of chains, which are one step to others.
static bool is_shortest(const struct comparison *c, const struct row *row) {
  bool chains = c->model.model->transient != NULL;
  bool inside = strcmp(row->engine, "bmc") == 0 || check_is_hybrid(row->engine);
  return row->shortest && !(chains && inside);
}

static void run_row(struct comparison *c, const struct row *row) {
  struct report_compared r = {
      .engine = row->engine,
      .search = row->search,
      .store = row->store,
      .reduction = reduction_of(row->need),
      .shortest = is_shortest(c, row),
      .length = -1,
  };
  struct text why = {0};
  find_obstacle(c, row->engine, &why);
  if (why.count > 0) {
    r.problem = mem_strdup(text_str(&why));
  } else {
    tell(c, &r);
    run_one(c, row, &r);
  }
  text_clear(&why);
  // A reduction that could not be made is the run that was made before.
  if (r.reduction != NULL && !r.wrong && !r.reduced)
    report_compared_clear(&r);
  else
    VEC_PUSH(&c->runs, r);
}

static void run_all(struct comparison *c) {
  struct text aside = {0};
  c->symmetric = reduce_symmetry_applies(c->model.model, false, &aside);
  text_clear(&aside);
  c->cyclic = count_cyclic(c);
  for (size_t i = 0; i < ROWS && !interrupt_pending(); i++)
    if (has_need(c, rows[i].need)) run_row(c, &rows[i]);
  tell(c, NULL);
  if (interrupt_pending()) cli_refuse("interrupted: the other runs are left out");
}

static bool went_wrong(const struct comparison *c) {
  bool wrong = false;
  for (size_t i = 0; i < c->runs.count; i++) wrong = wrong || c->runs.data[i].wrong;
  return wrong;
}

static enum cli_exit report(struct comparison *c, struct cli_files *files) {
  struct report_comparison all = {c->runs.data, c->runs.count};
  struct report_run run = cli_run(c->options, &c->model);
  struct report_text text = {.out = stdout,
                             .colour = report_colour(stdout),
                             .quiet = c->options->quiet,
                             .columns = report_columns(stdout)};
  struct text lines = {0};
  const char *why;
  report_compare_judge(&all, &lines);
  enum cli_exit code =
      lines.count > 0 || went_wrong(c) ? CLI_BUG : cli_exit_for(report_compare_verdict(&all));
  if (!files->alone) report_compare_text(&text, &all, text_str(&lines));
  if (files->json.out != NULL) {
    report_compare_json(files->json.out, &run, &all, text_str(&lines));
    if (!report_file_commit(&files->json, &why)) code = cli_unwritten(code, "the JSON file", why);
  }
  text_clear(&lines);
  return code;
}

enum cli_exit cli_compare(const struct options *o) {
  struct comparison c = {.options = o, .arena = arena_new()};
  struct cli_files files;
  struct cli_model_request request = cli_model_request_of(o);
  enum cli_exit code = CLI_USAGE;
  if (strcmp(o->operands.data[0], "-") == 0)
    cli_refuse("compare reads the model several times, and standard input can be read once");
  else if (cli_files_open(&files, o)) {
    code = cli_model_load(&c.model, &request, &files.json);
    if (code == CLI_HOLDS) {
      run_all(&c);
      code = report(&c, &files);
    }
    cli_files_discard(&files);
  }
  for (size_t i = 0; i < c.runs.count; i++) report_compared_clear(&c.runs.data[i]);
  VEC_CLEAR(&c.runs);
  cli_model_free(&c.model);
  arena_free(c.arena);
  return code;
}
