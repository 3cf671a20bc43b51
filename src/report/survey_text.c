// SPDX-License-Identifier: Apache-2.0
// What --stats adds to the text report: growth, rules by cost, rules that do nothing, values.
#include "report/survey.h"

#include "ir/ir.h"
#include "report/format.h"
#include "report/report.h"

#include <string.h>

enum { ROWS_MAX = 10, BAR_WIDTH = 40, LINE_WIDTH = 100 };

static void print_bar(const struct report_text *t, uint64_t n, uint64_t most) {
  int length = most > 0 ? (int)(((double)n * BAR_WIDTH + (double)most - 1) / (double)most) : 0;
  static const char bar[BAR_WIDTH + 1] = "########################################";
  fprintf(t->out, "  %.*s\n", length, bar);
}

static void print_growth(const struct report_text *t, const struct survey *s) {
  struct report_levels l;
  uint64_t most = 0;
  if (s->levels.count == 0) return;
  for (size_t i = 0; report_survey_levels(s, i, &l); i++)
    if (l.states > most) most = l.states;
  fputs("\n  growth: new states by depth\n", t->out);
  for (size_t i = 0; report_survey_levels(s, i, &l); i++) {
    char states[FORMAT_BYTES], depth[2 * FORMAT_BYTES];
    if (l.first == l.last)
      snprintf(depth, sizeof depth, "%llu", (unsigned long long)l.first);
    else
      snprintf(depth, sizeof depth, "%llu-%llu", (unsigned long long)l.first,
               (unsigned long long)l.last);
    fprintf(t->out, "    %9s %15s", depth, format_count(states, l.states));
    print_bar(t, l.states, most);
  }
}

static void print_place(const struct report_text *t, struct span span) {
  if (span.source != NULL)
    fprintf(t->out, "  %s:%u", format_basename(span.source->path), span.line);
}

static void print_rule(const struct report_text *t, const struct survey *s, const struct ir_rule *r,
                       size_t i) {
  char fired[FORMAT_BYTES], fresh[FORMAT_BYTES];
  fputs("  ", t->out);
  if (s->share != NULL) fprintf(t->out, "  %5.1f %%", 100 * s->share[i]);
  if (s->fired != NULL) fprintf(t->out, "  %15s", format_count(fired, s->fired[i]));
  if (s->fresh != NULL) fprintf(t->out, "  %15s", format_count(fresh, s->fresh[i]));
  fprintf(t->out, "  %s", r->name);
  print_place(t, r->span);
  fputc('\n', t->out);
}

static void print_costs(const struct report_text *t, const struct ir_model *m,
                        const struct survey *s, const struct report_survey *v) {
  char timed[FORMAT_BYTES];
  double rest = 0;
  size_t shown = v->rule_count < ROWS_MAX ? v->rule_count : ROWS_MAX;
  if (shown == 0) return;
  fputs(s->share != NULL ? "\n  rules by cost" : "\n  rules by number", t->out);
  if (s->share != NULL)
    fprintf(t->out, " (interpreted, in %s states)", format_count(timed, s->timed));
  fputs("\n  ", t->out);
  if (s->share != NULL) fprintf(t->out, "  %7s", "time");
  if (s->fired != NULL) fprintf(t->out, "  %15s", "fired");
  if (s->fresh != NULL) fprintf(t->out, "  %15s", "to new states");
  fputs("  rule\n", t->out);
  for (size_t i = 0; i < shown; i++) print_rule(t, s, m->rules.data[v->rules[i]], v->rules[i]);
  for (size_t i = shown; s->share != NULL && i < v->rule_count; i++) rest += s->share[v->rules[i]];
  if (shown == v->rule_count) return;
  fprintf(t->out, "    and %zu more", v->rule_count - shown);
  if (s->share != NULL) fprintf(t->out, ", %.1f %% together", 100 * rest);
  fputc('\n', t->out);
}

// --- lists of names, in lines of some width ---

struct list {
  const struct report_text *t;
  const char *title;
  size_t column;
};

static void list_add(struct list *l, const char *name) {
  size_t length = strlen(name);
  if (l->column == 0)
    l->column = (size_t)fprintf(l->t->out, "\n  %s: ", l->title);
  else if (l->column + length + 2 > LINE_WIDTH)
    l->column = (size_t)fprintf(l->t->out, ",\n    ");
  else
    l->column += (size_t)fprintf(l->t->out, ", ");
  l->column += length;
  fputs(name, l->t->out);
}

static void list_end(struct list *l) {
  if (l->column > 0) fputc('\n', l->t->out);
}

static void list_rule(struct list *l, const struct ir_rule *r) {
  struct text name = {0};
  text_add(&name, r->name);
  if (r->span.source != NULL)
    text_printf(&name, " (%s:%u)", format_basename(r->span.source->path), r->span.line);
  list_add(l, text_str(&name));
  text_clear(&name);
}

static void print_idle(const struct report_text *t, const struct ir_model *m,
                       const struct survey *s, const struct report_survey *v) {
  struct list never = {.t = t, .title = v->complete ? "never enabled" : "not enabled so far"};
  struct list stale = {.t = t,
                       .title = v->complete ? "fired, but never led to a new state"
                                            : "fired, but led to no new state so far"};
  for (size_t i = 0; s->fired != NULL && i < m->rules.count; i++)
    if (s->fired[i] == 0) list_rule(&never, m->rules.data[i]);
  list_end(&never);
  for (size_t i = 0; s->fired != NULL && s->fresh != NULL && i < m->rules.count; i++)
    if (s->fired[i] > 0 && s->fresh[i] == 0) list_rule(&stale, m->rules.data[i]);
  list_end(&stale);
}

// --- values ---

static void print_values(const struct report_text *t, const struct report_run *run,
                         const struct result *r, const struct report_survey *v) {
  char sampled[FORMAT_BYTES], states[FORMAT_BYTES];
  if (v->groups.count == 0) return;
  fprintf(t->out, "\n  values of variables, in ");
  if (r->survey.sampled < r->stats.states)
    fprintf(t->out, "%s of ", format_count(sampled, r->survey.sampled));
  else
    fputs("all ", t->out);
  fprintf(t->out, "%s states%s\n", format_count(states, r->stats.states),
          run->symmetry ? " (names of scalarset elements left out)" : "");
  size_t varied = 0;
  while (varied < v->groups.count && v->groups.data[varied].most > 1) varied++;
  for (size_t i = 0; i < varied && i < ROWS_MAX; i++) {
    struct text values = {0};
    report_group_values(&values, &v->groups.data[i]);
    fprintf(t->out, "    %14s  %s\n", text_str(&values), v->groups.data[i].name);
    text_clear(&values);
  }
  if (varied > ROWS_MAX) fprintf(t->out, "    %14s  and %zu more\n", "", varied - ROWS_MAX);
  struct list constant = {.t = t, .title = "one value only"};
  for (size_t i = varied; i < v->groups.count; i++) list_add(&constant, v->groups.data[i].name);
  list_end(&constant);
}

static void print_table(const struct report_text *t, const struct result *r) {
  char known[FORMAT_BYTES];
  fputs("\n  table of states: ", t->out);
  if (r->stats.load > 0) fprintf(t->out, "%.0f %% full, ", 100 * r->stats.load);
  fprintf(t->out, "%s successors were in it already\n", format_count(known, r->stats.revisits));
  if (r->survey.distinct == NULL)
    fprintf(t->out, "  the %s store keeps no states: no times of rules, no values of variables\n",
            r->store);
}

void report_survey_text(const struct report_text *t, const struct report_run *run,
                        const struct result *r) {
  struct report_survey v;
  report_survey_init(&v, run, r);
  print_table(t, r);
  print_growth(t, &r->survey);
  print_costs(t, run->model, &r->survey, &v);
  print_idle(t, run->model, &r->survey, &v);
  print_values(t, run, r, &v);
  report_survey_clear(&v);
}
