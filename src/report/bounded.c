// SPDX-License-Identifier: Apache-2.0
// What there is to say of a bounded search, in words: settings, figures, and how to go on from
// where it ended.
#include "report/bounded.h"

#include "report/format.h"

#include <string.h>

#define PLURAL(n) ((n) == 1 ? "" : "s")

void bounded_settings(struct text *out, const struct report_bounded *b) {
  char increment[FORMAT_BYTES], depth[FORMAT_BYTES];
  if (b->increment > 0)
    text_printf(out, "deepens by %s", format_count(increment, b->increment));
  else
    text_add(out, "deepens as it pays");
  if (b->depth_max > 0)
    text_printf(out, " to depth %s", format_count(depth, b->depth_max));
  else
    text_add(out, " until no state is left");
  text_printf(out, ", %s bounding, frontier kept as %s%s", b->bounding,
              strcmp(b->frontier, "tree") == 0 ? "a " : "", b->frontier);
}

void bounded_resumed(struct text *out, const struct report_bounded *b) {
  char depth[FORMAT_BYTES];
  if (b->resume == NULL) return;
  text_printf(out, "goes on from %s, which is complete to depth %s", b->resume,
              format_count(depth, b->resume_depth));
}

static void say_work(struct text *out, const struct stats *s) {
  char iterations[FORMAT_BYTES], again[FORMAT_BYTES], stack[FORMAT_BYTES];
  text_printf(out, "%s iteration%s completed, %s known state%s explored again, stack up to %s",
              format_count(iterations, s->iterations), PLURAL(s->iterations),
              format_count(again, s->reexplored), PLURAL(s->reexplored),
              format_size(stack, s->stack_bytes));
}

// States that are kept whole take no steps.
static void say_frontier(struct text *out, const struct stats *s) {
  char nodes[FORMAT_BYTES], bytes[FORMAT_BYTES], calls[FORMAT_BYTES], steps[FORMAT_BYTES],
      seconds[FORMAT_BYTES];
  text_printf(out, "frontier up to %s node%s in %s", format_count(nodes, s->frontier_nodes),
              PLURAL(s->frontier_nodes), format_size(bytes, s->frontier_bytes));
  if (s->getstate_calls == 0) return;
  text_printf(out, ", %s state%s of it %s", format_count(calls, s->getstate_calls),
              PLURAL(s->getstate_calls), s->getstate_steps > 0 ? "made again" : "taken up");
  if (s->getstate_steps == 0) return;
  text_printf(out, " by %s step%s in %s", format_count(steps, s->getstate_steps),
              PLURAL(s->getstate_steps), format_seconds(seconds, s->getstate_seconds));
}

void bounded_figures(struct text *out, const struct stats *s, int line) {
  if (line == 0)
    say_work(out, s);
  else
    say_frontier(out, s);
}

void bounded_saved(struct text *out, const struct report_bounded *b, const struct result *r) {
  if (b->save_path == NULL) return;
  if (r->saved)
    text_printf(out, "saved in %s", b->save_path);
  else if (r->save_problem != NULL)
    text_printf(out, "not saved in %s: %s", b->save_path, r->save_problem);
  else
    text_printf(out, "nothing to go on with: %s was not written", b->save_path);
}

// Which limit must give way when the search goes on; NULL: none.
static const char *limit_to_raise(const char *reason) {
  static const struct {
    const char *reason, *also;
  } limits[] = {{"depth", "a greater --depth, or none"},
                {"states", "a greater --states, or none"},
                {"memory", "more --memory"}};
  for (size_t i = 0; reason != NULL && i < sizeof limits / sizeof *limits; i++)
    if (strcmp(limits[i].reason, reason) == 0) return limits[i].also;
  return NULL;
}

void bounded_advice(struct text *out, const struct report_bounded *b, const struct result *r) {
  const char *also = limit_to_raise(r->reason);
  if (r->saved)
    text_printf(out, "the same command with --resume %s%s%s", b->save_path,
                also != NULL ? " and " : "", also != NULL ? also : "");
  else if (r->verdict == VERDICT_UNKNOWN && r->frontier > 0 && b->save_path == NULL)
    text_add(out, "--save-frontier FILE keeps what was done, and --resume FILE goes on from there");
}
