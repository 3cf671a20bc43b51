// SPDX-License-Identifier: Apache-2.0
// A UART receiver with byte stuffing: 0x7e ends a frame, 0x7d escapes the next byte. The checksum
// is a sum of weighted classes of bytes; a frame is taken when the sender's checksum agrees. Plain
// bytes are counted against the size of the frame, escaped ones are stored without that.
// expect: violated 32
// check: bounds
// depth: 235
// input: 2 0 2 1 0 3 2 0 1 1 1 0 3 3 1 1 2 3 3 3 2 2 3 1 0 2 3 -6622649482016219690 125
// input: -1698536758895513145
// hard: yes
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 28

static unsigned char frame[SIZE];

static unsigned add_byte(unsigned sum, unsigned char byte) {
  if (byte < 32) return sum * 3u + 1u;
  if (byte < 128) return sum * 2u + 5u;
  return sum + 9u;
}

int main(void) {
  unsigned sum = 1;
  int plain = 0, stuffed = 0, escaped = 0;
  while (1) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    if (escaped) {
      escaped = 0;
      sum = add_byte(sum, byte) + 1u;
      frame[plain + stuffed] = byte;
      stuffed++;
    } else if (byte == 0x7d) {
      escaped = 1;
    } else if (byte == 0x7e) {
      if (__VERIFIER_nondet_uint() != sum) return 1;
      return 0;
    } else {
      if (plain + stuffed >= SIZE) return 1;
      sum = add_byte(sum, byte);
      frame[plain + stuffed] = 0;
      plain++;
    }
  }
}
