// SPDX-License-Identifier: Apache-2.0
// fathom replay: runs the traces of a JSON result again through the interpreter. The file may be
// anybody's: nothing in it is trusted, and a model that has changed since is refused.
#include "cli/cli.h"

#include "ir/ir.h"

#include <string.h>

static enum cli_exit show_trace(const struct options *o, const struct cli_model *m,
                                const struct report_run *run, const struct report_saved *saved,
                                size_t which) {
  const char *file = o->operands.data[0];
  const struct trace *trace = &saved->traces.data[which];
  struct replay replay;
  struct report_text text = cli_text(o);
  enum cli_exit code = CLI_USAGE;
  char *why = NULL;
  if (!cli_replay_one(m, run, trace, &replay)) {
    cli_refuse("%s: the trace does not replay: %s", file, replay.problem);
  } else if (!report_json_agrees(saved, which, run->model, &replay, &why)) {
    cli_refuse("%s: the trace is not what the model does: %s", file, why);
  } else if (trace->end == TRACE_WITNESS) {
    report_text_steps(&text, run, trace, &replay);
    fprintf(text.out, "%s%zu steps, no violation\n", o->quiet ? "" : "\n", trace->steps.count);
    code = CLI_HOLDS;
  } else {
    report_text_violation(&text, run, trace, &replay);
    code = CLI_VIOLATED;
  }
  mem_free(why);
  replay_clear(&replay);
  return code;
}

static enum cli_exit show_traces(const struct options *o, const struct report_saved *saved,
                                 const struct cli_model *m, const char *path) {
  struct report_run run = {
      .version = FATHOM_VERSION,
      .command = "replay",
      .path = path,
      .language = m->language,
      .model = m->model,
      .deadlock = saved->deadlock,
  };
  enum cli_exit worst = CLI_HOLDS;
  for (size_t i = 0; i < saved->traces.count && worst != CLI_USAGE; i++) {
    if (i > 0) putchar('\n');
    enum cli_exit code = show_trace(o, m, &run, saved, i);
    if (code != CLI_HOLDS) worst = code;
  }
  return worst;
}

// The model, under the name in the file or the one given; refused when it is not the same text.
static enum cli_exit load_model(const struct options *o, const struct report_saved *saved,
                                const char *path, struct cli_model *m) {
  struct cli_model_request request = {
      .command = o->command,
      .path = path,
      .language = saved->language,
      .defines = {(const char **)saved->defines.data, saved->defines.count, 0},
      .while_limit = saved->while_limit,
      .plan = saved->plan,
      .merge = saved->merge          ? "on"
               : saved->plan != NULL ? "off"
                                     : NULL,
      .dead = saved->dead           ? "on"
              : saved->plan != NULL ? "off"
                                    : NULL,
      .ltl = {(const char **)saved->ltl.data, saved->ltl.count, 0},
      .non_progress = saved->non_progress,
      .recursion = saved->recursion,
      .heap = saved->heap,
  };
  const char *checks = saved->checks;
  if (checks != NULL && *checks != '\0') request.check = (struct option_list){&checks, 1, 0};
  enum cli_exit code = cli_model_load(m, &request, NULL);
  if (code != CLI_HOLDS || m->hash == saved->model_hash) return code;
  return cli_refuse("%s: %s has changed since this result was written", o->operands.data[0], path);
}

static bool known_language(const char *file, const char *language) {
  for (size_t i = 0; capability_value(CAPABILITY_LANGUAGE, i) != NULL; i++)
    if (strcmp(capability_value(CAPABILITY_LANGUAGE, i), language) == 0) return true;
  cli_refuse("%s: its model is in the language \"%s\", which cannot be read", file, language);
  return false;
}

enum cli_exit cli_replay(const struct options *o) {
  const char *file = o->operands.data[0], *why;
  struct source *s = source_read(file, &why);
  if (s == NULL) return cli_refuse("%s: %s", file, why);
  struct report_saved saved;
  struct cli_model m = {0};
  char *wrong;
  enum cli_exit code = CLI_USAGE;
  if (!report_json_read(s, &saved, &wrong)) {
    cli_refuse("%s is not a result that can be replayed: %s", file, wrong);
  } else if (known_language(file, saved.language)) {
    const char *path = o->operands.count > 1 ? o->operands.data[1] : saved.path;
    code = load_model(o, &saved, path, &m);
    if (code == CLI_HOLDS && !cli_text_possible(o, &m)) code = CLI_USAGE;
    if (code == CLI_HOLDS) code = show_traces(o, &saved, &m, path);
  }
  mem_free(wrong);
  report_saved_clear(&saved);
  cli_model_free(&m);
  source_free(s);
  return code;
}
