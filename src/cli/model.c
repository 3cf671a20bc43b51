// SPDX-License-Identifier: Apache-2.0
// Reading a model in whatever language it is written, and telling the user what is wrong with it.
#include "cli/cli.h"

#include "front/murphi/murphi.h"
#include "ir/ir.h"

#include <string.h>

static const struct {
  const char *extension, *language;
} extensions[] = {
    {".m", "murphi"},        {".murphi", "murphi"}, {".ir", "ir"}, {".pml", "promela"},
    {".promela", "promela"}, {".smv", "smv"},       {".c", "c"},
};

// The language of a file by its name; NULL (and the user was told) when there is none for it.
static const char *language_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
  const char *found = NULL;
  for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(dot, extensions[i].extension) == 0) found = extensions[i].language;
  struct text built = {0};
  capability_list(&built, CAPABILITY_LANGUAGE, ", ");
  if (found == NULL) {
    cli_refuse("%s: the file's name does not tell its language; say it with --language "
               "(available: %s)",
               path, text_str(&built));
  } else if (capability_later(CAPABILITY_LANGUAGE, found)) {
    cli_refuse("%s: models in %s cannot be read yet; available: %s", path, found, text_str(&built));
    found = NULL;
  }
  text_clear(&built);
  return found;
}

// -D NAME=VALUE into its two halves, in place of copies that the caller frees.
static bool split_defines(const struct option_list *list, struct murphi_define *defines) {
  for (size_t i = 0; i < list->count; i++) {
    const char *equals = strchr(list->data[i], '=');
    if (equals == NULL || equals == list->data[i] || equals[1] == '\0') {
      cli_refuse("-D wants NAME=VALUE; \"%s\" is not that", list->data[i]);
      return false;
    }
    char *name = mem_strdup(list->data[i]);
    name[equals - list->data[i]] = '\0';
    defines[i] = (struct murphi_define){name, equals + 1};
  }
  return true;
}

static struct ir_model *parse(const struct cli_model_request *r, const char *language,
                              const struct murphi_define *defines, struct source *s,
                              struct diag *d) {
  if (strcmp(language, "murphi") == 0)
    return murphi_load(s, defines, r->defines.count, r->while_limit, d);
  return ir_parse_model(s, d);
}

// Diagnostics go to standard error, and errors into the JSON file when there is one.
static enum cli_exit tell_errors(const struct cli_model_request *r, const struct diag *d,
                                 struct report_file *json) {
  const char *why;
  struct report_run run = {
      .version = FATHOM_VERSION, .command = command_rows[r->command].name, .path = r->path};
  if (json == NULL || json->out == NULL) return CLI_BAD_MODEL;
  report_json_errors(json->out, &run, d);
  bool written = report_file_commit(json, &why);
  return written ? CLI_BAD_MODEL : cli_unwritten(CLI_BAD_MODEL, "the JSON file", why);
}

static enum cli_exit load(struct cli_model *m, const struct cli_model_request *r,
                          const char *language, const struct murphi_define *defines,
                          struct report_file *json) {
  struct diag d = {0};
  const char *why = NULL;
  struct source *s = source_read(r->path, &why);
  if (s == NULL) {
    diag_error(&d, (struct span){0}, "%s", why);
    fprintf(stderr, "%s: error: %s\n", r->path, why);
  } else {
    m->hash = hash_bytes(s->text, s->bytes, 0);
    m->model = parse(r, language, defines, s, &d);
    diag_print(&d, stderr, report_colour(stderr));
  }
  assert(m->model != NULL || d.errors > 0);
  enum cli_exit code = m->model == NULL ? tell_errors(r, &d, json) : CLI_HOLDS;
  diag_clear(&d);
  return code;
}

enum cli_exit cli_model_load(struct cli_model *m, const struct cli_model_request *r,
                             struct report_file *json) {
  *m = (struct cli_model){0};
  const char *language = r->language != NULL ? r->language : language_of(r->path);
  if (language == NULL) return CLI_USAGE;
  m->language = language;
  if (r->defines.count > 0 && strcmp(language, "murphi") != 0)
    return cli_refuse("-D: models in %s have no constants to override", language);
  struct murphi_define *defines = mem_zalloc(r->defines.count + 1, sizeof *defines);
  enum cli_exit code = CLI_USAGE;
  if (split_defines(&r->defines, defines)) code = load(m, r, language, defines, json);
  for (size_t i = 0; i < r->defines.count; i++) mem_free((char *)defines[i].name);
  mem_free(defines);
  return code;
}

struct cli_model_request cli_model_request_of(const struct options *o) {
  return (struct cli_model_request){
      .command = o->command,
      .path = o->operands.data[0],
      .language = o->language,
      .defines = o->define,
      .while_limit = o->while_limit,
  };
}

void cli_model_free(struct cli_model *m) {
  if (m->model != NULL) ir_model_free(m->model);
  m->model = NULL;
}

struct report_run cli_run(const struct options *o, const struct cli_model *m) {
  return (struct report_run){
      .version = FATHOM_VERSION,
      .command = command_rows[o->command].name,
      .path = o->operands.data[0],
      .language = m->language,
      .model = m->model,
      .model_hash = m->hash,
      .defines = o->define.data,
      .define_count = o->define.count,
      .while_limit = o->while_limit,
      .deadlock = cli_deadlock(o, m->model),
      .seed = o->seed,
  };
}
