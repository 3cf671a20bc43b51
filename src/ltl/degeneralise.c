// SPDX-License-Identifier: Apache-2.0
// One mark instead of many. A node becomes one for each level: how many of the marks that its
// component needs, in their order, were seen since the last time that all were. An edge may lead
// several levels up (Gastin and Oddoux, CAV 2001); levels start again in another component. With
// acceptance on states the topmost level accepts, and marks that all the edges of a node have count
// as soon as it is reached: with its next edge they will have been seen.
//
// At which level a run comes into a component is all the same to what is accepted. Split: an edge
// into one becomes two, by an atom that tells whether a mark is seen on the way, and leads to a
// level where the mark is not waited for if it was. In a product fewer states are then paired with
// several levels.
#include "ltl/graph.h"

struct place {
  uint32_t node, level;
};

struct levels {
  const struct ltl_graph *from;
  struct ltl_graph *to;
  struct components components;
  const uint8_t *order; // of all the marks
  uint32_t mark_count;
  bool split;
  uint64_t *common;         // by node: marks on all the edges inside its component
  uint32_t *numbers;        // by node and level: number of the new node + 1
  VEC(struct place) places; // by new node
};

static const struct component *component_of(const struct levels *l, uint32_t node) {
  return &l->components.data[l->components.of[node]];
}

// From a level up to the first mark that was not seen; the level of all marks is mark_count.
static uint32_t climb(const struct levels *l, uint32_t node, uint32_t level, uint64_t seen) {
  uint64_t needed = component_of(l, node)->needed;
  while (level < l->mark_count) {
    uint64_t mark = UINT64_C(1) << l->order[level];
    if (needed & ~seen & mark) break;
    level++;
  }
  return level;
}

static void find_common(struct levels *l) {
  for (uint32_t i = 0; i < l->from->nodes.count; i++) {
    l->common[i] = ~UINT64_C(0);
    const struct ltl_edges *edges = &l->from->nodes.data[i];
    for (size_t k = 0; k < edges->count; k++)
      if (l->components.of[edges->data[k].to] == l->components.of[i])
        l->common[i] &= edges->data[k].marks;
  }
}

static uint32_t node_at(struct levels *l, uint32_t node, uint32_t level) {
  uint32_t *number = &l->numbers[node * (l->mark_count + 1) + level];
  if (*number) return *number - 1;
  uint32_t new = graph_node(l->to);
  *number = new + 1;
  VEC_PUSH(&l->places, ((struct place){node, level}));
  return new;
}

// Where a run comes into a component.
static uint32_t entry(struct levels *l, uint32_t node) {
  if (!component_of(l, node)->accepting) return node_at(l, node, 0);
  uint64_t ahead = l->to->on_states ? l->common[node] : 0;
  uint32_t level = climb(l, node, 0, ahead);
  return node_at(l, node, !l->to->on_states && level == l->mark_count ? 0 : level);
}

// The level that a run comes to along an edge that could have been one inside the component, with
// these marks.
static uint32_t entry_past(struct levels *l, uint32_t node, uint64_t marks) {
  uint32_t level = climb(l, node, 0, marks);
  if (l->to->on_states) return node_at(l, node, climb(l, node, level, l->common[node]));
  return node_at(l, node, level == l->mark_count ? 0 : level);
}

static uint64_t marks_on(const struct levels *l, uint32_t node, struct ltl_cube cube) {
  const struct ltl_edges *edges = &l->from->nodes.data[node];
  uint64_t marks = 0;
  for (size_t i = 0; i < edges->count; i++)
    if (edges->data[i].to == node && cube_within(cube, edges->data[i].cube))
      marks |= edges->data[i].marks;
  return marks;
}

// One literal that a cube has beyond another one within which it lies; false: it is not just one.
static bool one_literal(struct ltl_cube narrow, struct ltl_cube wide, struct ltl_cube *literal) {
  *literal = (struct ltl_cube){narrow.yes & ~wide.yes, narrow.no & ~wide.no};
  return cube_within(narrow, wide) &&
         __builtin_popcountll(literal->yes) + __builtin_popcountll(literal->no) == 1;
}

// An edge into the component of its target, whose loops tell by which literal to split it.
static bool split_entry(struct levels *l, const struct ltl_edge *e, struct ltl_edge halves[2]) {
  const struct ltl_edges *edges = &l->from->nodes.data[e->to];
  for (size_t i = 0; i < edges->count; i++) {
    const struct ltl_edge *loop = &edges->data[i];
    struct ltl_cube literal;
    if (loop->to != e->to || !loop->marks || !one_literal(loop->cube, e->cube, &literal)) continue;
    struct ltl_cube opposite = {literal.no, literal.yes};
    for (int k = 0; k < 2; k++) {
      struct ltl_cube cube = cube_both(e->cube, k ? opposite : literal);
      halves[k] = (struct ltl_edge){.cube = cube};
      halves[k].to = entry_past(l, e->to, marks_on(l, e->to, cube));
    }
    return true;
  }
  return false;
}

// On states: from a place along an edge inside its accepting component.
static uint32_t follow(struct levels *l, struct place p, const struct ltl_edge *e) {
  uint32_t level = climb(l, p.node, p.level == l->mark_count ? 0 : p.level, e->marks);
  return node_at(l, e->to, climb(l, e->to, level, l->common[e->to]));
}

// On edges: the level above the topmost is level 0 again, and the edge is marked.
static uint32_t follow_edge(struct levels *l, struct place p, const struct ltl_edge *e,
                            uint64_t *mark) {
  uint32_t level = climb(l, p.node, p.level, e->marks);
  *mark = level == l->mark_count;
  if (!*mark) return node_at(l, e->to, level);
  level = climb(l, p.node, 0, e->marks);
  return node_at(l, e->to, level == l->mark_count ? p.level : level);
}

static void add_edge(struct levels *l, uint32_t new, const struct ltl_edge *e) {
  struct place p = l->places.data[new];
  const struct component *own = component_of(l, p.node);
  bool inside = l->components.of[e->to] == l->components.of[p.node];
  struct ltl_edge f = {.cube = e->cube}, halves[2];
  bool enters = !inside && component_of(l, e->to)->accepting;
  bool mark = l->to->on_states && own->accepting && p.level == l->mark_count; // as all of its edges
  if (l->split && enters && split_entry(l, e, halves)) {
    for (int k = 0; k < 2; k++) {
      halves[k].marks = mark;
      VEC_PUSH(&l->to->nodes.data[new], halves[k]);
    }
    return;
  }
  if (!inside || !own->accepting)
    f.to = inside ? node_at(l, e->to, 0) : entry(l, e->to);
  else if (l->to->on_states)
    f.to = follow(l, p, e);
  else
    f.to = follow_edge(l, p, e, &f.marks);
  if (l->to->on_states) f.marks = mark;
  VEC_PUSH(&l->to->nodes.data[new], f);
}

static void build(struct levels *l) {
  find_common(l);
  l->to->start = entry(l, l->from->start);
  for (uint32_t i = 0; i < l->places.count && i < LTL_STATES_MAX; i++) {
    const struct ltl_edges *edges = &l->from->nodes.data[l->places.data[i].node];
    for (size_t k = 0; k < edges->count; k++) add_edge(l, i, &edges->data[k]);
    edges_simplify(&l->to->nodes.data[i]);
  }
}

// All the levels of a node accept the same.
static void redirect_levels(struct levels *l) {
  uint32_t *class = mem_zalloc(l->places.count, sizeof *class);
  uint32_t *first = mem_zalloc(l->from->nodes.count, sizeof *first); // + 1
  for (uint32_t i = 0; i < l->places.count; i++) {
    uint32_t node = l->places.data[i].node;
    if (!first[node]) first[node] = i + 1;
    class[i] = first[node] - 1;
  }
  graph_redirect(l->to, class);
  mem_free(first);
  mem_free(class);
}

bool graph_degeneralise(struct ltl_graph *out, const struct ltl_graph *g, bool on_states,
                        bool split, const uint8_t *order) {
  *out = (struct ltl_graph){.marks = 1, .on_states = on_states};
  struct levels l = {.from = g, .to = out, .order = order, .split = split};
  l.mark_count = (uint32_t)__builtin_popcountll(g->marks);
  l.common = mem_zalloc(g->nodes.count, sizeof *l.common);
  l.numbers = mem_zalloc(g->nodes.count * (l.mark_count + 1), sizeof *l.numbers);
  components_init(&l.components, g);
  build(&l);
  bool fits = l.places.count <= LTL_STATES_MAX;
  if (fits) redirect_levels(&l);
  components_clear(&l.components);
  VEC_CLEAR(&l.places);
  mem_free(l.common);
  mem_free(l.numbers);
  return fits;
}
