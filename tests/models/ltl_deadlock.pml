// expect: violated "p"
// options: --deadlock off
// states: 2
// The same where the model is stuck.
byte x;

active proctype a() { x = 1; x == 3; x = 2 }
ltl p { <> (x == 2) }
