// SPDX-License-Identifier: Apache-2.0
// A mask for the highest N bits of a word is made by shifting; one of 32 is asked for by the type's
// own modulo, and the result kept as an int: the topmost bit makes it negative.
// expect: violated 18
// input: 31
// depth: 6
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int bit(unsigned n) { return (int)(1u << (n & 31u)); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 31u) return 0;
  int mask = bit(n);
  // "a power of two is at least one"
  if (mask != 0) assert(mask > 0);
  return 0;
}
