// SPDX-License-Identifier: Apache-2.0
// Bisection of the range that a sensor may give: the sum of both ends leaves the type.
// expect: violated 21
// check: overflow
// input: 0 1 2147483647 1 1
// depth: 12
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int low = __VERIFIER_nondet_int();
  if (__VERIFIER_nondet_int() == 0) low = 0;
  int high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low >= 0);
  __VERIFIER_assume(high >= low);
  for (int i = 0; i < 8; i++) {
    if (high - low < 2) break;
    int above = __VERIFIER_nondet_int();
    int middle = (low + high) / 2;
    if (above)
      low = middle;
    else
      high = middle;
    assert(low <= high);
  }
  return 0;
}
