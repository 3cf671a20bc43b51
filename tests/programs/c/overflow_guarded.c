// SPDX-License-Identifier: Apache-2.0
// Sums, differences and a product, each behind a question that keeps it inside its type.
// expect: holds
// check: overflow
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int add(int a, int b) {
  if (b > 0 && a > INT_MAX - b) return INT_MAX;
  if (b < 0 && a < INT_MIN - b) return INT_MIN;
  return a + b;
}

static int subtract(int a, int b) {
  if (b < 0 && a > INT_MAX + b) return INT_MAX;
  if (b > 0 && a < INT_MIN + b) return INT_MIN;
  return a - b;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int sum = add(a, b), difference = subtract(a, b);
  if (sum > 1000000 || sum < -1000000) return difference > 0;
  return sum * 2000 > 7;
}
