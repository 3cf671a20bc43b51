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
// A nested search looks every state up twice, one by one, which the tree does at half the speed.
#define NESTED_TREE_FROM_BYTES 256

// Several searches at once: not a strategy of the search room, but one of its functions.
static const char race[] = "race";

// An engine whose library was not there when this was built.
#ifdef FATHOM_BDD
#define BDD_BUILT    , "bdd"
#define BDD_LEFT_OUT NAMES()
#else
#define BDD_BUILT
#define BDD_LEFT_OUT NAMES("bdd")
#endif

// Values that work, then values that are promised, then those that this build leaves out. The
// searches that work are the search room's, and the race.
static const struct {
  const char *const *built, *const *later, *const *left_out;
} sets[CAPABILITY_SETS] = {
#define NAMES(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})
    [CAPABILITY_ENGINE] = {NAMES("explicit" BDD_BUILT), NAMES("bmc", "hybrid"), BDD_LEFT_OUT},
    [CAPABILITY_SEARCH] = {NULL, NAMES("ida", "wastar", "glh")},
    [CAPABILITY_STORE] = {NAMES("exact", "tree", "fingerprint", "bitstate"), NAMES()},
    [CAPABILITY_BOUNDING] = {NAMES("threshold", "depth"), NAMES()},
    [CAPABILITY_FRONTIER] = {NAMES("tree", "traces", "states"), NAMES()},
    [CAPABILITY_SYMMETRY] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_POR] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_SELECTION] = {NAMES("bit", "number"), NAMES()},
    [CAPABILITY_FAIRNESS] = {NAMES("weak", "none"), NAMES("strong")},
    [CAPABILITY_MERGE] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_DEAD] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_NATIVE] = {NAMES("auto", "on", "off"), NAMES()},
    [CAPABILITY_DEADLOCK] = {NAMES("off", "stuck", "stuttering"), NAMES()},
    [CAPABILITY_REORDER] = {NAMES("auto", "on", "off"), NAMES()},
    [CAPABILITY_LANGUAGE] = {NAMES("murphi", "promela", "smv", "ir"), NAMES("c")},
    [CAPABILITY_TRACE] = {NAMES("diff", "full", "msc", "off"), NAMES()},
#undef NAMES
};

// A check looks for cycles in a search of its own, whatever else it searches; ndfs does only that.
#define CYCLIC_KINDS                                                                               \
  (1u << IR_PROP_ASSUME | 1u << IR_PROP_LTL | 1u << IR_PROP_NEVER | 1u << IR_PROP_ACCEPTANCE |     \
   1u << IR_PROP_PROGRESS)
#define ALL_KINDS                                                                                  \
  (CYCLIC_KINDS | 1u << IR_PROP_INVARIANT | 1u << IR_PROP_COVER | 1u << IR_PROP_LIVENESS)
#define SYMBOLIC_KINDS (ALL_KINDS | 1u << IR_PROP_CTL)
#define THREADS_MAX    1024

// Safety through every store. A search that shares its work among threads takes its order from
// them, and where states are not kept the smallest of several ways cannot be told. The bounded
// search keeps a threshold beside each state, for which bitstate has no room.
#define EXPLICIT(order, kind, deterministic)                                                       \
  {                                                                                                \
    .engine = "explicit", .search = order, .store = kind, .symmetry = true,                        \
    .threads_max = THREADS_MAX, .deterministic_max = deterministic, .kinds = ALL_KINDS             \
  }

// Partial order reduction asks of a state's successors whether they are new.
#define REDUCED(order, kind, deterministic)                                                        \
  {                                                                                                \
    .engine = "explicit", .search = order, .store = kind, .symmetry = true, .por = true,           \
    .threads_max = THREADS_MAX, .deterministic_max = deterministic, .kinds = ALL_KINDS             \
  }

// Cycles: a state that is taken for another would close some that there are not. Symmetry keeps
// states, not the order in which they come.
#define CYCLES(order, kind)                                                                        \
  {                                                                                                \
    .engine = "explicit", .search = order, .store = kind, .por = true, .threads_max = THREADS_MAX, \
    .deterministic_max = 1, .kinds = CYCLIC_KINDS                                                  \
  }

// The one search for cycles without progress that needs no automaton, and cannot be reduced.
#define DIRECT(order, kind)                                                                        \
  {                                                                                                \
    .engine = "explicit", .search = order, .store = kind, .threads_max = 1,                        \
    .deterministic_max = 1, .kinds = 1u << IR_PROP_ASSUME | 1u << IR_PROP_PROGRESS                 \
  }

// A search that follows hints goes back to states that it put off, so that it needs them kept; one
// thread goes its way. A race is one of such searches and of others.
#define HINTED(order, kind, threads)                                                               \
  {                                                                                                \
    .engine = "explicit", .search = order, .store = kind, .symmetry = true,                        \
    .threads_max = threads, .deterministic_max = (threads) == 1, .kinds = ALL_KINDS                \
  }

// Sets of states as decision diagrams: no store, and nothing that speaks of states one by one.
#ifdef FATHOM_BDD
#define BDD                                                                                        \
  {.engine = "bdd",                                                                                \
   .search = "bfs",                                                                                \
   .threads_max = 1,                                                                               \
   .deterministic_max = 1,                                                                         \
   .kinds = SYMBOLIC_KINDS},
#else
#define BDD
#endif

// The first row that fits what the user asked for is taken, so the order is our preference.
static const struct capability table[] = {REDUCED("bfs", "exact", THREADS_MAX),
                                          REDUCED("bfs", "tree", THREADS_MAX),
                                          REDUCED("bfs", "fingerprint", 1),
                                          REDUCED("bfs", "bitstate", 1),
                                          REDUCED("dfs", "exact", 1),
                                          REDUCED("dfs", "tree", 1),
                                          REDUCED("dfs", "fingerprint", 1),
                                          REDUCED("dfs", "bitstate", 1),
                                          EXPLICIT("bounded", "exact", 1),
                                          EXPLICIT("bounded", "tree", 1),
                                          EXPLICIT("bounded", "fingerprint", 1),
                                          CYCLES("ndfs", "exact"),
                                          CYCLES("ndfs", "tree"),
                                          DIRECT("progress", "exact"),
                                          DIRECT("progress", "tree"),
                                          HINTED("biased-bfs", "exact", 1),
                                          HINTED("biased-bfs", "tree", 1),
                                          HINTED("biased-dfs", "exact", 1),
                                          HINTED("biased-dfs", "tree", 1),
                                          HINTED("context", "exact", 1),
                                          HINTED("context", "tree", 1),
                                          HINTED("astar", "exact", 1),
                                          HINTED("astar", "tree", 1),
                                          HINTED("greedy", "exact", 1),
                                          HINTED("greedy", "tree", 1),
                                          HINTED("random", "exact", 1),
                                          HINTED("random", "tree", 1),
                                          HINTED(race, "exact", THREADS_MAX),
                                          HINTED(race, "tree", THREADS_MAX),
                                          BDD};
#define ROWS (sizeof table / sizeof *table)

const char *capability_value(enum capability_set set, size_t i) {
  if (set == CAPABILITY_STORE) {
    const char *const *v = sets[set].built;
    for (; *v != NULL; v++)
      if (store_kind_known(*v) && i-- == 0) break;
    return *v;
  }
  if (set != CAPABILITY_SEARCH) return sets[set].built[i];
  if (i < search_strategy_count) return search_strategies[i].name;
  return i == search_strategy_count ? race : NULL;
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

bool capability_left_out(enum capability_set set, const char *value) {
  for (const char *const *v = sets[set].left_out; v != NULL && *v != NULL; v++)
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

static bool has_store(const struct capability *c, const char *asked) {
  if (c->store == NULL) return asked == NULL;
  return may_be(asked, c->store) && store_kind_known(c->store);
}

static bool fits(const struct capability *c, const struct options *o) {
  return may_be(o->engine, c->engine) && may_be(o->search, c->search) && has_store(c, o->store) &&
         (!names(o->symmetry, "on") || c->symmetry) && (!names(o->por, "on") || c->por) &&
         o->threads <= threads_most(c, o);
}

// Options that only some searches know.
static const struct {
  const char *option;
  const char *const *searches;
} owned[] = {
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
    {"increment", NAMES("bounded")},
    {"bounding", NAMES("bounded")},
    {"frontier", NAMES("bounded")},
    {"save-frontier", NAMES("bounded")},
    {"resume", NAMES("bounded")},
    {"mark", NAMES("biased-bfs", "biased-dfs", "astar", "greedy", race)},
    {"flow", NAMES("biased-bfs", "biased-dfs", "astar", "greedy", race)},
    {"flows", NAMES("biased-bfs", "biased-dfs", "context", "astar", "greedy", "random", race)},
    {"bias-limit", NAMES("biased-bfs")},
    {"agents", NAMES("biased-dfs")},
    {"heuristic", NAMES("astar", "greedy")},
    {"seed", NAMES("random")},
    {"depth", NAMES("bfs", "dfs", "bounded", "ndfs", "progress")},
    {"selection", NAMES("ndfs")},
#undef NAMES
};
#define OWNED (sizeof owned / sizeof *owned)

static bool is_listed(const char *const *names, const char *name) {
  for (; *names != NULL; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

bool capability_knows(const char *search, const char *option) {
  for (size_t i = 0; i < OWNED; i++)
    if (strcmp(owned[i].option, option) == 0) return is_listed(owned[i].searches, search);
  return true;
}

static bool refuse_owned(const struct options *o, struct text *why) {
  size_t i = 0;
  while (i < OWNED && (!options_given(o, owned[i].option) ||
                       is_listed(owned[i].searches, o->search != NULL ? o->search : "bfs")))
    i++;
  if (i == OWNED) return false;
  const char *const *s = owned[i].searches;
  text_printf(why, "--%s is for --search %s", owned[i].option, *s++);
  bool several = *s != NULL;
  for (; *s != NULL; s++) text_printf(why, "%s%s", s[1] != NULL ? ", " : " or ", *s);
  text_printf(why, ": %s, or leave --%s out", several ? "take one of them" : "add that",
              owned[i].option);
  return true;
}

// Options that only one engine knows; `idle` is the value that asks for nothing, if there is one.
static const struct {
  const char *engine, *option, *idle;
} engine_owned[] = {
    {"explicit", "store", NULL},      {"explicit", "threads", "1"},
    {"explicit", "symmetry", "off"},  {"explicit", "por", "off"},
    {"explicit", "native", "off"},    {"explicit", "no-cache", NULL},
    {"explicit", "fairness", "none"}, {"explicit", "shrink", NULL},
    {"explicit", "stats", NULL},      {"bdd", "order", NULL},
    {"bdd", "reorder", NULL},         {"bdd", "reorder-every", NULL},
    {"bdd", "write-order", NULL},     {"explicit", "selection", NULL},
};

bool capability_engine_knows(const char *engine, const char *option) {
  for (size_t i = 0; i < sizeof engine_owned / sizeof *engine_owned; i++)
    if (strcmp(engine_owned[i].option, option) == 0)
      return strcmp(engine_owned[i].engine, engine) == 0;
  return true;
}

// What an engine is never asked for, and what only another one knows.
static bool refuse_engine(const struct options *o, struct text *why) {
  const char *engine = o->engine != NULL ? o->engine : "explicit";
  bool symbolic = strcmp(engine, "explicit") != 0;
  if (symbolic && o->search != NULL && !names(o->search, "bfs")) {
    text_printf(why,
                "--engine %s goes breadth first, all states of a level at once: leave --search %s "
                "out, or take --engine explicit",
                engine, o->search);
    return true;
  }
  for (size_t i = 0; i < sizeof engine_owned / sizeof *engine_owned; i++) {
    const char *option = engine_owned[i].option, *owner = engine_owned[i].engine;
    if (strcmp(owner, engine) == 0 || !options_given(o, option)) continue;
    if (engine_owned[i].idle != NULL && options_say(o, option, engine_owned[i].idle)) continue;
    text_printf(why, "--%s is for --engine %s: take that, or leave --%s out", option, owner,
                option);
    return true;
  }
  return false;
}

static bool is_hinted(const char *search) {
  return search != NULL && strcmp(search, race) != 0 && capability_knows(search, "flows");
}

// What searches by hints, and races, cannot do.
static bool refuse_hinted(const struct options *o, struct text *why) {
  bool racing = names(o->search, race), hinted = is_hinted(o->search);
  if ((hinted || racing) && o->store != NULL && !store_kind_keeps_states(o->store))
    text_printf(why,
                "--search %s goes back to states that were put off, and --store %s does not keep "
                "states: take --store exact or tree",
                o->search, o->store);
  else if (hinted && o->threads > 1)
    text_printf(why,
                "--search %s is the work of one thread: leave --threads out, or take --search "
                "race, several searches at once",
                o->search);
  else if (racing && o->threads == 1)
    text_add(why, "--search race is two searches at least, each a thread: leave --threads out, or "
                  "give more");
  else if (racing && o->deterministic)
    text_add(why, "a race is won by whichever search is first: leave --deterministic out, or take "
                  "one search");
  else if (o->flow.count > 0 && o->flows == NULL)
    text_add(why, "--flow names a flow of a file: add --flows FILE");
  else if (racing && o->flows != NULL && o->flow.count == 0)
    text_add(why, "--search race counts no flows: name one to be marked with --flow, or leave "
                  "--flows out");
  else if (names(o->flows, "-") && names(o->operands.data[0], "-"))
    text_add(why, "--flows and the model cannot both be read from standard input");
  return why->count > 0;
}

static bool refuse_shrink(const struct options *o, struct text *why) {
  if (!options_given(o, "shrink")) return false;
  const struct search_strategy *s = search_strategy_find(o->search != NULL ? o->search : "bfs");
  if (s != NULL && s->shortest && o->ltl.count == 0 && !o->non_progress)
    text_printf(why, "--search %s finds shortest traces: leave --shrink out", s->name);
  else if (o->deterministic && o->shrink > 0)
    text_add(why, "--shrink goes by the clock, and --deterministic cannot: leave one of them out, "
                  "or take --shrink 0");
  return why->count > 0;
}

// Files of orders.
static bool refuse_order(const struct options *o, struct text *why) {
  if (names(o->write_order, "-"))
    text_add(why, "--write-order wants the name of a file; - is none");
  else if (names(o->order, "-") && names(o->operands.data[0], "-"))
    text_add(why, "--order and the model cannot both be read from standard input");
  else if (names(o->reorder, "off") && o->reorder_every > 0)
    text_add(why, "--reorder off and --reorder-every contradict each other: leave one of them out");
  return why->count > 0;
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

bool capability_cycles_only(const char *search) {
  return names(search, "ndfs") || names(search, "progress");
}

// What the search of Fig. 5 cannot do.
static bool refuse_direct(const struct options *o, struct text *why) {
  if (!names(o->search, "progress")) return false;
  if (!o->non_progress)
    text_add(why, "--search progress looks for cycles without progress: add --non-progress");
  else if (names(o->por, "on"))
    text_add(why, "--search progress is wrong with partial order reduction: leave --por on out, or "
                  "take --search ndfs");
  else if (names(o->fairness, "weak"))
    text_add(why, "--search progress knows no fairness: leave --fairness weak out, or take "
                  "--search ndfs");
  else if (o->threads > 1)
    text_add(why, "--search progress is the work of one thread: leave --threads out, or take "
                  "--search ndfs");
  else if (o->ltl.count > 0)
    text_add(why, "--search progress looks for cycles without progress, not for those of --ltl: "
                  "leave one of them out, or take --search ndfs");
  return why->count > 0;
}

// What a search for cycles alone cannot do.
static bool refuse_cycles(const struct options *o, struct text *why) {
  if (!capability_cycles_only(o->search)) return false;
  if (refuse_direct(o, why)) return true;
  if (o->store != NULL && !store_kind_keeps_states(o->store))
    text_printf(why,
                "--search %s needs the states themselves, and --store %s does not keep them: take "
                "--store exact or tree",
                o->search, o->store);
  else if (names(o->symmetry, "on"))
    text_printf(why,
                "--search %s looks at the order of states, and --symmetry on keeps the states "
                "only: leave it out",
                o->search);
  else if (o->stats)
    text_printf(why,
                "--stats tells of a search for states, and --search %s looks for cycles: leave "
                "one of them out",
                o->search);
  return why->count > 0;
}

// An option without effect is a misunderstanding: it is refused, not ignored.
static bool refuse_idle(const struct options *o, struct text *why) {
  if (o->hash_bits > 0 && !names(o->store, "fingerprint"))
    text_add(why, "--hash-bits is for --store fingerprint: add that, or leave --hash-bits out");
  else if (o->hashes > 0 && !names(o->store, "bitstate"))
    text_add(why, "--hashes is for --store bitstate: add that, or leave --hashes out");
  else if (o->selection != NULL && !names(o->por, "on"))
    text_add(why, "--selection is for --por on: add that, or leave --selection out");
  else if (o->stats && o->quiet && o->json == NULL && o->html == NULL)
    text_add(why,
             "--quiet hides what --stats shows: leave one of them out, or add --json or --html");
  return why->count > 0;
}

// Reductions that nobody has put together.
static bool refuse_por(const struct options *o, struct text *why) {
  if (!names(o->por, "on")) return false;
  if (names(o->symmetry, "on"))
    text_add(why,
             "--por on and --symmetry on are not proved to go together: leave one of them out");
  else if (names(o->fairness, "weak"))
    text_add(why,
             "--por on and --fairness weak do not go together: a process that is left out here "
             "and there would seem to wait; leave one of them out");
  else if (o->search != NULL && !names(o->search, "bfs") && !names(o->search, "dfs") &&
           !names(o->search, "ndfs"))
    text_printf(why, "--por on is for --search bfs, dfs or ndfs, not for %s: leave one of them out",
                o->search);
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
  if (refuse_engine(o, why) || refuse_order(o, why) || refuse_idle(o, why) ||
      refuse_owned(o, why) || refuse_bounded(o, why) || refuse_hinted(o, why) ||
      refuse_shrink(o, why) || refuse_cycles(o, why) || refuse_por(o, why))
    return false;
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

bool capability_admits_foreign(const struct options *o, struct text *why) {
  static const char alone[] = "the model has C code of its own, which only one thread can run";
  if (names(o->search, race))
    text_printf(why, "--search race: %s; take one search", alone);
  else if (o->threads > 1)
    text_printf(why, "--threads %llu: %s; leave it out, or take --threads 1",
                (unsigned long long)o->threads, alone);
  return why->count == 0;
}

const struct capability *capability_pick(const struct options *o, uint64_t state_bytes) {
  uint64_t tree_from = capability_cycles_only(o->search) ? NESTED_TREE_FROM_BYTES : TREE_FROM_BYTES;
  const char *store = state_bytes >= tree_from ? "tree" : "exact";
  const struct capability *first = NULL;
  for (size_t i = 0; i < ROWS; i++) {
    const struct capability *c = &table[i];
    if (!fits(c, o)) continue;
    if (o->store != NULL || c->store == NULL || strcmp(c->store, store) == 0) return c;
    if (first == NULL) first = c;
  }
  assert(first != NULL && "capability_admits has been asked");
  return first;
}

const char *capability_engine(const struct options *o, const char *language) {
  if (o->engine != NULL) return o->engine;
  struct options symbolic = *o;
  struct text why = {0};
  symbolic.engine = "bdd";
  bool good =
      language != NULL && strcmp(language, "smv") == 0 && capability_admits(&symbolic, &why);
  text_clear(&why);
  return good ? "bdd" : "explicit";
}

const struct capability *capability_cycles(const struct options *o, uint64_t state_bytes) {
  struct options cycles = *o;
  if (!capability_cycles_only(o->search)) cycles.search = "ndfs";
  cycles.symmetry = NULL;
  cycles.threads = 0; // as many as it may have
  if (o->store != NULL && !store_kind_keeps_states(o->store)) cycles.store = NULL;
  return capability_pick(&cycles, state_bytes);
}

uint64_t capability_threads(const struct capability *c, const struct options *o, uint64_t cores) {
  if (o->threads > 0) return o->threads;
  uint64_t most = threads_most(c, o);
  return cores < most ? cores : most;
}

bool capability_checks(const struct capability *c, int property_kind) {
  return (c->kinds >> property_kind & 1) != 0;
}
