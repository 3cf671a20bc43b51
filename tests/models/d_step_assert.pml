// expect: violated "assertions and errors"
// trace: 4
// An assertion inside a d_step.
byte x;

active proctype a() { do :: d_step { x++; assert(x < 4); x = x } od }
