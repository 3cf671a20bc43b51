// expect: violated "assertions and errors"
// options: --por on
// The same with an atomic sequence inside another one, and a d_step sequence inside that.
byte x = 1;

active proctype a() { byte n; atomic { atomic { d_step { x == 1 -> x = 2 }; n = 1 }; n = 2 } }
active proctype b() { end: x == 1 -> assert(false) }
