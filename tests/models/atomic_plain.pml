// expect: holds
// states: 1
// An atomic sequence is one step: what others see is before or after.
byte x, y;

active proctype a() { do :: atomic { x == 0; x = 1; y++; y--; x = 0 } od }
active proctype b() { do :: assert(x == 0 && y == 0) od }
