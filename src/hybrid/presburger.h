// SPDX-License-Identifier: Apache-2.0
// Sets of integer points, and affine functions of them with integer division: the one wrapper
// around isl. What a function here returns is the caller's, to be given back by zset_drop and
// zaff_drop; arguments stay the caller's, except where `take` says that they do not. All of one
// `struct presburger` is one thread's.
//
// Work has a limit: past it an operation gives NULL, and so does whatever has a NULL among its
// arguments; tests give -1. presburger_why tells.
#pragma once

#include "base/base.h"
#include "hybrid/wide.h"

struct presburger;           // what all of them share
typedef struct isl_set zset; // of points with so many coordinates
typedef struct isl_aff zaff; // sum of factor * coordinate, and of floors of such sums
typedef wide zint;

struct presburger *presburger_new(void);
void presburger_free(struct presburger *p);
// From now on: what went wrong before is forgotten, and so many operations are allowed (0: any).
void presburger_begin(struct presburger *p, uint64_t operations);
bool presburger_failed(const struct presburger *p);     // since presburger_begin
const char *presburger_why(const struct presburger *p); // "operations", "memory"

// --- affine functions of points with so many coordinates ---
zaff *zaff_const(struct presburger *p, unsigned dims, zint value);
zaff *zaff_dim(struct presburger *p, unsigned dims, unsigned dim);
zaff *zaff_copy(const zaff *a);
void zaff_drop(zaff *a);
zaff *zaff_add(const zaff *a, const zaff *b);
zaff *zaff_sub(const zaff *a, const zaff *b);
zaff *zaff_scale(const zaff *a, zint factor);
zaff *zaff_shift(const zaff *a, zint by);
zaff *zaff_floor(const zaff *a, zint divisor); // floor(a / divisor), divisor > 0

// --- sets ---
zset *zset_all(struct presburger *p, unsigned dims);
zset *zset_none(struct presburger *p, unsigned dims);
zset *zset_point(struct presburger *p, unsigned dims, const zint *values);
zset *zset_copy(const zset *a);
void zset_drop(zset *a);
void zset_take(zset **to, zset *a); // drops what was there, takes a over
unsigned zset_dims(const zset *a);
zset *zset_at_least(const zaff *a, zint bound);                   // where a >= bound
zset *zset_at_most(const zaff *a, zint bound);                    // where a <= bound
zset *zset_is(const zaff *a, zint value);                         // where a = value
zset *zset_is_not(const zaff *a, zint value);                     // where a is something else
zset *zset_within(const zset *a, unsigned dim, zint lo, zint hi); // those with lo <= dim <= hi

zset *zset_meet(const zset *a, const zset *b);
zset *zset_join(const zset *a, const zset *b);
zset *zset_minus(const zset *a, const zset *b);
// The same, of fewer polyhedra if that is easily seen; work has no limit from then on.
zset *zset_simple(struct presburger *p, const zset *a);
int zset_empty(const zset *a);
int zset_part(const zset *a, const zset *b); // is a part of b?
int zset_same(const zset *a,
              const zset *b); // do they look alike? (0: they may be equal for all that)
int zset_meets(const zset *a, const zset *b);

zset *zset_extend(const zset *a, unsigned dims); // with so many more coordinates, behind, any value
zset *zset_project(const zset *a, unsigned first, unsigned count); // without those
// Where it is led to: coordinate i is to[i] of those of a, or keep[i] of them
// where that is NULL; these ascend.
zset *zset_image(const zset *a, const int *keep, zaff *const *to, unsigned count);
// What is led into a: coordinate i, one of so many, was to[i] of those before.
zset *zset_before(const zset *a, zaff *const *to, unsigned count, unsigned dims);

size_t zset_polyhedra(const zset *a);
zset *zset_some(const zset *a, size_t first, size_t count); // those of its polyhedra
void zset_split(const zset *a, zset **out);                 // each one by itself
// At most so many polyhedra, that together hold all of a: those with most in
// common are replaced by a convex hull of their constraints.
zset *zset_hull(const zset *a, size_t polyhedra);
// Bounds of each coordinate that can be read off the constraints; lo and hi are narrowed.
bool zset_bounds(const zset *a, zint *lo, zint *hi);
// The exact bounds of a function there; false: none, or it failed.
bool zset_range(const zset *a, const zaff *f, zint *lo, zint *hi);
bool zset_sample(const zset *a, int64_t *values); // false: empty, or it failed

// Its constraints, by polyhedron: sum of factors * (coordinates, then `unknowns` others) + constant
// = 0 or >= 0. Each unknown has bounds among them. False: a number does not fit, or it failed.
struct zrow {
  bool equal;
  int64_t constant;
  const int64_t *factors; // of all coordinates and unknowns
};
typedef bool zrow_visit(void *context, size_t polyhedron, unsigned unknowns,
                        const struct zrow *row);
bool zset_rows(const zset *a, zrow_visit *visit, void *context);
