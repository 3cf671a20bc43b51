// SPDX-License-Identifier: Apache-2.0
// A length that comes signed is compared as unsigned: a negative one is very large then, and
// refused. Compared as it is, it would pass and the loop begin in front of the buffer.
// expect: holds
// check: bounds
extern int __VERIFIER_nondet_int(void);

static int buffer[16];

int main(void) {
  int length = __VERIFIER_nondet_int();
  if ((unsigned)length >= sizeof buffer / sizeof *buffer) return 1;
  buffer[length] = 1;
  for (int i = length; i >= 0; i -= 3) buffer[i] = i;
  return 0;
}
