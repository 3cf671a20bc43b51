// expect: holds
// states: 28
// A d_step that begins with a receive from a buffered channel.
chan q = [1] of { byte };
byte sum;

active proctype s() { byte i; for (i : 1 .. 3) { q!i } }
active proctype r() { byte x; do :: d_step { q?x; sum = sum + x; x = 0 } :: sum == 6 -> break od }
