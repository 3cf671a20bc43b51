// SPDX-License-Identifier: Apache-2.0
// A thermostat that never ends: the heater goes on below 18 degrees and off above 22, the room gets
// warmer or colder by at most one degree a step. The temperature stays within 16 and 24.
// expect: holds
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int temperature = 20, heater = 0;
  while (1) {
    if (temperature < 18)
      heater = 1;
    else if (temperature > 22)
      heater = 0;
    int change = __VERIFIER_nondet_int();
    if (change < 0 || change > 1) change = 0;
    if (heater)
      temperature += change;
    else
      temperature -= change;
    assert(temperature >= 16 && temperature <= 24);
  }
}
