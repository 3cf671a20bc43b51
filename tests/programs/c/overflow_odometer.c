// SPDX-License-Identifier: Apache-2.0
// Pulses of a wheel are added up to a distance in millimetres. A slow wheel is fine for years; the
// setting for a large one makes the product leave the type.
// expect: violated 28
// check: overflow
// input: 3 2 100000
// depth: 10
extern int __VERIFIER_nondet_int(void);

static int circumference(int kind) {
  switch (kind) {
  case 1: return 700;
  case 2: return 2100;
  case 3: return 31000;
  default: return 0;
  }
}

int main(void) {
  int kind = __VERIFIER_nondet_int();
  int length = circumference(kind);
  if (length == 0) return 1;
  int wheels = __VERIFIER_nondet_int();
  if (wheels == 2) length = length * 2;
  int pulses = __VERIFIER_nondet_int();
  if (pulses < 0 || pulses > 300000) return 1;
  if (length > 60000) {
    int distance = pulses * 62000;
    return distance > 1000;
  }
  return pulses < 1000;
}
