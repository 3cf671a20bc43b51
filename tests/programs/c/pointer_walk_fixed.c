// SPDX-License-Identifier: Apache-2.0
// Two pointers walk towards each other over a buffer and turn it round; they stop when they meet.
// expect: holds
// check: bounds
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define SIZE 5

int main(void) {
  char text[SIZE];
  for (int i = 0; i < SIZE; i++) text[i] = __VERIFIER_nondet_char();
  char first = text[0], last = text[SIZE - 1];
  char *left = text, *right = text + SIZE - 1;
  while (left < right) {
    char kept = *left;
    *left++ = *right;
    *right-- = kept;
  }
  if (text[0] != last || text[SIZE - 1] != first) reach_error();
  return 0;
}
