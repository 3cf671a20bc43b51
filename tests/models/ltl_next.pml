// expect: violated "p2"
// states: 4
// spin: no, X wants another compilation
// A step of the model is a step of the formula.
byte x;

active proctype a() { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od }
ltl p1 { [] (x == 0 -> X X (x == 1)) }
ltl p2 { [] (x == 0 -> X (x == 1)) }
