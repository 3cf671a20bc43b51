// SPDX-License-Identifier: Apache-2.0
// Random programs through every mode of the hybrid engine and through the explicit search: verdicts
// agree, and every trace replays. Traversal and paths alone find errors by shortest traces.
//   test_hybrid [--first SEED] [--count N] [--show]
#include "hybrid/hybrid.h"
#include "ir/ir.h"
#include "random/hybrid/program.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILURES_MAX 5
#define STATES_MAX   60000
#define DEPTH        25 // of paths alone: programs mostly have loops

struct mode {
  const char *name;
  struct hybrid_config config;
};

static const struct mode modes[] = {
    {"st", {.mode = HYBRID_ST, .reached = true}},
    {"smt", {.mode = HYBRID_PR, .budget.depth_max = DEPTH}},
    {"dfs", {.mode = HYBRID_HMC, .partition = true, .reached = true}},
    {"dfs, small",
     {.mode = HYBRID_HMC,
      .partition = true,
      .reached = true,
      .tsize = 2,
      .isize = 2,
      .fsize = 4,
      .path_depth = 3}},
    {"no partition", {.mode = HYBRID_HMC, .reached = true, .fsize = 4, .path_depth = 5}},
    {"glh",
     {.mode = HYBRID_HMC,
      .search = HYBRID_GLH,
      .partition = true,
      .reached = true,
      .glh_seconds = 0.5}},
    {"two threads",
     {.mode = HYBRID_HMC, .partition = true, .reached = true, .threads = 2, .fsize = 4}},
    {"bounded",
     {.mode = HYBRID_HMC, .partition = true, .reached = true, .budget.depth_max = 8, .tsize = 3}},
};
#define MODES (sizeof modes / sizeof *modes)

struct counts {
  uint64_t models, holds, violated, large, unknown[MODES], runs[MODES];
  double seconds[MODES];
};

struct trial {
  uint64_t seed;
  struct ir_model *m;
  struct result expected;
  bool good;
};

static void wrong(struct trial *t, const char *mode, const char *what, const char *detail) {
  fprintf(stderr, "seed %" PRIu64 ": %s: %s%s%s\n", t->seed, mode, what, detail ? ": " : "",
          detail ? detail : "");
  t->good = false;
}

static struct ir_model *make(uint64_t seed, bool show) {
  struct text text = {0};
  struct diag d = {0};
  program_write(&text, seed);
  if (show) fputs(text_str(&text), stdout);
  struct ir_model *m =
      ir_parse_model(source_from_text("random.ir", text_str(&text), text.count), &d);
  if (!m) diag_print(&d, stderr, false);
  diag_clear(&d);
  text_clear(&text);
  return m;
}

static void search(struct trial *t) {
  struct sys *s = sys_new(t->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct search_config c = {.sys = s,
                            .model = t->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .max_errors = 1,
                            .budget.states_max = STATES_MAX,
                            .threads = 1};
  search_run(search_strategy_find("bfs"), &c, &t->expected);
  sys_free(s);
}

static void replay(struct trial *t, const char *mode, const struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay replay = {0};
    if (!trace_replay(&r->traces.data[i], t->m, IR_DEADLOCK_OFF, &replay))
      wrong(t, mode, "a trace does not replay", replay.problem);
    replay_clear(&replay);
  }
}

static size_t steps(const struct result *r) { return r->traces.data[0].steps.count; }

// An error is a step further than the state in which it happens; an invariant is looked at there.
static bool is_within(const struct trial *t, uint64_t depth) {
  return t->expected.verdict == VERDICT_VIOLATED && (!depth || steps(&t->expected) <= depth);
}

static void compare(struct trial *t, const struct mode *mode, const struct result *r) {
  enum verdict v = t->expected.verdict;
  uint64_t depth = mode->config.budget.depth_max;
  bool shortest = mode->config.mode != HYBRID_HMC;
  if (r->verdict == VERDICT_HOLDS && v == VERDICT_VIOLATED)
    wrong(t, mode->name, "holds, where it is violated", r->note);
  if (r->verdict == VERDICT_VIOLATED && v == VERDICT_HOLDS)
    wrong(t, mode->name, "violated, where it holds", NULL);
  if (r->verdict == VERDICT_UNKNOWN && is_within(t, depth) && strcmp(r->reason, "depth") == 0)
    wrong(t, mode->name, "not found within the depth", r->reason);
  if (r->verdict == VERDICT_UNKNOWN && !depth && strcmp(r->reason, "time") != 0 &&
      strcmp(r->reason, "nonlinear") != 0)
    wrong(t, mode->name, "unknown", r->reason);
  if (r->verdict == VERDICT_VIOLATED && v == VERDICT_VIOLATED && shortest &&
      steps(r) > steps(&t->expected) + 1)
    wrong(t, mode->name, "the trace is too long", NULL);
}

static void run(struct trial *t, size_t i, struct counts *counts) {
  const struct mode *mode = &modes[i];
  struct hybrid_config c = mode->config;
  struct result r = {0};
  c.model = t->m;
  c.started = clock_seconds();
  c.max_errors = 1;
  c.budget.seconds = 5;
  hybrid_run(&c, &r);
  counts->seconds[i] += clock_seconds() - c.started;
  compare(t, mode, &r);
  replay(t, mode->name, &r);
  counts->runs[i]++;
  counts->unknown[i] += r.verdict == VERDICT_UNKNOWN;
  result_clear(&r);
}

static bool try(uint64_t seed, bool show, struct counts *counts) {
  struct trial t = {.seed = seed, .good = true, .m = make(seed, show)};
  if (!t.m) return false;
  search(&t);
  counts->models++;
  counts->large += t.expected.verdict == VERDICT_UNKNOWN;
  counts->holds += t.expected.verdict == VERDICT_HOLDS;
  counts->violated += t.expected.verdict == VERDICT_VIOLATED;
  for (size_t i = 0; i < MODES; i++) run(&t, i, counts);
  result_clear(&t.expected);
  ir_model_free(t.m);
  return t.good;
}

static void summarise(const struct counts *c) {
  printf("%" PRIu64 " programs: %" PRIu64 " hold, %" PRIu64 " violated, %" PRIu64 " too large\n",
         c->models, c->holds, c->violated, c->large);
  for (size_t i = 0; i < MODES; i++)
    printf("%-14s %6.1f s, unknown %" PRIu64 " of %" PRIu64 "\n", modes[i].name, c->seconds[i],
           c->unknown[i], c->runs[i]);
}

int main(int argc, char **argv) {
  uint64_t first = 1, count = 50;
  bool show = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--first") && i + 1 < argc)
      first = strtoull(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--count") && i + 1 < argc)
      count = strtoull(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--show"))
      show = true;
    else
      return fprintf(stderr, "test_hybrid [--first SEED] [--count N] [--show]\n"), 1;
  }
  struct counts counts = {0};
  unsigned failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < FAILURES_MAX; seed++)
    failures += !try(seed, show, &counts);
  summarise(&counts);
  return failures != 0;
}
