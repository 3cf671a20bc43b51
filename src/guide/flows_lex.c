// SPDX-License-Identifier: Apache-2.0
// The lexer of files of flows. It takes any bytes: what is no token comes out as FLOW_BAD.
#include "guide/flows_lex.h"

#include "guide/rules.h"

#include <string.h>

static int peek(const struct flow_lexer *l, size_t ahead) {
  size_t at = l->at + ahead;
  return at < l->source->bytes ? (unsigned char)l->source->text[at] : -1;
}

static void skip(struct flow_lexer *l) {
  if (peek(l, 0) == '\n')
    l->line++, l->column = 1;
  else
    l->column++;
  l->at++;
}

static bool two(const struct flow_lexer *l, char a, char b) {
  return peek(l, 0) == a && peek(l, 1) == b;
}

static void skip_line(struct flow_lexer *l) {
  while (peek(l, 0) >= 0 && peek(l, 0) != '\n') skip(l);
}

static bool skip_block(struct flow_lexer *l) {
  for (skip(l), skip(l); !two(l, '*', '/'); skip(l))
    if (peek(l, 0) < 0) return false;
  skip(l);
  skip(l);
  return true;
}

static struct span here(const struct flow_lexer *l) {
  return (struct span){.source = l->source, .line = l->line, .column = l->column};
}

// Past blanks and comments; *at is where that ends. False: the comment that begins *at does not
// end.
static bool skip_blank(struct flow_lexer *l, struct span *at) {
  for (;;) {
    int c = peek(l, 0);
    *at = here(l);
    if (two(l, '/', '*')) {
      if (!skip_block(l)) return false;
    } else if (two(l, '-', '-') || two(l, '/', '/')) {
      skip_line(l);
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      skip(l);
    } else {
      return true;
    }
  }
}

static void bad(struct flow_token *t, const char *problem) {
  t->kind = FLOW_BAD;
  t->problem = problem;
}

static void lex_string(struct flow_lexer *l, struct flow_token *t) {
  struct text name = {0};
  t->kind = FLOW_STRING;
  skip(l);
  for (int c; (c = peek(l, 0)) != '"'; skip(l)) {
    if (c == '\\' && peek(l, 1) >= 0) skip(l), c = peek(l, 0);
    if (c < 0 || c == '\n') {
      bad(t, "the quoted name does not end on its line");
      break;
    }
    if (c == 0) bad(t, "a name cannot hold a zero byte");
    text_char(&name, (char)c);
  }
  if (peek(l, 0) == '"') skip(l);
  t->text = arena_strdup(l->arena, text_str(&name));
  text_clear(&name);
}

static void lex_word(struct flow_lexer *l, struct flow_token *t, bool number) {
  size_t from = l->at;
  t->kind = number ? FLOW_NUMBER : FLOW_NAME;
  do {
    int c = peek(l, 0);
    if (l->at > from && number && (c < '0' || c > '9')) bad(t, "a number runs into a name");
    skip(l);
  } while (guide_name_letter(peek(l, 0)));
  t->text = arena_strndup(l->arena, l->source->text + from, l->at - from);
}

static bool digit(int c) { return c >= '0' && c <= '9'; }

static void lex_token(struct flow_lexer *l, struct flow_token *t) {
  int c = peek(l, 0);
  if (digit(c) || (c == '-' && digit(peek(l, 1)))) return lex_word(l, t, true);
  if (guide_name_letter(c) || (c == '#' && digit(peek(l, 1)))) return lex_word(l, t, false);
  if (c == '"') return lex_string(l, t);
  if (two(l, '-', '>')) {
    t->kind = FLOW_ARROW;
    skip(l);
  } else if (c > 0 && strchr("(){},;", c)) {
    t->kind = FLOW_SIGN;
    t->sign = (char)c;
  } else {
    bad(t, "this character has no meaning here");
  }
  skip(l);
}

struct flow_token guide_flow_lex(struct flow_lexer *l) {
  struct flow_token t = {.kind = FLOW_END};
  if (!skip_blank(l, &t.span))
    bad(&t, "the comment does not end with */");
  else if (peek(l, 0) >= 0)
    lex_token(l, &t);
  t.span.end_line = l->line;
  t.span.end_column = l->column;
  return t;
}
