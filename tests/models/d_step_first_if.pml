// expect: holds
// states: 15
// A d_step that begins with a choice waits until one of its options can be taken.
byte x, y;

active proctype a() { d_step { if :: x == 1 -> y = 1 :: x == 2 -> y = 2 fi; x = 0 }; assert(y == 1 || y == 2) }
active proctype b() { if :: x = 1 :: x = 2 fi }
