// SPDX-License-Identifier: Apache-2.0
// As wrap_negative_modulo; the size is added before the modulo is taken.
// expect: holds
// check: bounds
extern int __VERIFIER_nondet_int(void);

#define SIZE 5

static int history[SIZE];
static int next;

static void record(int value) {
  history[next] = value;
  next = (next + 1) % SIZE;
}

static int recall(int back) { // 0: the last one
  return history[(next + SIZE - 1 - back) % SIZE];
}

int main(void) {
  int found = 0;
  while (__VERIFIER_nondet_int()) {
    record(__VERIFIER_nondet_int() > 0);
    int back = __VERIFIER_nondet_int();
    if (back < 0 || back >= SIZE) break;
    found = recall(back);
  }
  return found;
}
