// SPDX-License-Identifier: Apache-2.0
// Cuts a formula's text into lexemes. Brackets are balanced here: square ones and braces are one
// lexeme with all that is inside, parentheses know their partner. Any bytes will do.
#include "ltl/scan.h"

#include <ctype.h>
#include <string.h>

// How tightly binary operators bind; SPIN's order, with & and | of languages that have them.
enum { LEVEL_ARROW = 1, LEVEL_OR, LEVEL_AND, LEVEL_OR_SIGN, LEVEL_AND_SIGN, LEVEL_UNTIL };

enum { IN_C = 1 << LTL_STYLE_C, IN_MURPHI = 1 << LTL_STYLE_MURPHI, IN_IR = 1 << LTL_STYLE_IR };
enum { IN_PROGRAMS = IN_C | IN_MURPHI, IN_ALL_BUT_IR = IN_PROGRAMS | 1 << LTL_STYLE_NONE };

struct operator_row {
  const char *text;
  enum ltl_op op;
  int level;  // 0: unary
  int own_in; // styles in which atoms may hold it
  int not_in; // styles in which it is no operator
};

static const struct operator_row signs[] = {
    {"<->", LTL_EQUIV, LEVEL_ARROW, 0, 0},
    {"->", LTL_IMPLIES, LEVEL_ARROW, IN_MURPHI | IN_IR, 0},
    {"\xe2\x86\x92", LTL_IMPLIES, LEVEL_ARROW, IN_MURPHI, 0}, // rightwards arrow
    {"||", LTL_OR, LEVEL_OR, IN_C | IN_MURPHI, 0},
    {"\\/", LTL_OR, LEVEL_OR, 0, 0},
    {"\xe2\x88\xa8", LTL_OR, LEVEL_OR, IN_MURPHI, 0}, // logical or
    {"&&", LTL_AND, LEVEL_AND, IN_C | IN_MURPHI, 0},
    {"/\\", LTL_AND, LEVEL_AND, 0, 0},
    {"\xe2\x88\xa7", LTL_AND, LEVEL_AND, IN_MURPHI, 0}, // logical and
    {"|", LTL_OR, LEVEL_OR_SIGN, IN_MURPHI | IN_IR, IN_C},
    {"&", LTL_AND, LEVEL_AND_SIGN, IN_MURPHI | IN_IR, IN_C},
    {"[]", LTL_ALWAYS, 0, 0, 0},
    {"<>", LTL_EVENTUALLY, 0, 0, 0},
    {"!", LTL_NOT, 0, IN_C | IN_MURPHI | IN_IR, 0},
    {"\xc2\xac", LTL_NOT, 0, IN_MURPHI, 0}, // not sign
};

static const struct operator_row words[] = {
    {"U", LTL_UNTIL, LEVEL_UNTIL, 0, 0},
    {"V", LTL_RELEASE, LEVEL_UNTIL, 0, 0},
    {"R", LTL_RELEASE, LEVEL_UNTIL, 0, 0},
    {"W", LTL_WEAK, LEVEL_UNTIL, 0, 0},
    {"until", LTL_UNTIL, LEVEL_UNTIL, 0, 0},
    {"stronguntil", LTL_UNTIL, LEVEL_UNTIL, 0, 0},
    {"weakuntil", LTL_WEAK, LEVEL_UNTIL, 0, 0},
    {"release", LTL_RELEASE, LEVEL_UNTIL, 0, 0},
    {"and", LTL_AND, LEVEL_AND, 0, 0},
    {"or", LTL_OR, LEVEL_OR, 0, 0},
    {"implies", LTL_IMPLIES, LEVEL_ARROW, 0, 0},
    {"equivalent", LTL_EQUIV, LEVEL_ARROW, 0, 0},
    {"X", LTL_NEXT, 0, 0, 0},
    {"G", LTL_ALWAYS, 0, 0, 0},
    {"F", LTL_EVENTUALLY, 0, 0, 0},
    {"next", LTL_NEXT, 0, 0, 0},
    {"always", LTL_ALWAYS, 0, 0, 0},
    {"eventually", LTL_EVENTUALLY, 0, 0, 0},
    {"not", LTL_NOT, 0, 0, 0},
    {"Y", LTL_PREVIOUS, 0, 0, IN_ALL_BUT_IR},
    {"Z", LTL_WEAK_PREVIOUS, 0, 0, IN_ALL_BUT_IR},
    {"O", LTL_ONCE, 0, 0, IN_ALL_BUT_IR},
    {"H", LTL_HISTORICALLY, 0, 0, IN_ALL_BUT_IR},
    {"S", LTL_SINCE, LEVEL_UNTIL, 0, IN_ALL_BUT_IR},
    {"T", LTL_TRIGGERED, LEVEL_UNTIL, 0, IN_ALL_BUT_IR},
    {"previous", LTL_PREVIOUS, 0, 0, IN_PROGRAMS},
    {"weakprevious", LTL_WEAK_PREVIOUS, 0, 0, IN_PROGRAMS},
    {"once", LTL_ONCE, 0, 0, IN_PROGRAMS},
    {"historically", LTL_HISTORICALLY, 0, 0, IN_PROGRAMS},
    {"since", LTL_SINCE, LEVEL_UNTIL, 0, IN_PROGRAMS},
    {"triggered", LTL_TRIGGERED, LEVEL_UNTIL, 0, IN_PROGRAMS},
};

// Signs of the atoms' languages that begin like an operator.
static const char *const other_signs[] = {"!=", "<=", ">=", "==", "<<", ">>", "++", "--", ".."};

struct scan {
  const struct source *source;
  enum ltl_style style;
  struct diag *diag;
  const char *at, *end;
  uint32_t line, column;
  struct ltl_lexemes *out;
  VEC(uint32_t) open; // parentheses that wait for their partner
};

static bool name_start(unsigned char c) { return c < 128 && (isalpha(c) || c == '_'); }
static bool name_part(unsigned char c) { return c < 128 && (isalnum(c) || c == '_'); }

static bool here(const struct scan *s, const char *text) {
  size_t n = strlen(text);
  return (size_t)(s->end - s->at) >= n && memcmp(s->at, text, n) == 0;
}

static void skip(struct scan *s, size_t bytes) {
  for (; bytes > 0 && s->at < s->end; bytes--, s->at++) {
    s->column = *s->at == '\n' ? 1 : s->column + 1;
    s->line += *s->at == '\n';
  }
}

static bool fail(struct scan *s, struct span at, const char *message) {
  diag_error(s->diag, at, "%s", message);
  return false;
}

static void skip_to(struct scan *s, const char *text) {
  while (s->at < s->end && !here(s, text)) skip(s, 1);
}

// Blanks, and comments of either language.
static bool skip_blank(struct scan *s) {
  const char *before = s->at;
  if (here(s, "/*")) {
    skip(s, 2);
    skip_to(s, "*/");
    skip(s, 2);
  } else if (here(s, "//") || (s->style == LTL_STYLE_MURPHI && here(s, "--"))) {
    skip_to(s, "\n");
  } else {
    while (s->at < s->end && isspace((unsigned char)*s->at)) skip(s, 1);
  }
  return s->at != before;
}

static struct ltl_lexeme begin(const struct scan *s) {
  struct ltl_lexeme x = {.kind = LEXEME_SIGN, .start = s->at};
  x.span = (struct span){.source = s->source, .line = s->line, .column = s->column};
  return x;
}

static void finish(struct scan *s, struct ltl_lexeme *x) {
  x->bytes = (size_t)(s->at - x->start);
  x->span.end_line = s->line;
  x->span.end_column = s->column;
}

static bool skip_quoted(struct scan *s) {
  struct ltl_lexeme x = begin(s);
  char quote[] = {*s->at, '\0'};
  skip(s, 1);
  skip_to(s, quote);
  finish(s, &x);
  if (s->at == s->end) return fail(s, x.span, "the quoted text does not end");
  skip(s, 1);
  return true;
}

// From a bracket or brace to its partner, over all that is inside.
static bool skip_group(struct scan *s) {
  VEC(char) open = {0};
  struct span at = begin(s).span;
  at.end_line = at.line, at.end_column = at.column + 1;
  bool fits = true;
  do {
    char c = s->at == s->end ? '\0' : *s->at;
    if (c == '[' || c == '{' || c == '(')
      VEC_PUSH(&open, c == '(' ? ')' : (char)(c + 2));
    else if (c == ']' || c == '}' || c == ')')
      fits = VEC_POP(&open) == c;
    else if (c == '\0')
      fits = false;
    if (fits && c == '"')
      fits = skip_quoted(s);
    else if (fits)
      skip(s, 1);
    else
      fail(s, at, "the bracket has no partner");
  } while (fits && open.count);
  VEC_CLEAR(&open);
  return fits;
}

static void set_operator(struct ltl_lexeme *x, const struct operator_row *r, enum ltl_style style) {
  x->kind = r->level ? LEXEME_BINARY : LEXEME_UNARY;
  x->op = r->op;
  x->level = r->level;
  x->own = r->own_in >> style & 1;
}

bool ltl_scan_word(const char *word, size_t bytes, enum ltl_style style, struct ltl_lexeme *out) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i].text) != bytes || memcmp(words[i].text, word, bytes) != 0) continue;
    if (words[i].not_in >> style & 1) continue;
    set_operator(out, &words[i], style);
    return true;
  }
  return false;
}

static void scan_sign(struct scan *s, struct ltl_lexeme *x) {
  for (size_t i = 0; i < sizeof other_signs / sizeof *other_signs; i++)
    if (here(s, other_signs[i])) return skip(s, 2);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (signs[i].not_in >> s->style & 1 || !here(s, signs[i].text)) continue;
    set_operator(x, &signs[i], s->style);
    return skip(s, strlen(signs[i].text));
  }
  skip(s, 1);
}

static bool scan_parenthesis(struct scan *s, struct ltl_lexeme *x) {
  x->kind = *s->at == '(' ? LEXEME_OPEN : LEXEME_CLOSE;
  uint32_t index = (uint32_t)s->out->list.count;
  skip(s, 1);
  finish(s, x);
  if (x->kind == LEXEME_OPEN) {
    VEC_PUSH(&s->open, index);
    return true;
  }
  if (s->open.count == 0) return fail(s, x->span, "the parenthesis has no partner");
  s->out->list.data[VEC_POP(&s->open)].match = index;
  return true;
}

static bool scan_quoted(struct scan *s, struct ltl_lexeme *x) {
  x->kind = LEXEME_QUOTED;
  if (!skip_quoted(s)) return false;
  finish(s, x);
  x->start++; // the quotes are no part of it
  x->bytes -= 2;
  x->span.column++;
  x->span.end_column--;
  if (x->bytes == 0) return fail(s, x->span, "there is nothing between the quotes");
  return true;
}

static bool scan_lexeme(struct scan *s) {
  struct ltl_lexeme x = begin(s);
  unsigned char c = (unsigned char)*s->at;
  bool fits = true;
  if (name_start(c) || isdigit(c)) {
    x.kind = name_start(c) ? LEXEME_WORD : LEXEME_NUMBER;
    while (s->at < s->end && name_part((unsigned char)*s->at)) skip(s, 1);
  } else if (c == '(' || c == ')') {
    fits = scan_parenthesis(s, &x);
  } else if (c == '"') {
    fits = scan_quoted(s, &x);
  } else if (c == '`') { // a name of the IR's text form
    x.kind = LEXEME_WORD;
    fits = skip_quoted(s);
  } else if (c == '{' || (c == '[' && !here(s, "[]"))) {
    x.kind = LEXEME_GROUP;
    fits = skip_group(s);
  } else if (c == ']' || c == '}') {
    skip(s, 1);
    finish(s, &x);
    fits = fail(s, x.span, "the bracket has no partner");
  } else {
    scan_sign(s, &x);
  }
  if (x.kind != LEXEME_QUOTED) finish(s, &x);
  VEC_PUSH(&s->out->list, x);
  return fits;
}

static bool scan_all(struct scan *s) {
  while (true) {
    while (skip_blank(s)) {
    }
    if (s->at == s->end) break;
    if (!scan_lexeme(s)) return false;
  }
  if (s->open.count)
    return fail(s, s->out->list.data[VEC_TOP(&s->open)].span, "the parenthesis has no partner");
  struct ltl_lexeme end = begin(s);
  end.kind = LEXEME_END;
  finish(s, &end);
  end.span.end_column++;
  VEC_PUSH(&s->out->list, end);
  return true;
}

bool ltl_scan(struct ltl_lexemes *out, const struct source *source, enum ltl_style style,
              struct diag *d) {
  struct scan s = {.source = source, .style = style, .diag = d, .out = out};
  s.at = source->text;
  s.end = source->text + source->bytes;
  s.line = s.column = 1;
  bool fits = scan_all(&s);
  VEC_CLEAR(&s.open);
  return fits;
}
