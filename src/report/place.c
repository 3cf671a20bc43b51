// SPDX-License-Identifier: Apache-2.0
// Places in the text of a C program. The text is looked at, not parsed: comments, literals and
// preprocessor lines are passed over, braces and parentheses are counted.
#include "report/place.h"

#include <ctype.h>
#include <string.h>

// A character, and where it is.
struct cursor {
  const char *at, *end;
  uint32_t line, column;
};

static struct cursor begin(const struct source *s) {
  return (struct cursor){s->text, s->text + s->bytes, 1, 1};
}

static void next(struct cursor *c) {
  bool line = *c->at++ == '\n';
  c->line += line;
  c->column = line ? 1 : c->column + 1;
}

static bool before(const struct cursor *c, struct span span) {
  if (c->at >= c->end) return false;
  return c->line < span.line || (c->line == span.line && c->column < span.column);
}

static bool looks_at(const struct cursor *c, const char *s) {
  size_t length = strlen(s);
  return (size_t)(c->end - c->at) >= length && memcmp(c->at, s, length) == 0;
}

// A literal, its quotes included.
static void pass_literal(struct cursor *c) {
  char quote = *c->at;
  next(c);
  while (c->at < c->end && *c->at != quote && *c->at != '\n') {
    if (*c->at == '\\' && c->at + 1 < c->end) next(c);
    next(c);
  }
  if (c->at < c->end) next(c);
}

static void pass_until(struct cursor *c, const char *what) {
  while (c->at < c->end && !looks_at(c, what)) next(c);
  for (size_t i = 0; i < strlen(what) && c->at < c->end; i++) next(c);
}

// A preprocessor line goes on where it ends in a backslash.
static void pass_directive(struct cursor *c) {
  while (c->at < c->end && *c->at != '\n') {
    bool goes_on = *c->at == '\\';
    next(c);
    if (goes_on && c->at < c->end) next(c);
  }
}

// Passes what is no code; false: there is code here.
static bool pass(struct cursor *c) {
  if (looks_at(c, "//"))
    pass_until(c, "\n");
  else if (looks_at(c, "/*"))
    pass_until(c, "*/");
  else if (*c->at == '"' || *c->at == '\'')
    pass_literal(c);
  else if (*c->at == '#')
    pass_directive(c);
  else
    return false;
  return true;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

void place_line(struct text *out, struct span span) {
  if (span.source == NULL || span.source->bytes == 0) return;
  struct cursor c = begin(span.source);
  while (before(&c, (struct span){.line = span.line, .column = 1})) next(&c);
  const char *from = c.at, *to = from;
  while (to < c.end && *to != '\n') to++;
  while (from < to && isspace((unsigned char)*from)) from++;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  text_add_n(out, from, (size_t)(to - from));
}

// What is known of the text so far: how deep, and the last word before a parenthesis that is in no
// function, which is the name of the one that may begin there.
struct scan {
  unsigned braces, parentheses;
  const char *word, *name;
  size_t word_length, name_length;
};

static void take(struct scan *s, struct cursor *c) {
  char now = *c->at;
  if (is_word(now)) {
    s->word = c->at;
    while (c->at < c->end && is_word(*c->at)) next(c);
    s->word_length = (size_t)(c->at - s->word);
    return;
  }
  if (now == '(' && s->braces == 0 && s->parentheses == 0 && s->word != NULL) {
    s->name = s->word;
    s->name_length = s->word_length;
  }
  s->parentheses += now == '(';
  s->parentheses -= now == ')' && s->parentheses > 0;
  s->braces += now == '{';
  s->braces -= now == '}' && s->braces > 0;
  if (now == ';' && s->braces == 0) s->name = NULL;
  next(c);
}

void place_function(struct text *out, struct span span) {
  if (span.source == NULL) return;
  struct cursor c = begin(span.source);
  struct scan s = {0};
  while (before(&c, span))
    if (!pass(&c)) take(&s, &c);
  if (s.braces > 0 && s.name != NULL) text_add_n(out, s.name, s.name_length);
}

struct span place_call_end(struct span call) {
  if (call.source == NULL) return call;
  struct cursor c = begin(call.source);
  while (before(&c, call)) next(&c);
  for (unsigned depth = 0; c.at < c.end && *c.at != ';';) {
    if (pass(&c)) continue;
    depth += *c.at == '(';
    if (*c.at == ')' && depth-- <= 1)
      return (struct span){call.source, c.line, c.column, c.line, c.column + 1};
    next(&c);
  }
  return call;
}
