// SPDX-License-Identifier: Apache-2.0
// Violated invariants and deadlocks with and without partial order reduction, and liveness as
// Murphi means it. What must come out is read off the graph.
#include "random/ltl/reference.h"
#include "random/ltl/trial.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

// A property over an atom, or its negation.
static uint32_t add_property(struct trial *t, enum ir_property_kind kind, bool negated,
                             uint32_t atom) {
  struct ir_property *p = ir_property_new(t->m, kind, "of an atom", (struct span){0});
  p->expr = t->m->atoms.data[atom]->expr;
  if (negated) p->expr = ir_unary(t->m, IR_NOT, p->expr, (struct span){0});
  return p->id;
}

static bool stuck(const struct graph *g, uint32_t state) {
  return g->first[state] == g->first[state + 1];
}

// Searches see those transient states only that lead to no other state.
static bool seen(const struct graph *g, uint32_t state) {
  bool leads = false;
  for (uint32_t i = g->first[state]; i < g->first[state + 1]; i++)
    leads |= g->edges.data[i].to != state;
  return !g->transient[state] || !leads;
}

static bool atom_somewhere(const struct graph *g, uint32_t atom) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->atoms[i] >> atom & 1 && seen(g, i)) return true;
  return false;
}

static bool stuck_somewhere(const struct graph *g) {
  for (uint32_t i = 0; i < g->count; i++)
    if (stuck(g, i)) return true;
  return false;
}

static bool replays(struct trial *t, struct sys *s, struct result *r, int deadlock) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay replay = {0};
    if (s->unfold && !trace_unfold(&r->traces.data[i], s))
      return trial_wrong(t, "a trace does not unfold");
    bool good = trace_replay(&r->traces.data[i], t->m, deadlock, &replay);
    if (!good) trial_wrong(t, "a trace does not replay: %s", replay.problem);
    replay_clear(&replay);
    if (!good) return false;
  }
  return true;
}

struct hunt {
  const char *search;
  unsigned threads;
  int deadlock;
  const uint8_t *on;
  const struct ample *ample;
  bool violated; // what must come out
};

static bool try_hunt(struct trial *t, const struct hunt *h, uint64_t *states) {
  struct sys *inner = sys_new(t->m, &(struct sys_config){.mode = SYS_INTERPRETED}), *top = inner;
  if (t->m->transient) top = reduce_chain_new(inner);
  struct search_config c = {.sys = top,
                            .model = t->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .deadlock = h->deadlock,
                            .max_errors = 1,
                            .property_on = h->on,
                            .threads = h->threads,
                            .ample = h->ample};
  struct result r = {0};
  search_run(search_strategy_find(h->search), &c, &r);
  t->tally->runs++;
  enum verdict wanted = h->violated ? VERDICT_VIOLATED : VERDICT_HOLDS;
  bool good = r.verdict == wanted;
  if (!good)
    trial_wrong(t, "%s%s with %u threads%s: %s, and by the graph %s", h->search,
                h->ample ? " with reduction" : "", h->threads,
                h->deadlock == IR_DEADLOCK_OFF ? "" : " (deadlocks)", verdict_name(r.verdict),
                verdict_name(wanted));
  good = good && replays(t, top, &r, h->deadlock);
  *states = r.stats.states;
  result_clear(&r);
  if (top != inner) sys_free(top);
  sys_free(inner);
  return good;
}

static bool try_searches(struct trial *t, struct hunt h) {
  static const char *const searches[] = {"bfs", "dfs"};
  struct ample *ample = ample_new(t->m, h.on, NULL);
  bool good = true;
  for (size_t i = 0; i < 2 && good; i++)
    for (h.threads = 1; h.threads <= 1u + t->threads && good; h.threads++) {
      uint64_t full, kept;
      h.search = searches[i];
      h.ample = NULL;
      good = try_hunt(t, &h, &full);
      h.ample = ample;
      if (!good || !ample) continue;
      good = try_hunt(t, &h, &kept);
      t->tally->safety++;
      if (h.violated) continue;
      t->tally->full[1] += full;
      t->tally->kept[1] += kept;
    }
  ample_free(ample);
  return good;
}

bool trial_safety(struct trial *t) {
  uint32_t atom = t->number % TRIAL_ATOMS, p = add_property(t, IR_PROP_INVARIANT, true, atom);
  uint8_t *on = mem_zalloc(t->m->properties.count, sizeof *on);
  struct hunt h = {.on = on, .deadlock = IR_DEADLOCK_STUCK, .violated = stuck_somewhere(t->graph)};
  bool deadlocks = t->number % 2 == 0;
  if (!deadlocks) {
    on[p] = 1;
    h.deadlock = IR_DEADLOCK_OFF;
    h.violated = atom_somewhere(t->graph, atom);
  }
  t->tally->deadlocks += deadlocks && h.violated;
  bool good = try_searches(t, h);
  mem_free(on);
  return good;
}

// ---------------------------------------------------------------------------------------------
// Liveness

// The way to a state from which the condition cannot be reached.
static bool lost_at_end(struct trial *t, struct result *r, const bool *reaches) {
  if (r->traces.count == 0) return trial_wrong(t, "liveness: violated without a trace");
  struct trace *trace = &r->traces.data[0];
  struct replay replay = {0};
  trace->end = TRACE_WITNESS; // one state does not show it: see below
  bool good = trace_replay(trace, t->m, IR_DEADLOCK_OFF, &replay);
  if (!good)
    trial_wrong(t, "liveness: the trace does not replay: %s", replay.problem);
  else if (reaches[graph_find(t->graph, replay.states[replay.count - 1].words)])
    good = trial_wrong(t, "liveness: nothing is lost at the end of the trace");
  replay_clear(&replay);
  return good;
}

static bool judge_liveness(struct trial *t, uint32_t property, uint32_t atom, struct result *r) {
  bool *reaches = mem_zalloc(t->graph->count, sizeof *reaches), live = true;
  reference_reaches(t->graph, atom, reaches);
  for (uint32_t i = 0; i < t->graph->count; i++) live &= reaches[i];
  enum verdict wanted = live ? VERDICT_HOLDS : VERDICT_VIOLATED,
               said = r->properties.data[property].verdict;
  bool good = said == wanted && (live || lost_at_end(t, r, reaches));
  if (said != wanted)
    trial_wrong(t, "liveness: %s, and by the graph %s", verdict_name(said), verdict_name(wanted));
  t->tally->live += live;
  t->tally->not_live += !live;
  mem_free(reaches);
  return good;
}

bool trial_liveness(struct trial *t) {
  if (t->m->transient) return true;
  uint32_t atom = t->number % TRIAL_ATOMS, p = add_property(t, IR_PROP_LIVENESS, false, atom);
  uint8_t *on = mem_zalloc(t->m->properties.count, sizeof *on);
  on[p] = 1;
  struct sys *s = sys_new(t->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct search_config c = {.sys = s,
                            .model = t->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .deadlock = IR_DEADLOCK_OFF,
                            .max_errors = 1,
                            .property_on = on};
  struct result r = {0};
  search_liveness(&c, &r);
  bool good = judge_liveness(t, p, atom, &r);
  result_clear(&r);
  sys_free(s);
  mem_free(on);
  return good;
}
