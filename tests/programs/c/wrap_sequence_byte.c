// SPDX-License-Identifier: Apache-2.0
// Frames carry a sequence number of one byte, which goes from 255 to 0 by itself: the comparison
// with 255 can never be true, however many frames there are.
// expect: holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  unsigned char next = 250;
  unsigned accepted = 0;
  while (__VERIFIER_nondet_int()) {
    int frame = __VERIFIER_nondet_int();
    if (frame != next) continue;
    next++;
    if (accepted < 1000u) accepted++;
    if (next > 254 && accepted < 5u) reach_error();
    if (next == 0 && accepted < 6u) reach_error();
  }
  return 0;
}
