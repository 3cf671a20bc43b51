// SPDX-License-Identifier: Apache-2.0
// Ticks of a 32-bit clock are compared by the sign of their difference, which is right across the
// wrap-around. In unbounded integers the sum would leave the type and the comparison fail.
// expect: holds
#include <assert.h>
#include <stdint.h>

extern uint32_t __VERIFIER_nondet_uint(void);

struct timer {
  uint32_t deadline;
};

static void timer_start(struct timer *t, uint32_t now, uint32_t wait) { t->deadline = now + wait; }

static int timer_over(const struct timer *t, uint32_t now) {
  return (int32_t)(now - t->deadline) >= 0;
}

int main(void) {
  struct timer t;
  uint32_t now = __VERIFIER_nondet_uint();
  uint32_t wait = __VERIFIER_nondet_uint();
  uint32_t passed = __VERIFIER_nondet_uint();
  if (wait < 1u || wait > 1000u || passed > 1000u) return 0;
  timer_start(&t, now, wait);
  if (timer_over(&t, now + passed))
    assert(passed >= wait);
  else
    assert(passed < wait);
  return 0;
}
