// SPDX-License-Identifier: Apache-2.0
// Random models through the BDD engine and through what must agree with it: the breadth-first
// search (states, depth, deadlocks of both kinds), that for liveness, the reference of LTL on
// explicit graphs, and a reference of CTL with fairness, by sets of states; with the cone of
// influence and without. Every trace replays.
//   test_symbolic [--first SEED] [--count N] [--formulas N] [--show]
#include "random/generate.h"
#include "random/ltl/lasso.h"
#include "random/ltl/reference.h"
#include "random/ltl/trial.h"
#include "random/symbolic/cone.h"
#include "random/symbolic/ctl.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "symbolic/symbolic.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAPH_MAX    400
#define FAILURES_MAX 5
#define NOWHERE      ((struct span){0})

struct options {
  uint64_t first, count;
  uint32_t formulas;
  bool show;
};

struct counts {
  uint64_t models, refused, searches, formulas, violated, ctl, ctl_violated, fair, traces, loops;
};

static struct counts counts;
static struct cone_counts cones;

// --- runs ---

static void run(struct trial *t, int deadlock, const uint8_t *on, uint64_t max_errors,
                struct result *r) {
  bool often = t->seed % 5 == 0 && t->m->layout->bits <= 20; // sifting takes its time
  struct symbolic_config c = {.model = t->m,
                              .started = clock_seconds(),
                              .deadlock = deadlock,
                              .max_errors = max_errors,
                              .property_on = on,
                              .budget.seconds = t->graph ? 0 : 2,
                              .cone = (t->seed + t->number) % 3 != 0,
                              .reorder_every = often ? 100 : 0};
  *r = (struct result){0};
  symbolic_run(&c, r);
}

// Of liveness the end shows nothing by itself.
static bool replays(struct trial *t, const struct result *r, int deadlock) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct trace trace = r->traces.data[i];
    struct replay replay = {0};
    if (trace.end == TRACE_PROPERTY && t->m->properties.data[trace.id]->kind == IR_PROP_LIVENESS)
      trace.end = TRACE_WITNESS;
    bool good = trace_replay(&trace, t->m, deadlock, &replay);
    if (!good) trial_wrong(t, "a trace does not replay: %s", replay.problem);
    replay_clear(&replay);
    counts.traces++;
    counts.loops += trace.has_loop;
    if (!good) return false;
  }
  return true;
}

// --- states, depth, deadlocks ---

static void search_states(const struct search_config *c, struct result *r) {
  search_run(search_strategy_find("bfs"), c, r);
}

static void search(struct trial *t, int deadlock, const uint8_t *on,
                   void (*how)(const struct search_config *c, struct result *r), struct result *r) {
  struct sys *inner = sys_new(t->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *s = t->m->transient ? reduce_chain_new(inner) : inner;
  struct search_config c = {.sys = s,
                            .model = t->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .deadlock = deadlock,
                            .property_on = on,
                            .threads = 1};
  *r = (struct result){0};
  how(&c, r);
  if (s != inner) sys_free(s);
  sys_free(inner);
}

// Where the shortest trace of a kind ends.
static size_t shortest(const struct result *r, enum trace_end end) {
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < r->traces.count; i++)
    if (r->traces.data[i].end == end && r->traces.data[i].steps.count < least)
      least = r->traces.data[i].steps.count;
  return least;
}

static bool try_states(struct trial *t, int deadlock) {
  uint8_t *on = mem_zalloc(t->m->properties.count + 1, 1);
  struct result a, b;
  search(t, deadlock, on, search_states, &a);
  run(t, deadlock, on, 0, &b);
  counts.searches++;
  bool good = replays(t, &b, deadlock);
  if (good && (a.verdict != b.verdict || a.stats.states != b.stats.states ||
               a.stats.depth != b.stats.depth || a.traces.count != b.traces.count))
    good = trial_wrong(t,
                       "the search says %s, %" PRIu64 " states, depth %" PRIu64 ", %zu traces; "
                       "bdd %s (%s), %" PRIu64 ", %" PRIu64 ", %zu",
                       verdict_name(a.verdict), a.stats.states, a.stats.depth, a.traces.count,
                       verdict_name(b.verdict), b.reason ? b.reason : "-", b.stats.states,
                       b.stats.depth, b.traces.count);
  size_t least = shortest(&a, TRACE_DEADLOCK);
  if (good && !t->m->transient && least != shortest(&b, TRACE_DEADLOCK))
    good = trial_wrong(t, "the shortest way to a deadlock has another length");
  result_clear(&a);
  result_clear(&b);
  mem_free(on);
  return good;
}

// --- LTL, liveness ---

static bool try_formula(struct trial *t) {
  struct result r;
  bool violated = reference_accepted(t->graph, t->automaton, false);
  uint8_t *on = mem_zalloc(t->m->properties.count + 1, 1);
  on[t->property] = 1;
  if (t->graph->endless) violated = false;
  run(t, IR_DEADLOCK_OFF, on, 1, &r);
  enum verdict wanted = violated ? VERDICT_VIOLATED : VERDICT_HOLDS;
  bool good = t->graph->endless || r.verdict == wanted;
  if (!good)
    trial_wrong(t, "ltl: bdd says %s (%s), the reference %s", verdict_name(r.verdict),
                r.reason ? r.reason : "-", verdict_name(wanted));
  if (good && violated && r.traces.count == 0) good = trial_wrong(t, "violated without a trace");
  if (good && violated) good = lasso_good(t, &r.traces.data[0], false);
  counts.formulas++;
  counts.violated += violated;
  result_clear(&r);
  mem_free(on);
  return good;
}

static bool try_liveness(struct trial *t) {
  struct result a, b;
  struct ir_property *p = ir_property_new(t->m, IR_PROP_LIVENESS, "live", NOWHERE);
  p->expr = t->m->atoms.data[t->number % t->m->atoms.count]->expr;
  uint8_t *on = mem_zalloc(t->m->properties.count + 1, 1);
  on[p->id] = 1;
  search(t, IR_DEADLOCK_OFF, on, search_liveness, &a);
  run(t, IR_DEADLOCK_OFF, on, 1, &b);
  enum verdict wanted = a.properties.data[p->id].verdict, is = b.properties.data[p->id].verdict;
  bool good = is == wanted && a.traces.count == b.traces.count;
  if (!good) trial_wrong(t, "liveness: bdd says %s", verdict_name(is));
  good = good && replays(t, &b, IR_DEADLOCK_OFF);
  result_clear(&a);
  result_clear(&b);
  mem_free(on);
  return good;
}

// --- CTL ---

static struct ir_property *add_ctl(struct ir_model *m, const char *name, const struct ir_ctl *f) {
  struct ir_property *p = ir_property_new(m, IR_PROP_CTL, name, NOWHERE);
  p->ctl = f;
  return p;
}

// AG (f <-> the states of the reference).
static const struct ir_ctl *is_set(struct ir_model *m, const struct states *s,
                                   const struct ir_ctl *f, const states_set set) {
  struct ir_ctl *these = ir_ctl_new(m, IR_CTL_ATOM, NULL, NULL, NOWHERE);
  these->expr = states_condition(s, m, set);
  const struct ir_ctl *same = ir_ctl_new(m, IR_CTL_IFF, f, these, NOWHERE);
  return ir_ctl_new(m, IR_CTL_AG, same, NULL, NOWHERE);
}

static bool judge_ctl(struct trial *t, const struct states *s, struct rng *rng) {
  struct ctl_reference reference;
  struct result r;
  states_set set;
  bool wanted = true;
  ctl_random_fairness(t->m, s, rng);
  ctl_reference_init(&reference, s, t->m);
  const struct ir_ctl *f = ctl_random(t->m, rng);
  ctl_reference_of(&reference, f, set);
  for (uint32_t i = 0; i < s->starts; i++) wanted = wanted && (set[i] || !reference.fair[i]);
  struct ir_property *whole = add_ctl(t->m, "set", is_set(t->m, s, f, set));
  struct ir_property *plain = add_ctl(t->m, "formula", f);
  uint8_t *on = mem_zalloc(t->m->properties.count + 1, 1);
  on[whole->id] = on[plain->id] = 1;
  run(t, IR_DEADLOCK_OFF, on, 0, &r);
  bool good = r.properties.data[whole->id].verdict == VERDICT_HOLDS;
  if (!good) trial_wrong(t, "ctl: the states are others than the reference's");
  if (good && r.properties.data[plain->id].verdict != (wanted ? VERDICT_HOLDS : VERDICT_VIOLATED))
    good = trial_wrong(t, "ctl: bdd says %s", verdict_name(r.properties.data[plain->id].verdict));
  good = good && replays(t, &r, IR_DEADLOCK_OFF);
  counts.ctl++;
  counts.ctl_violated += !wanted;
  counts.fair += t->m->fairness.count > 0;
  result_clear(&r);
  mem_free(on);
  return good;
}

static bool try_ctl(struct trial *t) {
  struct states *s = mem_alloc(sizeof *s);
  struct rng rng;
  rng_init(&rng, t->seed * 7919 + t->number);
  bool good = true;
  if (!t->m->transient) {
    if (states_init(s, t->m)) good = judge_ctl(t, s, &rng);
    states_clear(s);
  }
  mem_free(s);
  return good;
}

// --- all of it ---

static bool try_stuck(struct trial *t) { return try_states(t, IR_DEADLOCK_STUCK); }
static bool try_stuttering(struct trial *t) { return try_states(t, IR_DEADLOCK_STUTTERING); }

static bool try_cone(struct trial *t) { return cone_invariants(t, &cones); }

static bool (*const trials[])(struct trial *) = {try_stuck,   try_stuttering, try_cone,
                                                 try_formula, try_liveness,   try_ctl};

static void show(const struct trial *t) {
  struct text out = {0};
  ir_print_model(&out, t->m);
  printf("%s\n", text_str(&out));
  text_clear(&out);
}

// On a model of its own: trials add to it.
static bool run_trial(const struct options *o, struct trial *t, size_t kind) {
  uint32_t rules;
  t->m = trial_model(t->seed, NULL, &rules);
  t->factory = ltl_factory_new();
  trial_property(t);
  bool good = trials[kind](t);
  if (!good)
    printf("FAILED seed %" PRIu64 ", formula %u, trial %zu: %s\n", t->seed, t->number, kind,
           text_str(&t->why));
  if (!good && o->show) show(t);
  text_clear(&t->why);
  ltl_factory_free(t->factory);
  ir_model_free(t->m);
  return good;
}

// Some models cannot be said in terms, or have diagrams that are too large for a quick test.
static bool is_refused(struct ir_model *m) {
  struct trial t = {.m = m};
  struct result r;
  run(&t, IR_DEADLOCK_OFF, NULL, 1, &r);
  bool refused = r.reason && (strncmp(r.reason, "cannot", 6) == 0 || strcmp(r.reason, "time") == 0);
  result_clear(&r);
  counts.refused += refused;
  return refused;
}

// Any model, with faults and assumptions and all.
static bool run_wild(const struct options *o, uint64_t seed) {
  struct generate_size size;
  struct trial t = {.seed = seed, .m = generate_model(seed, NULL, &size)};
  struct diag d = {0};
  bool good = !ir_model_finish(t.m, &d) || cone_wild(&t, &cones);
  if (!good) printf("FAILED seed %" PRIu64 ": %s\n", seed, text_str(&t.why));
  if (!good && o->show) show(&t);
  diag_clear(&d);
  text_clear(&t.why);
  ir_model_free(t.m);
  return good;
}

static uint64_t run_seed(const struct options *o, uint64_t seed) {
  struct tally tally = {0};
  struct trial t = {.seed = seed, .tally = &tally};
  uint64_t failures = !run_wild(o, seed);
  uint32_t rules;
  struct ir_model *m = trial_model(seed, NULL, &rules);
  struct graph *g = m ? graph_new(m, GRAPH_MAX) : NULL;
  if (g && !g->faulty && !g->cut && g->starts > 0 && !is_refused(m)) {
    counts.models++;
    t.graph = g;
    for (; t.number < o->formulas; t.number++)
      for (size_t kind = t.number ? 3 : 0; kind < sizeof trials / sizeof *trials; kind++)
        failures += !run_trial(o, &t, kind);
  }
  if (g) graph_free(g);
  if (m) ir_model_free(m);
  return failures;
}

static bool read_options(int argc, char **argv, struct options *o) {
  *o = (struct options){.first = 1, .count = 50, .formulas = 3};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--show") == 0)
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
  uint64_t failures = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!read_options(argc, argv, &o)) {
    fprintf(stderr, "usage: %s [--first SEED] [--count N] [--formulas N] [--show]\n", argv[0]);
    return 1;
  }
  for (uint64_t i = 0; i < o.count && failures < FAILURES_MAX; i++)
    failures += run_seed(&o, o.first + i);
  printf("%" PRIu64 " models (%" PRIu64 " refused): %" PRIu64 " searches; %" PRIu64
         " formulas of LTL, %" PRIu64 " violated; %" PRIu64 " of CTL, %" PRIu64
         " violated, %" PRIu64 " with fairness; %" PRIu64 " traces, %" PRIu64
         " of them lassos; %" PRIu64 " runs with cones, %" PRIu64 " violated, %" PRIu64
         " on slices; %" PRIu64 " failures\n",
         counts.models, counts.refused, counts.searches, counts.formulas, counts.violated,
         counts.ctl, counts.ctl_violated, counts.fair, counts.traces, counts.loops, cones.runs,
         cones.violated, cones.smaller, failures);
  return failures != 0;
}
