// SPDX-License-Identifier: Apache-2.0
// A parser of header lines: name, colon, value, end of line; a blank line ends the head. Names and
// values are hashed to look them up. The table of headers has 12 places; a line that begins with a
// blank goes on with the value of the last one, and is counted, too.
// expect: violated 51
// check: bounds
// depth: 344
// input: 32 8812089518673979211 -156147985517642774 8739213137423958131 10 16187 1 58 255
// input: 4294967295 10 80988 0 58 2 -2444319027850253789 10 404993 32 32 34 10 2430031 2 58 71
// input: 99 20 10 12150212 1103306852342245279 58 65535 128 128 10 60751117 11 58
// input: -2788150113010443203 34 10 607511269 32 42 34 32768 10 3645067691 32 82 11
// input: -7715191784619601338 10 2345268525 32 1 10 2740838315 0 58 34 35 -2 10 1638579473 0
// input: 58 58 11 11 10 3897930126 32 -2597794863068223327 -6536284334684611396
// input: 4924122764438863728 10 3103855830
// hard: yes
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define HEADERS 12

enum state { LINE_START, NAME, VALUE };

static unsigned table[HEADERS];

int main(void) {
  enum state state = LINE_START;
  unsigned hash = 5381, count = 0, length = 0;
  while (1) {
    char c = __VERIFIER_nondet_char();
    switch (state) {
    case LINE_START:
      if (c == '\n') return 0;
      if (c == ' ') {
        state = VALUE;
        hash = hash * 3u + 32u;
      } else {
        if (count == HEADERS) return 1;
        state = NAME;
        hash = hash + 9u;
      }
      length = 0;
      break;
    case NAME:
      if (c != ':') return 1;
      hash = hash * 5u;
      state = VALUE;
      break;
    default:
      if (c == '\n') {
        if (__VERIFIER_nondet_uint() != hash) return 1;
        table[count] = hash;
        count++;
        state = LINE_START;
      } else if (length < 3u) {
        hash = c == '"' ? hash * 2u + 1u : hash + 4u;
        length++;
      } else {
        return 1;
      }
    }
  }
}
