// SPDX-License-Identifier: Apache-2.0
// A command byte is sent with its complement behind it. The receiver compares with ~byte, which is
// an int and negative: no correct pair is ever taken, and the error counter runs over.
// expect: violated 29
// input: 5 250 5 250 5 250
// depth: 26
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int accept(unsigned char command, unsigned char check) {
  int inverted = ~command;
  return check == inverted;
}

int main(void) {
  int good = 0, bad = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char command = __VERIFIER_nondet_uchar();
    unsigned char check = __VERIFIER_nondet_uchar();
    if (accept(command, check))
      good++;
    else if (command + check == 255)
      bad++;
    else
      return 0;
  }
  if (bad > 2) {
    // three pairs in a row that were sent as they should be
    if (good == 0) reach_error();
  }
  return 0;
}
