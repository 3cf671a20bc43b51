// SPDX-License-Identifier: Apache-2.0
// A station in a radio network sends in slots of a frame. After a collision it waits for a number
// of slots that a small generator gives, fed with what it hears. Collisions are counted in a table
// by frame; after 32 frames the table is at its end, the counter of frames is not.
// expect: violated 27
// check: bounds
// depth: 238
// input: 2 8 3 9 2 0 3 1 1 1 2 8 3 9 3 12 1 12 2 13 3 8 1 8 2 6 3 9 2 0 2 7 3 3 2 0 1 0 3 1 1
// input: 1 1 1 2 3 3 8 2 11 3 2 2 11 3 2 3 3 1 3 1 3 1 3 2
// hard: yes
extern int __VERIFIER_nondet_int(void);

#define FRAMES 32

enum heard { NOTHING, CLEAR, COLLISION, NOISE };

static unsigned char collisions[FRAMES];

int main(void) {
  unsigned generator = 1;
  int wait = 0, sent = 0, clear = 0, disturbed = 0;
  while (1) {
    int heard = __VERIFIER_nondet_int();
    if (heard == COLLISION) {
      generator = generator * 5u + 3u;
      if (wait < 3) wait++;
      collisions[clear + disturbed] = 1;
      disturbed++;
    } else if (heard == CLEAR) {
      clear++;
      if (wait == 0) {
        sent++;
        generator = generator + 1u;
      } else {
        wait--;
      }
    } else if (heard == NOISE) {
      generator = generator * 3u + 1u;
      disturbed++;
    } else {
      return 0;
    }
    if (generator > 60000u) generator = generator / 7u;
    // the base station tells the slot of the next frame
    if (__VERIFIER_nondet_int() != (int)(generator % 16u)) return 1;
    if (sent > 200) return 0;
  }
}
