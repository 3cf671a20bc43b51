// SPDX-License-Identifier: Apache-2.0
// A machine without a model, for tests of proofs: random gates over some bits and inputs, behind
// the functions of bmc/machine.h that proofs use. What it can reach is found by trying everything.
#pragma once

#include "bmc/machine.h"

#include <string.h>

#define TOY_GATES 48

// Signals 1.. are the bits, then the inputs, then the gates; negative: inverted.
struct toy {
  unsigned bits, inputs, own; // own: inputs for the start, and as many for what is bad
  struct toy_gate {
    int a, b;
    bool is_xor; // else and
  } gates[TOY_GATES];
  int next[16], valid, start, bad;
};

static inline unsigned toy_first_gate(const struct toy *c) {
  return c->bits + c->inputs + 2 * c->own + 1;
}

static inline int toy_pick(struct rng *g, unsigned below) {
  int signal = 1 + (int)rng_below(g, below - 1);
  return rng_below(g, 2) ? signal : -signal;
}

// Of the bits and one signal more, each with a chance of three quarters: few states.
static inline int toy_conjunction(struct toy *c, struct rng *g, unsigned *gate, int more) {
  int all = more;
  for (unsigned i = 1; i <= c->bits; i++) {
    if (rng_below(g, 4) == 0) continue;
    c->gates[*gate].a = all;
    c->gates[*gate].b = rng_below(g, 2) ? (int)i : -(int)i;
    all = (int)(toy_first_gate(c) + (*gate)++);
  }
  return all;
}

static inline void toy_init(struct toy *c, struct rng *g) {
  memset(c, 0, sizeof *c);
  c->bits = 2 + (unsigned)rng_below(g, 6);
  c->inputs = (unsigned)rng_below(g, 3);
  c->own = (unsigned)rng_below(g, 2);
  unsigned first = toy_first_gate(c), gate = TOY_GATES - 3 * 8, below = first + gate;
  for (unsigned i = gate; i < TOY_GATES; i++) c->gates[i].a = c->gates[i].b = 1;
  for (unsigned i = 0; i < gate; i++) {
    c->gates[i].a = toy_pick(g, first + i);
    c->gates[i].b = toy_pick(g, first + i);
    c->gates[i].is_xor = rng_below(g, 2);
  }
  for (unsigned i = 0; i < c->bits; i++) { // much like counters: long ways
    c->gates[gate] = (struct toy_gate){(int)i + 1, toy_pick(g, below), true};
    c->next[i] = (int)(first + gate++);
  }
  c->valid = toy_pick(g, below);
  c->start = toy_conjunction(c, g, &gate, toy_pick(g, first));
  c->bad = toy_conjunction(c, g, &gate, toy_pick(g, first));
}

// --- what it means ---

enum toy_use { TOY_STEP, TOY_START, TOY_BAD };

static inline bool toy_is(const bool *value, int signal) {
  return signal < 0 ? !value[-signal] : value[signal];
}

// Inputs are shared out: those of steps first, then those of starts, then of what is bad. A circuit
// of one use must not see the inputs of another: they are 0 there.
static inline void toy_values(const struct toy *c, unsigned state, unsigned inputs,
                              enum toy_use use, bool *value) {
  unsigned from = c->bits + 1;
  unsigned lo = use == TOY_STEP ? 0 : use == TOY_START ? c->inputs : c->inputs + c->own;
  unsigned hi = use == TOY_STEP ? c->inputs : lo + c->own;
  for (unsigned i = 0; i < c->bits; i++) value[i + 1] = state >> i & 1;
  for (unsigned i = 0; i < c->inputs + 2 * c->own; i++)
    value[from + i] = i >= lo && i < hi && (inputs >> (i - lo) & 1);
  for (unsigned i = 0; i < TOY_GATES; i++) {
    int a = c->gates[i].a, b = c->gates[i].b;
    bool x = toy_is(value, a), y = toy_is(value, b);
    value[toy_first_gate(c) + i] = c->gates[i].is_xor ? x != y : x && y;
  }
}

static inline unsigned toy_after(const struct toy *c, const bool *value) {
  unsigned out = 0;
  for (unsigned i = 0; i < c->bits; i++) out |= (unsigned)toy_is(value, c->next[i]) << i;
  return out;
}

static inline bool toy_some(const struct toy *c, unsigned state, enum toy_use use) {
  bool value[128];
  for (unsigned i = 0; i < 1u << c->own; i++) {
    toy_values(c, state, i, use, value);
    if (toy_is(value, use == TOY_START ? c->start : c->bad)) return true;
  }
  return false;
}

// Steps from a start to the nearest bad state; -1: none can be reached. Layer by layer.
static inline int toy_distance(const struct toy *c) {
  unsigned states = 1u << c->bits;
  int depth[256];
  bool value[128];
  for (unsigned s = 0; s < states; s++) depth[s] = toy_some(c, s, TOY_START) ? 0 : -1;
  for (int d = 0; d <= (int)states; d++)
    for (unsigned s = 0; s < states; s++) {
      if (depth[s] != d) continue;
      if (toy_some(c, s, TOY_BAD)) return d;
      for (unsigned i = 0; i < 1u << c->inputs; i++) {
        toy_values(c, s, i, TOY_STEP, value);
        unsigned to = toy_after(c, value);
        if (toy_is(value, c->valid) && depth[to] < 0) depth[to] = d + 1;
      }
    }
  return -1;
}

// --- as a machine ---

#define TOY_TIMES 200

struct own {
  const struct toy *toy;
  lit bits[TOY_TIMES][16], valid[TOY_TIMES];
  VEC(lit) inputs[TOY_TIMES];
};

struct machine *machine_new(struct relation *r, struct sat *s, struct text *why) {
  (void)why;
  struct machine *m = mem_zalloc(1, sizeof *m);
  m->relation = r;
  m->sat = s;
  m->own = mem_zalloc(1, sizeof *m->own);
  m->own->toy = (const struct toy *)r;
  m->bits = m->own->toy->bits;
  m->times = 1;
  for (size_t i = 0; i < m->bits; i++) m->own->bits[0][i] = sat_var(s);
  return m;
}

void machine_free(struct machine *m) {
  for (size_t i = 0; i < TOY_TIMES; i++) VEC_CLEAR(&m->own->inputs[i]);
  mem_free(m->own);
  mem_free(m);
}

lit machine_and(struct machine *m, lit a, lit b) {
  lit c = sat_var(m->sat);
  sat_clause2(m->sat, -c, a);
  sat_clause2(m->sat, -c, b);
  sat_clause3(m->sat, c, -a, -b);
  return c;
}

static inline lit toy_literal(const lit *of, int signal) {
  return signal < 0 ? -of[-signal] : of[signal];
}

// All gates of this time for one use, which has inputs of its own.
static inline void toy_gates(struct machine *m, size_t time, enum toy_use use, lit *of) {
  const struct toy *c = m->own->toy;
  unsigned from = c->bits + 1, first = toy_first_gate(c);
  unsigned lo = use == TOY_STEP ? 0 : use == TOY_START ? c->inputs : c->inputs + c->own;
  unsigned hi = use == TOY_STEP ? c->inputs : lo + c->own;
  for (unsigned i = 0; i < c->bits; i++) of[i + 1] = m->own->bits[time][i];
  for (unsigned i = 0; i < c->inputs + 2 * c->own; i++) {
    of[from + i] = -sat_true(m->sat);
    if (i < lo || i >= hi) continue;
    of[from + i] = sat_var(m->sat);
    VEC_PUSH(&m->own->inputs[time], of[from + i]);
  }
  for (unsigned i = 0; i < TOY_GATES; i++) {
    int a = c->gates[i].a, b = c->gates[i].b;
    lit x = toy_literal(of, a), y = toy_literal(of, b);
    of[first + i] = c->gates[i].is_xor
                        ? -machine_and(m, -machine_and(m, x, -y), -machine_and(m, -x, y))
                        : machine_and(m, x, y);
  }
}

void machine_extend(struct machine *m) {
  lit of[128];
  size_t time = m->times - 1;
  assert(m->times < TOY_TIMES);
  toy_gates(m, time, TOY_STEP, of);
  for (size_t i = 0; i < m->bits; i++)
    m->own->bits[time + 1][i] = toy_literal(of, m->own->toy->next[i]);
  m->own->valid[time] = toy_literal(of, m->own->toy->valid);
  if (!m->loose) sat_clause1(m->sat, m->own->valid[time]);
  m->times++;
}

lit machine_valid(const struct machine *m, size_t time) { return m->own->valid[time]; }

size_t machine_inputs(const struct machine *m, size_t time, const lit **inputs) {
  *inputs = m->own->inputs[time].data;
  return m->own->inputs[time].count;
}

lit machine_bit(const struct machine *m, size_t time, size_t bit) {
  return m->own->bits[time][bit];
}

lit machine_start(struct machine *m, size_t time) {
  lit of[128];
  toy_gates(m, time, TOY_START, of);
  return toy_literal(of, m->own->toy->start);
}

static inline lit toy_bad(struct machine *m, size_t time, void *unused) {
  (void)unused;
  lit of[128];
  toy_gates(m, time, TOY_BAD, of);
  return toy_literal(of, m->own->toy->bad);
}

lit machine_same(struct machine *m, size_t a, size_t b) {
  lit same = sat_true(m->sat);
  for (size_t i = 0; i < m->bits; i++) {
    lit x = machine_bit(m, a, i), y = machine_bit(m, b, i);
    same = machine_and(m, same, -machine_and(m, x, -y));
    same = machine_and(m, same, -machine_and(m, -x, y));
  }
  return same;
}
