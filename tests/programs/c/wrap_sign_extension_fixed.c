// SPDX-License-Identifier: Apache-2.0
// Bytes as they come are widened from an unsigned type; the table has room for all of them.
// expect: holds
// check: bounds
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char upper_case[256];

int main(void) {
  int changed = 0;
  for (int i = 0; i < 3; i++) {
    signed char c = (signed char)__VERIFIER_nondet_uchar();
    int index = (unsigned char)c;
    if (c < 0) index = index - 128;
    if (upper_case[index] != 0 || upper_case[index + 128 * (c < 0)] != 0) changed++;
  }
  return changed;
}
