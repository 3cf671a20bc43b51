// SPDX-License-Identifier: Apache-2.0
// Source texts, spans in them, and the diagnostics about them: file:line:column, the line, a caret.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// One input text. The text stays alive as long as the source.
struct source {
  const char *path; // as the user named it
  const char *text; // NUL-terminated, but may hold other bytes too
  size_t bytes;
};

// Reads a whole file (path "-" is standard input). On failure returns NULL and puts a sentence
// into *why (static or strerror text). Refuses directories and files over 256 MiB.
struct source *source_read(const char *path, const char **why);
struct source *source_from_text(const char *path, const char *text, size_t bytes); // copies
void source_free(struct source *s);
// Drops a byte order mark, and makes every line end a single line feed.
void source_normalise(struct source *s);

// A stretch of source; line and column count from 1. source == NULL means "nowhere".
struct span {
  const struct source *source;
  uint32_t line, column, end_line, end_column; // end is just past the last character
};

// Prints the source line of a span and a caret below; span->source must not be NULL.
void span_print(const struct span *span, FILE *out);

enum diag_level { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag_entry {
  enum diag_level level;
  struct span span;
  char *message;
};

// Collects diagnostics; more than a limit (20) of errors are counted but not kept.
struct diag {
  struct diag_entry *entries;
  size_t count, capacity;
  size_t errors, warnings;
  struct source *
      *sources; // owned: texts of models that could not be loaded, which spans point into
  size_t source_count, source_capacity;
};

void diag_add(struct diag *d, enum diag_level level, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_vadd(struct diag *d, enum diag_level level, struct span span, const char *format,
               va_list args);
// An error, unless the very same was told already: of texts that are read several times.
void diag_vonce(struct diag *d, struct span span, const char *format, va_list args);
#define diag_error(d, span, ...)   diag_add((d), DIAG_ERROR, (span), __VA_ARGS__)
#define diag_warning(d, span, ...) diag_add((d), DIAG_WARNING, (span), __VA_ARGS__)
// Takes a source that diagnostics point into and nobody else keeps; diag_clear frees it.
void diag_keep_source(struct diag *d, struct source *s);
void diag_clear(struct diag *d);
// Normalises the source; false, with an error, when there is nothing to read or a NUL byte in it.
// what: "file" or "text"; expected: what it should hold ("a Murphi model").
bool source_readable(struct source *s, const char *what, const char *expected, struct diag *d);
// Prints all of them in source order, each with its source line and a caret below.
void diag_print(const struct diag *d, FILE *out, bool colour);
