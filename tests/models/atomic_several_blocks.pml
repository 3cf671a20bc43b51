// expect: holds
// states: 10
// An atomic sequence that may wait in several places, in two processes at once.
byte x, y;

active proctype a() { atomic { x++; y > 0; x++; y > 1; x++ } }
active proctype b() { atomic { y++; x > 1; y++; x > 2; y++ } }
