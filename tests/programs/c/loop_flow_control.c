// SPDX-License-Identifier: Apache-2.0
// A receiver with a buffer of 16 bytes stops its sender at 12 and lets it go on at 4 (XOFF, XON).
// The sender may send two more after it was stopped. Never ends, nothing is lost.
// expect: holds
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
  int filled = 0, stopped = 0, late = 0;
  while (1) {
    int sends = __VERIFIER_nondet_bool();
    if (sends && stopped) {
      if (late == 2)
        sends = 0;
      else
        late++;
    }
    if (sends) {
      filled++;
      if (filled > 16) reach_error();
    }
    if (filled > 0 && __VERIFIER_nondet_bool()) filled--;
    if (filled >= 12 && !stopped) {
      stopped = 1;
      late = 0;
    }
    if (filled <= 4) stopped = 0;
  }
}
