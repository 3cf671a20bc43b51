// expect: unknown "not checked: p1, p2"
// states: 2
// So are formulas.
byte x;

active proctype a() { do :: x = 1 - x od }
ltl p1 { [] (x < 2) }
ltl p2 { <> (x == 1) }
