// expect: violated "deadlock"
// trace: 3
// An atomic sequence that can never go on is a deadlock like any other.
byte x;

active proctype a() { atomic { x = 1; x == 2; x = 3 } }
active proctype b() { x = 1 }
