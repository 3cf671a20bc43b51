// SPDX-License-Identifier: Apache-2.0
// Random small worlds for the tests of cyclic properties: a graph as a model in text form, with
// conditions on its nodes as atoms, and an automaton built by hand. What is right is found out
// naively, over a matrix of the whole product.
#pragma once

#include "ir/ir.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "search/shrink.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { NODES_MAX = 12, AGENTS = 3, CLAIMS_MAX = 4, ATOMS = 3, EDGES_MAX = 8, PRODUCT_MAX = 512 };

struct world {
  int nodes;
  bool edge[NODES_MAX][NODES_MAX];
  int agent[NODES_MAX][NODES_MAX]; // who takes an edge; 0: nobody
  bool transient[NODES_MAX];
  unsigned atoms[NODES_MAX]; // bit sets
  struct ir_automaton automaton;
  struct ir_automaton_state states[CLAIMS_MAX];
  struct ir_automaton_edge edges[CLAIMS_MAX][EDGES_MAX];
};

// What of it is wanted.
struct world_wishes {
  bool transient; // nodes that chains pass through
  bool final;     // automata that end
  bool on_edges, accept_atom, stuck_ends;
  bool agents;
};

static inline bool chance(struct rng *r, unsigned percent) { return rng_below(r, 100) < percent; }

static inline void world_automaton(struct world *w, const struct world_wishes *wish,
                                   struct rng *r) {
  uint32_t count = 1 + (uint32_t)rng_below(r, CLAIMS_MAX);
  w->automaton = (struct ir_automaton){.states = w->states,
                                       .count = count,
                                       .on_edges = wish->on_edges,
                                       .accept_atom = wish->accept_atom ? ATOMS - 1 : -1,
                                       .stuck_ends = wish->stuck_ends};
  for (uint32_t i = 0; i < count; i++) {
    struct ir_automaton_state *s = &w->states[i];
    *s = (struct ir_automaton_state){.accepting = chance(r, 50),
                                     .final = wish->final && i > 0 && chance(r, 15),
                                     .edges = w->edges[i]};
    s->edge_count = (uint32_t)rng_below(r, EDGES_MAX / 2 + 1);
    for (uint32_t k = 0; k < s->edge_count; k++) {
      unsigned yes = (unsigned)rng_below(r, 1 << ATOMS), no = (unsigned)rng_below(r, 1 << ATOMS);
      yes &= (unsigned)rng_below(r, 1 << ATOMS);
      no &= (unsigned)rng_below(r, 1 << ATOMS) & ~yes;
      w->edges[i][k] = (struct ir_automaton_edge){
          .yes = yes, .no = no, .to = (uint32_t)rng_below(r, count), .accepting = chance(r, 30)};
    }
  }
}

static inline void world_random(struct world *w, const struct world_wishes *wish, struct rng *r) {
  *w = (struct world){.nodes = 2 + (int)rng_below(r, NODES_MAX - 1)};
  for (int i = 0; i < w->nodes; i++) {
    w->atoms[i] = (unsigned)rng_below(r, 1 << ATOMS);
    w->transient[i] = wish->transient && i > 0 && chance(r, 40);
    for (uint64_t n = rng_below(r, 4); n > 0; n--) {
      uint64_t to = rng_below(r, (uint64_t)w->nodes);
      w->edge[i][to] = true;
      if (wish->agents) w->agent[i][to] = (int)rng_below(r, AGENTS + 1);
    }
  }
  world_automaton(w, wish, r);
}

// --- as a model ---

static inline void world_print_edge(const struct world *w, int i, int k, struct text *t) {
  text_printf(t, "rule \"%d to %d\"", i, k);
  if (w->agent[i][k]) text_printf(t, " agent %d", w->agent[i][k] + 4);
  text_printf(t, " when x = %d { x := %d; h := %d; }\n", i, k, w->transient[k]);
}

static inline void world_print(const struct world *w, struct text *t) {
  text_printf(t, "model \"w\"; deadlock stuck; var x : 0..%d; var h : 0..1; transient h;\n",
              w->nodes - 1);
  text_printf(t, "start \"s\" { x := 0; h := 0; }\n");
  for (int i = 0; i < w->nodes; i++)
    for (int k = 0; k < w->nodes; k++)
      if (w->edge[i][k]) world_print_edge(w, i, k, t);
  for (int a = 0; a < ATOMS; a++) {
    text_printf(t, "atom \"a%d\" : false", a);
    for (int i = 0; i < w->nodes; i++)
      if (w->atoms[i] >> a & 1) text_printf(t, " | x = %d", i);
    text_printf(t, ";\n");
  }
  text_printf(t, "ltl \"p\" : \"\";\n");
}

static inline struct ir_model *model_of_text(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("t.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static inline struct ir_model *world_model(struct world *w) {
  struct text t = {0};
  world_print(w, &t);
  struct ir_model *m = model_of_text(text_str(&t));
  m->properties.data[0]->automaton = &w->automaton;
  text_clear(&t);
  return m;
}

// --- naively ---

static inline bool world_follows(const struct world *w, int node, int q, int k) {
  const struct ir_automaton_edge *e = &w->edges[q][k];
  return !(e->yes & ~(uint64_t)w->atoms[node]) && !(e->no & w->atoms[node]);
}

static inline bool world_stuck(const struct world *w, int node) {
  for (int i = 0; i < w->nodes; i++)
    if (w->edge[node][i]) return false;
  return true;
}

// A state of the product: node, state of the automaton, was the edge to it accepting.
struct naive {
  int count;
  bool reach[PRODUCT_MAX][PRODUCT_MAX]; // in one step or more
};

static inline int naive_number(int node, int q, int entered) {
  return (node * CLAIMS_MAX + q) * 2 + entered;
}

// Is the node one that chains pass through?
static inline bool world_passes(const struct world *w, int node) {
  for (int i = 0; i < w->nodes; i++)
    if (w->edge[node][i] && i != node) return w->transient[node];
  return false;
}

// There the automaton rests.
static inline void naive_pass(const struct world *w, struct naive *n, int node, int q, int from) {
  for (int i = 0; i < w->nodes; i++)
    if (w->edge[node][i]) n->reach[from][naive_number(i, q, from % 2)] = true;
}

static inline void naive_steps(const struct world *w, struct naive *n, int node, int q, int from) {
  for (uint32_t k = 0; k < w->states[q].edge_count; k++) {
    if (!world_follows(w, node, q, (int)k)) continue;
    const struct ir_automaton_edge *e = &w->edges[q][k];
    int entered = w->automaton.on_edges && e->accepting;
    for (int i = 0; i < w->nodes; i++)
      if (w->edge[node][i]) n->reach[from][naive_number(i, (int)e->to, entered)] = true;
    if (world_stuck(w, node) && !w->automaton.stuck_ends)
      n->reach[from][naive_number(node, (int)e->to, entered)] = true;
  }
}

static inline bool naive_accepts(const struct world *w, int node, int q, int entered) {
  if (w->automaton.on_edges) return entered;
  int atom = w->automaton.accept_atom;
  return w->states[q].accepting && (atom < 0 || w->atoms[node] >> atom & 1);
}

static inline void naive_close(struct naive *n) {
  for (int k = 0; k < n->count; k++)
    for (int i = 0; i < n->count; i++)
      for (int j = 0; n->reach[i][k] && j < n->count; j++) n->reach[i][j] |= n->reach[k][j];
}

static inline void naive_fill(struct naive *n, const struct world *w) {
  memset(n, 0, sizeof *n);
  n->count = w->nodes * CLAIMS_MAX * 2;
  assert_true(n->count <= PRODUCT_MAX);
  for (int s = 0; s < n->count; s++)
    if ((uint32_t)(s / 2 % CLAIMS_MAX) < w->automaton.count)
      (world_passes(w, s / 2 / CLAIMS_MAX) ? naive_pass : naive_steps)(w, n, s / 2 / CLAIMS_MAX,
                                                                       s / 2 % CLAIMS_MAX, s);
}

static inline bool agent_enabled(const struct world *w, int node, int agent) {
  for (int i = 0; i < w->nodes; i++)
    if (w->edge[node][i] && w->agent[node][i] == agent) return true;
  return false;
}

static inline bool agent_exists(const struct world *w, int agent) {
  for (int i = 0; i < w->nodes; i++)
    if (agent_enabled(w, i, agent)) return true;
  return false;
}

// Is the agent served by some step inside of the component of s?
static inline bool agent_served(const struct world *w, const struct naive *step,
                                const struct naive *n, int s, int agent) {
  for (int a = 0; a < n->count; a++) {
    if (a != s && !(n->reach[s][a] && n->reach[a][s])) continue;
    int node = a / 2 / CLAIMS_MAX;
    for (int b = 0; b < n->count; b++) {
      if (!step->reach[a][b] || !n->reach[b][s]) continue;
      if (!agent_enabled(w, node, agent) && !world_passes(w, node)) return true;
      int to = b / 2 / CLAIMS_MAX;
      if (w->edge[node][to] && w->agent[node][to] == agent) return true;
    }
  }
  return false;
}

static inline bool naive_fair(const struct world *w, const struct naive *step,
                              const struct naive *n, int s) {
  for (int agent = 1; agent <= AGENTS; agent++)
    if (agent_exists(w, agent) && !agent_served(w, step, n, s, agent)) return false;
  return true;
}

// Takes out what is farther from the start than so many steps.
static inline void naive_bound(struct naive *n, int bound) {
  int depth[PRODUCT_MAX];
  for (int i = 0; i < n->count; i++) depth[i] = i == 0 ? 0 : PRODUCT_MAX;
  for (int round = 0; round < n->count; round++)
    for (int i = 0; i < n->count; i++)
      for (int k = 0; k < n->count; k++)
        if (n->reach[i][k] && depth[i] + 1 < depth[k]) depth[k] = depth[i] + 1;
  for (int i = 0; i < n->count; i++)
    for (int k = 0; k < n->count; k++) n->reach[i][k] &= depth[i] <= bound && depth[k] <= bound;
}

// Is there a bad run? One that is fair to all agents? All of whose states lie within a bound?
static inline bool world_violated_within(const struct world *w, bool fair, int bound) {
  static struct naive step, n;
  naive_fill(&step, w);
  if (bound >= 0) naive_bound(&step, bound);
  n = step;
  naive_close(&n);
  for (int s = 0; s < n.count; s++) {
    int node = s / 2 / CLAIMS_MAX, q = s / 2 % CLAIMS_MAX;
    if ((uint32_t)q >= w->automaton.count || (s > 0 && !n.reach[0][s])) continue;
    if (world_passes(w, node)) continue;
    if (w->states[q].final) return true;
    if (!naive_accepts(w, node, q, s % 2) || !n.reach[s][s]) continue;
    if (!fair || naive_fair(w, &step, &n, s)) return true;
  }
  return false;
}

static inline bool world_violated(const struct world *w, bool fair) {
  return world_violated_within(w, fair, -1);
}

// --- searching ---

struct cycles_setting {
  const char *search; // NULL: ndfs
  const char *store;
  uint64_t depth_max;
  unsigned threads;
  bool chains, fair, shrinks;
  enum sys_native_mode mode;
};

static inline int32_t agent_of(const struct ir_model *m, uint32_t instance) {
  return instance == SYS_STUTTER ? -1 : ir_instance(m, false, instance, NULL)->agent;
}

static inline bool has_rules(const struct ir_model *m, int32_t agent) {
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->agent == agent) return true;
  return false;
}

// Can the agent not move in this state, which is none that is passed through?
static inline bool is_blocked(const struct ir_model *m, int32_t agent, const uint64_t *state,
                              bool transient) {
  struct sys *sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys_out o;
  sys_out_init(&o, sys->words, m->properties.count);
  sys->expand(sys, state, &o);
  bool blocked = !transient || !o.moved;
  for (size_t i = 0; i < o.count; i++) blocked &= agent_of(m, o.steps[i].instance) != agent;
  sys_out_clear(&o);
  sys_free(sys);
  return blocked;
}

// On the cycle, every agent moves or once cannot, in the middle of nobody's atomic sequence.
static inline void expect_fair(const struct ir_model *m, const struct trace *t,
                               const struct replay *p) {
  for (int32_t agent = 0; t->has_loop && agent < 10; agent++) {
    bool served = !has_rules(m, agent);
    for (size_t i = t->loop_start; i < t->steps.count && !served; i++)
      served = agent_of(m, t->steps.data[i].instance) == agent ||
               is_blocked(m, agent, p->states[i].words, trace_inner(p, m, i));
    assert_true(served);
  }
}

// Searches the product of the model with the automaton of its first property; lassos must replay.
static inline void cycles_search(struct ir_model *m, const struct cycles_setting *how,
                                 struct result *r) {
  struct sys *sys = sys_new(m, &(struct sys_config){.mode = how->mode});
  struct sys *product = sys_product_new(sys, m->properties.data[0]->automaton, 0);
  struct sys *fair = how->fair ? sys_fair_new(product) : product;
  struct sys *top = how->chains ? reduce_chain_new(fair) : fair;
  struct search_config c = {.sys = top,
                            .model = m,
                            .store = how->store ? how->store : "exact",
                            .started = clock_seconds(),
                            .budget = {.depth_max = how->depth_max},
                            .max_errors = 1,
                            .threads = how->threads};
  *r = (struct result){0};
  search_run(search_strategy_find(how->search ? how->search : "ndfs"), &c, r);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct trace *t = &r->traces.data[i];
    struct replay p;
    size_t steps = t->steps.count;
    if (how->shrinks) shrink_trace(t, &(struct shrink_config){.sys = top, .model = m});
    assert_true(t->steps.count <= steps);
    if (how->chains) assert_true(trace_unfold(t, top));
    if (!trace_replay(t, m, IR_DEADLOCK_OFF, &p)) fail_msg("%s", p.problem);
    assert_non_null(p.explanation);
    if (how->fair) expect_fair(m, t, &p);
    replay_clear(&p);
  }
  if (top != fair) sys_free(top);
  if (fair != product) sys_free(fair);
  sys_free(product);
  sys_free(sys);
}
