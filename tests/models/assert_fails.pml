// expect: violated "assertions and errors"
// trace: 8
// The shortest way to a failing assertion.
byte x;

active proctype a() { do :: x < 5 -> x++ :: x = 0 od }
active proctype b() { x == 3; assert(x != 3) }
