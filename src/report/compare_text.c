// SPDX-License-Identifier: Apache-2.0
// The table of `fathom compare`: a line for each run, a line for each property, and what does not
// agree.
#include "report/compare.h"

#include "report/format.h"

#include <stdlib.h>
#include <string.h>

enum { ENGINE, SEARCH, STORE, VERDICT, STATES, DEPTH, SECONDS, MEMORY, COLUMNS };
static const char *const titles[COLUMNS] = {"engine", "search", "store",   "verdict",
                                            "states", "depth",  "seconds", "memory"};

struct table {
  size_t width[COLUMNS];
};

static void add_digits(struct text *out, const char *digits) {
  size_t length = strlen(digits);
  if (length > 20) {
    char about[FORMAT_BYTES];
    text_add(out, format_about(about, strtod(digits, NULL)));
    return;
  }
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) text_char(out, ',');
    text_char(out, digits[i]);
  }
}

// Reasons go on with details that would not fit.
static void add_verdict(struct text *out, const struct report_compared *c) {
  text_add(out, verdict_name(c->verdict));
  if (c->verdict == VERDICT_UNKNOWN && c->reason != NULL)
    text_printf(out, " (%.*s)", (int)strcspn(c->reason, ":,"), c->reason);
  if (c->verdict == VERDICT_VIOLATED && c->length >= 0)
    text_printf(out, " in %lld", (long long)c->length);
}

static void add_cell(struct text *out, const struct report_compared *c, int column) {
  char buffer[FORMAT_BYTES];
  bool result = c->problem == NULL;
  switch (column) {
  case ENGINE: text_add(out, c->engine); break;
  case SEARCH: text_add(out, c->search); break;
  case STORE:
    text_add(out, c->store != NULL ? c->store : "-");
    if (c->reduction != NULL) text_printf(out, ", %s", c->reduction);
    break;
  case VERDICT:
    if (result)
      add_verdict(out, c);
    else
      text_add(out, c->wrong ? "FAILED" : "cannot");
    break;
  case STATES:
    if (result && c->states != NULL) add_digits(out, c->states);
    break;
  case DEPTH:
    if (result) text_add(out, format_count(buffer, c->depth));
    break;
  case SECONDS:
    if (result) text_printf(out, "%.2f", c->seconds);
    break;
  case MEMORY:
    if (result) text_add(out, format_size(buffer, c->bytes));
    break;
  }
}

static void measure(struct table *t, const struct report_comparison *c) {
  for (int i = 0; i < COLUMNS; i++) {
    t->width[i] = strlen(titles[i]);
    for (size_t k = 0; k < c->count; k++) {
      struct text cell = {0};
      add_cell(&cell, &c->runs[k], i);
      if (cell.count > t->width[i]) t->width[i] = cell.count;
      text_clear(&cell);
    }
  }
}

static void print_cell(const struct report_text *t, const struct table *table, int column,
                       const char *text) {
  bool number = column >= STATES;
  fprintf(t->out, number ? "  %*s" : "  %-*s", (int)table->width[column], text);
}

static void print_rows(const struct report_text *t, const struct report_comparison *c) {
  struct table table;
  measure(&table, c);
  for (int i = 0; i < COLUMNS; i++) print_cell(t, &table, i, titles[i]);
  fputc('\n', t->out);
  for (size_t k = 0; k < c->count; k++) {
    for (int i = 0; i < COLUMNS; i++) {
      struct text cell = {0};
      add_cell(&cell, &c->runs[k], i);
      print_cell(t, &table, i, text_str(&cell));
      text_clear(&cell);
    }
    fputc('\n', t->out);
  }
}

static bool same_problem(const struct report_compared *a, const struct report_compared *b) {
  return a->problem != NULL && b->problem != NULL && strcmp(a->engine, b->engine) == 0 &&
         strcmp(a->problem, b->problem) == 0;
}

// What stands against all runs of an engine is said once.
static void print_problems(const struct report_text *t, const struct report_comparison *c) {
  for (size_t k = 0; k < c->count; k++) {
    const struct report_compared *r = &c->runs[k];
    if (r->problem == NULL || (k > 0 && same_problem(r - 1, r))) continue;
    struct text label = {0};
    if (k + 1 < c->count && same_problem(r, r + 1))
      text_add(&label, r->engine);
    else
      report_compared_label(&label, r);
    fprintf(t->out, "  %s %s: %s\n", text_str(&label), r->wrong ? "failed" : "cannot", r->problem);
    text_clear(&label);
  }
}

// How many runs say what of it.
static void print_property(const struct report_text *t, const struct report_comparison *c, size_t i,
                           const struct report_compared_property *p) {
  size_t says[3] = {0};
  for (size_t k = 0; k < c->count; k++)
    if (c->runs[k].problem == NULL && i < c->runs[k].properties.count)
      says[c->runs[k].properties.data[i].verdict]++;
  fprintf(t->out, "  %-10s %s:", strcmp(p->kind, p->name) == 0 ? "" : p->kind, p->name);
  const char *comma = "";
  for (int v = 0; v < 3; v++) {
    if (says[v] == 0) continue;
    fprintf(t->out, "%s %s %zu", comma, verdict_name((enum verdict)v), says[v]);
    comma = ",";
  }
  fputc('\n', t->out);
}

static const struct report_compared *longest(const struct report_comparison *c) {
  const struct report_compared *best = NULL;
  for (size_t k = 0; k < c->count; k++)
    if (c->runs[k].problem == NULL &&
        (best == NULL || c->runs[k].properties.count > best->properties.count))
      best = &c->runs[k];
  return best;
}

static bool any_wrong(const struct report_comparison *c) {
  bool wrong = false;
  for (size_t k = 0; k < c->count; k++) wrong = wrong || c->runs[k].wrong;
  return wrong;
}

void report_compare_text(const struct report_text *t, const struct report_comparison *c,
                         const char *disagreements) {
  const struct report_compared *names = longest(c);
  print_rows(t, c);
  if (!t->quiet) {
    print_problems(t, c);
    if (names != NULL) fputs("\n  property: what the runs say of it\n", t->out);
    for (size_t i = 0; names != NULL && i < names->properties.count; i++)
      print_property(t, c, i, &names->properties.data[i]);
  }
  fputc('\n', t->out);
  if (*disagreements != '\0') {
    format_paint(t, FORMAT_RED, "disagreement");
    fprintf(t->out, ", which is a bug in Fathom:\n%s", disagreements);
    return;
  }
  if (any_wrong(c)) {
    format_paint(t, FORMAT_RED, "failed");
    fputs(": a run has no result, which is a bug in Fathom\n", t->out);
    return;
  }
  enum verdict v = report_compare_verdict(c);
  format_paint(t,
               v == VERDICT_HOLDS      ? FORMAT_GREEN
               : v == VERDICT_VIOLATED ? FORMAT_RED
                                       : FORMAT_YELLOW,
               verdict_name(v));
  fputs(names != NULL ? ": no two runs disagree\n" : ": nothing could be run\n", t->out);
}
