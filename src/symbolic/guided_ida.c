// SPDX-License-Identifier: Apache-2.0
// BDD-IDA* (paper 004, section 2): depth first with a bound on g + h, on a stack of (g, h, S); the
// next bound is the lowest g + h that was cut, and when nothing was cut there is nothing more.
//
// As long as memory allows, an iteration goes on from what the last one cut, and nothing is
// expanded twice. This keeps ways shortest: h falls by one at most with each step, so that what can
// be reached with a lower g + h than the bound was expanded before, on a shortest way. When memory
// gets short everything is forgotten, and iterations begin at the starts, as in the paper; within
// an iteration a state is then not expanded again where it was met with as few steps.
#include "symbolic/guided_own.h"

#define SPLIT_NODES 1000 // sets of states smaller than this are not split by layers
#define KEPT_BYTES  400  // of memory for each node that may be kept: operations need most of it
#define NO_BOUND    UINT64_MAX
// The database is no use when the bound is so many times what it tells of the starts; or fewer, but
// so many times as many images were made since then as the bound has risen.
#define FAR_FACTOR 8
#define USE_FACTOR 2
#ifdef FATHOM_SMALL
#define IMAGE_FACTOR 1
#else
#define IMAGE_FACTOR 2
#endif

// --- the stack ---

static void push(struct guided *g, uint64_t depth, uint32_t h, dd states) {
  VEC_PUSH(&g->open, ((struct piece){.g = depth, .h = h, .states = states}));
}

// Pushes states within the bound, which are taken over, those that are nearest last. Pieces are
// made where the set is large.
static void split_and_push(struct guided *g, uint64_t depth, uint64_t bound, dd states) {
  uint32_t h = (uint32_t)(bound - depth);
  dd rest = states;
  if (h > guided_layers(g)) h = (uint32_t)guided_layers(g);
  while (h > 0 && dd_nodes(rest) > SPLIT_NODES) {
    dd near = guided_within(g, rest, h - 1), far = dd_minus(rest, near);
    if (dd_is_false(far))
      dd_drop(far);
    else
      push(g, depth, h, far);
    dd_set(&rest, near);
    h--;
  }
  if (dd_is_false(rest))
    dd_drop(rest);
  else
    push(g, depth, h, rest);
}

// --- what is remembered ---

static size_t memory(const struct guided *g) {
  const struct symbolic_config *c = g->x->config;
  if (c->remember_nodes) return c->remember_nodes;
  return c->budget.mem_bytes ? c->budget.mem_bytes / KEPT_BYTES : SIZE_MAX;
}

// So many nodes more are kept. When they are too many everything is forgotten; the next time, what
// was met within an iteration, too. As long as no more than half as many were made nobody counts.
static void keep(struct guided *g, dd states) {
  size_t half = memory(g) / 2;
  if (g->careless || dd_made() - g->made_before <= half) return;
  g->kept += dd_nodes(states);
  if (g->kept <= half) return;
  g->careless = g->forgets;
  g->restarts = !g->forgets;
  g->forgets = true;
  g->kept = 0;
  for (size_t i = 0; i < g->depths.count && g->careless; i++)
    dd_set(&g->depths.data[i].seen, dd_false());
}

// The states that were not expanded yet; where iterations begin anew: not behind as few steps.
static dd fresh(struct guided *g, size_t depth, dd states) {
  dd out = dd_and(states, g->unexpanded);
  for (size_t i = 0; i <= depth && g->forgets && !g->careless; i++)
    dd_set(&out, dd_minus(out, guided_at(g, i)->seen));
  return out;
}

static void note_expanded(struct guided *g, size_t depth, dd states) {
  struct guided_depth *d = guided_at(g, depth);
  if (!g->forgets) {
    dd_or_to(&d->expanded, dd_copy(states));
    dd_set(&g->unexpanded, dd_minus(g->unexpanded, states));
  } else {
    dd_set(&d->expanded, dd_copy(states));
    steps_drop(&d->inner);
    if (!g->careless) dd_or_to(&d->seen, dd_copy(states));
  }
  keep(g, states);
}

// --- what waits ---

// States, which are taken over, wait for a higher bound, at least this one; when everything is
// forgotten only their bound is kept.
static void wait(struct guided *g, size_t depth, uint64_t bound, dd states) {
  struct guided_depth *d = guided_at(g, depth);
  if (g->forgets) {
    uint64_t next = depth + guided_least(g, states, 0);
    if (next < g->next) g->next = next;
    dd_drop(states);
    return;
  }
  keep(g, states);
  if (dd_is_false(d->waiting) || d->next > bound) d->next = bound;
  d->clear = 0;
  dd_or_to(&d->waiting, states);
}

// The states of a set that are within the bound at this depth.
static dd within(const struct guided *g, uint64_t bound, uint64_t depth, dd states) {
  if (bound < depth) return dd_false();
  return guided_within(g, states, (uint32_t)(bound - depth));
}

// Without those that can never reach the goal.
static dd hopeful(const struct guided *g, dd states) {
  return guided_outside(g) == DATABASE_NEVER ? guided_within(g, states, DATABASE_NEVER - 1)
                                             : dd_copy(states);
}

// Pushes states within the bound, which are taken over. When the end is in sight they lead to it:
// any of them does, and the others wait.
static void push_near(struct guided *g, uint64_t depth, uint64_t bound, dd states) {
  bool exact = bound >= depth && bound - depth < g->end.layers.count;
  if (!g->in_sight || !exact || g->chased || g->forgets || dd_is_false(states)) {
    split_and_push(g, depth, bound, states);
    return;
  }
  dd one = net_pick(&g->x->net, states);
  g->chases = true;
  wait(g, depth, bound, dd_minus(states, one));
  push(g, depth, (uint32_t)(bound - depth), one);
  dd_drop(states);
}

static void expand(struct guided *g, uint64_t bound, struct piece *p) {
  dd_set(&p->states, fresh(g, p->g, p->states));
  if (dd_is_false(p->states) || guided_meets(g, p->g, p->states)) return;
  note_expanded(g, p->g, p->states);
  dd next = guided_expand(g, p->g, p->states);
  dd_set(&next, dd_and(next, g->unexpanded));
  dd near = within(g, bound, p->g + 1, next), far = dd_minus(next, near);
  dd_set(&far, hopeful(g, far));
  if (!dd_is_false(far)) wait(g, p->g + 1, bound + 1, dd_copy(far));
  push_near(g, p->g + 1, bound, near);
  dd_drop(next);
  dd_drop(far);
}

static void work_off(struct guided *g, uint64_t bound) {
  if (g->open.count) g->iterations++;
  while (g->open.count && !g->found && !g->restarts && !g->x->judge.stop) {
    struct piece p = VEC_POP(&g->open);
    expand(g, bound, &p);
    dd_drop(p.states);
  }
}

// --- iterations that go on ---

static void iterate(struct guided *g, uint64_t bound) {
  for (size_t i = 0; i < g->depths.count; i++) {
    struct guided_depth *d = &g->depths.data[i];
    if (dd_is_false(d->waiting) || d->next > bound) continue;
    dd near = within(g, bound, i, d->waiting);
    dd_set(&d->waiting, dd_minus(d->waiting, near));
    d->next = bound + 1;
    push_near(g, i, bound, near);
  }
  work_off(g, bound);
  g->chased |= g->chases;
}

static uint64_t lowest(const struct guided *g) {
  uint64_t bound = NO_BOUND;
  for (size_t i = 0; i < g->depths.count; i++) {
    const struct guided_depth *d = &g->depths.data[i];
    if (!dd_is_false(d->waiting) && d->next < bound) bound = d->next;
  }
  return bound;
}

// h has changed. It gets a new chance when it is the first to tell something, or tells what may be.
static void note_told(struct guided *g, uint64_t bound) {
  bool first = g->told.least <= 1;
  if (g->base.least <= g->told.least) return;
  g->told.least = g->base.least;
  if (!first && bound > USE_FACTOR * g->told.least) return;
  g->told.bound = bound;
  g->told.images = g->images;
  g->told.wrong = false;
}

// What waits is looked at again. A database that has only grown tells nothing to be nearer. Where
// there is nothing but the end, levels are looked at one by one.
static void look_again(struct guided *g, uint64_t bound) {
  bool other = g->choice.other, one_by_one = !g->base.of && guided_outside(g) != DATABASE_NEVER;
  note_told(g, bound);
  g->choice.other = false;
  for (size_t i = 0; i < g->depths.count; i++) {
    struct guided_depth *d = &g->depths.data[i];
    if (one_by_one) {
      if (other) d->next = i;
      continue;
    }
    dd_set(&d->waiting, hopeful(g, d->waiting));
    if (dd_is_false(d->waiting)) continue;
    uint32_t least = other || d->next < i ? 0 : (uint32_t)(d->next - i);
    d->next = i + guided_least(g, d->waiting, least);
  }
}

// --- iterations that begin anew ---

static void iterate_anew(struct guided *g, uint64_t bound) {
  guided_forget(g);
  g->next = NO_BOUND;
  g->restarts = false;
  if (!g->careless) g->kept = 0;
  dd near = within(g, bound, 0, g->starts), far = dd_minus(g->starts, near);
  dd_set(&far, hopeful(g, far));
  if (!dd_is_false(far)) wait(g, 0, bound + 1, dd_copy(far));
  split_and_push(g, 0, bound, near);
  dd_drop(far);
  work_off(g, bound);
}

// --- breadth first ---

// Is there no abstraction, or is what its database tells of no use? The way is far longer than
// that, and states that are only said to be near are expanded piece by piece, which costs more than
// it saves.
static bool is_blind(struct guided *g, uint64_t bound) {
  if (g->in_sight || guided_outside(g) == DATABASE_NEVER) return false;
  if (!g->base.of) return true;
  uint64_t rise = bound > g->told.bound ? bound - g->told.bound : 0;
  if (bound > USE_FACTOR * g->told.least && g->images - g->told.images > IMAGE_FACTOR * (rise + 1))
    g->told.wrong = true;
  return g->base.least <= 1 || bound > FAR_FACTOR * g->base.least || g->told.wrong;
}

static bool is_deepest(const struct guided *g, size_t depth) {
  return depth + 1 == g->depths.count;
}

// Something between the states of a level and all that was expanded: its successors are the same as
// long as nothing deeper was. To look for it takes a part of the time of an image: where it was in
// vain, it is not done again for a while.
static dd simpler(struct guided *g, size_t depth, dd states) {
  if (!is_deepest(g, depth) || !dd_is_false(g->x->passed)) return dd_copy(states);
  if (pause_lasts(&g->simpler)) return dd_copy(states);
  dd out = dd_restrict(states, g->unexpanded);
  size_t nodes = dd_nodes(states);
  bool some = dd_nodes(out) < nodes;
  if (!some) dd_set(&out, dd_copy(states));
  pause_after(&g->simpler, some);
  return out;
}

// Are states that wait at this depth in a layer of the end? Then it is in sight, and one of
// them leads there.
static bool sees_end(struct guided *g, size_t depth) {
  struct guided_depth *d = guided_at(g, depth);
  if (d->clear == g->end.layers.count) return false;
  dd near = dd_and(d->waiting, VEC_TOP(&g->end.within));
  g->in_sight = !dd_is_false(near);
  d->clear = g->end.layers.count;
  if (g->in_sight) d->next = depth + guided_least(g, near, 0);
  dd_drop(near);
  return g->in_sight;
}

// The end is looked for at once: what a database is worth after that nobody needs to know.
static void leave_level(struct guided *g, size_t depth, dd states) {
  dd from = simpler(g, depth, states);
  note_expanded(g, depth, states);
  dd next = guided_expand(g, depth, from);
  dd_set(&next, dd_and(next, g->unexpanded));
  dd_drop(from);
  if (g->found || dd_is_false(next)) {
    dd_drop(next);
    return;
  }
  struct guided_depth *d = guided_at(g, depth + 1); // kept when it is expanded
  d->next = depth + 1;
  d->clear = 0;
  dd_or_to(&d->waiting, next);
  sees_end(g, depth + 1);
}

// All that waits at the least depth is expanded: none of it can be reached on a shorter way, since
// all that was expanded was so on a shortest one.
static void go_breadth_first(struct guided *g) {
  size_t i = 0;
  while (dd_is_false(g->depths.data[i].waiting)) i++;
  if (sees_end(g, i)) return;
  dd *waiting = &g->depths.data[i].waiting;
  dd states = is_deepest(g, i) ? dd_copy(*waiting) : dd_and(*waiting, g->unexpanded);
  dd_set(waiting, dd_false());
  g->iterations++;
  bool met = g->end.layers.count == 0 && guided_meets(g, i, states);
  if (!dd_is_false(states) && !met) leave_level(g, i, states);
  dd_drop(states);
}

// --- the whole ---

// The next bound; NO_BOUND: there is nothing more.
static uint64_t next_bound(struct guided *g, uint64_t bound) {
  if (g->restarts) return bound;
  if (g->forgets) return g->next;
  if (!g->in_sight && guided_improve(g)) look_again(g, bound);
  return guided_proves(g) ? NO_BOUND : lowest(g);
}

void guided_ida(struct guided *g) {
  uint64_t bound = guided_told(g);
  g->made_before = dd_made();
  g->in_sight = g->chases = g->chased = false;
  g->simpler = (struct pause){0};
  g->told.least = g->base.least;
  g->told.bound = g->told.images = 0;
  g->told.wrong = false;
  wait(g, 0, bound, dd_copy(g->starts));
  while (!g->found && !g->x->judge.stop) {
    bound = next_bound(g, bound);
    if (bound == NO_BOUND) break;
    uint64_t before = g->work;
    if (g->forgets)
      iterate_anew(g, bound);
    else if (is_blind(g, bound))
      go_breadth_first(g);
    else
      iterate(g, bound);
    g->recent /= 2;
    if (g->work - before > g->recent) g->recent = g->work - before;
  }
}
