// SPDX-License-Identifier: Apache-2.0
// fathom check: picks engine, search and store, runs the search, replays what it found, reports.
#include "cli/check.h"

#include "ir/ir.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "sys/sys.h"

#include <string.h>
#include <unistd.h>

// How long a model may be interpreted before it counts as not small and the compiler is started.
#define INTERPRET_SECONDS 0.02
// What a search with a bit array may take unless the user says.
#define BITSTATE_BYTES ((size_t)2 << 30)

static struct sys_config sys_config_of(const struct options *o) {
  struct sys_config c = {
      .interpret_seconds = INTERPRET_SECONDS, .wait_seconds = o->time, .no_cache = o->no_cache};
  c.mode = strcmp(o->native, "on") == 0    ? SYS_NATIVE
           : strcmp(o->native, "off") == 0 ? SYS_INTERPRETED
                                           : SYS_AUTO;
  return c;
}

bool check_settles(const struct check *c) {
  return strcmp(c->model.language, "smv") == 0 && !options_given(c->options, "max-errors");
}

uint64_t check_max_errors(const struct check *c) {
  bool all = check_settles(c) || c->options->max_errors == 0;
  return all ? 0 : c->options->max_errors;
}

struct search_config check_config(const struct check *c, struct sys *sys,
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
      .max_errors = check_max_errors(c),
      .property_on = c->states_on,
      .threads = (unsigned)c->run.threads,
      .deterministic = o->deterministic,
      .hash_bits = (unsigned)o->hash_bits,
      .hashes = (unsigned)o->hashes,
      .ample = c->ample,
      .progress = report_progress_tell,
      .progress_context = progress,
  };
}

// Of the search for states.
static struct search_config search_config_of(struct check *c, struct sys *sys,
                                             struct report_progress *progress) {
  struct search_config config = check_config(c, sys, progress);
  config.survey = c->options->stats;
  config.save_path = c->files.save_path;
  if (c->run.bounded != NULL) cli_bounded_fill(&c->bounded, &config);
  if (c->run.hints != NULL) cli_hints_fill(&c->hints, &config, c->options);
  return config;
}

static bool has_scalarset(const struct ir_model *m) {
  for (size_t i = 0; i < m->types.count; i++)
    if (m->types.data[i]->kind == IR_TYPE_SCALARSET && m->types.data[i]->hi > m->types.data[i]->lo)
      return true;
  return false;
}

// On where it surely keeps what is checked, unless the user says otherwise. Who asks for it vouches
// for the loops of which nothing can be shown; false comes back when it cannot be had even so.
static bool pick_symmetry(struct check *c) {
  const char *asked = c->options->symmetry;
  if (asked != NULL && strcmp(asked, "off") == 0) return true;
  if (!c->states || c->run.por) return true; // who asked for it was told
  c->run.symmetry_trusted = asked != NULL;
  c->run.symmetry = reduce_symmetry_applies(c->model.model, c->run.symmetry_trusted, &c->aside);
  if (!c->run.symmetry && asked != NULL) {
    cli_refuse("--symmetry on is not possible: %s", text_str(&c->aside));
    return false;
  }
  if (has_scalarset(c->model.model) && c->aside.count > 0) c->run.symmetry_aside = c->aside.data;
  return true;
}

static void canonical(void *context, uint64_t *state) { symmetry_canonical(context, state); }

// Traces of representatives become real executions.
static void make_real(struct check *c, struct sys *sys) {
  if (c->result.traces.count == 0) return;
  struct symmetry *y = symmetry_new(c->model.model, c->run.symmetry_trusted);
  for (size_t i = 0; i < c->result.traces.count && !c->unreal; i++)
    c->unreal =
        !trace_concretise(&c->result.traces.data[i], sys, (struct trace_symmetry){canonical, y});
  symmetry_free(y);
  if (!c->unreal) result_follow_traces(&c->result, c->model.model);
}

void check_unfold(struct result *r, struct sys *chains) {
  for (size_t i = 0; i < r->traces.count; i++) trace_unfold(&r->traces.data[i], chains);
}

// What symmetry on the user's word cannot show: that nothing is wrong, that a goal is never
// reached.
static bool is_doubtful(const struct property_result *p) {
  if (strcmp(p->kind, "assume") == 0) return false; // by what a model is
  bool never = p->verdict == VERDICT_VIOLATED && strcmp(p->kind, "cover") == 0;
  bool lossy = p->reason != NULL && strncmp(p->reason, "lossy", 5) == 0;
  return p->verdict == VERDICT_HOLDS || never || lossy;
}

// Is there symmetry on the user's word alone?
static bool is_unproved(const struct check *c) {
  return c->run.symmetry && c->run.symmetry_trusted && !reduce_symmetry_proved(c->model.model);
}

// An execution may end otherwise than its representatives do, if the model is not symmetric.
static void look_at_ends(struct check *c) {
  for (size_t i = 0; i < c->result.traces.count && !c->unreal; i++) {
    struct replay replay = {0};
    c->unreal = !cli_replay_one(&c->model, &c->run, &c->result.traces.data[i], &replay);
    replay_clear(&replay);
  }
}

// Symmetry on the user's word finds real violations, but proves nothing.
static void doubt(struct check *c) {
  if (!is_unproved(c)) return;
  if (c->pattern_report.proves) return; // without it
  struct result *r = &c->result;
  bool violated = r->traces.count > 0;
  for (size_t i = 0; i < r->properties.count; i++) {
    struct property_result *p = &r->properties.data[i];
    if (!is_doubtful(p)) continue;
    p->verdict = VERDICT_UNKNOWN;
    p->reason = "symmetry";
  }
  bool complete = r->reason == NULL || strncmp(r->reason, "lossy", 5) == 0;
  if (violated || !complete) return;
  r->verdict = VERDICT_UNKNOWN;
  mem_free(r->reason);
  r->reason = mem_strdup("symmetry not proved");
}

static void mean(struct check *c) {
  bool proved = !c->run.symmetry_trusted || reduce_symmetry_proved(c->model.model);
  cli_bounded_mean(&c->bounded, &c->run, proved, c->property_on);
}

// Runs what was picked, and makes traces shorter that are not shortest.
static void run_search(struct check *c, const struct search_config *config) {
  struct report_race *race = &c->hints.report.race;
  if (race->count > 0)
    cli_race_run(race, config, &c->result);
  else
    search_run(search_strategy_find(c->capability->search), config, &c->result);
  const char *found_by = race->count > 0 ? race->figures_of : c->capability->search;
  bool shortest = search_strategy_find(found_by)->shortest ||
                  (c->pattern_report.shortest && c->result.traces.count == 1);
  if (!shortest) cli_shorten(&c->result, config, c->options);
  if (c->run.hints != NULL) cli_hints_count(&c->hints);
}

// All states, or one for all that are symmetric.
static void search_states(struct check *c, struct sys *sys, struct report_progress *progress) {
  struct sys *stable = c->model.model->transient ? reduce_chain_new(sys) : sys, *searched = stable;
  if (c->run.symmetry) searched = reduce_symmetry_new(stable, c->run.symmetry_trusted);
  struct search_config config = search_config_of(c, searched, progress);
  check_pattern(c, &config, progress);
  if (!check_pattern_proves(c, &config)) run_search(c, &config);
  if (c->run.symmetry) {
    make_real(c, stable);
    sys_free(searched);
  }
  if (stable != sys) {
    if (!c->unreal) check_unfold(&c->result, stable);
    sys_free(stable);
  }
  if (is_unproved(c)) look_at_ends(c);
  if (c->unreal && c->result.saved) unlink(c->files.save_path); // there is no going on from that
  doubt(c);
}

// A trace that ends where the model is not laid out for what comes; NULL: there is none.
static const struct trace *unplanned(const struct check *c) {
  for (size_t i = 0; i < c->result.traces.count; i++)
    if (!cli_model_planned(c->model.model, &c->result.traces.data[i]))
      return &c->result.traces.data[i];
  return NULL;
}

static void search_explicit(struct check *c, struct report_progress *progress) {
  struct sys_config sys_config = sys_config_of(c->options);
  struct sys *sys = sys_new(c->model.model, &sys_config);
  if (c->states) search_states(c, sys, progress);
  if (!c->unreal && unplanned(c) == NULL) check_cycles(c, sys, progress);
  c->run.native = sys->native;
  sys_free(sys);
}

static void search(struct check *c, const struct report_text *text) {
  struct report_progress progress;
  report_progress_init(&progress, stderr, c->options->quiet);
  c->result.engine = c->capability->engine;
  c->result.search = c->capability->search;
  c->result.store = c->capability->store;
  if (!c->files.alone && c->again && c->model.plan != NULL) report_text_again(text, &c->run);
  if (!c->files.alone && !c->again) report_text_plan(text, &c->run, &c->result);
  if (c->run.hybrid != NULL)
    check_hybrid(c, &progress);
  else if (c->run.bmc != NULL)
    check_bmc(c, &progress);
  else if (c->symbolic)
    check_symbolic(c, &progress);
  else
    search_explicit(c, &progress);
  report_progress_end(&progress);
}

static const char not_symmetric[] = "the model is not symmetric: the order in which a loop goes "
                                    "through a scalarset changes its outcome";

// Symmetry that nobody asked for, and that the model turned out not to have.
static void search_again(struct check *c, const struct report_text *text) {
  result_clear(&c->result);
  c->result = (struct result){0};
  c->run.symmetry = c->unreal = false;
  c->run.symmetry_aside = not_symmetric;
  if (c->run.bounded != NULL) mean(c);
  search(c, text);
}

static enum cli_exit report(struct check *c, const struct report_text *text) {
  struct replay *replays = cli_replay_all(&c->model, &c->run, &c->result);
  if (replays == NULL) return CLI_BUG;
  enum cli_exit code = cli_exit_for(c->result.verdict);
  if (!c->files.alone) report_text_result(text, &c->run, &c->result, replays);
  if (c->result.save_problem != NULL) {
    cli_refuse("--save-frontier %s: %s", c->options->save_frontier, c->result.save_problem);
    if (code == CLI_HOLDS) code = CLI_USAGE;
  }
  if (c->files.order.out != NULL) check_write_order(c);
  cli_files_write(&c->files, &c->run, &c->result, replays, &code);
  cli_replays_free(replays, c->result.traces.count);
  return code;
}

// A bit array takes half of what it is given at once, needed or not: it is not given everything.
static size_t memory_unless_said(const struct capability *c) {
  size_t limit = cli_memory_limit();
  bool array = c->store != NULL && strcmp(c->store, "bitstate") == 0;
  return array && limit > BITSTATE_BYTES ? BITSTATE_BYTES : limit;
}

// What --witness and --test write is about a C program that is in a file.
static bool admits_proofs(const struct check *c, struct text *why) {
  const struct options *o = c->options;
  const char *option = o->witness != NULL ? "witness" : "test";
  if (o->witness == NULL && o->test == NULL) return true;
  if (strcmp(c->model.language, "c") != 0)
    text_printf(why, "--%s is for programs in C, and this model is in %s", option,
                c->model.language);
  else if (strcmp(o->operands.data[0], "-") == 0)
    text_printf(why, "--%s names the program's file, and standard input has no name", option);
  return why->count == 0;
}

// Can the model be searched as asked for? If not, the user is told.
static bool admits(const struct check *c) {
  struct text why = {0};
  const struct ir_model *m = c->model.model;
  bool good = m->foreign == NULL || capability_admits_foreign(c->options, &why);
  if (good) good = admits_proofs(c, &why);
  if (good && !c->symbolic) good = cli_model_numbered(m, &why);
  if (!good) cli_refuse("%s", text_str(&why));
  text_clear(&why);
  return good;
}

// Partial order reduction, if it is asked for and possible: its conditions become part of the
// model, before any system is made of it.
static void pick_reduction(struct check *c) {
  if (strcmp(c->options->por, "on") != 0) return;
  c->ample = ample_new(c->model.model, c->property_on, &c->ample_aside);
  c->run.por = c->ample != NULL;
  if (c->run.por) check_unreduced(c, &c->ample_aside);
  if (c->ample_aside.count > 0) c->run.por_aside = text_str(&c->ample_aside);
}

// Everything that is left open is picked, now that the model is known. False: the user was told why
// not.
static bool pick(struct check *c) {
  const struct options *o = c->options;
  c->symbolic = strcmp(o->engine, "explicit") != 0;
  if (!admits(c)) return false;
  c->capability = capability_pick(o, c->model.model->layout->bytes);
  c->property_on = cli_properties_on(o, c->model.model, c->capability);
  if (c->property_on == NULL) return false;
  c->run = cli_run(o, &c->model);
  c->run.stats = o->stats;
  uint64_t cores = c->model.model->foreign != NULL ? 1 : cli_cores();
  c->run.threads = capability_threads(c->capability, o, cores);
  c->run.deterministic = o->deterministic;
  c->run.mem_bytes = o->memory > 0 ? o->memory : memory_unless_said(c->capability);
  c->run.mem_there = cli_memory_there();
  if (!check_pick_cycles(c)) return false;
  if (strcmp(o->engine, "bmc") == 0) check_pick_bmc(c);
  if (check_is_hybrid(o->engine)) check_pick_hybrid(c);
  if (c->run.bmc != NULL || c->run.hybrid != NULL) return true;
  if (c->symbolic) return check_pick_order(c);
  pick_reduction(c);
  return pick_symmetry(c);
}

// The bounded search's own settings. False: what --resume names was refused.
static bool pick_bounded(struct check *c) {
  if (strcmp(c->capability->search, "bounded") != 0) return true;
  cli_bounded_init(&c->bounded, c->options);
  c->run.bounded = &c->bounded.report;
  mean(c);
  struct search_config config = search_config_of(c, NULL, NULL);
  return cli_bounded_resume(&c->bounded, &config);
}

// What searches that follow hints are told. If that is wrong the exit code for it comes back.
static enum cli_exit pick_hints(struct check *c) {
  const char *name = c->capability->search;
  if (c->symbolic || !capability_knows(name, "flows")) return CLI_HOLDS;
  enum cli_exit code = cli_hints_init(&c->hints, c->options, name, &c->model);
  struct report_hints *r = &c->hints.report;
  c->run.hints = r;
  if (code == CLI_HOLDS && !check_pick_pattern(c)) code = CLI_USAGE;
  if (code != CLI_HOLDS || search_strategy_find(name) != NULL) return code;
  cli_race_init(&r->race, r->marks != NULL, c->run.threads);
  c->run.threads = r->race.count;
  return code;
}

// Picks what is open, and searches. What cannot be picked gives its exit code.
static enum cli_exit attempt(struct check *c, const struct report_text *text) {
  const struct options *o = c->options;
  if (!pick(c) || !pick_bounded(c)) return CLI_USAGE;
  enum cli_exit code = pick_hints(c);
  if (code != CLI_HOLDS) return code;
  check_hide(c);
  search(c, text);
  if (c->unreal && (o->symmetry != NULL || o->resume != NULL)) {
    cli_refuse("%s; use --symmetry off%s", not_symmetric,
               o->resume != NULL ? ", and begin anew, without --resume" : "");
    return CLI_BAD_MODEL;
  }
  if (c->unreal) search_again(c, text);
  return CLI_HOLDS;
}

// All that depends on how the model is laid out.
static void forget(struct check *c) {
  result_clear(&c->result);
  c->result = (struct result){0};
  cli_bounded_clear(&c->bounded);
  cli_hints_clear(&c->hints);
  mem_free(c->property_on);
  mem_free(c->states_on);
  c->property_on = c->states_on = NULL;
  text_clear(&c->aside);
  if (c->ample != NULL) ample_free(c->ample);
  c->ample = NULL;
  text_clear(&c->ample_aside);
  check_symbolic_clear(c);
  check_pattern_clear(c);
}

// Lays the model out for the end of that trace, too.
static enum cli_exit learn(struct check *c, const struct trace *t,
                           const struct cli_model_request *request) {
  struct replay replay = {0};
  enum cli_exit code = CLI_BUG;
  c->again = true;
  if (c->options->resume != NULL)
    code = cli_refuse("--resume: the model has more processes than were foreseen when that was "
                      "saved; begin anew, without --resume");
  else if (!cli_replay_one(&c->model, &c->run, t, &replay))
    cli_bug("the trace that was found does not replay: %s", replay.problem);
  else if (t->steps.count == 0)
    cli_bug("a start was not foreseen by the plan of the processes");
  else
    code = cli_model_learn(&c->model, request, t->id, replay.states[t->steps.count - 1].words,
                           &c->files.json);
  replay_clear(&replay);
  if (c->result.saved) unlink(c->files.save_path); // it is of the model as it was
  return code;
}

static enum cli_exit run(struct check *c) {
  struct cli_model_request request = cli_model_request_of(c->options);
  char *plan = cli_bounded_plan(c->options);
  request.plan = plan;
  enum cli_exit code = cli_model_load(&c->model, &request, &c->files.json);
  mem_free(plan);
  if (code != CLI_HOLDS) return code;
  if (!cli_text_possible(c->options, &c->model)) return CLI_USAGE;
  struct report_text text = cli_text(c->options);
  code = attempt(c, &text);
  const struct trace *t;
  while (code == CLI_HOLDS && ((t = unplanned(c)) != NULL || check_unable(c))) {
    if (t != NULL) code = learn(c, t, &request);
    c->again = true;
    forget(c);
    if (code == CLI_HOLDS) code = attempt(c, &text);
  }
  return code == CLI_HOLDS ? report(c, &text) : code;
}

enum cli_exit cli_check(const struct options *given) {
  struct options o = *given; // what is decided before the model is read is decided here
  struct check c = {.options = &o, .started = clock_seconds()};
  struct text why = {0};
  enum cli_exit code = CLI_USAGE;
  o.engine = capability_engine(given, cli_language(given));
  if (!capability_admits(&o, &why))
    cli_refuse("%s", text_str(&why));
  else if (cli_files_open(&c.files, &o))
    code = run(&c);
  cli_files_discard(&c.files);
  forget(&c);
  cli_model_free(&c.model);
  text_clear(&why);
  return code;
}
