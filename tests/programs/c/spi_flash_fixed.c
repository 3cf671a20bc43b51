// SPDX-License-Identifier: Apache-2.0
// A driver for a flash memory on an SPI bus, for ever: nothing is written or erased while the chip
// is busy, and write-enable is used up by each.
// expect: holds
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum command { NONE, WRITE_ENABLE, WRITE, ERASE };

int main(void) {
  int enabled = 0, busy = 0, started = 0;
  while (1) {
    switch (__VERIFIER_nondet_int()) {
    case WRITE_ENABLE:
      if (!busy) enabled = 1;
      break;
    case WRITE:
      if (enabled && !busy) {
        started = 3;
        enabled = 0;
      }
      break;
    case ERASE:
      if (enabled && !busy) {
        started = 5;
        enabled = 0;
      }
      break;
    default: break;
    }
    if (started > 0) {
      assert(busy == 0);
      busy = started;
      started = 0;
    } else if (busy > 0) {
      busy--;
    }
    assert(!(enabled && busy));
  }
}
