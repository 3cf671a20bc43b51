// SPDX-License-Identifier: Apache-2.0
// Two counters, one after the other. The way back from the error is found in stretches, and one of
// them ends where the first counter is 2 or 3, having been set to 1: the number 1 is also a truth.
// expect: violated 17
// depth: 27
// input: 1 1 1 1 1
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
  int first = 1, second = 0;
  while (first < 4) first++;
  while (second < 5) {
    if (__VERIFIER_nondet_bool()) second++;
    else second += first - 3;
  }
  if (first == 4 && second == 5) reach_error();
  return 0;
}
