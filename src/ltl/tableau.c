// SPDX-License-Identifier: Apache-2.0
// From a formula to a generalised automaton. A node is a set of duties: formulas that the rest of
// the run must satisfy. What a duty asks for is a choice of clauses: what must hold now, and the
// duties for what comes next (Gastin and Oddoux, "Fast LTL to Buchi automata translation", CAV
// 2001, whose alternating automata these are). A clause that puts off an until promises its right
// operand; an edge has the mark of every promise that it does not make (Couvreur, FM 1999). A duty
// that another one of the set simulates in that sense (each of its clauses asks for no more) is
// left out.
#include "ltl/formula.h"
#include "ltl/graph.h"

#include <string.h>

enum { DUTY_WORDS = 8, DUTIES_MAX = 64 * DUTY_WORDS, CLAUSES_MAX = 8192, PROMISES_MAX = 64 };
enum { EDGES_MAX = 1 << 20 };
static const uint64_t work_max = 100 * 1000 * 1000, relation_work_max = 20 * 1000 * 1000;

struct duties {
  uint64_t words[DUTY_WORDS];
};

struct clause {
  struct ltl_cube cube;
  uint64_t promises;
  struct duties next;
};

struct clauses {
  struct clause *data;
  size_t count, capacity;
};

struct tableau {
  VEC(const struct ltl *) duties;
  VEC(const struct ltl *) promised;
  struct clauses *of; // by id of formula
  bool *known;
  uint32_t *duty; // by id of formula: its number + 1
  // By duty: those that imply it, itself included. NULL as long as only equality is known.
  struct duties *implied_by;
  VEC(struct duties) states;
  uint32_t *table; // of states: number + 1, open addressing
  size_t table_size;
  uint64_t work;
  bool full; // a limit is reached: whatever is made from now on is of no use
};

// --- sets of duties ---

static bool has(const struct duties *d, uint32_t i) { return d->words[i / 64] >> (i % 64) & 1; }
static void put(struct duties *d, uint32_t i) { d->words[i / 64] |= UINT64_C(1) << (i % 64); }

// The smallest member from i on; DUTIES_MAX: none.
static uint32_t member(const struct duties *d, uint32_t i) {
  for (uint32_t w = i / 64; w < DUTY_WORDS; w++) {
    uint64_t rest = d->words[w] & (w == i / 64 ? ~UINT64_C(0) << (i % 64) : ~UINT64_C(0));
    if (rest) return w * 64 + (uint32_t)__builtin_ctzll(rest);
  }
  return DUTIES_MAX;
}
#define FOR_DUTY(i, set) for (uint32_t i = member(set, 0); i < DUTIES_MAX; i = member(set, i + 1))

static bool meets(const struct duties *a, const struct duties *b) {
  for (int i = 0; i < DUTY_WORDS; i++)
    if (a->words[i] & b->words[i]) return true;
  return false;
}

// Does the one set of duties imply the other?
static bool set_implies(const struct tableau *t, const struct duties *a, const struct duties *b) {
  for (int i = 0; i < DUTY_WORDS; i++) {
    uint64_t rest = b->words[i] & ~a->words[i];
    if (rest && !t->implied_by) return false;
    for (; rest; rest &= rest - 1)
      if (!meets(a, &t->implied_by[i * 64 + __builtin_ctzll(rest)])) return false;
  }
  return true;
}

// Leaves out what other members imply; of equals the first stays.
static void reduce_set(const struct tableau *t, struct duties *d) {
  if (!t->implied_by) return;
  struct duties all = *d;
  FOR_DUTY(i, &all) FOR_DUTY(k, &all) {
    bool both = has(&t->implied_by[k], i);
    if (i == k || !has(&t->implied_by[i], k) || (both && i < k)) continue;
    d->words[i / 64] &= ~(UINT64_C(1) << (i % 64));
    break;
  }
}

// --- clauses ---

static bool asks_less(const struct tableau *t, const struct clause *a, const struct clause *b) {
  return cube_within(b->cube, a->cube) && (a->promises & ~b->promises) == 0 &&
         set_implies(t, &b->next, &a->next);
}

static void add_clause(struct tableau *t, struct clauses *list, const struct clause *c) {
  t->work += list->count + 1;
  for (size_t i = 0; i < list->count; i++)
    if (asks_less(t, &list->data[i], c)) return;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (!asks_less(t, c, &list->data[i])) list->data[kept++] = list->data[i];
  list->count = kept;
  VEC_PUSH(list, *c);
  if (list->count > CLAUSES_MAX || t->work > work_max) t->full = true;
}

static void add_product(struct tableau *t, struct clauses *out, const struct clauses *a,
                        const struct clauses *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count && !t->full; k++) {
      const struct clause *x = &a->data[i], *y = &b->data[k];
      t->work++;
      if (!cube_meets(x->cube, y->cube)) continue;
      struct clause c = {.cube = cube_both(x->cube, y->cube),
                         .promises = x->promises | y->promises};
      for (int w = 0; w < DUTY_WORDS; w++) c.next.words[w] = x->next.words[w] | y->next.words[w];
      reduce_set(t, &c.next);
      add_clause(t, out, &c);
    }
}

static void add_all(struct tableau *t, struct clauses *out, const struct clauses *a) {
  for (size_t i = 0; i < a->count && !t->full; i++) add_clause(t, out, &a->data[i]);
}

// --- what formulas ask for ---

static uint32_t duty_number(struct tableau *t, const struct ltl *x) {
  if (t->duty[x->id]) return t->duty[x->id] - 1;
  if (t->duties.count == DUTIES_MAX) {
    t->full = true;
    return 0;
  }
  VEC_PUSH(&t->duties, x);
  t->duty[x->id] = (uint32_t)t->duties.count;
  return t->duty[x->id] - 1;
}

// A formula as a set of duties: the operands of its ANDs.
static void add_duties(struct tableau *t, struct duties *d, const struct ltl *x) {
  for (; x->op == LTL_AND; x = x->left) add_duties(t, d, x->right);
  if (x->op != LTL_TRUE) put(d, duty_number(t, x));
}

static uint64_t promise_of(struct tableau *t, const struct ltl *x) {
  for (size_t i = 0; i < t->promised.count; i++)
    if (t->promised.data[i] == x) return UINT64_C(1) << i;
  if (t->promised.count == PROMISES_MAX) {
    t->full = true;
    return 0;
  }
  VEC_PUSH(&t->promised, x);
  return UINT64_C(1) << (t->promised.count - 1);
}

static const struct clauses *clauses_of(struct tableau *t, const struct ltl *x);

// One clause: nothing now, next the formula.
static void add_next(struct tableau *t, struct clauses *out, const struct ltl *x,
                     uint64_t promises) {
  struct clause c = {.promises = promises};
  add_duties(t, &c.next, x);
  reduce_set(t, &c.next);
  add_clause(t, out, &c);
}

// a U b: b, or a and the same again. a NULL: true.
static void add_until(struct tableau *t, struct clauses *out, const struct ltl *x,
                      const struct ltl *a, const struct ltl *b) {
  struct clauses again = {0};
  add_next(t, &again, x, promise_of(t, b));
  add_all(t, out, clauses_of(t, b));
  if (a)
    add_product(t, out, clauses_of(t, a), &again);
  else
    add_all(t, out, &again);
  VEC_CLEAR(&again);
}

// a V b: b, and a or the same again. a NULL: false.
static void add_release(struct tableau *t, struct clauses *out, const struct ltl *x,
                        const struct ltl *a, const struct ltl *b) {
  struct clauses end = {0};
  if (a) add_all(t, &end, clauses_of(t, a));
  add_next(t, &end, x, 0);
  add_product(t, out, clauses_of(t, b), &end);
  VEC_CLEAR(&end);
}

static void add_literal(struct tableau *t, struct clauses *out, const struct ltl *x) {
  struct clause c = {0};
  uint64_t atom = UINT64_C(1) << (x->op == LTL_NOT ? x->left : x)->atom;
  if (x->op == LTL_NOT)
    c.cube.no = atom;
  else
    c.cube.yes = atom;
  add_clause(t, out, &c);
}

static void make_clauses(struct tableau *t, struct clauses *out, const struct ltl *x) {
  switch (x->op) {
  case LTL_FALSE: break;
  case LTL_TRUE: add_clause(t, out, &(struct clause){0}); break;
  case LTL_ATOM:
  case LTL_NOT: add_literal(t, out, x); break;
  case LTL_AND: add_product(t, out, clauses_of(t, x->left), clauses_of(t, x->right)); break;
  case LTL_OR:
    add_all(t, out, clauses_of(t, x->left));
    add_all(t, out, clauses_of(t, x->right));
    break;
  case LTL_NEXT: add_next(t, out, x->left, 0); break;
  case LTL_EVENTUALLY: add_until(t, out, x, NULL, x->left); break;
  case LTL_ALWAYS: add_release(t, out, x, NULL, x->left); break;
  case LTL_UNTIL: add_until(t, out, x, x->left, x->right); break;
  case LTL_RELEASE: add_release(t, out, x, x->left, x->right); break;
  default: assert(!"the formula is not in normal form");
  }
}

static const struct clauses *clauses_of(struct tableau *t, const struct ltl *x) {
  if (!t->known[x->id]) {
    struct clauses list = {0};
    make_clauses(t, &list, x);
    t->of[x->id] = list;
    t->known[x->id] = true;
  }
  return &t->of[x->id];
}

// --- which duties imply which ---

static bool clauses_imply(struct tableau *t, const struct clauses *a, const struct clauses *b) {
  for (size_t i = 0; i < a->count; i++) {
    bool found = false;
    for (size_t k = 0; k < b->count && !found; k++) {
      found = asks_less(t, &b->data[k], &a->data[i]);
      t->work++;
    }
    if (!found) return false;
  }
  return true;
}

static bool refine_relation(struct tableau *t) {
  bool changed = false;
  for (uint32_t i = 0; i < t->duties.count; i++) FOR_DUTY(k, &t->implied_by[i]) {
      if (k == i ||
          clauses_imply(t, clauses_of(t, t->duties.data[k]), clauses_of(t, t->duties.data[i])))
        continue;
      t->implied_by[i].words[k / 64] &= ~(UINT64_C(1) << (k % 64));
      changed = true;
    }
  return changed;
}

// The largest relation in which each clause of the one is matched by a clause of the other that
// asks for less, in the sense of the relation itself.
static void find_relation(struct tableau *t) {
  size_t n = t->duties.count;
  t->implied_by = mem_zalloc(n ? n : 1, sizeof *t->implied_by);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) put(&t->implied_by[i], k);
  t->work = 0;
  while (t->work < relation_work_max)
    if (!refine_relation(t)) return;
  mem_free(t->implied_by); // it would take too long
  t->implied_by = NULL;
}

// --- nodes ---

static uint32_t *state_slot(struct tableau *t, const struct duties *d) {
  size_t i = hash_words(d->words, DUTY_WORDS) & (t->table_size - 1);
  while (t->table[i] && memcmp(&t->states.data[t->table[i] - 1], d, sizeof *d) != 0)
    i = (i + 1) & (t->table_size - 1);
  return &t->table[i];
}

static uint32_t state_of(struct tableau *t, const struct duties *d) {
  uint32_t *slot = state_slot(t, d);
  if (*slot) return *slot - 1;
  if (t->states.count == LTL_STATES_MAX) {
    t->full = true;
    return 0;
  }
  VEC_PUSH(&t->states, *d);
  *slot = (uint32_t)t->states.count;
  return *slot - 1;
}

// The clauses of all the duties of a set together.
static struct clauses clauses_together(struct tableau *t, const struct duties *d) {
  struct clauses all = {0};
  add_clause(t, &all, &(struct clause){0});
  FOR_DUTY(i, d) {
    struct clauses more = {0};
    add_product(t, &more, &all, clauses_of(t, t->duties.data[i]));
    VEC_CLEAR(&all);
    all = more;
  }
  return all;
}

static void add_edges(struct tableau *t, struct ltl_graph *g, uint32_t node) {
  struct duties d = t->states.data[node];
  struct clauses all = clauses_together(t, &d);
  for (size_t i = 0; i < all.count && !t->full; i++) {
    const struct clause *c = &all.data[i];
    struct ltl_edge e = {.cube = c->cube, .marks = g->marks & ~c->promises};
    e.to = state_of(t, &c->next);
    VEC_PUSH(&g->nodes.data[node], e);
  }
  VEC_CLEAR(&all);
}

static void build(struct tableau *t, struct ltl_graph *g, const struct ltl *x) {
  struct duties start = {0};
  add_duties(t, &start, x);
  for (size_t i = 0; i < t->duties.count && !t->full; i++) clauses_of(t, t->duties.data[i]);
  if (t->full) return;
  find_relation(t);
  t->work = 0;
  g->marks = t->promised.count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << t->promised.count) - 1;
  reduce_set(t, &start);
  state_of(t, &start);
  size_t edges = 0;
  for (uint32_t i = 0; i < t->states.count && !t->full; i++) {
    graph_node(g);
    add_edges(t, g, i);
    edges += g->nodes.data[i].count;
    if (edges > EDGES_MAX) t->full = true;
  }
}

bool ltl_tableau(struct ltl_graph *g, struct ltl_factory *f, const struct ltl *x) {
  size_t n = f->nodes.count;
  struct tableau t = {.table_size = 4 * LTL_STATES_MAX};
  t.of = mem_zalloc(n, sizeof *t.of);
  t.known = mem_zalloc(n, sizeof *t.known);
  t.duty = mem_zalloc(n, sizeof *t.duty);
  t.table = mem_zalloc(t.table_size, sizeof *t.table);
  build(&t, g, x);
  for (size_t i = 0; i < n; i++) VEC_CLEAR(&t.of[i]);
  VEC_CLEAR(&t.duties);
  VEC_CLEAR(&t.promised);
  VEC_CLEAR(&t.states);
  mem_free(t.of);
  mem_free(t.known);
  mem_free(t.duty);
  mem_free(t.implied_by);
  mem_free(t.table);
  return !t.full;
}
