// SPDX-License-Identifier: Apache-2.0
// References by definition. Products are built whole, from the graph's starts on; a cycle in them
// is found by components. Conditions that a run must meet again and again are numbered: 0 is the
// automaton's acceptance, from FAIR on each agent's "has no step here, or takes part in this one".
// Who waits for another's atomic sequence to end does not count as one that has no step.
#include "random/ltl/reference.h"

#include "ltl/ltl.h"
#include "random/ltl/graph.h"
#include "random/ltl/scc.h"

#define FAIR 32         // the first of the agents' conditions
#define ALL  UINT32_MAX // a stuck model's stutter steps serve everybody

// A product under construction: a state of the graph beside a number below `width`.
struct builder {
  const struct graph *graph;
  struct scc out;
  uint32_t width;
  uint32_t *numbers;   // of the pairs: that of their node, and one; 0: none yet
  VEC(uint64_t) pairs; // of the nodes
  bool fair;
};

static void builder_init(struct builder *b, const struct graph *g, uint32_t width, bool fair) {
  *b = (struct builder){.graph = g, .width = width, .fair = fair};
  b->numbers = mem_zalloc((size_t)g->count * width + 1, sizeof *b->numbers);
}

static void builder_clear(struct builder *b) {
  scc_clear(&b->out);
  mem_free(b->numbers);
  VEC_CLEAR(&b->pairs);
}

static uint32_t node_of(struct builder *b, uint32_t state, uint32_t beside) {
  size_t pair = (size_t)state * b->width + beside;
  if (b->numbers[pair] == 0) {
    VEC_PUSH(&b->pairs, pair);
    b->numbers[pair] = (uint32_t)b->pairs.count;
  }
  return b->numbers[pair] - 1;
}

// All conditions that fairness makes.
static uint64_t fair_conditions(const struct builder *b) {
  return b->fair ? ((UINT64_C(1) << b->graph->agents.count) - 1) << FAIR : 0;
}

// Opens the next node: its edges are added next.
static void open_node(struct builder *b, uint32_t state, uint64_t marks) {
  struct scc_node n = {.first = (uint32_t)b->out.edges.count, .marks = marks};
  if (b->fair && !graph_passed(b->graph, state))
    n.marks |= (uint64_t)(uint32_t)~b->graph->movers[state] << FAIR;
  VEC_PUSH(&b->out.nodes, n);
}

static void add_edge(struct builder *b, uint32_t state, uint32_t beside, uint32_t served,
                     uint64_t marks) {
  marks |= (uint64_t)served << FAIR;
  uint32_t to = node_of(b, state, beside);
  VEC_PUSH(&b->out.edges, ((struct scc_edge){to, marks}));
}

static void close_node(struct builder *b) {
  VEC_TOP(&b->out.nodes).end = (uint32_t)b->out.edges.count;
}

// ---------------------------------------------------------------------------------------------
// An automaton

static bool accepting(const struct graph *g, const struct ir_automaton *a, uint32_t state,
                      uint32_t at) {
  if (a->on_edges || !a->states[at].accepting || graph_passed(g, state)) return false;
  return a->accept_atom < 0 || g->atoms[state] >> a->accept_atom & 1;
}

// The automaton waits until the state has been passed.
static void pass(struct builder *b, uint32_t state, uint32_t beside) {
  const struct graph *g = b->graph;
  for (uint32_t i = g->first[state]; i < g->first[state + 1]; i++)
    add_edge(b, g->edges.data[i].to, beside, g->edges.data[i].served, 0);
}

static void follow(struct builder *b, const struct ir_automaton *a, uint32_t state,
                   const struct ir_automaton_edge *e) {
  const struct graph *g = b->graph;
  uint64_t atoms = g->atoms[state], marks = a->on_edges && e->accepting;
  if ((e->yes & ~atoms) != 0 || (e->no & atoms) != 0) return;
  if (g->first[state] == g->first[state + 1] && !a->stuck_ends)
    add_edge(b, state, e->to, ALL, marks);
  for (uint32_t i = g->first[state]; i < g->first[state + 1]; i++)
    add_edge(b, g->edges.data[i].to, e->to, g->edges.data[i].served, marks);
}

bool reference_accepted(const struct graph *g, const struct ir_automaton *a, bool fair) {
  struct builder b;
  bool ended = false;
  builder_init(&b, g, a->count, fair);
  for (uint32_t i = 0; i < g->starts; i++) node_of(&b, i, 0);
  for (size_t i = 0; i < b.pairs.count && !ended; i++) {
    uint32_t state = (uint32_t)(b.pairs.data[i] / a->count),
             at = (uint32_t)(b.pairs.data[i] % a->count);
    ended = a->states[at].final;
    open_node(&b, state, accepting(g, a, state, at));
    if (graph_passed(g, state)) pass(&b, state, at);
    for (uint32_t k = 0; k < a->states[at].edge_count && !graph_passed(g, state); k++)
      follow(&b, a, state, &a->states[at].edges[k]);
    close_node(&b);
  }
  bool found = ended || scc_cycle(&b.out, 1 | fair_conditions(&b));
  builder_clear(&b);
  return found;
}

// ---------------------------------------------------------------------------------------------
// A formula

#define PARTS_MAX 16

struct parts { // the temporal parts of a formula; each is guessed true or false in every state
  const struct ltl *part[PARTS_MAX];
  uint32_t count;
};

static bool temporal(enum ltl_op op) { return op >= LTL_NEXT; }

static void collect(struct parts *p, const struct ltl *f) {
  if (f->left) collect(p, f->left);
  if (f->right) collect(p, f->right);
  if (!temporal(f->op)) return;
  for (uint32_t i = 0; i < p->count; i++)
    if (p->part[i] == f) return;
  assert(p->count < PARTS_MAX);
  p->part[p->count++] = f;
}

// Is it true where these atoms hold, and these temporal parts are true?
static bool is_true(const struct parts *p, const struct ltl *f, uint64_t atoms, uint32_t guess) {
  uint32_t i = 0;
  switch (f->op) {
  case LTL_TRUE: return true;
  case LTL_FALSE: return false;
  case LTL_ATOM: return atoms >> f->atom & 1;
  case LTL_NOT: return !is_true(p, f->left, atoms, guess);
  case LTL_AND: return is_true(p, f->left, atoms, guess) && is_true(p, f->right, atoms, guess);
  case LTL_OR: return is_true(p, f->left, atoms, guess) || is_true(p, f->right, atoms, guess);
  case LTL_IMPLIES: return !is_true(p, f->left, atoms, guess) || is_true(p, f->right, atoms, guess);
  case LTL_EQUIV: return is_true(p, f->left, atoms, guess) == is_true(p, f->right, atoms, guess);
  default:
    while (p->part[i] != f) i++;
    return guess >> i & 1;
  }
}

// What a part must be where its operands are `l` and `r` and the part itself is `then` in the next
// state (of NEXT: where its operand is `then` there).
static bool unrolled(enum ltl_op op, bool l, bool r, bool then) {
  switch (op) {
  case LTL_NEXT: return then;
  case LTL_EVENTUALLY: return l || then;
  case LTL_ALWAYS: return l && then;
  case LTL_UNTIL:
  case LTL_WEAK: return r || (l && then);
  default: return r && (l || then); // RELEASE
  }
}

// Is it not so that the guess puts something off here that must happen some day?
static bool kept(enum ltl_op op, bool l, bool r, bool guess) {
  switch (op) {
  case LTL_NEXT: return true;
  case LTL_EVENTUALLY: return !guess || l;
  case LTL_ALWAYS: return guess || !l;
  case LTL_UNTIL: return !guess || r;
  case LTL_WEAK: return guess || (!l && !r);
  default: return guess || !r; // RELEASE
  }
}

// What a guess in a state with these atoms means, worked out once.
struct meaning {
  bool possible, violates;    // the guess contradicts nothing; the formula is false there
  uint32_t decided, decision; // of these parts the next state's guess must be this
  uint32_t next;              // NEXT: whose operands are true here
  uint64_t marks;             // promises that are not put off here
};

struct tableau {
  struct parts parts;
  uint32_t width;           // guesses that there are
  uint32_t nexts;           // those parts that are NEXT
  struct meaning *meanings; // by atoms, then by guess
};

static void weigh(const struct parts *p, uint32_t i, uint64_t atoms, uint32_t guess,
                  struct meaning *m) {
  const struct ltl *f = p->part[i];
  uint32_t bit = UINT32_C(1) << i;
  bool l = is_true(p, f->left, atoms, guess), is = guess & bit;
  bool r = f->right && is_true(p, f->right, atoms, guess);
  if (kept(f->op, l, r, is)) m->marks |= bit;
  if (f->op == LTL_NEXT) {
    if (l) m->next |= bit;
    return;
  }
  bool if_true = unrolled(f->op, l, r, true) == is, if_false = unrolled(f->op, l, r, false) == is;
  m->possible &= if_true || if_false;
  if (if_true != if_false) m->decided |= bit;
  if (if_true && !if_false) m->decision |= bit;
}

static void tableau_init(struct tableau *t, const struct ltl *f) {
  *t = (struct tableau){0};
  collect(&t->parts, f);
  uint32_t width = t->width = UINT32_C(1) << t->parts.count;
  t->meanings = mem_zalloc((size_t)width << REFERENCE_ATOMS, sizeof *t->meanings);
  for (uint32_t i = 0; i < t->parts.count; i++)
    if (t->parts.part[i]->op == LTL_NEXT) t->nexts |= UINT32_C(1) << i;
  for (uint64_t atoms = 0; atoms >> REFERENCE_ATOMS == 0; atoms++)
    for (uint32_t guess = 0; guess < width; guess++) {
      struct meaning *m = &t->meanings[atoms * width + guess];
      m->possible = true;
      m->violates = !is_true(&t->parts, f, atoms, guess);
      for (uint32_t i = 0; i < t->parts.count; i++) weigh(&t->parts, i, atoms, guess, m);
    }
}

static const struct meaning *meaning_of(const struct builder *b, const struct tableau *t,
                                        uint32_t state, uint32_t guess) {
  uint64_t atoms = b->graph->atoms[state] & ((UINT64_C(1) << REFERENCE_ATOMS) - 1);
  return &t->meanings[atoms * t->width + guess];
}

// Beside a state that is only passed through stands what the last one that is not left behind: the
// number of its meaning, behind all guesses.
static uint32_t pending(const struct tableau *t, const struct meaning *m) {
  return t->width + (uint32_t)(m - t->meanings);
}

// A step to `to` from a state, or from one that is passed, with this meaning.
static void follow_guesses(struct builder *b, const struct tableau *t, const struct meaning *m,
                           uint32_t to, uint32_t served) {
  if (graph_passed(b->graph, to)) {
    add_edge(b, to, pending(t, m), served, 0);
    return;
  }
  uint32_t guess = (uint32_t)(m - t->meanings) % t->width;
  const struct meaning *then = meaning_of(b, t, to, 0);
  for (uint32_t i = 0; i < t->width; i++, then++)
    if (then->possible && (i & m->decided) == m->decision &&
        (then->next & t->nexts) == (guess & t->nexts))
      add_edge(b, to, i, served, 0);
}

static void expand_guess(struct builder *b, const struct tableau *t, uint32_t state,
                         uint32_t beside) {
  const struct graph *g = b->graph;
  bool passed = graph_passed(g, state);
  const struct meaning *m =
      passed ? &t->meanings[beside - t->width] : meaning_of(b, t, state, beside);
  open_node(b, state, passed ? 0 : m->marks);
  if (g->first[state] == g->first[state + 1]) follow_guesses(b, t, m, state, ALL);
  for (uint32_t i = g->first[state]; i < g->first[state + 1]; i++)
    follow_guesses(b, t, m, g->edges.data[i].to, g->edges.data[i].served);
  close_node(b);
}

// Starts are never passed through.
bool reference_violated(const struct graph *g, const struct ltl *f, bool fair) {
  struct tableau t;
  struct builder b;
  tableau_init(&t, f);
  builder_init(&b, g, t.width + (t.width << REFERENCE_ATOMS), fair);
  for (uint32_t i = 0; i < g->starts; i++)
    for (uint32_t guess = 0; guess < t.width; guess++) {
      const struct meaning *m = meaning_of(&b, &t, i, guess);
      if (m->possible && m->violates) node_of(&b, i, guess);
    }
  for (size_t i = 0; i < b.pairs.count; i++)
    expand_guess(&b, &t, (uint32_t)(b.pairs.data[i] / b.width),
                 (uint32_t)(b.pairs.data[i] % b.width));
  bool found = scc_cycle(&b.out, (t.width - 1) | fair_conditions(&b));
  builder_clear(&b);
  mem_free(t.meanings);
  return found;
}

// ---------------------------------------------------------------------------------------------
// Always reachable

void reference_reaches(const struct graph *g, uint32_t atom, bool *reaches) {
  bool more = true;
  for (uint32_t i = 0; i < g->count; i++) reaches[i] = g->atoms[i] >> atom & 1;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < g->count; i++)
      for (uint32_t k = g->first[i]; k < g->first[i + 1] && !reaches[i]; k++)
        more |= reaches[i] = reaches[g->edges.data[k].to];
  }
}
