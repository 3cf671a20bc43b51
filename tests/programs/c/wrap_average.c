// SPDX-License-Identifier: Apache-2.0
// A running total of 32-bit samples wraps after a few of them, and the mean lies outside of what
// was measured.
// expect: violated 23
// input: 1000000000 1100000000 1200000000
// depth: 17
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int total = 0, count = 0;
  while (count < 3) {
    int sample = __VERIFIER_nondet_int();
    if (sample < 0) return 0;
    if (sample > 1500000000) return 0;
    total += sample;
    count++;
  }
  if (count != 3) return 0;
  int mean = total / 3;
  // of three numbers that are not negative
  assert(mean >= 0);
  return 0;
}
