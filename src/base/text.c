// SPDX-License-Identifier: Apache-2.0
// A growable string to print into.
#include "base/text.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void reserve(struct text *t, size_t more) {
  if (t->capacity - t->count > more) return;
  size_t n = t->capacity ? t->capacity * 2 : 64;
  while (n - t->count <= more) n *= 2;
  t->data = mem_realloc(t->data, n);
  t->capacity = n;
}

void text_add_n(struct text *t, const char *s, size_t n) {
  reserve(t, n);
  memcpy(t->data + t->count, s, n);
  t->count += n;
  t->data[t->count] = '\0';
}

void text_add(struct text *t, const char *s) { text_add_n(t, s, strlen(s)); }

void text_char(struct text *t, char c) { text_add_n(t, &c, 1); }

void text_vprintf(struct text *t, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  assert(n >= 0);
  reserve(t, (size_t)n);
  vsnprintf(t->data + t->count, (size_t)n + 1, format, again);
  va_end(again);
  t->count += (size_t)n;
}

void text_printf(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(t, format, args);
  va_end(args);
}

void text_clear(struct text *t) {
  mem_free(t->data);
  *t = (struct text){0};
}

const char *text_str(const struct text *t) { return t->data ? t->data : ""; }
