// SPDX-License-Identifier: Apache-2.0
// What is left of a buffer is worked out in unsigned numbers. A header longer than the buffer makes
// that wrap around to nearly everything.
// expect: violated 26
// check: bounds
// input: 40 1 70
// depth: 8
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 64u

static unsigned char buffer[SIZE];

static unsigned room(unsigned used) { return SIZE - used; }

int main(void) {
  unsigned used = __VERIFIER_nondet_uint();
  if (used > 48u) return 0;
  unsigned long_header = __VERIFIER_nondet_uint();
  if (long_header == 1u)
    used += 32u;
  else
    used += 8u;
  unsigned want = __VERIFIER_nondet_uint();
  if (want > 100u || want > room(used)) return 0;
  buffer[used] = 1;
  return want != 0u;
}
