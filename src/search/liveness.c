// SPDX-License-Identifier: Apache-2.0
// Liveness as Rumur means it: from every reachable state one can be reached in which the condition
// holds (AG EF). All states are found breadth first, with the edges between them; then, for each
// instance of a property, what leads to such a state is marked against the edges. The first state
// that has no mark is where a run has lost: the way to it is a shortest one.
#include "search/search.h"

#include "ir/eval.h"
#include "search/ways.h"
#include "search/workers.h"

#include <string.h>

enum { PARAMS_MAX = 64 };

struct liveness {
  struct ways ways;
  VEC(uint32_t) edges;  // to these states
  VEC(uint64_t) begins; // by state: its first edge
  // against the edges
  uint64_t *back_begins; // by state, and one more
  uint32_t *back;
  VEC(uint32_t) waiting;
  uint8_t *marked; // by state
};

static void liveness_clear(struct search *s) {
  struct liveness *l = s->own;
  ways_clear(&l->ways);
  VEC_CLEAR(&l->edges);
  VEC_CLEAR(&l->begins);
  VEC_CLEAR(&l->waiting);
  mem_free(l->back_begins);
  mem_free(l->back);
  mem_free(l->marked);
  mem_free(l);
}

// --- the graph ---

static size_t held(const struct liveness *l) {
  return l->edges.capacity * sizeof *l->edges.data + l->begins.capacity * sizeof *l->begins.data;
}

static void note_edges(struct liveness *l) {
  const struct ways *x = &l->ways;
  for (size_t i = 0; i < x->out.count; i++)
    if (x->ids[i] != STORE_ABSENT) VEC_PUSH(&l->edges, (uint32_t)x->ids[i]);
}

// A state that violates an invariant is not expanded.
static void explore(struct search_worker *w, struct liveness *l) {
  struct search *s = w->search;
  uint64_t depth_max = s->config->budget.depth_max;
  ways_starts(w, &l->ways);
  uint64_t level = store_count(s->store);
  for (uint64_t id = 0; id < store_count(s->store); id++) {
    if (!ways_goes_on(w, &l->ways, held(l), store_count(s->store) - id)) return;
    if (store_count(s->store) > UINT32_MAX) return search_stop(s, "memory");
    if (id == level) {
      level = store_count(s->store);
      w->depth++;
    }
    if (depth_max && w->depth > depth_max) return search_stop(s, "depth");
    VEC_PUSH(&l->begins, l->edges.count);
    if (ways_is(w, id, WAY_BAD)) continue;
    ways_expand(w, &l->ways, id);
    ways_insert(w, &l->ways, id, NULL, l->ways.out.count);
    note_edges(l);
  }
  VEC_PUSH(&l->begins, l->edges.count);
}

// The edges by the state that they lead to. False: there is no memory for it.
static bool turn_round(struct search *s, struct liveness *l) {
  size_t states = l->begins.count - 1, edges = l->edges.count;
  size_t more = (states + 1) * sizeof *l->back_begins + edges * sizeof *l->back + states;
  size_t now = store_memory(s->store) + held(l);
  if (s->mem_bytes_max && now + more > s->mem_bytes_max) return search_full(s), false;
  l->back_begins = mem_zalloc(states + 2, sizeof *l->back_begins);
  l->back = mem_alloc((edges + 1) * sizeof *l->back);
  l->marked = mem_zalloc(states + 1, 1);
  uint64_t *next = l->back_begins + 1; // one behind, so that filling moves it into place
  for (size_t i = 0; i < edges; i++) next[l->edges.data[i] + 1]++;
  for (size_t i = 0; i < states; i++) next[i + 1] += next[i];
  for (size_t from = 0; from < states; from++)
    for (uint64_t i = l->begins.data[from]; i < l->begins.data[from + 1]; i++)
      l->back[next[l->edges.data[i]]++] = (uint32_t)from;
  return true;
}

// --- one instance of a property ---

// Where the condition holds. False: the search stops, or evaluating it failed.
static bool mark_goals(struct search_worker *w, struct liveness *l, const struct ir_property *p,
                       const int64_t *params) {
  const struct ir_rule asked = {
      .name = p->name, .frame = p->frame, .param_count = p->param_count, .guard = p->expr};
  memset(l->marked, 0, l->begins.count - 1);
  for (uint64_t id = 0; id + 1 < l->begins.count; id++) {
    if (!ways_goes_on(w, &l->ways, held(l), 0)) return false;
    store_get(w->search->store, id, l->ways.state);
    enum ir_outcome o = ir_eval_guard(w->eval, &asked, params, NULL, l->ways.state);
    if (o == IR_FAILED) {
      w->search->property_faulty[p->id] = true;
      search_report(w, &(struct search_found){.end = TRACE_SITE,
                                              .id = ir_eval_site(w->eval),
                                              .in_property = true,
                                              .property = p->id,
                                              .at = id});
      return false;
    }
    if (o != IR_OK) continue;
    l->marked[id] = true;
    VEC_PUSH(&l->waiting, (uint32_t)id);
  }
  return true;
}

static void mark_back(struct liveness *l) {
  while (l->waiting.count > 0) {
    uint32_t to = VEC_POP(&l->waiting);
    for (uint64_t i = l->back_begins[to]; i < l->back_begins[to + 1]; i++) {
      if (l->marked[l->back[i]]) continue;
      l->marked[l->back[i]] = true;
      VEC_PUSH(&l->waiting, l->back[i]);
    }
  }
}

static void check_instance(struct search_worker *w, struct liveness *l, const struct ir_property *p,
                           const int64_t *params) {
  l->waiting.count = 0;
  if (!mark_goals(w, l, p, params)) return;
  mark_back(l);
  const uint8_t *lost = memchr(l->marked, 0, l->begins.count - 1);
  if (!lost) return;
  search_report(w, &(struct search_found){
                       .end = TRACE_PROPERTY, .id = p->id, .at = (uint64_t)(lost - l->marked)});
}

// The next combination of parameters, the last one fastest; false: that was the last.
static bool next_instance(const struct ir_property *p, uint64_t *at, int64_t *params) {
  uint32_t i = p->param_count;
  while (i > 0 && ++at[i - 1] == ir_domain_count(p->frame.locals[i - 1]->domain)) at[--i] = 0;
  for (uint32_t k = 0; k < p->param_count; k++)
    params[k] = ir_domain_value(p->frame.locals[k]->domain, at[k]);
  return i > 0;
}

static void check_property(struct search_worker *w, struct liveness *l,
                           const struct ir_property *p) {
  uint64_t at[PARAMS_MAX] = {0};
  int64_t params[PARAMS_MAX + 1];
  if (p->param_count > PARAMS_MAX) return search_stop(w->search, "not checked");
  for (uint32_t k = 0; k < p->param_count; k++)
    params[k] = ir_domain_value(p->frame.locals[k]->domain, 0);
  do check_instance(w, l, p, params);
  while (next_instance(p, at, params) && !search_stopped(w->search) &&
         !w->search->property_seen[p->id] && !w->search->property_faulty[p->id]);
}

// --- the whole ---

static void run(struct search_worker *w) {
  struct search *s = w->search;
  struct liveness *l = s->own;
  const struct ir_model *m = s->config->model;
  explore(w, l);
  if (search_stopped(s) || s->violations > 0 || !turn_round(s, l)) return;
  for (size_t i = 0; i < m->properties.count && !search_stopped(s); i++)
    if (m->properties.data[i]->kind == IR_PROP_LIVENESS && search_property_on(s, i))
      check_property(w, l, m->properties.data[i]);
}

static void search_states(struct search *s) {
  s->own = mem_zalloc(1, sizeof(struct liveness));
  s->own_clear = liveness_clear;
  s->found = search_report;
  s->path = ways_path;
  struct liveness *l = s->own;
  ways_init(s->workers[0], &l->ways);
  workers_alone(s, run);
}

// What became of a property that nothing was found against: the search was complete, or what ended
// it ended the search for errors, too.
static void judge(const struct ir_model *m, struct result *r, size_t i) {
  struct property_result *p = &r->properties.data[i];
  const struct property_result *errors = &r->properties.data[m->properties.count];
  bool open = p->verdict == VERDICT_UNKNOWN && p->reason && strcmp(p->reason, "not checked") == 0;
  if (m->properties.data[i]->kind != IR_PROP_LIVENESS || !open) return;
  *p = (struct property_result){
      .name = p->name, .kind = p->kind, .span = p->span, .verdict = VERDICT_HOLDS};
  if (errors->verdict == VERDICT_HOLDS) return;
  p->verdict = VERDICT_UNKNOWN;
  p->reason = errors->verdict == VERDICT_VIOLATED ? "errors" : errors->reason;
}

void search_liveness(const struct search_config *c, struct result *r) {
  static const struct search_strategy strategy = {.name = "liveness",
                                                  .help = "breadth first, then against the edges",
                                                  .exhaustive = true,
                                                  .shortest = true,
                                                  .payload_bytes = search_ways_payload,
                                                  .run = search_states};
  search_run(&strategy, c, r);
  for (size_t i = 0; i < c->model->properties.count; i++) judge(c->model, r, i);
}
