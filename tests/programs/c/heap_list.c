// SPDX-License-Identifier: Apache-2.0
// A list on the heap: up to three elements are put in front of it, then it is taken apart again
// from the front. Nothing is left, and no pointer is used that is not one.
// expect: holds
// check: null,leak
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = NULL;
  int wanted = __VERIFIER_nondet_int(), last = 0;
  if (wanted < 0 || wanted > 3) return 0;
  for (int i = 0; i < wanted; i++) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL) break;
    n->value = i;
    n->next = list;
    list = n;
    last = i;
  }
  if (list != NULL && list->value != last) reach_error();
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
