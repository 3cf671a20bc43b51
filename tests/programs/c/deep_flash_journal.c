// SPDX-License-Identifier: Apache-2.0
// A journal in flash memory: entries of three kinds go to blocks that are chosen by a walk over 17
// of them, each entry carries the digest of the one before, which a reader confirms. After 30
// entries the journal should be cleaned, but the cleaning is asked for after one entry too many.
// expect: violated 41
// depth: 195
// input: 1 8 1 57 2 29 0 72 1 505 0 1017 1 7120 2 2385 0 4773 2 1594 0 3198 1 22387 2 7477 1
// input: 22331 1 6263 2 2095 2 706 0 1420 1 9941 0 19888 0 9767 1 8348 0 16701 0 3407 1 23850
// input: 0 17702 0 5399 1 7783 0 15566 0 1122 1 7855
// hard: yes
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define ROOM 30

int main(void) {
  int block = 0, data = 0, names = 0, marks = 0, digest = 1, cleaned = 0;
  while (1) {
    if (data + names + marks > ROOM) {
      data = names = marks = 0;
      cleaned++;
      if (cleaned == 2) return 0;
    }
    int kind = __VERIFIER_nondet_int();
    if (kind == 0) {
      block = (block * 3 + 1) % 17;
      digest = (digest * 2 + block) % 30011;
      data++;
    } else if (kind == 1) {
      block = (block + 5) % 17;
      digest = (digest * 7 + 1) % 30011;
      if (block == 3) digest = digest + 2;
      names++;
    } else if (kind == 2) {
      digest = digest / 3 + block;
      marks++;
    } else {
      return 0;
    }
    if (__VERIFIER_nondet_int() != digest) return 1;
    if (data + names + marks > ROOM && kind == 1) reach_error();
  }
}
