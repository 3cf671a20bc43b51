// SPDX-License-Identifier: Apache-2.0
// What the guided searches have in common: to expand a set of states, to know the goal, to read a
// trace off what was expanded. And the searches for one goal.
#include "symbolic/guided.h"

#include "symbolic/guided_own.h"
#include "symbolic/split.h"

#ifdef FATHOM_SMALL
#define KINDS_MADE 1
#else
#define KINDS_MADE 200000 // nodes that an image makes, from which on kinds of steps may pay
#endif

// --- depths ---

struct guided_depth *guided_at(struct guided *g, size_t depth) {
  while (g->depths.count <= depth) VEC_PUSH(&g->depths, ((struct guided_depth){0}));
  return &g->depths.data[depth];
}

static void depth_clear(struct guided_depth *d) {
  dd_drop(d->expanded);
  dd_drop(d->waiting);
  dd_drop(d->seen);
  for (size_t i = 0; i < d->inner.count; i++) dd_drop(d->inner.data[i]);
  VEC_CLEAR(&d->inner);
  *d = (struct guided_depth){0};
}

void guided_forget(struct guided *g) {
  for (size_t i = 0; i < g->depths.count; i++) depth_clear(&g->depths.data[i]);
  g->depths.count = 0;
  for (size_t i = 0; i < g->open.count; i++) dd_drop(g->open.data[i].states);
  g->open.count = 0;
  dd_set(&g->unexpanded, dd_true());
  dd_set(&g->left, dd_false());
}

// --- the goal ---

// It is, if some of these states are its.
static void find(struct guided *g, size_t depth, size_t inner, dd states) {
  dd_set(&g->reached, dd_and(states, g->goal.states));
  if (dd_is_false(g->reached)) return;
  g->found = true;
  g->depth = depth;
  g->inner = inner;
}

static bool at_limit(const struct guided *g, size_t depth) {
  return g->depth_max && depth >= g->depth_max;
}

bool guided_meets(struct guided *g, size_t depth, dd states) {
  if (g->goal.steps && at_limit(g, depth)) return false;
  find(g, depth, 0, states);
  return g->found;
}

// --- steps ---

static dd image_apart(void *context, dd from) {
  struct guided *g = context;
  dd next = dd_false();
  abstraction_image(&g->whole, from, SIZE_MAX, &next);
  return next;
}

// Moves that are taken apart by choices are there from the start; kinds have to be found, which
// takes as long as a large image.
static dd image(struct guided *g, dd from) {
  struct split *split = g->x->steps->split;
  uint64_t before = dd_made();
  dd next = g->by_kinds ? steps_image(g->x->steps, from) : image_apart(g, from);
  uint64_t made = dd_made() - before;
  if (split && !g->by_kinds && made >= KINDS_MADE) {
    g->by_kinds = true;
    split_against(split, image_apart, g, made);
  }
  g->work += made;
  g->images++;
  return next;
}

static void note_inner(struct guided_depth *d, size_t step, dd states) {
  if (d->inner.count == step) VEC_PUSH(&d->inner, dd_false());
  dd_or_to(&d->inner.data[step], dd_copy(states));
}

// Through transient states, step by step; `next` is what they lead to besides.
static void pass_through(struct guided *g, size_t depth, dd *next) {
  dd passed = g->x->passed, inner = dd_and(*next, passed), met = dd_false();
  dd_set(next, dd_minus(*next, passed));
  for (size_t step = 0; !dd_is_false(inner) && !g->found; step++) {
    note_inner(guided_at(g, depth), step, inner);
    if (g->goal.inside) find(g, depth, step + 1, inner);
    dd_or_to(&met, dd_copy(inner));
    dd more = image(g, inner);
    dd_or_to(next, dd_minus(more, passed));
    dd_set(&inner, dd_and(more, passed));
    dd_set(&inner, dd_minus(inner, met));
    dd_drop(more);
  }
  dd_drop(inner);
  dd_drop(met);
}

dd guided_expand(struct guided *g, size_t depth, dd states) {
  if (at_limit(g, depth)) {
    dd_or_to(&g->left, dd_copy(states));
    return dd_false();
  }
  g->x->shown.depth = depth;
  if (depth > g->x->judge.result->stats.depth) g->x->judge.result->stats.depth = depth;
  dd next = image(g, states);
  if (!dd_is_false(g->x->passed)) pass_through(g, depth, &next);
  return next;
}

// Nothing was found: is there anything behind the depth limit? (reach.c: probe)
static void probe(struct guided *g) {
  if (dd_is_false(g->left)) return;
  dd next = image(g, g->left);
  dd_and_to(&next, dd_copy(g->unexpanded));
  g->limited = !dd_implies(next, g->left) || (g->goal.steps && dd_meets(g->left, g->goal.states));
  dd_drop(next);
}

// --- traces ---

// What was expanded on the way, as rings; the number of the last one, which has what was found.
static size_t lay_rings(struct guided *g) {
  struct rings *r = &g->x->rings;
  size_t level = 0;
  rings_clear(r);
  for (size_t i = 0; i <= g->depth; i++) {
    bool last = i == g->depth;
    size_t ring = r->list.count, inner = last ? g->inner : g->depths.data[i].inner.count;
    rings_add(r, last && !inner ? g->reached : g->depths.data[i].expanded, level, ring);
    for (size_t k = 0; k < inner; k++)
      rings_add(r, g->depths.data[i].inner.data[k], r->list.count - 1, r->list.count);
    level = ring;
  }
  return r->list.count - 1;
}

// --- one goal ---

static void search(struct guided *g) {
  const struct symbolic_config *c = g->x->config;
  bool weighted = c->search == SYMBOLIC_WASTAR;
  if (c->search == SYMBOLIC_IDA)
    guided_ida(g);
  else
    guided_astar(g, weighted ? c->weight_g : 1, weighted ? c->weight_h : 1);
  if (!g->found && !g->x->judge.stop) probe(g);
}

static void note_base(struct guided *g) {
  struct stats *t = &g->x->judge.result->stats;
  const struct database *b = guided_base(g);
  if (b->of->kept > t->pattern_leaves) t->pattern_leaves = b->of->kept;
  if (b->layers.count > t->pattern_layers) t->pattern_layers = b->layers.count;
  if (b->nodes > t->pattern_nodes) t->pattern_nodes = b->nodes;
}

static void note_search(struct guided *g) {
  struct stats *t = &g->x->judge.result->stats;
  t->iterations += g->iterations;
  t->images += g->images;
  g->iterations = g->images = g->work = g->recent = 0;
  size_t depth = g->found ? g->depth : g->depths.count ? g->depths.count - 1 : 0;
  if (depth > t->depth) t->depth = depth;
}

static void after_goal(struct guided *g) {
  note_search(g);
  dd_or_to(&g->x->reached, dd_not(g->unexpanded));
  guided_forget(g);
  guided_choose_clear(g);
  dd_set(&g->reached, dd_false());
}

bool guided_pursue(struct guided *g) {
  const struct judge *j = &g->x->judge;
  g->found = g->limited = g->forgets = g->restarts = g->careless = false;
  g->kept = 0;
  guided_choose(g);
  if (!guided_proves(g) && !j->stop) search(g);
  note_base(g);
  guided_note(g);
  bool found = g->found;
  if (found) guided_tell(g, lay_rings(g));
  g->undecided |= g->limited;
  after_goal(g);
  return found;
}

// --- the whole ---

struct guided *guided_new(struct reach *x) {
  struct guided *g = x->guided = mem_zalloc(1, sizeof *g);
  g->x = x;
  g->depth_max = x->config->budget.depth_max;
  g->starts = steps_starts(x->steps);
  g->unexpanded = dd_true();
  abstraction_init(&g->whole, x, NULL, ABSTRACT_NOTHING);
  return g;
}

void guided_free(struct guided *g) {
  if (!g) return;
  guided_forget(g);
  VEC_CLEAR(&g->depths);
  VEC_CLEAR(&g->open);
  guided_choose_clear(g);
  abstraction_clear(&g->whole);
  dd_drop(g->starts);
  dd_drop(g->reached);
  dd_drop(g->goal.states);
  mem_free(g);
}

void guided_run(struct reach *x) {
  struct judge *j = &x->judge;
  witness_failing_starts(x);
  steps_start_covers(x->steps, j->covers);
  if (j->stop) return;
  struct guided *g = guided_new(x);
  if (dd_is_false(g->starts)) j->stop = "no start state";
  if (!j->stop) guided_goals(g);
  if (g->undecided && !j->stop) j->stop = "depth";
  j->explored = !j->stop;
}
