// SPDX-License-Identifier: Apache-2.0
// Which leaves are abstracted from. From the strongest on, more and more leaves are kept; each
// database grows until it has a start in it, and takes the place of the last one when it tells the
// starts to be farther. At last comes the model itself: then the search is one from both sides.
//
// Until the search has become costly there is no abstraction: most searches end before. Then to
// build databases may take half as much work as the search itself has taken so far, and no more; in
// a long search less, since the way may not be there at all, and then databases are of no use. Work
// is counted in nodes that are made, so that runs can be repeated. What is too large to grow now is
// tried again when the search has become larger, too.
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
#define LAYER_BITS    3   // of a level's work, as a power of two: layers may take that in any case
#define RETRY_FACTOR  4   // times as many nodes are allowed, when something was too large before
#define GROWTH_MOST   1.5 // from one layer to the next: more is not believed
#ifdef FATHOM_SMALL
#define BLIND_WORK 1
#else
#define BLIND_WORK 10000 // of the search, before there is an abstraction
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

static size_t budget(const struct guided *g) {
  return g->x->config->pattern_nodes ? g->x->config->pattern_nodes : PATTERN_NODES;
}

// A database on the abstraction of this depth, in the place that g->base does not need.
static void make(struct guided *g, uint64_t depth, size_t nodes_max, struct database *d) {
  struct abstraction *a = &g->abstractions[g->base.of == &g->abstractions[0]];
  struct database_config c = {.goal = g->goal.states,
                              .starts = g->starts,
                              .forward = g->x->config->forward_pattern,
                              .nodes_max = nodes_max};
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
  bool better = next->least > g->base.least || (next->least == g->base.least && is_done(g, next));
  if (!better) return false;
  drop(g, &g->base);
  g->base = *next;
  *next = (struct database){0};
  g->choice.other = true;
  return true;
}

// The database that is being built, or NULL: there is none.
static struct database *building(struct guided *g) {
  struct choice *c = &g->choice;
  if (c->next.of) return &c->next;
  return c->own ? &g->base : NULL;
}

// Is the search costly enough for an abstraction? To whoever says how large a database may become
// it always is.
static bool is_costly(const struct guided *g) {
  return g->work >= BLIND_WORK || g->x->config->pattern_nodes;
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
  uint64_t before = dd_made();
  make(g, depth, 1, &c->next);
  c->work += dd_made() - before;
  return true;
}

// About how much work it takes until this one is better than the base, if its layers go on to grow
// as they do.
static double forecast(const struct guided *g, const struct database *d) {
  double last = (double)d->work, growth = d->work_before ? last / (double)d->work_before : 1,
         sum = 0;
  uint32_t layers = d == &g->base || d->least > g->base.least ? 1 : g->base.least + 1 - d->least;
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
  bool new = d->least > c->least;
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
  bool changed = false, goes_on = true;
  uint64_t for_layers = c->work + (g->recent >> LAYER_BITS);
  while (goes_on && !g->base.proves) {
    uint64_t allowed = allowance(g);
    struct database *d = building(g);
    if (d && !is_done(g, d)) {
      goes_on = grow(g, d, allowed > for_layers ? allowed : for_layers);
      changed |= d == &g->base;
    } else {
      if (d) reflect(g, d);
      goes_on = begin(g, allowed);
    }
    if (c->next.of && adopt(g)) changed = c->own = true;
  }
  return changed;
}

void guided_choose(struct guided *g) {
  struct choice *c = &g->choice;
  const struct symbolic_config *config = g->x->config;
  *c = (struct choice){.strength = strengths(g), .move_nodes = steps_nodes(g->x->steps)};
  c->ended = config->abstract_depth >= 0 || config->forward_pattern;
  uint64_t depth = ABSTRACT_NOTHING;
  if (config->abstract_depth >= 0)
    depth = (uint64_t)config->abstract_depth;
  else if (config->forward_pattern)
    depth = next_strength(g, 1);
  make(g, depth, c->ended ? budget(g) : 1, &g->base);
  c->depth = c->reflected = next_strength(g, 0);
  c->least = g->base.least;
  if (!c->ended) guided_improve(g);
}

void guided_choose_clear(struct guided *g) {
  drop(g, &g->choice.next);
  drop(g, &g->base);
  mem_free(g->choice.strength);
  g->choice = (struct choice){0};
}
