// SPDX-License-Identifier: Apache-2.0
// An information management utility: records are looked up by number, changed and shown. Deleting
// does not look whether there was such a record; showing does.
// expect: violated 38
// check: null
// input: 1 7 1 9 2 7 2 7
// depth: 85
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define RECORDS 3

struct record {
  int used, number, amount;
};

static struct record table[RECORDS];

static struct record *find(int number) {
  for (int i = 0; i < RECORDS; i++)
    if (table[i].used && table[i].number == number) return &table[i];
  return NULL;
}

static void add(int number) {
  if (find(number) != NULL) return;
  for (int i = 0; i < RECORDS; i++) {
    if (table[i].used) continue;
    table[i].used = 1;
    table[i].number = number;
    return;
  }
}

static void delete (int number) {
  struct record *r = find(number);
  r->used = 0;
}

int main(void) {
  int added = 0;
  for (int i = 0; i < 6; i++) {
    int command = __VERIFIER_nondet_int();
    if (command == 1) {
      add(__VERIFIER_nondet_int());
      added++;
    } else if (command == 2 && added > 1) {
      delete (__VERIFIER_nondet_int());
    } else {
      break;
    }
  }
  return 0;
}
