// SPDX-License-Identifier: Apache-2.0
// Random models x random formulas: references written for the tests, nested searches with one
// thread and several, with and without reduction, chains and fairness, all agree; each lasso
// replays and violates its formula. A failing pair is printed, shrunk, and can be run again:
//   test_ltl [--first SEED] [--count N] [--formulas N] [--native] [--no-threads] [--show]
#include "random/ltl/formula.h"
#include "random/ltl/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX   600
#define FAILURES_MAX 5

struct options {
  uint64_t first, count;
  uint32_t formulas;
  bool native, threads, show;
};

static const char *const kinds[] = {"cycles", "safety", "liveness"};
static bool (*const trials[])(struct trial *) = {trial_cycles, trial_safety, trial_liveness};
#define KINDS (sizeof trials / sizeof *trials)

// One formula, one kind of trial, on a model of its own: reductions add to it.
static bool run_kind(struct trial *t, size_t kind) {
  uint32_t rules;
  t->m = trial_model(t->seed, t->cut, &rules);
  t->factory = ltl_factory_new();
  trial_property(t);
  bool good = trials[kind](t);
  ltl_factory_free(t->factory);
  ir_model_free(t->m);
  return good;
}

// True also for a model that is left out.
static bool run_pair(struct trial *t, size_t kind) {
  uint32_t rules;
  struct ir_model *m = trial_model(t->seed, t->cut, &rules);
  if (!m) return true;
  struct graph *g = graph_new(m, STATES_MAX);
  t->graph = g;
  bool good = g->faulty || g->cut || g->starts == 0 || run_kind(t, kind);
  graph_free(g);
  ir_model_free(m);
  return good;
}

static void show(const struct trial *about) {
  struct trial t = *about;
  struct text out = {0};
  uint32_t rules;
  t.m = trial_model(t.seed, t.cut, &rules);
  t.factory = ltl_factory_new();
  trial_property(&t);
  const struct ir_property *p = t.m->properties.data[t.property];
  ir_print_model(&out, t.m);
  printf("%s\nproperty: %s\n", text_str(&out), p->text);
  text_clear(&out);
  ltl_print_never(&out, t.automaton, formula_names(t.m));
  printf("%s\n", text_str(&out));
  text_clear(&out);
  ltl_factory_free(t.factory);
  ir_model_free(t.m);
}

// Leaves out rules, one at a time, as long as something is still wrong.
static void shrink(const struct trial *about, size_t kind, uint32_t rules) {
  struct tally ignored = {0};
  bool *out = mem_zalloc(rules + 1, sizeof *out), smaller = true;
  struct trial t = *about;
  struct text why = {0};
  t.cut = out;
  t.tally = &ignored;
  while (smaller) {
    smaller = false;
    for (uint32_t i = 0; i < rules; i++) {
      if (out[i]) continue;
      out[i] = true;
      t.why = (struct text){0};
      out[i] = !run_pair(&t, kind);
      smaller |= out[i];
      if (out[i]) text_clear(&why);
      if (out[i]) text_add(&why, text_str(&t.why));
      text_clear(&t.why);
    }
  }
  printf("shrunk: %s\n", text_str(&why));
  show(&t);
  text_clear(&why);
  mem_free(out);
}

static void run_formula(const struct options *o, struct trial *t, uint32_t rules) {
  for (size_t kind = 0; kind < KINDS; kind++) {
    t->why = (struct text){0};
    bool good = run_kind(t, kind);
    if (!good) {
      t->tally->failures++;
      printf("FAILED seed %" PRIu64 ", formula %u, %s: %s\n  again: --first %" PRIu64
             " --count 1 --formulas %u%s\n",
             t->seed, t->number, kinds[kind], text_str(&t->why), t->seed, t->number + 1,
             o->native ? " --native" : "");
      if (t->tally->failures == 1) shrink(t, kind, rules);
    }
    text_clear(&t->why);
  }
}

static void run_seed(const struct options *o, struct tally *tally, uint64_t seed) {
  struct trial t = {.seed = seed, .tally = tally, .native = o->native, .threads = o->threads};
  uint32_t rules = 0;
  struct ir_model *m = trial_model(seed, NULL, &rules);
  struct graph *g = m ? graph_new(m, STATES_MAX) : NULL;
  if (!g || g->faulty || g->cut || g->starts == 0) {
    tally->left_out++;
  } else {
    tally->models++;
    t.graph = g;
    for (; t.number < o->formulas && tally->failures < FAILURES_MAX; t.number++) {
      if (o->show) show(&t);
      run_formula(o, &t, rules);
    }
  }
  if (g) graph_free(g);
  if (m) ir_model_free(m);
}

static void print_tally(const struct tally *t) {
  printf("%" PRIu64 " models (%" PRIu64 " left out) x formulas: %" PRIu64 " pairs (%" PRIu64
         " with X, %" PRIu64 " claims, %" PRIu64 " with chains), %" PRIu64 " failures\n",
         t->models, t->left_out, t->pairs, t->next, t->claims, t->chains, t->failures);
  printf("%" PRIu64 " violated, %" PRIu64 " by fair runs; %" PRIu64 " searches, %" PRIu64
         " lassos replayed; %" PRIu64 " searches with reduction had a second search\n",
         t->violated, t->fair, t->runs, t->lassos, t->nested);
  printf("with reduction, where it holds: %" PRIu64 " searches for cycles, %" PRIu64
         " of them with fewer states, %" PRIu64 " states instead of %" PRIu64 "; %" PRIu64
         " for violations, %" PRIu64 " instead of %" PRIu64 "\n",
         t->reduced, t->smaller, t->kept[0], t->full[0], t->safety, t->kept[1], t->full[1]);
  printf("%" PRIu64 " deadlocks; liveness: %" PRIu64 " hold, %" PRIu64 " do not; %" PRIu64
         " models compiled\n",
         t->deadlocks, t->live, t->not_live, t->natives);
}

static bool read_options(int argc, char **argv, struct options *o) {
  *o = (struct options){.first = 1, .count = 100, .formulas = 5, .threads = true};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--native") == 0)
      o->native = true;
    else if (strcmp(argv[i], "--no-threads") == 0)
      o->threads = false;
    else if (strcmp(argv[i], "--show") == 0)
      o->show = true;
    else if (strcmp(argv[i], "--first") == 0 && value)
      o->first = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--count") == 0 && value)
      o->count = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--formulas") == 0 && value)
      o->formulas = (uint32_t)strtoul(argv[++i], NULL, 10);
    else
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  struct options o;
  struct tally tally = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!read_options(argc, argv, &o)) {
    fprintf(
        stderr,
        "usage: %s [--first SEED] [--count N] [--formulas N] [--native] [--no-threads] [--show]\n",
        argv[0]);
    return 1;
  }
  for (uint64_t i = 0; i < o.count && tally.failures < FAILURES_MAX; i++)
    run_seed(&o, &tally, o.first + i);
  print_tally(&tally);
  return tally.failures != 0;
}
