// SPDX-License-Identifier: Apache-2.0
// A message of several parts: the whole length is kept in a byte when the memory is chosen, and in
// an int when it is filled. 300 bytes are 44 then.
// expect: violated 27
// check: bounds
// input: 150 150
// depth: 274
extern int __VERIFIER_nondet_int(void);

static unsigned char small[64];
static unsigned char large[512];

int main(void) {
  int first = __VERIFIER_nondet_int();
  int second = __VERIFIER_nondet_int();
  if (first < 0 || second < 0) return 1;
  if (first > 200 || second > 200) return 1;
  int total = first + second;
  unsigned char length = (unsigned char)total;
  if (length >= sizeof small) {
    for (int i = 0; i < total; i++) large[i] = 1;
    return 0;
  }
  int filled = 0;
  while (filled < total) {
    // the copy goes by the true length
    if (filled % 8 == 0) small[filled + 1] = 0;
    small[filled] = 1;
    filled++;
  }
  return 0;
}
