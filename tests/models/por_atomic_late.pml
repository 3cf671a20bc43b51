// expect: violated "assertions and errors"
// options: --por on
// An atomic sequence begins with steps of its own, and ends with one that others see.
byte x;

active proctype a() { byte n; atomic { n = 1; n = 2; x = 1 } }
active proctype b() { end: x == 0 -> assert(x == 1) }
