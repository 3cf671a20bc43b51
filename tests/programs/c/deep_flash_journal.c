// SPDX-License-Identifier: Apache-2.0
// A journal in flash memory: entries of three kinds go to blocks that are chosen by a walk over 17
// of them, each entry carries the digest of the one before, which a reader confirms. After 30 entries
// the journal should be cleaned, but the cleaning is asked for after one entry too many.
// expect: violated 39
// depth: 212
// input: 1 8 0 32 0 79 1 556 1 3893 1 27252 0 24499 0 18989 1 12880 1 128 0 259 0 528 1 3697 0
// input: 7406 1 21832 1 2770 1 19391 0 8785 2 2942 1 20595 2 6867 1 18059 1 6370 1 14580 2
// input: 4860 0 9721 0 19446 1 16079 0 2158 1 15107 1 15717
// hard: yes
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define ROOM 30

int main(void) {
  int block = 0, entries = 0, digest = 1, cleaned = 0;
  while (1) {
    if (entries > ROOM) {
      entries = 0;
      cleaned++;
      if (cleaned == 2) return 0;
    }
    int kind = __VERIFIER_nondet_int();
    if (kind == 0) {
      block = (block * 3 + 1) % 17;
      digest = (digest * 2 + block) % 30011;
    } else if (kind == 1) {
      block = (block + 5) % 17;
      digest = (digest * 7 + 1) % 30011;
      if (block == 3) digest = digest + 2;
    } else if (kind == 2) {
      digest = digest / 3 + block;
    } else {
      return 0;
    }
    if (__VERIFIER_nondet_int() != digest) return 1;
    if (entries == ROOM && kind == 1)
      reach_error();
    entries++;
  }
}
