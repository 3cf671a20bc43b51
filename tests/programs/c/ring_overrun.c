// SPDX-License-Identifier: Apache-2.0
// A ring buffer between an interrupt and the main loop. The writer asks for room with <= instead
// of <, so that one entry too many is counted, and the reader's drain walks behind the array.
// expect: violated 39
// check: bounds
// input: 1 11 1 12 1 13 1 14 1 15 3
// depth: 82
#define SIZE 4

extern int __VERIFIER_nondet_int(void);

struct ring {
  int data[SIZE];
  int head, tail, count;
};

static struct ring ring;

static void put(int value) {
  if (ring.count <= SIZE) {
    ring.data[ring.head] = value;
    ring.head = (ring.head + 1) % SIZE;
    ring.count++;
  }
}

static int get(void) {
  int value = 0;
  if (ring.count > 0) {
    value = ring.data[ring.tail];
    ring.tail = (ring.tail + 1) % SIZE;
    ring.count--;
  }
  return value;
}

static void drain(int *copy) {
  int count = ring.count;
  for (int i = 0; i < count; i++) copy[i] = get();
}

int main(void) {
  int copy[SIZE];
  for (int i = 0; i < 12; i++) {
    int command = __VERIFIER_nondet_int();
    if (command == 1)
      put(__VERIFIER_nondet_int());
    else if (command == 2)
      get();
    else if (command == 3)
      drain(copy);
    else
      break;
  }
  return 0;
}
