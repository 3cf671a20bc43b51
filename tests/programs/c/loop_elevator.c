// SPDX-License-Identifier: Apache-2.0
// An elevator of six floors that serves one call after the other, for ever: it never leaves the
// shaft, and never moves with the door open.
// expect: holds
#include <assert.h>

#define FLOORS 6

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int floor = 0, target = 0, door_open = 1;
  while (1) {
    if (floor == target) {
      door_open = 1;
      int call = __VERIFIER_nondet_int();
      if (call >= 0 && call < FLOORS) target = call;
    } else {
      door_open = 0;
    }
    int before = floor;
    if (!door_open) {
      if (floor < target)
        floor++;
      else
        floor--;
    }
    assert(floor >= 0 && floor < FLOORS);
    if (before != floor) assert(door_open == 0);
  }
}
