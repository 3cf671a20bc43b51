// SPDX-License-Identifier: Apache-2.0
// The grid's settings and cells: plan.c says which cells there are, grid.c runs them, judge.c says
// what must be the same in them (docs/testing.md).
#pragma once

#include "facts.h"
#include "pool.h"

#include <string.h>

#define AXIS_MAX 8

struct setting {
  pool_arguments words;
  size_t plain, reduced; // its reference cells, without and with symmetry
  bool symmetric;        // can symmetry be had, without a doubt?
};

enum use {
  REFERENCE, // one thread, exact, breadth-first
  DEFAULTS,  // no option of an axis given
  ORDINARY,
  DETERMINISTIC, // with --deterministic: the same result, word for word
  REDUCED,       // with --por on: the same answer, not more states
  CYCLES,        // with --search ndfs: what there is to say of infinite runs
  SYMBOLIC,      // with --engine bdd --cone off: the same answer, as many states
  REASONED,      // engines and searches that do not go through all states: the same answer
};

struct cell {
  enum use use;
  size_t setting;
  const char *store, *search, *threads, *symmetry;
  const char *increment, *bounding, *frontier; // of the bounded search
  const char *por;                             // or NULL
  const char *reorder;                         // SYMBOLIC: every so many operations, or NULL
  const char *const *words;                    // REASONED: what is asked for, up to NULL
  bool shortest;                               // REASONED: its traces are, each to what it shows
  size_t twin; // DETERMINISTIC: the cell whose result this one must repeat
  struct facts found;
};

struct axis {
  const char *values[AXIS_MAX];
  size_t count;
};

struct grid {
  char *fathom;
  struct axis stores, threads, searches;
  const char *symbolic;   // seconds for a cell of the engine bdd; NULL: there are none
  const char *reorder;    // another one that reorders after so many operations; NULL: none
  bool reasoned;          // all cells of engines that reason; else one of them in turn
  pool_arguments options; // of every run
  unsigned jobs, rounds;
  int64_t limit;
  VEC(struct setting) settings;
  VEC(struct cell) cells;
  size_t first; // of the cells that are running: those before are done
  size_t left_out, large, failures, asymmetric, lossy_misses;
  size_t reduced; // cells in which partial order reduction left something out
  size_t cycles;  // cells of searches for cycles
  size_t symbolic_cells,
      symbolic_left; // of engines that reason; of these what they cannot, or not in time
  size_t several;    // cells in which more than one thread took part
};

static inline bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static inline bool store_lossy(const char *store) {
  return is(store, "fingerprint") || is(store, "bitstate");
}

// Symmetry was asked for and cannot be had: the model has none, or a trace showed that it has none.
// Options of the setting that engines which reason do not know are refused, too.
static inline bool refuses(const struct cell *c, int status) {
  if (c->use == SYMBOLIC || c->use == REASONED) return status == 1;
  return c->use == REFERENCE && is(c->symmetry, "on") && (status == 1 || status == 2);
}

void __attribute__((format(printf, 3, 4)))
grid_complain(struct grid *g, const struct cell *c, const char *format, ...);

void plan_references(struct grid *g); // of all settings
void plan_cells(struct grid *g);      // all others
// A setting's references against each other; then all other cells against them.
void judge_setting(struct grid *g, struct setting *s);
void judge_cells(struct grid *g);
