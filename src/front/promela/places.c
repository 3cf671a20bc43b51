// SPDX-License-Identifier: Apache-2.0
// Where tokens stand in the user's files. The preprocessor keeps lines but not columns: so its
// tokens are followed along the user's line. What a macro expands to stands where the macro is
// used.
#define _GNU_SOURCE // memmem
#include "front/promela/scan.h"

#include <ctype.h>
#include <string.h>

enum { LOOK_AHEAD = 400 }; // bytes of a line that are searched for a token

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Bytes of the token at p, as far as it matters here: a word, a string, or one character.
static size_t token_length(const char *p, size_t n) {
  size_t i = 1;
  if (n == 0) return 0;
  if (is_word(p[0]))
    while (i < n && is_word(p[i])) i++;
  return i;
}

static size_t skip_blanks(const char *p, size_t n, size_t at) {
  for (;;) {
    while (at < n && isspace((unsigned char)p[at])) at++;
    if (at + 1 < n && p[at] == '/' && p[at + 1] == '/') return n;
    if (at + 1 >= n || p[at] != '/' || p[at + 1] != '*') return at;
    const char *end = memmem(p + at + 2, n - at - 2, "*/", 2);
    if (!end) return n;
    at = (size_t)(end - p) + 2;
  }
}

static bool stands_at(const char *line, size_t n, size_t at, const char *text, size_t bytes) {
  if (at + bytes > n || memcmp(line + at, text, bytes) != 0) return false;
  if (!is_word(text[0])) return true;
  return (at == 0 || !is_word(line[at - 1])) && (at + bytes == n || !is_word(line[at + bytes]));
}

// Behind the macro at `at` and its arguments, if it has any.
static size_t behind_macro(const char *line, size_t n, size_t at) {
  size_t next = skip_blanks(line, n, at + token_length(line + at, n - at)), depth = 0;
  if (next >= n || line[next] != '(') return next;
  for (; next < n; next++) {
    depth += line[next] == '(';
    depth -= line[next] == ')';
    if (depth == 0) return skip_blanks(line, n, next + 1);
  }
  return n;
}

// The first place at or behind `at` where the token stands; SIZE_MAX when it is not near.
static size_t find_token(const char *line, size_t n, size_t at, const char *text, size_t bytes) {
  size_t end = n - at > LOOK_AHEAD ? at + LOOK_AHEAD : n;
  for (; at < end; at = skip_blanks(line, n, at + token_length(line + at, n - at)))
    if (stands_at(line, n, at, text, bytes)) return at;
  return SIZE_MAX;
}

// Moves the cursor to where the token is, or to the macro that it comes from. True: it is there.
static bool follow(struct pml_place *p, const char *line, size_t n, const char *text,
                   size_t bytes) {
  const char *next;
  p->cursor = skip_blanks(line, n, p->cursor);
  if (p->cursor >= n) return false;
  if (stands_at(line, n, p->cursor, text, bytes)) return true;
  size_t length = token_length(next = line + p->cursor, n - p->cursor), at;
  if (is_word(*next) && pml_files_macro(p->files, next, length)) {
    at = behind_macro(line, n, p->cursor);
    if (at >= n || !stands_at(line, n, at, text, bytes)) return false;
  } else if ((at = find_token(line, n, p->cursor, text, bytes)) == SIZE_MAX) {
    return false;
  }
  p->cursor = at;
  return true;
}

static struct span follow_token(struct pml_place *p, const char *text, size_t bytes) {
  const struct pml_file *f = &p->files->files.data[p->file];
  size_t n;
  const char *line = pml_file_line(f, p->line, &n);
  bool there = follow(p, line, n, text, bytes);
  size_t at = p->cursor < n ? p->cursor : n > 0 ? n - 1 : 0;
  size_t length = there ? bytes : n > 0 ? token_length(line + at, n - at) : 1;
  if (there) p->cursor += bytes;
  return (struct span){.source = f->source,
                       .line = p->line,
                       .column = (uint32_t)at + 1,
                       .end_line = p->line,
                       .end_column = (uint32_t)(at + length) + 1};
}

void pml_place_line(struct pml_place *p, uint32_t line) {
  p->line = line;
  p->column = 1;
  p->cursor = 0;
}

struct span pml_place_token(struct pml_place *p, const char *text, size_t n) {
  struct span at = {0};
  if (p->file < 0) return at;
  if (p->expanded && n > 0 && !memchr(text, '\n', n)) return follow_token(p, text, n);
  at = (struct span){.source = p->files->files.data[p->file].source,
                     .line = p->line,
                     .column = p->column,
                     .end_line = p->line,
                     .end_column = p->column};
  for (size_t i = 0; i < n; i++) {
    at.end_column = text[i] == '\n' ? 1 : at.end_column + 1;
    at.end_line += text[i] == '\n';
  }
  return at;
}
