// SPDX-License-Identifier: Apache-2.0
// What a designer's hints add to a check: marks, flows and a heuristic, read over the finished
// model before anything evaluates it, and handed to the search.
#include "cli/cli.h"

#include "ir/ir.h"
#include "search/search.h"

#include <string.h>

// Counting flows may take this part of the memory; it must not end the search.
enum { MONITOR_PART = 16 };

// ---------------------------------------------------------------------------------------------
// Expressions

static struct ir_expr *read_expr(const struct cli_model *c, const char *where, const char *text,
                                 enum ir_want want, const struct ir_rule *scope,
                                 struct ir_frame *frame, struct diag *d) {
  return cli_expr(c, source_from_text(where, text, strlen(text)), want, scope, frame, d);
}

static struct ir_expr *read_condition(void *context, struct ir_model *m, const char *text,
                                      const struct ir_rule *scope, struct ir_frame *frame,
                                      struct diag *d) {
  const struct cli_model *c = context;
  assert(c->model == m);
  (void)m;
  return read_expr(c, "when", text, IR_WANT_BOOL, scope, frame, d);
}

// ---------------------------------------------------------------------------------------------
// Marks and flows

static enum cli_exit read_flows(struct cli_hints *h, const struct options *o,
                                const struct cli_model *m) {
  const char *why;
  struct diag d = {0};
  if (o->flows == NULL) return CLI_HOLDS;
  struct source *s = source_read(o->flows, &why);
  if (s == NULL) return cli_refuse("--flows %s: %s", o->flows, why), CLI_BAD_MODEL;
  h->flows = guide_flows_read(s, m->model, &d);
  diag_print(&d, stderr, report_colour(stderr));
  diag_clear(&d);
  h->report.flows_path = o->flows;
  return h->flows != NULL ? CLI_HOLDS : CLI_BAD_MODEL;
}

static enum cli_exit mark_flows(struct cli_hints *h, const struct options *o) {
  struct text why = {0};
  bool good = true;
  for (size_t i = 0; i < o->flow.count && good; i++) {
    bool all = strcmp(o->flow.data[i], "*") == 0;
    good = guide_flows_mark(h->flows, all ? NULL : o->flow.data[i], h->marks, &why);
    if (!good) cli_refuse("--flow %s: %s", o->flow.data[i], text_str(&why));
  }
  text_clear(&why);
  return good ? CLI_HOLDS : CLI_USAGE;
}

// Marks of the command line, of its flows, and of comments in the model.
static enum cli_exit read_marks(struct cli_hints *h, const struct options *o,
                                const struct cli_model *m) {
  struct guide_language l = {read_condition, (void *)m};
  struct text why = {0};
  enum cli_exit code = CLI_HOLDS;
  h->marks = guide_marks_new(m->model);
  if (!guide_marks_from_text(h->marks, m->model->sources.data[0]->text, m->language, &l, &why)) {
    cli_refuse("a mark in %s: %s", o->operands.data[0], text_str(&why));
    code = CLI_BAD_MODEL;
  }
  for (size_t i = 0; i < o->mark.count && code == CLI_HOLDS; i++)
    if (!guide_marks_add(h->marks, o->mark.data[i], &l, &why))
      code = cli_refuse("--mark '%s': %s", o->mark.data[i], text_str(&why));
  text_clear(&why);
  if (code == CLI_HOLDS) code = mark_flows(h, o);
  if (code == CLI_HOLDS && guide_marks_any(h->marks)) {
    guide_marks_print(&h->marked, h->marks);
    h->report.marks = text_str(&h->marked);
  }
  return code;
}

// ---------------------------------------------------------------------------------------------
// The heuristic

static enum cli_exit read_heuristic(struct cli_hints *h, const char *text,
                                    const struct cli_model *m) {
  struct diag d = {0};
  h->frame = mem_zalloc(1, sizeof *h->frame);
  h->expr = read_expr(m, "--heuristic", text, IR_WANT_INT, NULL, h->frame, &d);
  diag_print(&d, stderr, report_colour(stderr));
  diag_clear(&d);
  return h->expr != NULL ? CLI_HOLDS : CLI_USAGE;
}

static enum cli_exit pick_heuristic(struct cli_hints *h, const struct options *o,
                                    const struct cli_model *m) {
  const char *asked = o->heuristic;
  bool any = h->report.marks != NULL;
  if (asked != NULL && strcmp(asked, "marked") != 0 && (o->mark.count > 0 || o->flow.count > 0))
    return cli_refuse("--heuristic %s does not look at marks: leave --mark and --flow out, or take "
                      "--heuristic marked",
                      asked);
  h->report.heuristic = asked != NULL ? asked : any ? "marked" : "auto";
  if (strcmp(h->report.heuristic, "auto") == 0) return CLI_HOLDS;
  if (strcmp(h->report.heuristic, "marked") != 0) return read_heuristic(h, asked, m);
  if (any) return CLI_HOLDS;
  return cli_refuse("--heuristic marked: nothing is marked; add --mark or --flow, or leave "
                    "--heuristic out");
}

static enum search_heuristic heuristic_of(const struct cli_hints *h) {
  if (h->expr != NULL) return HEURISTIC_EXPR;
  bool marked = h->report.heuristic != NULL && strcmp(h->report.heuristic, "marked") == 0;
  return marked ? HEURISTIC_MARKED : HEURISTIC_AUTO;
}

// ---------------------------------------------------------------------------------------------

static void note_settings(struct cli_hints *h, const struct options *o, const char *search) {
  struct report_hints *r = &h->report;
  r->uses_marks = capability_knows(search, "mark");
  if (capability_knows(search, "bias-limit"))
    r->bias_limit = o->bias_limit > 0 ? o->bias_limit : SEARCH_BIAS_LIMIT;
  if (capability_knows(search, "agents")) r->agents = o->agents > 0 ? o->agents : SEARCH_AGENTS;
  r->random = capability_knows(search, "seed");
}

enum cli_exit cli_hints_init(struct cli_hints *h, const struct options *o, const char *search,
                             const struct cli_model *m) {
  *h = (struct cli_hints){0};
  note_settings(h, o, search);
  guide_agents_init(&h->agents, m->model);
  enum cli_exit code = read_flows(h, o, m);
  if (code == CLI_HOLDS && h->report.uses_marks) code = read_marks(h, o, m);
  if (code == CLI_HOLDS && capability_knows(search, "heuristic")) code = pick_heuristic(h, o, m);
  return code;
}

void cli_hints_fill(struct cli_hints *h, struct search_config *config, const struct options *o) {
  bool counted = h->flows != NULL && h->report.race.count == 0; // by one thread
  if (h->monitor != NULL) guide_monitor_free(h->monitor);
  h->monitor =
      counted ? guide_monitor_new(h->flows, config->model, config->budget.mem_bytes / MONITOR_PART)
              : NULL;
  config->marks = h->report.marks != NULL ? h->marks : NULL;
  config->agents = &h->agents;
  config->monitor = h->monitor;
  config->bias_limit = o->bias_limit;
  config->agents_marked = o->agents;
  config->heuristic = heuristic_of(h);
  config->heuristic_expr = h->expr;
  config->heuristic_frame = h->frame;
  config->seed = o->seed;
}

static void forget_flows(struct cli_hints *h) {
  guide_flow_reports_free(h->report.flows, h->report.flow_count);
  h->report.flows = NULL;
  h->report.flow_count = 0;
}

void cli_hints_count(struct cli_hints *h) {
  forget_flows(h);
  if (h->monitor == NULL) return;
  h->report.flow_count = guide_monitor_report(h->monitor, &h->report.flows);
  h->report.flows_lost = guide_monitor_lost(h->monitor);
}

void cli_hints_clear(struct cli_hints *h) {
  forget_flows(h);
  if (h->monitor != NULL) guide_monitor_free(h->monitor);
  if (h->flows != NULL) guide_flows_free(h->flows);
  if (h->marks != NULL) guide_marks_free(h->marks);
  if (h->agents.count > 0) guide_agents_clear(&h->agents);
  mem_free(h->frame);
  text_clear(&h->marked);
  *h = (struct cli_hints){0};
}
