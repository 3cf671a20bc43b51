// SPDX-License-Identifier: Apache-2.0
// An adder that sticks at the ends of its type: it looks whether the sum has wrapped. Right only
// because signed sums wrap here (-fwrapv); with unbounded integers the test is never true.
// expect: holds
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int add(int a, int b) {
  int sum = a + b;
  if (a > 0 && b > 0 && sum < 0) return INT_MAX;
  if (a < 0 && b < 0 && sum >= 0) return INT_MIN;
  return sum;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int sum = add(a, b);
  if (b >= 0)
    assert(sum >= a);
  else
    assert(sum < a || a == INT_MIN);
  return 0;
}
