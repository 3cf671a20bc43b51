// SPDX-License-Identifier: Apache-2.0
// A line editor of an information management utility: characters are typed, words deleted, the line
// joined with the next; each change can be undone. A change is kept on an undo stack of 30, and its
// check on the digest of the line must be met. Joining forgets to ask whether the stack is full.
// expect: violated 46
// check: bounds
// depth: 182
// input: 1 38 2 57 3 171 3 520 1 2603 1 13018 3 39070 2 9767 3 29320 1 15561 1 12287 1 61438 1
// input: 45109 3 4315 1 21578 2 5394 2 1348 3 4074 3 12259 1 61298 1 44409 1 25485 3 10981 3
// input: 32997 2 8249 1 41248 3 58281 1 29324 1 15581 2 3895 3
// hard: yes
extern int __VERIFIER_nondet_int(void);

#define STEPS 30

struct step {
  int kind, digest;
};

static struct step undo[STEPS];

int main(void) {
  int typed = 0, deleted = 0, joined = 0, digest = 7, length = 0;
  while (1) {
    int key = __VERIFIER_nondet_int(), count = typed + deleted + joined;
    if (key == 1) {
      if (count == STEPS) return 0;
      undo[count].kind = 1;
      undo[count].digest = digest;
      digest = (digest * 5 + 3) % 65521;
      length++;
      typed++;
    } else if (key == 2) {
      if (count == STEPS) return 0;
      undo[count].kind = 2;
      undo[count].digest = digest;
      if (length > 4) {
        length = length - 4;
        digest = digest / 4;
      } else {
        length = 0;
        digest = digest + 19;
      }
      deleted++;
    } else if (key == 3) {
      undo[count].kind = 3;
      undo[count].digest = digest;
      digest = (digest * 3 + length) % 65521;
      length = length + 7;
      joined++;
    } else {
      return 0;
    }
    if (__VERIFIER_nondet_int() != digest) return 1;
  }
}
