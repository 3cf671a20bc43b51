// SPDX-License-Identifier: Apache-2.0
// The files that a command writes. Each is opened before the work begins, and refused when writing
// it would destroy what is read or what another output says.
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

static bool open_file(struct report_file *f, const char *option, const char *path) {
  const char *why;
  if (path == NULL || report_file_open(f, path, &why)) return true;
  cli_refuse("--%s %s: %s", option, path, why);
  return false;
}

// Is it none of the files that are read, and not where standard output goes?
static bool is_free(const struct report_file *f, const char *option, const char *path,
                    const struct options *o) {
  for (size_t i = 0; i < o->operands.count; i++) {
    const char *input = o->operands.data[i];
    if (!report_file_replaces(f, input, STDIN_FILENO)) continue;
    cli_refuse("--%s %s would overwrite %s, which is to be read", option, path,
               strcmp(input, "-") == 0 ? "standard input" : input);
    return false;
  }
  if (!report_file_replaces(f, "-", STDOUT_FILENO)) return true;
  cli_refuse("--%s %s is also where standard output goes; --%s - writes it there, alone", option,
             path, option);
  return false;
}

static bool are_different(const struct cli_files *f, const struct options *o) {
  if (f->json.out == stdout && f->html.out == stdout) {
    cli_refuse("--json and --html cannot both go to standard output");
    return false;
  }
  if (!report_file_same(&f->json, &f->html)) return true;
  cli_refuse("--json %s and --html %s are the same file", o->json, o->html);
  return false;
}

bool cli_files_open(struct cli_files *f, const struct options *o) {
  *f = (struct cli_files){0};
  bool good = open_file(&f->json, "json", o->json) && open_file(&f->html, "html", o->html) &&
              are_different(f, o) && is_free(&f->json, "json", o->json, o) &&
              is_free(&f->html, "html", o->html, o);
  if (!good) cli_files_discard(f);
  f->alone = f->json.out == stdout || f->html.out == stdout;
  return good;
}

static void commit(struct report_file *f, const char *what, enum cli_exit *code) {
  const char *why;
  if (!report_file_commit(f, &why)) *code = cli_unwritten(*code, what, why);
}

void cli_files_write(struct cli_files *f, const struct report_run *run, const struct result *r,
                     const struct replay *replays, enum cli_exit *code) {
  if (f->json.out != NULL) {
    report_json_result(f->json.out, run, r, replays);
    commit(&f->json, "the JSON file", code);
  }
  if (f->html.out != NULL) {
    report_html_result(f->html.out, run, r, replays);
    commit(&f->html, "the HTML file", code);
  }
}

void cli_files_discard(struct cli_files *f) {
  report_file_discard(&f->json);
  report_file_discard(&f->html);
}
