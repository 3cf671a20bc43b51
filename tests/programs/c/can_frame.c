// SPDX-License-Identifier: Apache-2.0
// A CAN driver copies the data of a frame by its length code, which has four bits: 9 to 15 are
// allowed on the bus and mean 8. Standard frames are cut, extended ones are not.
// expect: violated 22
// check: bounds
// input: 256 8 1 1 1 1 1 1 1 1 536871168 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// depth: 52
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define EXTENDED 0x20000000u

struct frame {
  unsigned id;
  unsigned char length;
  unsigned char data[8];
};

static struct frame last;

static void receive_data(struct frame *f, int count) {
  for (int i = 0; i < count; i++) f->data[i] = __VERIFIER_nondet_uchar();
}

static void receive(void) {
  unsigned id = __VERIFIER_nondet_uint();
  int length = __VERIFIER_nondet_uchar() % 16;
  last.id = id;
  if (id >= EXTENDED) {
    receive_data(&last, length);
  } else {
    if (length > 8) length = 8;
    receive_data(&last, length);
  }
  last.length = (unsigned char)length;
}

int main(void) {
  receive();
  if (last.length == 0) return 0;
  receive();
  return last.data[0];
}
