// SPDX-License-Identifier: Apache-2.0
// The user's files: the model's own and those it includes, by the names that the preprocessor's
// line markers give them; and the names of the macros in them.
#include "front/promela/scan.h"

#include <ctype.h>
#include <string.h>

static void index_lines(struct pml_file *f, struct arena *a) {
  const char *text = f->source->text;
  uint32_t n = 1;
  for (size_t i = 0; i < f->source->bytes; i++) n += text[i] == '\n';
  f->line_at = ARENA_ARRAY(a, uint32_t, n);
  f->line_count = 1;
  for (size_t i = 0; i < f->source->bytes; i++)
    if (text[i] == '\n') f->line_at[f->line_count++] = (uint32_t)i + 1;
}

// The slot of a name: its own, or the free one where it would be.
static size_t slot_of(const struct pml_files *f, const char *name, size_t n) {
  size_t at = hash_bytes(name, n, 0) & (f->slot_count - 1);
  for (; f->slots[at]; at = (at + 1) & (f->slot_count - 1)) {
    const char *other = f->macros.data[f->slots[at] - 1];
    if (strncmp(other, name, n) == 0 && other[n] == '\0') break;
  }
  return at;
}

bool pml_files_macro(const struct pml_files *f, const char *name, size_t n) {
  return f->slot_count > 0 && f->slots[slot_of(f, name, n)] != 0;
}

static void grow_slots(struct pml_files *f) {
  mem_free(f->slots);
  f->slot_count = f->slot_count ? f->slot_count * 2 : 64;
  f->slots = mem_zalloc(f->slot_count, sizeof *f->slots);
  for (size_t i = 0; i < f->macros.count; i++)
    f->slots[slot_of(f, f->macros.data[i], strlen(f->macros.data[i]))] = (uint32_t)i + 1;
}

static void add_macro(struct pml_files *f, struct arena *a, const char *name, size_t n) {
  if (2 * f->macros.count >= f->slot_count) grow_slots(f);
  size_t at = slot_of(f, name, n);
  if (f->slots[at]) return;
  VEC_PUSH(&f->macros, arena_strndup(a, name, n));
  f->slots[at] = (uint32_t)f->macros.count;
}

static size_t blanks(const char *p) { return strspn(p, " \t"); }

static size_t word_length(const char *p) {
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
  return n;
}

// The names after #define, #ifdef, #ifndef, and all words after #if and #elif.
static void note_directive(struct pml_files *f, struct arena *a, const char *p) {
  p += blanks(p);
  size_t n = word_length(p);
  bool many = (n == 2 && strncmp(p, "if", 2) == 0) || (n == 4 && strncmp(p, "elif", 4) == 0);
  if (!many && !(n == 6 && strncmp(p, "define", 6) == 0) &&
      !(n == 5 && strncmp(p, "ifdef", 5) == 0) && !(n == 6 && strncmp(p, "ifndef", 6) == 0))
    return;
  for (p += n; *p && *p != '\n'; p += n ? n : 1) {
    n = isdigit((unsigned char)*p) ? 1 : word_length(p);
    if (n == 0 || isdigit((unsigned char)*p)) continue;
    if (!(n == 7 && strncmp(p, "defined", 7) == 0)) add_macro(f, a, p, n);
    if (!many) return;
  }
}

static void note_macros(struct pml_files *f, struct arena *a, const struct source *s) {
  for (const char *p = s->text; p; p = strchr(p, '\n')) {
    p += *p == '\n';
    p += blanks(p);
    if (*p == '#') note_directive(f, a, p + 1);
  }
}

static void add(struct pml_files *f, struct arena *a, struct source *s, const char *name) {
  struct pml_file file = {.source = s, .name = arena_strdup(a, name)};
  index_lines(&file, a);
  VEC_PUSH(&f->files, file);
  note_macros(f, a, s);
}

void pml_files_init(struct pml_files *f, struct arena *a, struct source *main) {
  const char *slash = strrchr(main->path, '/');
  *f = (struct pml_files){0};
  f->folder = !slash                ? "."
              : slash == main->path ? "/"
                                    : arena_strndup(a, main->path, (size_t)(slash - main->path));
  add(f, a, main, PML_MAIN_MARKER);
}

void pml_files_clear(struct pml_files *f) {
  VEC_CLEAR(&f->files);
  VEC_CLEAR(&f->macros);
  mem_free(f->slots);
}

int32_t pml_files_find(struct pml_files *f, struct arena *a, const char *name) {
  for (size_t i = 0; i < f->files.count; i++)
    if (strcmp(f->files.data[i].name, name) == 0) return (int32_t)i;
  if (name[0] == '<') return -1; // the preprocessor's own
  bool as_is = name[0] == '/' || strcmp(f->folder, ".") == 0;
  const char *path = as_is ? name : arena_printf(a, "%s/%s", f->folder, name), *why;
  struct source *s = source_read(path, &why);
  if (!s) return -1;
  source_normalise(s);
  add(f, a, s, name);
  return (int32_t)f->files.count - 1;
}

bool pml_files_word(const struct pml_files *f, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i < f->files.count; i++) {
    const char *text = f->files.data[i].source->text;
    for (const char *p = text; (p = strstr(p, word)); p++)
      if ((p == text || word_length(p - 1) == 0) && word_length(p) == n) return true;
  }
  return false;
}

const struct pml_file *pml_file_of(const struct pml_files *f, const struct source *s) {
  size_t i = 0;
  while (f->files.data[i].source != s) i++;
  return &f->files.data[i];
}

const char *pml_file_line(const struct pml_file *f, uint32_t line, size_t *n) {
  *n = 0;
  if (line == 0 || line > f->line_count) return "";
  const char *p = f->source->text + f->line_at[line - 1];
  uint32_t end = line < f->line_count ? f->line_at[line] - 1 : (uint32_t)f->source->bytes;
  *n = end - f->line_at[line - 1];
  return p;
}
