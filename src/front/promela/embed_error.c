// SPDX-License-Identifier: Apache-2.0
// What the C compiler has to say about embedded C, at the lines of the model.
#include "front/promela/embed.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGES_MAX = 20 };

static const struct source *source_of(const struct embed *e, const char *path, size_t n) {
  for (size_t i = 0; i < e->texts.count + e->prog->c_units.count; i++) {
    const struct source *s = i < e->texts.count
                                 ? e->texts.data[i].span.source
                                 : e->prog->c_units.data[i - e->texts.count]->span.source;
    if (s && strlen(s->path) == n && strncmp(s->path, path, n) == 0) return s;
  }
  return NULL;
}

// "path:line:column: error: text". False: it is not about the user's text.
static bool report_line(const struct embed *e, const char *line, struct diag *d) {
  static const char *const kinds[] = {": error: ", ": fatal error: "};
  const char *text = NULL, *found = NULL;
  for (size_t i = 0; i < 2 && !found; i++)
    if ((found = strstr(line, kinds[i]))) text = found + strlen(kinds[i]);
  if (!found) return false;
  struct span at = {0};
  const char *path_end = found;
  uint32_t numbers[2] = {0, 0}; // the last, and the one before
  for (int i = 0; i < 2; i++) {
    const char *colon = path_end;
    while (colon > line && colon[-1] != ':') colon--;
    if (colon == line) break;
    numbers[i] = (uint32_t)strtoul(colon, NULL, 10);
    path_end = colon - 1;
  }
  at.source = source_of(e, line, (size_t)(path_end - line));
  at.line = at.end_line = numbers[1] ? numbers[1] : 1;
  at.column = numbers[0] ? numbers[0] : 1;
  at.end_column = at.column + 1;
  if (at.source) diag_error(d, at, "embedded C: %s", text);
  return at.source != NULL;
}

// The compiler's quotes are ours.
static void plain_quotes(char *text) {
  char *to = text;
  for (const char *p = text; *p; to++) {
    bool quote = strncmp(p, "\xe2\x80\x98", 3) == 0 || strncmp(p, "\xe2\x80\x99", 3) == 0;
    *to = quote ? '\'' : *p;
    p += quote ? 3 : 1;
  }
  *to = '\0';
}

void embed_report(const struct embed *e, const char *messages, const char *why, struct diag *d) {
  char *text = mem_strdup(messages);
  int count = 0;
  plain_quotes(text);
  const char *first = "";
  for (char *rest = text, *line; count < MESSAGES_MAX && (line = strtok_r(rest, "\n", &rest));) {
    count += report_line(e, line, d);
    if (!*first && strstr(line, "error: ")) first = line;
  }
  struct span at = e->texts.count           ? e->texts.data[0].span
                   : e->prog->c_units.count ? e->prog->c_units.data[0]->span
                                            : (struct span){0};
  if (count == 0)
    diag_error(d, at, "embedded C cannot be run: %s%s%s", why, *first ? ": " : "", first);
  mem_free(text);
}
