// SPDX-License-Identifier: Apache-2.0
// A serial driver in the style of embedded code: an interrupt puts bytes into a ring buffer, the main
// loop takes them out. Which of the two comes next, and what arrives, is up to the environment.
//
//   fathom check ring_buffer.c --check bounds                holds: the loop runs for ever
//   fathom check ring_buffer.c --check bounds -D BUG=1       the interrupt forgets that a full buffer is full
//   fathom check ring_buffer.c --check bounds -D BUG=2       an index that is put back too late
#include <assert.h>

#define SIZE 8

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned char buffer[SIZE];
static unsigned head, tail, count, lost;

// The receive interrupt.
static void received(unsigned char byte) {
#if BUG != 1
  if (count == SIZE) {
    if (lost < 255) lost++;
    return;
  }
#endif
  buffer[head] = byte;
#if BUG == 2
  head = head == SIZE ? 0 : head + 1;
#else
  head = head + 1 == SIZE ? 0 : head + 1;
#endif
  count++;
}

// What the main loop does with a byte.
static int take(unsigned char *byte) {
  if (count == 0) return 0;
  *byte = buffer[tail];
  tail = tail + 1 == SIZE ? 0 : tail + 1;
  count--;
  return 1;
}

int main(void) {
  unsigned char byte = 0;
  while (1) {
    if (__VERIFIER_nondet_bool())
      received(__VERIFIER_nondet_uchar());
    else
      take(&byte);
    assert(count <= SIZE);
    assert(lost <= 255);
  }
}
