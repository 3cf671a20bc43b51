// SPDX-License-Identifier: Apache-2.0
// A ring buffer with head, tail and a count, under any sequence of writes and reads, for ever: the
// count is what lies between head and tail, and no index leaves the array.
// expect: holds
// check: bounds
#include <assert.h>

#define SIZE 4

extern int __VERIFIER_nondet_int(void);

static int data[SIZE];
static int head, tail, count;

static void put(int value) {
  if (count == SIZE) return;
  data[head] = value;
  head++;
  if (head == SIZE) head = 0;
  count++;
}

static int get(void) {
  if (count == 0) return -1;
  int value = data[tail];
  tail++;
  if (tail == SIZE) tail = 0;
  count--;
  return value;
}

int main(void) {
  while (1) {
    if (__VERIFIER_nondet_int() > 0)
      put(__VERIFIER_nondet_int() > 0);
    else
      get();
    assert(count >= 0 && count <= SIZE);
    int distance = head - tail;
    if (distance < 0) distance += SIZE;
    assert(distance == count || (distance == 0 && count == SIZE));
  }
}
