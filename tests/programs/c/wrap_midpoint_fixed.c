// SPDX-License-Identifier: Apache-2.0
// Bisection by half the difference, which does not leave the type; the ends keep their order and
// come closer each time.
// expect: holds
// check: overflow
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low >= 0);
  __VERIFIER_assume(high >= low);
  for (int i = 0; i < 3; i++) {
    int before = high - low;
    if (before < 2) break;
    int middle = low + before / 2;
    if (__VERIFIER_nondet_int())
      low = middle;
    else
      high = middle;
    assert(low <= high);
    assert(high - low < before);
  }
  return 0;
}
