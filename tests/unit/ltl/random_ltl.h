// SPDX-License-Identifier: Apache-2.0
// Random formulas and random lassos for the tests of this room.
#pragma once

#include "ltl/ltl.h"

#include <stdlib.h>

enum { LASSO_MAX = 7 };

struct random_lasso {
  uint64_t states[LASSO_MAX];
  size_t count, loop;
};

static inline struct random_lasso random_lasso(struct rng *r, uint32_t atoms) {
  struct random_lasso l = {.count = 1 + rng_below(r, LASSO_MAX)};
  l.loop = rng_below(r, l.count);
  for (size_t i = 0; i < l.count; i++) l.states[i] = rng_below(r, UINT64_C(1) << atoms);
  return l;
}

enum { WITH_NEXT = 1, WITH_PAST = 2 };

static inline enum ltl_op random_unary(struct rng *r, unsigned with) {
  static const enum ltl_op unary[] = {LTL_NOT, LTL_EVENTUALLY, LTL_ALWAYS, LTL_NEXT};
  static const enum ltl_op past[] = {LTL_ONCE, LTL_HISTORICALLY, LTL_PREVIOUS, LTL_WEAK_PREVIOUS};
  bool back = with & WITH_PAST && rng_below(r, 2);
  return (back ? past : unary)[rng_below(r, with & WITH_NEXT ? 4 : back ? 2 : 3)];
}

static inline enum ltl_op random_binary(struct rng *r, unsigned with) {
  static const enum ltl_op binary[] = {LTL_AND,     LTL_OR,      LTL_UNTIL, LTL_WEAK,
                                       LTL_RELEASE, LTL_IMPLIES, LTL_EQUIV, LTL_AND};
  if (with & WITH_PAST && rng_below(r, 3) == 0) return rng_below(r, 2) ? LTL_SINCE : LTL_TRIGGERED;
  return binary[rng_below(r, 8)];
}

// A formula of so many operators and atoms, of all operators, but of NEXT, its like and those of
// the past only if wanted.
static inline const struct ltl *random_formula(struct ltl_factory *f, struct rng *r, int size,
                                               uint32_t atoms, unsigned with) {
  if (size <= 1) {
    uint64_t k = rng_below(r, 12);
    if (k < 1) return ltl_make(f, k ? LTL_TRUE : LTL_FALSE, NULL, NULL);
    return ltl_atom(f, (uint32_t)rng_below(r, atoms));
  }
  if (size == 2 || rng_below(r, 5) < 2)
    return ltl_make(f, random_unary(r, with), random_formula(f, r, size - 1, atoms, with), NULL);
  int left = 1 + (int)rng_below(r, (uint64_t)(size - 2));
  const struct ltl *a = random_formula(f, r, left, atoms, with);
  const struct ltl *b = random_formula(f, r, size - 1 - left, atoms, with);
  return ltl_make(f, random_binary(r, with), a, b);
}

// How much the tests do: FATHOM_TEST_EFFORT times as much as usual.
// With sanitizers a fifth.
static inline int effort(int usual) {
#ifdef FATHOM_SMALL
  usual = usual / 5 + 1;
#endif
  const char *text = getenv("FATHOM_TEST_EFFORT");
  int times = text ? atoi(text) : 1;
  return usual * (times > 0 ? times : 1);
}

static const char *const atom_names[] = {"p", "q", "r", "s", "t"};
