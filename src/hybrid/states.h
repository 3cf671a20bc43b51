// SPDX-License-Identifier: Apache-2.0
// State-disjuncts (paper 003, III.B): sets of states of the machine, for each of some control
// states a disjunction of pairs: a diagram over Boolean leaves, and a Presburger set over the
// others. Their images and pre-images, and their sizes.
#pragma once

#include "hybrid/efsm.h"

struct states; // what all sets share: diagrams, isl, where leaves are; one thread's

struct disjunct {
  uint32_t refs;
  uint64_t depth;            // k: steps from a start
  uint64_t size;             // (16)
  struct disjunct **parents; // it is part of the image of their union
  uint32_t parent_count;
  uint64_t *control;    // rho: a bit set of control states (csr_has)
  struct piece *pieces; // by control state; private to states*.c
  size_t piece_count;
};

// states_new opens diagrams (symbolic/dd.h), which are one process's, and states_free closes them.
// Past mem_bytes, or where goes_on says no, an operation on diagrams unwinds to the caller's
// boundary (mem_exhausted): states_stop then, so that disjuncts can be dropped, and states_free.
struct states_config {
  const struct efsm *efsm;
  uint64_t operations; // of isl, for each polyhedron of an image, or one question; 0: no limit
  bool (*goes_on)(void *context); // asked now and then; NULL: always
  void *context;
  size_t mem_bytes; // of the whole process; 0: no limit
};
// Never NULL: what is not linear is found out by images, as it may be linear where they come to.
struct states *states_new(const struct states_config *c, struct text *why);
void states_stop(struct states *s);
void states_free(struct states *s); // no disjunct is left then

// I: Img of ENTRY, errors of starts included; depth 0, no parents. NULL as states_image.
struct disjunct *states_start(struct states *s);
// Every state in these control states (a bit set; errors, too): BR_0 of lighthouses.
struct disjunct *states_whole(struct states *s, const uint64_t *control);
struct disjunct *disjunct_keep(struct disjunct *d);
void disjunct_drop(struct states *s, struct disjunct *d);
bool disjunct_empty(const struct disjunct *d);
void disjunct_orphan(struct states *s, struct disjunct *d); // its parents are forgotten

// Img(D), (8): by T restricted to CSR(rho), made on the fly, leaves that don't matter projected
// out. NULL: it takes more than is allowed (states_why).
struct disjunct *states_image(struct states *s, struct disjunct *d);
const char *states_why(const struct states *s); // "operations", "memory", "nonlinear", "stopped"
uint64_t states_image_size(struct states *s, const struct disjunct *d); // (17), an estimate
// (Pre(D))+ with at most so many polyhedra for each control state.
struct disjunct *states_before(struct states *s, struct disjunct *d, uint64_t polyhedra);
bool states_meet(struct states *s, const struct disjunct *a, const struct disjunct *b);

// The part in one control state; the two halves of one in one control state, by its pairs or, if
// there is only one, by halving what a leaf can be. False: it cannot be halved.
struct disjunct *states_part(struct states *s, struct disjunct *d, uint32_t control);
bool states_halve(struct states *s, struct disjunct *d, struct disjunct *half[2]);
struct disjunct *states_union(struct states *s, struct disjunct *a, struct disjunct *b);
// What of a is not in b; NULL as states_image.
struct disjunct *states_minus(struct states *s, struct disjunct *a, const struct disjunct *b);

// It as a formula, without isl: for each control state pairs of a formula over Booleans and a
// disjunction of conjunctions of linear constraints with integer unknowns of their own. Made for
// solvers, which may be in other threads.
struct plain_constraint { // sum of factor * variable + constant, = 0 or >= 0
  int64_t constant;
  bool equal;
  uint32_t count;
  const int64_t *factors;
  const uint64_t *variables; // a leaf, or PLAIN_UNKNOWN + number
};
#define PLAIN_UNKNOWN (UINT64_C(1) << 63)
// In cubes, added to a leaf that may be undefined: whether it is defined.
#define PLAIN_DEFINED (UINT64_C(1) << 62)
struct plain_set { // a conjunction
  uint32_t control;
  uint32_t constraint_count;
  const struct plain_constraint *constraints;
  // Over Booleans: a disjunction of cubes, each a list of leaves that are true or false.
  uint32_t cube_count;
  const struct plain_cube {
    uint32_t count;
    const uint64_t *leaves;
    const bool *values;
  } * cubes;
};
struct plain {
  struct arena *arena;
  VEC(struct plain_set) sets; // any of them
};
bool states_plain(struct states *s, const struct disjunct *d,
                  struct plain *out); // false: too large
void plain_clear(struct plain *p);

// A state in it: its control state, values of all leaves that matter there (of others any; IR_UNDEF
// of those that are undefined). False: it is empty.
bool states_sample(struct states *s, const struct disjunct *d, uint32_t *control, int64_t *leaves);
