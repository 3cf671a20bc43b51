// SPDX-License-Identifier: Apache-2.0
// A history of the last values is read backwards: the index before the first one is taken modulo
// the size, which in C is negative for a negative number.
// expect: violated 21
// check: bounds
// input: 7 0 8 0 9 1 3
// depth: 22
extern int __VERIFIER_nondet_int(void);

#define SIZE 5

static int history[SIZE];
static int next;

static void record(int value) {
  history[next] = value;
  next = (next + 1) % SIZE;
}

static int recall(int back) { // 0: the last one
  return history[(next - 1 - back) % SIZE];
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    record(__VERIFIER_nondet_int());
    if (__VERIFIER_nondet_int() == 0) continue;
    int back = __VERIFIER_nondet_int();
    if (back < 0 || back >= SIZE) break;
    sum ^= recall(back);
  }
  return sum != 0;
}
