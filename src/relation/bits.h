// SPDX-License-Identifier: Apache-2.0
// An algebra of bits: what engines make truths of, decision diagrams or literals. Words and terms
// are written over it (word.h, encode.h), so that there is one way from numbers to bits. A bit is a
// handle that its holder owns: what a function returns is the caller's, to be given back by
// bits_drop; arguments stay the caller's.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef int32_t bit;

struct bits {
  bit yes, no; // equal to no other handle; they need not be dropped
  bit (*copy)(void *context, bit a);
  void (*drop)(void *context, bit a);
  bit (*var)(void *context, unsigned var, bool positive); // of codes (encode.h)
  bit (*not )(void *context, bit a);
  bit (*and)(void *context, bit a, bit b);
  bit (* or)(void *context, bit a, bit b);
  bit (*xor)(void *context, bit a, bit b);
  bit (*equal)(void *context, bit a, bit b);
  bit (*ite)(void *context, bit c, bit a, bit b);
  void *context;
};

static inline bit bits_of(const struct bits *o, bool value) { return value ? o->yes : o->no; }
static inline bit bits_copy(const struct bits *o, bit a) { return o->copy(o->context, a); }
static inline void bits_drop(const struct bits *o, bit a) { o->drop(o->context, a); }
static inline bit bits_var(const struct bits *o, unsigned var, bool positive) {
  return o->var(o->context, var, positive);
}
static inline bit bits_not(const struct bits *o, bit a) { return o->not(o->context, a); }
static inline bit bits_and(const struct bits *o, bit a, bit b) { return o->and (o->context, a, b); }
static inline bit bits_or(const struct bits *o, bit a, bit b) { return o->or (o->context, a, b); }
static inline bit bits_xor(const struct bits *o, bit a, bit b) { return o->xor (o->context, a, b); }
static inline bit bits_equal(const struct bits *o, bit a, bit b) {
  return o->equal(o->context, a, b);
}
static inline bit bits_ite(const struct bits *o, bit c, bit a, bit b) {
  return o->ite(o->context, c, a, b);
}

// What was there is dropped, a taken over.
static inline void bits_set(const struct bits *o, bit *to, bit a) {
  bits_drop(o, *to);
  *to = a;
}
// Take over both arguments: sums are built so.
static inline void bits_and_to(const struct bits *o, bit *a, bit b) {
  bits_set(o, a, bits_and(o, *a, b));
  bits_drop(o, b);
}
static inline void bits_or_to(const struct bits *o, bit *a, bit b) {
  bits_set(o, a, bits_or(o, *a, b));
  bits_drop(o, b);
}
