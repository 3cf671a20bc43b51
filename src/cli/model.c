// SPDX-License-Identifier: Apache-2.0
// Reading a model in whatever language it is written, and telling the user what is wrong with it.
#include "cli/cli.h"

#include "front/murphi/murphi.h"
#include "front/promela/promela.h"
#include "front/smv/smv.h"
#include "ir/ir.h"

#include <string.h>

// SPIN does both unless told otherwise (-o3, -o2); here the model is searched as it is written.
#define MERGE_UNLESS_SAID false
#define DEAD_UNLESS_SAID  false

static const struct {
  const char *extension, *language;
} extensions[] = {
    {".m", "murphi"},     {".murphi", "murphi"},   {".ir", "ir"},
    {".pml", "promela"},  {".promela", "promela"}, {".prom", "promela"},
    {".spin", "promela"}, {".smv", "smv"},         {".c", "c"},
    {".i", "c"},
};

const char *cli_language(const struct options *o) {
  if (o->language != NULL) return o->language;
  const char *path = o->operands.data[0], *found = NULL;
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
  for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(dot, extensions[i].extension) == 0) found = extensions[i].language;
  return found;
}

// The language of a file by its name; NULL (and the user was told) when there is none for it.
static const char *language_of(const char *path) {
  struct options named = {.operands = {.data = &path, .count = 1}};
  const char *found = cli_language(&named);
  struct text built = {0};
  capability_list(&built, CAPABILITY_LANGUAGE, ", ");
  if (found == NULL) {
    cli_refuse("%s: the file's name does not tell its language; say it with --language "
               "(available: %s)",
               path, text_str(&built));
  } else if (capability_left_out(CAPABILITY_LANGUAGE, found)) {
    cli_refuse("%s: models in %s cannot be read by this build: its library was not there (fathom "
               "help); available: %s",
               path, found, text_str(&built));
    found = NULL;
  }
  text_clear(&built);
  return found;
}

// -D NAME=VALUE into its two halves. A macro may come without value, and then is 1, as in cpp.
static bool split_define(const char *text, bool macro, struct cli_define *d) {
  const char *equals = strchr(text, '=');
  size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
  if (length == 0 || (!macro && (equals == NULL || equals[1] == '\0'))) {
    cli_refuse("-D wants NAME=VALUE%s; \"%s\" is not that", macro ? " or NAME" : "", text);
    return false;
  }
  *d = (struct cli_define){mem_strdup(text), equals != NULL ? equals + 1 : "1"};
  d->name[length] = '\0';
  return true;
}

static struct ir_model *parse_murphi(const struct cli_model_request *r,
                                     const struct cli_define *defines, struct source *s,
                                     struct diag *d) {
  struct murphi_define *list = mem_zalloc(r->defines.count + 1, sizeof *list);
  for (size_t i = 0; i < r->defines.count; i++)
    list[i] = (struct murphi_define){defines[i].name, defines[i].value};
  struct ir_model *m = murphi_load(s, list, r->defines.count, r->while_limit, d);
  mem_free(list);
  return m;
}

static struct ir_model *parse_smv(const struct cli_model_request *r,
                                  const struct cli_define *defines, struct source *s,
                                  struct diag *d) {
  struct smv_define *list = mem_zalloc(r->defines.count + 1, sizeof *list);
  for (size_t i = 0; i < r->defines.count; i++)
    list[i] = (struct smv_define){defines[i].name, defines[i].value};
  struct ir_model *m = smv_load(s, list, r->defines.count, d);
  mem_free(list);
  return m;
}

static bool is_on(const char *said, bool unless_said) {
  return said != NULL ? strcmp(said, "on") == 0 : unless_said;
}

static void parse_promela(struct cli_model *m, const struct cli_model_request *r,
                          const struct cli_define *defines, struct source *s, struct diag *d) {
  struct pml_define *list = mem_zalloc(r->defines.count + 1, sizeof *list);
  for (size_t i = 0; i < r->defines.count; i++)
    list[i] = (struct pml_define){defines[i].name, defines[i].value};
  struct promela_config config = {
      .defines = list,
      .define_count = r->defines.count,
      .merge = m->merge,
      .dead = m->dead,
      .non_progress = r->non_progress,
      .graphs = r->graphs,
  };
  m->model = promela_load(s, &config, m->plan, d);
  mem_free(list);
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

// Reads the text s, which the model or d then owns.
static void parse(struct cli_model *m, const struct cli_model_request *r, struct source *s,
                  struct diag *d) {
  struct cli_define *defines = mem_zalloc(r->defines.count + 1, sizeof *defines);
  bool is_promela = strcmp(m->language, "promela") == 0, is_c = strcmp(m->language, "c") == 0;
  for (size_t i = 0; i < r->defines.count; i++)
    split_define(r->defines.data[i], is_promela || is_c, &defines[i]);
  if (is_promela)
    parse_promela(m, r, defines, s, d);
  else if (is_c)
    m->model = cli_program_load(&m->program, defines, r->defines.count, s, d);
  else if (strcmp(m->language, "murphi") == 0)
    m->model = parse_murphi(r, defines, s, d);
  else if (strcmp(m->language, "smv") == 0)
    m->model = parse_smv(r, defines, s, d);
  else
    m->model = ir_parse_model(s, d);
  for (size_t i = 0; i < r->defines.count; i++) mem_free(defines[i].name);
  mem_free(defines);
}

// What identifies the model: its text, and what that includes.
static uint64_t hash_texts(const struct ir_model *m) {
  uint64_t hash = 0;
  for (size_t i = 0; i < m->sources.count; i++)
    hash = hash_bytes(m->sources.data[i]->text, m->sources.data[i]->bytes, hash);
  return hash;
}

static enum cli_exit load(struct cli_model *m, const struct cli_model_request *r,
                          struct report_file *json) {
  struct diag d = {0};
  const char *why = NULL;
  struct source *s = source_read(r->path, &why);
  if (s == NULL) {
    diag_error(&d, (struct span){0}, "%s", why);
    fprintf(stderr, "%s: error: %s\n", r->path, why);
  } else {
    parse(m, r, s, &d);
    diag_print(&d, stderr, report_colour(stderr));
  }
  assert(m->model != NULL || d.errors > 0);
  enum cli_exit code = m->model == NULL ? tell_errors(r, &d, json) : CLI_HOLDS;
  if (m->model != NULL) m->hash = hash_texts(m->model);
  diag_clear(&d);
  return code == CLI_HOLDS ? cli_formulas_read(m, &r->ltl) : code;
}

// Can the language take what -D says? If not, the user has been told.
static bool check_defines(const struct cli_model_request *r, const char *language) {
  bool macros = strcmp(language, "promela") == 0 || strcmp(language, "c") == 0, good = true;
  if (r->defines.count > 0 && strcmp(language, "ir") == 0) {
    cli_refuse("-D: models in %s have no constants to override", language);
    return false;
  }
  for (size_t i = 0; i < r->defines.count && good; i++) {
    struct cli_define d = {0};
    good = split_define(r->defines.data[i], macros, &d);
    mem_free(d.name);
  }
  return good;
}

// The plan of a Promela model: a fresh one, or that of a saved result. False: the user was told.
static bool make_plan(struct cli_model *m, const struct cli_model_request *r) {
  struct text why = {0};
  if (strcmp(m->language, "promela") != 0) {
    if (r->merge == NULL && r->dead == NULL) return true;
    cli_refuse("--%s is for models in Promela, and this one is in %s",
               r->merge != NULL ? "merge" : "dead-variables", m->language);
    return false;
  }
  m->merge = is_on(r->merge, MERGE_UNLESS_SAID);
  m->dead = is_on(r->dead, DEAD_UNLESS_SAID);
  m->plan = promela_plan_new();
  bool good = r->plan == NULL || promela_plan_read(m->plan, r->plan, &why);
  if (!good) cli_refuse("%s: %s", r->path, text_str(&why));
  text_clear(&why);
  return good;
}

enum cli_exit cli_model_load(struct cli_model *m, const struct cli_model_request *r,
                             struct report_file *json) {
  *m = (struct cli_model){0};
  m->language = r->language != NULL ? r->language : language_of(r->path);
  if (m->language == NULL || !check_defines(r, m->language) || !make_plan(m, r) ||
      !cli_program_init(&m->program, m->language, r))
    return CLI_USAGE;
  return load(m, r, json);
}

bool cli_model_numbered(const struct ir_model *m, struct text *why) {
  const struct ir_rule *r = ir_model_unnumbered(m);
  static const char many[] = "have more choices than can be taken one by one";
  if (r != NULL && strcmp(m->language, "c") == 0)
    text_printf(why, "the steps of \"%s\" %s: take --engine %s", r->name, many,
                capability_engine(&(struct options){0}, "c"));
  else if (r != NULL)
    text_printf(why, "the steps of \"%s\" %s: only --engine bdd can check this model", r->name,
                many);
  return r == NULL;
}

// ---------------------------------------------------------------------------------------------
// Plans that were too small

bool cli_model_planned(const struct ir_model *m, const struct trace *t) {
  return t->end != TRACE_SITE || m->sites.data[t->id].fault != IR_FAULT_PLAN;
}

// The same text again, under what the plan has learned; warnings were given before.
static enum cli_exit load_again(struct cli_model *m, const struct cli_model_request *r,
                                struct report_file *json) {
  const struct source *old = m->model->sources.data[0];
  struct source *s = source_from_text(old->path, old->text, old->bytes);
  struct diag d = {0};
  cli_formulas_clear(m);
  ir_model_free(m->model);
  m->model = NULL;
  parse(m, r, s, &d);
  if (m->model == NULL) diag_print(&d, stderr, report_colour(stderr));
  enum cli_exit code = m->model == NULL ? tell_errors(r, &d, json) : CLI_HOLDS;
  diag_clear(&d);
  return code == CLI_HOLDS ? cli_formulas_read(m, &r->ltl) : code;
}

// Makes the plan foresee the step. If there is no plan that does, the user is told.
static enum cli_exit learn(struct cli_model *m, const struct cli_model_request *r, uint32_t site,
                           const uint64_t *before, struct report_file *json) {
  static const char not_ours[] = "the text was made of a Promela model, and for fewer processes "
                                 "than this step needs; check that model itself";
  struct text why = {0}, old = {0}, new = {0};
  struct diag d = {0};
  enum cli_exit code = CLI_HOLDS;
  if (m->plan != NULL) promela_plan_print(&old, m->plan);
  if (m->plan == NULL) text_add(&why, not_ours);
  if (m->plan != NULL && promela_plan_learn(m->plan, m->model, site, before, &why)) {
    promela_plan_print(&new, m->plan);
    if (strcmp(text_str(&old), text_str(&new)) == 0)
      code =
          cli_bug("the plan of the processes learns nothing from a step that it did not foresee");
  } else {
    diag_error(&d, m->model->sites.data[site].span, "%s", text_str(&why));
    diag_print(&d, stderr, report_colour(stderr));
    code = tell_errors(r, &d, json);
  }
  diag_clear(&d);
  text_clear(&old);
  text_clear(&new);
  text_clear(&why);
  return code;
}

enum cli_exit cli_model_learn(struct cli_model *m, const struct cli_model_request *r, uint32_t site,
                              const uint64_t *before, struct report_file *json) {
  enum cli_exit code = learn(m, r, site, before, json);
  return code == CLI_HOLDS ? load_again(m, r, json) : code;
}

// ---------------------------------------------------------------------------------------------

struct cli_model_request cli_model_request_of(const struct options *o) {
  return (struct cli_model_request){
      .command = o->command,
      .path = o->operands.data[0],
      .language = o->language,
      .defines = o->define,
      .while_limit = o->while_limit,
      .merge = o->merge,
      .dead = o->dead_variables,
      .ltl = o->ltl,
      .non_progress = o->non_progress,
      .graphs = o->graphs,
      .check = o->check,
      .property_file = o->property_file,
      .recursion = o->recursion,
      .heap = o->heap,
      .blocks = o->blocks,
  };
}

void cli_model_free(struct cli_model *m) {
  cli_formulas_clear(m);
  if (m->model != NULL) ir_model_free(m->model);
  if (m->plan != NULL) promela_plan_free(m->plan);
  text_clear(&m->plan_text);
  cli_program_clear(&m->program);
  m->model = NULL;
  m->plan = NULL;
}

struct report_run cli_run(const struct options *o, struct cli_model *m) {
  text_clear(&m->plan_text);
  if (m->plan != NULL) promela_plan_print(&m->plan_text, m->plan);
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
      .plan = m->plan_text.data,
      .merge = m->merge,
      .dead = m->dead,
      .deadlock = cli_deadlock(o, m->model),
      .seed = o->seed,
      .ltl = o->ltl.data,
      .ltl_count = o->ltl.count,
      .non_progress = o->non_progress,
      .program = strcmp(m->language, "c") == 0 ? &m->program.report : NULL,
  };
}
