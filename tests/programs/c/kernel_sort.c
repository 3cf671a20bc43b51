// SPDX-License-Identifier: Apache-2.0
// Insertion sort of four readings: they come out in order, and no index leaves the array.
// expect: holds
// check: bounds
#include <assert.h>

#define COUNT 4

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int reading[COUNT];
  for (int i = 0; i < COUNT; i++) reading[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < COUNT; i++) {
    int value = reading[i], j = i;
    while (j > 0 && reading[j - 1] > value) {
      reading[j] = reading[j - 1];
      j--;
    }
    reading[j] = value;
  }
  for (int i = 1; i < COUNT; i++) assert(reading[i - 1] <= reading[i]);
  return 0;
}
