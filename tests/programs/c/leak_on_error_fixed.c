// SPDX-License-Identifier: Apache-2.0
// Two blocks are taken from the heap; every way out hands back what was taken by then, in one place
// at the end.
// expect: holds
// check: leak,null
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part {
  int length;
  int sum;
};

int main(void) {
  struct part *first = NULL, *second = NULL;
  int result = 1;
  first = malloc(sizeof *first);
  if (first == NULL) goto out;
  first->length = __VERIFIER_nondet_int();
  if (first->length < 0) goto out;
  second = malloc(sizeof *second);
  if (second == NULL) goto out;
  second->length = __VERIFIER_nondet_int();
  if (second->length > first->length) goto out;
  second->sum = first->length - second->length;
  result = second->sum < 0;
out:
  free(second);
  free(first);
  return result;
}
