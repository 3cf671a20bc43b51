// SPDX-License-Identifier: Apache-2.0
// The text side of emission: lines, temporaries, literals, and names of the model made harmless.
#include "sys/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { INDENT_MAX = 40 }; // deeper code would be mostly spaces

void emit_line(struct emit *e, const char *format, ...) {
  va_list args;
  for (int i = 0; i < e->indent && i < INDENT_MAX; i++) text_add(e->out, "  ");
  va_start(args, format);
  text_vprintf(e->out, format, args);
  va_end(args);
  text_char(e->out, '\n');
}

const char *emit_format(struct emit *e, const char *format, ...) {
  struct text t = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  const char *s = arena_strdup(e->arena, text_str(&t));
  text_clear(&t);
  return s;
}

static void take_words(struct emit *e, uint64_t n) {
  e->words += n;
  if (e->words > e->words_max) e->words_max = e->words;
}

const char *emit_temp(struct emit *e) {
  take_words(e, 1);
  return emit_format(e, "t%u", ++e->temps);
}

const char *emit_array(struct emit *e, const char *type, uint64_t count) {
  const char *t = emit_temp(e);
  take_words(e, count);
  emit_line(e, "%s %s[%" PRIu64 "];", type, t, count ? count : 1);
  return t;
}

const char *emit_keep(struct emit *e, const char *value) {
  const char *t = emit_temp(e);
  emit_line(e, "int64_t %s = %s;", t, value);
  return t;
}

const char *emit_simple(struct emit *e, const char *value) {
  const char *p = value;
  while (isalnum((unsigned char)*p) || *p == '_') p++;
  return *p ? emit_keep(e, value) : value;
}

const char *emit_bare(struct emit *e, const char *value) {
  size_t n = strlen(value);
  int open = 0;
  if (value[0] != '(') return value;
  for (size_t i = 0; i < n; i++) {
    open += value[i] == '(';
    open -= value[i] == ')';
    if (open == 0) return i + 1 == n ? arena_strndup(e->arena, value + 1, n - 2) : value;
  }
  return value;
}

const char *emit_number(struct emit *e, int64_t value) {
  if (value == INT64_MIN) return "INT64_MIN";
  if (value < INT32_MIN || value > INT32_MAX) return emit_format(e, "INT64_C(%" PRId64 ")", value);
  return emit_format(e, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

// Fit for a string and for a line comment that goes on after it: no line end, no quote, no
// backslash that stands alone, no comment end, no trigraph.
const char *emit_escape(struct emit *e, const char *s) {
  struct text t = {0};
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_printf(&t, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f || c == '?' || (c == '*' && s[1] == '/'))
      text_printf(&t, "\\%03o", c);
    else
      text_char(&t, (char)c);
  }
  const char *result = arena_strdup(e->arena, text_str(&t));
  text_clear(&t);
  return result;
}

void emit_source_line(struct emit *e, struct span span) {
  if (!span.source || span.line == 0) return;
  if (e->line.source == span.source && e->line.line == span.line) return;
  e->line = span;
  // the file's own name: a model compiles to the same text wherever it lies
  const char *slash = strrchr(span.source->path, '/');
  text_printf(e->out, "#line %u \"%s\"\n", span.line,
              emit_escape(e, slash ? slash + 1 : span.source->path));
}

void emit_generated_line(struct emit *e) { text_add(e->out, "#line 1 \"generated\"\n"); }

void emit_fail_if(struct emit *e, const char *condition, uint32_t site) {
  e->may_fail = true;
  emit_line(e, "if (FATHOM_UNLIKELY(%s)) return fathom_fault(%u);", condition, site);
}
