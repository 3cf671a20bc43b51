// SPDX-License-Identifier: Apache-2.0
// A kernel in the manner of Dhrystone: records, enumerations, an array and calls that hand values
// back through pointers. What comes out is known.
// expect: holds
// check: bounds,null
#include <assert.h>

enum ident { FIRST, SECOND, THIRD };

struct record {
  struct record *next;
  enum ident kind;
  int number;
};

extern int __VERIFIER_nondet_int(void);

static int numbers[10];
static struct record global_record, next_record;

static int greater(int left, int right) { return left > right ? left - right : right - left; }

static void third(int left, int right, int *out) { *out = left + 2 + right; }

static void second(int *value, enum ident kind) {
  int local = *value + 10;
  if (kind == FIRST) {
    local--;
    *value = local - 5;
  }
}

static void first(struct record *r) {
  struct record *n = r->next;
  n->number = 5;
  r->number = n->number;
  n->kind = SECOND;
  if (n->kind == r->kind)
    n->number = 6;
  else
    n->kind = r->kind;
}

int main(void) {
  int runs = __VERIFIER_nondet_int(), value = 0, out = 0;
  if (runs < 1 || runs > 4) return 0;
  global_record.next = &next_record;
  global_record.kind = THIRD;
  for (int i = 0; i < runs; i++) {
    value = 2;
    third(value, 3, &out);
    numbers[out] = out;
    numbers[out + 1] = greater(numbers[out], value);
    second(&value, FIRST);
    first(&global_record);
  }
  assert(out == 7 && numbers[8] == 5);
  assert(value == 6);
  assert(next_record.kind == THIRD && next_record.number == 5);
  return 0;
}
