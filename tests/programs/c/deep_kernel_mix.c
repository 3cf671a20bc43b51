// SPDX-License-Identifier: Apache-2.0
// A kernel in the manner of Dhrystone, with a random walk between its procedures: each call mixes
// two numbers in its own way, a caller compares them now and then. It counts its rounds by kind,
// and more than 44 of them were not thought of.
// expect: violated 48
// depth: 261
// input: 2 4294967291 2 4294967288 2 4294967285 3 10 2 4294967292 3 3 2 4294967281 2
// input: 4294967263 2 4294967245 3 50 3 4294967245 3 50 3 4294967245 1 20 3 4294967275 3 20 1
// input: 92 2 4294967224 3 71 3 4294967224 3 71 1 237 2 4294967130 2 4294966727 2 4294966324 2
// input: 4294965921 1 403 3 4294966892 3 403 2 4294965517 2 4294963335 2 4294961153 3 6142 2
// input: 4294965113 2 4294956788 2 4294948463 3 18832 2 9416 1 7158 3 4294960137 2 4294963717
// input: 1 4294965038 3 2257 1 1321 2 661
// hard: yes
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int left = 3, right = 5;
static unsigned char firsts, seconds, thirds;

static void first(void) {
  left = left + right;
  if (left > 20000) left = left - 20000;
  firsts++;
}

static void second(void) {
  right = right + left;
  if (right > 30000) right = right / 2;
  seconds++;
}

static void third(void) {
  int kept = left;
  left = right;
  right = kept + 1;
  thirds++;
}

int main(void) {
  while (1) {
    switch (__VERIFIER_nondet_int()) {
    case 1: first(); break;
    case 2: second(); break;
    case 3: third(); break;
    default: return 0;
    }
    if (__VERIFIER_nondet_int() != left - right) return 1;
    if (firsts + seconds + thirds > 44 && left != right) reach_error();
  }
}
