// SPDX-License-Identifier: Apache-2.0
// A message is taken from the heap, filled and handed back, but for one way out: when its second
// part is refused.
// expect: violated 42
// check: leak
// input: 5 1 0
// depth: 21
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct message {
  int kind;
  int body[4];
};

static int fill(struct message *m) {
  m->kind = __VERIFIER_nondet_int();
  if (m->kind < 0) return 0;
  for (int i = 0; i < 4; i++) m->body[i] = i;
  return 1;
}

static int handle(void) {
  struct message *m = malloc(sizeof *m);
  if (m == NULL) return 0;
  if (!fill(m)) {
    free(m);
    return 0;
  }
  if (__VERIFIER_nondet_int() > 0) {
    int part = __VERIFIER_nondet_int();
    if (part == 0) return 0;
    m->body[0] = part;
  }
  free(m);
  return 1;
}

int main(void) {
  int handled = handle();
  return handled;
}
