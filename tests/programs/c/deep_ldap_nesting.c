// SPDX-License-Identifier: Apache-2.0
// A decoder of nested elements, as directory protocols have them: each begins with a kind and a
// length, sequences are opened and closed on a stack of what is left of them. The stack has ten
// places; the limit on nesting is asked for sequences, but not for sets.
// expect: violated 48
// check: bounds
// depth: 159
// input: 4 5 4 2 4 63 48 55 48 39 48 7 4 4 49 1 49 56 49 29 49 12 48 17 48 27 4 24 4 21 49 52
// hard: yes
extern unsigned char __VERIFIER_nondet_uchar(void);

#define LEVELS 10

enum kind { VALUE = 4, SEQUENCE = 48, SET = 49 };

static unsigned left[LEVELS];

int main(void) {
  int level = 0;
  unsigned total = 200;
  left[0] = 200;
  while (level >= 0) {
    if (left[level] < 2u) {
      if (level == 0) break;
      level--;
      continue;
    }
    unsigned kind = __VERIFIER_nondet_uchar();
    unsigned length = 2;
    if (kind == VALUE) {
      length = 3;
      total = total - 3u;
    } else if (kind == SEQUENCE) {
      length = left[level] - 2u;
      total = total * 2u - 7u;
    } else if (kind == SET) {
      length = left[level] - 4u;
      total = total * 3u - 11u;
    } else {
      return 1;
    }
    if (length + 2u > left[level]) return 1;
    if (__VERIFIER_nondet_uchar() != total % 64u) return 1;
    left[level] = left[level] - length - 2u;
    if (kind == VALUE) continue;
    if (kind == SEQUENCE && level >= LEVELS - 1) return 1;
    level++;
    left[level] = length;
  }
  return 0;
}
