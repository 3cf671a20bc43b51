// SPDX-License-Identifier: Apache-2.0
// A checksum with end-around carry over bytes: sums are made in int, so that the carry is seen; the
// folded sum fits a byte again. If bytes wrapped before they are added it would be lost.
// expect: holds
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char fold(unsigned char sum, unsigned char next) {
  int wide = sum + next;
  if (wide > 255) wide = wide - 255;
  return (unsigned char)wide;
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  unsigned char sum = fold(a, b);
  if (a != 0) assert(sum != 0);
  if (a == 255) assert(sum == b || b == 0);
  return 0;
}
