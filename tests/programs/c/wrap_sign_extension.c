// SPDX-License-Identifier: Apache-2.0
// A table is looked up by a received character, which is signed: what is above 127 comes out
// negative, and points in front of the table.
// expect: violated 23
// check: bounds
// input: 3 200
// depth: 8
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { OTHER, DIGIT, LETTER };

static unsigned char class_of[128];

static void prepare(void) {
  class_of['0'] = DIGIT;
  class_of['A'] = LETTER;
}

static int classify(signed char c) {
  int index = c;
  if (index > 127) return OTHER;
  if (index == '9') return DIGIT;
  return class_of[index];
}

int main(void) {
  int letters = 0;
  prepare();
  unsigned char count = __VERIFIER_nondet_uchar();
  for (unsigned char i = 0; i < count && i < 4; i++) {
    unsigned char received = __VERIFIER_nondet_uchar();
    if (classify((signed char)received) == LETTER) letters++;
  }
  return letters;
}
