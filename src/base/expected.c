// SPDX-License-Identifier: Apache-2.0
// Names the tokens that a parser would have taken: groups first, then the rest, six at most.
#include "base/expected.h"

#include <stdbool.h>
#include <string.h>

enum { SAID_MAX = 6 };

static bool contains(const int *set, int count, int kind) {
  for (int i = 0; i < count; i++)
    if (set[i] == kind) return true;
  return false;
}

int expected_punctuation(const struct expected *e, int kind, const char *characters) {
  const char *name = kind == EXPECTED_NONE ? "" : e->spelling(e->context, kind);
  return name[0] == '\'' && name[1] && name[2] == '\'' && strchr(characters, name[1]);
}

static bool is_member(const struct expected_group *g, int kind) {
  for (const int *m = g->members; m < g->members + sizeof g->members / sizeof *g->members && *m;
       m++)
    if (*m == kind) return true;
  return false;
}

static void drop(const struct expected *e, const struct expected_group *g, int *set, int count) {
  for (int i = 0; i < count; i++)
    if (is_member(g, set[i]) || expected_punctuation(e, set[i], g->punctuation))
      set[i] = EXPECTED_NONE;
}

static void say(struct text *out, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    text_add(out, i == 0 ? "" : i + 1 == count ? " or " : ", ");
    text_add(out, names[i]);
  }
}

void expected_say(const struct expected *e, struct text *out, int *set, int count) {
  const char *names[SAID_MAX];
  int said = 0;
  for (size_t i = 0; i < e->group_count && said < SAID_MAX; i++) {
    const struct expected_group *g = &e->groups[i];
    if (!contains(set, count, g->marks[0]) || !contains(set, count, g->marks[1])) continue;
    drop(e, g, set, count);
    if (g->name) names[said++] = g->name;
  }
  for (int i = 0; i < count && said < SAID_MAX; i++)
    if (set[i] != EXPECTED_NONE) names[said++] = e->spelling(e->context, set[i]);
  if (said == 0) names[said++] = "something else";
  say(out, names, said);
}
