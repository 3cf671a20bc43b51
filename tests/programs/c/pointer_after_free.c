// SPDX-License-Identifier: Apache-2.0
// A message is handed to a queue that frees it when it is full, and is looked at after that.
// expect: violated 24
// check: null
// depth: 9
// input: 1 1 1
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int waiting;

static int hand_over(int *message) {
  if (waiting == 2) {
    free(message);
    return 0;
  }
  waiting += *message;
  return 1;
}

static int send(int *message) {
  int kept = hand_over(message);
  return kept + *message;
}

int main(void) {
  int *message = malloc(sizeof *message);
  *message = 1;
  while (__VERIFIER_nondet_bool()) {
    if (send(message) > 2) return 1;
  }
  free(message);
  return 0;
}
