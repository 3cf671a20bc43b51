// SPDX-License-Identifier: Apache-2.0
// Two fields packed into a word by shifts and taken out again, unsigned and signed: a signed field
// comes out with its sign, by an arithmetic shift.
// expect: holds
#include <assert.h>
#include <stdint.h>

extern uint32_t __VERIFIER_nondet_uint(void);
extern int16_t __VERIFIER_nondet_short(void);

static uint32_t pack(uint32_t number, int16_t value) {
  return ((number & 0xffffu) << 16) | (uint16_t)value;
}

static int32_t value_of(uint32_t word) { return (int32_t)(word << 16) >> 16; }
static uint32_t number_of(uint32_t word) { return word >> 16; }

int main(void) {
  uint32_t number = __VERIFIER_nondet_uint();
  int16_t value = __VERIFIER_nondet_short();
  uint32_t word = pack(number, value);
  assert(value_of(word) == value);
  assert(number_of(word) == (number & 0xffffu));
  return 0;
}
