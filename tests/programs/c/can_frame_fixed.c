// SPDX-License-Identifier: Apache-2.0
// A CAN driver that cuts the length code before it copies, and keeps count of errors as the bus
// wants it: error active, passive and off (with limits for a noisy test bus), for ever.
// expect: holds
// check: bounds
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { ACTIVE, PASSIVE, OFF };

static unsigned char data[8];
static int errors, state = ACTIVE;

static void receive(void) {
  int length = __VERIFIER_nondet_uchar() % 16;
  if (length > 8) length = 8;
  if (length > 0) data[length - 1] = 1;
  if (errors > 0) errors--;
}

static void fail(void) { errors += 8; }

int main(void) {
  while (state != OFF) {
    if (__VERIFIER_nondet_int() > 0)
      receive();
    else
      fail();
    if (errors > 63)
      state = OFF;
    else if (errors > 31)
      state = PASSIVE;
    else
      state = ACTIVE;
    assert(errors >= 0 && errors <= 71);
  }
  assert(errors > 63);
  return data[0];
}
