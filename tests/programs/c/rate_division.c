// SPDX-License-Identifier: Apache-2.0
// Bytes a second of a transfer are worked out every time some have come. The clock of the board can
// be set back, which is looked for, but not that it stands still.
// expect: violated 20
// check: div
// input: 10 500 12 500 12 500
// depth: 31
extern int __VERIFIER_nondet_int(void);

struct meter {
  int last_tick;
  int rate;
};

static void meter_update(struct meter *m, int tick, int bytes) {
  int passed = tick - m->last_tick;
  if (passed < 0) {
    m->rate = 0;
  } else {
    m->rate = bytes / passed;
  }
  m->last_tick = tick;
}

int main(void) {
  struct meter m = {0, 0};
  for (int i = 0; i < 10; i++) {
    int tick = __VERIFIER_nondet_int();
    int bytes = __VERIFIER_nondet_int();
    if (tick < 1 || tick > 100000) break;
    if (bytes < 0 || bytes > 1500) break;
    if (i == 0) {
      m.last_tick = tick;
      continue;
    }
    meter_update(&m, tick, bytes);
    if (m.rate == 0) break;
  }
  return m.rate;
}
