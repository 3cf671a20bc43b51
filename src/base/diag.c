// SPDX-License-Identifier: Apache-2.0
// Sources and diagnostics. Entries are printed in source order; what is past the limit is counted.
#include "base/diag.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ERRORS_KEPT = 20, SOURCE_BYTES_MAX = 256 * 1024 * 1024, LINE_SHOWN_MAX = 160 };

struct source *source_from_text(const char *path, const char *text, size_t bytes) {
  struct source *s = mem_alloc(sizeof *s);
  char *copy = mem_alloc(bytes + 1);
  if (bytes) memcpy(copy, text, bytes);
  copy[bytes] = '\0';
  *s = (struct source){.path = mem_strdup(path), .text = copy, .bytes = bytes};
  return s;
}

void source_free(struct source *s) {
  if (!s) return;
  mem_free((char *)s->path);
  mem_free((char *)s->text);
  mem_free(s);
}

static const char *read_all(FILE *f, struct text *t) {
  char chunk[65536];
  size_t n;
  while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) {
    text_add_n(t, chunk, n);
    if (t->count > SOURCE_BYTES_MAX) return "the file is larger than 256 MiB";
  }
  return ferror(f) ? strerror(errno) : NULL;
}

struct source *source_read(const char *path, const char **why) {
  bool standard = strcmp(path, "-") == 0;
  FILE *f = standard ? stdin : fopen(path, "rb");
  if (!f) return *why = strerror(errno), NULL;
  struct stat st;
  if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
    if (!standard) fclose(f);
    return *why = "it is a directory", NULL;
  }
  struct text t = {0};
  *why = read_all(f, &t);
  if (!standard) fclose(f);
  struct source *s =
      *why ? NULL : source_from_text(standard ? "<stdin>" : path, text_str(&t), t.count);
  text_clear(&t);
  return s;
}

void source_normalise(struct source *s) {
  static const char mark[] = "\xef\xbb\xbf";
  char *text = (char *)s->text; // the source's own copy
  size_t from = s->bytes >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0, to = 0;
  for (; from < s->bytes; from++) {
    bool cr = text[from] == '\r';
    if (cr && from + 1 < s->bytes && text[from + 1] == '\n') continue;
    text[to++] = cr ? '\n' : text[from];
  }
  text[to] = '\0';
  s->bytes = to;
}

bool source_readable(struct source *s, const char *what, const char *expected, struct diag *d) {
  source_normalise(s);
  struct span at = {.source = s, .line = 1, .column = 1};
  size_t length = strlen(s->text);
  bool blank = strspn(s->text, " \t\n\f\v") == s->bytes;
  if (length == s->bytes && !blank) return true;
  for (size_t i = 0; i < length && !blank; i++) {
    at.column = s->text[i] == '\n' ? 1 : at.column + 1;
    at.line += s->text[i] == '\n';
  }
  at.end_line = at.line;
  at.end_column = at.column + 1;
  if (blank)
    diag_error(d, at, "the %s is empty; expected %s", what, expected);
  else
    diag_error(d, at, "the %s holds a NUL byte; expected %s", what, expected);
  return false;
}

void diag_vadd(struct diag *d, enum diag_level level, struct span span, const char *format,
               va_list args) {
  d->errors += level == DIAG_ERROR;
  d->warnings += level == DIAG_WARNING;
  if (level == DIAG_ERROR ? d->errors > ERRORS_KEPT : d->count > 4 * ERRORS_KEPT) return;
  struct text message = {0};
  text_vprintf(&message, format, args);
  if (!message.data) text_add(&message, "");
  if (d->count == d->capacity) d->entries = vec_grow(d->entries, &d->capacity, sizeof *d->entries);
  d->entries[d->count++] =
      (struct diag_entry){.level = level, .span = span, .message = message.data};
}

void diag_add(struct diag *d, enum diag_level level, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_vadd(d, level, span, format, args);
  va_end(args);
}

void diag_keep_source(struct diag *d, struct source *s) {
  if (d->source_count == d->source_capacity)
    d->sources = vec_grow(d->sources, &d->source_capacity, sizeof *d->sources);
  d->sources[d->source_count++] = s;
}

void diag_clear(struct diag *d) {
  for (size_t i = 0; i < d->count; i++) mem_free(d->entries[i].message);
  for (size_t i = 0; i < d->source_count; i++) source_free(d->sources[i]);
  mem_free(d->entries);
  mem_free(d->sources);
  *d = (struct diag){0};
}

// The bytes of line `line`; NULL when the source has no such line.
static const char *source_line(const struct source *s, uint32_t line, size_t *n) {
  const char *p = s->text, *end = s->text + s->bytes;
  for (uint32_t i = 1; i < line; i++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return NULL;
    p++;
  }
  const char *stop = memchr(p, '\n', (size_t)(end - p));
  *n = (size_t)((stop ? stop : end) - p);
  return p;
}

// Bytes that are not printable show as '?', and of a very long line only the part round the span is
// shown.
void span_print(const struct span *span, FILE *out) {
  size_t n;
  const char *line = source_line(span->source, span->line, &n);
  if (!line || span->column == 0) return;
  size_t at = span->column - 1 < n ? span->column - 1 : n;
  size_t from = at > LINE_SHOWN_MAX / 2 ? at - LINE_SHOWN_MAX / 2 : 0;
  size_t to = n - from > LINE_SHOWN_MAX ? from + LINE_SHOWN_MAX : n;
  fputs("  ", out);
  for (size_t i = from; i < to; i++) {
    unsigned char c = (unsigned char)line[i];
    fputc(c == '\t' ? ' ' : c < 32 || c == 127 ? '?' : c, out);
  }
  fputs("\n  ", out);
  for (size_t i = from; i < at; i++)
    if (((unsigned char)line[i] & 0xC0) != 0x80) fputc(' ', out); // one column per UTF-8 character
  size_t end = span->end_line == span->line && span->end_column > span->column
                   ? span->end_column - 1
                   : at + 1;
  fputc('^', out);
  for (size_t i = at + 1; i < end && i < to; i++)
    if (((unsigned char)line[i] & 0xC0) != 0x80) fputc('~', out);
  fputc('\n', out);
}

static void print_entry(const struct diag_entry *e, FILE *out, bool colour) {
  static const char *const names[] = {"note", "warning", "error"};
  static const char *const colours[] = {"\033[36m", "\033[35m", "\033[31m"};
  if (e->span.source) {
    fprintf(out, "%s:", e->span.source->path);
    if (e->span.line) fprintf(out, "%u:%u:", e->span.line, e->span.column);
    fputc(' ', out);
  }
  fprintf(out, "%s%s:%s %s\n", colour ? colours[e->level] : "", names[e->level],
          colour ? "\033[0m" : "", e->message);
  if (e->span.source) span_print(&e->span, out);
}

struct ordered {
  const struct diag_entry *entry;
  size_t index, group; // a note stays behind the entry it follows
};

static int compare_entries(const void *a, const void *b) {
  const struct ordered *x = a, *y = b;
  return x->group < y->group   ? -1
         : x->group > y->group ? 1
                               : (x->index > y->index) - (x->index < y->index);
}

static int compare_heads(const void *a, const void *b) {
  const struct ordered *x = a, *y = b;
  const struct span *s = &x->entry->span, *t = &y->entry->span;
  if (s->source != t->source || !s->source) return (x->index > y->index) - (x->index < y->index);
  if (s->line != t->line) return s->line < t->line ? -1 : 1;
  if (s->column != t->column) return s->column < t->column ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

void diag_print(const struct diag *d, FILE *out, bool colour) {
  struct ordered *all = mem_zalloc(d->count, sizeof *all);
  struct ordered *heads = mem_zalloc(d->count, sizeof *heads);
  size_t *rank = mem_zalloc(d->count, sizeof *rank);
  size_t head_count = 0, head = 0;
  for (size_t i = 0; i < d->count; i++) {
    if (d->entries[i].level != DIAG_NOTE || i == 0) {
      head = i;
      heads[head_count++] = (struct ordered){.entry = &d->entries[i], .index = i};
    }
    all[i] = (struct ordered){.entry = &d->entries[i], .index = i, .group = head};
  }
  qsort(heads, head_count, sizeof *heads, compare_heads);
  for (size_t i = 0; i < head_count; i++) rank[heads[i].index] = i;
  for (size_t i = 0; i < d->count; i++) all[i].group = rank[all[i].group];
  qsort(all, d->count, sizeof *all, compare_entries);
  for (size_t i = 0; i < d->count; i++) print_entry(all[i].entry, out, colour);
  if (d->errors > ERRORS_KEPT) fprintf(out, "%zu more errors not shown\n", d->errors - ERRORS_KEPT);
  mem_free(all);
  mem_free(heads);
  mem_free(rank);
}

static bool already_told(const struct diag *d, struct span span, const char *message) {
  for (size_t i = 0; i < d->count; i++) {
    const struct diag_entry *e = &d->entries[i];
    if (e->span.source == span.source && e->span.line == span.line &&
        e->span.column == span.column && strcmp(e->message, message) == 0)
      return true;
  }
  return false;
}

void diag_vonce(struct diag *d, struct span span, const char *format, va_list args) {
  struct text message = {0};
  text_vprintf(&message, format, args);
  if (!already_told(d, span, text_str(&message))) diag_error(d, span, "%s", text_str(&message));
  text_clear(&message);
}
