// SPDX-License-Identifier: Apache-2.0
// The parts of a line of a trace as SPIN writes it:
//   proc  2 (sender:1) model.pml:34 (state 5) [toR!msg]
#include "report/lines.h"

#include "report/format.h"
#include "report/report.h"

#include "ir/ir.h"

#include <string.h>

#define PRIORITY_UNLESS_SAID ":1"

uint32_t lines_count(const struct ir_rule *r) {
  bool named = r->line_count > 0 && *r->lines[0].process != '\0';
  return named ? r->line_count : 0;
}

bool report_has_lines(const struct ir_model *m) {
  for (size_t i = 0; i < m->rules.count; i++)
    if (lines_count(m->rules.data[i]) > 0) return true;
  return false;
}

// A name ends in its priority where that is not the usual one; ":init:" ends in a colon of its own.
static bool has_priority(const char *process) {
  const char *colon = strrchr(process, ':');
  return colon != NULL && colon[1] != '\0';
}

static void add_process(struct text *out, int32_t agent, const char *process) {
  text_printf(out, "proc %2d (%s%s)", agent, process,
              has_priority(process) ? "" : PRIORITY_UNLESS_SAID);
}

static void add_place(struct text *out, struct span span, uint32_t place) {
  if (span.source != NULL) text_printf(out, "%s:%u", format_basename(span.source->path), span.line);
  if (place > 0) text_printf(out, "%s(state %u)", span.source != NULL ? " " : "", place);
}

void lines_process(struct text *out, const struct ir_line *l) {
  if (l->process != NULL)
    add_process(out, l->agent, l->process);
  else if (l->agent >= 0)
    text_printf(out, "proc %2d", l->agent);
}

void lines_place(struct text *out, const struct ir_line *l) { add_place(out, l->span, l->place); }

void report_where(struct text *out, const struct report_where *w) {
  add_process(out, w->agent, w->process);
  text_char(out, ' ');
  add_place(out, w->span, w->place);
  text_add(out, w->may_end ? " may end here" : " waits for");
  for (uint32_t i = 0; i < w->wait_count && !w->may_end; i++)
    text_printf(out, "%s[%s]", i > 0 ? " or " : " ", w->waits[i]);
  if (w->wait_count == 0 && !w->may_end) text_add(out, " nothing: it has no statement left");
}
