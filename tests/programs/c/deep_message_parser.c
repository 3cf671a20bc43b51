// SPDX-License-Identifier: Apache-2.0
// A parser of header lines: name, colon, value, end of line; a blank line ends the head. Names and
// values are hashed to look them up. The table of headers has 24 places; a line that begins with a
// blank goes on with the value of the last one, and is counted, too.
// expect: violated 59
// check: bounds
// depth: 706
// input: 32 8812089518673979211 -156147985517642774 8739213137423958131 10 16187 1 58 255
// input: 4294967295 10 80988 0 58 2 -2444319027850253789 10 404993 32 32 34 10 2430031 2 58 71
// input: 99 20 10 12150212 1103306852342245279 58 65535 128 128 10 60751117 11 58
// input: -2788150113010443203 34 10 607511269 32 42 34 32768 10 3645067691 32 82 11
// input: -7715191784619601338 10 2345268525 32 1 10 2740838315 0 58 34 35 -2 10 1638579473 0
// input: 58 58 58 34 10 3500892949 32 91 10 1912744291 32 0 11 2 10 1443265621 8 58 19 35 35
// input: 10 2921360866 2921360865 58 58 34 10 3443804983 3 58 6 104 11 10 39155788 1 58 6 10
// input: 195778989 32 -1 -1 32767 10 587337011 256 58 3 34 10 1578402913 32 128 35 10
// input: 440241483 1 58 -5321918356973496808 -187427542815683349 4351269606210651988 10
// input: 2201207472 2201207472 58 14 112 -3999673804365138171 10 2416102825 384706263147764897
// input: 58 3 3 1 10 3490579590 32 7839647336112526541 -340833118554797222
// input: -7606701283709391642 10 1881804222
// hard: yes
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define HEADERS 24

enum state { LINE_START, NAME, VALUE };

static unsigned table[HEADERS];

int main(void) {
  enum state state = LINE_START;
  unsigned hash = 5381, headers = 0, continued = 0, length = 0;
  int goes_on = 0;
  while (1) {
    char c = __VERIFIER_nondet_char();
    switch (state) {
    case LINE_START:
      if (c == '\n') return 0;
      if (c == ' ') {
        state = VALUE;
        goes_on = 1;
        hash = hash * 3u + 32u;
      } else {
        if (headers + continued == HEADERS) return 1;
        state = NAME;
        goes_on = 0;
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
        table[headers + continued] = hash;
        if (goes_on)
          continued++;
        else
          headers++;
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
