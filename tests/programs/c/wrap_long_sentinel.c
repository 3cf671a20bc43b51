// SPDX-License-Identifier: Apache-2.0
// Addresses of a store are 64 bits wide; all ones marks an empty entry. The address behind the last
// one is worked out without asking for the mark, and is 0.
// expect: violated 19
// input: -1
// depth: 4
#include <stdint.h>

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

static uint64_t behind(uint64_t address) { return address + 1u; }

int main(void) {
  uint64_t address = __VERIFIER_nondet_ulong();
  uint64_t next = behind(address);
  if (next < address) {
    // only the mark does that
    if (next == 0u) reach_error();
  }
  return 0;
}
