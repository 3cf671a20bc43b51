// expect: violated "acceptance cycles"
// options: --deadlock off
// Stuck at an accept label: the last state goes on for ever.
byte x;

active proctype a() { x = 1; accept: x == 5 }
