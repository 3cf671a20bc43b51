// SPDX-License-Identifier: Apache-2.0
// A watchdog counts down from 10 and is fed by the main loop, whose longest piece of work takes
// seven ticks: it never runs out.
// expect: holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define PERIOD 10

static int left = PERIOD;

static void tick(void) {
  left--;
  if (left == 0) reach_error();
}

static void work(int ticks) {
  for (int i = 0; i < ticks; i++) tick();
}

int main(void) {
  while (1) {
    int task = __VERIFIER_nondet_int();
    switch (task) {
    case 1: work(3); break;
    case 2: work(7); break;
    case 3:
      work(4);
      work(3);
      break;
    default: break;
    }
    left = PERIOD;
    tick();
  }
}
