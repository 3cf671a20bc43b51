// SPDX-License-Identifier: Apache-2.0
// Marks in the comments of a model's text: the lines in them that begin with "fathom:". What is
// inside the language's strings is no comment.
#include "guide/guide.h"

#include <string.h>

struct style {
  const char *language;
  const char *line;   // begins a comment that ends with its line
  bool block;         // are there comments between /* and */ ?
  const char *quotes; // begin and end strings; a backslash goes before one inside
};

static const struct style styles[] = {
    {"murphi", "--", true, "\""}, {"promela", "//", true, "\"'"}, {"c", "//", true, "\"'"},
    {"smv", "--", true, "\""},    {"ir", "//", false, "\"`"},
};

struct scan {
  struct guide_marks *marks;
  const struct guide_language *language;
  struct text *why;
  unsigned line;
};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool complain(struct scan *s, const char *what) {
  text_printf(s->why, "line %u: %s", s->line, what);
  return false;
}

static bool add_list(struct scan *s, const char *from, const char *to) {
  struct text list = {0}, problem = {0};
  text_add_n(&list, from, (size_t)(to - from));
  bool good = guide_marks_add(s->marks, text_str(&list), s->language, &problem) ||
              complain(s, text_str(&problem));
  text_clear(&list);
  text_clear(&problem);
  return good;
}

// One line of a comment, from..to.
static bool comment_line(struct scan *s, const char *from, const char *to) {
  static const char call[] = "fathom:", mark[] = "mark";
  while (from < to && (blank(*from) || *from == '*' || *from == '-' || *from == '/')) from++;
  if ((size_t)(to - from) < strlen(call) || !begins(from, call)) return true;
  from += strlen(call);
  while (from < to && blank(*from)) from++;
  size_t n = (size_t)(to - from);
  if (n <= strlen(mark) || !begins(from, mark) || !blank(from[strlen(mark)]))
    return complain(s, "after \"fathom:\" only \"mark RULE, ...\" is known");
  return add_list(s, from + strlen(mark), to);
}

// A comment from..to, line by line.
static bool comment(struct scan *s, const char *from, const char *to) {
  for (;;) {
    const char *end = memchr(from, '\n', (size_t)(to - from));
    if (!comment_line(s, from, end ? end : to)) return false;
    if (!end) return true;
    s->line++;
    from = end + 1;
  }
}

// Past the string that begins here; it ends with its line at the latest.
static const char *past_string(const char *at) {
  char quote = *at++;
  for (; *at && *at != '\n' && *at != quote; at++)
    if (*at == '\\' && at[1] && at[1] != '\n') at++;
  return *at == quote ? at + 1 : at;
}

// Past the comment that begins here, and what it says. NULL: that was wrong.
static const char *past_comment(struct scan *s, const char *at, bool block) {
  const char *from = at + 2, *to = block ? strstr(from, "*/") : strchr(from, '\n');
  if (!to) to = from + strlen(from);
  if (!comment(s, from, to)) return NULL;
  return block && *to ? to + 2 : to;
}

static bool scan_text(struct scan *s, const struct style *y, const char *at) {
  while (at && *at) {
    if (begins(at, y->line))
      at = past_comment(s, at, false);
    else if (y->block && begins(at, "/*"))
      at = past_comment(s, at, true);
    else if (strchr(y->quotes, *at))
      at = past_string(at);
    else
      s->line += *at++ == '\n';
  }
  return at != NULL;
}

bool guide_marks_from_text(struct guide_marks *g, const char *model_text, const char *language,
                           const struct guide_language *l, struct text *why) {
  struct scan s = {.marks = g, .language = l, .why = why, .line = 1};
  for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
    if (strcmp(styles[i].language, language) == 0) return scan_text(&s, &styles[i], model_text);
  return true; // a language without comments has no marks in them
}
