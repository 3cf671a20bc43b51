// SPDX-License-Identifier: Apache-2.0
// The text report: what was picked, each violation with its trace and why, the verdict of every
// property, what was covered, and what to do when the answer is unknown.
#include "report/bounded.h"
#include "report/cycles.h"
#include "report/format.h"
#include "report/hints.h"
#include "report/reasoning.h"
#include "report/report.h"
#include "report/survey.h"

#include "guide/guide.h"
#include "ir/ir.h"
#include "store/store.h"

#include <string.h>

#define WHY_WIDTH     100
#define FORMULA_WIDTH 60
#define WHY_INDENT    7 // of a continued line, before its space
// A run shorter than this says nothing about speed, fewer states nothing about size.
#define SECONDS_FOR_RATE 0.01
#define STATES_FOR_SIZE  1000
#define PLURAL(n)        ((n) == 1 ? "" : "s")

// A line of its own, if there is anything to say.
static void print_line(const struct report_text *t, const char *before, struct text *line) {
  if (line->count > 0) fprintf(t->out, "  %s%s\n", before, text_str(line));
  text_clear(line);
}

static void print_bounded_plan(const struct report_text *t, const struct report_bounded *b) {
  struct text line = {0};
  bounded_settings(&line, b);
  print_line(t, "", &line);
  bounded_resumed(&line, b);
  print_line(t, "", &line);
}

static void print_reasoning_plan(const struct report_text *t, const struct report_run *run) {
  struct text line = {0};
  for (int i = 0; i < REASONING_LINES; i++) {
    reasoning_plan(&line, run, i);
    print_line(t, "", &line);
  }
}

static void print_hints_plan(const struct report_text *t, const struct report_run *run) {
  struct text line = {0};
  for (int i = 0; i < HINTS_LINES; i++) {
    hints_plan(&line, run, i);
    print_line(t, "", &line);
  }
}

static void print_size(const struct report_text *t, const struct ir_model *m) {
  char instances[FORMAT_BYTES], starts[FORMAT_BYTES];
  fprintf(t->out, "state of %llu bit%s in %u byte%s, %s rule instance%s, %s start%s",
          (unsigned long long)m->layout->bits, PLURAL(m->layout->bits), m->layout->bytes,
          PLURAL(m->layout->bytes), format_count(instances, m->rule_instances),
          PLURAL(m->rule_instances), format_count(starts, m->start_instances),
          PLURAL(m->start_instances));
}

void report_text_again(const struct report_text *t, const struct report_run *run) {
  if (t->quiet) return;
  fputs("  other processes than foreseen, begun again: ", t->out);
  print_size(t, run->model);
  fputc('\n', t->out);
  fflush(t->out);
}

// The searches for properties of infinite runs and liveness; where there is no other they are the
// first line.
static void print_cycles_plan(const struct report_text *t, const struct report_run *run) {
  struct text line = {0};
  cycles_plan(&line, run);
  print_line(t, "", &line);
}

void report_text_plan(const struct report_text *t, const struct report_run *run,
                      const struct result *picked) {
  if (t->quiet) return;
  const struct ir_model *m = run->model;
  char limit[FORMAT_BYTES];
  struct text head = {0};
  fprintf(t->out, "%s: %s engine, ", format_basename(run->path), picked->engine);
  if (reasoning(run)) reasoning_head(&head, run, picked);
  if (head.count > 0)
    fputs(text_str(&head), t->out);
  else if (run->cycles == NULL || !run->cycles->alone)
    fprintf(t->out, "%s search, %s store", picked->search, picked->store);
  else
    fprintf(t->out, "%s search, %s store", cycles_search(run->cycles), run->cycles->store);
  text_clear(&head);
  fputs(run->symmetry ? ", symmetry on" : "", t->out);
  fputs(run->por ? ", partial order reduction on" : "", t->out);
  if (run->merge) fputs(", statements merged", t->out);
  if (run->dead) fputs(", dead variables reset", t->out);
  if (run->threads > 1) fprintf(t->out, ", up to %llu threads", (unsigned long long)run->threads);
  fputs(run->deterministic ? ", deterministic\n" : "\n", t->out);
  fputs("  ", t->out);
  print_size(t, m);
  if (run->mem_bytes > 0) fprintf(t->out, ", memory limit %s", format_size(limit, run->mem_bytes));
  if (run->mem_there > 0 && run->mem_bytes > run->mem_there)
    fprintf(t->out, " (there are only %s)", format_size(limit, run->mem_there));
  fputc('\n', t->out);
  if (run->symmetry_aside != NULL)
    fprintf(t->out, "  symmetry %s: %s\n", report_symmetry(run), run->symmetry_aside);
  if (run->por_aside != NULL)
    fprintf(t->out, "  partial order reduction %s: %s\n", run->por ? "in part" : "off",
            run->por_aside);
  if (reasoning(run)) print_reasoning_plan(t, run);
  if (run->bounded != NULL) print_bounded_plan(t, run->bounded);
  if (run->hints != NULL) print_hints_plan(t, run);
  if (run->cycles != NULL) print_cycles_plan(t, run);
  fflush(t->out);
}

// ---------------------------------------------------------------------------------------------
// Violations

static void print_headline(const struct report_text *t, const struct ir_model *m,
                           const struct trace *trace) {
  struct text what = {0}, place = {0};
  format_violation(&what, m, trace);
  format_place(&place, format_violation_span(m, trace));
  format_paint(t, FORMAT_RED, "violated");
  fprintf(t->out, ": %s", text_str(&what));
  if (place.count > 0) fprintf(t->out, " (%s)", text_str(&place));
  fputc('\n', t->out);
  struct span span = format_violation_span(m, trace);
  if (trace->end == TRACE_SITE && span.source != NULL && span.source->bytes > 0)
    span_print(&span, t->out);
  text_clear(&what);
  text_clear(&place);
}

// Words within WHY_WIDTH or the terminal's, what is continued set in deeper.
static void print_wrapped(const struct report_text *t, const char *s, size_t length) {
  size_t column = 3, width = t->columns > 0 && t->columns < WHY_WIDTH ? t->columns : WHY_WIDTH;
  fputs("   ", t->out);
  for (size_t at = 0; at < length;) {
    size_t word = strcspn(s + at, " \n");
    bool fits = column + 1 + word <= width;
    column = (fits ? column : WHY_INDENT) + 1 + word;
    fprintf(t->out, fits ? " %.*s" : "\n        %.*s", (int)word, s + at);
    at += word + 1;
  }
  fputc('\n', t->out);
}

// Nothing when the headline has said it all.
static void print_why(const struct report_text *t, const struct ir_model *m,
                      const struct trace *trace, const char *explanation) {
  struct text headline = {0};
  format_violation(&headline, m, trace);
  bool said = explanation == NULL || strcmp(explanation, text_str(&headline)) == 0;
  text_clear(&headline);
  if (said || *explanation == '\0') return;
  fputs("\n  why\n", t->out);
  while (*explanation != '\0') {
    size_t length = strcspn(explanation, "\n");
    print_wrapped(t, explanation, length);
    explanation += length + (explanation[length] == '\n');
  }
}

static void print_found(const struct report_text *t, const struct trace *trace, size_t length) {
  char found[FORMAT_BYTES];
  if (trace->found_steps > length)
    fprintf(t->out, " (found with %s step%s, and shortened)",
            format_count(found, trace->found_steps), PLURAL(trace->found_steps));
  fputc('\n', t->out);
}

// "  a cycle of 4 steps, after 2 steps"
static void print_lasso(const struct report_text *t, const struct ir_model *m,
                        const struct trace *trace, const struct replay *replay) {
  struct text line = {0};
  cycles_length(&line, m, trace, replay);
  fprintf(t->out, "  %s", text_str(&line));
  text_clear(&line);
}

void report_text_violation(const struct report_text *t, const struct report_run *run,
                           const struct trace *trace, const struct replay *replay) {
  size_t steps = trace_length(trace, replay, run->model);
  print_headline(t, run->model, trace);
  if (trace->has_loop)
    print_lasso(t, run->model, trace, replay);
  else if (steps == 0 && trace->end == TRACE_SITE && !trace->in_property)
    fputs("  in a start rule", t->out);
  else if (steps == 0)
    fputs("  in a start state", t->out);
  else
    fprintf(t->out, "  after %zu step%s", steps, PLURAL(steps));
  print_found(t, trace, steps);
  report_text_steps(t, run, trace, replay);
  print_why(t, run->model, trace, replay->explanation);
}

// Is there a trace that shows it?
static bool is_shown(const struct result *r, size_t property) {
  for (size_t i = 0; i < r->traces.count; i++) {
    const struct trace *t = &r->traces.data[i];
    if (t->end == TRACE_PROPERTY && t->id == property) return true;
  }
  return false;
}

// A goal that was never reached is violated without a trace, and so is what no single run can show
// to be false, and what a limit kept from being written down.
static bool is_untraced(const struct result *r, size_t i) {
  const struct property_result *p = &r->properties.data[i];
  bool may_be = strcmp(p->kind, "error") != 0 && strcmp(p->kind, "deadlock") != 0;
  return p->verdict == VERDICT_VIOLATED && may_be && !is_shown(r, i);
}

static void print_untraced(const struct report_text *t, const struct ir_model *m,
                           const struct result *r) {
  for (size_t i = 0; i < r->properties.count; i++) {
    const struct property_result *p = &r->properties.data[i];
    if (!is_untraced(r, i)) continue;
    bool cover = strcmp(p->kind, "cover") == 0, ctl = strcmp(p->kind, "ctl") == 0;
    struct text what = {0}, place = {0};
    format_violation(&what, m, &(struct trace){.end = TRACE_PROPERTY, .id = (uint32_t)i});
    format_place(&place, p->span);
    fputc('\n', t->out);
    format_paint(t, FORMAT_RED, "violated");
    fprintf(t->out, ": %s%s", text_str(&what), cover ? " is never reached" : "");
    if (place.count > 0) fprintf(t->out, " (%s)", text_str(&place));
    fputs(cover ? "\n"
          : ctl ? "\n  no single run shows that\n"
                : "\n  its trace was not written down within the limits\n",
          t->out);
    text_clear(&what);
    text_clear(&place);
  }
}

static size_t count_untraced(const struct result *r) {
  size_t n = 0;
  for (size_t i = 0; i < r->properties.count; i++) n += is_untraced(r, i);
  return n;
}

// ---------------------------------------------------------------------------------------------
// The list of properties

static const char *property_word(const struct property_result *p) {
  bool cover = strcmp(p->kind, "cover") == 0;
  if (cover && p->verdict == VERDICT_HOLDS) return "reached";
  if (cover && p->verdict == VERDICT_VIOLATED) return "unreached";
  if (strcmp(p->kind, "assume") == 0 && p->verdict == VERDICT_HOLDS) return "assumed";
  return verdict_name(p->verdict);
}

static enum format_colour verdict_colour(enum verdict v) {
  return v == VERDICT_HOLDS ? FORMAT_GREEN : v == VERDICT_VIOLATED ? FORMAT_RED : FORMAT_YELLOW;
}

// Reasons are words for programs; this one needs more for people.
static const char *reason_text(const char *reason) {
  return strcmp(reason, "errors") == 0 ? "not finished" : reason;
}

// The formula of a property whose name does not say it, cut when long.
static void print_formula(const struct report_text *t, const struct ir_model *m, size_t i) {
  const char *formula = format_formula(m, i);
  if (formula == NULL) return;
  bool cut = strlen(formula) > FORMULA_WIDTH;
  fprintf(t->out, "  %.*s%s", FORMULA_WIDTH, formula, cut ? " ..." : "");
}

static void print_property(const struct report_text *t, const struct ir_model *m,
                           const struct result *r, size_t i, int name_width) {
  const struct property_result *p = &r->properties.data[i];
  char word[16];
  snprintf(word, sizeof word, "%-10s", property_word(p));
  fputs("  ", t->out);
  format_paint(t, verdict_colour(p->verdict), word);
  fprintf(t->out, "%-10s ", strcmp(p->kind, p->name) == 0 ? "" : p->kind);
  bool more = p->reason != NULL || p->span.source != NULL;
  fprintf(t->out, "%-*s", more ? name_width : 0, p->name);
  if (p->span.source != NULL)
    fprintf(t->out, "  %s:%u", format_basename(p->span.source->path), p->span.line);
  if (p->reason != NULL && p->detail != NULL)
    fprintf(t->out, "  (%s: %s)", reason_text(p->reason), p->detail);
  else if (p->reason != NULL)
    fprintf(t->out, "  (%s)", reason_text(p->reason));
  struct text size = {0};
  cycles_size(&size, p);
  if (size.count > 0) fprintf(t->out, "  %s", text_str(&size));
  text_clear(&size);
  print_formula(t, m, i);
  fputc('\n', t->out);
}

static void print_properties(const struct report_text *t, const struct ir_model *m,
                             const struct result *r) {
  if (r->properties.count < 2) return;
  int width = 0;
  for (size_t i = 0; i < r->properties.count; i++) {
    int length = (int)strlen(r->properties.data[i].name);
    if (length > width && length <= 60) width = length;
  }
  fputc('\n', t->out);
  for (size_t i = 0; i < r->properties.count; i++) print_property(t, m, r, i, width);
}

// ---------------------------------------------------------------------------------------------
// The verdict and what was covered

static const struct {
  const char *reason, *advice;
} advices[] = {
    {"time", "give it more time (--time), or look less deep (--depth)"},
    {"memory", "give it more memory (--memory), or make the model smaller (-D)"},
    {"depth", "look deeper (--depth), or drop the bound for a complete answer"},
    {"states", "allow more states (--states), or drop the bound for a complete answer"},
    {"interrupted", "let it run to its end for a complete answer"},
    {"symmetry not proved", "leave --symmetry on out: what is proved symmetric is used by itself"},
    {"lossy", "remember states exactly (--store exact, --store tree) for a complete answer"},
    {"cannot", "--engine explicit can check it, state by state"},
    {"unsupported",
     "leave that out of the program (-D), or put a function of your own in its place"},
    {"nonlinear", "--engine bmc reasons about bits, whatever is computed with them"},
    {"not checked",
     "what is marked \"not checked\" above needs another engine, or cannot be checked yet"},
};

// Limits that the user has set, or left as they are: by a part of what is said of them.
static const struct {
  const char *part, *advice;
} bounds[] = {
    {"calls itself more often", "follow recursion further (--recursion)"},
    {"objects of one allocation", "allow more objects (--heap)"},
};

// By the reason's first word or words: some go on with details. Searches by hints have no depth.
static const char *advice_for(const struct report_run *run, const char *reason) {
  for (size_t i = 0; reason != NULL && i < sizeof bounds / sizeof *bounds; i++)
    if (strstr(reason, bounds[i].part) != NULL) return bounds[i].advice;
  if (reason != NULL && strcmp(reason, "memory") == 0 && mem_addresses_max() < SIZE_MAX)
    return "allow more addresses (ulimit -v), give it more memory (--memory), or take fewer "
           "threads (--threads)";
  if (run->hints != NULL && reason != NULL && strcmp(reason, "time") == 0)
    return "give it more time (--time), or other hints";
  for (size_t i = 0; reason != NULL && i < sizeof advices / sizeof *advices; i++)
    if (strncmp(advices[i].reason, reason, strlen(advices[i].reason)) == 0)
      return advices[i].advice;
  return NULL;
}

// Did a limit or the user end it? Then not all that is stored needs to be explored to its end, even
// if all of it was expanded.
static bool ended_early(const struct result *r) {
  static const char *const limits[] = {"time", "memory", "depth", "states", "interrupted"};
  for (size_t i = 0; r->reason != NULL && i < sizeof limits / sizeof *limits; i++)
    if (strcmp(limits[i], r->reason) == 0) return true;
  return r->frontier > 0;
}

// "complete to depth 12, ", where the search can tell and did not come to its end.
static void print_depth(const struct report_text *t, const struct result *r) {
  char depth[FORMAT_BYTES];
  if (!r->depth_known || !ended_early(r)) return;
  fprintf(t->out, "complete to depth %s", format_count(depth, r->depth_complete));
  fputs(r->store == NULL || store_kind_keeps_states(r->store) ? ", "
                                                              : " as far as the store can tell, ",
        t->out);
}

static bool only_cycles(const struct report_run *run) {
  return run->cycles != NULL && run->cycles->alone;
}

static void print_verdict(const struct report_text *t, const struct report_run *run,
                          const struct result *r) {
  size_t errors = r->traces.count, untraced = count_untraced(r);
  if (!t->quiet) fputc('\n', t->out);
  format_paint(t, verdict_colour(r->verdict), verdict_name(r->verdict));
  if (r->verdict == VERDICT_UNKNOWN) {
    fprintf(t->out, " (%s): ", r->reason ? r->reason : "?");
    print_depth(t, r);
    bool searched = r->reason == NULL || strncmp(r->reason, "cannot", strlen("cannot")) != 0;
    fputs(searched ? "no violation in what was covered\n" : "nothing was searched\n", t->out);
  } else if (r->verdict == VERDICT_HOLDS) {
    const char *how = reasoning_holds(run, r);
    if (how == NULL)
      how = only_cycles(run) ? "no run violates what was checked"
                             : "every reachable state was checked";
    fprintf(t->out, ": %s\n", how);
  } else {
    fprintf(t->out, ": %zu violation%s found", errors + untraced, PLURAL(errors + untraced));
    if (untraced > 0 && errors > 0) fprintf(t->out, ", %zu of them without a trace", untraced);
    fputs(untraced > 0 && errors == 0 ? ", without a trace\n" : "\n", t->out);
  }
}

// What is left. A search that may find a long way to a violation first says how near none is.
static void print_coverage(const struct report_text *t, const struct report_run *run,
                           const struct result *r) {
  bool violated = r->verdict == VERDICT_VIOLATED && run->bounded != NULL;
  if ((r->verdict != VERDICT_UNKNOWN && !violated) || r->frontier == 0) return;
  char frontier[FORMAT_BYTES];
  fputs("  ", t->out);
  if (violated) print_depth(t, r);
  fprintf(t->out, "%s stored state%s not expanded\n", format_count(frontier, r->frontier),
          PLURAL(r->frontier));
}

static void print_bounded(const struct report_text *t, const struct report_run *run,
                          const struct result *r) {
  struct text line = {0};
  for (int i = 0; i < 2; i++) {
    bounded_figures(&line, &r->stats, i);
    print_line(t, "", &line);
  }
  bounded_saved(&line, run->bounded, r);
  print_line(t, "", &line);
}

static void print_flows(const struct report_text *t, const struct report_hints *h) {
  struct text line = {0};
  int width = 0;
  for (size_t i = 0; i < h->flow_count; i++) {
    int length = (int)strlen(h->flows[i].name);
    if (length > width) width = length;
  }
  fprintf(t->out, "  flows of %s, on the ways by which states were first reached:\n",
          format_basename(h->flows_path));
  for (size_t i = 0; i < h->flow_count; i++) {
    fprintf(t->out, "    %-*s  ", width, h->flows[i].name);
    hints_flow(&line, &h->flows[i]);
    fprintf(t->out, "%s\n", text_str(&line));
    text_clear(&line);
    hints_never(&line, &h->flows[i]);
    if (h->flows[i].started > 0) print_line(t, "    ", &line);
    text_clear(&line);
  }
  hints_lost(&line, h);
  print_line(t, "  ", &line);
}

static void print_hints(const struct report_text *t, const struct report_hints *h,
                        const struct result *r) {
  struct text line = {0};
  hints_winner(&line, &h->race);
  print_line(t, "", &line);
  if (h->pattern != NULL) reasoning_pattern_figures(&line, h->pattern, r->traces.count > 0);
  print_line(t, "", &line);
  if (h->flows != NULL) print_flows(t, h);
}

static void print_advice(const struct report_text *t, const struct report_run *run,
                         const struct result *r) {
  const char *advice = r->verdict == VERDICT_UNKNOWN ? advice_for(run, r->reason) : NULL;
  struct text line = {0};
  if (run->bounded != NULL) bounded_advice(&line, run->bounded, r);
  if (advice != NULL && !r->saved) fprintf(t->out, "  to go on: %s\n", advice);
  print_line(t, r->saved ? "to go on: " : "", &line);
}

// Sets of states have no rate, and no bytes of their own.
static void print_reasoning(const struct report_text *t, const struct report_run *run,
                            const struct result *r) {
  struct text line = {0};
  for (int i = 0; i < REASONING_LINES; i++) {
    reasoning_figures(&line, run, r, i);
    print_line(t, "", &line);
  }
}

static void print_stats(const struct report_text *t, const struct report_run *run,
                        const struct result *r) {
  const struct stats *s = &r->stats;
  char states[FORMAT_BYTES], fired[FORMAT_BYTES], depth[FORMAT_BYTES], seconds[FORMAT_BYTES],
      rate[FORMAT_BYTES], memory[FORMAT_BYTES], stack[FORMAT_BYTES], total[FORMAT_BYTES],
      compile[FORMAT_BYTES];
  fprintf(t->out, "  %s state%s, %s rule%s fired, depth %s\n", format_count(states, s->states),
          PLURAL(s->states), format_count(fired, s->transitions), PLURAL(s->transitions),
          format_count(depth, s->depth));
  fprintf(t->out, "  %s", format_seconds(seconds, s->seconds));
  bool resumed = run->bounded != NULL && run->bounded->resume != NULL; // states of other hours, too
  if (s->seconds > SECONDS_FOR_RATE && !resumed)
    fprintf(t->out, " (%s states/s)", format_rate(rate, (double)s->states / s->seconds));
  fprintf(t->out, ", %s", format_size(memory, s->memory_bytes));
  if (s->states > STATES_FOR_SIZE)
    fprintf(t->out, " (%.1f bytes/state)", (double)s->memory_bytes / (double)s->states);
  if (s->stack_bytes > 0 && run->bounded == NULL)
    fprintf(t->out, ", stack up to %s", format_size(stack, s->stack_bytes));
  if (s->threads > 1) fprintf(t->out, ", %llu threads", (unsigned long long)s->threads);
  fprintf(t->out, ", %s", run->native ? "native code" : "interpreted");
  if (run->native && s->compile_seconds > 0)
    fprintf(t->out, " (compiler %s)", format_seconds(compile, s->compile_seconds));
  if (s->total_seconds > 0) fprintf(t->out, ", %s in all", format_seconds(total, s->total_seconds));
  fputc('\n', t->out);
}

void report_text_result(const struct report_text *t, const struct report_run *run,
                        const struct result *r, const struct replay *replays) {
  for (size_t i = 0; i < r->traces.count; i++) {
    if (i > 0 || !t->quiet) fputc('\n', t->out);
    report_text_violation(t, run, &r->traces.data[i], &replays[i]);
  }
  print_untraced(t, run->model, r);
  if (!t->quiet) print_properties(t, run->model, r);
  if (!t->quiet || r->traces.count == 0) print_verdict(t, run, r);
  if (t->quiet) return;
  print_coverage(t, run, r);
  if (reasoning(run))
    print_reasoning(t, run, r);
  else if (!reasoning_only(run))
    print_stats(t, run, r);
  if (run->bounded != NULL) print_bounded(t, run, r);
  if (run->hints != NULL) print_hints(t, run->hints, r);
  if (r->store_note != NULL) fprintf(t->out, "  %s store: %s\n", r->store, r->store_note);
  if (r->note != NULL) fprintf(t->out, "  %s\n", r->note);
  print_advice(t, run, r);
  if (run->stats) report_survey_text(t, run, r);
}
