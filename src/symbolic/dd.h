// SPDX-License-Identifier: Apache-2.0
// Binary decision diagrams: the one wrapper around BuDDy. A `dd` is a handle that its holder owns:
// what a function here returns is the caller's, to be given back by dd_drop; arguments stay the
// caller's. BuDDy has one set of nodes per process: one dd_open at a time, one thread.
//
// A limit on memory, the time budget or an interrupt ends what is under way by mem_exhausted (the
// caller's mem_boundary; dd_why tells); only dd_close may be called then. Whatever holds diagrams
// is freed after that as usual: to drop them then does nothing.
#pragma once

#include "base/base.h"

typedef int dd;

struct dd_config {
  size_t mem_bytes;               // for nodes and caches; 0: no limit
  bool (*goes_on)(void *context); // asked now and then, also inside of operations
  void *context;
  unsigned reorder_every; // tests: reorder after so many operations; 0: don't
  bool dynamic;           // sift when the nodes have doubled since last time
};
void dd_open(const struct dd_config *c);
void dd_close(void);
const char *dd_why(void); // "memory", or "stopped" (goes_on said no)
void dd_pause(void);      // asks goes_on: for long work between operations

// Variables are numbered from 0 as they are made; each begins at the lowest level, so that an order
// is chosen by making them in it. Those of a block (consecutive numbers) stay together, in their
// order, when variables are reordered; variables of no block stay where they are, below all blocks:
// blocks are made in ascending order, without gaps.
unsigned dd_vars(unsigned count); // the first one's number
void dd_expect(unsigned count);   // so many will be made; before the first diagram
void dd_block(unsigned first, unsigned count);
void dd_reorder(void); // sift now
unsigned dd_level(unsigned var);

dd dd_true(void);
dd dd_false(void);
dd dd_var(unsigned var, bool positive);
dd dd_copy(dd a);
void dd_drop(dd a);
void dd_set(dd *to, dd a); // drops what was there, takes a over

bool dd_is_true(dd a);
bool dd_is_false(dd a);
dd dd_not(dd a);
dd dd_and(dd a, dd b);
dd dd_or(dd a, dd b);
dd dd_xor(dd a, dd b);
dd dd_equal(dd a, dd b);
dd dd_minus(dd a, dd b); // a and not b
dd dd_ite(dd c, dd a, dd b);
bool dd_implies(dd a, dd b); // is a part of b?
bool dd_meets(dd a, dd b);   // have they something in common? Builds nothing large where they have.
// How many pairs of nodes meet when a and b is built, which has no more nodes than that, and those
// that are in one of them already; counted up to most + 1.
size_t dd_and_pairs(dd a, dd b, size_t most);
// Takes over both arguments: sums are built so. dd_and_to(&sum, piece).
void dd_and_to(dd *a, dd b);
void dd_or_to(dd *a, dd b);

// Is it a conjunction of variables and negated ones? Then the values that they have go into values,
// by number; the others are left as they are.
bool dd_literals(dd a, uint8_t *values);
#define DD_FREE 2 // for callers: no value
unsigned dd_var_count(void);

// The one assignment.
dd dd_point(const unsigned *vars, const uint8_t *values, size_t count);

// Sets of variables, as conjunctions.
dd dd_cube(const unsigned *vars, size_t count);
dd dd_exists(dd a, dd cube);
dd dd_forall(dd a, dd cube);
dd dd_and_exists(dd a, dd b, dd cube); // relational product
dd dd_restrict(dd a, dd care); // some function that equals a where care holds, perhaps smaller
dd dd_support(dd a);           // the variables it depends on, as a cube
void dd_support_into(dd a, uint64_t *set); // the same, bits added to a set of dd_var_count()
struct dd_renaming;
struct dd_renaming *dd_renaming_new(const unsigned *from, const unsigned *to, size_t count);
void dd_renaming_free(struct dd_renaming *r);
dd dd_rename(dd a, const struct dd_renaming *r); // `to` are not in its support, as a rule
// One assignment to `vars` that lies in a, which is not false: values[i] for vars[i], the first one
// by vars[0], then by vars[1], and so on, whatever the levels are.
void dd_pick(dd a, const unsigned *vars, size_t count, uint8_t *values);
// How many assignments to `vars` (all of its support) make it true: exactly, in decimal.
char *dd_count(dd a, const unsigned *vars, size_t count);
double dd_count_real(dd a, const unsigned *vars, size_t count);

// For walks over the nodes of a diagram, which is not constant: what comes back is not the
// caller's. Good as long as nothing is made.
unsigned dd_top(dd a); // its topmost variable
dd dd_low(dd a);
dd dd_high(dd a);

size_t dd_nodes(dd a);     // of one diagram
size_t dd_nodes_now(void); // in use
size_t dd_made(void);      // made so far by operations: what they cost
size_t dd_nodes_peak(void);
size_t dd_bytes(void);
