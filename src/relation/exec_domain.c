// SPDX-License-Identifier: Apache-2.0
// What quantifiers and loops go through, written out: each value with the condition under which it
// is among those gone through. Bounds need not be constant, but must be few enough.
#include "relation/exec.h"

enum { TURNS_MAX = 1 << 16, STEPS_MAX = 64 };

static void add(struct exec *e, struct turns *out, const struct term *value,
                const struct term *when) {
  if (term_is(when, 0)) return;
  if (out->count == TURNS_MAX)
    exec_refuse(e, "a loop or quantifier goes through more than %d values", TURNS_MAX);
  if (out->count == out->capacity) {
    struct turn *old = out->data;
    out->capacity = old ? 2 * out->capacity : 16;
    out->data = ARENA_ARRAY(e->scratch, struct turn, out->capacity);
    for (size_t i = 0; i < out->count; i++) out->data[i] = old[i];
  }
  out->data[out->count++] = (struct turn){value, when};
}

static const struct term *less(struct exec *e, const struct term *a, const struct term *b) {
  return term_binary(e->terms, TERM_LT, a, b);
}

static const struct term *within(struct exec *e, const struct term *lo, const struct term *v,
                                 const struct term *hi) {
  return term_and(e->terms, term_not(e->terms, less(e, v, lo)), term_not(e->terms, less(e, hi, v)));
}

// Values that are constants: the first bound is one, or all numbers are gone through.
static void add_constants(struct exec *e, struct turns *out, const struct term *lo,
                          const struct term *hi, int64_t step) {
  __int128 first = step > 0 ? lo->lo : lo->hi, last = step > 0 ? hi->hi : hi->lo;
  if ((step > 0 ? last - first : first - last) / (step > 0 ? step : -(__int128)step) > TURNS_MAX)
    exec_refuse(e, "a loop or quantifier goes through more than %d values", TURNS_MAX);
  for (__int128 k = first; step > 0 ? k <= last : k >= last; k += step) {
    const struct term *v = term_const(e->terms, (int64_t)k);
    add(e, out, v, step > 0 ? within(e, lo, v, hi) : within(e, hi, v, lo));
  }
}

// From a bound that is not constant, in larger steps.
static void add_steps(struct exec *e, struct turns *out, const struct term *lo,
                      const struct term *hi, int64_t step) {
  for (int64_t k = 0;; k++) {
    __int128 by = (__int128)k * step, low = lo->lo + by, high = lo->hi + by;
    if (step > 0 ? low > hi->hi : high < hi->lo) return;
    if (low < INT64_MIN || high > INT64_MAX) exec_refuse(e, "a loop may leave 64 bits");
    const struct term *v = term_binary(e->terms, TERM_ADD, lo, term_const(e->terms, (int64_t)by));
    const struct term *past = step > 0 ? less(e, hi, v) : less(e, v, hi);
    add(e, out, v, term_not(e->terms, past));
  }
}

static void add_range(struct exec *e, struct turns *out, const struct term *lo,
                      const struct term *hi, int64_t step) {
  if (lo->op == TERM_CONST || step == 1 || step == -1)
    add_constants(e, out, lo, hi, step);
  else
    add_steps(e, out, lo, hi, step);
}

// Without a step it runs up or down as the bounds say; that of one value counts as up.
static void add_either(struct exec *e, struct turns *out, const struct term *lo,
                       const struct term *hi) {
  if (lo->lo <= hi->hi) add_range(e, out, lo, hi, 1);
  size_t up = out->count;
  if (lo->hi <= hi->lo) return;
  add_range(e, out, lo, hi, -1);
  const struct term *down = less(e, hi, lo);
  for (size_t i = up; i < out->count; i++)
    out->data[i].when = term_and(e->terms, out->data[i].when, down);
}

// The turns that one value of the step makes.
static void add_step(struct exec *e, struct turns *out, const struct term *lo,
                     const struct term *hi, const struct term *here, int64_t step, uint32_t site) {
  const struct term *wrong = step > 0 ? less(e, hi, lo) : step < 0 ? less(e, lo, hi) : e->yes;
  exec_fault(e, term_and(e->terms, here, wrong), site);
  if (step == 0 || exec_dead(e)) return;
  size_t first = out->count;
  add_range(e, out, lo, hi, step);
  for (size_t i = first; i < out->count; i++)
    out->data[i].when = term_and(e->terms, out->data[i].when, here);
}

static void add_stepped(struct exec *e, struct turns *out, const struct term *lo,
                        const struct term *hi, const struct term *step, uint32_t site) {
  if ((__int128)step->hi - step->lo > STEPS_MAX)
    exec_refuse(e, "the step of a loop or quantifier may be any of more than %d", STEPS_MAX);
  for (int64_t k = 0; k <= step->hi - step->lo; k++) {
    const struct term *value = term_const(e->terms, step->lo + k);
    const struct term *here = term_binary(e->terms, TERM_EQ, step, value);
    if (!term_is(here, 0)) add_step(e, out, lo, hi, here, step->lo + k, site);
  }
}

void exec_domain(struct exec *e, const struct ir_domain *d, uint32_t site, struct turns *out) {
  *out = (struct turns){0};
  if (d->type) {
    for (uint64_t k = 0; k < ir_type_count(d->type); k++)
      add(e, out, term_const(e->terms, ir_type_value(d->type, k)), e->yes);
    return;
  }
  const struct term *lo = exec_value(e, d->lo), *hi = exec_value(e, d->hi);
  const struct term *step = d->step ? exec_value(e, d->step) : NULL;
  if (exec_dead(e)) return;
  if (step)
    add_stepped(e, out, lo, hi, step, site);
  else
    add_either(e, out, lo, hi);
}
