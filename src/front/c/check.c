// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a program, and what we cannot carry. A check that nobody asked for is an
// assumption: such a step does not exist, and a note says so.
#include "front/c/lower.h"

#include <string.h>

static const struct span nowhere;

struct kind {
  unsigned check;
  enum ir_fault fault;
  const char *name, *assumed;
};
static const struct kind kinds[] = {
    {C_CHECK_BOUNDS, IR_FAULT_INDEX, "bounds", "no index and no pointer leaves its object"},
    {C_CHECK_DIV, IR_FAULT_DIVISION, "div", "nothing is divided by zero"},
    {C_CHECK_OVERFLOW, IR_FAULT_OVERFLOW, "overflow",
     "nothing is shifted by as many bits as it has, and no least number divided by -1"},
    {C_CHECK_NULL, IR_FAULT_MEMORY, "null",
     "no pointer is followed that is null or points to what is gone"},
    {C_CHECK_UNINIT, IR_FAULT_UNDEFINED, "uninit", "nothing is read before it is set"},
    {C_CHECK_LEAK, IR_FAULT_LEAK, "leak", "all memory is freed"},
};

static const struct kind *kind_of(unsigned check) {
  const struct kind *k = kinds;
  while (k->check != check) k++;
  return k;
}

static void note(struct c_lower *w, const struct kind *k, struct span span) {
  if (w->noted & k->check) return;
  w->noted |= k->check;
  diag_add(w->d, DIAG_NOTE, span, "it is assumed that %s (--check %s looks for it)", k->assumed,
           k->name);
}

static const char *message(struct c_lower *w, const char *format, va_list args) {
  struct text t = {0};
  text_vprintf(&t, format, args);
  const char *s = arena_strdup(w->arena, text_str(&t));
  text_clear(&t);
  return s;
}

void c_check(struct c_lower *w, unsigned check, struct ir_expr *holds, struct span span,
             const char *format, ...) {
  const struct kind *k = kind_of(check);
  if (c_is_number(holds, 1)) return;
  if (!(w->config->checks & check)) {
    note(w, k, span);
    c_add(w, ir_assume(w->m, holds, span));
    return;
  }
  va_list args;
  va_start(args, format);
  const char *what = message(w, format, args);
  va_end(args);
  c_add(w, ir_assert(w->m, holds, k->fault, what, span));
}

static void warn(struct c_lower *w, struct span span, const char *what) {
  for (size_t i = 0; i < w->d->count; i++) { // of code that was inlined several times
    const struct diag_entry *e = &w->d->entries[i];
    if (e->span.source == span.source && e->span.line == span.line &&
        e->span.column == span.column && strstr(e->message, what))
      return;
  }
  diag_warning(w->d, span, "%s: what follows is not looked at", what);
}

void c_beyond(struct c_lower *w, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = message(w, format, args);
  va_end(args);
  c_add(w, ir_assert(w->m, ir_bool(w->m, false, nowhere), IR_FAULT_LIMIT, what, span));
  w->is_dead |= w->out == w->body;
}

void c_unable_unless(struct c_lower *w, struct ir_expr *holds, struct span span, const char *what) {
  warn(w, span, what);
  c_add(w, ir_assert(w->m, holds, IR_FAULT_LIMIT, what, span));
}

void c_unable(struct c_lower *w, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = message(w, format, args);
  va_end(args);
  c_unable_unless(w, ir_bool(w->m, false, nowhere), span, what);
  w->is_dead |= w->out == w->body;
}

// The line of the source that it is in.
const char *c_source_text(struct c_lower *w, struct span span) {
  if (!span.source || span.line == 0) return "?";
  const char *s = span.source->text;
  for (uint32_t line = 1; line < span.line; line++) {
    s = strchr(s, '\n');
    if (!s) return "?";
    s++;
  }
  s += strspn(s, " \t");
  size_t n = strcspn(s, "\r\n");
  while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t')) n--;
  return arena_strndup(w->arena, s, n);
}
