// SPDX-License-Identifier: Apache-2.0
// As wrap_range_check, but nothing is added before it is known to be small: no sum wraps.
// expect: holds
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);

#define PAGE 256u

static unsigned char page[PAGE];

static unsigned char last_byte(unsigned offset, unsigned length) {
  if (length == 0u || length > PAGE) return 0;
  if (offset > PAGE - length) return 0;
  return page[offset + length - 1u];
}

int main(void) {
  unsigned offset = __VERIFIER_nondet_uint();
  unsigned length = __VERIFIER_nondet_uint();
  return last_byte(offset, length);
}
