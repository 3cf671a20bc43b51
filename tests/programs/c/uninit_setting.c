// SPDX-License-Identifier: Apache-2.0
// Settings of a serial line are read as pairs of key and value. If no pair sets the speed, it is
// used as it was never set.
// expect: violated 25
// check: uninit
// input: 2 8 9 1 0
// depth: 20
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int speed;
  int bits = 8, parity = 0;
  for (int i = 0; i < 5; i++) {
    int key = __VERIFIER_nondet_int();
    if (key == 0) break;
    int value = __VERIFIER_nondet_int();
    switch (key) {
    case 1: speed = value; break;
    case 2: bits = value; break;
    case 3: parity = value != 0; break;
    default: break;
    }
  }
  if (bits < 5 || bits > 9) return 1;
  if (speed > 115200) return parity;
  return 0;
}
