// SPDX-License-Identifier: Apache-2.0
// What --search bounded adds to a check: its settings, what a saved search depends on, and the file
// to go on from.
#include "cli/cli.h"

#include "ir/ir.h"
#include "search/saved.h"
#include "search/search.h"

#include <string.h>

// In what a saved search depends on, before the plan of the processes, its last part.
static const char before_plan[] = ", processes ";

static enum search_bounding bounding_of(const char *name) {
  return strcmp(name, "depth") == 0 ? BOUNDING_DEPTH : BOUNDING_THRESHOLD;
}

static enum search_frontier frontier_of(const char *name) {
  if (strcmp(name, "states") == 0) return FRONTIER_STATES;
  return strcmp(name, "traces") == 0 ? FRONTIER_TRACES : FRONTIER_TREE;
}

void cli_bounded_init(struct cli_bounded *b, const struct options *o) {
  *b = (struct cli_bounded){0};
  b->report = (struct report_bounded){
      .increment = o->increment,
      .depth_max = o->depth,
      .bounding = o->bounding != NULL ? o->bounding : capability_value(CAPABILITY_BOUNDING, 0),
      .frontier = o->frontier != NULL ? o->frontier : capability_value(CAPABILITY_FRONTIER, 0),
      .save_path = o->save_frontier,
      .resume = o->resume,
  };
}

static void add_properties(struct text *out, const struct ir_model *m, const uint8_t *on) {
  size_t count = 0;
  for (size_t i = 0; i < m->properties.count; i++) count += on[i] != 0;
  if (count == m->properties.count) {
    text_add(out, "all properties");
    return;
  }
  text_add(out, count > 0 ? "properties" : "no properties");
  for (size_t i = 0; i < m->properties.count; i++)
    if (on[i] != 0) text_printf(out, " \"%s\"", m->properties.data[i]->name);
}

void cli_bounded_mean(struct cli_bounded *b, const struct report_run *run, bool symmetry_proved,
                      const uint8_t *property_on) {
  struct text *t = &b->meaning;
  text_clear(t);
  text_printf(t, "symmetry %s", run->symmetry ? "on" : "off");
  if (run->symmetry && !symmetry_proved) text_add(t, " unproved");
  text_printf(t, ", deadlock %s, ", report_deadlock(run->deadlock));
  add_properties(t, run->model, property_on);
  text_printf(t, ", while limit %llu", (unsigned long long)run->while_limit);
  if (run->plan != NULL) text_printf(t, "%s%s", before_plan, run->plan);
}

char *cli_bounded_plan(const struct options *o) {
  struct text meaning = {0};
  char *plan = NULL;
  if (o->resume != NULL && saved_meaning(o->resume, &meaning)) {
    const char *at = strstr(text_str(&meaning), before_plan);
    if (at != NULL) plan = mem_strdup(at + strlen(before_plan));
  }
  text_clear(&meaning);
  return plan;
}

void cli_bounded_fill(const struct cli_bounded *b, struct search_config *config) {
  config->increment = b->report.increment;
  config->bounding = bounding_of(b->report.bounding);
  config->frontier = frontier_of(b->report.frontier);
  config->meaning = text_str(&b->meaning);
  config->resume = b->saved;
}

bool cli_bounded_resume(struct cli_bounded *b, const struct search_config *config) {
  struct text why = {0};
  if (b->report.resume == NULL) return true;
  b->saved = saved_open(b->report.resume, config, &why);
  if (b->saved == NULL)
    cli_refuse("--resume %s: %s", b->report.resume, text_str(&why));
  else
    b->report.resume_depth = saved_depth(b->saved);
  text_clear(&why);
  return b->saved != NULL;
}

void cli_bounded_clear(struct cli_bounded *b) {
  if (b->saved != NULL) saved_close(b->saved);
  text_clear(&b->meaning);
  *b = (struct cli_bounded){0};
}
