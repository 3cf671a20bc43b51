// SPDX-License-Identifier: Apache-2.0
// What is checked: property files of the competition on software verification, and --check lists.
#include "front/c/c.h"

#include <ctype.h>
#include <string.h>

static const struct {
  const char *name;
  unsigned check;
} checks[] = {
    {"bounds", C_CHECK_BOUNDS}, {"div", C_CHECK_DIV},       {"overflow", C_CHECK_OVERFLOW},
    {"null", C_CHECK_NULL},     {"uninit", C_CHECK_UNINIT}, {"leak", C_CHECK_LEAK},
};
enum { CHECKS = sizeof checks / sizeof *checks };

// Properties that a file may ask for, as they stand in CHECK( init(main()), LTL(G ...) ).
static const struct {
  const char *formula;
  unsigned checks;
} properties[] = {
    {"!call(reach_error())", 0},
    {"!call(__VERIFIER_error())", 0},
    {"!overflow", C_CHECK_OVERFLOW},
    {"valid-free", C_CHECK_NULL},
    {"valid-deref", C_CHECK_NULL | C_CHECK_BOUNDS},
    {"valid-memcleanup", C_CHECK_LEAK},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };

// --- lists ---

static bool add_named(const char *name, size_t n, unsigned *out, struct text *why) {
  const char *names[CHECKS + 1];
  for (size_t i = 0; i < CHECKS; i++) {
    names[i] = checks[i].name;
    if (strlen(checks[i].name) != n || memcmp(checks[i].name, name, n)) continue;
    *out |= checks[i].check;
    return true;
  }
  char *word = mem_alloc(n + 1);
  memcpy(word, name, n);
  word[n] = 0;
  const char *near = name_nearest(word, names, CHECKS);
  text_printf(why, "there is no check \"%s\"", word);
  if (near) text_printf(why, "; did you mean \"%s\"?", near);
  if (!near) text_add(why, "; there are bounds, div, overflow, null, uninit, leak and all");
  mem_free(word);
  return false;
}

bool c_check_list(const char *list, unsigned *out, struct text *why) {
  for (const char *s = list;; s++) {
    s += strspn(s, " ");
    size_t n = strcspn(s, ", ");
    if (n == 3 && !memcmp(s, "all", 3)) {
      for (size_t i = 0; i < CHECKS; i++) *out |= checks[i].check;
    } else if (!add_named(s, n, out, why)) {
      return false;
    }
    s += n + strspn(s + n, " ");
    if (!*s) return true;
  }
}

// --- files ---

// Without blanks.
static char *squeezed(const char *s, size_t n) {
  char *r = mem_alloc(n + 1), *end = r;
  for (size_t i = 0; i < n; i++)
    if (!isspace((unsigned char)s[i])) *end++ = s[i];
  *end = 0;
  return r;
}

static bool add_formula(const char *f, unsigned *out, struct text *why) {
  for (size_t i = 0; i < PROPERTIES; i++) {
    if (strcmp(properties[i].formula, f)) continue;
    *out |= properties[i].checks;
    return true;
  }
  text_printf(why, "the property \"G %s\" is none that is checked", f);
  return false;
}

// CHECK(init(main()),LTL(G...))
static bool add_line(char *s, unsigned *out, struct text *why) {
  static const char head[] = "CHECK(init(main()),LTL(G", tail[] = "))";
  size_t n = strlen(s), h = sizeof head - 1, t = sizeof tail - 1;
  if (n < h + t || memcmp(s, head, h) || strcmp(s + n - t, tail)) {
    text_printf(why, "\"%s\" is no property: CHECK( init(main()), LTL(G ...) ) is expected", s);
    return false;
  }
  s[n - t] = 0;
  return add_formula(s + h, out, why);
}

bool c_property_file(const char *text, unsigned *out, struct text *why) {
  bool any = false;
  while (*text) {
    size_t n = strcspn(text, "\n");
    char *line = squeezed(text, n);
    bool good = !*line || add_line(line, out, why);
    any = any || *line;
    mem_free(line);
    if (!good) return false;
    text += n + (text[n] == '\n');
  }
  if (!any) text_add(why, "it holds no property");
  return any;
}
