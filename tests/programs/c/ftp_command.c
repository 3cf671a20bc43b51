// SPDX-License-Identifier: Apache-2.0
// The command line of an ftp utility: letters up to a blank are the verb, what follows up to the
// end of the line is the argument. The verb is cut at its size, the argument is not.
// expect: violated 36
// check: bounds
// depth: 61
// input: 71 69 84 32 97 97 97 97 97 97 97 97
extern char __VERIFIER_nondet_char(void);

#define VERB     4
#define ARGUMENT 6

static char verb[VERB + 1];
static char argument[ARGUMENT + 1];

static char upper(char c) {
  if (c >= 'a' && c <= 'z') return (char)(c - 'a' + 'A');
  return c;
}

static int read_verb(void) {
  int n = 0;
  char c = __VERIFIER_nondet_char();
  while (c != ' ' && c != '\n' && c != '\0') {
    if (n < VERB) verb[n++] = upper(c);
    c = __VERIFIER_nondet_char();
  }
  verb[n] = '\0';
  return c == ' ';
}

static int read_argument(void) {
  int n = 0;
  char c = __VERIFIER_nondet_char();
  while (c != '\n') {
    argument[n] = c;
    if (c == '\0') return n;
    n++;
    c = __VERIFIER_nondet_char();
  }
  argument[n < ARGUMENT ? n : ARGUMENT] = '\0';
  return n;
}

int main(void) {
  if (!read_verb()) return 0;
  if (verb[0] != 'G' || verb[1] != 'E' || verb[2] != 'T' || verb[3] != '\0') return 0;
  return read_argument() > 0;
}
