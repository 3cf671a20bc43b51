// SPDX-License-Identifier: Apache-2.0
// As wrap_serial_order, with the window of 100 numbers that a sender keeps to: the order is one.
// expect: holds
#include <stdint.h>

extern uint8_t __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int before(uint8_t a, uint8_t b) { return (int8_t)(a - b) < 0; }

int main(void) {
  uint8_t a = __VERIFIER_nondet_uchar();
  uint8_t ahead = __VERIFIER_nondet_uchar();
  if (ahead == 0 || ahead > 100) return 0;
  uint8_t b = (uint8_t)(a + ahead);
  if (!before(a, b)) reach_error();
  if (before(b, a)) reach_error();
  return 0;
}
