// SPDX-License-Identifier: Apache-2.0
// Fields of a line are found by a pointer that walks over it. The separator is looked for as long
// as the character is another one, but not as long as the line lasts.
// expect: violated 18
// check: bounds
// depth: 30
// input: 49 50 44 51 52 53
extern char __VERIFIER_nondet_char(void);

#define LINE 6

int main(void) {
  char line[LINE];
  for (int i = 0; i < LINE; i++) line[i] = __VERIFIER_nondet_char();
  const char *at = line;
  int fields = 0;
  while (fields < 2) {
    while (*at != ',') at++;
    fields++;
    at++;
  }
  return fields;
}
