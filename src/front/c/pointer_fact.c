// SPDX-License-Identifier: Apache-2.0
// Sets of facts about pointers, and the congruences in them.
#include "front/c/pointer.h"

#include <string.h>

static int64_t greatest_divisor(int64_t a, int64_t b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static struct c_fact normal(struct c_fact x) {
  if (x.modulus) x.rest = ((x.rest % x.modulus) + x.modulus) % x.modulus;
  return x;
}

static bool widen(struct c_fact *f, struct c_fact x) {
  struct c_fact n = *f;
  n.modulus = greatest_divisor(greatest_divisor(f->modulus, x.modulus), f->rest - x.rest);
  n = normal(n);
  bool changed = n.modulus != f->modulus || n.rest != f->rest;
  *f = n;
  return changed;
}

bool c_facts_add(struct c_facts *f, struct c_fact x) {
  if (x.target == C_TARGET_NULL) x.rest = x.modulus = 0;
  x = normal(x);
  size_t at = 0;
  while (at < f->count && f->data[at].target < x.target) at++;
  if (at < f->count && f->data[at].target == x.target) return widen(&f->data[at], x);
  VEC_PUSH(f, x);
  memmove(f->data + at + 1, f->data + at, (f->count - 1 - at) * sizeof *f->data);
  f->data[at] = x;
  return true;
}

const struct c_fact *c_facts_find(const struct c_facts *f, uint32_t target) {
  for (size_t i = 0; i < f->count; i++)
    if (f->data[i].target == target) return &f->data[i];
  return NULL;
}

bool c_facts_vary(const struct c_facts *f) {
  for (size_t i = 0; i < f->count; i++)
    if (f->data[i].modulus) return true;
  return false;
}
