// SPDX-License-Identifier: Apache-2.0
// An information management utility with a table of three records: what is looked up may be
// missing, and every use asks first.
// expect: holds
// check: null,bounds
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define RECORDS 3

struct record {
  int used, number;
};

static struct record table[RECORDS];

static struct record *find(int number) {
  for (int i = 0; i < RECORDS; i++)
    if (table[i].used && table[i].number == number) return &table[i];
  return NULL;
}

static struct record *find_free(void) {
  for (int i = 0; i < RECORDS; i++)
    if (!table[i].used) return &table[i];
  return NULL;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    int number = __VERIFIER_nondet_int();
    struct record *r = find(number);
    if (r != NULL) {
      r->used = 0;
      continue;
    }
    r = find_free();
    if (r == NULL) break;
    r->used = 1;
    r->number = number;
  }
  return 0;
}
