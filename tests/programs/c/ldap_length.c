// SPDX-License-Identifier: Apache-2.0
// The length of an element in a directory protocol's encoding: below 128 it is the byte itself,
// else the byte tells how many bytes of length follow. Four of them may make it negative, and that
// passes the comparison with the room that is left.
// expect: violated 33
// check: bounds
// depth: 18
// input: 48 132 255 255 255 250 1
extern unsigned char __VERIFIER_nondet_uchar(void);

#define ROOM 32

static unsigned char value[ROOM];

static int read_length(void) {
  int first = __VERIFIER_nondet_uchar();
  if (first < 128) return first;
  int bytes = first - 128;
  if (bytes > 4) return ROOM + 1;
  int length = 0;
  for (int i = 0; i < bytes; i++)
    length = (int)((unsigned)length * 256u + __VERIFIER_nondet_uchar());
  return length;
}

int main(void) {
  unsigned char tag = __VERIFIER_nondet_uchar();
  if (tag != 0x30) return 1;
  int length = read_length();
  if (length > ROOM) return 1;
  if (length == 0) return 0;
  unsigned char last = __VERIFIER_nondet_uchar();
  value[length - 1] = last;
  return 0;
}
