// SPDX-License-Identifier: Apache-2.0
// A battery charger: constant current up to the end voltage, then constant voltage while the
// current falls, then off until the voltage has fallen again. Never ends; never both at their
// highest.
// expect: holds
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum phase { CURRENT, VOLTAGE, OFF };

int main(void) {
  enum phase phase = CURRENT;
  int voltage = 3000, current = 1000;
  while (1) {
    int step = __VERIFIER_nondet_int();
    if (step < 1 || step > 20) step = 10;
    switch (phase) {
    case CURRENT:
      voltage += step;
      if (voltage >= 4200) {
        voltage = 4200;
        current = 900;
        phase = VOLTAGE;
      }
      break;
    case VOLTAGE:
      current -= step;
      if (current < 100) {
        current = 0;
        phase = OFF;
      }
      break;
    default:
      voltage -= step;
      if (voltage < 4000) {
        current = 1000;
        phase = CURRENT;
      }
      break;
    }
    assert(voltage <= 4200);
    if (voltage == 4200) assert(current <= 900);
  }
}
