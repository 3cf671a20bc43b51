// SPDX-License-Identifier: Apache-2.0
// Do several checks of one model agree? A bug of one engine shows as a contradiction here: a
// property that holds for one and is violated for another, other numbers of states though all were
// seen, another length of the shortest trace. What a run leaves open contradicts nothing.
#include "report/compare.h"

#include <string.h>

void report_compared_clear(struct report_compared *c) {
  for (size_t i = 0; i < c->properties.count; i++) {
    mem_free(c->properties.data[i].name);
    mem_free(c->properties.data[i].kind);
    mem_free(c->properties.data[i].reason);
  }
  VEC_CLEAR(&c->properties);
  mem_free(c->problem);
  mem_free(c->reason);
  mem_free(c->states);
}

void report_compared_label(struct text *out, const struct report_compared *c) {
  text_printf(out, "%s %s", c->engine, c->search);
  if (c->store != NULL) text_printf(out, " %s", c->store);
  if (c->reduction != NULL) text_printf(out, " with %s", c->reduction);
}

// "states: 12 by explicit bfs exact, 13 by bdd bfs"
static void complain(struct text *lines, const char *what, const struct report_compared *a,
                     const char *a_says, const struct report_compared *b, const char *b_says) {
  text_printf(lines, "%s: %s by ", what, a_says);
  report_compared_label(lines, a);
  text_printf(lines, ", %s by ", b_says);
  report_compared_label(lines, b);
  text_char(lines, '\n');
}

// ---------------------------------------------------------------------------------------------
// Properties

// Does the run leave out properties that it cannot check, and so what may go wrong in them?
static bool leaves_out(const struct report_compared *c) {
  for (size_t i = 0; i < c->properties.count; i++) {
    const char *reason = c->properties.data[i].reason;
    if (reason != NULL && strcmp(reason, "not checked") == 0) return true;
  }
  return false;
}

// The run's property number i, if it has a result, and says something of it.
static const struct report_compared_property *decided(const struct report_compared *c, size_t i) {
  if (c->problem != NULL || i >= c->properties.count) return NULL;
  const struct report_compared_property *p = &c->properties.data[i];
  bool errors = strcmp(p->kind, "error") == 0 && p->verdict == VERDICT_HOLDS;
  if (errors && leaves_out(c)) return NULL;
  return p->verdict != VERDICT_UNKNOWN ? p : NULL;
}

static size_t most_properties(const struct report_comparison *c) {
  size_t most = 0;
  for (size_t k = 0; k < c->count; k++)
    if (c->runs[k].properties.count > most) most = c->runs[k].properties.count;
  return most;
}

static void judge_property(const struct report_comparison *c, size_t i, struct text *lines) {
  const struct report_compared *first = NULL;
  for (size_t k = 0; k < c->count; k++) {
    const struct report_compared_property *p = decided(&c->runs[k], i);
    if (p == NULL) continue;
    if (first == NULL) {
      first = &c->runs[k];
      continue;
    }
    enum verdict other = first->properties.data[i].verdict;
    if (p->verdict == other) continue;
    struct text what = {0};
    text_printf(&what, "%s \"%s\"", p->kind, p->name);
    complain(lines, text_str(&what), first, verdict_name(other), &c->runs[k],
             verdict_name(p->verdict));
    text_clear(&what);
  }
}

// ---------------------------------------------------------------------------------------------
// Numbers

static bool counts_states(const struct report_compared *c) {
  return c->problem == NULL && c->complete && !c->reduced && c->states != NULL;
}

static void judge_states(const struct report_comparison *c, struct text *lines) {
  const struct report_compared *first = NULL;
  for (size_t k = 0; k < c->count; k++) {
    const struct report_compared *r = &c->runs[k];
    if (!counts_states(r)) continue;
    if (first == NULL)
      first = r;
    else if (strcmp(first->states, r->states) != 0)
      complain(lines, "states", first, first->states, r, r->states);
  }
}

// Partial order reduction leaves short ways out.
static bool has_shortest(const struct report_compared *c) {
  bool por = c->reduced && c->reduction != NULL && strcmp(c->reduction, "por") == 0;
  return c->problem == NULL && c->shortest && !por && c->length >= 0;
}

// Of runs that check everything, or of those that leave something out.
static void judge_lengths(const struct report_comparison *c, bool all, struct text *lines) {
  const struct report_compared *first = NULL;
  for (size_t k = 0; k < c->count; k++) {
    const struct report_compared *r = &c->runs[k];
    if (!has_shortest(r) || leaves_out(r) == all) continue;
    if (first == NULL) {
      first = r;
    } else if (first->length != r->length) {
      char a[32], b[32];
      snprintf(a, sizeof a, "%lld steps", (long long)first->length);
      snprintf(b, sizeof b, "%lld steps", (long long)r->length);
      complain(lines, "shortest trace", first, a, r, b);
    }
  }
}

void report_compare_judge(const struct report_comparison *c, struct text *lines) {
  size_t properties = most_properties(c);
  for (size_t i = 0; i < properties; i++) judge_property(c, i, lines);
  judge_states(c, lines);
  judge_lengths(c, true, lines);
  judge_lengths(c, false, lines);
}

// ---------------------------------------------------------------------------------------------

// Was the property asked for, as far as anybody can tell?
static bool is_wanted(const struct report_comparison *c, size_t i) {
  for (size_t k = 0; k < c->count; k++) {
    const struct report_compared *r = &c->runs[k];
    if (r->problem != NULL || i >= r->properties.count) continue;
    const char *reason = r->properties.data[i].reason;
    if (reason == NULL || strcmp(reason, "not selected") != 0) return true;
  }
  return false;
}

enum verdict report_compare_verdict(const struct report_comparison *c) {
  enum verdict v = most_properties(c) > 0 ? VERDICT_HOLDS : VERDICT_UNKNOWN;
  for (size_t i = 0; i < most_properties(c); i++) {
    const struct report_compared_property *p = NULL;
    for (size_t k = 0; k < c->count && p == NULL; k++) p = decided(&c->runs[k], i);
    if (p != NULL && p->verdict == VERDICT_VIOLATED) return VERDICT_VIOLATED;
    if (p == NULL && is_wanted(c, i)) v = VERDICT_UNKNOWN;
  }
  return v;
}
