// SPDX-License-Identifier: Apache-2.0
// A request names a part of a page: where it begins and how long it is. The sum of the two is
// checked, but it wraps around: a large length lets any place through.
// expect: violated 17
// check: bounds
// input: 4000 4294963400
// depth: 4
extern unsigned __VERIFIER_nondet_uint(void);

#define PAGE 256u

static unsigned char page[PAGE];

static unsigned char first_byte(unsigned offset, unsigned length) {
  if (length == 0u) return 0;
  if (offset + length > PAGE) return 0;
  return page[offset];
}

int main(void) {
  unsigned offset = __VERIFIER_nondet_uint();
  unsigned length = __VERIFIER_nondet_uint();
  return first_byte(offset, length);
}
