// SPDX-License-Identifier: Apache-2.0
// The length of an element in a directory protocol's encoding, kept unsigned and refused as soon as
// it passes what there is room for: it never comes near the end of its type.
// expect: holds
// check: bounds
extern unsigned char __VERIFIER_nondet_uchar(void);

#define ROOM 32u

static unsigned char value[ROOM];

static unsigned read_length(void) {
  unsigned first = __VERIFIER_nondet_uchar();
  if (first < 128u) return first;
  unsigned bytes = first - 128u, length = 0;
  while (bytes > 0u) {
    length = length * 256u + __VERIFIER_nondet_uchar();
    if (length > ROOM) return ROOM + 1u;
    bytes--;
  }
  return length;
}

int main(void) {
  if (__VERIFIER_nondet_uchar() != 0x30) return 1;
  unsigned length = read_length();
  if (length > ROOM) return 1;
  for (unsigned i = 0; i < length; i++) value[i] = __VERIFIER_nondet_uchar() != 0;
  return value[0];
}
