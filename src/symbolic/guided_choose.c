// SPDX-License-Identifier: Apache-2.0
// Which leaves are abstracted from. From the strongest on, more and more leaves are kept; each
// database grows until it has a start in it, and takes the place of the last one when it tells the
// starts to be farther. At last comes the model itself: then the search is one from both sides.
//
// Until the search has become costly there is no abstraction: most searches end before, the more so
// since the end, layers of the model itself, grows along with them as long as that is cheap. Then
// to build databases may take half as much work as the search itself has taken so far, and no more;
// in a long search less, since the way may not be there at all, and then databases are of no use.
// Work is counted in nodes that are made, so that runs can be repeated. What is too large to grow
// now is tried again when the search has become larger, too.
#include "symbolic/goals.h"
#include "symbolic/guided_own.h"

#include <string.h>

#define PATTERN_NODES 1000000 // of a database at most, unless told otherwise
#define WORK_FIRST    5000    // before there was any search
#define SHARE_BITS    1       // what databases may take of the search's work, as a power of two
#define WORK_MANY     600000  // of the search; of what is more than that
#define MANY_BITS     3       // they may take less, by this power of two
#define LEVELS_WORTH  5       // and no more than so many levels of the search take now
#define DOUBT_BITS    4       // by how much, as a power of two, that gets less when it is no use
#define DOUBT_MOST    32
#define LAYER_BITS    3    // of a level's work, as a power of two: layers may take that in any case
#define RETRY_FACTOR  4    // times as many nodes are allowed, when something was too large before
#define GROWTH_MOST   1.5  // from one layer to the next: more is not believed
#define END_NODES     2000 // of a layer of the end: past this it waits for its turn
#define END_LARGE     1000 // from here on the work for it grows with its nodes
#ifdef FATHOM_SMALL
#define BLIND_WORK     1
#define BLIND_LONGER   1
#define END_FIRST_BITS 10
#else
#define BLIND_WORK     10000 // of the search, before there is an abstraction
#define BLIND_LONGER   8     // times as much, while layers of the end are nearly as cheap as levels
#define END_FIRST_BITS 1 // of the nodes of all moves: its first layer takes that, as a power of two
#endif

// --- strengths ---

// D(v) of every leaf, with what the user says instead.
static uint32_t *strengths(const struct guided *g) {
  const struct reach *x = g->x;
  size_t count = x->model->layout->count;
  uint32_t *out = mem_alloc((count + 1) * sizeof *out);
  memcpy(out, x->part->cone.strength, count * sizeof *out);
  for (size_t i = 0; x->config->strength && i < count; i++) {
    int64_t own = x->config->strength[i];
    if (own >= 0) out[i] = own < UINT32_MAX ? (uint32_t)own : UINT32_MAX;
  }
  return out;
}

// The least strength of a leaf that is not below; ABSTRACT_NOTHING: there is none.
static uint64_t next_strength(const struct guided *g, uint64_t from) {
  uint64_t next = ABSTRACT_NOTHING;
  for (size_t i = 0; i < g->x->model->layout->count; i++) {
    uint32_t s = g->choice.strength[i];
    if (g->x->space->leaf[i].count && s >= from && s < next) next = s;
  }
  return next;
}

// --- databases ---

// Does the user say which abstraction it is?
static bool is_given(const struct guided *g) {
  return g->x->config->abstract_depth >= 0 || g->x->config->forward_pattern;
}

static size_t budget(const struct guided *g) {
  return g->x->config->pattern_nodes ? g->x->config->pattern_nodes : PATTERN_NODES;
}

// A database on the abstraction of this depth, in the place that g->base does not need.
static void make(struct guided *g, uint64_t depth, bool forward, size_t nodes_max,
                 struct database *d) {
  struct abstraction *a = &g->abstractions[g->base.of == &g->abstractions[0]];
  struct database_config c = {
      .goal = g->goal.states, .starts = g->starts, .forward = forward, .nodes_max = nodes_max};
  if (depth == ABSTRACT_NOTHING)
    a = &g->whole;
  else
    abstraction_init(a, g->x, g->choice.strength, depth);
  database_init(d, a, &c);
}

static void drop(struct guided *g, struct database *d) {
  struct abstraction *a = d->of;
  database_clear(d);
  if (a && a != &g->whole) abstraction_clear(a);
}

// --- one after the other ---

static bool is_done(const struct guided *g, const struct database *d) {
  return !d->grows || d->least < d->outside || d->nodes >= budget(g);
}

// g->choice.next takes the place of the base if it is better.
static bool adopt(struct guided *g) {
  struct database *next = &g->choice.next;
  uint32_t told = guided_told(g);
  bool better = next->least > told || (next->least == told && is_done(g, next));
  if (!better) return false;
  drop(g, &g->base);
  g->base = *next;
  *next = (struct database){0};
  g->choice.other = true;
  return true;
}

// The base is of no use when the end tells more.
static void leave_base(struct guided *g) {
  const struct database *end = &g->end;
  if (!g->base.of || is_given(g)) return;
  if (end->least < g->base.least || (end->least == g->base.least && !is_done(g, end))) return;
  drop(g, &g->base);
  g->choice.own = false;
  g->choice.other = true;
}

// The database that is being built, or NULL: there is none.
static struct database *building(struct guided *g) {
  struct choice *c = &g->choice;
  if (c->next.of) return &c->next;
  if (c->depth == ABSTRACT_NOTHING && !is_given(g)) return &g->end;
  return c->own ? &g->base : NULL;
}

// About how much work the next layer of the end takes.
static uint64_t next_layer(const struct guided *g) {
  const struct database *d = &g->end;
  if (!d->work) return g->choice.move_nodes >> END_FIRST_BITS;
  uint64_t next = d->work;
  if (d->work_before && d->work > d->work_before) next += d->work - d->work_before;
  size_t last = d->layers.count - 1, nodes = dd_nodes(d->layers.data[last]),
         before = last ? dd_nodes(d->layers.data[last - 1]) : 0;
  if (before < END_LARGE) before = END_LARGE;
  return nodes > before ? next * nodes / before : next;
}

// May the end still grow ahead of its turn? A layer that was too large once is not tried again.
static bool is_open(const struct guided *g) {
  const struct database *d = &g->end;
  return !g->choice.ended && !is_done(g, d) && !d->failed_nodes &&
         dd_nodes(VEC_TOP(&d->layers)) <= END_NODES;
}

// Layers of the model itself, as long as one takes no more than a level of the search, and all of
// them no more than the search: each spares a level, the last and often the largest. True: it tells
// more now.
static bool grow_end(struct guided *g) {
  struct choice *c = &g->choice;
  size_t layers = g->end.layers.count;
  bool grows = g->end.grows, goes_on = g->recent > 0;
  while (goes_on && is_open(g)) {
    uint64_t next = next_layer(g), before = dd_made();
    if (next > g->recent || c->end_work + next > g->work) break;
    goes_on = database_grow(&g->end, g->recent);
    c->end_work += dd_made() - before;
  }
  return g->end.layers.count > layers || g->end.grows != grows;
}

// Is the search costly enough for an abstraction? To whoever says how large a database may become
// it always is. While the end can be expected to go on it has to cost more.
static bool is_costly(const struct guided *g) {
  if (g->x->config->pattern_nodes) return true;
  bool waits = is_open(g) && next_layer(g) <= 2 * g->recent;
  return g->work >= BLIND_WORK * (waits ? BLIND_LONGER : 1);
}

// The next abstraction, if there is work left for it. False: there is not, or no such.
static bool begin(struct guided *g, uint64_t allowed) {
  struct choice *c = &g->choice;
  if (c->ended) return false;
  uint64_t depth = next_strength(g, c->depth + 1);
  size_t work = depth == ABSTRACT_NOTHING ? 0 : c->move_nodes;
  if (c->work + work > allowed || (work && !is_costly(g))) return false;
  c->own = false;
  c->depth = depth;
  c->ended = depth == ABSTRACT_NOTHING;
  if (c->ended) return true;
  uint64_t before = dd_made();
  make(g, depth, false, 1, &c->next);
  c->work += dd_made() - before;
  return true;
}

// About how much work it takes until this one is better than the base, if its layers go on to grow
// as they do.
static double forecast(const struct guided *g, const struct database *d) {
  double last = (double)d->work, growth = d->work_before ? last / (double)d->work_before : 1,
         sum = 0;
  uint32_t told = guided_told(g),
           layers = d == &g->base || d->least > told ? 1 : told + 1 - d->least;
  if (growth < 1) growth = 1;
  if (growth > GROWTH_MOST) growth = GROWTH_MOST;
  for (uint32_t i = 0; i < layers; i++) sum += last *= growth;
  return sum;
}

// One layer more. False: not now.
static bool grow(struct guided *g, struct database *d, uint64_t allowed) {
  struct choice *c = &g->choice;
  uint64_t left = allowed > c->work ? allowed - c->work : 0;
  if (forecast(g, d) >= (double)left || left < RETRY_FACTOR * d->failed_nodes) return false;
  uint64_t before = dd_made();
  database_grow(d, (size_t)left);
  c->work += dd_made() - before;
  return true;
}

// One is done. Where more leaves told nothing new, still more may not, either: they get less work.
static void reflect(struct guided *g, struct database *d) {
  struct choice *c = &g->choice;
  if (c->ended || c->reflected == c->depth) return;
  bool new = d->least > c->least && d->least > g->end.least;
  c->doubts = new ? 0 : c->doubts + DOUBT_BITS;
  if (c->doubts > DOUBT_MOST) c->doubts = DOUBT_MOST;
  if (new) c->least = d->least;
  c->reflected = c->depth;
  if (d == &c->next) drop(g, d);
}

// How many nodes may be made for databases by now. Where the search goes on at a steady pace all
// that they can spare it is a few levels, so that they are not worth more than these.
static uint64_t allowance(const struct guided *g) {
  uint64_t work = g->work, levels = LEVELS_WORTH * g->recent;
  if (g->recent && levels < work) work = levels;
  if (work > WORK_MANY) work = WORK_MANY + ((work - WORK_MANY) >> MANY_BITS);
  return (work >> (SHARE_BITS + g->choice.doubts)) + WORK_FIRST;
}

bool guided_improve(struct guided *g) {
  struct choice *c = &g->choice;
  bool changed = grow_end(g), goes_on = true;
  uint64_t for_layers = c->work + (g->recent >> LAYER_BITS);
  while (goes_on && !guided_proves(g)) {
    uint64_t allowed = allowance(g);
    struct database *d = building(g);
    if (d && !is_done(g, d)) {
      goes_on = grow(g, d, allowed > for_layers ? allowed : for_layers);
      changed |= d != &c->next;
    } else {
      if (d) reflect(g, d);
      goes_on = begin(g, allowance(g));
    }
    if (c->next.of && adopt(g)) changed = c->own = true;
    leave_base(g);
  }
  return changed;
}

void guided_choose(struct guided *g) {
  struct choice *c = &g->choice;
  const struct symbolic_config *config = g->x->config;
  *c = (struct choice){.strength = strengths(g), .move_nodes = steps_nodes(g->x->steps)};
  c->ended = is_given(g);
  make(g, ABSTRACT_NOTHING, false, 1, &g->end);
  if (config->abstract_depth >= 0)
    make(g, (uint64_t)config->abstract_depth, config->forward_pattern, budget(g), &g->base);
  else if (config->forward_pattern)
    make(g, next_strength(g, 1), true, budget(g), &g->base);
  c->depth = c->reflected = next_strength(g, 0);
  c->least = guided_told(g);
  if (!c->ended) guided_improve(g);
}

void guided_choose_clear(struct guided *g) {
  drop(g, &g->choice.next);
  drop(g, &g->base);
  drop(g, &g->end);
  mem_free(g->choice.strength);
  g->choice = (struct choice){0};
}
