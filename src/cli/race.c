// SPDX-License-Identifier: Apache-2.0
// --search race: which searches run at once, and running them.
#include "cli/cli.h"

#include "search/race.h"
#include "search/search.h"

#include <string.h>

// In the order in which they are worth a core; `marked`: only where something is marked.
static const struct {
  const char *search;
  bool marked, unmarked;
} entrants[] = {
    {"bfs", true, true},    {"biased-dfs", true, false}, {"context", false, true},
    {"greedy", true, true}, {"dfs", true, true},         {"biased-bfs", true, false},
    {"astar", true, true},  {"random", true, true},
};

void cli_race_init(struct report_race *r, bool marked, uint64_t threads) {
  if (threads < 2) threads = 2;
  *r = (struct report_race){0};
  for (size_t i = 0; i < sizeof entrants / sizeof *entrants && r->count < threads; i++) {
    if (!(marked ? entrants[i].marked : entrants[i].unmarked)) continue;
    assert(r->count < REPORT_RACE_MAX);
    r->searches[r->count++] = entrants[i].search;
  }
}

void cli_race_run(struct report_race *r, const struct search_config *config,
                  struct result *result) {
  const struct search_strategy *strategies[REPORT_RACE_MAX];
  for (size_t i = 0; i < r->count; i++) strategies[i] = search_strategy_find(r->searches[i]);
  search_race(strategies, r->count, config, result, &r->winner);
  r->figures_of = result->search;
  result->search = "race";
}
