// expect: violated "assertions and errors"
// trace: 3
// A choice inside a d_step without an option that can be taken.
byte x;

active proctype a() { do :: d_step { x++; if :: x < 3 -> skip :: x > 7 -> skip fi } od }
