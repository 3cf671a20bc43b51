// SPDX-License-Identifier: Apache-2.0
// What there is to choose from, what of it is built, and what may be combined with what: the one
// table that says so. A combination outside it is refused with a sentence, never ignored.
#include "cli/capability.h"

#include "cli/options.h"
#include "ir/ir.h"
#include "search/search.h"
#include "store/store.h"

#include <string.h>

// Packed states of at least so many bytes are kept in a tree unless the user says otherwise
// (docs/stores.md has the measurements).
#define TREE_FROM_BYTES 32

// Values that work, then values that are promised. The searches that work are the search room's.
static const struct {
  const char *const *built, *const *later;
} sets[CAPABILITY_SETS] = {
#define NAMES(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})
    [CAPABILITY_ENGINE] = {NAMES("explicit"), NAMES("bdd", "bmc", "hybrid")},
    [CAPABILITY_SEARCH] = {NULL, NAMES("biased-bfs", "biased-dfs", "astar", "greedy", "context",
                                       "random", "ndfs", "ida", "wastar", "glh")},
    [CAPABILITY_STORE] = {NAMES("exact", "tree", "fingerprint", "bitstate"), NAMES()},
    [CAPABILITY_BOUNDING] = {NAMES("threshold", "depth"), NAMES()},
    [CAPABILITY_FRONTIER] = {NAMES("tree", "traces", "states"), NAMES()},
    [CAPABILITY_SYMMETRY] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_POR] = {NAMES("off"), NAMES("on")},
    [CAPABILITY_NATIVE] = {NAMES("auto", "on", "off"), NAMES()},
    [CAPABILITY_DEADLOCK] = {NAMES("off", "stuck", "stuttering"), NAMES()},
    [CAPABILITY_LANGUAGE] = {NAMES("murphi", "ir"), NAMES("promela", "smv", "c")},
    [CAPABILITY_TRACE] = {NAMES("diff", "full", "off"), NAMES()},
#undef NAMES
};

#define SAFETY_KINDS (1u << IR_PROP_INVARIANT | 1u << IR_PROP_ASSUME | 1u << IR_PROP_COVER)
#define THREADS_MAX  1024

// Safety through every store. A search that shares its work among threads takes its order from
// them, and where states are not kept the smallest of several ways cannot be told. The bounded
// search keeps a threshold beside each state, for which bitstate has no room.
#define EXPLICIT(order, kind, deterministic)                                                       \
  {                                                                                                \
    .engine = "explicit", .search = order, .store = kind, .symmetry = true,                        \
    .threads_max = THREADS_MAX, .deterministic_max = deterministic, .kinds = SAFETY_KINDS          \
  }

// The first row that fits what the user asked for is taken, so the order is our preference.
static const struct capability table[] = {
    EXPLICIT("bfs", "exact", THREADS_MAX), EXPLICIT("bfs", "tree", THREADS_MAX),
    EXPLICIT("bfs", "fingerprint", 1),     EXPLICIT("bfs", "bitstate", 1),
    EXPLICIT("dfs", "exact", 1),           EXPLICIT("dfs", "tree", 1),
    EXPLICIT("dfs", "fingerprint", 1),     EXPLICIT("dfs", "bitstate", 1),
    EXPLICIT("bounded", "exact", 1),       EXPLICIT("bounded", "tree", 1),
    EXPLICIT("bounded", "fingerprint", 1),
};
#define ROWS (sizeof table / sizeof *table)

const char *capability_value(enum capability_set set, size_t i) {
  if (set == CAPABILITY_STORE) {
    const char *const *v = sets[set].built;
    for (; *v != NULL; v++)
      if (store_kind_known(*v) && i-- == 0) break;
    return *v;
  }
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

static bool names(const char *asked, const char *value) {
  return asked != NULL && strcmp(asked, value) == 0;
}

static bool may_be(const char *asked, const char *value) {
  return asked == NULL || strcmp(asked, value) == 0;
}

static uint64_t threads_most(const struct capability *c, const struct options *o) {
  return o->deterministic ? c->deterministic_max : c->threads_max;
}

static bool fits(const struct capability *c, const struct options *o) {
  return may_be(o->engine, c->engine) && may_be(o->search, c->search) &&
         may_be(o->store, c->store) && store_kind_known(c->store) &&
         (!names(o->symmetry, "on") || c->symmetry) && (!names(o->por, "on") || c->por) &&
         o->threads <= threads_most(c, o);
}

// An option of the bounded search that was given; NULL: none.
static const char *bounded_option(const struct options *o) {
  if (o->increment > 0) return "increment";
  if (o->bounding != NULL) return "bounding";
  if (o->frontier != NULL) return "frontier";
  if (o->save_frontier != NULL) return "save-frontier";
  return o->resume != NULL ? "resume" : NULL;
}

// What the bounded search cannot do.
static bool refuse_bounded(const struct options *o, struct text *why) {
  if (!names(o->search, "bounded")) return false;
  if (names(o->store, "bitstate"))
    text_add(why,
             "--search bounded keeps a threshold beside each state, and --store bitstate has no "
             "room for one: take --store exact, tree or fingerprint");
  else if (o->depth > SEARCH_BOUND_MAX)
    text_printf(why, "--search bounded counts depths up to %u: give a smaller --depth, or none",
                SEARCH_BOUND_MAX);
  else if (names(o->save_frontier, "-") || names(o->resume, "-"))
    text_printf(why, "--%s wants the name of a file; - is none",
                names(o->resume, "-") ? "resume" : "save-frontier");
  return why->count > 0;
}

// An option without effect is a misunderstanding: it is refused, not ignored.
static bool refuse_idle(const struct options *o, struct text *why) {
  if (o->hash_bits > 0 && !names(o->store, "fingerprint"))
    text_add(why, "--hash-bits is for --store fingerprint: add that, or leave --hash-bits out");
  else if (o->hashes > 0 && !names(o->store, "bitstate"))
    text_add(why, "--hashes is for --store bitstate: add that, or leave --hashes out");
  else if (bounded_option(o) != NULL && !names(o->search, "bounded"))
    text_printf(why, "--%s is for --search bounded: add that, or leave --%s out", bounded_option(o),
                bounded_option(o));
  else if (o->stats && o->quiet && o->json == NULL && o->html == NULL)
    text_add(why,
             "--quiet hides what --stats shows: leave one of them out, or add --json or --html");
  return why->count > 0;
}

// --deterministic with more threads than can keep it.
static void refuse_threads(const struct options *o, struct text *why) {
  text_add(why, "--deterministic is kept by one thread only");
  if (o->search != NULL) text_printf(why, " with --search %s", o->search);
  if (o->store != NULL)
    text_printf(why, " %s --store %s", o->search != NULL ? "and" : "with", o->store);
  text_add(why, ": take --threads 1; or --search bfs with --store exact or tree; or leave "
                "--deterministic out");
}

static void refuse_all(const struct options *o, struct text *why) {
  text_add(why, "these cannot be combined:");
  if (o->engine != NULL) text_printf(why, " --engine %s", o->engine);
  if (o->search != NULL) text_printf(why, " --search %s", o->search);
  if (o->store != NULL) text_printf(why, " --store %s", o->store);
  if (o->symmetry != NULL) text_printf(why, " --symmetry %s", o->symmetry);
  if (o->por != NULL) text_printf(why, " --por %s", o->por);
  if (o->deterministic) text_add(why, " --deterministic");
  if (o->threads > 0) text_printf(why, " --threads %llu", (unsigned long long)o->threads);
}

bool capability_admits(const struct options *o, struct text *why) {
  if (refuse_idle(o, why) || refuse_bounded(o, why)) return false;
  struct options fewer = *o;
  fewer.threads = 1;
  bool with_one = false;
  for (size_t i = 0; i < ROWS; i++) {
    if (fits(&table[i], o)) return true;
    with_one = with_one || fits(&table[i], &fewer);
  }
  if (with_one && o->deterministic)
    refuse_threads(o, why);
  else
    refuse_all(o, why);
  return false;
}

const struct capability *capability_pick(const struct options *o, uint64_t state_bytes) {
  const char *store = state_bytes >= TREE_FROM_BYTES ? "tree" : "exact";
  const struct capability *first = NULL;
  for (size_t i = 0; i < ROWS; i++) {
    const struct capability *c = &table[i];
    if (!fits(c, o)) continue;
    if (o->store != NULL || strcmp(c->store, store) == 0) return c;
    if (first == NULL) first = c;
  }
  assert(first != NULL && "capability_admits has been asked");
  return first;
}

uint64_t capability_threads(const struct capability *c, const struct options *o, uint64_t cores) {
  if (o->threads > 0) return o->threads;
  uint64_t most = threads_most(c, o);
  return cores < most ? cores : most;
}

bool capability_checks(const struct capability *c, int property_kind) {
  return (c->kinds >> property_kind & 1) != 0;
}
