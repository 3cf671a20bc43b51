// SPDX-License-Identifier: Apache-2.0
// Lassos held against the definition: replayed by the interpreter, the formula evaluated on their
// states, fairness looked at on their cycle.
#include "random/ltl/lasso.h"

#include "random/ltl/trial.h"
#include "sys/sys.h"
#include "trace/trace.h"

// A run as the atoms of its states.
struct run {
  VEC(uint64_t) atoms;
  size_t loop; // from the last state on it goes on there
};

// The states that formulas see of a trace.
static void read_trace(struct run *run, const struct graph *g, const struct trace *trace,
                       const struct replay *r) {
  for (size_t i = 0; i < r->count; i++) {
    uint32_t state = graph_find(g, r->states[i].words);
    if (i == trace->loop_start) run->loop = run->atoms.count;
    if (!graph_passed(g, state)) VEC_PUSH(&run->atoms, g->atoms[state]);
  }
}

// A bad prefix ends where the automaton cannot but accept: however it goes on, the formula is
// false. It goes on by the first step there is, until it comes to a state again.
static void go_on(struct run *run, const struct graph *g, uint32_t state) {
  size_t *visited = mem_zalloc(g->count, sizeof *visited);
  if (!graph_passed(g, state)) run->atoms.count--;
  while (visited[state] == 0) {
    visited[state] = run->atoms.count + 1;
    if (!graph_passed(g, state)) VEC_PUSH(&run->atoms, g->atoms[state]);
    if (g->first[state] < g->first[state + 1]) state = g->edges.data[g->first[state]].to;
  }
  run->loop = visited[state] - 1;
  mem_free(visited);
}

static bool false_on(struct trial *t, const struct trace *trace, const struct replay *r) {
  const struct graph *g = t->graph;
  uint32_t last = graph_find(g, r->states[r->count - 1].words);
  struct run run = {0};
  read_trace(&run, g, trace, r);
  if (!trace->has_loop)
    go_on(&run, g, last);
  else if (!graph_passed(g, last))
    run.atoms.count--; // the last state is that at which the cycle begins
  bool is = ltl_on_lasso(t->formula, run.atoms.data, run.atoms.count, run.loop);
  VEC_CLEAR(&run.atoms);
  return !is;
}

// Is every agent, on the cycle, without a step somewhere, or does it take part in one?
static bool is_fair(struct trial *t, const struct trace *trace, const struct replay *r) {
  const struct graph *g = t->graph;
  uint64_t served = 0, all = (UINT64_C(1) << g->agents.count) - 1;
  for (size_t i = trace->loop_start; i < trace->steps.count; i++) {
    uint32_t state = graph_find(g, r->states[i].words), instance = trace->steps.data[i].instance;
    if (instance == SYS_STUTTER) return true;
    served |= graph_served(g, t->m, instance);
    if (!graph_passed(g, state)) served |= (uint32_t)~g->movers[state];
  }
  return (served & all) == all;
}

static bool judge(struct trial *t, const struct trace *trace, const struct replay *r, bool fair) {
  if (trace->end != TRACE_PROPERTY || trace->id != t->property)
    return trial_wrong(t, "the trace ends in another way");
  if (t->formula && !false_on(t, trace, r))
    return trial_wrong(t, "the formula is true of the lasso");
  if (fair && trace->has_loop && !is_fair(t, trace, r))
    return trial_wrong(t, "the lasso is not fair");
  return true;
}

bool lasso_good(struct trial *t, const struct trace *trace, bool fair) {
  struct replay r = {0};
  bool good = trace_replay(trace, t->m, IR_DEADLOCK_OFF, &r);
  if (!good) trial_wrong(t, "the trace does not replay: %s", r.problem ? r.problem : "?");
  good = good && judge(t, trace, &r, fair);
  replay_clear(&r);
  t->tally->lassos++;
  return good;
}
