// SPDX-License-Identifier: Apache-2.0
// Random models with random goals: the guided searches, breadth-first search over diagrams, and SAT
// agree with the search over explicit states on verdicts and lengths of shortest traces, with any
// abstraction; a pattern database never tells more than the true distance; values that are said to
// exclude each other are those that no state has both.
//   test_guided [--first SEED] [--count N] [--goals N] [--show]
#include "random/guided/hunt.h"
#include "random/ltl/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAPH_MAX    400
#define FAILURES_MAX 5

struct options {
  uint64_t first, count;
  uint32_t goals;
  bool show;
};

// One goal on a model of its own. NULL of `why`: nobody wants to know.
static bool try_goal(struct hunt_tally *tally, uint64_t seed, uint32_t number, const bool *cut,
                     struct text *why, struct text *model) {
  struct hunt h = {.seed = seed, .number = number, .tally = tally};
  h.m = hunt_model(seed, cut, &h.parts);
  if (!h.m) return true;
  struct graph *g = graph_new(h.m, GRAPH_MAX);
  if (!g->faulty && !g->cut && g->starts > 0) h.graph = g;
  hunt_goal(&h);
  bool good = hunt_run(&h) && hunt_pattern(&h) && hunt_exclusive(&h);
  if (why) text_add(why, text_str(&h.why));
  if (model) ir_print_model(model, h.m);
  text_clear(&h.why);
  graph_free(g);
  ir_model_free(h.m);
  return good;
}

// Leaves out what can be left out of a failing model.
static void shrink(uint64_t seed, uint32_t number, bool *cut, uint32_t parts) {
  struct hunt_tally unused = {0};
  for (uint32_t i = 0; i < parts; i++) {
    cut[i] = true;
    cut[i] = !try_goal(&unused, seed, number, cut, NULL, NULL);
  }
}

static void report(const struct options *o, uint64_t seed, uint32_t number, uint32_t parts) {
  struct hunt_tally unused = {0};
  struct text why = {0}, model = {0};
  bool *cut = mem_zalloc(parts + 1, sizeof *cut);
  if (o->show) shrink(seed, number, cut, parts);
  try_goal(&unused, seed, number, cut, &why, o->show ? &model : NULL);
  printf("FAILED seed %" PRIu64 ", goal %u: %s\n%s\n", seed, number, text_str(&why),
         text_str(&model));
  mem_free(cut);
  text_clear(&why);
  text_clear(&model);
}

static uint64_t run_seed(const struct options *o, struct hunt_tally *tally, uint64_t seed) {
  uint32_t parts;
  uint64_t failures = 0;
  struct ir_model *m = hunt_model(seed, NULL, &parts);
  if (!m) return 0;
  ir_model_free(m);
  tally->models++;
  for (uint32_t number = 0; number < o->goals; number++) {
    if (try_goal(tally, seed, number, NULL, NULL, NULL)) continue;
    failures++;
    report(o, seed, number, parts);
  }
  return failures;
}

static bool read_options(int argc, char **argv, struct options *o) {
  *o = (struct options){.first = 1, .count = 100, .goals = 4};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--show") == 0)
      o->show = true;
    else if (strcmp(argv[i], "--first") == 0 && value)
      o->first = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--count") == 0 && value)
      o->count = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--goals") == 0 && value)
      o->goals = (uint32_t)strtoul(argv[++i], NULL, 10);
    else
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  struct options o;
  struct hunt_tally t = {0};
  uint64_t failures = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!read_options(argc, argv, &o)) {
    fprintf(stderr, "usage: %s [--first SEED] [--count N] [--goals N] [--show]\n", argv[0]);
    return 1;
  }
  for (uint64_t i = 0; i < o.count && failures < FAILURES_MAX; i++)
    failures += run_seed(&o, &t, o.first + i);
  printf("%" PRIu64 " models, %" PRIu64 " goals (%" PRIu64 " skipped): %" PRIu64
         " violated, %.1f steps on average, %" PRIu64 " at most; %" PRIu64 " runs, %" PRIu64
         " refused, %" PRIu64 " given up; %" PRIu64 " distances; %" PRIu64 " failures\n",
         t.models, t.goals, t.skipped, t.violated,
         t.violated ? (double)t.depth_sum / (double)t.violated : 0, t.depth_max, t.runs, t.refused,
         t.given_up, t.states, failures);
  return failures != 0;
}
