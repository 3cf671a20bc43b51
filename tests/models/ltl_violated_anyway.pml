// expect: violated "assertions and errors"
// trace: 9
// An assertion fails, whatever becomes of the formula.
byte x;

active proctype a() { do :: x < 3 -> x++; assert(x != 3) od }
ltl p { [] (x < 9) }
