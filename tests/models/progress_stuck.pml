// expect: holds
// options: --non-progress --deadlock off
// To be stuck is no cycle, as in SPIN.
byte x;

active proctype a() { x = 1; progress: x = 2; x = 3; x == 5 }
