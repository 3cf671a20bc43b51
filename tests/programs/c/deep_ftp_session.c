// SPDX-License-Identifier: Apache-2.0
// A session of an ftp utility: commands change the directory, list or fetch, and each that is done is
// entered into a log with a running digest of the path. The client confirms the digest at the end
// of each command. The log has room for 24 entries, and nobody looks.
// expect: violated 23
// check: bounds
// depth: 171
// input: 4 24 2 73 3 254 2 763 5 3815 2 11446 1 3815 2 11446 3 34340 2 103021 3 309065 2
// input: 927196 1 309065 2 927196 1 309065 2 927196 3 2781590 1 927196 2 2781589 4 2781596 3
// input: 8344790 4 8344797 2 25034392 2 75103177 1 25034392
// hard: yes
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define ENTRIES 24

enum command { QUIT, UP, INTO_PUBLIC, INTO_PRIVATE, LIST, FETCH };

static unsigned char log_kind[ENTRIES];
static int log_count;

static void log_add(int kind) {
  log_kind[log_count] = (unsigned char)kind;
  log_count++;
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
