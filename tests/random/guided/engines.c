// SPDX-License-Identifier: Apache-2.0
// A hunt's runs: the breadth-first search over explicit states says what must come out, then the
// engines over decision diagrams and SAT with random settings. Lengths must be the same, too, but
// for weighted searches.
#include "bmc/bmc.h"
#include "random/guided/hunt.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "symbolic/exclusive.h"
#include "symbolic/symbolic.h"
#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

#define STATES_LIMIT  5000
#define SECONDS_LIMIT 10
#define SAT_SECONDS   1 // proofs need not end

static const char *const goal_names[] = {"the invariant", "errors of steps", "deadlock"};

// --- what a run has found ---

static enum goal goal_of(const struct trace *t) {
  return t->end == TRACE_PROPERTY ? GOAL_PROPERTY
         : t->end == TRACE_SITE   ? GOAL_ERROR
                                  : GOAL_DEADLOCK;
}

static void take_verdicts(const struct hunt *h, const struct result *r, struct finding f[GOALS]) {
  size_t count = h->m->properties.count;
  for (size_t k = 0; k < GOALS; k++) f[k] = (struct finding){VERDICT_UNKNOWN, SIZE_MAX};
  if (h->property >= 0 && r->properties.count > (size_t)h->property)
    f[GOAL_PROPERTY].verdict = r->properties.data[h->property].verdict;
  if (r->properties.count > count) f[GOAL_ERROR].verdict = r->properties.data[count].verdict;
  if (r->properties.count > count + 1)
    f[GOAL_DEADLOCK].verdict = r->properties.data[count + 1].verdict;
}

bool hunt_findings(struct hunt *h, const struct result *r, struct finding f[GOALS]) {
  bool good = true;
  take_verdicts(h, r, f);
  for (size_t i = 0; i < r->traces.count && good; i++) {
    const struct trace *t = &r->traces.data[i];
    struct finding *to = &f[goal_of(t)];
    struct replay replay = {0};
    good = trace_replay(t, h->m, h->deadlock, &replay);
    if (!good) hunt_wrong(h, "a trace does not replay: %s", replay.problem);
    size_t length = good ? trace_length(t, &replay, h->m) : 0;
    if (length < to->length) to->length = length;
    replay_clear(&replay);
  }
  for (size_t k = 0; k < GOALS && good; k++)
    if (f[k].verdict == VERDICT_VIOLATED && f[k].length == SIZE_MAX)
      good = hunt_wrong(h, "%s: violated without a trace", goal_names[k]);
  return good;
}

static bool same(struct hunt *h, const struct finding want[GOALS], const struct finding is[GOALS],
                 bool shortest) {
  for (size_t k = 0; k < GOALS; k++) {
    if (want[k].verdict == VERDICT_UNKNOWN || is[k].verdict == VERDICT_UNKNOWN) continue;
    if (want[k].verdict != is[k].verdict)
      return hunt_wrong(h, "%s: %s, must be %s", goal_names[k], verdict_name(is[k].verdict),
                        verdict_name(want[k].verdict));
    if (shortest && want[k].length != is[k].length)
      return hunt_wrong(h, "%s: a trace of %zd steps, must be %zd", goal_names[k],
                        (ssize_t)is[k].length, (ssize_t)want[k].length);
    if (is[k].length < want[k].length)
      return hunt_wrong(h, "%s: a trace of %zu steps is shorter than possible", goal_names[k],
                        is[k].length);
  }
  return true;
}

// --- explicit states ---

static bool unfold(struct hunt *h, struct sys *s, struct result *r) {
  for (size_t i = 0; s->unfold && i < r->traces.count; i++)
    if (!trace_unfold(&r->traces.data[i], s)) return hunt_wrong(h, "a trace does not unfold");
  return true;
}

static bool run_explicit(struct hunt *h, const uint8_t *on, struct finding f[GOALS],
                         bool *complete) {
  struct sys *inner = sys_new(h->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *s = h->m->transient ? reduce_chain_new(inner) : inner;
  struct search_config c = {.sys = s,
                            .model = h->m,
                            .store = "exact",
                            .budget.states_max = STATES_LIMIT,
                            .started = clock_seconds(),
                            .deadlock = h->deadlock,
                            .property_on = on,
                            .threads = 1};
  struct result r = {0};
  search_run(search_strategy_find("bfs"), &c, &r);
  *complete = r.verdict != VERDICT_UNKNOWN && r.stats.states < STATES_LIMIT;
  bool good = !*complete || (unfold(h, s, &r) && hunt_findings(h, &r, f));
  result_clear(&r);
  if (s != inner) sys_free(s);
  sys_free(inner);
  return good;
}

// --- the others ---

struct engine {
  const char *name;
  bool sat, shortest;
  int how; // enum symbolic_search, enum bmc_proof
};

static const struct engine engines[] = {
    {"bdd bfs", false, true, SYMBOLIC_BFS},
    {"ida", false, true, SYMBOLIC_IDA},
    {"astar", false, true, SYMBOLIC_ASTAR},
    {"wastar", false, false, SYMBOLIC_WASTAR},
    {"bmc", true, true, BMC_PROOF_AUTO},
    {"bmc with induction", true, true, BMC_PROOF_INDUCTION},
    {"bmc with pdr", true, true, BMC_PROOF_PDR},
    {"bmc without proofs", true, true, BMC_PROOF_NONE},
};

static bool exclusive(void *context, const struct bmc_exclusive *ask, uint64_t **pairs,
                      size_t *count) {
  (void)context;
  struct exclusive_config c = {.relation = ask->slice, .made_max = ask->effort};
  return exclusive_find(&c, pairs, count);
}

static void run_sat(struct hunt *h, const struct engine *e, const uint8_t *on, struct text *how,
                    struct result *r) {
  struct bmc_config c = {.model = h->m,
                         .budget.seconds = SAT_SECONDS,
                         .started = clock_seconds(),
                         .deadlock = h->deadlock,
                         .property_on = on,
                         .cone = rng_below(&h->rng, 2),
                         .proof = (enum bmc_proof)e->how,
                         .exclusive_at_once = true};
  if (e->how == BMC_PROOF_NONE) c.budget.depth_max = 12;
  if (h->seed % 4) c.exclusive = exclusive;
  text_printf(how, "%s, cone %s%s", e->name, c.cone ? "on" : "off",
              c.exclusive ? ", exclusive pairs" : "");
  bmc_run(&c, r);
}

static void random_settings(struct hunt *h, struct symbolic_config *c, int64_t *strength) {
  static const size_t nodes[] = {0, 1, 10, 100};
  c->cone = rng_below(&h->rng, 2);
  c->abstract_depth = (int64_t)rng_below(&h->rng, 6) - 1;
  if (c->abstract_depth > 3) c->abstract_depth = -1;
  c->pattern_nodes = nodes[rng_below(&h->rng, 4)];
  c->forward_pattern = rng_below(&h->rng, 4) == 0;
  c->weight_g = 1 + (double)rng_below(&h->rng, 2);
  c->weight_h = 1 + (double)rng_below(&h->rng, 4);
  if (rng_below(&h->rng, 4)) return;
  for (uint64_t i = 0; i < h->m->leaves; i++) strength[i] = (int64_t)rng_below(&h->rng, 5) - 1;
  c->strength = strength;
}

static void run_symbolic(struct hunt *h, const struct engine *e, const uint8_t *on,
                         struct text *how, struct result *r) {
  int64_t *strength = mem_zalloc(h->m->leaves + 1, sizeof *strength);
  struct symbolic_config c = {.model = h->m,
                              .budget.seconds = SECONDS_LIMIT,
                              .started = clock_seconds(),
                              .deadlock = h->deadlock,
                              .property_on = on,
                              .search = (enum symbolic_search)e->how,
                              .reorder_every = h->seed % 16 == 2 ? 100 : 0};
  random_settings(h, &c, strength);
  text_printf(how, "%s, cone %s", e->name, c.cone ? "on" : "off");
  if (e->how != SYMBOLIC_BFS)
    text_printf(how, ", abstract depth %d, %zu nodes%s%s", (int)c.abstract_depth, c.pattern_nodes,
                c.forward_pattern ? ", forward" : "", c.strength ? ", own strengths" : "");
  if (e->how == SYMBOLIC_WASTAR)
    text_printf(how, ", weights %.0f and %.0f", c.weight_g, c.weight_h);
  symbolic_run(&c, r);
  mem_free(strength);
}

// Only a limit may end a run without an answer; that the model cannot be taken is counted, too.
static bool may_give_up(struct hunt *h, const struct engine *e, const struct result *r) {
  if (r->verdict != VERDICT_UNKNOWN) return true;
  bool cannot = r->reason && strncmp(r->reason, "cannot", 6) == 0;
  bool bounded = e->sat && e->how == BMC_PROOF_NONE;
  h->tally->refused += cannot;
  h->tally->given_up += !cannot;
  return cannot || (r->reason && strcmp(r->reason, bounded ? "depth" : "time") == 0);
}

static bool try_engine(struct hunt *h, const struct engine *e, const uint8_t *on,
                       const struct finding want[GOALS]) {
  struct finding is[GOALS];
  struct result r = {0};
  struct text how = {0};
  (e->sat ? run_sat : run_symbolic)(h, e, on, &how, &r);
  h->tally->runs++;
  // (Where states are passed through, the SAT engine counts the steps inside of chains.)
  bool shortest = e->shortest && !(e->sat && h->m->transient);
  bool good = hunt_findings(h, &r, is) && same(h, want, is, shortest);
  if (good && !may_give_up(h, e, &r))
    good = hunt_wrong(h, "unknown (%s)", r.reason ? r.reason : "-");
  if (!good) hunt_wrong(h, " [%s]", text_str(&how));
  text_clear(&how);
  result_clear(&r);
  return good;
}

static void count(struct hunt *h, const struct finding want[GOALS]) {
  bool violated = false;
  for (size_t k = 0; k < GOALS; k++) {
    if (want[k].verdict != VERDICT_VIOLATED) continue;
    violated = true;
    h->tally->depth_sum += want[k].length;
    if (want[k].length > h->tally->depth_max) h->tally->depth_max = want[k].length;
  }
  h->tally->violated += violated;
}

bool hunt_run(struct hunt *h) {
  struct finding want[GOALS];
  bool complete;
  uint8_t *on = mem_zalloc(h->m->properties.count + 1, 1);
  if (h->property >= 0) on[h->property] = 1;
  bool good = run_explicit(h, on, want, &complete);
  if (!good) hunt_wrong(h, " [bfs]");
  if (good && !complete) h->tally->skipped++;
  if (good && complete) {
    h->tally->goals++;
    count(h, want);
    for (size_t i = 0; i < sizeof engines / sizeof *engines && good; i++)
      good = try_engine(h, &engines[i], on, want);
  }
  mem_free(on);
  return good;
}
