// SPDX-License-Identifier: Apache-2.0
// Paths in graphs that are known by images. Forward rings are kept whole, so that going back from a
// node takes one preimage of that node per ring.
#include "symbolic/rings.h"

struct net_scratch {
  uint8_t *values; // of a node's variables
  struct rings rings;
  struct path path;
};

void net_init(struct net *g) {
  g->scratch = mem_zalloc(1, sizeof *g->scratch);
  g->scratch->values = mem_zalloc(g->bits + 1, 1);
}

void net_clear(struct net *g) {
  if (!g->scratch) return;
  rings_clear(&g->scratch->rings);
  path_clear(&g->scratch->path);
  mem_free(g->scratch->values);
  mem_free(g->scratch);
  g->scratch = NULL;
}

dd net_image(const struct net *g, dd from) { return g->image(g->context, from); }

dd net_preimage(const struct net *g, dd to) { return g->preimage(g->context, to, -1); }

// A node may have far more predecessors than there are in a ring.
dd net_before(const struct net *g, dd node, dd within) {
  if (g->before) return g->before(g->context, node, within);
  dd all = net_preimage(g, node);
  dd_and_to(&all, dd_copy(within));
  return all;
}

dd net_pick(const struct net *g, dd set) {
  uint8_t *values = g->scratch->values;
  dd_pick(set, g->vars, g->bits, values);
  return dd_point(g->vars, values, g->bits);
}

// What leads to, or is led to from, the last that was found; it ends where nothing is left to find,
// which saves the last image, of what may be many.
static dd close(const struct net *g, dd within, dd from, bool forward) {
  dd known = dd_copy(from), frontier = dd_copy(from), left = dd_minus(within, from);
  while (!dd_is_false(frontier) && !dd_is_false(left)) {
    dd next = forward ? net_image(g, frontier) : net_preimage(g, frontier);
    dd_set(&frontier, dd_and(next, left));
    dd_set(&left, dd_minus(left, frontier));
    dd_or_to(&known, dd_copy(frontier));
    dd_drop(next);
  }
  dd_drop(frontier);
  dd_drop(left);
  return known;
}

dd net_reaching(const struct net *g, dd within, dd goal) { return close(g, within, goal, false); }

dd net_reached(const struct net *g, dd within, dd from) { return close(g, within, from, true); }

// --- paths ---

void path_add(struct path *p, dd node) {
  VEC_PUSH(&p->nodes, ((struct path_node){.node = node, .by = -1}));
}

void path_clear(struct path *p) {
  for (size_t i = 0; i < p->nodes.count; i++) dd_drop(p->nodes.data[i].node);
  VEC_CLEAR(&p->nodes);
}

// Rings from the last node on, inside `within`, up to the first that meets the goal: its number, or
// SIZE_MAX. Ring 0 is that node. The last ring is not cut to `within`.
static size_t search(struct rings *r, const struct net *g, dd from, dd within, dd goal) {
  dd known = dd_copy(from), frontier = dd_copy(from);
  size_t found = SIZE_MAX;
  rings_add(r, from, 0, 0);
  while (found == SIZE_MAX && !dd_is_false(frontier)) {
    dd next = net_image(g, frontier), inside = dd_and(next, within);
    size_t n = r->list.count;
    if (dd_meets(next, goal)) {
      rings_add(r, next, n - 1, n);
      found = n;
    }
    dd_set(&frontier, dd_minus(inside, known));
    dd_or_to(&known, dd_copy(frontier));
    if (found == SIZE_MAX) rings_add(r, frontier, n - 1, n);
    dd_drop(next);
    dd_drop(inside);
  }
  dd_drop(known);
  dd_drop(frontier);
  return found;
}

bool path_extend(struct path *p, const struct net *g, dd within, dd goal, bool at_least_one) {
  dd last = path_last(p);
  if (!at_least_one && dd_meets(last, goal)) return true;
  struct rings *r = &g->scratch->rings;
  struct path *way = &g->scratch->path;
  size_t found = search(r, g, last, within, goal);
  if (found != SIZE_MAX) {
    dd goals = dd_and(r->list.data[found].nodes, goal), node = net_pick(g, goals);
    rings_path(r, g, found, node, way);
    for (size_t i = 1; i < way->nodes.count; i++) path_add(p, dd_copy(way->nodes.data[i].node));
    dd_drop(goals);
    dd_drop(node);
  }
  path_clear(way);
  rings_clear(r);
  return found != SIZE_MAX;
}

// --- rings ---

void rings_add(struct rings *r, dd nodes, size_t first, size_t end) {
  VEC_PUSH(&r->list, ((struct ring){.nodes = dd_copy(nodes), .first = first, .end = end}));
}

void rings_clear(struct rings *r) {
  for (size_t i = 0; i < r->list.count; i++) dd_drop(r->list.data[i].nodes);
  VEC_CLEAR(&r->list);
}

size_t rings_find(const struct rings *r, dd set) {
  size_t i = 0;
  while (i < r->list.count && !dd_meets(r->list.data[i].nodes, set)) i++;
  return i;
}

// A predecessor of a node of this ring, and the ring in which it is.
static dd before(const struct rings *r, const struct net *g, size_t *ring, dd node) {
  const struct ring *at = &r->list.data[*ring];
  size_t i = at->first;
  dd these = net_before(g, node, r->list.data[i].nodes);
  while (dd_is_false(these)) {
    assert(i + 1 < at->end);
    dd_set(&these, net_before(g, node, r->list.data[++i].nodes));
  }
  dd one = net_pick(g, these);
  dd_drop(these);
  *ring = i;
  return one;
}

static void turn_round(struct path *p) {
  for (size_t i = 0, k = p->nodes.count; i + 1 < k; i++) {
    struct path_node swapped = p->nodes.data[i];
    p->nodes.data[i] = p->nodes.data[--k];
    p->nodes.data[k] = swapped;
  }
}

void rings_path(const struct rings *r, const struct net *g, size_t ring, dd node, struct path *p) {
  assert(p->nodes.count == 0);
  path_add(p, dd_copy(node));
  while (r->list.data[ring].end > 0) path_add(p, before(r, g, &ring, path_last(p)));
  turn_round(p);
}
