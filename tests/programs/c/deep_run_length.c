// SPDX-License-Identifier: Apache-2.0
// A compressor by run lengths: a pixel that is equal to the last one makes the run longer, another
// one writes the run out, in one, two or three bytes. A checksum over the runs is compared with the
// sender's. Room was reckoned as one byte a run and four to spare.
// expect: violated 28 31 35 43
// check: bounds
// depth: 249
// input: 0 6 53 0 1 209 0 0 0 128 2613 6 2613 -7837892522321086948 2613 8 2613 2613 2613 2615
// input: 2613 0 1 3790 0 0 0 0 0 0 1294 0 1 3932 0 0 0 11 1232 1232 1232 1232 1232 0 0 0 0 0
// input: 32767 1048 1048 1048 1049 1048 0 0 30 1284 -7896591136767996133 1284 10
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
