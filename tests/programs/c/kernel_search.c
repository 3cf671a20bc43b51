// SPDX-License-Identifier: Apache-2.0
// Binary search in a sorted table: what is found is what was looked for, what is not found is not
// there, and it takes four steps at most.
// expect: holds
// check: bounds
#include <assert.h>

#define COUNT 8

extern int __VERIFIER_nondet_int(void);

static const int table[COUNT] = {-40, -7, 0, 3, 12, 100, 2000, 70000};

int main(void) {
  int wanted = __VERIFIER_nondet_int();
  int low = 0, high = COUNT, steps = 0;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (table[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
    steps++;
  }
  assert(steps <= 4);
  if (low < COUNT && table[low] == wanted) return 1;
  assert(wanted != 12 && wanted != -40 && wanted != 70000);
  return 0;
}
