// SPDX-License-Identifier: Apache-2.0
// A parser for frames on a serial line, byte by byte: 0x7e, a length of 1 to 4, so many bytes, and
// their sum. With BUG the length is taken as it comes, and the bytes of a frame that says to have more
// than there is room for are written behind the end.
//
//   fathom check parser.c --check bounds                     holds
//   fathom check parser.c --check bounds -D BUG --test fail.c --witness fail.yml
#define MOST 4

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum { WAIT, LENGTH, DATA, SUM } state = WAIT;
static unsigned char data[MOST], length, filled, sum;

static void length_came(unsigned char byte) {
#ifdef BUG
  length = byte;
  state = byte == 0 ? WAIT : DATA;
#else
  state = byte == 0 || byte > MOST ? WAIT : DATA;
  if (state == DATA) length = byte;
#endif
  filled = sum = 0;
}

static void data_came(unsigned char byte) {
  data[filled++] = byte;
  sum += byte;
  if (filled == length) state = SUM;
}

// The frame is whole: what the rest of the program relies on.
static void sum_came(unsigned char byte) {
  state = WAIT;
  if (byte != sum) return;
  if (filled == 0 || filled > MOST) reach_error();
}

int main(void) {
  while (1) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    switch (state) {
    case WAIT:
      if (byte == 0x7e) state = LENGTH;
      break;
    case LENGTH: length_came(byte); break;
    case DATA: data_came(byte); break;
    case SUM: sum_came(byte); break;
    }
  }
}
