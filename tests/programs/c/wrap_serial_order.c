// SPDX-License-Identifier: Apache-2.0
// Serial numbers of one byte are ordered by the sign of their difference (as in RFC 1982). Of two
// that lie 128 apart each comes before the other.
// expect: violated 18
// input: 200 72
// depth: 7
#include <stdint.h>

extern uint8_t __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int before(uint8_t a, uint8_t b) { return (int8_t)(a - b) < 0; }

int main(void) {
  uint8_t a = __VERIFIER_nondet_uchar();
  uint8_t b = __VERIFIER_nondet_uchar();
  if (before(a, b)) {
    if (before(b, a)) reach_error();
  }
  return 0;
}
