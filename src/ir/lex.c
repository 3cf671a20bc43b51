// SPDX-License-Identifier: Apache-2.0
// The lexer of the IR's text form. It takes any bytes: what is no token comes out as LEX_BAD, and
// every call but the one at the end moves forward.
#include "ir/lex.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const struct {
  enum ir_lex_kind kind;
  const char *text;
} words[] =
    {
#define WORD(id, text) {LEX_##id, text},
        LEX_WORDS(WORD)
#undef WORD
},
  signs[] = {
#define SIGN(id, text) {LEX_##id, text},
      LEX_SIGNS(SIGN)
#undef SIGN
};

enum { WORD_COUNT = sizeof words / sizeof *words, SIGN_COUNT = sizeof signs / sizeof *signs };

void ir_lex_init(struct ir_lex *l, const struct source *s) {
  *l = (struct ir_lex){.source = s, .line = 1, .column = 1};
}

static int peek(const struct ir_lex *l, size_t ahead) {
  size_t at = l->at + ahead;
  return at < l->source->bytes ? (unsigned char)l->source->text[at] : -1;
}

static void skip(struct ir_lex *l) {
  if (peek(l, 0) == '\n')
    l->line++, l->column = 1;
  else
    l->column++;
  l->at++;
}

static void skip_blank(struct ir_lex *l) {
  for (;;) {
    int c = peek(l, 0);
    if (c == '/' && peek(l, 1) == '/')
      while (peek(l, 0) != '\n' && peek(l, 0) >= 0) skip(l);
    else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      skip(l);
    else
      return;
  }
}

static bool name_start(int c) { return c == '_' || (c >= 0 && c < 128 && isalpha(c)); }
static bool name_part(int c) { return name_start(c) || c == '\'' || (c >= '0' && c <= '9'); }

// Is this word the name of a machine integer type, u1 .. u64, i1 .. i64? Then *bits says which.
static bool machine_word(const char *s, size_t n, uint64_t *bits) {
  if (n < 2 || n > 3 || (s[0] != 'u' && s[0] != 'i') || s[1] == '0') return false;
  *bits = 0;
  for (size_t i = 1; i < n; i++) {
    if (s[i] < '0' || s[i] > '9') return false;
    *bits = *bits * 10 + (uint64_t)(s[i] - '0');
  }
  return *bits <= 64;
}

static enum ir_lex_kind word_kind(const char *s, size_t n, uint64_t *bits) {
  if (machine_word(s, n, bits)) return LEX_MACHINE;
  for (int i = 0; i < WORD_COUNT; i++)
    if (strlen(words[i].text) == n && memcmp(words[i].text, s, n) == 0) return words[i].kind;
  return LEX_NAME;
}

static void lex_word(struct ir_lex *l, struct ir_lex_token *t) {
  while (name_part(peek(l, 0))) skip(l);
  size_t n = (size_t)(l->source->text + l->at - t->start);
  t->kind = word_kind(t->start, n, &t->number);
  if (t->kind == LEX_MACHINE && peek(l, 0) == '!' && peek(l, 1) != '=') skip(l); // traps
}

static void lex_number(struct ir_lex *l, struct ir_lex_token *t) {
  t->kind = LEX_NUMBER;
  for (int c; (c = peek(l, 0)) >= '0' && c <= '9'; skip(l)) {
    bool fits = !__builtin_mul_overflow(t->number, UINT64_C(10), &t->number) &&
                !__builtin_add_overflow(t->number, (uint64_t)(c - '0'), &t->number);
    if (!fits) t->kind = LEX_BAD, t->problem = "the number does not fit into 64 bits";
  }
  if (name_part(peek(l, 0))) {
    while (name_part(peek(l, 0))) skip(l);
    t->kind = LEX_BAD, t->problem = "a number runs into a name";
  }
}

static int hex_digit(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One escape sequence after a backslash; says what is wrong with it, or NULL.
static const char *lex_escape(struct ir_lex *l) {
  int c = peek(l, 0);
  if (c < 0 || c == '\n') return "a quoted text does not end on its line";
  skip(l);
  if (strchr("\"`\\nt", c) && c) return NULL;
  if (c != 'x') return "unknown escape sequence: only \\\\ \\\" \\` \\n \\t and \\xHH are known";
  int high = hex_digit(peek(l, 0)), low = high < 0 ? -1 : hex_digit(peek(l, 1));
  if (low < 0) return "\\x needs two hexadecimal digits";
  skip(l);
  skip(l);
  return high + low == 0 ? "a text cannot hold a zero byte" : NULL;
}

static void lex_quoted(struct ir_lex *l, struct ir_lex_token *t, int quote) {
  t->kind = quote == '"' ? LEX_STRING : LEX_NAME;
  skip(l);
  for (int c; (c = peek(l, 0)) != quote;) {
    const char *problem = NULL;
    if (c < 0 || c == '\n') {
      t->kind = LEX_BAD, t->problem = "a quoted text does not end on its line";
      return;
    }
    skip(l);
    if (c == '\\') problem = lex_escape(l);
    if (c == 0) problem = "a text cannot hold a zero byte";
    if (problem && t->kind != LEX_BAD) t->kind = LEX_BAD, t->problem = problem;
  }
  skip(l);
}

static void lex_sign(struct ir_lex *l, struct ir_lex_token *t) {
  for (int i = 0; i < SIGN_COUNT; i++) {
    const char *s = signs[i].text;
    if (peek(l, 0) != s[0] || (s[1] && peek(l, 1) != s[1])) continue;
    for (; *s; s++) skip(l);
    t->kind = signs[i].kind;
    return;
  }
  t->kind = LEX_BAD, t->problem = "this character has no meaning here";
  skip(l);
}

struct ir_lex_token ir_lex_next(struct ir_lex *l) {
  skip_blank(l);
  struct ir_lex_token t = {.start = l->source->text + l->at};
  t.span = (struct span){.source = l->source, .line = l->line, .column = l->column};
  int c = peek(l, 0);
  if (c < 0)
    t.kind = LEX_END;
  else if (name_start(c))
    lex_word(l, &t);
  else if (c >= '0' && c <= '9')
    lex_number(l, &t);
  else if (c == '"' || c == '`')
    lex_quoted(l, &t, c);
  else
    lex_sign(l, &t);
  t.bytes = (size_t)(l->source->text + l->at - t.start);
  t.span.end_line = l->line;
  t.span.end_column = l->column;
  return t;
}

char *ir_lex_text(struct arena *a, const struct ir_lex_token *t) {
  assert(t->kind == LEX_NAME || t->kind == LEX_STRING);
  if (*t->start != '`' && *t->start != '"') return arena_strndup(a, t->start, t->bytes);
  char *text = arena_strndup(a, t->start + 1, t->bytes - 2), *to = text;
  for (const char *from = text; *from; from++) {
    if (*from != '\\') {
      *to++ = *from;
      continue;
    }
    from++;
    if (*from == 'x') {
      *to++ = (char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
      from += 2;
    } else {
      *to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from;
    }
  }
  *to = '\0';
  return text;
}

const char *ir_lex_kind_name(enum ir_lex_kind k) {
  for (int i = 0; i < WORD_COUNT; i++)
    if (words[i].kind == k) return words[i].text;
  for (int i = 0; i < SIGN_COUNT; i++)
    if (signs[i].kind == k) return signs[i].text;
  switch (k) {
  case LEX_NAME: return "a name";
  case LEX_STRING: return "a string";
  case LEX_NUMBER: return "a number";
  default: return "the end of the text";
  }
}

static void print_quoted(struct text *out, const char *s, char quote) {
  text_char(out, quote);
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == (unsigned char)quote || c == '\\')
      text_printf(out, "\\%c", c);
    else if (c == '\n')
      text_add(out, "\\n");
    else if (c == '\t')
      text_add(out, "\\t");
    else if (c < 32 || c == 127)
      text_printf(out, "\\x%02x", c);
    else
      text_char(out, (char)c);
  }
  text_char(out, quote);
}

void ir_lex_print_name(struct text *out, const char *name) {
  uint64_t bits;
  bool plain = name_start((unsigned char)name[0]);
  for (const char *p = name; plain && *p; p++) plain = name_part((unsigned char)*p);
  if (plain && word_kind(name, strlen(name), &bits) == LEX_NAME)
    text_add(out, name);
  else
    print_quoted(out, name, '`');
}

void ir_lex_print_string(struct text *out, const char *s) { print_quoted(out, s, '"'); }
