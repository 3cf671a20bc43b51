// SPDX-License-Identifier: Apache-2.0
// A session of an ftp utility: commands change the directory, list or fetch, and each that is done
// is entered into a log with a running digest of the path. The client confirms the digest at the
// end of each command. Commands are counted by kind, and the place in the log is the sum of the
// counts. The log has room for 30 entries, and nobody looks.
// expect: violated 25
// check: bounds
// depth: 306
// input: 1 22 5 110 3 332 5 1660 1 553 2 1660 2 4981 2 14944 3 44834 3 134504 1 44834 3 134504
// input: 5 672520 2 2017561 1 672520 2 2017561 1 672520 1 224173 1 74724 2 224173 3 672521 5
// input: 3362605 3 10087817 2 30263452 4 30263459 2 90790378 2 272371135 1 90790378 3
// input: 272371136 3 817113410 1 272371136
// hard: yes
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define ENTRIES 30

enum command { QUIT, UP, INTO_PUBLIC, INTO_PRIVATE, LIST, FETCH };

static unsigned char log_kind[ENTRIES];
static int moves, lists, transfers;

static void log_add(int kind) {
  log_kind[moves + lists + transfers] = (unsigned char)kind;
  if (kind == LIST)
    lists++;
  else if (kind == FETCH)
    transfers++;
  else
    moves++;
}

int main(void) {
  unsigned digest = 17;
  int depth = 0, fetched = 0;
  while (1) {
    int command = __VERIFIER_nondet_int();
    if (command == UP) {
      if (depth > 0) {
        depth--;
        digest = digest / 3u;
      } else {
        digest = digest + 5u;
      }
    } else if (command == INTO_PUBLIC) {
      digest = digest * 3u + 1u;
      depth++;
    } else if (command == INTO_PRIVATE) {
      if (fetched == 0) digest = digest + 11u;
      digest = digest * 3u + 2u;
      depth++;
    } else if (command == LIST) {
      digest = digest + 7u;
    } else if (command == FETCH) {
      fetched++;
      digest = digest * 5u;
    } else {
      return 0;
    }
    // the client's word for where it is
    if (__VERIFIER_nondet_uint() != digest) return 1;
    log_add(command);
  }
}
