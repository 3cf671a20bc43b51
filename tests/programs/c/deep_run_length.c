// SPDX-License-Identifier: Apache-2.0
// A compressor by run lengths: a pixel that is equal to the last one makes the run longer, another
// one writes the run out, in one, two or three bytes. A checksum over the runs is compared with the
// sender's. Room was reckoned as one byte a run and four to spare.
// expect: violated 28 31 35 43
// check: bounds
// depth: 264
// input: 0 39 53 0 0 0 0 -7822771025226405647 1362 0 -2 37 0 0 0 0 1 488 488 488 488 488 0 0 1
// input: 343 0 0 255 3137 0 0 0 0 1 3816 6 3816 0 2 3300 0 3 1752 0 -3938712778277283060 1207
// input: 0 0 0 0 0 4403605241490271363 3612 0 0 0 -2 2237 8
// hard: yes
extern int __VERIFIER_nondet_int(void);

#define SIZE 32

static unsigned char out[SIZE];

int main(void) {
  int used = 0, run = 0, sum = 1, runs = 0;
  while (runs < SIZE - 4) {
    int pixel = __VERIFIER_nondet_int();
    if (pixel == 0) { // as before
      run++;
      sum = (sum * 3) % 4099;
      if (run < 6) continue;
    }
    if (run == 0) {
      out[used] = 1;
      used = used + 1;
    } else if (run < 3) {
      out[used] = 2;
      used = used + 2;
      sum = (sum + 50) % 4099;
    } else {
      out[used] = 3;
      used = used + 3;
      sum = (sum * 7 + run) % 4099;
    }
    if (__VERIFIER_nondet_int() != sum) return 1;
    run = 0;
    runs++;
  }
  out[used] = 0;
  return 0;
}
