// SPDX-License-Identifier: Apache-2.0
// Two traffic lights at a crossing, driven by a timer and a request button, for ever: they are
// never both other than red.
// expect: holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum light { RED, GREEN, YELLOW };

int main(void) {
  enum light main_road = GREEN, side_road = RED;
  int timer = 0, request = 0;
  for (;;) {
    if (__VERIFIER_nondet_int() == 1) request = 1;
    if (timer > 0) {
      timer--;
    } else if (main_road == GREEN) {
      if (request) {
        main_road = YELLOW;
        timer = 2;
      }
    } else if (main_road == YELLOW) {
      main_road = RED;
      side_road = GREEN;
      timer = 5;
    } else if (side_road == GREEN) {
      side_road = YELLOW;
      request = 0;
      timer = 2;
    } else {
      side_road = RED;
      main_road = GREEN;
      timer = 8;
    }
    if (main_road != RED && side_road != RED) reach_error();
  }
}
