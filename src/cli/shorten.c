// SPDX-License-Identifier: Apache-2.0
// Traces of searches that do not find shortest ones are made shorter before anyone sees them.
#include "cli/cli.h"

#include "search/search.h"
#include "search/shrink.h"

// Unless the user says: as long as the search took, within these.
#define SECONDS_LEAST 1.0
#define SECONDS_MOST  10.0
#define SECONDS_TINY  0.001 // 0 would be no limit
// What a run that must come out the same each time goes by instead of the clock.
#define MEM_DETERMINISTIC ((size_t)32 << 20)

static double seconds_for_all(const struct options *o, const struct stats *s) {
  if (options_given(o, "shrink")) return o->shrink;
  double seconds = s->seconds;
  if (o->time > 0 && seconds > o->time - s->total_seconds) seconds = o->time - s->total_seconds;
  if (seconds > SECONDS_MOST) seconds = SECONDS_MOST;
  return seconds > SECONDS_LEAST ? seconds : SECONDS_LEAST;
}

// The limit is the process's, and one trace has it at a time.
static size_t memory_left(size_t limit) {
  size_t resident = mem_resident();
  if (limit == 0) return 0;
  return limit > resident && limit - resident > limit / 4 ? limit - resident : limit / 4;
}

// A run that must come out the same each time has no limit but --time (0: none).
static double limit_left(const struct options *o, const struct search_config *c) {
  double left = o->time - (clock_seconds() - c->started);
  if (o->time <= 0) return 0;
  return left > SECONDS_TINY ? left : SECONDS_TINY;
}

void cli_shorten(struct result *r, const struct search_config *c, const struct options *o) {
  if (r->traces.count == 0) return;
  struct shrink_config config = {
      .sys = c->sys,
      .model = c->model,
      .deadlock = c->deadlock,
      .property_on = c->property_on,
      .mem_bytes =
          o->deterministic ? MEM_DETERMINISTIC / r->traces.count : memory_left(c->budget.mem_bytes),
  };
  double all = seconds_for_all(o, &r->stats), until = clock_seconds() + all;
  if (all == 0) return;
  for (size_t i = 0; i < r->traces.count; i++) {
    double left = until - clock_seconds();
    if (left <= 0 && !o->deterministic) break;
    config.seconds = o->deterministic ? limit_left(o, c) : left / (double)(r->traces.count - i);
    shrink_trace(&r->traces.data[i], &config);
  }
  r->stats.total_seconds = clock_seconds() - c->started;
}
