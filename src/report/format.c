// SPDX-License-Identifier: Apache-2.0
// How numbers, sizes, times, places and colours look in what users read.
#include "report/format.h"

#include "ir/ir.h"
#include "report/report.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *format_count(char *buffer, uint64_t n) {
  char digits[FORMAT_BYTES];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
  char *out = buffer;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) *out++ = ',';
    *out++ = digits[i];
  }
  *out = '\0';
  return buffer;
}

const char *format_size(char *buffer, uint64_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) value /= 1024, unit++;
  snprintf(buffer, FORMAT_BYTES, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return buffer;
}

const char *format_seconds(char *buffer, double s) {
  uint64_t whole = (uint64_t)s;
  if (s < 0.1)
    snprintf(buffer, FORMAT_BYTES, "%.*f ms", s < 0.01 ? 1 : 0, s * 1000);
  else if (s < 60)
    snprintf(buffer, FORMAT_BYTES, "%.2f s", s);
  else if (s < 3600)
    snprintf(buffer, FORMAT_BYTES, "%" PRIu64 " m %02" PRIu64 " s", whole / 60, whole % 60);
  else
    snprintf(buffer, FORMAT_BYTES, "%" PRIu64 " h %02" PRIu64 " m", whole / 3600, whole / 60 % 60);
  return buffer;
}

const char *format_rate(char *buffer, double per_second) {
  if (per_second >= 1e6)
    snprintf(buffer, FORMAT_BYTES, "%.2f M", per_second / 1e6);
  else
    format_count(buffer, (uint64_t)per_second);
  return buffer;
}

const char *format_about(char *buffer, double n) {
  if (n < 1e15)
    format_count(buffer, (uint64_t)n);
  else
    snprintf(buffer, FORMAT_BYTES, "%.6g", n);
  return buffer;
}

// Digits in groups of three, however many there are.
static void add_digits(struct text *out, const char *digits) {
  for (size_t i = 0, length = strlen(digits); i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) text_char(out, ',');
    text_char(out, digits[i]);
  }
}

void format_states(struct text *out, const struct result *r) {
  char count[FORMAT_BYTES];
  if (r->states_exact == NULL && r->stats.states == UINT64_MAX) { // counted no further
    text_add(out, "more than 2^64 states");
    return;
  }
  if (r->states_exact == NULL) {
    text_printf(out, "%s state%s", format_count(count, r->stats.states),
                r->stats.states == 1 ? "" : "s");
    return;
  }
  text_printf(out, "%s states (", format_about(count, strtod(r->states_exact, NULL)));
  add_digits(out, r->states_exact);
  text_char(out, ')');
}

const char *format_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

void format_place(struct text *out, struct span span) {
  if (span.source == NULL) return;
  text_printf(out, "%s:%u:%u", span.source->path, span.line, span.column);
}

bool report_colour(FILE *out) {
  const char *no_color = getenv("NO_COLOR");
  const char *terminal = getenv("TERM");
  if (no_color != NULL && *no_color != '\0') return false;
  if (terminal == NULL || strcmp(terminal, "dumb") == 0) return false;
  return isatty(fileno(out)) == 1;
}

size_t report_columns(FILE *out) {
  struct winsize size;
  bool told = isatty(fileno(out)) == 1 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0;
  return told ? size.ws_col : 0;
}

void format_paint(const struct report_text *t, enum format_colour c, const char *s) {
  static const char *const codes[] = {
      [FORMAT_RED] = "1;31", [FORMAT_GREEN] = "1;32", [FORMAT_YELLOW] = "1;33",
      [FORMAT_BOLD] = "1",   [FORMAT_DIM] = "2",
  };
  if (t->colour)
    fprintf(t->out, "\033[%sm%s\033[0m", codes[c], s);
  else
    fputs(s, t->out);
}

const char *format_formula(const struct ir_model *m, size_t property) {
  if (property >= m->properties.count || strcmp(m->language, "smv") != 0) return NULL;
  const struct ir_property *p = m->properties.data[property];
  bool given = p->span.source != NULL && strcmp(p->span.source->path, "--ltl") == 0;
  return given ? NULL : p->text;
}

static void add_property(struct text *out, const struct ir_model *m, const struct ir_property *p) {
  if (p->kind == IR_PROP_ACCEPTANCE || p->kind == IR_PROP_PROGRESS) {
    text_add(out, p->kind == IR_PROP_ACCEPTANCE ? "acceptance cycle" : "non-progress cycle");
    return;
  }
  static const char *const kinds[] = {
      [IR_PROP_INVARIANT] = "invariant", [IR_PROP_ASSUME] = "assumption",
      [IR_PROP_COVER] = "cover goal",    [IR_PROP_LIVENESS] = "liveness property",
      [IR_PROP_LTL] = "LTL property",    [IR_PROP_CTL] = "CTL property",
      [IR_PROP_NEVER] = "never claim",
  };
  text_printf(out, "%s \"%s\"", kinds[p->kind], p->name);
  if (format_formula(m, p->id) != NULL) text_printf(out, ": %s", p->text);
}

void format_violation(struct text *out, const struct ir_model *m, const struct trace *trace) {
  switch (trace->end) {
  case TRACE_PROPERTY: add_property(out, m, m->properties.data[trace->id]); return;
  case TRACE_SITE: {
    const struct ir_site *site = &m->sites.data[trace->id];
    text_add(out, ir_fault_name(site->fault));
    if (site->message != NULL && *site->message != '\0') text_printf(out, ": %s", site->message);
    if (!trace->in_property) return;
    text_add(out, ", in ");
    add_property(out, m, m->properties.data[trace->property]);
    return;
  }
  case TRACE_DEADLOCK:
    text_add(out, report_has_lines(m) ? "invalid end state (deadlock)" : "deadlock");
    return;
  case TRACE_WITNESS: text_add(out, "nothing"); return;
  }
}

struct span format_violation_span(const struct ir_model *m, const struct trace *trace) {
  switch (trace->end) {
  case TRACE_PROPERTY: return m->properties.data[trace->id]->span;
  case TRACE_SITE: return m->sites.data[trace->id].span;
  default: return (struct span){0};
  }
}

const struct ir_rule *format_rule(const struct ir_model *m, bool start, uint32_t instance) {
  struct ir_rule *const *rules = start ? m->starts.data : m->rules.data;
  size_t count = start ? m->starts.count : m->rules.count;
  for (size_t i = 0; i < count; i++)
    if (instance - rules[i]->first_instance < rules[i]->instances) return rules[i];
  assert(!"an instance number of this model");
  return NULL;
}

// The values of a step's choices, into an array of the rule's choice_count.
static void read_choices(const struct ir_rule *r, const struct trace *t, uint32_t choice,
                         int64_t *values) {
  if (r->choices > 0) {
    ir_choice(r, choice, values);
    return;
  }
  for (uint32_t i = 0; i < r->choice_count && choice + (size_t)i < t->values.count; i++)
    values[i] = t->values.data[choice + i];
}

void format_step(struct text *out, const struct ir_model *m, const struct trace *t, size_t step,
                 bool brief) {
  bool start = step == FORMAT_START;
  uint32_t instance = start ? t->start_instance : t->steps.data[step].instance;
  uint32_t choice = start ? t->start_choice : t->steps.data[step].choice;
  const struct ir_rule *r = format_rule(m, start, instance);
  int64_t *choices = mem_zalloc(r->choice_count + 1, sizeof *choices);
  read_choices(r, t, choice, choices);
  if (brief && strcmp(m->language, "smv") == 0)
    text_add(out,
             r->name); // its choices are next values, which are shown, and inputs, which it prints
  else
    ir_instance_print_values(out, m, start, instance, choices);
  mem_free(choices);
}
