// SPDX-License-Identifier: Apache-2.0
// A growable string to print into.
#pragma once

#include <stdarg.h>
#include <stddef.h>

struct text {
  char *data; // always NUL-terminated once anything was added; NULL when empty
  size_t count, capacity;
};

void text_add(struct text *t, const char *s);
void text_add_n(struct text *t, const char *s, size_t n);
void text_char(struct text *t, char c);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list args);
void text_clear(struct text *t);
const char *text_str(const struct text *t); // "" when empty
