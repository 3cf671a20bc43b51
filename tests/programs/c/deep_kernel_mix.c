// SPDX-License-Identifier: Apache-2.0
// A kernel in the manner of Dhrystone, with a random walk between its procedures: each call mixes two
// numbers in its own way, a caller compares them now and then. It counts its rounds in a byte of
// which only the values up to 44 were thought of.
// expect: violated 47
// depth: 259
// input: 3 1 2 4294967292 2 4294967287 3 8 2 4294967290 2 4294967276 2 4294967262 3 33 1 48 3
// input: 4294967247 2 4294967232 2 4294967217 3 78 3 4294967217 2 4294967201 2 4294967185 2
// input: 4294967169 2 4294967153 1 16 2 4294967137 2 4294966962 2 4294966787 3 508 1 684 2
// input: 4294967120 2 4294966260 1 860 2 4294965400 1 2756 2 4294962644 1 7408 3 4294959887 1
// input: 4294959356 3 7939 1 4294966765 2 4294955766 3 11529 3 4294955766 3 11529 3 4294955766
// input: 3 11529 3 4294955766 3 11529 2 5765 3 4294961530
// hard: yes
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int left = 3, right = 5;

static void first(void) {
  left = left + right;
  if (left > 20000) left = left - 20000;
}

static void second(void) {
  right = right + left;
  if (right > 30000) right = right / 2;
}

static void third(void) {
  int kept = left;
  left = right;
  right = kept + 1;
}

int main(void) {
  unsigned char rounds = 0;
  while (1) {
    switch (__VERIFIER_nondet_int()) {
    case 1: first(); break;
    case 2: second(); break;
    case 3: third(); break;
    default: return 0;
    }
    if (__VERIFIER_nondet_int() != left - right) return 1;
    rounds++;
    if (rounds > 44 && left != right)
      reach_error();
  }
}
