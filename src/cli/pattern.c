// SPDX-License-Identifier: Apache-2.0
// --heuristic auto of the explicit engine: how far a state is from an error, as an abstraction of
// the model in decision diagrams knows it. Where there is no such abstraction the searches go by
// which rules are near the properties, as ever.
#include "cli/check.h"

#include "search/search.h"
#include "symbolic/pattern.h"
#include "sys/sys.h"
#include "trace/judge.h"

#include <string.h>

// What the database may take: of the time that there is, and of the memory.
#define SECONDS_MOST 10.0
enum { TIME_PART = 5, MEMORY_PART = 4 };

static bool goes_by_it(const struct check *c) {
  const struct report_hints *h = &c->hints.report;
  return h->heuristic != NULL && strcmp(h->heuristic, "auto") == 0;
}

// Options that are about it, and what is asked for is another heuristic.
static bool refuse_others(const struct check *c) {
  static const char *const about[] = {"abstract-depth", "strength", "pattern", "pattern-nodes"};
  for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
    if (!options_given(c->options, about[i])) continue;
    cli_refuse("--%s is about the abstraction that --heuristic auto goes by: take that, or leave "
               "--%s out",
               about[i], about[i]);
    return true;
  }
  return false;
}

bool check_pick_pattern(struct check *c) {
  c->hints.report.pattern = NULL;
  if (!goes_by_it(c)) return !refuse_others(c);
  if (!check_guided_init(&c->guided, c->options, c->model.model)) return false;
  c->pattern_report = (struct report_pattern){.settings = &c->guided.report};
  c->hints.report.pattern = &c->pattern_report;
  return true;
}

#ifdef FATHOM_BDD

// A run that must come out the same each time is not cut short by a clock, but by --time itself.
static double seconds_for(const struct options *o) {
  if (o->deterministic) return o->time;
  double share = o->time / TIME_PART;
  return o->time > 0 && share < SECONDS_MOST ? share : SECONDS_MOST;
}

static struct symbolic_config config_of(const struct check *c, const struct search_config *search,
                                        struct report_progress *progress) {
  struct symbolic_config config = {
      .model = search->model,
      .budget = {.seconds = seconds_for(c->options),
                 .mem_bytes = search->budget.mem_bytes / MEMORY_PART},
      .started = clock_seconds(),
      .deadlock = search->deadlock,
      .max_errors = search->max_errors,
      .property_on = search->property_on,
      .reorder = SYMBOLIC_REORDER_AUTO,
      .cone = true,
      .search = SYMBOLIC_ASTAR,
      .progress = report_progress_symbolic,
      .progress_context = progress,
  };
  check_guided_fill(&c->guided, &config);
  return config;
}

static uint32_t distance(const void *pattern, const uint64_t *state) {
  static_assert(PATTERN_NEVER == SEARCH_NEVER, "one word for both");
  return pattern_value(pattern, state);
}

static void make(struct check *c, const struct search_config *search,
                 struct report_progress *progress) {
  struct report_pattern *r = &c->pattern_report;
  struct symbolic_config config = config_of(c, search, progress);
  c->pattern = pattern_new(&config, &c->pattern_text);
  r->seconds = clock_seconds() - config.started;
  if (c->pattern == NULL) return;
  text_clear(&c->pattern_text);
  pattern_describe(c->pattern, &c->pattern_text);
}

void check_pattern(struct check *c, struct search_config *config,
                   struct report_progress *progress) {
  struct report_pattern *r = &c->pattern_report;
  if (c->hints.report.pattern == NULL) return;
  if (c->pattern_text.count == 0) make(c, config, progress);
  *(c->pattern != NULL ? &r->described : &r->aside) = text_str(&c->pattern_text);
  if (c->pattern == NULL) return;
  r->shortest = strcmp(c->capability->search, "astar") == 0;
  config->heuristic = HEURISTIC_TABLE;
  config->heuristic_table = distance;
  config->heuristic_context = c->pattern;
  config->mem_others += pattern_bytes(c->pattern);
}

void check_pattern_clear(struct check *c) {
  if (c->pattern != NULL) pattern_free(c->pattern);
  c->pattern = NULL;
  text_clear(&c->pattern_text);
  c->pattern_report = (struct report_pattern){0};
}

static bool proves(const struct check *c) {
  return c->pattern != NULL && pattern_proves(c->pattern);
}

#else

void check_pattern(struct check *c, struct search_config *config,
                   struct report_progress *progress) {
  (void)config, (void)progress;
  c->pattern_report.aside = "built without the BuDDy library";
}

void check_pattern_clear(struct check *c) { c->pattern_report = (struct report_pattern){0}; }

static bool proves(const struct check *c) {
  (void)c;
  return false;
}

#endif

// ---------------------------------------------------------------------------------------------

// Goals that must be reached, figures that only a search has, and what was seen of flows.
static bool wants_search(const struct check *c, const struct search_config *config) {
  const struct ir_model *m = config->model;
  for (size_t i = 0; i < m->properties.count; i++)
    if (m->properties.data[i]->kind == IR_PROP_COVER && config->property_on[i]) return true;
  return config->survey || c->hints.flows != NULL;
}

#define STARTS_MANY 1000000

static bool starts_are_few(const struct ir_model *m) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < m->start_instances && count <= STARTS_MANY; i++) {
    uint64_t choices = ir_instance(m, true, i, NULL)->choices;
    count += choices == 0 || choices > STARTS_MANY ? STARTS_MANY + 1 : choices;
  }
  return count <= STARTS_MANY;
}

// The abstraction knows of steps. A start may fail by itself, and without any start nothing holds.
// Where there are too many to be looked at in passing the search does it, within its limits.
static bool starts_well(struct sys *sys, const struct ir_model *m) {
  if (!starts_are_few(m)) return false;
  size_t properties = m->properties.count;
  struct sys_out out;
  sys_out_init(&out, sys->words, properties);
  sys->starts(sys, &out);
  bool good = out.count > 0;
  for (size_t i = 0; i < out.count; i++) good = good && out.steps[i].site == 0;
  sys_out_clear(&out);
  return good;
}

bool check_pattern_proves(struct check *c, const struct search_config *config) {
  if (!proves(c) || wants_search(c, config)) return false;
  if (!starts_well(config->sys, config->model)) return false;
  struct judge_config judge = {.model = config->model,
                               .deadlock = config->deadlock,
                               .max_errors = config->max_errors,
                               .property_on = config->property_on};
  struct judge j;
  judge_init(&j, &judge, &c->result);
  j.explored = true;
  judge_draw(&j);
  judge_clear(&j);
  struct stats *s = &c->result.stats;
  s->seconds = c->pattern_report.seconds;
  s->total_seconds = clock_seconds() - c->started;
  s->peak_bytes = mem_resident_peak();
  s->state_bits = config->model->layout->bits;
  s->threads = 1;
  c->pattern_report.proves = true;
  return true;
}
