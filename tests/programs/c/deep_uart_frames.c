// SPDX-License-Identifier: Apache-2.0
// A UART receiver with byte stuffing: 0x7e ends a frame, 0x7d escapes the next byte. The checksum is
// a sum of weighted classes of bytes; a frame is taken when the sender's checksum agrees. Plain
// bytes are counted against the size of the frame, escaped ones are stored without that.
// expect: violated 31
// check: bounds
// depth: 170
// input: 6 5 9 7 11 10 1 3 3 10 0 7 2 2 6 6 7 6 11 8 125 128
// hard: yes
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 20

static unsigned char frame[SIZE];

static unsigned add_byte(unsigned sum, unsigned char byte) {
  if (byte < 32) return sum * 3u + 1u;
  if (byte < 128) return sum * 2u + 5u;
  return sum + 9u;
}

int main(void) {
  unsigned sum = 1;
  int length = 0, escaped = 0;
  while (1) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    if (escaped) {
      escaped = 0;
      sum = add_byte(sum, byte) + 1u;
      frame[length] = byte;
      length++;
    } else if (byte == 0x7d) {
      escaped = 1;
    } else if (byte == 0x7e) {
      if (__VERIFIER_nondet_uint() != sum) return 1;
      return 0;
    } else {
      if (length >= SIZE) return 1;
      sum = add_byte(sum, byte);
      frame[length] = 0;
      length++;
    }
  }
}
