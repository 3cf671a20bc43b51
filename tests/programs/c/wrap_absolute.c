// SPDX-License-Identifier: Apache-2.0
// The absolute value of a 32-bit number is negative for just one of them.
// expect: violated 21
// input: 10 -2147483638
// depth: 8
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int x) {
  if (x < 0) return -x;
  return x;
}

int main(void) {
  int zero = __VERIFIER_nondet_int();
  int sample = __VERIFIER_nondet_int();
  if (zero < -100 || zero > 100) return 0;
  int deviation = absolute(sample - zero);
  if (deviation > 5) return 1;
  assert(deviation >= 0);
  return 0;
}
