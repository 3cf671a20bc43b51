// SPDX-License-Identifier: Apache-2.0
// A 64-bit count of microseconds is kept in two 32-bit halves, as registers of a chip are: added up
// with the carry, they are the sum in 64 bits.
// expect: holds
#include <assert.h>
#include <stdint.h>

extern uint32_t __VERIFIER_nondet_uint(void);

int main(void) {
  uint32_t low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
  uint32_t step = __VERIFIER_nondet_uint();
  uint64_t whole = (uint64_t)high * 4294967296u + low;
  uint32_t sum = low + step;
  if (sum < low) high = high + 1u;
  whole = whole + step;
  assert(sum == (uint32_t)whole);
  assert(high == (uint32_t)(whole / 4294967296u));
  return 0;
}
