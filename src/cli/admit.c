// SPDX-License-Identifier: Apache-2.0
// Which options may stand beside which: what belongs to one engine or search only, what contradicts
// itself, what would have no effect. Each refusal is a sentence that says what to do.
#include "cli/capability.h"

#include "cli/options.h"
#include "search/search.h"
#include "store/store.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char race[] = "race";

static bool names(const char *asked, const char *value) {
  return asked != NULL && strcmp(asked, value) == 0;
}

static bool is_listed(const char *const *names, const char *name) {
  for (; *names != NULL; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

// "a, b or c"
static void add_list(struct text *out, const char *const *names) {
  text_add(out, *names++);
  for (; *names != NULL; names++)
    text_printf(out, "%s%s", names[1] != NULL ? ", " : " or ", *names);
}

static void refuse_owner(struct text *why, const char *option, const char *set,
                         const char *const *owners) {
  text_printf(why, "--%s is for --%s ", option, set);
  add_list(why, owners);
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
    {"depth", NAMES("bfs", "dfs", "bounded", "ndfs", "progress", "glh")},
    {"selection", NAMES("ndfs")},
    {"weights", NAMES("wastar")},
    {"abstract-depth", NAMES("ida", "astar", "wastar", "greedy")},
    {"strength", NAMES("ida", "astar", "wastar", "greedy")},
    {"pattern", NAMES("ida", "astar", "wastar", "greedy")},
    {"pattern-nodes", NAMES("ida", "astar", "wastar", "greedy")},
    {"glh-time", NAMES("glh")},
    {"polyhedra", NAMES("glh")},
};
#define OWNED (sizeof owned / sizeof *owned)

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
  refuse_owner(why, owned[i].option, "search", owned[i].searches);
  bool several = owned[i].searches[1] != NULL;
  text_printf(why, ": %s, or leave --%s out", several ? "take one of them" : "add that",
              owned[i].option);
  return true;
}

// Options that only some engines know; `idle` is the value that asks for nothing, if there is one.
static const struct {
  const char *option, *idle;
  const char *const *engines;
} engine_owned[] = {
    {"store", NULL, NAMES("explicit")},
    {"threads", "1", NAMES("explicit", "hybrid")},
    {"symmetry", "off", NAMES("explicit")},
    {"por", "off", NAMES("explicit")},
    {"native", "off", NAMES("explicit")},
    {"no-cache", NULL, NAMES("explicit")},
    {"fairness", "none", NAMES("explicit")},
    {"shrink", NULL, NAMES("explicit")},
    {"stats", NULL, NAMES("explicit")},
    {"selection", NULL, NAMES("explicit")},
    {"mark", NULL, NAMES("explicit")},
    {"flow", NULL, NAMES("explicit")},
    {"flows", NULL, NAMES("explicit")},
    {"heuristic", NULL, NAMES("explicit")},
    {"states", NULL, NAMES("explicit", "bdd")},
    {"order", NULL, NAMES("bdd")},
    {"reorder", NULL, NAMES("bdd")},
    {"reorder-every", NULL, NAMES("bdd")},
    {"write-order", NULL, NAMES("bdd")},
    {"weights", NULL, NAMES("bdd")},
    {"abstract-depth", NULL, NAMES("explicit", "bdd")},
    {"strength", NULL, NAMES("explicit", "bdd")},
    {"pattern", NULL, NAMES("explicit", "bdd")},
    {"pattern-nodes", NULL, NAMES("explicit", "bdd")},
    {"cone", NULL, NAMES("bdd", "bmc")},
    {"proof", NULL, NAMES("bmc")},
    {"deadlock", "off", NAMES("explicit", "bdd", "bmc")},
    {"ltl", NULL, NAMES("explicit", "bdd", "bmc")},
    {"non-progress", NULL, NAMES("explicit", "bdd", "bmc")},
    {"partition", NULL, NAMES("hybrid")},
    {"tsize", NULL, NAMES("hybrid")},
    {"isize", NULL, NAMES("hybrid")},
    {"fsize", NULL, NAMES("hybrid")},
    {"path-depth", NULL, NAMES("hybrid")},
    {"path-time", NULL, NAMES("hybrid")},
    {"glh-time", NULL, NAMES("hybrid")},
    {"polyhedra", NULL, NAMES("hybrid")},
    {"reached", NULL, NAMES("hybrid", "st")},
#undef NAMES
};
#define ENGINE_OWNED (sizeof engine_owned / sizeof *engine_owned)

bool capability_engine_knows(const char *engine, const char *option) {
  for (size_t i = 0; i < ENGINE_OWNED; i++)
    if (strcmp(engine_owned[i].option, option) == 0)
      return is_listed(engine_owned[i].engines, engine);
  return true;
}

// What engines have for searches, where that is not all the others.
static const struct {
  const char *engine, *goes, *instead;
} orders[] = {
    {"bmc", "looks ever deeper, and has no other search", "another engine"},
    {"smt", "looks ever deeper, and has no other search", "another engine"},
    {"st", "goes breadth first, and has no other search", "another engine"},
    {"bdd", "goes breadth first, or by --search ida, astar or wastar", "--engine explicit"},
    {"hybrid", "goes by --search dfs or glh", "--engine explicit"},
};

// A search that the engine does not have.
static bool refuse_search(const struct options *o, const char *engine, struct text *why) {
  static const char *const others[] = {"bdd", "hybrid"};
  struct options only = {.engine = engine, .search = o->search};
  if (o->search == NULL || capability_fits(&only)) return false;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (strcmp(orders[i].engine, engine) != 0) continue;
    text_printf(why, "--engine %s %s: leave --search %s out, or take %s", engine, orders[i].goes,
                o->search, orders[i].instead);
    return true;
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    only.engine = others[i];
    if (!capability_fits(&only)) continue;
    text_printf(why, "--search %s is for --engine %s: take that, or another search", o->search,
                others[i]);
    return true;
  }
  return false;
}

// Guided searches of sets do not count states.
static bool refuse_states(const struct options *o, const char *engine, struct text *why) {
  bool breadth = o->search == NULL || strcmp(o->search, "bfs") == 0;
  if (strcmp(engine, "bdd") != 0 || breadth || !options_given(o, "states")) return false;
  text_printf(why,
              "--states is for --search bfs of --engine bdd: --search %s counts none; leave "
              "--states out",
              o->search);
  return true;
}

// What an engine is never asked for, and what only another one knows.
static bool refuse_engine(const struct options *o, struct text *why) {
  const char *engine = o->engine != NULL ? o->engine : "explicit";
  if (refuse_search(o, engine, why) || refuse_states(o, engine, why)) return true;
  for (size_t i = 0; i < ENGINE_OWNED; i++) {
    const char *option = engine_owned[i].option;
    if (is_listed(engine_owned[i].engines, engine) || !options_given(o, option)) continue;
    if (engine_owned[i].idle != NULL && options_say(o, option, engine_owned[i].idle)) continue;
    refuse_owner(why, option, "engine", engine_owned[i].engines);
    text_printf(why, ": take %s, or leave --%s out",
                engine_owned[i].engines[1] != NULL ? "one of them" : "that", option);
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

static bool read_weight(const char **at, double *weight) {
  char *end;
  if (!isdigit((unsigned char)**at)) return false;
  *weight = strtod(*at, &end);
  *at = end;
  return isfinite(*weight);
}

bool capability_weights(const char *text, double *a, double *b) {
  const char *at = text;
  if (!read_weight(&at, a) || *at++ != ',' || !read_weight(&at, b) || *at != '\0') return false;
  return *a > 0 || *b > 0;
}

// Searches by an abstraction.
static bool refuse_guided(const struct options *o, struct text *why) {
  double a, b;
  if (o->weights != NULL && !capability_weights(o->weights, &a, &b))
    text_printf(why,
                "--weights wants two numbers, of which one is not 0: A for the steps that are left "
                "and B for those that were taken, such as 2,1; \"%s\" is not that",
                o->weights);
  else if (names(o->strength, "-") && names(o->operands.data[0], "-"))
    text_add(why, "--strength and the model cannot both be read from standard input");
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
      refuse_owned(o, why) || refuse_guided(o, why) || refuse_bounded(o, why) ||
      refuse_hinted(o, why) || refuse_shrink(o, why) || refuse_cycles(o, why) || refuse_por(o, why))
    return false;
  if (capability_fits(o)) return true;
  struct options fewer = *o;
  fewer.threads = 1;
  if (o->deterministic && capability_fits(&fewer))
    refuse_threads(o, why);
  else
    refuse_all(o, why);
  return false;
}
