// SPDX-License-Identifier: Apache-2.0
// What there is to say of a search that follows hints, in words: what is marked, how it goes by
// that, who won a race, and what was seen of flows.
#include "report/hints.h"

#include "guide/guide.h"
#include "report/format.h"
#include "report/reasoning.h"

#include <string.h>

#define PLURAL(n) ((n) == 1 ? "" : "s")

static void say_marks(struct text *out, const struct report_hints *h) {
  if (h->marks != NULL)
    text_printf(out, "marked: %s", h->marks);
  else if (h->bias_limit > 0)
    text_add(out, "nothing is marked (--mark, --flow): goes breadth first");
  else if (h->agents > 0)
    text_add(out, "nothing is marked (--mark, --flow): goes one agent at a time, like context");
}

static void say_heuristic(struct text *out, const char *heuristic) {
  if (strcmp(heuristic, "marked") == 0)
    text_add(out, "first where most marked steps are enabled");
  else if (strcmp(heuristic, "auto") == 0)
    text_add(out, "first where most steps are near the properties");
  else
    text_printf(out, "first where this is least: %s", heuristic);
}

static void say_settings(struct text *out, const struct report_run *run) {
  const struct report_hints *h = run->hints;
  char n[FORMAT_BYTES];
  if (h->bias_limit > 0 && h->marks != NULL)
    text_printf(out, "marked steps go ahead from %s state%s of each level",
                format_count(n, h->bias_limit), PLURAL(h->bias_limit));
  else if (h->agents > 0 && h->marks != NULL)
    text_printf(out, "one agent at a time, until %s can take a marked step",
                format_count(n, h->agents));
  else if (h->pattern != NULL)
    reasoning_pattern_plan(out, h->pattern);
  else if (h->heuristic != NULL)
    say_heuristic(out, h->heuristic);
  else if (h->random)
    text_printf(out, "seed %llu", (unsigned long long)run->seed);
}

static void say_racers(struct text *out, const struct report_race *r) {
  for (size_t i = 0; i < r->count; i++)
    text_printf(out, "%s%s",
                i == 0             ? "race of "
                : i + 1 < r->count ? ", "
                                   : " and ",
                r->searches[i]);
}

void hints_plan(struct text *out, const struct report_run *run, int line) {
  switch (line) {
  case 0: say_marks(out, run->hints); break;
  case 1: say_settings(out, run); break;
  default: say_racers(out, &run->hints->race); break;
  }
}

void hints_winner(struct text *out, const struct report_race *r) {
  if (r->count == 0) return;
  if (r->winner != NULL)
    text_printf(out, "%s won the race", r->winner);
  else
    text_printf(out, "nobody won the race; %s came farthest", r->figures_of);
}

static void say_times(struct text *out, uint64_t n) {
  char count[FORMAT_BYTES];
  if (n == 1)
    text_add(out, "once");
  else
    text_printf(out, "%s times", format_count(count, n));
}

void hints_flow(struct text *out, const struct guide_flow_report *f) {
  if (f->started == 0) {
    text_add(out, "never began");
    return;
  }
  text_add(out, "began ");
  say_times(out, f->started);
  text_add(out, f->completed > 0 ? ", completed " : ", never completed");
  if (f->completed > 0) say_times(out, f->completed);
  text_printf(out, ", %s%u at once", f->at_once > 1 ? "up to " : "", f->at_once);
}

void hints_never(struct text *out, const struct guide_flow_report *f) {
  for (size_t i = 0; i < f->never.count; i++)
    text_printf(out, "%s%s", i == 0 ? "never in this order: " : ", ", f->never.data[i]);
}

void hints_lost(struct text *out, const struct report_hints *h) {
  char n[FORMAT_BYTES];
  if (h->flows_lost > 0)
    text_printf(out, "%s step%s not followed: the flows go together in too many ways",
                format_count(n, h->flows_lost), PLURAL(h->flows_lost));
}
