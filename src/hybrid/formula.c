// SPDX-License-Identifier: Apache-2.0
// The walk over a term, arguments first, without recursion: terms of long paths are deep. Truths
// are the same in both encodings.
#include "hybrid/formula.h"

#include <string.h>

void formula_clear(struct formula *f) {
  mem_free(f->truths);
  mem_free(f->numbers);
  mem_free(f->values);
  VEC_CLEAR(&f->stack);
  f->truths = f->values = NULL;
  f->numbers = NULL;
  f->capacity = 0;
  f->nonlinear = NULL;
}

static void *wider(void *data, size_t size, size_t old, size_t capacity) {
  data = mem_realloc(data, capacity * size);
  memset((char *)data + old * size, 0, (capacity - old) * size);
  return data;
}

static void reserve(struct formula *f, uint32_t id) {
  if (id < f->capacity) return;
  size_t n = (size_t)id + id / 2 + 256;
  f->truths = wider(f->truths, sizeof *f->truths, f->capacity, n);
  f->numbers = wider(f->numbers, sizeof *f->numbers, f->capacity, n);
  f->values = wider(f->values, sizeof *f->values, f->capacity, n);
  f->capacity = n;
}

smt_term formula_fresh(struct formula *f) {
  char name[24];
  snprintf(name, sizeof name, "k%u", f->fresh++);
  return smt_int(f->smt, name);
}

unsigned formula_width(int64_t lo, int64_t hi) {
  uint64_t p = lo < 0 ? ~(uint64_t)lo : 0, q = hi < 0 ? ~(uint64_t)hi : (uint64_t)hi;
  if (lo >= 0) p = (uint64_t)lo;
  uint64_t all = p | q;
  return all ? 65 - (unsigned)__builtin_clzll(all) : 1;
}

smt_term formula_within(struct formula *f, smt_term a, int64_t lo, int64_t hi) {
  struct smt *s = f->smt;
  unsigned w = formula_width(lo, hi);
  smt_term both[2];
  if (f->bits) {
    both[0] = smt_not(s, smt_bits_binary(s, SMT_SLT, a, smt_bits_number(s, lo, w)));
    both[1] = smt_not(s, smt_bits_binary(s, SMT_SLT, smt_bits_number(s, hi, w), a));
  } else {
    both[0] = smt_le(s, smt_number(s, lo), a);
    both[1] = smt_le(s, a, smt_number(s, hi));
  }
  return smt_and(s, both, 2);
}

// --- one node ---

static smt_term equal_truths(struct formula *f, const struct term *a) {
  return smt_equal(f->smt, formula_truth(f, a->arg[0]), formula_truth(f, a->arg[1]));
}

static smt_term truth_of(struct formula *f, const struct term *a) {
  smt_term x[2];
  switch (a->op) {
  case TERM_CONST: return smt_bool(f->smt, a->value);
  case TERM_LEAF: return f->unknown(f->context, a);
  case TERM_NOT: return smt_not(f->smt, f->truths[a->arg[0]->id]);
  case TERM_AND:
  case TERM_OR:
    x[0] = f->truths[a->arg[0]->id];
    x[1] = f->truths[a->arg[1]->id];
    return a->op == TERM_AND ? smt_and(f->smt, x, 2) : smt_or(f->smt, x, 2);
  case TERM_ITE:
    return smt_ite(f->smt, f->truths[a->arg[0]->id], f->truths[a->arg[1]->id],
                   f->truths[a->arg[2]->id]);
  case TERM_EQ:
    if (a->arg[0]->is_bool && a->arg[1]->is_bool) return equal_truths(f, a);
    break;
  default: break;
  }
  return f->bits ? formula_bits_compare(f, a) : formula_linear_compare(f, a);
}

// A truth as a number.
static struct formula_number counted(struct formula *f, const struct term *a) {
  smt_term t = f->truths[a->id];
  struct formula_number n = {.lo = 0, .hi = 1};
  if (a->op == TERM_CONST && !f->bits)
    return (struct formula_number){smt_number(f->smt, a->value), a->value, a->value};
  n.term = f->bits
               ? smt_ite(f->smt, t, smt_bits_number(f->smt, 1, 2), smt_bits_number(f->smt, 0, 2))
               : smt_ite(f->smt, t, smt_number(f->smt, 1), smt_number(f->smt, 0));
  return n;
}

static void make(struct formula *f, const struct term *a) {
  if (a->is_bool)
    f->truths[a->id] = truth_of(f, a);
  else if (f->bits)
    f->numbers[a->id].term = formula_bits_number(f, a);
  else
    f->numbers[a->id] = formula_linear_number(f, a);
}

static bool is_made(const struct formula *f, const struct term *a) {
  return a->is_bool ? f->truths[a->id] != NULL : f->numbers[a->id].term != NULL;
}

// A number that is wanted of a Boolean is made of its truth.
static void count(struct formula *f, const struct term *a) {
  if (a->is_bool && !f->numbers[a->id].term) f->numbers[a->id] = counted(f, a);
}

// Arguments of operations on numbers are wanted as numbers.
static void count_arguments(struct formula *f, const struct term *a) {
  bool truths = a->op <= TERM_OR ||
                (a->op == TERM_EQ && a->arg[0]->is_bool && a->arg[1]->is_bool) ||
                (a->op == TERM_ITE && a->is_bool);
  if (truths) return;
  for (unsigned i = a->op == TERM_ITE; i < a->args; i++) count(f, a->arg[i]);
}

static void walk(struct formula *f, const struct term *root) {
  reserve(f, root->id);
  if (is_made(f, root)) return;
  f->stack.count = 0;
  VEC_PUSH(&f->stack, root);
  while (f->stack.count) {
    const struct term *a = VEC_TOP(&f->stack);
    size_t before = f->stack.count;
    for (unsigned i = 0; i < a->args; i++)
      if (!is_made(f, a->arg[i])) VEC_PUSH(&f->stack, a->arg[i]);
    if (f->stack.count > before) continue;
    f->stack.count--;
    if (is_made(f, a)) continue;
    count_arguments(f, a);
    make(f, a);
  }
}

smt_term formula_truth(struct formula *f, const struct term *a) {
  assert(a->is_bool);
  walk(f, a);
  return f->truths[a->id];
}

smt_term formula_value(struct formula *f, const struct term *a) {
  walk(f, a);
  count(f, a);
  return f->bits ? f->numbers[a->id].term : formula_linear_value(f, a);
}
