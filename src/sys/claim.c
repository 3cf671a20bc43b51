// SPDX-License-Identifier: Apache-2.0
// An automaton as a product goes through it. A state that lies on no cycle of the automaton is
// passed once at most, so that it need not count as accepting.
#include "sys/claim.h"

#include "ir/ir.h"

size_t claim_moves(const struct claim *c, uint32_t from, uint64_t atoms, uint32_t *to) {
  const struct claim_state *s = &c->states[from];
  size_t count = 0;
  for (uint32_t i = s->first; i < s->end; i++) {
    const struct claim_edge *e = &c->edges[i];
    if ((e->yes & ~atoms) | (e->no & atoms)) continue;
    size_t k = 0;
    while (k < count && to[k] != e->to) k++;
    to[k] = e->to;
    count += k == count;
  }
  return count;
}

// --- states and edges ---

static void copy_state(struct claim *c, const struct ir_automaton *a, uint32_t number,
                       uint32_t *edges) {
  const struct ir_automaton_state *from = &a->states[number >> c->entered];
  struct claim_state *s = &c->states[number];
  *s = (struct claim_state){.first = *edges, .final = from->final};
  s->accepting = a->on_edges ? number & 1 : from->accepting;
  for (uint32_t i = 0; i < from->edge_count; i++) {
    const struct ir_automaton_edge *e = &from->edges[i];
    uint32_t to = e->to << c->entered | (a->on_edges && e->accepting);
    assert(e->to < a->count);
    c->edges[(*edges)++] = (struct claim_edge){e->yes, e->no, to};
    s->looks |= e->yes | e->no;
  }
  s->end = *edges;
  if (from->edge_count > c->edges_most) c->edges_most = from->edge_count;
}

static void copy(struct claim *c, const struct ir_automaton *a) {
  uint32_t edges = 0;
  for (uint32_t i = 0; i < a->count; i++) edges += a->states[i].edge_count;
  c->entered = a->on_edges;
  c->count = a->count << c->entered;
  c->accept_atom = a->accept_atom;
  c->states = mem_alloc(c->count * sizeof *c->states);
  c->edges = mem_alloc(((size_t)edges << c->entered) * sizeof *c->edges + 1);
  edges = 0;
  for (uint32_t i = 0; i < c->count; i++) copy_state(c, a, i, &edges);
}

// --- cycles ---

// Tarjan's search for components: `low` is the smallest number that a state is known to lead to,
// of those whose component is open.
struct walk {
  struct claim *claim;
  uint32_t *number, *low; // 0: not reached; UINT32_MAX: its component is done
  uint32_t *next;         // edge to follow
  uint32_t reached;
  VEC(uint32_t) path, open;
};

static void lower(uint32_t *a, uint32_t b) {
  if (b < *a) *a = b;
}

static bool loops(const struct claim *c, uint32_t state) {
  for (uint32_t i = c->states[state].first; i < c->states[state].end; i++)
    if (c->edges[i].to == state) return true;
  return false;
}

// The open states from `first` on are a component.
static void close(struct walk *w, size_t first) {
  struct claim *c = w->claim;
  bool cyclic = w->open.count - first > 1 || loops(c, w->open.data[first]);
  bool accepting = c->states[w->open.data[first]].accepting;
  for (size_t i = first; i < w->open.count; i++) {
    struct claim_state *s = &c->states[w->open.data[i]];
    s->accepting &= cyclic;
    if (cyclic && s->accepting != accepting) c->weak = false;
    w->number[w->open.data[i]] = UINT32_MAX;
  }
  w->open.count = first;
}

static void enter(struct walk *w, uint32_t state) {
  w->number[state] = w->low[state] = ++w->reached;
  w->next[state] = w->claim->states[state].first;
  VEC_PUSH(&w->path, state);
  VEC_PUSH(&w->open, state);
}

static void leave(struct walk *w) {
  uint32_t state = VEC_POP(&w->path);
  if (w->path.count > 0) lower(&w->low[VEC_TOP(&w->path)], w->low[state]);
  if (w->low[state] < w->number[state]) return;
  size_t first = w->open.count - 1;
  while (w->open.data[first] != state) first--;
  close(w, first);
}

static void walk_from(struct walk *w, uint32_t start) {
  enter(w, start);
  while (w->path.count > 0) {
    uint32_t state = VEC_TOP(&w->path);
    if (w->next[state] == w->claim->states[state].end) {
      leave(w);
      continue;
    }
    uint32_t to = w->claim->edges[w->next[state]++].to;
    if (w->number[to] == 0)
      enter(w, to);
    else if (w->number[to] != UINT32_MAX)
      lower(&w->low[state], w->number[to]);
  }
}

static void find_cycles(struct claim *c) {
  struct walk w = {.claim = c};
  w.number = mem_zalloc(3 * (size_t)c->count, sizeof *w.number);
  w.low = w.number + c->count;
  w.next = w.low + c->count;
  for (uint32_t i = 0; i < c->count; i++)
    if (w.number[i] == 0) walk_from(&w, i);
  VEC_CLEAR(&w.path);
  VEC_CLEAR(&w.open);
  mem_free(w.number);
}

void claim_init(struct claim *c, const struct ir_automaton *a) {
  *c = (struct claim){.weak = a->accept_atom < 0};
  assert(a->count > 0 && a->accept_atom < 64);
  copy(c, a);
  find_cycles(c);
  for (uint32_t i = 0; i < c->count; i++)
    if (c->states[i].accepting && c->accept_atom >= 0)
      c->states[i].looks |= UINT64_C(1) << c->accept_atom;
}

void claim_clear(struct claim *c) {
  mem_free(c->states);
  mem_free(c->edges);
}
