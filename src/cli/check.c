// SPDX-License-Identifier: Apache-2.0
// fathom check: picks engine, search and store, runs the search, replays what it found, reports.
#include "cli/cli.h"

#include "ir/ir.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "sys/sys.h"

#include <string.h>

// How long a model may be interpreted before it counts as not small and the compiler is started.
#define INTERPRET_SECONDS 0.05

struct check {
  const struct options *options;
  const struct capability *capability;
  double started;
  struct cli_files files;
  struct cli_model model;
  struct report_run run;
  struct result result;
  uint8_t *property_on;
  bool symmetric; // representatives are searched
  bool unreal;    // a trace of representatives is no execution: the model is not symmetric
};

static struct sys_config sys_config_of(const struct options *o) {
  struct sys_config c = {
      .interpret_seconds = INTERPRET_SECONDS, .wait_seconds = o->time, .no_cache = o->no_cache};
  c.mode = strcmp(o->native, "on") == 0    ? SYS_NATIVE
           : strcmp(o->native, "off") == 0 ? SYS_INTERPRETED
                                           : SYS_AUTO;
  return c;
}

static struct search_config search_config_of(struct check *c, struct sys *sys,
                                             struct report_progress *progress) {
  const struct options *o = c->options;
  return (struct search_config){
      .sys = sys,
      .model = c->model.model,
      .store = c->capability->store,
      .budget = {.seconds = o->time,
                 .mem_bytes = c->run.mem_bytes,
                 .depth_max = o->depth,
                 .states_max = o->states},
      .started = c->started,
      .deadlock = c->run.deadlock,
      .max_errors = o->max_errors,
      .property_on = c->property_on,
      .progress = report_progress_tell,
      .progress_context = progress,
  };
}

// A selected property that speaks of sequences of states, not of single ones; NULL: there is none.
static const struct ir_property *temporal(const struct check *c) {
  const struct ir_model *m = c->model.model;
  for (size_t i = 0; i < m->properties.count; i++) {
    enum ir_property_kind kind = m->properties.data[i]->kind;
    bool safety = kind == IR_PROP_INVARIANT || kind == IR_PROP_ASSUME || kind == IR_PROP_COVER;
    if (!safety && c->property_on[i]) return m->properties.data[i];
  }
  return NULL;
}

// False comes back when symmetry was asked for and cannot be had.
static bool pick_symmetry(struct check *c) {
  if (strcmp(c->options->symmetry, "off") == 0) return true;
  const struct ir_property *sequence = temporal(c);
  struct text why = {0};
  if (sequence != NULL)
    text_printf(&why,
                "\"%s\" speaks of the order of states, and symmetry keeps the states only; leave "
                "it out with --property",
                sequence->name);
  c->symmetric = sequence == NULL && reduce_symmetry_applies(c->model.model, &why);
  if (!c->symmetric) cli_refuse("--symmetry on is not possible: %s", text_str(&why));
  text_clear(&why);
  return c->symmetric;
}

static void canonical(void *context, uint64_t *state) { symmetry_canonical(context, state); }

// Traces of representatives become real executions.
static void make_real(struct check *c, struct sys *sys) {
  struct symmetry *y = symmetry_new(c->model.model);
  for (size_t i = 0; i < c->result.traces.count && !c->unreal; i++)
    c->unreal =
        !trace_concretise(&c->result.traces.data[i], sys, (struct trace_symmetry){canonical, y});
  symmetry_free(y);
}

static void search(struct check *c, const struct report_text *text) {
  struct sys_config sys_config = sys_config_of(c->options);
  struct sys *sys = sys_new(c->model.model, &sys_config);
  struct sys *searched = c->symmetric ? reduce_symmetry_new(sys) : sys;
  struct report_progress progress;
  report_progress_init(&progress, stderr, c->options->quiet);
  c->result.engine = c->capability->engine;
  c->result.search = c->capability->search;
  c->result.store = c->capability->store;
  if (!c->files.alone) report_text_plan(text, &c->run, &c->result);
  struct search_config config = search_config_of(c, searched, &progress);
  search_run(search_strategy_find(c->capability->search), &config, &c->result);
  report_progress_end(&progress);
  c->run.native = sys->native;
  if (c->symmetric) {
    make_real(c, sys);
    sys_free(searched);
  }
  sys_free(sys);
}

static enum cli_exit report(struct check *c, const struct report_text *text) {
  struct replay *replays = cli_replay_all(&c->run, &c->result);
  if (replays == NULL) return CLI_BUG;
  enum cli_exit code = cli_exit_for(c->result.verdict);
  if (!c->files.alone) report_text_result(text, &c->run, &c->result, replays);
  cli_files_write(&c->files, &c->run, &c->result, replays, &code);
  cli_replays_free(replays, c->result.traces.count);
  return code;
}

static enum cli_exit run(struct check *c) {
  const struct options *o = c->options;
  struct cli_model_request request = cli_model_request_of(o);
  enum cli_exit code = cli_model_load(&c->model, &request, &c->files.json);
  if (code != CLI_HOLDS) return code;
  c->property_on = cli_properties_on(o, c->model.model, c->capability);
  if (c->property_on == NULL) return CLI_USAGE;
  if (!pick_symmetry(c)) return CLI_USAGE;
  struct report_text text = cli_text(o);
  c->run = cli_run(o, &c->model);
  c->run.symmetry = c->symmetric;
  c->run.mem_bytes = o->memory > 0 ? o->memory : cli_memory_limit();
  search(c, &text);
  if (c->unreal) {
    cli_refuse("the model is not symmetric: the order in which a loop goes through a scalarset "
               "changes its outcome; use --symmetry off");
    return CLI_BAD_MODEL;
  }
  return report(c, &text);
}

enum cli_exit cli_check(const struct options *o) {
  struct check c = {.options = o, .started = clock_seconds()};
  struct text why = {0};
  c.capability = capability_pick(o, &why);
  enum cli_exit code = CLI_USAGE;
  if (c.capability == NULL)
    cli_refuse("%s", text_str(&why));
  else if (cli_files_open(&c.files, o))
    code = run(&c);
  cli_files_discard(&c.files);
  result_clear(&c.result);
  mem_free(c.property_on);
  cli_model_free(&c.model);
  text_clear(&why);
  return code;
}
