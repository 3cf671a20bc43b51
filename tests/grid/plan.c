// SPDX-License-Identifier: Apache-2.0
// Which cells there are.
#include "grid.h"

// Settings of more states than --limit run one cell of so many; coprime to the axes, so that over
// the settings every combination has its turn.
#define STRIDE 7

static size_t add_cell(struct grid *g, struct cell c) {
  VEC_PUSH(&g->cells, c);
  return g->cells.count - 1;
}

void plan_references(struct grid *g) {
  for (size_t i = 0; i < g->settings.count; i++) {
    struct setting *s = &g->settings.data[i];
    struct cell c = {.use = REFERENCE,
                     .setting = i,
                     .store = "exact",
                     .search = "bfs",
                     .threads = "1",
                     .symmetry = "off"};
    s->plain = add_cell(g, c);
    c.symmetry = "on";
    s->reduced = add_cell(g, c);
  }
}

// Is the k-th unit of a setting run, or left out?
static bool chosen(struct grid *g, size_t setting, size_t k, size_t cells) {
  const struct setting *s = &g->settings.data[setting];
  if (g->cells.data[s->plain].found.states <= g->limit || (k + setting) % STRIDE == 0) return true;
  g->left_out += cells;
  return false;
}

// The settings of the bounded search take turns, so that over the cells every combination has its
// own. False: this store is refused.
static bool plan_bounded(struct cell *c, size_t turn) {
  static const char *const increments[] = {"1", "2", "3", "7", "20"};
  static const char *const boundings[] = {"threshold", "depth"};
  static const char *const frontiers[] = {"tree", "traces", "states"};
  if (is(c->store, "bitstate")) return false;
  c->increment = increments[turn % 5];
  c->bounding = boundings[turn % 2];
  c->frontier = frontiers[turn % 3];
  return true;
}

static void plan_ordinary(struct grid *g, struct cell c, size_t *k) {
  for (size_t i = 0; i < g->stores.count; i++)
    for (size_t j = 0; j < g->threads.count; j++)
      for (size_t l = 0; l < g->searches.count; l++) {
        c.store = g->stores.values[i];
        c.threads = g->threads.values[j];
        c.search = g->searches.values[l];
        c.increment = c.bounding = c.frontier = NULL;
        if (is(c.search, "bounded") && !plan_bounded(&c, g->cells.count)) continue;
        if (!chosen(g, c.setting, (*k)++, g->rounds)) continue;
        for (unsigned round = 0; round < g->rounds; round++) add_cell(g, c);
      }
}

// One thread, then each number of threads, and the last one again: all the same result. A store
// that may lose states keeps the promise with one thread only, and more are refused.
static void plan_deterministic(struct grid *g, struct cell c, size_t *k) {
  c.use = DETERMINISTIC;
  c.search = "bfs";
  for (size_t i = 0; i < g->stores.count; i++) {
    c.store = g->stores.values[i];
    size_t count = store_lossy(c.store) ? 0 : g->threads.count;
    if (!chosen(g, c.setting, (*k)++, g->rounds * count + 2)) continue;
    c.threads = "1";
    c.twin = g->cells.count;
    add_cell(g, c);
    for (size_t j = 0; j < count; j++) {
      c.threads = g->threads.values[j];
      for (unsigned round = 0; round < g->rounds; round++) add_cell(g, c);
    }
    add_cell(g, c);
  }
}

static bool says(const struct setting *s, const char *option) {
  for (size_t i = 0; i < s->words.count; i++)
    if (is(s->words.data[i], option)) return true;
  return false;
}

// Partial order reduction; the stores take turns. It does not go together with fairness.
static void plan_reduced(struct grid *g, struct cell c, size_t *k) {
  static const char *const searches[] = {"bfs", "dfs"};
  if (says(&g->settings.data[c.setting], "--fairness")) return;
  c.use = REDUCED;
  c.por = "on";
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < g->threads.count; j++) {
      c.search = searches[i];
      c.threads = g->threads.values[j];
      c.store = g->stores.values[g->cells.count % g->stores.count];
      if (chosen(g, c.setting, (*k)++, 1)) add_cell(g, c);
    }
}

// Searches for cycles, where there is something to look for.
static void plan_cycles(struct grid *g, struct cell c, size_t *k) {
  static const char *const stores[] = {"exact", "tree"};
  const struct setting *s = &g->settings.data[c.setting];
  const struct facts *plain = &g->cells.data[s->plain].found;
  if (plain->cyclic == NULL || is(plain->cyclic, "")) return;
  c.use = CYCLES;
  c.search = "ndfs";
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < g->threads.count; j++) {
      c.store = stores[i];
      c.threads = g->threads.values[j];
      c.por = says(s, "--fairness") ? NULL : (i + j) % 2 == 0 ? "on" : "off";
      if (!chosen(g, c.setting, (*k)++, g->rounds)) continue;
      for (unsigned round = 0; round < g->rounds; round++) add_cell(g, c);
      g->cycles += g->rounds;
    }
}

// Decision diagrams: once, and once more with many changes of the order.
static void plan_symbolic(struct grid *g, struct cell c, size_t *k) {
  if (g->symbolic == NULL || !chosen(g, c.setting, (*k)++, 1)) return;
  c.use = SYMBOLIC;
  c.search = "bfs";
  add_cell(g, c);
  c.reorder = g->reorder;
  if (c.reorder != NULL) add_cell(g, c);
}

// State traversal and reasoning about paths know nothing of infinite runs and deadlocks.
static bool is_safety(const struct setting *s) {
  static const char *const options[] = {"--ltl", "--non-progress", "--fairness", "--deadlock"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (says(s, options[i])) return false;
  return true;
}

// Decision diagrams that leave out what does not matter, guided searches, formulas, sets and paths.
static void plan_reasoned(struct grid *g, struct cell c, size_t *k) {
  static const char *const cone[] = {"--engine", "bdd", NULL};
  static const char *const ida[] = {"--engine", "bdd", "--search", "ida", NULL};
  static const char *const astar[] = {"--engine", "bdd", "--search", "astar", NULL};
  static const char *const wastar[] = {"--engine", "bdd", "--search", "wastar", NULL};
  static const char *const forward[] = {"--search", "ida",       "--engine", "bdd", "--cone",
                                        "off",      "--pattern", "forward",  NULL};
  static const char *const bmc[] = {"--engine", "bmc", NULL};
  static const char *const table[] = {"--engine", "explicit", "--search", "astar", NULL};
  static const char *const hybrid[] = {"--engine", "hybrid", NULL};
  static const char *const glh[] = {"--engine", "hybrid", "--search", "glh", NULL};
  static const char *const st[] = {"--engine", "st", NULL};
  static const char *const smt[] = {"--engine", "smt", NULL};
  static const struct {
    const char *const *words;
    bool shortest, safety;
  } kinds[] = {{cone, true},       {ida, true},      {astar, true},    {wastar, false},
               {forward, true},    {bmc, true},      {table, false},   {hybrid, false, true},
               {glh, false, true}, {st, true, true}, {smt, true, true}};
  size_t count = sizeof kinds / sizeof *kinds;
  if (g->symbolic == NULL) return;
  c.use = REASONED;
  c.search = "";
  for (size_t i = 0; i < count; i++) {
    if (!g->reasoned && i != c.setting % count) continue;
    if (kinds[i].safety && !is_safety(&g->settings.data[c.setting])) continue;
    if (!chosen(g, c.setting, (*k)++, 1)) continue;
    c.words = kinds[i].words;
    c.shortest = kinds[i].shortest;
    add_cell(g, c);
  }
}

void plan_cells(struct grid *g) {
  for (size_t i = 0; i < g->settings.count; i++) {
    struct cell c = {.use = DEFAULTS, .setting = i};
    size_t k = 0;
    add_cell(g, c);
    for (int on = 0; on <= (int)g->settings.data[i].symmetric; on++) {
      c.use = ORDINARY;
      c.symmetry = on ? "on" : "off";
      plan_ordinary(g, c, &k);
      plan_deterministic(g, c, &k);
    }
    c.symmetry = "off";
    plan_reduced(g, c, &k);
    plan_cycles(g, c, &k);
    plan_symbolic(g, c, &k);
    plan_reasoned(g, c, &k);
  }
}
