// SPDX-License-Identifier: Apache-2.0
// Partial order reduction on random models: the reduced walks, and the searches, with all kinds of
// stores and threads, find what the full walk does; their traces replay.
#include "ample_random.h"
#include "ample_walk.h"
#include "search/search.h"
#include "trace/trace.h"

#include <stdio.h>

#if defined(FATHOM_SMALL) || defined(__SANITIZE_THREAD__) // with sanitizers
enum { STATES_MAX = 1500, PROGRAMS = 150, AGENTS = 300 };
#else
enum { STATES_MAX = 1500, PROGRAMS = 1500, AGENTS = 3000 };
#endif

struct total {
  size_t models, states, kept;
};

struct setting {
  const char *strategy, *store;
  unsigned threads;
  bool deterministic;
  int as; // as many states as the walk in this order has; -1: not known
};
static const struct setting settings[] = {
    {"bfs", "exact", 1, false, WALK_LEVELS}, {"dfs", "exact", 1, false, WALK_PATH},
    {"bfs", "tree", 2, true, WALK_LEVELS},   {"dfs", "tree", 2, true, WALK_PATH},
    {"bfs", "exact", 2, false, -1},          {"dfs", "exact", 2, false, -1},
    {"bfs", "fingerprint", 1, false, -1},
};

static void run_search(const struct walk *full, const struct ample *a, const struct setting *how,
                       struct result *r) {
  struct search_config c = {.sys = full->sys,
                            .model = full->m,
                            .store = how->store,
                            .threads = how->threads,
                            .deterministic = how->deterministic,
                            .started = clock_seconds(),
                            .deadlock = (int)full->m->deadlock,
                            .ample = a};
  *r = (struct result){0};
  search_run(search_strategy_find(how->strategy), &c, r);
}

static const char *replay_all(const struct walk *full, struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay p;
    struct trace *t = &r->traces.data[i];
    if (full->sys->chains && !trace_unfold(t, full->sys)) return "a trace does not unfold";
    bool right = trace_replay(t, full->m, (int)full->m->deadlock, &p);
    replay_clear(&p);
    if (!right) return "a trace does not replay";
  }
  return NULL;
}

// A search does not look behind a state that violates an invariant; then it need not find the rest.
static const char *search_differs(const struct walk *full, const struct result *r) {
  bool pruned = false;
  size_t n = full->m->properties.count;
  for (size_t i = 0; i < n; i++) {
    const struct ir_property *p = full->m->properties.data[i];
    bool broken = p->kind == IR_PROP_INVARIANT && full->violated[i];
    pruned |= broken;
    bool refuted = r->properties.data[i].verdict == VERDICT_VIOLATED;
    if (refuted && p->kind == IR_PROP_INVARIANT && !broken) return "the search refutes what holds";
  }
  if (pruned) return r->verdict == VERDICT_VIOLATED ? NULL : "the search overlooks a violation";
  bool fails = memchr(full->failed, 1, full->m->sites.count) != NULL;
  if (fails != (r->properties.data[n].verdict == VERDICT_VIOLATED)) return "the search: faults";
  bool stuck = r->properties.count > n + 1 && r->properties.data[n + 1].verdict == VERDICT_VIOLATED;
  if (stuck && full->deadlocks.count == 0) return "the search: no deadlock";
  return NULL;
}

static const char *try_searches(const struct walk *full, const struct ample *a,
                                const size_t *counts) {
  const char *wrong = NULL;
  bool clean = true;
  for (size_t i = 0; i < full->m->properties.count; i++)
    clean &= full->m->properties.data[i]->kind != IR_PROP_INVARIANT || !full->violated[i];
  for (size_t k = 0; k < sizeof settings / sizeof *settings && !wrong; k++) {
    struct result r;
    run_search(full, a, &settings[k], &r);
    wrong = search_differs(full, &r);
    if (!wrong) wrong = replay_all(full, &r);
    if (!wrong && clean && settings[k].as >= 0 && r.stats.states != counts[settings[k].as])
      wrong = "the search: other states";
    result_clear(&r);
  }
  return wrong;
}

static const char *try_model(struct ir_model *m, struct total *t, bool search) {
  struct ample *a = ample_new(m, NULL, NULL);
  struct walk full;
  const char *wrong = NULL;
  size_t counts[3] = {0};
  walk_init(&full, m, NULL, WALK_LEVELS, STATES_MAX);
  walk_run(&full);
  for (enum walk_order order = WALK_LEVELS; a && order <= WALK_ANYHOW && !wrong; order++) {
    struct walk w;
    if (full.too_many) break;
    walk_init(&w, m, a, order, STATES_MAX);
    walk_run(&w);
    wrong = walk_differ(&full, &w);
    counts[order] = w.count;
    t->states += full.count;
    t->kept += w.count;
    walk_clear(&w);
  }
  if (a && !full.too_many) t->models++;
  if (a && !full.too_many && !wrong && search) wrong = try_searches(&full, a, counts);
  walk_clear(&full);
  ample_free(a);
  return wrong;
}

static unsigned effort(void) {
  const char *e = getenv("FATHOM_TEST_EFFORT");
  return e ? (unsigned)atoi(e) : 1;
}

static void try_family(void (*make)(struct text *, uint64_t),
                       struct ir_model *(*load)(const char *), unsigned count, const char *name) {
  struct total t = {0};
  for (uint64_t seed = 1; seed <= count * effort(); seed++) {
    struct text text = {0};
    make(&text, seed);
    struct ir_model *m = load(text_str(&text));
    const char *wrong = try_model(m, &t, seed % 4 == 0);
    if (wrong) fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, wrong, text_str(&text));
    ir_model_free(m);
    text_clear(&text);
  }
  printf("%s: %zu models, %zu of %zu states\n", name, t.models, t.kept, t.states);
  assert_true(t.models > count / 4);
  assert_true(t.kept < t.states - t.states / 20);
}

static void test_random_processes(void **context) {
  (void)context;
  try_family(promela_program, load_promela, PROGRAMS, "processes");
}

static void test_random_agents(void **context) {
  (void)context;
  try_family(agents_program, load_ir, AGENTS, "agents");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_processes),
      cmocka_unit_test(test_random_agents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
