// SPDX-License-Identifier: Apache-2.0
// Computation tree logic by its definition. Fair runs by components: one is good if it has an edge,
// meets every justice, and for every compassion has what is asked for or nothing that asks; of one
// that has only the latter those states are taken out, and what is left is looked at again.
#include "random/symbolic/ctl.h"

#include <string.h>

#define NOWHERE ((struct span){0})

// --- fair runs ---

// From a to b by one step or more, inside the set.
static void closure(const struct states *s, const states_set in, bool way[][STATES_MAX]) {
  for (uint32_t a = 0; a < s->count; a++)
    for (uint32_t b = 0; b < s->count; b++) way[a][b] = in[a] && in[b] && s->edge[a][b];
  for (uint32_t k = 0; k < s->count; k++)
    for (uint32_t a = 0; a < s->count; a++)
      for (uint32_t b = 0; way[a][k] && b < s->count; b++) way[a][b] |= way[k][b];
}

static bool met(const struct ctl_reference *r, const struct ir_fairness *f, const states_set in) {
  const struct states *s = r->states;
  states_set where;
  uint64_t bit = 0;
  for (uint32_t i = 0; i < s->count; i++) where[i] = true;
  if (f->expr) states_of(s, r->model, f->expr, where);
  for (size_t i = 0; i < s->agent.count; i++)
    if (s->agent.data[i] == f->agent) bit = UINT64_C(1) << i;
  for (uint32_t a = 0; a < s->count; a++) {
    if (!in[a] || !where[a]) continue;
    if (f->agent < 0) return true;
    for (uint32_t b = 0; b < s->count; b++)
      if (in[b] && s->agents[a][b] & bit) return true;
  }
  return false;
}

// Marks the states of fair components inside the set.
static void fair_components(const struct ctl_reference *r, const states_set in, states_set good);

// A component; true: it is fair. Otherwise a part of it may be.
static bool judge(const struct ctl_reference *r, const states_set in, states_set good) {
  const struct ir_model *m = r->model;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const struct ir_fairness *f = m->fairness.data[i];
    if (met(r, f, in)) continue;
    if (!f->compassion) return false;
    states_set given, rest;
    bool asks = false;
    states_of(r->states, m, f->given, given);
    for (uint32_t k = 0; k < r->states->count; k++) {
      asks |= in[k] && given[k];
      rest[k] = in[k] && !given[k];
    }
    if (!asks) continue;
    fair_components(r, rest, good);
    return false;
  }
  return true;
}

static void fair_components(const struct ctl_reference *r, const states_set in, states_set good) {
  const struct states *s = r->states;
  bool(*way)[STATES_MAX] = mem_zalloc(STATES_MAX, sizeof *way);
  states_set done = {0};
  closure(s, in, way);
  for (uint32_t a = 0; a < s->count; a++) {
    states_set component;
    if (done[a] || !way[a][a]) continue;
    for (uint32_t b = 0; b < s->count; b++) {
      component[b] = way[a][b] && way[b][a];
      done[b] |= component[b];
    }
    bool fair = judge(r, component, good);
    for (uint32_t b = 0; fair && b < s->count; b++) good[b] |= component[b];
  }
  mem_free(way);
}

// Where a path inside `in` leads to the goal.
static void until(const struct states *s, const states_set in, const states_set goal,
                  states_set out) {
  states_set y;
  memcpy(y, goal, sizeof y);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t a = 0; a < s->count; a++)
      for (uint32_t b = 0; !y[a] && in[a] && b < s->count; b++)
        if (s->edge[a][b] && y[b]) more = y[a] = true;
  }
  memcpy(out, y, sizeof y);
}

static void globally(const struct ctl_reference *r, const states_set in, states_set out) {
  states_set good = {0};
  fair_components(r, in, good);
  until(r->states, in, good, out);
}

void ctl_reference_init(struct ctl_reference *r, const struct states *s, const struct ir_model *m) {
  states_set all;
  for (uint32_t i = 0; i < STATES_MAX; i++) all[i] = i < s->count;
  *r = (struct ctl_reference){.states = s, .model = m};
  globally(r, all, r->fair);
}

// --- formulas ---

// Is there a path from here, fair, on which f holds until g does in a step between lo and hi?
// And: on which f holds in all these steps (`always`)?
static bool exists(const struct ctl_reference *r, uint32_t at, const states_set f,
                   const states_set g, uint32_t lo, uint32_t hi, bool always) {
  const struct states *s = r->states;
  if (!r->fair[at]) return false;
  if (!always && lo == 0 && g[at]) return true;
  if (always && lo == 0 && !f[at]) return false;
  if (!always && !f[at]) return false;
  if (hi == 0) return always;
  for (uint32_t b = 0; b < s->count; b++)
    if (s->edge[at][b] && exists(r, b, f, g, lo ? lo - 1 : 0, hi - 1, always)) return true;
  return false;
}

// Is there a path, fair, on which it is not so that f holds until g does between lo and hi?
static bool denied(const struct ctl_reference *r, uint32_t at, const states_set f,
                   const states_set g, uint32_t lo, uint32_t hi) {
  const struct states *s = r->states;
  if (!r->fair[at]) return false;
  if (lo == 0 && g[at]) return false;
  if (!f[at] || hi == 0) return true;
  for (uint32_t b = 0; b < s->count; b++)
    if (s->edge[at][b] && denied(r, b, f, g, lo ? lo - 1 : 0, hi - 1)) return true;
  return false;
}

static void invert(states_set a) {
  for (uint32_t i = 0; i < STATES_MAX; i++) a[i] = !a[i];
}

static void meet(const states_set a, states_set b) {
  for (uint32_t i = 0; i < STATES_MAX; i++) b[i] = a[i] && b[i];
}

static void next(const struct ctl_reference *r, const states_set f, states_set out) {
  const struct states *s = r->states;
  states_set to;
  memcpy(to, f, sizeof to);
  meet(r->fair, to);
  memset(out, 0, sizeof(states_set));
  for (uint32_t a = 0; a < s->count; a++)
    for (uint32_t b = 0; b < s->count; b++) out[a] |= s->edge[a][b] && to[b];
}

static void bounded(const struct ctl_reference *r, const struct ir_ctl *c, const states_set f,
                    const states_set g, states_set out) {
  states_set all;
  for (uint32_t i = 0; i < STATES_MAX; i++) all[i] = true;
  for (uint32_t i = 0; i < r->states->count; i++) switch (c->op) {
    case IR_CTL_EBF: out[i] = exists(r, i, all, f, c->lo, c->hi, false); break;
    case IR_CTL_EBG: out[i] = exists(r, i, f, f, c->lo, c->hi, true); break;
    case IR_CTL_EBU: out[i] = exists(r, i, f, g, c->lo, c->hi, false); break;
    default: out[i] = !denied(r, i, f, g, c->lo, c->hi); break;
    }
}

static void temporal(const struct ctl_reference *r, const struct ir_ctl *c, states_set f,
                     states_set g, states_set out) {
  const struct states *s = r->states;
  struct ir_ctl dual = *c;
  states_set all, bad;
  for (uint32_t i = 0; i < STATES_MAX; i++) all[i] = true;
  switch (c->op) {
  case IR_CTL_EX: next(r, f, out); return;
  case IR_CTL_EF:
    meet(r->fair, f);
    until(s, all, f, out);
    return;
  case IR_CTL_EG: globally(r, f, out); return;
  case IR_CTL_EU:
    meet(r->fair, g);
    until(s, f, g, out);
    return;
  case IR_CTL_AX:
    invert(f);
    next(r, f, out);
    invert(out);
    return;
  case IR_CTL_AG:
    invert(f);
    meet(r->fair, f);
    until(s, all, f, out);
    invert(out);
    return;
  case IR_CTL_AF:
    invert(f);
    globally(r, f, out);
    invert(out);
    return;
  case IR_CTL_AU:
    invert(f);
    invert(g);
    globally(r, g, bad);
    meet(g, f);
    meet(r->fair, f);
    until(s, g, f, out);
    for (uint32_t i = 0; i < STATES_MAX; i++) out[i] = !(out[i] || bad[i]);
    return;
  case IR_CTL_ABF:
  case IR_CTL_ABG:
    dual.op = c->op == IR_CTL_ABF ? IR_CTL_EBG : IR_CTL_EBF;
    invert(f);
    bounded(r, &dual, f, g, out);
    invert(out);
    return;
  default: bounded(r, c, f, g, out); return;
  }
}

void ctl_reference_of(const struct ctl_reference *r, const struct ir_ctl *c, states_set out) {
  states_set f = {0}, g = {0};
  memset(out, 0, sizeof(states_set));
  if (c->left) ctl_reference_of(r, c->left, f);
  if (c->right) ctl_reference_of(r, c->right, g);
  if (c->op == IR_CTL_ATOM) states_of(r->states, r->model, c->expr, out);
  if (c->op > IR_CTL_IFF) temporal(r, c, f, g, out);
  for (uint32_t i = 0; i < r->states->count; i++) switch (c->op) {
    case IR_CTL_NOT: out[i] = !f[i]; break;
    case IR_CTL_AND: out[i] = f[i] && g[i]; break;
    case IR_CTL_OR: out[i] = f[i] || g[i]; break;
    case IR_CTL_IMPLIES: out[i] = !f[i] || g[i]; break;
    case IR_CTL_IFF: out[i] = f[i] == g[i]; break;
    default: break;
    }
}

// --- random ones ---

static struct ir_expr *some_atom(struct ir_model *m, struct rng *r) {
  return m->atoms.data[rng_below(r, m->atoms.count)]->expr;
}

static const struct ir_ctl *ctl_any(struct ir_model *m, struct rng *r, unsigned depth) {
  enum ir_ctl_op op = depth ? (enum ir_ctl_op)rng_below(r, IR_CTL_ABU + 1) : IR_CTL_ATOM;
  if (op == IR_CTL_ATOM) {
    struct ir_ctl *f = ir_ctl_new(m, op, NULL, NULL, NOWHERE);
    f->expr = some_atom(m, r);
    return f;
  }
  bool two = (op >= IR_CTL_AND && op <= IR_CTL_IFF) || op == IR_CTL_EU || op == IR_CTL_AU ||
             op == IR_CTL_EBU || op == IR_CTL_ABU;
  const struct ir_ctl *left = ctl_any(m, r, depth - 1);
  const struct ir_ctl *right = two ? ctl_any(m, r, depth - 1) : NULL;
  struct ir_ctl *f = ir_ctl_new(m, op, left, right, NOWHERE);
  f->lo = (uint32_t)rng_below(r, 2);
  f->hi = f->lo + (uint32_t)rng_below(r, 3);
  return f;
}

// Half of them have the shapes that people write, on top.
const struct ir_ctl *ctl_random(struct ir_model *m, struct rng *r) {
  const struct ir_ctl *f = ctl_any(m, r, 2);
  switch (rng_below(r, 6)) {
  case 0: return ir_ctl_new(m, IR_CTL_AF, f, NULL, NOWHERE);
  case 1: f = ir_ctl_new(m, IR_CTL_IMPLIES, ctl_any(m, r, 0), f, NOWHERE); break;
  case 2: f = ir_ctl_new(m, IR_CTL_AF, f, NULL, NOWHERE); break;
  default: return ctl_any(m, r, 3);
  }
  return ir_ctl_new(m, IR_CTL_AG, f, NULL, NOWHERE);
}

void ctl_random_fairness(struct ir_model *m, const struct states *s, struct rng *r) {
  for (uint64_t n = rng_below(r, 4); n-- > 0;) {
    struct ir_fairness *f = ir_fairness_new(m, NOWHERE);
    bool by_agent = s->agent.count > 0 && rng_below(r, 3) == 0;
    if (by_agent) f->agent = s->agent.data[rng_below(r, s->agent.count)];
    if (!by_agent || rng_below(r, 2)) f->expr = some_atom(m, r);
    f->compassion = rng_below(r, 3) == 0;
    if (f->compassion) f->given = some_atom(m, r);
  }
}
