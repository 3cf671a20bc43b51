// SPDX-License-Identifier: Apache-2.0
// Progress of a running search: one line, redrawn, on a terminal; a line every ten seconds
// elsewhere. Searches call at most ten times a second, so drawing at each call is cheap.
#include "bmc/bmc.h"
#include "hybrid/hybrid.h"
#include "report/format.h"
#include "report/report.h"
#include "search/search.h"
#include "symbolic/symbolic.h"

#include <unistd.h>

#define SECONDS_BETWEEN_LINES 10.0
#define SECONDS_UNTIL_DRAWN   0.2 // a short run draws nothing
#define LINE_BYTES            256

void report_progress_init(struct report_progress *p, FILE *out, bool quiet) {
  *p = (struct report_progress){0};
  if (quiet) return;
  p->out = out;
  p->terminal = isatty(fileno(out)) == 1;
}

// A line that wraps round cannot be redrawn: one column less than there are, at every size.
static int line_width(const struct report_progress *p) {
  size_t columns = report_columns(p->out);
  return columns > 0 && columns < LINE_BYTES ? (int)columns - 1 : LINE_BYTES;
}

// Is there anybody to tell, and is it time?
static bool is_time(const struct report_progress *p, double seconds) {
  if (p->out == NULL) return false;
  return p->terminal ? seconds >= SECONDS_UNTIL_DRAWN : seconds >= p->said + SECONDS_BETWEEN_LINES;
}

static void draw(struct report_progress *p, double seconds, const char *line) {
  if (p->terminal)
    fprintf(p->out, "\r%.*s\033[K", line_width(p), line);
  else
    fprintf(p->out, "%s\n", line);
  fflush(p->out);
  p->drawn = true;
  p->said = seconds;
}

void report_progress_tell(void *progress, const struct search_progress *now) {
  struct report_progress *p = progress;
  if (!is_time(p, now->seconds)) return;
  double rate = now->seconds > 0 ? (double)now->states / now->seconds : 0;
  char depth[FORMAT_BYTES], states[FORMAT_BYTES], per_second[FORMAT_BYTES], queue[FORMAT_BYTES],
      memory[FORMAT_BYTES], elapsed[FORMAT_BYTES], line[LINE_BYTES];
  snprintf(line, sizeof line, "depth %s  %s states  %s/s  %s queued  %s  %s",
           format_count(depth, now->depth), format_count(states, now->states),
           format_rate(per_second, rate), format_count(queue, now->queue),
           format_size(memory, now->mem_bytes), format_seconds(elapsed, now->seconds));
  draw(p, now->seconds, line);
}

void report_progress_symbolic(void *progress, const struct symbolic_progress *now) {
  struct report_progress *p = progress;
  if (!is_time(p, now->seconds)) return;
  char depth[FORMAT_BYTES], states[FORMAT_BYTES], nodes[FORMAT_BYTES], ring[FORMAT_BYTES],
      memory[FORMAT_BYTES], elapsed[FORMAT_BYTES], line[LINE_BYTES];
  snprintf(line, sizeof line, "%.80s: depth %s  %s states  %s nodes, %s of the last level  %s  %s",
           now->phase != NULL ? now->phase : "bdd", format_count(depth, now->depth),
           format_about(states, now->states), format_count(nodes, now->nodes),
           format_count(ring, now->ring_nodes), format_size(memory, now->mem_bytes),
           format_seconds(elapsed, now->seconds));
  draw(p, now->seconds, line);
}

void report_progress_bmc(void *progress, const struct bmc_progress *now) {
  struct report_progress *p = progress;
  if (!is_time(p, now->seconds)) return;
  char depth[FORMAT_BYTES], variables[FORMAT_BYTES], clauses[FORMAT_BYTES], memory[FORMAT_BYTES],
      elapsed[FORMAT_BYTES], line[LINE_BYTES];
  snprintf(line, sizeof line, "%.20s%s%.60s: depth %s  %s variables, %s clauses  %s  %s",
           now->phase != NULL ? now->phase : "bmc", now->property != NULL ? " of " : "",
           now->property != NULL ? now->property : "", format_count(depth, now->depth),
           format_count(variables, now->variables), format_count(clauses, now->clauses),
           format_size(memory, now->mem_bytes), format_seconds(elapsed, now->seconds));
  draw(p, now->seconds, line);
}

void report_progress_hybrid(void *progress, const struct hybrid_progress *now) {
  struct report_progress *p = progress;
  if (!is_time(p, now->seconds)) return;
  char depth[FORMAT_BYTES], disjuncts[FORMAT_BYTES], images[FORMAT_BYTES], turns[FORMAT_BYTES],
      memory[FORMAT_BYTES], elapsed[FORMAT_BYTES], line[LINE_BYTES];
  snprintf(line, sizeof line, "%.40s: depth %s  %s in the frontier, %s images, %s turns  %s  %s",
           now->phase != NULL ? now->phase : "hybrid", format_count(depth, now->depth),
           format_count(disjuncts, now->disjuncts), format_count(images, now->images),
           format_count(turns, now->switches), format_size(memory, now->mem_bytes),
           format_seconds(elapsed, now->seconds));
  draw(p, now->seconds, line);
}

void report_progress_end(struct report_progress *p) {
  if (p->out == NULL || !p->terminal || !p->drawn) return;
  fputs("\r\033[K", p->out);
  fflush(p->out);
  p->drawn = false;
}
