// SPDX-License-Identifier: Apache-2.0
// Terms over a set of states: numbers as affine functions of the set's coordinates, conditions as
// diagrams. A term is rarely affine on all of a set, so the set is taken apart into cases, as far
// as the terms at hand need it: where an `ite` goes one way, where nothing wraps round, where a
// dividend is not negative. Everything is exact; what cannot be made exact ends as "nonlinear".
#pragma once

#include "hybrid/presburger.h"
#include "relation/relation.h"
#include "symbolic/dd.h"

// Where a leaf, a leaf's being defined, or a choice is found.
struct linear_place {
  enum {
    LINEAR_FIXED, // it has this value
    LINEAR_DIM,   // it is this coordinate of the set
    LINEAR_VAR,   // it is this variable of diagrams
  } kind;
  int64_t value;
  unsigned at;
};
struct linear_frame {
  unsigned dims;
  struct linear_place (*leaf)(void *context, const struct term *t);
  struct linear_place (*defined)(void *context, const struct term *t);
  struct linear_place (*choice)(void *context, const struct term *t);
  void *context;
};

struct linear; // what cases share
struct linear *linear_new(struct presburger *p, const struct terms *terms);
void linear_free(struct linear *l);
const char *linear_why(const struct linear *l); // after a failure: "nonlinear", "operations", ...

enum linear_outcome {
  LINEAR_DONE,
  LINEAR_SPLIT,  // the case has to be taken apart first: return this as it is, and be called again
  LINEAR_FAILED, // see linear_why
};

struct linear_case {
  dd truth;  // the Boolean part
  zset *set; // the other, with frame->dims coordinates
  // private
  struct linear *linear;
  const struct linear_frame *frame;
  const struct linear_case *outer; // what is known there is known here
  zint *lo, *hi;                   // bounds of coordinates
  struct linear_known *known;      // a table by term
  size_t known_count, known_capacity;
  struct linear_split {
    bool is_truth;
    dd truth;       // split by this
    zset *yes, *no; // or into these, both of them not empty
    const struct term *term;
    int slot; // which number of the term is at most `bound` in `yes`; -1: the term's truth
    zint bound;
  } split;
};

// Calls work for cases that together are all of (truth, set), and have nothing in common.
typedef enum linear_outcome linear_work(void *context, struct linear_case *c);
bool linear_cases(struct linear *l, const struct linear_frame *f, dd truth, const zset *set,
                  linear_work *work, void *context);

// Inside of work. The case is narrowed to where t holds; linear_dead: nowhere.
enum linear_outcome linear_assume(struct linear_case *c, const struct term *t);
bool linear_dead(const struct linear_case *c);
// In this case t is this, which stays the case's.
struct linear_number {
  const zaff *aff;
  zint lo, hi; // it lies between
};
enum linear_outcome linear_number(struct linear_case *c, const struct term *t,
                                  struct linear_number *out);
enum linear_outcome linear_truth(struct linear_case *c, const struct term *t, dd *out);
// What it lies between at any rate, as far as bounds of coordinates tell; costs little.
struct linear_range {
  uint64_t time;
  int64_t lo, hi;
};
struct linear_range linear_range(struct linear_case *c, const struct term *t);

// --- inside of linear*.c ---

#define LINEAR_TRY(what)                                                                           \
  do {                                                                                             \
    enum linear_outcome o_ = (what);                                                               \
    if (o_ != LINEAR_DONE) return o_;                                                              \
  } while (0)

// A term has two numbers: its value, and RAW one that may be another, equal modulo 2^64.
enum { LINEAR_EXACT, LINEAR_RAW };
struct linear_known {
  const struct term *term; // NULL: free
  struct linear_number number[2];
  bool has_truth;
  dd truth;
};

struct linear {
  struct presburger *presburger;
  const struct terms *terms;
  const char *why;
  uint64_t cases;
  // Of terms in the case at hand, by id; those of another time are old.
  struct linear_range *range;
  size_t range_capacity;
  uint64_t time;
};

enum linear_outcome linear_fail(struct linear_case *c, const char *why); // NULL: isl's reason
// What is known of a term in this case or around it; NULL.
const struct linear_known *linear_find_number(const struct linear_case *c, const struct term *t,
                                              int slot);
const struct linear_known *linear_find_truth(const struct linear_case *c, const struct term *t);
void linear_keep_number(struct linear_case *c, const struct term *t, int slot, zaff *aff, zint lo,
                        zint hi);                                              // takes aff
void linear_keep_truth(struct linear_case *c, const struct term *t, dd truth); // takes it
void linear_clear_known(struct linear_case *c);

// *out is good until something is kept for t.
enum linear_outcome linear_raw(struct linear_case *c, const struct term *t,
                               struct linear_number *out);
// One of the term's numbers is at most bound, or it is not: DONE once that is known.
enum linear_outcome linear_split_at(struct linear_case *c, const struct term *t, int slot,
                                    zint bound);
enum linear_outcome linear_split_truth(struct linear_case *c, dd truth, bool *out);
// t is true in the one, false in the other; takes both.
enum linear_outcome linear_split_sets(struct linear_case *c, const struct term *t, zset *yes,
                                      zset *no);
// The number lies between these, as isl finds: its bounds are narrowed to them, or left.
enum linear_outcome linear_narrow(struct linear_case *c, const struct term *t, int slot, zint lo,
                                  zint hi);
// What is made of a term, with its bounds.
struct linear_made {
  zaff *aff;
  zint lo, hi;
};
// MUL to SHR.
enum linear_outcome linear_operation(struct linear_case *c, const struct term *t,
                                     struct linear_made *out);
