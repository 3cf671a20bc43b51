// expect: holds
// states: 6
// Only the first statement of a d_step may wait.
byte x;

active proctype a() { d_step { x == 1 -> x = 2; x = 3 } }
active proctype b() { x = 1; x == 3 }
