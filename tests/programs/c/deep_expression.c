// SPDX-License-Identifier: Apache-2.0
// A calculator reads an expression sign by sign and works it out from left to right with a stack
// for brackets. The user confirms what is shown when a bracket closes. There are eight places on
// the stack; two brackets at once count as one when the limit is asked for.
// expect: violated 30
// check: bounds
// depth: 197
// input: 47 43 43 43 42 42 42 40 40 42 42 42 42 42 42 42 42 42 41 1779 43 43 43 43 42 42 42 43
// input: 47 43 43 40 40 40 40 40 40 40 40
// hard: yes
extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);

#define PLACES 8

static int kept[PLACES];

int main(void) {
  int depth = 0, value = 1, brackets = 0;
  while (1) {
    char c = __VERIFIER_nondet_char();
    if (c == '+') {
      value = value + 13;
    } else if (c == '*') {
      value = (value * 3) % 10007;
    } else if (c == '/') {
      value = value / 2 + 1;
    } else if (c == '(') {
      if (brackets > 3 * PLACES) return 1;
      kept[depth] = value;
      depth++;
      brackets++;
      value = value + depth;
    } else if (c == ')') {
      if (depth == 0) return 1;
      depth--;
      if (__VERIFIER_nondet_int() != value) return 1;
      value = (value + kept[depth]) % 10007;
    } else {
      return 0;
    }
    if (brackets < depth) return 1;
  }
}
