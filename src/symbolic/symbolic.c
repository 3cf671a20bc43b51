// SPDX-License-Identifier: Apache-2.0
// The BDD engine's run: the model becomes a relation, its goals make parts, and these are run one
// after the other (part.c). The one boundary to which a part unwinds that is out of memory, out of
// time or interrupted. Diagrams are given up all at once then, by closing their package; the rest
// is freed as after any run.
#include "symbolic/symbolic.h"

#include "symbolic/goals.h"
#include "symbolic/reach.h"

#include <string.h>

struct session {
  struct reach *x; // on the heap: its fields survive the jump
  struct goals goals;
  const struct symbolic_config *config;
  struct stats stats; // of the parts so far
  char *states_exact;
  uint64_t depth_least; // to which those that did not end by themselves are complete
  bool depth_known;     // of them all
};

// --- what parts came to ---

// Numbers of states are those of the largest slice.
static void merge(struct session *s) {
  struct result *r = s->x->judge.result;
  struct stats *all = &s->stats, *one = &r->stats;
  bool larger = one->cone_leaves >= all->cone_leaves;
  if (larger) {
    all->states = one->states;
    mem_free(s->states_exact);
    s->states_exact = r->states_exact;
    all->cone_leaves = one->cone_leaves;
    all->bdd_nodes = one->bdd_nodes;
    all->relation_nodes = one->relation_nodes;
  } else {
    mem_free(r->states_exact);
  }
  r->states_exact = NULL;
  const struct {
    uint64_t *to, from;
  } most[] = {{&all->depth, one->depth},
              {&all->bdd_nodes_peak, one->bdd_nodes_peak},
              {&all->memory_bytes, one->memory_bytes},
              {&all->pattern_leaves, one->pattern_leaves},
              {&all->pattern_layers, one->pattern_layers},
              {&all->pattern_nodes, one->pattern_nodes}};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++)
    if (most[i].from > *most[i].to) *most[i].to = most[i].from;
  all->iterations += one->iterations;
  all->images += one->images;
  *one = (struct stats){0};
}

// Complete is what all parts are: of those that came to their end, that is everything.
static void merge_depth(struct session *s, bool last) {
  struct result *r = s->x->judge.result;
  bool ended = s->x->judge.explored;
  if (!ended && (!r->depth_known || !last)) s->depth_known = false;
  if (!ended && r->depth_complete < s->depth_least) s->depth_least = r->depth_complete;
  r->depth_known = false;
}

// Out of memory, or goes_on has said no, and why. What comes last changes no verdict.
static void unwound(struct reach *x) {
  if (!x->ended) x->judge.stop = "memory";
  if (x->finished) x->judge.stop = x->stop;
  x->tracing = false;
  struct stats *t = &x->judge.result->stats;
  if (t->states == 0) t->states = x->shown.states < 1.8e19 ? (uint64_t)x->shown.states : UINT64_MAX;
}

// --- parts ---

// Everything of the part is gone; what the whole run has stays.
static void leave_part(struct session *s) {
  struct reach *x = s->x, rest;
  part_clear(x);
  rest = (struct reach){.config = s->config,
                        .model = x->model,
                        .judge = x->judge,
                        .why = x->why,
                        .whole = x->whole,
                        .shown = {.seconds = x->shown.seconds},
                        .progress_next = x->progress_next,
                        .ended = x->ended};
  *x = rest;
}

// False: that was the last one, whatever is left.
static bool run_part(struct session *s, size_t i) {
  struct reach *x = s->x;
  struct mem_boundary boundary;
  x->part = &s->goals.parts.data[i];
  judge_begin(&x->judge, &x->part->judge);
  if (mem_boundary_enter(&boundary)) {
    unwound(x);
  } else {
    part_run(x);
    mem_boundary_leave(&boundary);
  }
  bool more = judge_end(&x->judge);
  merge_depth(s, more || i + 1 == s->goals.parts.count);
  leave_part(s);
  merge(s);
  return more;
}

// False: it cannot be run.
static bool prepare(struct session *s) {
  struct reach *x = s->x;
  struct relation_config config = {.goes_on = reach_goes_on, .context = x};
  reach_phase(x, "relation");
  x->whole = relation_new(x->model, &config, &x->why);
  if (!x->whole) {
    if (!x->judge.stop) x->judge.stop = "cannot";
    return false;
  }
  goals_init(&s->goals, s->config, x->whole, &x->judge);
  return true;
}

static bool try_prepare(struct session *s) {
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    unwound(s->x);
    return false;
  }
  bool good = prepare(s);
  mem_boundary_leave(&boundary);
  return good;
}

// --- the whole ---

static void fill_stats(struct session *s, double begun) {
  struct result *r = s->x->judge.result;
  double now = clock_seconds();
  r->stats = s->stats;
  r->states_exact = s->states_exact;
  r->stats.seconds = now - begun;
  r->stats.total_seconds = now - s->config->started;
  r->stats.state_bits = s->config->model->layout->bits;
  r->stats.peak_bytes = mem_resident_peak();
  r->stats.threads = 1;
  r->depth_known = s->depth_known;
  r->depth_complete = s->depth_least < UINT64_MAX ? s->depth_least : s->stats.depth;
}

static void draw(struct reach *x) {
  struct result *r = x->judge.result;
  judge_draw(&x->judge);
  if (!r->reason || strcmp(r->reason, "cannot") != 0) return;
  struct text t = {0};
  text_printf(&t, "cannot: %s", text_str(&x->why));
  mem_free(r->reason);
  r->reason = t.data;
}

static void session_clear(struct session *s) {
  goals_clear(&s->goals);
  relation_free(s->x->whole);
  text_clear(&s->x->why);
  judge_clear(&s->x->judge);
  mem_free(s->x);
}

void symbolic_run(const struct symbolic_config *c, struct result *r) {
  static const char *const names[] = {"bfs", "ida", "astar", "wastar"};
  double begun = clock_seconds();
  struct session s = {
      .x = mem_zalloc(1, sizeof *s.x), .config = c, .depth_least = UINT64_MAX, .depth_known = true};
  s.x->config = c;
  s.x->model = c->model;
  r->engine = "bdd";
  r->search = names[c->search];
  r->store = "bdd";
  struct judge_config judging = {.model = c->model,
                                 .deadlock = c->deadlock,
                                 .max_errors = c->max_errors,
                                 .settle = c->settle,
                                 .property_on = c->property_on};
  judge_init(&s.x->judge, &judging, r);
  bool more = try_prepare(&s);
  for (size_t i = 0; i < s.goals.parts.count && more; i++) more = run_part(&s, i);
  fill_stats(&s, begun);
  draw(s.x);
  session_clear(&s);
}
