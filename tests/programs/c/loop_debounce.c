// SPDX-License-Identifier: Apache-2.0
// A key is taken as pressed after four equal samples in a row, and as released after four others,
// for ever. The output changes only when the counter has come to its end.
// expect: holds
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int stable = 0, count = 0;
  while (1) {
    int sample = __VERIFIER_nondet_bool();
    int before = stable;
    if (sample == stable) {
      count = 0;
    } else {
      count++;
      if (count == 4) {
        stable = sample;
        count = 0;
      }
    }
    assert(count >= 0 && count < 4);
    if (before != stable) assert(count == 0 && stable == sample);
  }
}
