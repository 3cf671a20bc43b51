// SPDX-License-Identifier: Apache-2.0
// fathom check: picks engine, search and store, runs the search, replays what it found, reports.
#include "cli/cli.h"

#include "ir/ir.h"
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

static void search(struct check *c, const struct report_text *text) {
  struct sys_config sys_config = sys_config_of(c->options);
  struct sys *sys = sys_new(c->model.model, &sys_config);
  struct report_progress progress;
  report_progress_init(&progress, stderr, c->options->quiet);
  c->result.engine = c->capability->engine;
  c->result.search = c->capability->search;
  c->result.store = c->capability->store;
  if (!c->files.alone) report_text_plan(text, &c->run, &c->result);
  struct search_config config = search_config_of(c, sys, &progress);
  search_run(search_strategy_find(c->capability->search), &config, &c->result);
  report_progress_end(&progress);
  c->run.native = sys->native;
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
  struct report_text text = cli_text(o);
  c->run = cli_run(o, &c->model);
  c->run.mem_bytes = o->memory > 0 ? o->memory : cli_memory_limit();
  search(c, &text);
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
