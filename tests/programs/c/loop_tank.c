// SPDX-License-Identifier: Apache-2.0
// A tank of 1000 litres with a pump and a drain: the pump stops in time for what comes in two more
// steps. Never ends; the level stays in the tank.
// expect: holds
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int level = 500, pumping = 0, lag = 0;
  while (1) {
    int inflow = __VERIFIER_nondet_int();
    int outflow = __VERIFIER_nondet_int();
    if (inflow < 0 || inflow > 40) inflow = 0;
    if (outflow < 0 || outflow > 30) outflow = 0;
    if (pumping || lag > 0) level += inflow;
    if (lag > 0) lag--;
    if (level >= outflow) level -= outflow;
    if (level > 800 && pumping) {
      pumping = 0;
      lag = 2;
    } else if (level < 200) {
      pumping = 1;
    }
    assert(level >= 0);
    assert(level <= 1000);
  }
}
