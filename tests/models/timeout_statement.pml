// expect: holds
// states: 14
// timeout is true when nothing else in the whole model can move.
byte x, y;

active proctype a() { x = 1; x = 2; timeout -> assert(y == 3 && x == 2); y = 4 }
active proctype b() { y = 1; x == 2; y = 3; y == 4 }
