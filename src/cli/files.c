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

// Would writing it destroy that input (NULL: there is none)?
static bool destroys(const struct report_file *f, const char *option, const char *path,
                     const char *input) {
  if (input == NULL || !report_file_replaces(f, input, STDIN_FILENO)) return false;
  cli_refuse("--%s %s would overwrite %s, which is to be read", option, path,
             strcmp(input, "-") == 0 ? "standard input" : input);
  return true;
}

static bool destroys_operand(const struct report_file *f, const char *option, const char *path,
                             const struct options *o) {
  for (size_t i = 0; i < o->operands.count; i++)
    if (destroys(f, option, path, o->operands.data[i])) return true;
  return false;
}

// Is it none of the files that are read, and not where standard output goes?
static bool is_free(const struct report_file *f, const char *option, const char *path,
                    const struct options *o) {
  if (destroys_operand(f, option, path, o) || destroys(f, option, path, o->resume) ||
      destroys(f, option, path, o->flows) || destroys(f, option, path, o->order) ||
      destroys(f, option, path, o->strength) || destroys(f, option, path, o->property_file))
    return false;
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

// It may replace what --resume reads: that is read by then.
static bool save_is_free(const struct report_file *save, const struct cli_files *f,
                         const struct options *o) {
  static const char option[] = "save-frontier";
  const char *path = o->save_frontier;
  if (destroys_operand(save, option, path, o)) return false;
  bool json = report_file_same(save, &f->json), html = report_file_same(save, &f->html);
  if (save->temporary == NULL)
    cli_refuse("--%s %s: not a file that can be replaced", option, path);
  else if (json || html)
    cli_refuse("--%s %s and --%s are the same file", option, path, json ? "json" : "html");
  else if (report_file_replaces(save, "-", STDOUT_FILENO))
    cli_refuse("--%s %s is also where standard output goes", option, path);
  else
    return true;
  return false;
}

// The search writes it, if at all; here it is only seen that it can be.
static bool try_save(struct cli_files *f, const struct options *o) {
  struct report_file save;
  if (o->save_frontier == NULL) return true;
  if (!open_file(&save, "save-frontier", o->save_frontier)) return false;
  bool good = save_is_free(&save, f, o);
  if (good) f->save_path = mem_strdup(save.path);
  report_file_discard(&save);
  return good;
}

// The order of variables that came out may replace the one that was read.
static bool open_order(struct cli_files *f, const struct options *o) {
  static const char option[] = "write-order";
  const char *path = o->write_order;
  if (path == NULL) return true;
  if (!open_file(&f->order, option, path)) return false;
  bool json = report_file_same(&f->order, &f->json), html = report_file_same(&f->order, &f->html);
  if (destroys_operand(&f->order, option, path, o) ||
      destroys(&f->order, option, path, o->strength))
    return false;
  if (json || html)
    cli_refuse("--%s %s and --%s are the same file", option, path, json ? "json" : "html");
  else if (report_file_replaces(&f->order, "-", STDOUT_FILENO))
    cli_refuse("--%s %s is also where standard output goes", option, path);
  else
    return true;
  return false;
}

// One of the files for a violated C program.
static bool open_proof(struct report_file *f, const char *option, const char *path,
                       const struct cli_files *others, const struct options *o) {
  if (path == NULL) return true;
  if (strcmp(path, "-") == 0) {
    cli_refuse("--%s wants the name of a file; - is none", option);
    return false;
  }
  if (!open_file(f, option, path) || !is_free(f, option, path, o)) return false;
  const struct report_file *all[] = {&others->json, &others->html, &others->order, &others->witness,
                                     &others->test};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] != f && report_file_same(f, all[i])) {
      cli_refuse("--%s %s is also to hold something else", option, path);
      return false;
    }
  return true;
}

bool cli_files_open(struct cli_files *f, const struct options *o) {
  *f = (struct cli_files){.test_path = o->test};
  bool good = open_file(&f->json, "json", o->json) && open_file(&f->html, "html", o->html) &&
              are_different(f, o) && is_free(&f->json, "json", o->json, o) &&
              is_free(&f->html, "html", o->html, o) && try_save(f, o) && open_order(f, o) &&
              open_proof(&f->witness, "witness", o->witness, f, o) &&
              open_proof(&f->test, "test", o->test, f, o);
  if (!good) cli_files_discard(f);
  f->alone = f->json.out == stdout || f->html.out == stdout;
  return good;
}

static void commit(struct report_file *f, const char *what, enum cli_exit *code) {
  const char *why;
  if (!report_file_commit(f, &why)) *code = cli_unwritten(*code, what, why);
}

// Of the first violation. Without one there is no file.
static void write_proofs(struct cli_files *f, const struct report_run *run, const struct result *r,
                         enum cli_exit *code) {
  if (r->traces.count == 0) {
    report_file_discard(&f->witness);
    report_file_discard(&f->test);
    return;
  }
  if (f->witness.out != NULL) {
    report_witness(f->witness.out, run, &r->traces.data[0]);
    commit(&f->witness, "the witness", code);
  }
  if (f->test.out != NULL) {
    report_test(f->test.out, run, &r->traces.data[0], f->test_path);
    commit(&f->test, "the test", code);
  }
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
  if (f->order.out != NULL) commit(&f->order, "the order of the variables", code);
  write_proofs(f, run, r, code);
}

void cli_files_discard(struct cli_files *f) {
  report_file_discard(&f->json);
  report_file_discard(&f->html);
  report_file_discard(&f->order);
  report_file_discard(&f->witness);
  report_file_discard(&f->test);
  mem_free(f->save_path);
  f->save_path = NULL;
}
