// SPDX-License-Identifier: Apache-2.0
// What there is to choose from, what of it is built, and what may be combined with what: the one
// table that says so. A combination outside it is refused with a sentence, never ignored.
#include "cli/capability.h"

#include "cli/options.h"
#include "ir/ir.h"
#include "search/search.h"

#include <string.h>

// Values that work, then values that are promised. The searches that work are the search room's.
static const struct {
  const char *const *built, *const *later;
} sets[CAPABILITY_SETS] = {
#define NAMES(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})
    [CAPABILITY_ENGINE] = {NAMES("explicit"), NAMES("bdd", "bmc", "hybrid")},
    [CAPABILITY_SEARCH] = {NULL, NAMES("bounded", "biased-bfs", "biased-dfs", "astar", "greedy",
                                       "context", "random", "ndfs", "ida", "wastar", "glh")},
    [CAPABILITY_STORE] = {NAMES("exact"), NAMES("tree", "fingerprint", "bitstate")},
    [CAPABILITY_SYMMETRY] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_POR] = {NAMES("off"), NAMES("on")},
    [CAPABILITY_NATIVE] = {NAMES("auto", "on", "off"), NAMES()},
    [CAPABILITY_DEADLOCK] = {NAMES("off", "stuck", "stuttering"), NAMES()},
    [CAPABILITY_LANGUAGE] = {NAMES("murphi", "ir"), NAMES("promela", "smv", "c")},
    [CAPABILITY_TRACE] = {NAMES("diff", "full", "off"), NAMES()},
#undef NAMES
};

#define SAFETY_KINDS (1u << IR_PROP_INVARIANT | 1u << IR_PROP_ASSUME | 1u << IR_PROP_COVER)

// The first row that fits what the user asked for is taken, so the order is our preference.
static const struct capability table[] = {
    {.engine = "explicit",
     .search = "bfs",
     .store = "exact",
     .threads_max = 1,
     .symmetry = true,
     .kinds = SAFETY_KINDS},
    {.engine = "explicit",
     .search = "dfs",
     .store = "exact",
     .threads_max = 1,
     .symmetry = true,
     .kinds = SAFETY_KINDS},
};
#define ROWS (sizeof table / sizeof *table)

const char *capability_value(enum capability_set set, size_t i) {
  if (set != CAPABILITY_SEARCH) return sets[set].built[i];
  return i < search_strategy_count ? search_strategies[i].name : NULL;
}

void capability_list(struct text *out, enum capability_set set, const char *separator) {
  for (size_t i = 0; capability_value(set, i) != NULL; i++)
    text_printf(out, "%s%s", i > 0 ? separator : "", capability_value(set, i));
}

bool capability_later(enum capability_set set, const char *value) {
  for (const char *const *v = sets[set].later; *v != NULL; v++)
    if (strcmp(*v, value) == 0) return true;
  return false;
}

static bool admits(const char *asked, const char *value) {
  return asked == NULL || strcmp(asked, value) == 0;
}

static bool fits(const struct capability *c, const struct options *o) {
  bool symmetry = strcmp(o->symmetry, "on") == 0, por = strcmp(o->por, "on") == 0;
  return admits(o->engine, c->engine) && admits(o->search, c->search) &&
         admits(o->store, c->store) && (!symmetry || c->symmetry) && (!por || c->por) &&
         o->threads <= c->threads_max;
}

static uint64_t most_threads(void) {
  uint64_t most = 1;
  for (size_t i = 0; i < ROWS; i++)
    if (table[i].threads_max > most) most = table[i].threads_max;
  return most;
}

const struct capability *capability_pick(const struct options *o, struct text *why) {
  for (size_t i = 0; i < ROWS; i++)
    if (fits(&table[i], o)) return &table[i];
  if (o->threads > most_threads()) {
    text_printf(why, "--threads %llu is not built yet; available: %llu",
                (unsigned long long)o->threads, (unsigned long long)most_threads());
    return NULL;
  }
  text_add(why, "these cannot be combined:");
  if (o->engine != NULL) text_printf(why, " --engine %s", o->engine);
  if (o->search != NULL) text_printf(why, " --search %s", o->search);
  if (o->store != NULL) text_printf(why, " --store %s", o->store);
  text_printf(why, " --symmetry %s --por %s --threads %llu", o->symmetry, o->por,
              (unsigned long long)o->threads);
  return NULL;
}

bool capability_checks(const struct capability *c, int property_kind) {
  return (c->kinds >> property_kind & 1) != 0;
}
