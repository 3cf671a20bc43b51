// SPDX-License-Identifier: Apache-2.0
// Parts of a disjunct: that of one control state, and halves; and how large an image may become
// (paper 003, V.A).
#include "hybrid/states_own.h"

#define CASES_MAX 1000 // counted no further

// --- parts ---

static void add(struct gather *g, uint32_t control, dd truth, const zset *set) {
  gather_add(g, control, dd_copy(truth), zset_copy(set));
}

static struct disjunct *done(struct gather *g, const struct disjunct *whole) {
  struct disjunct *d = gather_done(g, whole->depth);
  if (d) disjunct_inherit(d, whole);
  return d;
}

struct disjunct *states_part(struct states *s, struct disjunct *d, uint32_t control) {
  struct gather g = {.states = s};
  const struct piece *p = disjunct_piece(d, control);
  presburger_begin(s->presburger, 0);
  for (size_t i = 0; p && i < p->count; i++) add(&g, control, p->pairs[i].truth, p->pairs[i].set);
  return done(&g, d);
}

// By a variable that is true in some of it, false in the rest.
static bool halve_truth(struct gather half[2], uint32_t control, const struct pair *p) {
  dd support = dd_support(p->truth);
  bool found = false;
  for (dd rest = support; !found && !dd_is_true(rest); rest = dd_high(rest)) {
    dd var = dd_var(dd_top(rest), true);
    dd yes = dd_and(p->truth, var), no = dd_minus(p->truth, var);
    found = !dd_is_false(yes) && !dd_is_false(no);
    if (found) {
      add(&half[0], control, yes, p->set);
      add(&half[1], control, no, p->set);
    }
    dd_drop(var);
    dd_drop(yes);
    dd_drop(no);
  }
  dd_drop(support);
  return found;
}

// By the coordinate that has most values.
static bool halve_set(struct states *s, struct gather half[2], uint32_t control,
                      const struct pair *p) {
  unsigned dims = zset_dims(p->set), widest = dims;
  zint least = 0, most = 0, lo, hi;
  for (unsigned i = 0; i < dims; i++) {
    zaff *x = zaff_dim(s->presburger, dims, i);
    if (zset_range(p->set, x, &lo, &hi) && hi - lo > most - least)
      widest = i, least = lo, most = hi;
    zaff_drop(x);
  }
  if (widest == dims) return false;
  zint middle = least + (most - least) / 2;
  gather_add(&half[0], control, dd_copy(p->truth), zset_within(p->set, widest, least, middle));
  gather_add(&half[1], control, dd_copy(p->truth), zset_within(p->set, widest, middle + 1, most));
  return true;
}

static bool halve_pair(struct states *s, struct gather half[2], uint32_t control,
                       const struct pair *p) {
  size_t n = zset_polyhedra(p->set);
  bool large = dd_nodes(p->truth) > n;
  if (large && halve_truth(half, control, p)) return true;
  if (n > 1) {
    gather_add(&half[0], control, dd_copy(p->truth), zset_some(p->set, 0, n / 2));
    gather_add(&half[1], control, dd_copy(p->truth), zset_some(p->set, n / 2, n - n / 2));
    return true;
  }
  return halve_set(s, half, control, p) || (!large && halve_truth(half, control, p));
}

bool states_halve(struct states *s, struct disjunct *d, struct disjunct *half[2]) {
  assert(d->piece_count == 1);
  struct gather g[2] = {{.states = s}, {.states = s}};
  const struct piece *p = &d->pieces[0];
  presburger_begin(s->presburger, s->config.operations);
  for (size_t i = 0; i < p->count && p->count > 1; i++)
    add(&g[i >= p->count / 2], p->control, p->pairs[i].truth, p->pairs[i].set);
  bool ok = p->count > 1 || halve_pair(s, g, p->control, &p->pairs[0]);
  if (!ok) return false;
  for (int i = 0; i < 2; i++) half[i] = done(&g[i], d);
  if (half[0] && half[1]) return true;
  for (int i = 0; i < 2; i++) disjunct_drop(s, half[i]);
  return false;
}

// --- sizes ---

// How many polyhedra a term may be made of: where it holds, where it does not; of a number, how
// many cases. By id; 0: not known yet.
struct counts {
  uint16_t *holds, *fails, *cases;
};

static uint16_t capped(uint64_t n) { return n > CASES_MAX ? CASES_MAX : (uint16_t)n; }

static uint16_t cases(struct counts *k, const struct term *t);

static uint16_t polyhedra(struct counts *k, const struct term *t, bool holds) {
  uint16_t *known = holds ? &k->holds[t->id] : &k->fails[t->id];
  if (*known) return *known;
  uint64_t n = 1, a, b;
  bool numbers = t->args == 2 && !t->arg[0]->is_bool;
  if (t->op == TERM_NOT) {
    n = polyhedra(k, t->arg[0], !holds);
  } else if (t->op == TERM_AND || t->op == TERM_OR) {
    a = polyhedra(k, t->arg[0], holds), b = polyhedra(k, t->arg[1], holds);
    n = (t->op == TERM_AND) == holds ? a * b : a + b;
  } else if (t->op == TERM_ITE) {
    n = (uint64_t)polyhedra(k, t->arg[0], true) * polyhedra(k, t->arg[1], holds) +
        (uint64_t)polyhedra(k, t->arg[0], false) * polyhedra(k, t->arg[2], holds);
  } else if (numbers) {
    n = (uint64_t)cases(k, t->arg[0]) * cases(k, t->arg[1]) * (t->op == TERM_EQ && !holds ? 2 : 1);
  }
  return *known = capped(n);
}

static uint16_t cases(struct counts *k, const struct term *t) {
  if (t->is_bool || !t->args) return 1;
  if (k->cases[t->id]) return k->cases[t->id];
  uint64_t n = t->op == TERM_ITE ? 0 : 1;
  for (unsigned i = t->op == TERM_ITE; i < t->args; i++)
    n = t->op == TERM_ITE ? n + cases(k, t->arg[i]) : n * cases(k, t->arg[i]);
  return k->cases[t->id] = capped(n);
}

// Boolean leaves, choices and definedness that it asks for.
static uint32_t truths(const struct term *t, uint8_t *seen) {
  if (seen[t->id]) return 0;
  seen[t->id] = 1;
  if (!t->args) return t->is_bool && t->op != TERM_CONST;
  uint32_t n = 0;
  for (unsigned i = 0; i < t->args; i++) n += truths(t->arg[i], seen);
  return n;
}

static void count_edge(struct states *s, struct counts *k, uint32_t edge) {
  const struct efsm_edge *e = &s->efsm->edges.data[edge];
  struct states_edge *out = &s->edge[edge];
  uint8_t *seen = mem_zalloc(terms_count(s->efsm->relation->terms), sizeof *seen);
  out->guard_cases = polyhedra(k, e->guard, true);
  out->guard_truths = truths(e->guard, seen);
  out->write_cases = 1;
  for (size_t i = 0; i < e->writes.count; i++) {
    uint32_t n = cases(k, e->writes.data[i].value);
    if (n > out->write_cases) out->write_cases = n;
  }
  mem_free(seen);
}

void states_sizes_init(struct states *s) {
  size_t n = terms_count(s->efsm->relation->terms) + 1;
  struct counts k;
  k.holds = mem_zalloc(3 * n, sizeof *k.holds);
  k.fails = k.holds + n;
  k.cases = k.fails + n;
  for (uint32_t i = 0; i < s->efsm->edges.count; i++) count_edge(s, &k, i);
  mem_free(k.holds);
}

uint64_t states_edge_size(const struct states *s, uint32_t edge, uint64_t set, uint64_t nodes) {
  const struct states_edge *e = &s->edge[edge];
  return set * e->write_cases * e->guard_cases + nodes * e->guard_truths;
}
