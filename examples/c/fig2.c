// SPDX-License-Identifier: Apache-2.0
// The program of paper 003's Fig. 2 (docs/hybrid.md): the loop never ends, since x is 15 only while i
// is 12 to 14. y comes in once, not above 0, and sinks: P1's error is never reached, P2's is.
//
//   fathom check fig2.c                  y can be below -5 at once
//   fathom check fig2.c -D START=0       it comes there after some rounds of the loop
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int i = 0, x = 0, y;
  while (1) {
    if (i == x) {
      x = i + 3;
      if (i == 0) {
        y = __VERIFIER_nondet_int();
        __VERIFIER_assume(y <= 0);
#ifdef START
        __VERIFIER_assume(y == START);
#endif
      } else {
        y++;
      }
    } else {
      if (i == 0) {
        y = __VERIFIER_nondet_int();
        __VERIFIER_assume(y < 0);
      } else {
        y--;
      }
    }
    if (x == 15 && i > 35) break;
    if (y > 5) reach_error();  // P1
    if (y < -5) reach_error(); // P2
    i++;
  }
  return 0;
}
