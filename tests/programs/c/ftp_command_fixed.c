// SPDX-License-Identifier: Apache-2.0
// The command line of an ftp utility, as in ftp_command: verb and argument are both cut at their
// sizes, however long the line is.
// expect: holds
// check: bounds
extern char __VERIFIER_nondet_char(void);

#define VERB     4
#define ARGUMENT 6

static char verb[VERB + 1];
static char argument[ARGUMENT + 1];

static int read_verb(void) {
  int n = 0;
  char c = __VERIFIER_nondet_char();
  while (c != ' ' && c != '\n') {
    if (n < VERB) verb[n++] = c;
    c = __VERIFIER_nondet_char();
  }
  verb[n] = '\0';
  return c == ' ';
}

static int read_argument(void) {
  int n = 0;
  char c = __VERIFIER_nondet_char();
  while (c != '\n') {
    if (n < ARGUMENT) argument[n++] = c;
    c = __VERIFIER_nondet_char();
  }
  argument[n] = '\0';
  return n;
}

int main(void) {
  if (!read_verb()) return 0;
  return read_argument() > 0;
}
