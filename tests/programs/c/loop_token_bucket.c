// SPDX-License-Identifier: Apache-2.0
// A rate limiter: five tokens come in every period, up to 20; a packet takes as many as it has
// units. Never ends; there are never fewer than none.
// expect: holds
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int tokens = 20;
  unsigned dropped = 0;
  while (1) {
    int units = __VERIFIER_nondet_uchar();
    if (units == 0) {
      tokens += 5;
      if (tokens > 20) tokens = 20;
    } else if (units <= tokens) {
      tokens -= units;
    } else {
      dropped = 1;
    }
    assert(tokens >= 0 && tokens <= 20);
    assert(dropped <= 1u);
  }
}
