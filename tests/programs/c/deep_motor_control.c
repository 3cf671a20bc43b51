// SPDX-License-Identifier: Apache-2.0
// A controller of a motor's speed: three classes of readings move an integral part and the output
// by integer divisions. Every cycle is written to a trace of 40 entries, and the operator confirms
// the output every fifth one. The trace is not turned round at its end.
// expect: violated 46
// check: bounds
// depth: 345
// input: 40 55 31 899 42 253 899 2 0 3 1 483 11 1 5 256 6 753 2 1 2 1 1 1044 1044 1043 1043
// input: 1043 1043 1044 1 7 3 2 101 1149 8633448268300506582 -1920098847342316927
// input: -577774254301037789 7739275675771031516 900 1113 -6598867461603168760 4294967294 8 8
// input: 4294967295 1227 1227
// hard: yes
extern int __VERIFIER_nondet_int(void);

#define ENTRIES 40

static int trace[ENTRIES];

int main(void) {
  int integral = 64, output = 100, since = 0;
  int slow = 0, fast = 0, steady = 0;
  while (1) {
    int reading = __VERIFIER_nondet_int();
    if (reading < 900) {
      integral = integral + 31 - integral / 8;
      output = output + integral / 4;
      slow++;
    } else if (reading > 1100) {
      integral = integral - 17 - integral / 16;
      output = output - 9;
      fast++;
    } else {
      integral = integral - integral / 2;
      steady++;
    }
    if (output > 4000) output = 4000;
    if (output < 0) {
      output = 0;
      integral = integral + 3;
    }
    since++;
    if (since == 5) {
      if (__VERIFIER_nondet_int() != output) return 1;
      since = 0;
    }
    trace[slow + fast + steady - 1] = output;
  }
}
