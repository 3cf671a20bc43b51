// expect: holds
// states: 11
// _ takes any value and keeps none.
chan q = [2] of { byte, byte };
byte x;

active proctype s() { q!1, 2; q!3, 4 }
active proctype r() { q?_, x; assert(x == 2); q?x, _; assert(x == 3) }
