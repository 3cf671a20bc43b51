// SPDX-License-Identifier: Apache-2.0
// A mean over what was collected since the last report, by a divisor that is at least one whenever
// it is used; and a division whose result would leave the type is not done.
// expect: holds
// check: div
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sum = 0, count = 0, mean = 0;
  while (1) {
    int sample = __VERIFIER_nondet_int();
    if (sample >= 0 && sample < 100) {
      if (count == 8) {
        mean = sum / count;
        sum = 0;
        count = 0;
      }
      sum += sample;
      count++;
    } else if (count > 0) {
      mean = sum / count;
      sum = 0;
      count = 0;
    }
    if (mean < 0) return 100 / (mean + 1);
  }
}
