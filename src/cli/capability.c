// SPDX-License-Identifier: Apache-2.0
// What there is to choose from, what of it is built, and what may be combined with what: the one
// table that says so. A combination outside it is refused with a sentence (admit.c), never ignored.
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

// Engines whose libraries were not there when this was built.
#ifdef FATHOM_BDD
#define BDD_BUILT , "bdd"
#define BDD_LEFT_OUT
#define GUIDED_LEFT_OUT
#else
#define BDD_BUILT
#define BDD_LEFT_OUT    "bdd",
#define GUIDED_LEFT_OUT "ida", "wastar",
#endif
#ifdef FATHOM_BMC
#define BMC_BUILT , "bmc"
#define BMC_LEFT_OUT
#else
#define BMC_BUILT
#define BMC_LEFT_OUT "bmc",
#endif
#ifdef FATHOM_HYBRID
#define HYBRID_BUILT , "hybrid", "st", "smt"
#define HYBRID_LEFT_OUT
#define GLH_LEFT_OUT
#else
#define HYBRID_BUILT
#define HYBRID_LEFT_OUT "hybrid", "st", "smt",
#define GLH_LEFT_OUT    "glh",
#endif
#ifdef FATHOM_C
#define C_BUILT , "c"
#define C_LEFT_OUT
#else
#define C_BUILT
#define C_LEFT_OUT "c",
#endif

// Searches that only one of the engines that reason has. (astar and dfs are names of others, too.)
static const struct {
  const char *search, *engine;
} reasoned[] = {
#ifdef FATHOM_BDD
    {"ida", "bdd"},
    {"wastar", "bdd"},
#endif
#ifdef FATHOM_HYBRID
    {"glh", "hybrid"},
#endif
    {NULL, NULL}};

// Values that work, then values that are promised, then those that this build leaves out. The
// searches that work are the search room's, the race, and those of engines that reason.
static const struct {
  const char *const *built, *const *later, *const *left_out;
} sets[CAPABILITY_SETS] = {
#define NAMES(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})
    [CAPABILITY_ENGINE] = {NAMES("explicit" BDD_BUILT BMC_BUILT HYBRID_BUILT), NAMES(),
                           (const char *const[]){BDD_LEFT_OUT BMC_LEFT_OUT HYBRID_LEFT_OUT NULL}},
    [CAPABILITY_SEARCH] = {NULL, NAMES(), (const char *const[]){GUIDED_LEFT_OUT GLH_LEFT_OUT NULL}},
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
    [CAPABILITY_CONE] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_PATTERN] = {NAMES("backward", "forward"), NAMES()},
    [CAPABILITY_PROOF] = {NAMES("auto", "induction", "pdr", "none"), NAMES()},
    [CAPABILITY_PARTITION] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_REACHED] = {NAMES("on", "off"), NAMES()},
    [CAPABILITY_LANGUAGE] = {NAMES("murphi", "promela", "smv" C_BUILT, "ir"), NAMES(),
                             (const char *const[]){C_LEFT_OUT NULL}},
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
// Of CTL only AG of a condition.
#define GUIDED_KINDS                                                                               \
  (1u << IR_PROP_ASSUME | 1u << IR_PROP_INVARIANT | 1u << IR_PROP_COVER | 1u << IR_PROP_CTL)
#define BMC_KINDS    (GUIDED_KINDS | CYCLIC_KINDS)
#define HYBRID_KINDS (1u << IR_PROP_ASSUME | 1u << IR_PROP_INVARIANT)
#define THREADS_MAX  1024

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

// Sets of states as decision diagrams, and formulas: no store, and nothing that speaks of states
// one by one.
#define REASONING(name, order, what) SHARED(name, order, what, 1)
#define SHARED(name, order, what, threads)                                                         \
  {.engine = name,                                                                                 \
   .search = order,                                                                                \
   .threads_max = threads,                                                                         \
   .deterministic_max = 1,                                                                         \
   .kinds = what,                                                                                  \
   .all_ctl = (what) == SYMBOLIC_KINDS},
#ifdef FATHOM_BDD
#define BDD                                                                                        \
  REASONING("bdd", "bfs", SYMBOLIC_KINDS)                                                          \
  REASONING("bdd", "ida", GUIDED_KINDS)                                                            \
  REASONING("bdd", "astar", GUIDED_KINDS)                                                          \
  REASONING("bdd", "wastar", GUIDED_KINDS)
#else
#define BDD
#endif
#ifdef FATHOM_BMC
#define BMC REASONING("bmc", "deepening", BMC_KINDS) // that search is not one to choose
#else
#define BMC
#endif
// Disjuncts of the frontier can be several threads' work.
#ifdef FATHOM_HYBRID
#define HYBRID                                                                                     \
  SHARED("hybrid", "dfs", HYBRID_KINDS, THREADS_MAX)                                               \
  SHARED("hybrid", "glh", HYBRID_KINDS, THREADS_MAX)                                               \
  REASONING("st", "bfs", HYBRID_KINDS)                                                             \
  REASONING("smt", "deepening", HYBRID_KINDS)
#else
#define HYBRID
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
                                          BDD BMC HYBRID};
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
  return i == search_strategy_count ? race : reasoned[i - search_strategy_count - 1].search;
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

bool capability_fits(const struct options *o) {
  for (size_t i = 0; i < ROWS; i++)
    if (fits(&table[i], o)) return true;
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

// The only engine that has that search; NULL: the others have it, too.
static const char *owner_of(const char *search) {
  size_t i = 0;
  while (reasoned[i].search != NULL && !names(search, reasoned[i].search)) i++;
  return reasoned[i].engine;
}

// Engines that are made for a language, the best one first.
static const struct {
  const char *language, *engine;
} preferred[] = {{"smv", "bdd"}, {"c", "hybrid"}, {"c", "bmc"}, {"c", "bdd"}};

static bool admits(const struct options *o, const char *engine) {
  struct options with = *o;
  struct text why = {0};
  with.engine = engine;
  bool good = capability_admits(&with, &why);
  text_clear(&why);
  return good;
}

// Where no engine admits what is asked for, the best one is to say why.
const char *capability_engine(const struct options *o, const char *language) {
  const char *best = NULL;
  if (o->engine != NULL) return o->engine;
  if (owner_of(o->search) != NULL) return owner_of(o->search);
  for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++) {
    const char *engine = preferred[i].engine;
    if (!names(language, preferred[i].language)) continue;
    if (admits(o, engine)) return engine;
    if (best == NULL && !capability_left_out(CAPABILITY_ENGINE, engine)) best = engine;
  }
  return best == NULL || admits(o, "explicit") ? "explicit" : best;
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

static bool is_condition(const struct ir_ctl *f) {
  return f->op <= IR_CTL_IFF && (f->left == NULL || is_condition(f->left)) &&
         (f->right == NULL || is_condition(f->right));
}

static bool is_invariant(const struct ir_ctl *f) {
  return f != NULL && f->op == IR_CTL_AG && is_condition(f->left);
}

bool capability_checks(const struct capability *c, const struct ir_property *p) {
  if ((c->kinds >> p->kind & 1) == 0) return false;
  return p->kind != IR_PROP_CTL || c->all_ctl || is_invariant(p->ctl);
}
