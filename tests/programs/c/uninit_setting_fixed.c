// SPDX-License-Identifier: Apache-2.0
// Settings are read as pairs of key and value, and what was set is kept beside: a value that nobody
// set is never used.
// expect: holds
// check: uninit
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int speed, bits;
  int has_speed = 0, has_bits = 0;
  for (int i = 0; i < 6; i++) {
    int key = __VERIFIER_nondet_int();
    if (key == 0) break;
    int value = __VERIFIER_nondet_int();
    if (key == 1) {
      speed = value;
      has_speed = 1;
    } else if (key == 2) {
      bits = value;
      has_bits = 1;
    }
  }
  if (has_speed && speed > 9600) return 1;
  if (has_bits && bits == 7) return 2;
  return 0;
}
