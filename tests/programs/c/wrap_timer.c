// SPDX-License-Identifier: Apache-2.0
// A deadline is kept as a tick of a 32-bit clock; "is it over" compares the two ticks, which is
// wrong once in 50 days: when the deadline has wrapped and the clock has not.
// expect: violated 26
// input: 4294967290 10
// depth: 8
#include <assert.h>
#include <stdint.h>

extern uint32_t __VERIFIER_nondet_uint(void);

struct timer {
  uint32_t deadline;
};

static void timer_start(struct timer *t, uint32_t now, uint32_t wait) { t->deadline = now + wait; }

static int timer_over(const struct timer *t, uint32_t now) { return now >= t->deadline; }

int main(void) {
  struct timer t;
  uint32_t now = __VERIFIER_nondet_uint();
  uint32_t wait = __VERIFIER_nondet_uint();
  if (wait < 1u || wait > 1000u) return 0;
  timer_start(&t, now, wait);
  if (timer_over(&t, now)) assert(wait == 0u);
  return 0;
}
